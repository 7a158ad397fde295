"""How large a dialog is at first: in units of its font, and never larger than the window that it belongs to."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDialog, QWidget

MARGIN = 30  # pixels of the window that are seen beside a dialog


def resize_to_font(dialog: QDialog, characters: int, lines: int | None = None, *, least_width: int = 0) -> None:
    """Make a dialog so wide, and as high as `lines`; without a number as high as its contents in that width.

    `least_width`, in pixels, is for what a layout does not ask for by itself.
    """
    room, metrics = room_for(dialog), dialog.fontMetrics()
    wanted = max(characters * metrics.averageCharWidth(), dialog.minimumSizeHint().width(), least_width)
    width = min(wanted, room.width())
    height = height_of_contents(dialog, width) if lines is None else lines * metrics.height()
    dialog.resize(width, min(height, room.height()))


def height_of_contents(widget: QWidget, width: int) -> int:
    """Return how high the layout of a widget is in a width: a size hint knows nothing of texts that wrap."""
    layout = widget.layout()
    if layout is None:
        return widget.sizeHint().height()
    layout.activate()
    height = layout.totalHeightForWidth(width) if layout.hasHeightForWidth() else layout.totalSizeHint().height()
    return max(height, widget.minimumSizeHint().height())


def room_for(dialog: QWidget) -> QSize:
    """Return how large a dialog may be: within its window, or on the screen when it belongs to none."""
    owner = dialog.parentWidget()
    space = owner.window().size() if owner is not None else dialog.screen().availableSize()
    return space - QSize(MARGIN, MARGIN)
