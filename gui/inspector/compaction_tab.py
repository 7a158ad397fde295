"""The *Compaction* tab: the cut in numbers and words before it is made, and the summary as it comes."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QPlainTextEdit,
    QPushButton,
    QSizePolicy,
    QSlider,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from gui.choice_box import ChoiceBox
from gui.flow_layout import FlowLayout
from gui.inspector.file_list import FileList
from gui.inspector.prompt_parts import PROMPT_LINES, PromptParts, headed_prompt
from gui.inspector.running_footer import RunningFooter
from gui.inspector.stored_summary import StoredSummaryBox
from gui.inspector.summarizer_choice import SummarizerChoice
from gui.inspector.summary_stream import SummaryStream, shown_pass
from gui.inspector.tab_scroll import TabScroll
from gui.number_text import full_count, short_count
from gui.row_content import Group, entries_text, messages_text
from gui.side_by_side import SideBySide
from gui.theme import current_theme
from gui.turns import LaterTurns
from gui.widgets import FactName, Facts, TextView, breakable, label, laid_out_once, on_side, rule
from gui.wrapping_buttons import WrappingCheckBox
from model.cut_preview import GroupSize, PreviewedCut
from services.compaction_forecast import CompactionForecast
from services.operations import CompactionOptions, SummarizerInfo
from services.summarizers.offline import OFFLINE

MOST_TOKENS = 10_000_000


@dataclass(frozen=True, slots=True)
class PromptText:
    """A prompt that would be sent: the pass it belongs to, the message, and the system prompt that goes with it."""

    pass_name: str
    text: str
    system_prompt: str


@dataclass(frozen=True, slots=True)
class CompactionDetails:
    """What takes reading all bodies: files, prompts, and what is unusual."""

    read_files: tuple[str, ...]
    modified_files: tuple[str, ...]
    prompts: tuple[PromptText, ...]
    notices: tuple[str, ...]
    agent_note: str


class GroupBar(QWidget):
    """The three groups of a cut as parts of one bar, in the colours of the gutter."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cut: PreviewedCut | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_cut(self, cut: PreviewedCut | None) -> None:
        """Show the sizes of `cut`."""
        self._cut = cut
        if cut is not None:
            self.setAccessibleName(", ".join(f"{name} {size.tokens}" for name, size, _color in self._parts(cut)))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, round(self.fontMetrics().height() * 1.6))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(self.rect()), 5, 5)
        painter.setClipPath(shape)
        painter.fillRect(self.rect(), QColor(theme.raised))
        if self._cut is None:
            return
        parts = self._parts(self._cut)
        total = sum(size.tokens for _name, size, _color in parts)
        x = 0.0
        for name, size, color in parts:
            width = self.width() * size.tokens / total if total else 0.0
            start = self.width() - x - width if self.isRightToLeft() else x
            box = QRectF(start, 0, width, self.height())
            painter.fillRect(box, QColor(color))
            text = f"{name} {short_count(size.tokens)}"
            if self.fontMetrics().horizontalAdvance(text) + 10 < width:
                painter.setPen(QColor(theme.on_group))
                painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)
            x += width

    def _parts(self, cut: PreviewedCut) -> list[tuple[str, GroupSize, str]]:
        theme = current_theme()
        return [
            (self.tr("summary"), cut.summarized, theme.summarized),
            (self.tr("turn prefix"), cut.turn_prefix, theme.turn_prefix),
            (self.tr("kept"), cut.kept, theme.kept),
        ]


class _Swatch(QWidget):
    def __init__(self, group: Group, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._group = group
        side = self.fontMetrics().height() // 2 + 1
        self.setFixedSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = current_theme()
        colors = {Group.SUMMARIZED: theme.summarized, Group.TURN_PREFIX: theme.turn_prefix, Group.KEPT: theme.kept}
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colors[self._group]))
        painter.drawRoundedRect(self.rect(), 2, 2)


class CompactionTab(QWidget):
    """Signals: `keep_changed` (tokens) while the slider or the number moves; `imagined` (bool) when the leaf is to be
    imagined at the selected entry, or no longer; `compact_wanted` (CompactionOptions).
    """

    keep_changed = Signal(int)
    imagined = Signal(bool)
    compact_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._details: CompactionDetails | None = None
        self._later = LaterTurns(self)
        self._forecast: CompactionForecast | None = None
        self._body = QWidget()
        self.body_scroll = TabScroll(self._body, self)
        self._working = QWidget(self._body)
        self._before_run = QWidget(self._working)  # it makes room for what is written
        self._title = label(style="title", wrap=True)
        self._explanation = label(style="muted", wrap=True)
        self.imagine = WrappingCheckBox(self.tr("Imagine the leaf at the &selection"))
        self.imagine.setToolTip(self.tr("The preview follows the selected row, on any branch."))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setAccessibleName(self.tr("Tokens to keep"))
        self.keep = QSpinBox()
        self.keep.setRange(1, MOST_TOKENS)
        self.keep.setGroupSeparatorShown(True)
        self.keep.setSingleStep(500)
        self.keep.setKeyboardTracking(True)
        self.keep.setAccessibleName(self.tr("Tokens to keep"))
        keep_label = label(self.tr("Keep the last"), style="caption", wrap=True)
        keep_label.setBuddy(self.keep)
        self.kept_text = label(style="muted", wrap=True)
        self.bar = GroupBar(self._before_run)
        self._table = QWidget(self._before_run)
        table = QGridLayout(self._table)
        table.setContentsMargins(0, 0, 0, 0)
        table.setVerticalSpacing(5)
        names = {
            Group.SUMMARIZED: self.tr("Becomes the history summary"),
            Group.TURN_PREFIX: self.tr("Becomes the turn prefix summary"),
            Group.KEPT: self.tr("Kept word for word"),
        }
        self.group_entries = {group: FactName("", style="muted") for group in names}
        self.group_tokens = {group: label() for group in names}
        for line, (group, name) in enumerate(names.items()):
            self.group_tokens[group].setAlignment(on_side(Qt.AlignmentFlag.AlignRight))
            table.addWidget(_Swatch(group), line * 2, 0)
            table.addWidget(FactName(name), line * 2, 1)
            table.addWidget(self.group_entries[group], line * 2, 2)
            table.addWidget(self.group_tokens[group], line * 2, 3)
            table.addWidget(rule(), line * 2 + 1, 0, 1, 4)
        table.setColumnStretch(1, 1)
        sizes = {"context": self.tr("Context now → expected after"), "recorded": self.tr("Recorded usage")}
        self.facts = Facts(sizes, self._before_run)
        self.files = FileList()
        self.notices = label(style="notice", wrap=True)
        self.summarizer = SummarizerChoice()
        written_by = label(self.tr("Summary written by"), wrap=True)
        written_by.setBuddy(self.summarizer)
        self.instructions = QPlainTextEdit()
        self.instructions.setPlaceholderText(self.tr("What the summary should pay attention to (optional)"))
        self.instructions.setAccessibleName(self.tr("Instructions for the summary"))
        self.instructions.setTabChangesFocus(True)
        self.instructions.setMaximumHeight(self.fontMetrics().height() * 4)
        self.review = WrappingCheckBox(self.tr("&Read it before it is saved"))
        self.pass_choice = ChoiceBox()
        self.pass_choice.setAccessibleName(self.tr("Prompt of"))
        self.agent_note = label(style="muted", wrap=True)
        self._prompt_caption = label(self.tr("PROMPT"), style="caption")
        self.prompt = TextView(monospace=True)
        self.prompt.setMinimumHeight(self.fontMetrics().lineSpacing() * PROMPT_LINES)
        self.prompt_parts = PromptParts(self.prompt)
        self.stream = SummaryStream()
        self.compact = QPushButton(self.tr("Compact"))
        self.compact.setProperty("primary", True)
        self.copy = QPushButton(self.tr("Copy prompts"))
        self.footer = RunningFooter([self.compact, self.copy])

        self.imagine.toggled.connect(self.imagined)
        self.slider.valueChanged.connect(self._slide)
        self.keep.valueChanged.connect(self._type)
        self.summarizer.currentIndexChanged.connect(lambda: self.show_forecast(self._forecast))
        self.summarizer.currentIndexChanged.connect(self._show_reader)
        self.pass_choice.currentIndexChanged.connect(self._show_prompt)
        self.compact.clicked.connect(self.submit)
        self.copy.clicked.connect(self._copy_prompts)

        keep_name, keep_number = QVBoxLayout(), QHBoxLayout()
        keep_name.addWidget(keep_label)
        keep_number.addWidget(self.keep, 1)
        keep_number.addWidget(label(self.tr("tokens")))
        keep_row = SideBySide(keep_name, keep_number, gap=6, least_characters=8)
        prompt_row = FlowLayout()
        prompt_row.setSpacing(6)
        prompt_row.addWidget(self._prompt_caption)
        prompt_row.addWidget(self.pass_choice)
        writer_name, writer = QVBoxLayout(), QVBoxLayout()
        writer_name.addWidget(written_by)
        writer.addWidget(self.summarizer)
        writer_row = SideBySide(writer_name, writer, share=0.6, gap=6)
        column = self._column = QVBoxLayout(self._body)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(9)
        column.addWidget(self._title)
        column.addWidget(self._explanation)
        column.addWidget(self.imagine)
        work, stage = QVBoxLayout(self._before_run), QVBoxLayout(self._working)
        for part in (work, stage):
            part.setContentsMargins(0, 0, 0, 0)
            part.setSpacing(9)
        work.addLayout(keep_row)
        work.addWidget(self.slider)
        work.addWidget(self.kept_text)
        work.addWidget(self.bar)
        work.addWidget(self._table)
        work.addWidget(self.facts)
        work.addWidget(self.files)
        work.addWidget(self.notices)
        work.addWidget(self.agent_note)
        work.addLayout(writer_row)
        work.addWidget(self.instructions)
        work.addWidget(self.review)
        work.addLayout(prompt_row)
        work.addWidget(self.prompt_parts.note)
        work.addWidget(self.prompt_parts, 0, Qt.AlignmentFlag.AlignLeading)
        work.addWidget(self.prompt, 100)
        work.addStretch(1)
        stage.addWidget(self._before_run, 100)
        stage.addWidget(self.stream.caption)
        stage.addWidget(self.stream, 100)
        self.stored = StoredSummaryBox(self._body)
        column.addWidget(self._working, 100)
        column.addWidget(self.stored)
        column.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.body_scroll, 1)
        outer.addWidget(self.footer)
        self.show_running(False)
        self.show_nothing(self.tr("Nothing to compact"), self.tr("Open a session first."))

    def show_summarizers(self, summarizers: list[SummarizerInfo]) -> None:
        """Offer `summarizers`; the first one is chosen unless the user chose another one."""
        self.summarizer.offer(summarizers)

    def show_nothing(self, title: str, explanation: str) -> None:
        """Say why there is nothing to compact."""
        self._title.setText(title)
        self._explanation.setText(explanation)
        self._working.hide()
        self._column.setStretchFactor(self.stored, 100)  # there is nothing else to read
        self.compact.setEnabled(False)
        self.copy.setEnabled(False)

    def show_range(self, keep: int, most: int) -> None:
        """Offer to keep up to `most` tokens, the window's size, and start with `keep`."""
        with QSignalBlocker(self.slider), QSignalBlocker(self.keep):
            self.slider.setRange(1, max(2, most))
            self.slider.setSingleStep(max(1, most // 200))
            self.slider.setPageStep(max(1, most // 20))
            self.slider.setValue(min(keep, most))
            self.keep.setValue(keep)

    def show_cut(self, cut: PreviewedCut | None, place: str = "") -> None:
        """Show the sizes of the groups; None: this number of tokens leaves nothing to summarise.

        `place` names the entry where the leaf is only imagined: there nothing can be compacted.
        """
        with self._laid_out_once():
            for part in (self.bar, self._table, self.facts, self.kept_text):
                part.setVisible(cut is not None)
            self._working.show()
        self._column.setStretchFactor(self.stored, 0)
        if place:
            self._title.setText(breakable(self.tr("What a compaction would do at {0}").format(place)))
        else:
            self._title.setText(self.tr("What a compaction would do now"))
        if cut is None:
            self._explanation.setText(self.tr("All of it fits into what is kept. Keep fewer tokens to see a cut."))
        elif place:
            self._explanation.setText(self.tr("The leaf is somewhere else. To compact here, go to this entry first."))
        else:
            self._explanation.setText(self.tr("Old history becomes a summary; nothing is deleted from the file."))
        self.bar.show_cut(cut)
        zero = GroupSize(0, 0, 0)
        sizes = {
            Group.SUMMARIZED: cut.summarized if cut else zero,
            Group.TURN_PREFIX: cut.turn_prefix if cut else zero,
            Group.KEPT: cut.kept if cut else zero,
        }
        for group, size in sizes.items():
            self.group_entries[group].setText(f"{entries_text(size.entries)}, {messages_text(size.messages)}")
            self.group_tokens[group].setText(full_count(size.tokens))
        kept = sizes[Group.KEPT].tokens
        self.kept_text.setText(
            self.tr("kept {0} · the cut snaps to whole messages").format(full_count(kept)) if cut else ""
        )
        self.compact.setEnabled(cut is not None and not place)

    @property
    def is_showing(self) -> bool:
        """Whether some of what was found out is still to be shown."""
        return self._later.is_waiting or self.prompt.is_filling

    def show_details(self, details: CompactionDetails | None) -> None:
        """Show what took longer to find out; None while it is being found out."""
        self._details = details
        if details is None:
            self._show_found()
            return
        self.files.show_files(details.read_files, details.modified_files)
        self.notices.setText("\n\n".join(details.notices))
        self.agent_note.setText(details.agent_note)
        with QSignalBlocker(self.pass_choice):
            self.pass_choice.clear()
            self.pass_choice.addItems([shown_pass(prompt.pass_name) for prompt in details.prompts])
        self._show_prompt()
        self._later.ask(self._show_found)  # to set a long text and to lay it out are two turns

    def show_forecast(self, forecast: CompactionForecast | None) -> None:
        """Show the sizes before and after with the summariser that is chosen, each with the name of its measure.

        None: they are not known yet.
        """
        self._forecast = forecast
        if forecast is None:
            self.facts.set_fact("context", "…")
            self.facts.set_fact("recorded", "…")
            return
        writer = self.summarizer.currentData()
        self.facts.set_fact(
            "context",
            f"{full_count(forecast.before)} → {full_count(forecast.after(writer))}",
            "\n".join(
                [
                    self.tr("Both by the agents' estimate, which decides the cut."),
                    self.tr("After: {0} kept, {1} of the system prompt, {2} of the summary.").format(
                        full_count(forecast.kept), full_count(forecast.system), full_count(forecast.summary(writer))
                    ),
                    self._summary_assumption(forecast, writer),
                ]
            ),
        )
        self.facts.set_fact(
            "recorded",
            self.tr("nothing recorded yet") if forecast.recorded is None else full_count(forecast.recorded),
            self.tr(
                "What the provider measured for the latest answer since the last compaction or context edit; "
                "it also counts what is sent besides the messages."
            ),
        )

    def _summary_assumption(self, forecast: CompactionForecast, writer: str | None) -> str:
        """What the size of the summary rests on."""
        if writer == OFFLINE.id:
            return self.tr("The size of the digest is exact.")
        if forecast.previous is not None:
            return self.tr("The summary is assumed to be as large as the one that it continues.")
        return self.tr("The summary is assumed to be as large as the offline digest would be.")

    def options(self) -> CompactionOptions:
        """Return what is chosen."""
        return CompactionOptions(
            instructions=self.instructions.toPlainText().strip() or None,
            keep_recent_tokens=self.keep.value(),
            summarizer=self.summarizer.currentData(),
        )

    def submit(self) -> None:
        """Ask for the compaction that is previewed."""
        if self.compact.isEnabled():
            self.compact_wanted.emit(self.options())

    def show_running(self, running: bool) -> None:
        """Show the summary that comes in place of the prompt, and how to stop it."""
        self.footer.set_running(running)
        choices: tuple[QWidget, ...] = (
            self.imagine, self.slider, self.keep, self.instructions, self.summarizer, self.review,
        )  # fmt: skip
        for choice in choices:
            choice.setEnabled(not running)
        self._show_texts()
        if not running:
            self.footer.give_back_focus()
            if self.stream.is_kept:
                self.body_scroll.fill_with(self.stream.caption, self.stream)

    def _laid_out_once(self) -> AbstractContextManager[None]:
        return laid_out_once(self._body, self._working, self._before_run)

    def _show_found(self) -> None:
        self.copy.setEnabled(self._details is not None)
        self._show_texts()

    def _show_texts(self) -> None:
        """The prompt can be read when it is known; all makes room for the summary while that is written."""
        is_running = self.footer.is_running
        parts: tuple[QWidget, ...] = (
            self.prompt, self.prompt_parts, self.prompt_parts.note, self._prompt_caption, self.pass_choice,
            self.agent_note,
        )  # fmt: skip
        with self._laid_out_once():
            self.notices.setVisible(bool(self._details and self._details.notices))
            for part in parts:
                part.setVisible(self._details is not None)
            for part in (self._before_run, self.imagine, self._explanation):
                part.setVisible(not is_running)
            self.stored.setVisible(self.stored.has_summary and not is_running)
            for part in (self.stream, self.stream.caption):
                part.setVisible(is_running or self.stream.is_kept)
        if is_running or not self.stream.is_kept:
            self.body_scroll.free()
        self._show_reader()

    def _show_reader(self, *_: object) -> None:
        is_digest = self.summarizer.currentData() == OFFLINE.id
        self._prompt_caption.setText(self.tr("PROMPT FOR A MODEL") if is_digest else self.tr("PROMPT"))
        self.prompt_parts.show_reader(is_digest=is_digest)

    def _slide(self, value: int) -> None:
        with QSignalBlocker(self.keep):
            self.keep.setValue(value)
        self.keep_changed.emit(value)

    def _type(self, value: int) -> None:
        with QSignalBlocker(self.slider):
            self.slider.setValue(min(value, self.slider.maximum()))
        self.keep_changed.emit(value)

    def _show_prompt(self, *_: object) -> None:
        chosen = self.pass_choice.currentIndex()
        if self._details is not None and 0 <= chosen < len(self._details.prompts):
            prompt = self._details.prompts[chosen]
            self.prompt_parts.show_prompt(prompt.system_prompt, prompt.text)
        self.pass_choice.setEnabled(self.pass_choice.count() > 1)

    def _copy_prompts(self) -> None:
        if self._details is not None:
            texts = (
                headed_prompt(shown_pass(prompt.pass_name), prompt.system_prompt, prompt.text)
                for prompt in self._details.prompts
            )
            QGuiApplication.clipboard().setText("\n\n".join(texts))
