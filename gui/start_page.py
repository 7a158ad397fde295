"""What the window shows before a session is open: how to open one, and the recent ones."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gui.selected_rows import outline_selected_rows
from gui.widgets import label

LEAST_RECENT = 6  # lines of the list


class _Recent(QListWidget):
    """A list that takes the height that is left."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.fontMetrics().height() * LEAST_RECENT)


class StartPage(QWidget):
    """Signals: `open_wanted`, `demo_wanted`, `recent_chosen` (path as text)."""

    open_wanted = Signal()
    demo_wanted = Signal()
    recent_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = label(self.tr("Open a session"), style="title")
        text = label(
            self.tr(
                "Branchwork shows the branches of a coding-agent session. Opening a file changes nothing in it. "
                "You can also drop a .jsonl file on this window."
            ),
            style="muted",
            wrap=True,
        )
        open_button = QPushButton(self.tr("Open…"))
        open_button.setProperty("primary", True)
        open_button.setDefault(True)
        open_button.clicked.connect(self.open_wanted)
        demo_button = QPushButton(self.tr("Look at the demo"))
        demo_button.setToolTip(self.tr("Open a copy of a bundled real session in a temporary folder"))
        demo_button.clicked.connect(self.demo_wanted)
        buttons = QHBoxLayout()
        buttons.addWidget(open_button)
        buttons.addWidget(demo_button)
        buttons.addStretch(1)
        self._caption = label(self.tr("Recent"), style="caption")
        self.recent = _Recent()
        outline_selected_rows(self.recent)
        self.recent.setAccessibleName(self.tr("Recent sessions"))
        self.recent.setFrameShape(QListWidget.Shape.NoFrame)
        self.recent.setSpacing(4)
        self.recent.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.recent.itemActivated.connect(lambda item: self.recent_chosen.emit(item.data(Qt.ItemDataRole.UserRole)))

        column = QWidget()
        column.setMaximumWidth(620)
        inner = QVBoxLayout(column)
        inner.setSpacing(12)
        inner.addStretch(1)
        inner.addWidget(title)
        inner.addWidget(text)
        inner.addLayout(buttons)
        inner.addSpacing(12)
        inner.addWidget(self._caption)
        inner.addWidget(self.recent, 3)
        inner.addStretch(1)
        body = QWidget()
        middle = QHBoxLayout(body)
        middle.addStretch(1)
        middle.addWidget(column, 4)
        middle.addStretch(1)
        scroll = QScrollArea()  # large letters in a small window
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidgetResizable(True)
        scroll.setWidget(body)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)

    def show_recent(self, paths: list[Path]) -> None:
        """List recent files, newest first; those that are gone are left out."""
        self.recent.clear()
        for path in paths:
            item = QListWidgetItem(f"{path.name}\n{path.parent}")
            item.setData(Qt.ItemDataRole.UserRole, str(path))
            item.setToolTip(str(path))
            self.recent.addItem(item)
        height = self.recent.sizeHintForRow(0)
        for row in range(self.recent.count()):
            self.recent.item(row).setSizeHint(QSize(0, height))  # as wide as the list: a long name is elided
        for widget in (self._caption, self.recent):
            widget.setVisible(bool(paths))
