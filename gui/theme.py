"""Colours: one place for light, dark and high contrast, as palette roles and a handful of derived ones.

Colour never carries meaning alone: an icon, a word or a position always says the same.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Literal

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPalette
from PySide6.QtWidgets import QApplication, QDockWidget, QWidget
from shiboken6 import isValid

from gui.turns import paint_next_turn

ThemeName = Literal["light", "dark", "contrast"]
Tone = Literal["user", "assistant", "tool", "terminal", "compaction", "branch", "note", "muted"]


@dataclass(frozen=True, slots=True)
class Theme:
    """All colours of one look, as `#rrggbb`.

    Text colours have at least 4.5:1 on `window`, `panel`, `raised` and `selection`; `edge`, which outlines what can be
    typed into or dragged, and the colours of the groups have 3:1. `line` only parts what space parts already.
    """

    name: ThemeName
    window: str
    panel: str
    raised: str
    text: str
    muted: str
    line: str
    edge: str
    accent: str
    on_accent: str
    selection: str
    user: str
    assistant: str
    tool: str
    terminal: str
    compaction: str
    branch: str
    note: str
    summarized: str
    turn_prefix: str
    kept: str
    on_group: str
    chip: str
    on_chip: str
    match: str
    warning: str

    def tone(self, tone: Tone) -> QColor:
        """Return the colour of a role's icon and name."""
        return QColor(getattr(self, tone))


LIGHT = Theme(
    name="light",
    window="#ffffff",
    panel="#f6f6f4",
    raised="#eeeeeb",
    text="#1c1d1f",
    muted="#5f646b",
    line="#dcdcd8",
    edge="#7f848b",
    accent="#245fd0",
    on_accent="#ffffff",
    selection="#dbe7ff",
    user="#6b3bb8",
    assistant="#146c43",
    tool="#565b62",
    terminal="#76540a",
    compaction="#a2430f",
    branch="#0f6383",
    note="#86325f",
    summarized="#6c7178",
    turn_prefix="#a86400",
    kept="#1f7f4f",
    on_group="#ffffff",
    chip="#eadffb",
    on_chip="#55309a",
    match="#ffe9a8",
    warning="#a74b06",
)
DARK = Theme(
    name="dark",
    window="#232629",
    panel="#1d2023",
    raised="#2f3337",
    text="#e8eaec",
    muted="#a9afb7",
    line="#3c4147",
    edge="#848b94",
    accent="#82adff",
    on_accent="#0d1a33",
    selection="#2d4062",
    user="#bfa3fa",
    assistant="#6fd8a4",
    tool="#b4bac2",
    terminal="#e5bd5c",
    compaction="#f79a68",
    branch="#71c5e2",
    note="#eb9ac6",
    summarized="#8d939b",
    turn_prefix="#d99a2b",
    kept="#3fae77",
    on_group="#101214",
    chip="#46336b",
    on_chip="#e0d0ff",
    match="#5a4a14",
    warning="#f0a44b",
)
CONTRAST = Theme(
    name="contrast",
    window="#000000",
    panel="#000000",
    raised="#1a1a1a",
    text="#ffffff",
    muted="#e0e0e0",
    line="#ffffff",
    edge="#ffffff",
    accent="#ffe600",
    on_accent="#000000",
    selection="#003a8c",
    user="#e2c6ff",
    assistant="#7dffb8",
    tool="#ffffff",
    terminal="#ffd75e",
    compaction="#ffb37a",
    branch="#7fe3ff",
    note="#ffb3dc",
    summarized="#c8c8c8",
    turn_prefix="#ffb000",
    kept="#00e676",
    on_group="#000000",
    chip="#ffffff",
    on_chip="#000000",
    match="#7a5c00",
    warning="#ffb000",
)
THEMES: dict[ThemeName, Theme] = {theme.name: theme for theme in (LIGHT, DARK, CONTRAST)}

STYLED = "has_style"  # properties of the application
DESKTOP_ACCENT = "desktop_accent"
QT_ACCENT = "#308cc6"  # on desktops that name none
TEXT_CONTRAST = 4.5
STYLE_SHEETS = ("style.qss", "dialogs.qss")
WIDGETS_PER_TURN = 60  # some milliseconds
SHEET_ROLES = {  # colours of a theme, as style sheets name the roles of a palette
    "window": "base",
    "panel": "alternate-base",
    "raised": "button",
    "text": "text",
    "muted": "placeholder-text",
    "line": "mid",
    "edge": "dark",
    "accent": "accent",
    "on_accent": "bright-text",
    "selection": "highlight",
    "warning": "link-visited",
}

_current = LIGHT


def current_theme() -> Theme:
    """Return the theme in use."""
    return _current


def system_theme() -> Theme:
    """Return the theme that fits what the desktop asks for: more contrast, else its colour scheme."""
    hints = QGuiApplication.styleHints()
    accessibility = getattr(hints, "accessibility", None)  # from Qt 6.10 on
    if accessibility is not None and accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
        return CONTRAST
    theme = DARK if hints.colorScheme() == Qt.ColorScheme.Dark else LIGHT
    application = QGuiApplication.instance()
    accent = application.property(DESKTOP_ACCENT) if application is not None else None
    return with_accent(theme, accent) if accent else theme


def note_desktop_accent(app: QApplication) -> None:
    """Remember the desktop's accent colour, while the palette is still its own."""
    name = app.palette().color(QPalette.ColorRole.Accent).name()
    app.setProperty(DESKTOP_ACCENT, "" if name == QT_ACCENT else name)


def with_accent(theme: Theme, accent: str) -> Theme:
    """Return `theme` with another accent colour, as much darker or lighter as text in that colour has to be."""
    grounds = (theme.window, theme.panel, theme.raised, theme.selection)
    far = QColor(theme.text)
    found = next(
        mixed for share in range(0, 101, 4) if _is_readable(mixed := _mixed(QColor(accent), far, share), grounds)
    )
    on_accent = max("#ffffff", "#000000", key=lambda each: contrast(QColor(each), found))
    return replace(theme, accent=found.name(), on_accent=on_accent)


def contrast(one: QColor, other: QColor) -> float:
    """Return the contrast of two colours, 1 to 21, as WCAG 2 defines it."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(color: QColor) -> float:
    parts = (color.redF(), color.greenF(), color.blueF())
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _is_readable(color: QColor, grounds: tuple[str, ...]) -> bool:
    return all(contrast(color, QColor(ground)) >= TEXT_CONTRAST for ground in grounds)


def _mixed(color: QColor, other: QColor, share: int) -> QColor:
    """`color` with so many per cent of the other one."""
    parts = zip(color.getRgb()[:3], other.getRgb()[:3], strict=True)  # type: ignore[index]
    return QColor(*(round(one + (two - one) * share / 100) for one, two in parts))


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Make `theme` the look of all windows, at once."""
    for step in theme_steps(app, theme):
        step()


def theme_steps(app: QApplication, theme: Theme) -> Iterator[Callable[[], object]]:
    """Yield what makes `theme` the look of all windows, for a turn of the event loop each.

    Nothing is painted before the last step. The style sheet names roles of the palette, so that it stays: to replace
    it, Qt would style every widget anew in one call.
    """

    def begin() -> None:
        global _current  # noqa: PLW0603 - the application has one look
        _current = theme
        for window in app.topLevelWidgets():
            window.setUpdatesEnabled(False)
        if not app.property(STYLED):  # each time, all widgets are polished anew
            app.setStyle("Fusion")
            app.setProperty(STYLED, True)
        app.setPalette(palette(theme))

    def end() -> None:
        for window in app.topLevelWidgets():
            for dock in window.findChildren(QDockWidget):
                if not dock.isFloating():
                    paint_next_turn(dock)  # all of a large window at once would take too long
            window.setUpdatesEnabled(True)

    yield begin
    sheet = _style_sheet(app.layoutDirection())
    if app.styleSheet() != sheet:
        yield lambda: app.setStyleSheet(sheet)
    else:
        widgets = app.allWidgets()
        for start in range(0, len(widgets), WIDGETS_PER_TURN):
            yield partial(_style_again, app, widgets[start : start + WIDGETS_PER_TURN])
    yield end


def _style_again(app: QApplication, widgets: Iterable[QWidget]) -> None:
    for widget in widgets:
        if isValid(widget):
            app.style().polish(widget)
            app.sendEvent(widget, QEvent(QEvent.Type.StyleChange))


def palette(theme: Theme) -> QPalette:
    """Return the Qt palette of `theme`."""
    roles = {
        QPalette.ColorRole.Window: theme.window,
        QPalette.ColorRole.WindowText: theme.text,
        QPalette.ColorRole.Base: theme.window,
        QPalette.ColorRole.AlternateBase: theme.panel,
        QPalette.ColorRole.Text: theme.text,
        QPalette.ColorRole.PlaceholderText: theme.muted,
        QPalette.ColorRole.Button: theme.raised,
        QPalette.ColorRole.ButtonText: theme.text,
        QPalette.ColorRole.BrightText: theme.on_accent,
        QPalette.ColorRole.Highlight: theme.selection,
        QPalette.ColorRole.HighlightedText: theme.text,
        QPalette.ColorRole.Link: theme.accent,
        QPalette.ColorRole.Accent: theme.accent,
        QPalette.ColorRole.ToolTipBase: theme.raised,
        QPalette.ColorRole.ToolTipText: theme.text,
        QPalette.ColorRole.Light: theme.raised,
        QPalette.ColorRole.Midlight: theme.line,
        QPalette.ColorRole.Mid: theme.line,
        QPalette.ColorRole.Dark: theme.edge,
        QPalette.ColorRole.Shadow: theme.line,
        QPalette.ColorRole.LinkVisited: theme.warning,  # texts here know no visited links
    }
    result = QPalette()
    for role, color in roles.items():
        result.setColor(role, QColor(color))
    for role in (
        QPalette.ColorRole.WindowText,
        QPalette.ColorRole.Text,
        QPalette.ColorRole.ButtonText,
    ):
        result.setColor(QPalette.ColorGroup.Disabled, role, QColor(theme.muted))
    return result


def _style_sheet(direction: Qt.LayoutDirection) -> str:
    sheet = "".join(files("resources").joinpath(name).read_text("utf-8") for name in STYLE_SHEETS)
    for name, role in SHEET_ROLES.items():
        sheet = re.sub(rf"@{name}\b", f"palette({role})", sheet)
    sides = ("left", "right") if direction == Qt.LayoutDirection.LeftToRight else ("right", "left")
    sheet = sheet.replace("@start", sides[0]).replace("@end", sides[1])  # style sheets know no reading direction
    sheet = sheet.replace("@filled", "sub-page" if sides[0] == "left" else "add-page")  # the part up to the handle
    return sheet.replace("@icons", Path(str(files("resources"))).joinpath("icons").as_posix())
