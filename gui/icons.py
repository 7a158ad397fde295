"""Icons: one family of SVG strokes, recoloured, rendered sharp at any scale."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from gui.theme import current_theme


@lru_cache(maxsize=256)
def renderer(name: str, color: str) -> QSvgRenderer:
    """Return the renderer of icon `name` in `color` (`#rrggbb`). Raises FileNotFoundError for an unknown name."""
    svg = files("resources").joinpath("icons", f"{name}.svg").read_bytes()
    return QSvgRenderer(QByteArray(svg.replace(b"currentColor", color.encode())))


def icon_names() -> list[str]:
    """Return the names of all icons."""
    return sorted(file.name.removesuffix(".svg") for file in files("resources").joinpath("icons").iterdir())


def paint_icon(painter: QPainter, rect: QRectF, name: str, color: QColor) -> None:
    """Draw icon `name` into `rect`."""
    renderer(name, color.name()).render(painter, rect)


@lru_cache(maxsize=512)
def icon_pixmap(name: str, color: str, side: int, device_pixel_ratio: float) -> QPixmap:
    """Return icon `name` as a square of `side` pixels: rows show the same few icons over and over."""
    pixels = round(side * device_pixel_ratio)
    pixmap = QPixmap(pixels, pixels)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer(name, color).render(painter, QRectF(0, 0, pixels, pixels))
    painter.end()
    pixmap.setDevicePixelRatio(device_pixel_ratio)
    return pixmap


class _Engine(QIconEngine):
    """Draws an icon in the colour of the current theme, so that a change of theme needs no new icons."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name

    def paint(self, painter: QPainter, rect: object, mode: QIcon.Mode, state: QIcon.State) -> None:
        theme = current_theme()
        color = theme.muted if mode == QIcon.Mode.Disabled else theme.text
        paint_icon(painter, QRectF(rect), self._name, QColor(color))  # type: ignore[call-overload]

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        if size.isEmpty():
            return QPixmap()  # a button in a layout that is still moving has no room at all
        pixmap = QPixmap(size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRectF(0, 0, size.width(), size.height()), mode, state)
        painter.end()
        return pixmap

    def clone(self) -> QIconEngine:
        return _Engine(self._name)


def icon(name: str) -> QIcon:
    """Return icon `name` for buttons and menus."""
    return QIcon(_Engine(name))


def application_icon() -> QIcon:
    """Return the icon of the application's windows."""
    pixmap = QPixmap(128, 128)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer("app", "#000000").render(painter, QRectF(0, 0, 128, 128))
    painter.end()
    return QIcon(pixmap)
