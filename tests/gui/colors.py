"""Contrast measured in pictures of widgets, as WCAG 2.2 defines it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPoint, QRect
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QComboBox,
    QGroupBox,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QTreeView,
    QWidget,
)

SCALE = 3
"""Strokes of letters are thinner than a pixel on a plain screen: at this scale they show their colour."""

_SHARES = np.arange(256) / 255
_LINEAR = np.where(_SHARES <= 0.04045, _SHARES / 12.92, ((_SHARES + 0.055) / 1.055) ** 2.4).astype(np.float32)
_WEIGHTS = np.array([0.2126, 0.7152, 0.0722], np.float32)

Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of text that is shown: what it is, and where in its window."""

    name: str
    rect: QRect


def ratio(one: str | QColor, other: str | QColor) -> float:
    """Return the contrast of two colours, 1 to 21."""
    first, second = sorted((_luminance(QColor(one)), _luminance(QColor(other))), reverse=True)
    return (first + 0.05) / (second + 0.05)


def picture(widget: QWidget) -> Pixels:
    """Return a picture of `widget` at SCALE: rows, columns, and red, green, blue."""
    image = QImage(widget.size() * SCALE, QImage.Format.Format_RGB888)
    image.setDevicePixelRatio(SCALE)
    widget.render(image, QPoint())
    flat = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return flat[:, : image.width() * 3].reshape(image.height(), image.width(), 3).copy()


def contrast(pixels: Pixels, rect: QRect) -> float | None:
    """Return the contrast of what is written in `rect` (in pixels of the widget); None where nothing is."""
    rows = slice(max(0, rect.top()) * SCALE, (rect.bottom() + 1) * SCALE)
    columns = slice(max(0, rect.left()) * SCALE, (rect.right() + 1) * SCALE)
    part = pixels[rows, columns].reshape(-1, 3)
    if not len(part):
        return None
    codes = part[::SCALE].astype(np.uint32) @ np.array([65536, 256, 1], np.uint32)
    found, counts = np.unique(codes, return_counts=True)
    ground = _luminance(QColor.fromRgb(int(found[counts.argmax()])))
    light = _LINEAR[part] @ _WEIGHTS
    if float(light.max() - light.min()) < 1e-4:
        return None
    return max((float(light.max()) + 0.05) / (ground + 0.05), (ground + 0.05) / (float(light.min()) + 0.05))


def texts(front: QWidget) -> Iterator[Text]:
    """Yield the texts of a window that can be seen and used. What is switched off is exempt."""
    for widget in front.findChildren(QWidget):
        if not widget.isVisible() or widget.window() is not front or not widget.isEnabled():
            continue
        visible = widget.visibleRegion().boundingRect()
        if visible.width() < 4 or visible.height() < widget.fontMetrics().height() // 2:
            continue
        corner = widget.mapTo(front, QPoint())
        for name, rect in _parts(widget):
            shown = rect & visible
            is_high = shown.width() >= 6 and shown.height() > widget.fontMetrics().height() * 0.7
            if is_high and _is_in_front(widget, shown.translated(corner), front):
                yield Text(f"{type(widget).__name__} {widget.objectName()} {name!r}", shown.translated(corner))


def _is_in_front(widget: QWidget, rect: QRect, front: QWidget) -> bool:
    """Whether nothing, as the command palette, lies over a text."""
    middle = rect.center().y()
    found = (front.childAt(QPoint(x, middle)) for x in (rect.left() + 1, rect.center().x(), rect.right() - 1))
    return all(child is widget or (child is not None and widget.isAncestorOf(child)) for child in found)


def _parts(widget: QWidget) -> Iterator[tuple[str, QRect]]:
    inner = widget.rect().adjusted(4, 3, -4, -3)
    if isinstance(widget, QLabel):
        if widget.text().strip():
            yield widget.text()[:40], widget.contentsRect().adjusted(4 if widget.property("notice") else 0, 0, 0, 0)
    elif isinstance(widget, QAbstractButton):
        if widget.text():
            yield widget.text(), inner
    elif isinstance(widget, QComboBox | QGroupBox):
        yield widget.accessibleName(), inner
    elif isinstance(widget, QLineEdit):
        if widget.text() or widget.placeholderText():
            yield widget.text() or widget.placeholderText(), inner
    elif isinstance(widget, QPlainTextEdit | QTextEdit):
        if widget.toPlainText() or widget.placeholderText():
            yield widget.accessibleName(), inner
    elif isinstance(widget, QTabBar):
        for tab in range(widget.count()):
            if widget.isTabVisible(tab):
                yield widget.tabText(tab), widget.tabRect(tab).adjusted(3, 3, -3, -4)
    elif isinstance(widget, QMenuBar):
        for action in widget.actions():
            yield action.text(), widget.actionGeometry(action)
    elif isinstance(widget, QMenu):
        for action in widget.actions():
            if action.text() and action.isEnabled():
                yield action.text(), widget.actionGeometry(action).adjusted(6, 2, -6, -2)
    elif isinstance(widget, QHeaderView):
        return
    elif isinstance(parent := widget.parent(), QAbstractItemView) and widget is parent.viewport():
        yield from _cells(parent)


def _cells(view: QAbstractItemView) -> Iterator[tuple[str, QRect]]:
    """The cells in sight of a list, table or tree; of a tree the first column after its lines and marks."""
    height = view.viewport().height()
    y = 2
    while y < height:
        index = view.indexAt(QPoint(view.viewport().width() // 2, y))
        if not index.isValid():
            return
        rect = view.visualRect(index)
        name = f"{view.accessibleName()} row {index.row()}"
        if isinstance(view, QTreeView):
            rect = view.visualRect(index.siblingAtColumn(0))
        if rect.height() <= 0:
            return
        if index.data() and rect.top() >= 0 and rect.bottom() < height:
            yield name, rect.adjusted(2, 2, -2, -2)
        y = rect.bottom() + 2


def _luminance(color: QColor) -> float:
    return float(_LINEAR[[color.red(), color.green(), color.blue()]] @ _WEIGHTS)
