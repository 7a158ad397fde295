"""A question that is answered with a line of text: a name, a label, an id."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QWidget

from gui.dialog_size import resize_to_font

WIDTH = 56  # characters: a name is seen whole


def ask_for_text(
    parent: QWidget, title: str, question: str, then: Callable[[str], object], text: str = ""
) -> QInputDialog:
    """Ask `question` with `text` as the answer to change; `then` gets the answer, when there is one."""
    dialog = QInputDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setLabelText(question)
    dialog.setTextValue(text)
    dialog.textValueSelected.connect(then)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    resize_to_font(dialog, WIDTH)
    dialog.open()
    return dialog
