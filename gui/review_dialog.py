"""A finished summary is read, and changed if need be, before it is saved."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QTextOption
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from gui.dialog_size import resize_to_font, room_for
from gui.source_list import SourceList
from gui.summary_text import SummaryText
from gui.translation import shown
from gui.widgets import displayable, fixed_font, label, on_side
from services.operations import DraftSummary

LONGEST_LINE = 20_000  # characters; Qt lays out longer ones for seconds
STATE_CHARACTERS = 30  # of what is said beside the buttons
PREVIEW_DELAY_MS = 150


class ReviewDialog(QDialog):
    """`title_of` says who speaks in an entry and how it begins.

    Signals: `answered` (the text to save, or None to stop without saving), exactly once; `entry_wanted` (id) for one
    that the line of the cursor comes from.
    """

    answered = Signal(object)
    entry_wanted = Signal(str)

    def __init__(
        self, draft: DraftSummary, parent: QWidget | None = None, title_of: Callable[[str], str] = str
    ) -> None:
        super().__init__(parent)
        self._draft = draft
        self._answer: str | None = None
        self.setWindowTitle(self.tr("Read before it is saved"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = label(self.tr("The summary, before it is saved"), style="title", wrap=True)
        written_by = self.tr("Written by {0}. What you save becomes one entry at the end of the file.")
        about = label(written_by.format(shown(draft.summarizer.name)), style="muted", wrap=True)
        self.text = QPlainTextEdit()
        self.text.setFont(fixed_font())
        self.text.setAccessibleName(self.tr("Text of the summary"))
        self.text.setTabChangesFocus(True)
        option = self.text.document().defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.text.document().setDefaultTextOption(option)
        self.sections = SummaryText()
        self.sections.setAccessibleName(self.tr("Sections of the summary"))
        self.is_editable = all(len(line) <= LONGEST_LINE for line in draft.text.split("\n"))
        self.text.setPlainText(draft.text if self.is_editable else displayable(draft.text))
        self.text.setReadOnly(not self.is_editable)
        self.text.document().setModified(False)
        # By their texts: a line keeps its sources where other lines are added or taken away, and loses them when it is
        # changed.
        self._sources = {
            line: ids for line, ids in zip(draft.text.split("\n"), draft.line_sources, strict=False) if ids
        }
        self.sources = SourceList(title_of)
        self.sources.setVisible(bool(self._sources))
        self.sources.entry_wanted.connect(self.entry_wanted)
        self.text.cursorPositionChanged.connect(self._show_sources)
        self.save = QPushButton(self.tr("&Save"))
        self.save.setProperty("primary", True)
        self.save.setAutoDefault(False)
        self.save.setToolTip(self.tr("Ctrl+Enter"))
        self.save.clicked.connect(self.accept_text)
        self.discard = QPushButton(self.tr("&Discard"))
        self.discard.setAutoDefault(False)
        self.discard.clicked.connect(self.reject)
        self.restore = QPushButton(self.tr("Undo my changes"))
        self.restore.setAutoDefault(False)
        self.restore.clicked.connect(self._restore)
        self.state = label(style="muted", wrap=True)
        for keys in ("Ctrl+Return", "Ctrl+Enter"):
            QShortcut(QKeySequence(keys), self).activated.connect(self.accept_text)
        self._preview = QTimer(self)
        self._preview.setSingleShot(True)
        self._preview.setInterval(PREVIEW_DELAY_MS)
        self._preview.timeout.connect(self._show_sections)
        self.text.textChanged.connect(self._follow_text)
        self.finished.connect(lambda _result: self.answered.emit(self._answer))
        self._lay_out(title, about)
        self._show_sections()
        self._show_sources()
        self._follow_text()
        self._preview.stop()
        self.text.setFocus()

    def accept_text(self) -> None:
        """Save what is in the field."""
        if not self.save.isEnabled():
            return
        # What was not touched is saved as it came: a text field turns some characters into others.
        self._answer = self.text.toPlainText() if self.text.document().isModified() else self._draft.text
        self.accept()

    def _lay_out(self, title: QWidget, about: QWidget) -> None:
        sides = QSplitter(Qt.Orientation.Horizontal)
        sides.setChildrenCollapsible(False)
        for caption, widget in ((self.tr("TEXT"), self.text), (self.tr("SECTIONS"), self.sections)):
            side = QWidget()
            column = QVBoxLayout(side)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(6)
            column.addWidget(label(caption, style="caption"))
            column.addWidget(widget, 1)
            if widget is self.text:
                column.addWidget(self.sources)
            sides.addWidget(side)
        sides.setSizes([3, 2])
        sides.setStretchFactor(0, 3)
        sides.setStretchFactor(1, 2)
        sides.setHandleWidth(14)
        buttons = QHBoxLayout()
        buttons.addWidget(self.save)
        buttons.addWidget(self.restore)
        buttons.addWidget(self.state, 1)
        hint = label(self.tr("Esc stops · nothing has been written yet"), style="muted", wrap=True)
        hint.setAlignment(on_side(Qt.AlignmentFlag.AlignRight))
        shown = (self.save, self.restore, self.discard)
        taken = sum(button.sizeHint().width() for button in shown)
        taken += STATE_CHARACTERS * self.fontMetrics().averageCharWidth()
        is_narrow = taken + hint.fontMetrics().horizontalAdvance(hint.text()) > room_for(self).width()
        if not is_narrow:
            hint.setWordWrap(False)
            hint.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
            buttons.addWidget(hint)
        buttons.addWidget(self.discard)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 14)
        column.setSpacing(10)
        column.addWidget(title)
        column.addWidget(about)
        column.addWidget(sides, 1)
        if is_narrow:
            column.addWidget(hint)
        column.addLayout(buttons)
        resize_to_font(self, 150, 41)

    def _follow_text(self) -> None:
        is_empty = self.text.document().isEmpty() or not self.text.toPlainText().strip()
        is_changed = self.text.document().isModified()
        self.save.setEnabled(not is_empty)
        self.restore.setVisible(is_changed)
        if not self.is_editable:
            self.state.setText(self.tr("Too long a line to edit here; it is saved whole."))
        elif is_empty:
            self.state.setText(self.tr("An empty summary is not saved."))
        else:
            self.state.setText(self.tr("Changed by you") if is_changed else "")
        self._preview.start()
        self._show_sources()

    def _show_sections(self) -> None:
        self.sections.show_summary(self.text.toPlainText(), self._draft.short_summary)

    def _show_sources(self) -> None:
        if self._sources:
            self.sources.show_sources(self._sources.get(self.text.textCursor().block().text(), ()))

    def _restore(self) -> None:
        self.text.setPlainText(self._draft.text)
        self.text.document().setModified(False)
        self._follow_text()
        self.text.setFocus()
