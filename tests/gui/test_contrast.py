"""Contrast of all that is shown, measured: 4.5:1 for text, 3:1 for marks and for the ring of the keyboard (WCAG 2.2).

What colour says, something else says as well: the last tests look at that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import cast

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPalette
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMenu, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from gui.entry_delegate import ICONS, TONES, EntryDelegate
from gui.main_window import MainWindow
from gui.row_content import Group, RowContent
from gui.session_tree_model import Column
from gui.settings_dialog.model_page import SummariesPage
from gui.theme import (
    DARK,
    DESKTOP_ACCENT,
    LIGHT,
    QT_ACCENT,
    THEMES,
    Theme,
    apply_theme,
    note_desktop_accent,
    palette,
    system_theme,
    with_accent,
)  # fmt: skip
from model.entry_preview import EntryPreview, Speaker
from model.session_graph import Extent
from tests.gui.colors import SCALE, Pixels, contrast, picture, ratio, texts
from tests.gui.scenes import Stage, wait_until

TEXT, MARK = 4.5, 3.0
GROUNDS = ("window", "panel", "raised", "selection")
TEXT_COLORS = (
    "text", "muted", "accent", "user", "assistant", "tool", "terminal", "compaction", "branch", "note", "warning",
)  # fmt: skip
PAIRS = {"on_accent": "accent", "on_chip": "chip"}
LOOKED_AT = (
    "recent", "entry", "context", "navigate", "compaction", "compare", "timeline", "search", "running", "library",
    "palette", "help", "failed", "prune", "review", "settings summaries", "settings shortcuts", "settings untrusted",
    "secrets", "writer with text", "export with secrets", "export taken name", "exported", "branches", "link",
)  # fmt: skip
themes = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)


@pytest.fixture(scope="module")
def stage(qapp: QApplication, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with pytest.MonkeyPatch.context() as patch:
        home = tmp_path_factory.mktemp("home")
        patch.setenv("BRANCHWORK_HOME", str(home / "branchwork"))
        patch.setenv("HOME", str(home))
        apply_theme(qapp, LIGHT)
        made = Stage(tmp_path_factory.mktemp("stage"), size=(1280, 800))
        yield made
        made.close()
        apply_theme(qapp, LIGHT)


# --- The desktop's accent colour -------------------------------------------------------------------------------------


@pytest.mark.parametrize("accent", ["#e91e63", "#ffd800", "#101010", "#ffffff", "#3584e4", "#00ff00"])
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_any_accent_of_the_desktop_can_be_read(theme: Theme, accent: str) -> None:
    taken = with_accent(theme, accent)
    assert all(ratio(taken.accent, getattr(theme, ground)) >= TEXT for ground in GROUNDS)
    assert ratio(taken.on_accent, taken.accent) >= TEXT
    hue, taken_hue = (QColor(color).hsvHue() for color in (accent, taken.accent))
    assert hue == -1 or abs(hue - taken_hue) <= 12


def test_the_desktops_accent_is_taken_unless_a_theme_is_chosen(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = qapp.property(DESKTOP_ACCENT)
    assert system_theme() in (LIGHT, DARK)
    desktop = QPalette()
    desktop.setColor(QPalette.ColorRole.Accent, QColor("#e91e63"))
    monkeypatch.setattr(QApplication, "palette", lambda *_: desktop)
    note_desktop_accent(qapp)
    assert QColor(system_theme().accent).hsvHue() == pytest.approx(QColor("#e91e63").hsvHue(), abs=12)
    desktop.setColor(QPalette.ColorRole.Accent, QColor(QT_ACCENT))
    note_desktop_accent(qapp)
    assert system_theme() in (LIGHT, DARK)
    qapp.setProperty(DESKTOP_ACCENT, before)


# --- The roles -------------------------------------------------------------------------------------------------------


@themes
def test_the_roles_of_a_theme(theme: Theme) -> None:
    too_weak = [
        f"{color} on {ground}: {found:.2f}"
        for color in TEXT_COLORS
        for ground in GROUNDS
        if (found := ratio(getattr(theme, color), getattr(theme, ground))) < TEXT
    ]
    too_weak += [
        f"{color} on {ground}: {found:.2f}"
        for color, ground in PAIRS.items()
        if (found := ratio(getattr(theme, color), getattr(theme, ground))) < TEXT
    ]
    too_weak += [
        f"{mark} beside {ground}: {found:.2f}"
        for mark in ("edge", "summarized", "turn_prefix", "kept", "accent")
        for ground in GROUNDS
        if (found := ratio(getattr(theme, mark), getattr(theme, ground))) < MARK
    ]
    too_weak += [
        f"on {group}: {found:.2f}"
        for group in ("summarized", "turn_prefix", "kept")
        if (found := ratio(theme.on_group, getattr(theme, group))) < TEXT
    ]
    if (found := ratio(theme.text, theme.match)) < TEXT:
        too_weak.append(f"text on match: {found:.2f}")
    assert too_weak == []


@themes
def test_the_palette_of_a_theme(theme: Theme) -> None:
    roles = QPalette.ColorRole
    made = palette(theme)
    pairs = (
        (roles.WindowText, roles.Window), (roles.Text, roles.Base), (roles.Text, roles.AlternateBase),
        (roles.PlaceholderText, roles.Base), (roles.ButtonText, roles.Button), (roles.HighlightedText, roles.Highlight),
        (roles.ToolTipText, roles.ToolTipBase), (roles.Link, roles.Base), (roles.BrightText, roles.Accent),
    )  # fmt: skip
    for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive):
        for text, ground in pairs:
            assert ratio(made.color(group, text), made.color(group, ground)) >= TEXT, (group, text, ground)


# --- The rows of the tree --------------------------------------------------------------------------------------------


def content(speaker: Speaker, group: Group = Group.NONE, *, failed: bool = False, folded: bool = False) -> RowContent:
    preview = EntryPreview(speaker, speaker, "What this entry says", speaker in ("tool", "terminal"), failed)
    return RowContent(
        "a1b2c3d4", preview, 1200, 34_000, 0, "07:03", 0, group=group, hides=Extent(3, 1200, 0) if folded else None
    )


def row_picture(row: RowContent, ground: str, column: Column) -> tuple[QImage, QRect]:
    rect = QRect(0, 0, 700, 30)
    image = QImage(rect.size() * SCALE, QImage.Format.Format_RGB888)
    image.setDevicePixelRatio(SCALE)
    image.fill(QColor(ground))
    painter = QPainter(image)
    EntryDelegate().paint_cell(painter, rect, Qt.LayoutDirection.LeftToRight, column, row, folded=row.hides is not None)
    painter.end()
    return image, rect


def solid_colors(image: QImage, ground: str) -> list[QColor]:
    """The colours that are more than the smooth edge of another one."""
    flat = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    codes = flat[:, : image.width() * 3].reshape(-1, 3).astype(np.uint32) @ np.array([65536, 256, 1], np.uint32)
    found, counts = np.unique(codes[codes != QColor(ground).rgb() & 0xFFFFFF], return_counts=True)
    return [QColor.fromRgb(int(code)) for code in found[counts > counts.max() * 0.5]] if len(found) else []


@themes
@pytest.mark.parametrize("ground", ["window", "selection"])
def test_rows_of_every_kind(qapp: QApplication, theme: Theme, ground: str) -> None:
    """Plain and selected, dimmed by a compaction, failed, folded: icon, name, text and numbers."""
    apply_theme(qapp, theme)
    color = getattr(theme, ground)
    rows = [content(speaker) for speaker in TONES]
    rows += [content("assistant", group) for group in Group]
    rows += [content("tool", Group.SUMMARIZED, failed=True), content("assistant", failed=True)]
    rows += [content("user", folded=True)]
    for row in rows:
        for column in (Column.ENTRY, Column.TOKENS, Column.TIME):
            image, _rect = row_picture(row, color, column)
            found = solid_colors(image, color)
            assert found, (row, column)
            weak = [each.name() for each in found if ratio(each, color) < TEXT]
            assert weak == [], (row.preview.speaker, row.group, column)


# --- The window and its dialogs --------------------------------------------------------------------------------------


@themes
def test_every_text_that_is_shown(stage: Stage, qapp: QApplication, theme: Theme) -> None:
    apply_theme(qapp, theme)
    weak: list[str] = []
    for scene in LOOKED_AT:
        front = stage.show(scene)
        pixels = picture(front)
        seen = list(texts(front))
        assert len(seen) >= 3, scene
        for text in seen:
            found = contrast(pixels, text.rect)
            if found is None or found < TEXT:
                weak.append(f"{scene}: {text.name}: {found}")
    assert weak == []


def test_nothing_keeps_the_colours_of_another_theme(stage: Stage, qapp: QApplication, qtbot: QtBot) -> None:
    """G05: after dark the window is what it was before."""
    apply_theme(qapp, LIGHT)
    for scene in ("entry", "compaction", "settings shortcuts"):
        front = stage.show(scene)
        qtbot.waitUntil(lambda: not stage.window.sessions.is_busy, timeout=20_000)
        qtbot.wait(300)  # a tab is as high as its text a turn after that was set
        before = picture(front)
        apply_theme(qapp, DARK)
        QApplication.processEvents()
        assert (picture(front) != before).any()
        apply_theme(qapp, LIGHT)

        def is_as_before(front: QWidget = front, before: Pixels = before) -> bool:
            return float((picture(front) != before).any(axis=2).mean()) < 0.001  # a cursor may blink

        qtbot.waitUntil(is_as_before, timeout=20_000)  # a page is set again a turn at a time


@themes
def test_menus_and_tool_tips(window: MainWindow, qapp: QApplication, qtbot: QtBot, theme: Theme) -> None:
    apply_theme(qapp, theme)
    menu = window.menuBar().actions()[0].menu()
    menu.popup(window.mapToGlobal(window.rect().center()))  # type: ignore[union-attr]
    qtbot.waitUntil(menu.isVisible)  # type: ignore[union-attr]
    pixels = picture(menu)  # type: ignore[arg-type]
    weak = []
    for action in menu.actions():  # type: ignore[union-attr]
        if action.isSeparator() or not action.isEnabled():
            continue
        menu.setActiveAction(action)  # type: ignore[union-attr]
        for shown in (pixels, picture(menu)):  # type: ignore[arg-type]
            found = contrast(shown, menu.actionGeometry(action).adjusted(8, 3, -8, -3))  # type: ignore[union-attr]
            if found is None or found < TEXT:
                weak.append((action.text(), found))
    menu.close()  # type: ignore[union-attr]
    assert weak == []
    tip_colors = QToolTip.palette()
    assert ratio(
        tip_colors.color(QPalette.ColorRole.ToolTipText), tip_colors.color(QPalette.ColorRole.ToolTipBase)
    ) >= (TEXT)
    apply_theme(qapp, LIGHT)


@themes
def test_what_is_chosen_is_outlined_in_menus_and_lists(stage: Stage, qapp: QApplication, theme: Theme) -> None:
    """Its ground differs from that of others by a faint colour only."""
    apply_theme(qapp, theme)
    menu = cast("QMenu", stage.show("menu view"))
    chosen = menu.actions()[3]
    menu.setActiveAction(chosen)
    QApplication.processEvents()
    assert is_outlined(picture(menu), menu.actionGeometry(chosen), theme)
    assert not is_outlined(picture(menu), menu.actionGeometry(menu.actions()[2]), theme)
    stage.show("settings summaries")
    settings = stage.window.assistance.settings_dialog
    assert settings is not None
    combo = cast("SummariesPage", settings.page("summaries")).provider
    combo.showPopup()
    view = combo.view()
    wait_until(view.isVisible)
    for row in (0, 2):
        view.setCurrentIndex(combo.model().index(row, 0))
        QApplication.processEvents()
        pixels = picture(view.viewport())
        assert is_outlined(pixels, view.visualRect(combo.model().index(row, 0)), theme)
        assert not is_outlined(pixels, view.visualRect(combo.model().index(1, 0)), theme)
    combo.hidePopup()
    apply_theme(qapp, LIGHT)


def is_outlined(pixels: Pixels, row: QRect, theme: Theme) -> bool:
    """Whether a line in the colour of edges runs along the upper side of a row."""
    edge = QColor(theme.edge)
    x = row.center().x() * SCALE
    line = pixels[row.top() * SCALE : (row.top() + 5) * SCALE, x]
    return any(tuple(map(int, color)) == (edge.red(), edge.green(), edge.blue()) for color in line)


# --- Colour says nothing alone ---------------------------------------------------------------------------------------


def test_every_speaker_has_an_icon_and_a_word() -> None:
    assert set(ICONS) == set(TONES)
    assert len({ICONS[speaker] for speaker in TONES}) == len(ICONS), "no two share a picture"
    assert all(content(speaker).name for speaker in TONES)


def test_every_group_of_a_compaction_has_words() -> None:
    words = {content("user", group).group_text() for group in Group if group != Group.NONE}
    assert len(words) == 3
    assert all(words)


# --- What is selected, with the keyboard there and elsewhere ---------------------------------------------------------


def selected_row(front: QWidget, scene: str) -> tuple[QAbstractItemView, QRect]:
    """A view of a scene in which a row is selected, and the place of that row in the window."""
    view: QAbstractItemView
    assert isinstance(front, MainWindow)
    assert front.pane is not None
    if scene == "library":
        assert front.library.pane is not None
        view = front.library.pane.view
        index = view.model().index(0, 0, view.model().index(0, 0))
    elif scene == "timeline":
        view = front.pane.timeline_tab.list
        index = view.model().index(1, 0)
    else:
        view = front.pane.tree
        index = view.currentIndex()
    view.setCurrentIndex(index)
    view.scrollTo(index)
    rect = view.visualRect(index)
    whole = QRect(0, rect.top(), view.viewport().width(), rect.height())
    return view, whole.translated(view.viewport().mapTo(front, QPoint()))


def outline(pixels: Pixels, row: QRect, theme: Theme) -> tuple[float, float]:
    """The width in pixels of the line along the upper edge of a row, and its contrast to what is on both sides."""
    x = row.center().x() * SCALE
    line = pixels[(row.top() - 1) * SCALE : (row.top() + 6) * SCALE, x]
    colors = [QColor(*map(int, color)).name() for color in line]
    grounds = [theme.window, theme.selection]
    inside = [color for color in colors if color not in grounds]
    if not inside:
        return 0.0, 1.0
    strongest = Counter(inside).most_common(1)[0][0]
    return len(inside) / SCALE, min(ratio(strongest, ground) for ground in grounds)


def settled_outline(front: QWidget, scene: str, theme: Theme) -> tuple[float, float]:
    """The outline of the selected row, once there is one: the library may still be reading."""
    found: list[tuple[float, float]] = []

    def is_there() -> bool:
        found.append(outline(picture(front), selected_row(front, scene)[1], theme))
        return found[-1][0] > 0

    wait_until(is_there)
    return found[-1]


@pytest.mark.parametrize("direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft])
@themes
def test_a_selected_row_is_seen_without_the_keyboard(
    stage: Stage, qapp: QApplication, theme: Theme, direction: Qt.LayoutDirection
) -> None:
    """Outlined with 3:1, thinner than where the keyboard is: seen without any difference of colours."""
    apply_theme(qapp, theme)
    qapp.setLayoutDirection(direction)
    try:
        for scene in ("entry", "library", "timeline"):
            front = stage.show(scene)
            view, _row = selected_row(front, scene)
            front.activateWindow()
            view.setFocus()
            wait_until(view.hasFocus)
            strong, strong_contrast = settled_outline(front, scene, theme)
            view.clearFocus()
            QApplication.processEvents()
            thin, thin_contrast = settled_outline(front, scene, theme)
            assert strong_contrast >= MARK, scene
            assert thin_contrast >= MARK, scene
            assert 0.9 <= thin <= 1.4, scene
            assert 1.9 <= strong <= 2.4, scene
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        apply_theme(qapp, LIGHT)
