"""The *Navigate* tab: what going to the selected entry would do, how to go, and the summary as it comes."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFormLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gui.inspector.file_list import FileList
from gui.inspector.prompt_parts import PROMPT_LINES, PromptParts
from gui.inspector.running_footer import RunningFooter
from gui.inspector.summarizer_choice import SummarizerChoice
from gui.inspector.summary_stream import SummaryStream
from gui.inspector.tab_scroll import TabScroll
from gui.number_text import full_count
from gui.row_content import entries_text
from gui.widgets import Facts, TextView, breakable, label, laid_out_once
from gui.wrapping_buttons import WrappingCheckBox, WrappingRadioButton
from model.settings import BranchAnswer
from services.operations import NavigationOptions, NavigationPreview, SummarizerInfo

GO, SUMMARIZE, INSTRUCT = range(3)
OFFLINE = "offline"


class NavigateTab(QWidget):
    """Signals: `go_wanted` (target id, NavigationOptions), `changed` when something else would be sent than is shown,
    `left` when Escape closes the question.
    """

    go_wanted = Signal(str, object)
    changed = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._preview: NavigationPreview | None = None
        self._body = QWidget()
        self.body_scroll = TabScroll(self._body, self)
        self._title = label(self.tr("Nothing selected"), style="title", wrap=True)
        self._subtitle = label(style="muted", wrap=True)
        names = {
            "ancestor": self.tr("Common ancestor"),
            "left": self.tr("You leave behind"),
            "sent": self.tr("Sent to the summariser"),
            "lands": self.tr("You land on"),
        }
        self.facts = Facts(names, self._body)
        self.files = FileList()
        self.go = WrappingRadioButton()
        self.summarize = WrappingRadioButton(self.tr("Summarise what I leave, then go"))
        self.instruct = WrappingRadioButton(self.tr("Summarise with instructions…"))
        self._how = QButtonGroup(self)
        for number, button in enumerate((self.go, self.summarize, self.instruct)):
            self._how.addButton(button, number)
        self.go.setChecked(True)
        self._wanted = GO  # as chosen last, in this session
        self._has_chosen = False
        self.instructions = QPlainTextEdit()
        self.instructions.setPlaceholderText(self.tr("What the summary should pay attention to"))
        self.instructions.setAccessibleName(self.tr("Instructions for the summary"))
        self.instructions.setTabChangesFocus(True)
        self.instructions.setMaximumHeight(self.fontMetrics().height() * 5)
        self.replace = WrappingCheckBox(self.tr("in place of the built-in instructions"))
        self.results = WrappingCheckBox(self.tr("Send what tools &returned as well, shortened"))
        self.instructions.textChanged.connect(self.changed)
        self.replace.toggled.connect(self.changed)
        self.results.toggled.connect(self.changed)
        self.summarizer = SummarizerChoice()
        self.summarizer.currentIndexChanged.connect(lambda _index: self._follow_choice())
        self.summarizer.activated.connect(lambda _index: self.changed.emit())
        self.label_text = QLineEdit()
        self.label_text.setPlaceholderText(self.tr("optional"))
        self.label_text.textChanged.connect(lambda _text: self._show_what_going_writes())
        self.remember = WrappingCheckBox(self.tr("&Do it this way from now on"))
        self.remember.setToolTip(
            self.tr(
                "Without a question, until you change it in Settings, “Branch summaries”. This command always asks."
            )
        )
        self.review = WrappingCheckBox(self.tr("&Read it before it is saved"))
        self._form_box = QWidget(self._body)
        self._prompt_caption = label(style="caption")
        self.prompt = TextView(monospace=True)
        self.prompt.setMinimumHeight(self.fontMetrics().lineSpacing() * PROMPT_LINES)
        self.prompt_parts = PromptParts(self.prompt)
        self.stream = SummaryStream()
        self.go_button = QPushButton(self.tr("Go"))
        self.go_button.setProperty("primary", True)
        self.footer = RunningFooter([self.go_button])
        self._how.idToggled.connect(self._choose)
        self.go_button.clicked.connect(self.submit)

        column = QVBoxLayout(self._body)
        column.setContentsMargins(14, 12, 14, 12)
        column.setSpacing(9)
        for widget in (self._title, self._subtitle, self.facts, self.files, self.go, self.summarize, self.instruct):
            column.addWidget(widget)
        column.addWidget(self.instructions)
        column.addWidget(self.replace)
        column.addWidget(self._form_box)
        form = QFormLayout(self._form_box)
        form.setContentsMargins(0, 0, 0, 0)
        form.addRow(self.tr("&Label"), self.label_text)
        form.addRow(self.tr("&Written by"), self.summarizer)
        self._summarizer_label = form.labelForField(self.summarizer)
        column.addWidget(self.results)
        column.addWidget(self.review)
        column.addWidget(self.remember)
        column.addWidget(self._prompt_caption)
        column.addWidget(self.prompt_parts.note)
        column.addWidget(self.prompt_parts, 0, Qt.AlignmentFlag.AlignLeading)
        column.addWidget(self.prompt, 100)
        column.addWidget(self.stream.caption)
        column.addWidget(self.stream, 100)
        column.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self.body_scroll, 1)
        outer.addWidget(self.footer)
        self.show_preview(None, "", "")

    @property
    def preview(self) -> NavigationPreview | None:
        """The preview that is shown."""
        return self._preview

    def show_summarizers(self, summarizers: list[SummarizerInfo]) -> None:
        """Offer `summarizers`; the first one is chosen unless the user chose another one."""
        self.summarizer.offer(summarizers)

    def show_preview(self, preview: NavigationPreview | None, title: str, ancestor: str) -> None:
        """Show what going to `preview.target_id` would do. `title` and `ancestor` are the texts of the two entries."""
        if preview is None or self._preview is None or preview.target_id != self._preview.target_id:
            self.stream.drop()
            self.forget_answer()
        self._preview = preview
        can_go = preview is not None and not preview.is_current_leaf
        can_summarize = preview is not None and preview.can_summarize
        self.summarize.setEnabled(can_summarize)
        self.instruct.setEnabled(can_summarize)
        with QSignalBlocker(self._how):  # the answer that was chosen last comes back where it is possible
            self._how.button(self._wanted if can_summarize else GO).setChecked(True)
        self.go_button.setEnabled(can_go)
        if preview is None:
            self._title.setText(self.tr("Nothing selected"))
            self._subtitle.setText(self.tr("Select an entry to see what going there would do."))
        elif preview.is_current_leaf:
            self._title.setText(self.tr("You are here"))
            self._subtitle.setText(breakable(title))
            self._subtitle.setAccessibleName(title)
        else:
            self._title.setText(breakable(self.tr("Go to “{0}”").format(title)))
            self._subtitle.setText(self._leaving_text(preview))
            self._show_facts(preview, ancestor)
            self.prompt_parts.show_prompt(preview.system_prompt, preview.prompt)
        self._follow_choice()

    def forget_answer(self) -> None:
        """The question is over: what was answered for one entry must not be done to another one."""
        self.label_text.clear()
        self.remember.setChecked(False)

    def start_with(self, how: int) -> None:
        """Have that answer chosen, unless the user chose one in this session."""
        if not self._has_chosen:
            self.choose(how)

    def choose(self, how: int) -> None:
        """Have that answer chosen, where it is possible."""
        button = self._how.button(how)
        if button.isEnabled():
            self._wanted = how
            with QSignalBlocker(self._how):
                button.setChecked(True)
            self._follow_choice()

    def ask(self) -> None:
        """Put the question: the choices get the keyboard."""
        self.footer.set_running(False)
        checked = self._how.checkedButton()
        (checked or self.go).setFocus(Qt.FocusReason.OtherFocusReason)

    def submit(self) -> None:
        """Answer the question as it stands."""
        preview = self._preview
        if preview is None or preview.is_current_leaf or not self.go_button.isEnabled():
            return
        self.go_wanted.emit(preview.target_id, self.options())

    @property
    def answer_to_keep(self) -> BranchAnswer | None:
        """What is to be done from now on without a question, None when nothing was said about that."""
        if not self.remember.isChecked() or self.remember.isHidden():
            return None
        return "go" if self._how.checkedId() == GO else "summarise"

    def options(self) -> NavigationOptions:
        """Return what is chosen."""
        how = self._how.checkedId()
        instructions = self.instructions.toPlainText().strip() if how == INSTRUCT else ""
        return NavigationOptions(
            summarize=how != GO,
            custom_instructions=instructions or None,
            replace_instructions=self.replace.isChecked() if instructions else None,
            label=self.label_text.text().strip() or None,
            summarizer=self.summarizer.currentData() if how != GO else None,
            with_tool_results=self.results.isChecked(),
        )

    def show_running(self, running: bool) -> None:
        """Show the summary that comes in place of the prompt, and how to stop it."""
        self.footer.set_running(running)
        asked = (
            self.go,
            self.summarize,
            self.instruct,
            self.instructions,
            self.replace,
            self._form_box,
            self.review,
            self.remember,
            self.results,
        )
        for widget in asked:
            widget.setEnabled(not running)
        if not running:
            self.summarize.setEnabled(bool(self._preview and self._preview.can_summarize))
            self.instruct.setEnabled(self.summarize.isEnabled())
        self._follow_choice()
        if not running:
            self.footer.give_back_focus()
            if self.stream.is_kept:
                self.body_scroll.fill_with(self.stream.caption, self.stream)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.submit()
        elif event.key() == Qt.Key.Key_Escape:
            if self.instructions.hasFocus():
                self.instruct.setFocus()  # from the text field back to the question
            else:
                self.forget_answer()
                self.left.emit()
        else:
            super().keyPressEvent(event)

    def _choose(self, how: int, checked: bool) -> None:
        if checked:
            self._wanted, self._has_chosen = how, True
            self._follow_choice()
            self.changed.emit()

    def _follow_choice(self) -> None:
        how, is_running = self._how.checkedId(), self.footer.is_running
        is_open = self._preview is not None and not self._preview.is_current_leaf and not is_running
        is_digest = self.summarizer.currentData() == OFFLINE  # it reads all of it here
        leaves_something = self._preview is not None and bool(self._preview.abandoned)
        with laid_out_once(self._body, self._form_box):
            for widget in (self.facts, self.go, self.summarize, self.instruct, self._form_box):
                widget.setVisible(is_open)
            self._subtitle.setVisible(not is_running)
            self.files.setVisible(is_open and self.files.count > 0)
            self.instructions.setVisible(is_open and how == INSTRUCT)
            self.replace.setVisible(is_open and how == INSTRUCT)
            self.results.setVisible(is_open and how != GO and not is_digest)
            self.review.setVisible(is_open and how != GO)
            self.remember.setVisible(is_open and leaves_something and how != INSTRUCT)  # those are for one branch
            self.summarizer.setVisible(how != GO)
            self._summarizer_label.setVisible(how != GO)
            for widget in (self.prompt, self.prompt_parts, self.prompt_parts.note, self._prompt_caption):
                widget.setVisible(is_open and how != GO)
            for widget in (self.stream, self.stream.caption):
                widget.setVisible(is_running or (how != GO and self.stream.is_kept))
        self._prompt_caption.setText(
            self.tr("PROMPT FOR A MODEL") if is_digest else self.tr("PROMPT THAT WOULD BE SENT")
        )
        self.prompt_parts.show_reader(is_digest=is_digest)
        if self._preview is not None and not self._preview.is_current_leaf:
            self._show_sent(self._preview, is_digest=is_digest)
        if is_running or not self.stream.is_kept:
            self.body_scroll.free()
        self.go_button.setText(self.tr("Go") if how == GO else self.tr("Summarise and go"))
        self._show_what_going_writes()

    def _show_what_going_writes(self) -> None:
        self.go.setText(
            self.tr("Just go there · only the label is written")
            if self.label_text.text().strip()
            else self.tr("Just go there · nothing is written")
        )

    def _leaving_text(self, preview: NavigationPreview) -> str:
        if not preview.abandoned:
            return self.tr("It continues the path you are on, so nothing is left behind.")
        if preview.common_ancestor_id is None:
            return self.tr("It is in another tree of this session, so the whole path is left.")
        if preview.common_ancestor_id == preview.target_id:
            return self.tr("It is earlier on the path you are on.")
        return self.tr("It is on another branch.")

    def _show_facts(self, preview: NavigationPreview, ancestor: str) -> None:
        facts = self.facts
        facts.set_fact("ancestor", breakable(ancestor) or self.tr("none"))
        left = self.tr("nothing")
        if preview.abandoned:
            tokens = self.tr("{0} tokens").format(full_count(preview.abandoned_tokens))
            left = f"{entries_text(len(preview.abandoned))} · {tokens}"
        facts.set_fact("left", left)
        self._show_sent(preview, is_digest=self.summarizer.currentData() == OFFLINE)
        self.files.show_files(preview.read_files, preview.modified_files)
        if preview.lands_on_parent:
            lands = self.tr("its parent; its text goes to the composer")
            if preview.new_leaf_id is None:
                lands = self.tr("before the first entry; its text goes to the composer")
        else:
            lands = self.tr("this entry")
        facts.set_fact("lands", lands)

    def _show_sent(self, preview: NavigationPreview, *, is_digest: bool) -> None:
        """What the summariser gets, in numbers."""
        sent = self.tr("nothing to summarise")
        tip = self.tr(
            "All of it stands in the prompt below. The calls of tools are in; what they returned is in only "
            "when you say so, since both agents leave it out."
        )
        if is_digest and preview.can_summarize:
            sent = self.tr("nothing · the digest reads all of it here")
            tip = self.tr("No model is asked. The digest also reads what tools returned.")
        elif preview.can_summarize:
            tokens = full_count(preview.message_tokens)
            sent = (
                self.tr("1 message · {0} tokens").format(tokens)
                if preview.message_count == 1
                else self.tr("{0} messages · {1} tokens").format(full_count(preview.message_count), tokens)
            )
            if preview.omitted:
                omitted = self.tr("{0} older entries do not fit").format(full_count(len(preview.omitted)))
                sent += " · " + (self.tr("1 older entry does not fit") if len(preview.omitted) == 1 else omitted)
        self.facts.set_fact("sent", sent, tip)
