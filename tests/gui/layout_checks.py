"""What is wrong with the layout of a window, whatever its fonts: clipped text, parts outside or over each other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractScrollArea,
    QComboBox,
    QDialog,
    QHeaderView,
    QLabel,
    QLayout,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QScrollArea,
    QSplitterHandle,
    QTabBar,
    QWidget,
)

SLACK = 1  # pixels, for rounding at fractional scales
ELLIPSIS = "…"
TOOL_BAR_REST = "qt_toolbar_ext_button"


def faults(front: QWidget) -> list[str]:
    """Return what a careful eye would find wrong in a window that is shown."""
    found = [*_too_large(front), *_shared_letters(front)]
    for widget in front.findChildren(QWidget):
        if widget.isVisible() and widget.window() is front and _is_looked_at(widget):
            found += [f"{_name(widget)}: {fault}" for fault in _faults_of(widget)]
    return found


def _is_looked_at(widget: QWidget) -> bool:
    return widget.objectName() == TOOL_BAR_REST or not widget.objectName().startswith("qt_")


def _too_large(front: QWidget) -> Iterator[str]:
    owner = front.parentWidget()
    if owner is not None and isinstance(front, QDialog):
        room = owner.window().size()
        if front.width() > room.width() or front.height() > room.height():
            yield f"{front.width()}x{front.height()} is larger than its window, {room.width()}x{room.height()}"


def _shared_letters(front: QWidget) -> Iterator[str]:
    """A letter does one thing in a dialog or menu."""
    parts: dict[str, list[str]] = {}
    for text in _texts_with_letters(front):
        for letter in re.findall(r"(?<!&)&([^&\s])", text)[:1]:
            parts.setdefault(letter.casefold(), []).append(text)
    yield from (f"Alt+{letter} is shared by {texts}" for letter, texts in parts.items() if len(texts) > 1)


def _texts_with_letters(front: QWidget) -> Iterator[str]:
    if isinstance(front, QMenu):
        yield from (action.text() for action in front.actions() if action.isVisible())
    elif isinstance(front, QDialog):
        for widget in front.findChildren(QWidget):
            if not widget.isVisible() or widget.window() is not front:
                continue
            if isinstance(widget, QAbstractButton) or (isinstance(widget, QLabel) and widget.buddy() is not None):
                yield widget.text()


def _faults_of(widget: QWidget) -> Iterator[str]:
    yield from _clipped(widget)
    yield from _outside(widget)
    yield from _blurred(widget)
    layout = widget.layout()
    if isinstance(layout, QLayout):
        yield from _overlapping(layout)


def _clipped(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QLabel):
        if not widget.text().strip():
            return
        if widget.wordWrap():
            yield from _too_low(widget)
            words = re.split(r"[\s\u200b/-]", widget.text())
            widest = max(words, key=widget.fontMetrics().horizontalAdvance)
            if widget.fontMetrics().horizontalAdvance(widest) > widget.contentsRect().width() + SLACK:
                yield f"clips {widest!r}"
        else:
            yield from _too_small(widget, widget.minimumSizeHint())
    elif isinstance(widget, QComboBox):
        if widget.minimumSizeHint().height() > widget.height() + SLACK:
            yield "is not high enough"
    elif isinstance(widget, QAbstractButton):
        if widget.text():
            yield from _too_small(widget, widget.minimumSizeHint())
            if widget.hasHeightForWidth():
                yield from _too_low(widget)
    elif isinstance(widget, QLineEdit):
        if widget.minimumSizeHint().height() > widget.height() + SLACK:
            yield "is not high enough"
        shown = "" if widget.text() else widget.placeholderText()
        if widget.fontMetrics().horizontalAdvance(shown) > widget.width() - 8:
            yield f"clips its hint {widget.placeholderText()!r}"
    elif isinstance(widget, QPlainTextEdit):
        if widget.viewport().height() < widget.fontMetrics().height():
            yield "shows less than a line"
        if widget.hasHeightForWidth():
            yield from _too_low(widget)
    elif isinstance(widget, QHeaderView):
        yield from _clipped_headers(widget)
    elif isinstance(widget, QTabBar):
        for tab in range(widget.count()):
            if widget.isTabVisible(tab) and not widget.rect().contains(widget.tabRect(tab)):
                yield f"has its tab {widget.tabText(tab) or tab!r} outside"
            needed = widget.fontMetrics().horizontalAdvance(widget.tabText(tab).replace("&", ""))
            if (
                widget.isTabVisible(tab)
                and needed > widget.tabRect(tab).width()
                and ELLIPSIS not in widget.tabText(tab)
            ):
                yield f"clips its tab {widget.tabText(tab)!r}"


def _clipped_headers(header: QHeaderView) -> Iterator[str]:
    model = header.model()
    if header.orientation() != Qt.Orientation.Horizontal or model is None:
        return
    for section in range(header.count()):
        text = str(model.headerData(section, header.orientation()) or "")
        needed, has = header.sectionSizeHint(section), header.sectionSize(section)
        if text and not header.isSectionHidden(section) and needed > has + SLACK:
            yield f"clips its header {text!r}: needs {needed}, has {has}"


def _too_low(widget: QWidget) -> Iterator[str]:
    needed = widget.heightForWidth(widget.width())
    if needed > widget.height() + SLACK:
        yield f"needs a height of {needed}, has {widget.height()}"


def _too_small(widget: QWidget, needed: QSize) -> Iterator[str]:
    if needed.width() > widget.width() + SLACK or needed.height() > widget.height() + SLACK:
        yield f"needs {needed.width()}x{needed.height()}, has {widget.width()}x{widget.height()}"


def _outside(widget: QWidget) -> Iterator[str]:
    parent = widget.parentWidget()
    if parent is None or widget.isWindow() or isinstance(widget, QSplitterHandle):
        return
    if isinstance(parent, QTabBar) and parent.usesScrollButtons():
        return  # belongs to a tab that is scrolled to
    area = parent.parentWidget()
    if isinstance(area, QAbstractScrollArea) and parent is area.viewport():
        if isinstance(area, QScrollArea) and widget.width() > parent.width() + SLACK:
            yield f"is wider ({widget.width()}) than what it scrolls in ({parent.width()})"
        return
    allowed = parent.rect().adjusted(-SLACK, -SLACK, SLACK, SLACK)
    if not allowed.contains(widget.geometry()):
        yield f"{_text(widget.geometry())} is outside {_text(parent.rect())} of {_name(parent)}"


def _overlapping(layout: QLayout) -> Iterator[str]:
    shown = []
    for number in range(layout.count()):
        item = layout.itemAt(number)
        if item is not None and (part := item.widget()) is not None and part.isVisible():
            shown.append(part)
    for one, other in combinations(shown, 2):
        common = one.geometry() & other.geometry()
        if common.width() > SLACK and common.height() > SLACK and not _are_stacked(one, other):
            yield f"{_name(one)} and {_name(other)} overlap by {common.width()}x{common.height()}"


def _are_stacked(one: QWidget, other: QWidget) -> bool:
    return one.geometry() == other.geometry()


def _blurred(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QAbstractButton) and not widget.icon().isNull():
        ratio = widget.devicePixelRatioF()
        pixmap = widget.icon().pixmap(widget.iconSize(), ratio)
        if abs(pixmap.width() - widget.iconSize().width() * ratio) > SLACK:
            yield f"has an icon of {pixmap.width()} pixels at a scale of {ratio}"


def _name(widget: QWidget) -> str:
    text = getattr(widget, "text", None)
    shown = text() if callable(text) else widget.accessibleName()
    return f"{type(widget).__name__} {widget.objectName()} {str(shown)[:50]!r}"


def _text(rect: QRect) -> str:
    return f"{rect.x()},{rect.y()} {rect.width()}x{rect.height()}"
