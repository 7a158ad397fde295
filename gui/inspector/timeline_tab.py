"""The *Timeline* tab: how the context grew along the active path, and what each compaction did to it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.flow_layout import FlowLayout
from gui.inspector.tab_scroll import TabScroll
from gui.inspector.timeline_chart import TimelineChart
from gui.number_text import full_count, short_count
from gui.selected_rows import outline_selected_rows
from gui.stretched_column import StretchedColumn
from gui.theme import current_theme
from gui.widgets import Facts, label, laid_out_once
from model.context_timeline import ContextTimeline

LIST_LINES = 5  # the least height


class TimelineTab(QWidget):
    """Signal: `place_chosen` (place on the active path)."""

    place_chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._body = QWidget()
        scroll = TabScroll(self._body, self)
        self._title = label(style="title", wrap=True)
        self._text = label(style="muted", wrap=True)
        self.chart = TimelineChart()
        self.chart.place_chosen.connect(self.place_chosen)
        self._legend = QWidget(self._body)
        legend = FlowLayout(self._legend)
        legend.setSpacing(8)
        for tone, text in (
            ("accent", self.tr("the agents' estimate")),
            ("assistant", self.tr("recorded by answers")),
            ("compaction", self.tr("compaction")),
        ):
            legend.addWidget(_explained(tone, text))
        names = {
            "now": self.tr("Now (estimate)"),
            "largest": self.tr("Largest on the path"),
            "threshold": self.tr("Compacts itself above"),
            "count": self.tr("Compactions"),
        }
        self.facts = Facts(names, self._body)
        self.list = _Compactions()
        self.list.setAccessibleName(self.tr("Compactions on the active path"))
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        outline_selected_rows(self.list)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setHeaderLabels([self.tr("Compaction"), self.tr("Before"), self.tr("After")])
        self.list.header().setStretchLastSection(False)
        StretchedColumn(self.list, 0)
        for column in (1, 2):
            self.list.headerItem().setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.list.itemActivated.connect(self._choose)
        self.list.itemClicked.connect(self._choose)
        layout = QVBoxLayout(self._body)
        layout.setContentsMargins(14, 12, 14, 12)
        layout.addWidget(self._title)
        layout.addWidget(self._text)
        layout.addWidget(self._legend)
        layout.addWidget(self.chart, 3)
        layout.addWidget(self.facts)
        layout.addWidget(self.list, 1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll)
        self.show_timeline(None)

    def show_timeline(self, timeline: ContextTimeline | None) -> None:
        """Show the sizes along the active path; None says that there are none."""
        has_rows = timeline is not None and len(timeline.rows) > 0
        with laid_out_once(self._body):
            for widget in (self._legend, self.chart, self.facts):
                widget.setVisible(has_rows)
        self._title.setText(self.tr("Context size"))
        if timeline is None or not has_rows:
            self._text.setText(self.tr("There is no entry on the active path yet."))
            self.chart.show_timeline(None, "")
            self.list.setVisible(False)
            return
        self._text.setText(self._sentence(timeline))
        self._show_facts(timeline)
        self._show_compactions(timeline)
        self.chart.show_timeline(timeline, self._description(timeline))

    def show_waiting(self) -> None:
        """Say that the path is being read."""
        self._text.setText(self.tr("Reading the active path…"))

    def show_failure(self, sentence: str) -> None:
        """Say why there is nothing to show."""
        self.show_timeline(None)
        self._text.setText(sentence)

    def _sentence(self, timeline: ContextTimeline) -> str:
        if timeline.window is None:
            return self.tr("The context window of the model is not known; the settings can tell it.")
        return self.tr("Measured against {0}, whose window holds {1} tokens.").format(
            timeline.model, full_count(timeline.window)
        )

    def _description(self, timeline: ContextTimeline) -> str:
        names = {"now": self.tr("now"), "largest": self.tr("largest"), "count": self.tr("compactions")}
        parts = [f"{name} {self.facts.fact(key)}" for key, name in names.items()]
        keys = self.tr(
            "Arrow keys go from entry to entry, with Ctrl from compaction to compaction, Page Up and Page Down over a "
            "tenth of the path, Home and End to its ends, Enter to the tree."
        )
        return ", ".join(parts) + ". " + keys

    def _show_facts(self, timeline: ContextTimeline) -> None:
        def tokens(count: float | None) -> str:
            return self.tr("not known") if count is None else full_count(round(count))

        now = tokens(timeline.latest)
        if timeline.window and timeline.latest is not None:
            now += self.tr(" · {0} % of the window").format(round(100 * timeline.latest / timeline.window))
        self.facts.set_fact("now", now)
        self.facts.set_fact("largest", tokens(timeline.largest or None))
        self.facts.set_fact("threshold", tokens(timeline.threshold))
        self.facts.set_fact("count", full_count(len(timeline.compactions)))

    def _show_compactions(self, timeline: ContextTimeline) -> None:
        self.list.clear()
        self.list.setVisible(bool(timeline.compactions))
        for number, mark in enumerate(timeline.compactions, start=1):
            sizes = ["" if size is None else short_count(round(size)) for size in (mark.before, mark.after)]
            name = self.tr("{0} at entry {1}").format(number, full_count(mark.place + 1))
            item = QTreeWidgetItem([name, *sizes])
            item.setSizeHint(0, QSize(0, round(self.fontMetrics().height() * 1.6)))
            item.setData(0, Qt.ItemDataRole.UserRole, mark.place)
            for column in (1, 2):
                item.setTextAlignment(column, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.list.addTopLevelItem(item)

    def _choose(self, item: QTreeWidgetItem) -> None:
        self.place_chosen.emit(item.data(0, Qt.ItemDataRole.UserRole))


class _Compactions(QTreeWidget):
    """Needs few lines; what else there is goes to the chart and to it."""

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), self.fontMetrics().height() * LIST_LINES)


def _explained(tone: str, text: str) -> QWidget:
    """A colour and the word for it."""
    box = QWidget()
    row = QHBoxLayout(box)
    row.setContentsMargins(0, 0, 8, 0)
    row.setSpacing(6)
    row.addWidget(_Swatch(tone))
    row.addWidget(label(text, style="muted"))
    return box


class _Swatch(QWidget):
    """A dab of a theme colour beside the word for it."""

    def __init__(self, tone: str) -> None:
        super().__init__()
        self._tone = tone
        side = self.fontMetrics().height() * 2 // 3
        self.setFixedSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(getattr(current_theme(), self._tone)))
        painter.drawRoundedRect(self.rect(), 2, 2)
