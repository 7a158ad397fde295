"""The status bar: what session this is, how full its context is, what runs, and who writes summaries."""

from __future__ import annotations

from PySide6.QtCore import QLocale, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QStatusBar, QWidget

from gui.number_text import full_count, short_count
from gui.theme import current_theme
from gui.widgets import label

JOB_CHARACTERS = 44


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
        # Without a window it takes no room; showing and hiding is what a status bar does for its messages.
        width = self.fontMetrics().averageCharWidth() * 20 if self._window > 0 else 0
        return QSize(width, self.fontMetrics().height())

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


class StatusBar(QStatusBar):
    """Signals: `stop_wanted`, `problems_wanted`."""

    stop_wanted = Signal()
    problems_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizeGripEnabled(False)
        self.session = label(style="muted")
        self.context = label(style="muted")
        self.meter = ContextMeter()
        self.job = label()
        self.stop = QPushButton(self.tr("Esc to stop"))
        self.stop.setFlat(True)
        self.stop.clicked.connect(self.stop_wanted)
        self.problems = QPushButton()
        self.problems.setFlat(True)
        self.problems.clicked.connect(self.problems_wanted)
        self.position = label(style="muted")
        self.position.setToolTip(
            self.tr("Agents go on at the end of the file. Send a prompt, or set a resume point, to make it this entry.")
        )
        self.summarizer = label(style="muted")
        self.saved = label(style="muted")
        self.addWidget(self.session)
        self.addWidget(self.context)
        self.addWidget(self.meter)
        for widget in (self.job, self.stop, self.problems, self.position, self.summarizer, self.saved):
            self.addPermanentWidget(widget)
        self.clear_session()

    def clear_session(self) -> None:
        """Show that no session is open."""
        self.show_job("")
        for child in (self.session, self.context, self.summarizer, self.saved):
            child.setText("")
        self.meter.show_usage(0, 0, 0)
        self.problems.hide()
        self.position.hide()

    def show_session(self, dialect: str, version: int, entries: str) -> None:
        """Show whose session it is, in which version of the format, and how long."""
        name = {"pi": "Pi", "omp": "OMP"}.get(dialect, dialect)
        self.session.setText(self.tr("{0} session · v{1} · {2}").format(name, version, entries))

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

    def show_position(self, is_resume_point: bool) -> None:
        """Show whether an agent that opens the file now would go on here (TN-11)."""
        self.position.setText("" if is_resume_point else self.tr("an agent would resume elsewhere"))
        self.position.setVisible(not is_resume_point)

    def show_problems(self, count: int) -> None:
        """Show how many odd things were found in the file."""
        self.problems.setVisible(count > 0)
        self.problems.setText(
            self.tr("1 problem in file") if count == 1 else self.tr("{0} problems in file").format(full_count(count))
        )

    def show_job(self, text: str, elapsed_s: float | None = None) -> None:
        """Show what runs and for how long; nothing when `text` is empty."""
        self.job.setVisible(bool(text))
        self.stop.setVisible(bool(text))
        width = self.fontMetrics().averageCharWidth() * JOB_CHARACTERS  # a long text must not widen the window
        shown = self.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)
        seconds = self.tr("{0} s").format(QLocale().toString(elapsed_s or 0.0, "f", 1))
        self.job.setText(shown if elapsed_s is None else f"{shown} · {seconds}")
        self.job.setToolTip(text)
