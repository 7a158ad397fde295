"""The *Context* tab: exactly what the model would see with the leaf at the selected entry."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QSize, Qt, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QPushButton, QTableView, QVBoxLayout, QWidget

from gui.inspector.context_table import (
    MARK,
    ROLE,
    SUM,
    TEXT,
    TOKENS,
    ContextTable,
    TableRow,
    mark_name,
    role_name,
    share_text,
)
from gui.inspector.parts import Parts
from gui.inspector.tab_scroll import TabScroll
from gui.number_text import full_count
from gui.selected_rows import outline_selected_rows
from gui.stretched_column import StretchedColumn
from gui.widgets import Facts, TextView, label, laid_out_once
from model.context_listing import ListedMessage, Mark, RecordedSize
from services.turn_requests import TurnOutline

ROW_HEIGHT = 1.6  # of the font
ICON_SIZE = 1.1
LEAST_TEXT = 12  # of the average character


@dataclass(frozen=True, slots=True)
class ContextView:
    """The context at an entry. `window` is the model's context window in tokens, None when it is not known; `images`
    are not part of an exact count; `notes` are sentences about what is not exact.
    """

    rows: tuple[TableRow, ...]
    estimate: int
    recorded: RecordedSize | None
    calibrated: int | None
    images: int
    left_out: int
    model: str
    thinking_level: str
    window: int | None = None
    notes: tuple[str, ...] = ()
    count: int = 0
    """How many of the messages are sent."""
    marks: frozenset[Mark] = frozenset()
    """The marks that any message has."""
    turn: TurnOutline | None = None
    """What a prompt from here would be sent with."""


class _Messages(QTableView):
    """Signal: `resized` when it has another width."""

    resized = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.resized.emit()


class ContextTab(QWidget):
    """Signals: `entry_wanted` (entry id) when a message is activated; `message_wanted` (its number, -1 for none) when
    another one is to be read; `count_wanted` and `count_stopped` for the exact count; `left` when nobody sees the tab.
    """

    entry_wanted = Signal(str)
    message_wanted = Signal(int)
    count_wanted = Signal()
    count_stopped = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._body = QWidget()
        scroll = TabScroll(self._body, self)
        self._title = label(style="title", wrap=True)
        self._facts = label(style="muted", wrap=True)
        self.turn = label(style="muted", wrap=True)
        self._notes = label(style="muted", wrap=True)
        self._is_counting = False
        self._marks: frozenset[Mark] = frozenset()
        names = {
            "recorded": self.tr("Recorded usage"),
            "estimate": self.tr("The agents' estimate (decides the cut)"),
            "calibrated": self.tr("Calibrated estimate"),
            "exact": self.tr("Exact count"),
        }
        self.sizes = Facts(names, self._body)
        self.count = QPushButton(self.tr("Count exactly"), self._body)
        self.count.setProperty("link", True)
        self.count.setToolTip(
            self.tr("Count the tokens of all texts with the tokenizer o200k_base, in another process")
        )
        self.count.clicked.connect(self._count)
        self.model = ContextTable(self)
        self.table = _Messages()
        outline_selected_rows(self.table)
        self._set_up_table()
        self.text = TextView()
        self.text.setAccessibleName(self.tr("Text of the message"))
        self.text.setPlaceholderText(
            self.tr("Select a message to read it as the model gets it. Enter goes to its entry.")
        )
        parts = Parts(self._body)
        parts.add(self.table, least_lines=10, share=3)
        parts.add(self.text, least_lines=5, share=2)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        layout = QVBoxLayout(self._body)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.addWidget(self._title)
        layout.addWidget(self._facts)
        layout.addWidget(self.turn)
        layout.addWidget(self.sizes)
        layout.addWidget(self.count, 0, Qt.AlignmentFlag.AlignLeading)
        layout.addWidget(self._notes)
        layout.addWidget(parts, 1)
        self.show_context(None)

    def show_context(self, context: ContextView | None) -> None:
        """Show a context, or that there is none to show. A message that is being read stays, if it is in there too."""
        number, scrolled = self.table.currentIndex().row(), self.table.verticalScrollBar().value()
        stays = context is not None and self._holds_message(context, number)
        if not stays:
            self.text.show_text("")
        with laid_out_once(self._body):
            self.sizes.setVisible(context is not None)
            self.count.setVisible(context is not None)
            self._notes.setVisible(False)
            self.turn.setVisible(context is not None and context.turn is not None)
        if context is None:
            self._title.setText(self.tr("No context"))
            self._facts.setText(self.tr("Select an entry to see what the model would be sent there."))
            self.model.show((), None)
            return
        count = context.count
        self._title.setText(
            self.tr("The agent would send 1 message")
            if count == 1
            else self.tr("The agent would send {0} messages").format(full_count(count))
        )
        parts = [context.model, self.tr("thinking {0}").format(context.thinking_level)]
        if context.window:
            parts.append(self.tr("window {0}").format(full_count(context.window)))
        self._facts.setText(" · ".join(filter(None, parts)))
        if context.turn is not None:
            self.turn.setText(self._turn_text(context.turn))
        self._show_sizes(context)
        self.show_count("", is_possible=True)
        notes = list(context.notes)
        if context.left_out:
            notes.append(self.tr("Left out by context edits: {0}.").format(full_count(context.left_out)))
        if context.images:
            notes.append(self.tr("Images that an exact count leaves out: {0}.").format(full_count(context.images)))
        self._notes.setText("\n".join(notes))
        self._notes.setVisible(bool(notes))
        self.model.show(context.rows, context.window)
        self._marks = context.marks
        roles = {role_name(row.message.role) for row in context.rows}
        widest = max(map(self.fontMetrics().horizontalAdvance, roles), default=0)
        self.table.setColumnWidth(ROLE, widest + self.fontMetrics().height())
        self._fit_columns()
        if stays:
            self.table.setCurrentIndex(self.model.index(number, ROLE))
            self.table.verticalScrollBar().setValue(scrolled)

    def _holds_message(self, context: ContextView, number: int) -> bool:
        """Whether a context has the same message at a place as the one that is shown."""
        shown = self.message(number)
        other = context.rows[number].message if 0 <= number < len(context.rows) else None
        return shown is not None and other is not None and shown.entry_id == other.entry_id and shown.sent == other.sent

    def show_waiting(self) -> None:
        """Say that a context is being built."""
        self._title.setText(self.tr("Building the context…"))

    def show_failure(self, sentence: str) -> None:
        """Say why there is no context."""
        self.show_context(None)
        self._facts.setText(sentence)

    def show_message(self, text: str) -> None:
        """Show the text of the message that was asked for."""
        self.text.show_text(text)

    def show_count(self, value: str, *, is_possible: bool, is_counting: bool = False) -> None:
        """Show the exact count, or what is known of it; `is_possible`: it can be asked for."""
        self._is_counting = is_counting
        self.sizes.set_fact(
            "exact",
            value or self.tr("not counted"),
            self.tr("The texts of all messages by the tokenizer o200k_base; images are not in it."),
        )
        self.count.setText(self.tr("Stop counting") if is_counting else self.tr("Count exactly"))
        self.count.setEnabled(is_possible)

    def _turn_text(self, turn: TurnOutline) -> str:
        """What Send would send from here, and how that differs from what the agent would send."""
        sentences = [
            self.tr("Send from here sends 1 message: your prompt.")
            if turn.messages == 1
            else self.tr("Send from here sends {0} messages, your prompt among them.").format(full_count(turn.messages))
        ]
        if turn.tool_calls or turn.tool_results:
            sentences.append(
                self.tr(
                    "No tools are offered: calls are left out ({0}), what they returned becomes text ({1})."
                ).format(full_count(turn.tool_calls), full_count(turn.tool_results))
            )
        if turn.system_messages:
            sentences.append(self.tr("System messages become the system prompt."))
        if turn.joined:
            sentences.append(self.tr("Messages of one side in a row become one."))
        return " ".join(sentences)

    def _show_sizes(self, context: ContextView) -> None:
        def size(tokens: int, note: str = "") -> str:
            share = share_text(tokens, context.window) if context.window else ""
            return " · ".join(filter(None, (full_count(tokens), share, note)))

        recorded = context.recorded
        if recorded is None:
            value = self.tr("nothing recorded yet")
        else:
            upto = (
                ""
                if recorded.sent == context.count
                else self.tr("at message {0} of {1}").format(full_count(recorded.sent), full_count(context.count))
            )
            value = size(recorded.tokens, upto)
        self.sizes.set_fact(
            "recorded",
            value,
            self.tr("What the provider measured for the latest answer since the last compaction or context edit."),
        )
        self.sizes.set_fact(
            "estimate",
            size(context.estimate),
            self.tr("A quarter of the characters. The agents decide by it where to cut."),
        )
        self.sizes.set_fact(
            "calibrated",
            self.tr("nothing recorded yet") if context.calibrated is None else size(context.calibrated),
            self.tr(
                "The recorded usage, and for what came after it the estimate, scaled as the recorded numbers show."
            ),
        )

    def _set_up_table(self) -> None:
        table, metrics = self.table, self.fontMetrics()
        table.setModel(self.model)
        table.setAccessibleName(self.tr("Messages of the context"))
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        side = round(metrics.height() * ICON_SIZE)
        table.setIconSize(QSize(side, side))
        table.verticalHeader().hide()
        table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        table.verticalHeader().setDefaultSectionSize(round(metrics.height() * ROW_HEIGHT))
        header = table.horizontalHeader()
        StretchedColumn(table, TEXT)
        header.setHighlightSections(False)
        for column in (TOKENS, SUM):
            header.resizeSection(column, metrics.horizontalAdvance("999.9k") + metrics.height())
        self._sum_width = header.sectionSize(SUM)
        table.resized.connect(self._fit_columns)
        table.selectionModel().currentRowChanged.connect(self._want_message)
        table.activated.connect(self._want_entry)

    def _fit_columns(self) -> None:
        """Where the texts would get too little room, marks are icons alone, and then there is no sum."""
        table, metrics = self.table, self.fontMetrics()
        words = max((metrics.horizontalAdvance(mark_name(mark)) for mark in self._marks), default=0)
        icons = table.iconSize().width() + metrics.height() // 2
        least = metrics.averageCharWidth() * LEAST_TEXT
        header = table.horizontalHeader()
        room = table.viewport().width() - header.sectionSize(ROLE) - header.sectionSize(TOKENS)
        sums = header.sectionSize(SUM) or self._sum_width
        words += metrics.height() // 2  # around them
        self.model.marks_in_words = room - sums - icons - words >= least
        marks = icons + (words if self.model.marks_in_words else 0) if self._marks else 0
        table.setColumnHidden(MARK, not self._marks)
        table.setColumnWidth(MARK, max(marks, header.sectionSizeHint(MARK)) if marks else 0)
        table.setColumnHidden(SUM, room - sums - marks < least)

    def message(self, number: int) -> ListedMessage | None:
        """Return a message that is shown."""
        return self.model.rows[number].message if 0 <= number < len(self.model.rows) else None

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self.left.emit()

    def _count(self) -> None:
        if self._is_counting:
            self.count_stopped.emit()
        else:
            self.count_wanted.emit()

    def _want_message(self, current: QModelIndex, _previous: QModelIndex) -> None:
        self.message_wanted.emit(current.row())

    def _want_entry(self, index: QModelIndex) -> None:
        message = self.message(index.row())
        if message is not None and message.entry_id is not None:
            self.entry_wanted.emit(message.entry_id)
