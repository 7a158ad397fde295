"""The status bar: what session this is, its model and context, what happened, what runs, and who writes summaries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QLocale, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSizePolicy,
    QStatusBar,
    QStyle,
    QStyleOption,
    QStylePainter,
    QWidget,
)

from gui.number_text import full_count, short_count
from gui.theme import current_theme
from gui.translation import shown
from gui.widgets import label

if TYPE_CHECKING:
    from services.operations import SummarizerInfo  # with a session; the bar is there before it

OFFLINE = "offline"
SPACING = 6  # pixels
JOB_CHARACTERS = 44
MODEL_CHARACTERS = 28
MESSAGE_CHARACTERS = 40  # of a message that can be read at least, before other parts give way


class ContextMeter(QWidget):
    """How much of the context window is used, with a tick where a compaction would start."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._used, self._window, self._threshold = 0, 0, 0
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_usage(self, used: int, window: int, threshold: int) -> None:
        """Show `used` of `window` tokens, and the tick at `threshold`."""
        self._used, self._window, self._threshold = used, window, threshold
        self.setAccessibleName(self.tr("Context: {0} of {1} tokens").format(used, window))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 20, self.fontMetrics().height())

    @property
    def has_window(self) -> bool:
        """Whether the window is known, so that there is something to show."""
        return self._window > 0

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._window <= 0:
            return
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        bar = QRectF(0, self.height() / 2 - 3, self.width(), 6)
        painter.setPen(QColor(0, 0, 0, 0))
        painter.setBrush(QColor(theme.line))
        painter.drawRoundedRect(bar, 3, 3)
        painter.setBrush(QColor(theme.warning if self._used > self._threshold else theme.accent))
        painter.drawRoundedRect(QRectF(0, bar.top(), self.width() * min(1.0, self._used / self._window), 6), 3, 3)
        painter.setBrush(QColor(theme.compaction))
        painter.drawRect(QRectF(self.width() * self._threshold / self._window - 1, bar.top() - 3, 2, 12))


class _Message(QLabel):
    """What happened last, in the room that there is; all of it in the tip."""

    def __init__(self) -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._sentence = ""

    def say(self, sentence: str) -> None:
        """Show a sentence, or nothing."""
        self._sentence = sentence
        self.setToolTip(sentence)
        self.setAccessibleName(sentence)
        self._elide()

    @property
    def least_width(self) -> int:
        """How wide it has to be, in pixels, for a text that makes sense."""
        metrics = self.fontMetrics()
        padding = self.sizeHint().width() - metrics.horizontalAdvance(self.text())
        wanted = min(metrics.horizontalAdvance(self._sentence), metrics.averageCharWidth() * MESSAGE_CHARACTERS)
        return wanted + padding if self._sentence else 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()

    def _elide(self) -> None:
        room = self.contentsRect().width() - 2 * self.margin()
        self.setText(self.fontMetrics().elidedText(self._sentence, Qt.TextElideMode.ElideRight, room))


class _Row(QWidget):
    """The parts side by side. It may be narrower than they are.

    Signal: `unsettled` when the room is another one, or what is in it.
    """

    unsettled = Signal()

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize):
            self.unsettled.emit()
        return super().event(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())


class StatusBar(QStatusBar):
    """Messages have a place of their own: what is known of the session stays while one is shown.

    Signals: `stop_wanted`, `problems_wanted`.
    """

    stop_wanted = Signal()
    problems_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self.session = label(style="muted")
        self.model = label(style="muted")
        self.context = label(style="muted")
        self.meter = ContextMeter()
        self.message = _Message()
        self.job = label()
        self.stop = QPushButton(self.tr("Esc to stop"))
        self.stop.setFlat(True)
        self.stop.clicked.connect(self.stop_wanted)
        self._has_problems = False
        self.problems = QPushButton()
        self.problems.setFlat(True)
        self.problems.clicked.connect(self.problems_wanted)
        self.position = label(style="muted")
        self.position.setToolTip(
            self.tr("Agents go on at the end of the file. Send a prompt, or set a resume point, to make it this entry.")
        )
        self.summarizer = label(style="muted")
        self.saved = label(style="muted")
        self._giving_way: tuple[QWidget, ...] = (
            self.summarizer, self.session, self.position, self.meter, self.saved, self.problems, self.model,
            self.context,
        )  # fmt: skip
        """What there is no room for, the least important first."""
        self._row = _Row()
        row = QHBoxLayout(self._row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACING)
        for left in (self.session, self.model, self.context, self.meter):
            row.addWidget(left)
        row.addWidget(self.message, 1)
        for right in (self.job, self.stop, self.problems, self.position, self.summarizer, self.saved):
            row.addWidget(right)
        self._row.unsettled.connect(self._fit)
        self.addPermanentWidget(self._row, 1)
        self.messageChanged.connect(self._say)
        self.clear_session()

    def clear_session(self) -> None:
        """Show that no session is open."""
        self.show_job("")
        for child in (self.session, self.model, self.context, self.position, self.summarizer, self.saved):
            child.setText("")
        self.meter.show_usage(0, 0, 0)
        self.show_problems(0)

    def show_session(self, dialect: str, version: int, entries: str) -> None:
        """Show whose session it is, in which version of the format, and how long."""
        name = {"pi": "Pi", "omp": "OMP"}.get(dialect, dialect)
        self.session.setText(self.tr("{0} session · v{1} · {2}").format(name, version, entries))
        self._fit()

    def show_model(self, key: str) -> None:
        """Show the model of the active path, named by provider and id; nothing where it is not known."""
        width = self.fontMetrics().averageCharWidth() * MODEL_CHARACTERS
        name = key.rpartition("/")[2]
        self.model.setText(self.fontMetrics().elidedText(name, Qt.TextElideMode.ElideMiddle, width))
        whole = self.tr("The model of the active path: {0}").format(key)
        self.model.setToolTip(whole)
        self.model.setAccessibleName(whole)
        self._fit()

    def show_summarizer(self, writer: SummarizerInfo | None) -> None:
        """Show who writes summaries unless another one is chosen."""
        if writer is None:
            self.summarizer.setText("")
        elif writer.id == OFFLINE:
            self.summarizer.setText(self.tr("Summaries: offline digest"))
        else:
            self.summarizer.setText(self.tr("Summaries: {0}").format(shown(writer.name)))
        self.summarizer.setToolTip(self.tr("Who writes the summaries of branches, unless you choose another there."))
        self._fit()

    def show_saved(self, text: str) -> None:
        """Show whether all is in the file."""
        self.saved.setText(text)
        self._fit()

    def show_context(
        self, tokens: int | None, window: int | None, threshold: int | None, estimated: bool, *, unknown: bool = False
    ) -> None:
        """Show the size of the context here; None where it is not known.

        `unknown`: nothing has measured it since the last compaction, `tokens` is only the size of the texts (CB-11).
        """
        size = "?" if tokens is None else ("≈" if estimated else "") + short_count(tokens)
        if unknown and tokens is not None:
            size = f"? ({size})"
        if window:
            text = self.tr("context {0} of {1}").format(size, short_count(window))
        else:
            text = self.tr("context {0}").format(size)
        self.context.setText(text)
        hints = [self.tr("Tokens of the context at the current leaf.")]
        if unknown:
            hints.append(self.tr("No answer has measured it since the last compaction; ≈ is estimated from the texts."))
        elif estimated:
            hints.append(self.tr("Estimated from the texts: no answer has measured it."))
        if threshold is not None:
            hints.append(self.tr("Compacted by itself above {0} tokens.").format(full_count(threshold)))
        self.context.setToolTip(" ".join(hints))
        self.meter.setToolTip(self.context.toolTip())
        self.meter.show_usage(tokens or 0, window or 0, threshold if threshold is not None else window or 0)
        self._fit()

    def show_position(self, is_resume_point: bool) -> None:
        """Show whether an agent that opens the file now would go on here (TN-11)."""
        self.position.setText("" if is_resume_point else self.tr("an agent would resume elsewhere"))
        self._fit()

    def show_problems(self, count: int) -> None:
        """Show how many odd things were found in the file."""
        words = (
            self.tr("1 problem in file") if count == 1 else self.tr("{0} problems in file").format(full_count(count))
        )
        self.problems.setText(words)
        self._has_problems = count > 0
        self._fit()

    def show_job(self, text: str, elapsed_s: float | None = None) -> None:
        """Show what runs and for how long; nothing when `text` is empty."""
        width = self.fontMetrics().averageCharWidth() * JOB_CHARACTERS  # a long text must not widen the window
        title = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)
        seconds = self.tr("{0} s").format(QLocale().toString(elapsed_s or 0.0, "f", 1))
        self.job.setText(title if elapsed_s is None or not text else f"{title} · {seconds}")
        self.job.setToolTip(text)
        self._fit()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the bar alone: the message has its place in the row."""
        option = QStyleOption()
        option.initFrom(self)
        QStylePainter(self).drawPrimitive(QStyle.PrimitiveElement.PE_PanelStatusBar, option)

    def _say(self, sentence: str) -> None:
        self.message.say(sentence)
        self._fit()

    def _fit(self) -> None:
        """Show what there is to show; in a narrow window the least important parts give way."""
        texts = (self.session, self.model, self.context, self.job, self.position, self.summarizer, self.saved)
        wanted: list[QWidget] = [part for part in texts if part.text()]
        if self._has_problems:
            wanted.append(self.problems)
        if self.job.text():
            wanted.append(self.stop)
        if self.meter.has_window:
            wanted.append(self.meter)
        room = self._row.width() - self.message.least_width
        needed = sum(part.sizeHint().width() + SPACING for part in wanted)
        for part in self._giving_way:
            if needed <= room:
                break
            if part in wanted:
                wanted.remove(part)
                needed -= part.sizeHint().width() + SPACING
        for part in (*texts, self.problems, self.stop, self.meter):
            if part.isHidden() == (part in wanted):
                part.setVisible(part in wanted)
