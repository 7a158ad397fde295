"""The inspector: the tabs beside the tree, each with the control that connects it to the session."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QIcon, QResizeEvent
from PySide6.QtWidgets import QStackedWidget, QTabBar, QTabWidget, QWidget

from gui.compaction_control import CompactionControl
from gui.compare_control import CompareControl
from gui.context_control import ContextControl
from gui.entry_control import EntryControl
from gui.icons import icon
from gui.inspector.compaction_tab import CompactionTab
from gui.inspector.compare_tab import CompareTab
from gui.inspector.context_tab import ContextTab
from gui.inspector.entry_tab import EntryTab
from gui.inspector.navigate_tab import NavigateTab
from gui.inspector.problems_tab import ProblemsTab
from gui.inspector.timeline_tab import TimelineTab
from gui.jump_control import JumpControl
from gui.navigation_control import NavigationControl
from gui.operation_runner import OperationRunner
from gui.session_document import SessionDocument
from gui.session_tree_view import SessionTreeView
from gui.timeline_control import TimelineControl
from gui.turns import paint_next_turn
from model.records import Problem

NAMES = ("entry", "context", "navigate", "compaction", "compare", "timeline", "problems")
LEAST_CHARACTERS, LEAST_LINES = 30, 10
PADDING = 7  # beside the icon or name of a tab, as in the style sheet


class _Bar(QTabBar):
    """Tabs without a name are as wide as their icons; Qt leaves room for more."""

    def tabSizeHint(self, index: int) -> QSize:
        size = super().tabSizeHint(index)
        if not self.tabText(index) and not self.tabIcon(index).isNull():
            size.setWidth(self.iconSize().width() + 2 * PADDING)
        return size

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)


class InspectorTabs(QTabWidget):
    """The tabs of one session. They are made by `steps`, one a turn of the event loop."""

    def __init__(
        self,
        document: SessionDocument,
        runner: OperationRunner,
        tree: SessionTreeView,
        jumps: JumpControl,
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._runner = runner
        self._tree = tree
        self._jumps = jumps
        self._pages = self.findChild(QStackedWidget) or self  # where a tab belongs: it is not styled anew there
        self._names: list[tuple[str, str]] = []  # of each tab: what it is called, and its icon
        self._room_for_names: tuple[object, int] = (None, 0)
        self.setTabBar(_Bar(self))
        self.setDocumentMode(True)
        self.setUsesScrollButtons(False)  # no tab is ever scrolled away
        self.tabBar().setDrawBase(False)
        side = self.fontMetrics().height()
        self.setIconSize(QSize(side, side))
        self.currentChanged.connect(self._fit_tabs)
        self.currentChanged.connect(self._paint_next_turn)

    @property
    def steps(self) -> Sequence[Callable[[], None]]:
        """What makes the tabs, in this order. A tab that is heavy is made in one step and added in the next."""
        return (
            self._make_entry,
            self._make_context,
            self._make_navigate,
            self._add_navigate,
            self._make_compaction,
            self._add_compaction,
            self._make_compare,
            self._add_compare,
            self._make_timeline,
            self._add_timeline,
            self._make_problems,
        )

    def show_entry(self, row: int | None) -> None:
        """Show entry `row`, None for no entry, in the tab that is in front; the others rest."""
        tab = self.currentWidget()
        if tab is self.entry_tab:
            self.entry.show_entry(row)
        elif tab is self.context_tab:
            self.context.show_entry(row)
        elif tab is self.navigate_tab and not self.navigate_tab.footer.is_running:
            self.navigation.show_entry(row)
        self.compare.set_shown(tab is self.compare_tab)
        if tab is self.compare_tab:
            self.compare.show_entry(row)
        self.timeline.set_shown(tab is self.timeline_tab)
        self.compaction.set_shown(tab is self.compaction_tab)

    def show_problems(self, problems: Sequence[Problem], read_only: str | None) -> None:
        """Show what is odd about the file; where nothing is, there is no such tab."""
        self.problems_tab.show_problems(problems, read_only)
        self.setTabVisible(self.indexOf(self.problems_tab), bool(problems) or read_only is not None)
        self._fit_tabs()

    @property
    def current_name(self) -> str:
        """The name of the tab in front, in the code, whatever the language."""
        return next((name for name in NAMES if getattr(self, f"{name}_tab", None) is self.currentWidget()), "")

    def show_named(self, name: str) -> None:
        """Bring the tab of that name to the front, if there is one."""
        if name in NAMES and self.isTabVisible(self.indexOf(getattr(self, f"{name}_tab"))):
            self.setCurrentWidget(getattr(self, f"{name}_tab"))

    def minimumSizeHint(self) -> QSize:
        """As much as always: what a tab shows must not make the window larger."""
        return QSize(
            self.fontMetrics().averageCharWidth() * LEAST_CHARACTERS, self.fontMetrics().height() * LEAST_LINES
        )

    # Tabs that fit

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_tabs()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._room_for_names = (None, 0)
            self._fit_tabs()

    def _add(self, tab: QWidget, name: str, icon_name: str) -> None:
        self._names.append((name, icon_name))
        number = self.addTab(tab, name)
        self.tabBar().setAccessibleTabName(number, name)

    def _paint_next_turn(self, *_: object) -> None:
        if (tab := self.currentWidget()) is not None:
            paint_next_turn(tab)

    def _fit_tabs(self, *_: object) -> None:
        """Show the names of the tabs where all fit, else their icons, with the names as tool tips."""
        shown = [number for number in range(self.count()) if self.isTabVisible(number)]
        state = (self.font().key(), tuple(shown))
        if self._room_for_names[0] != state:
            self._show_names(range(self.count()))
            self._room_for_names = (state, self.tabBar().sizeHint().width())
        if self._room_for_names[1] <= self.width():
            self._show_names(range(self.count()))
        else:
            self._show_names([self.currentIndex()])
            if self.tabBar().sizeHint().width() > self.width():
                self._show_names([])

    def _show_names(self, named: Collection[int]) -> None:
        are_all_named = len(named) == self.count()
        for number, (name, icon_name) in enumerate(self._names):
            text = name if number in named else ""
            if self.tabText(number) != text or self.tabIcon(number).isNull() != are_all_named:
                self.setTabText(number, text)
                self.setTabIcon(number, QIcon() if are_all_named else icon(icon_name))
                self.setTabToolTip(number, "" if text else name)

    # Making them

    def _make_entry(self) -> None:
        self.entry_tab = EntryTab(self._pages)
        self._add(self.entry_tab, self.tr("Entry"), "note")
        self.entry = EntryControl(self._document, self.entry_tab, self)

    def _make_context(self) -> None:
        self.context_tab = ContextTab(self._pages)
        self._add(self.context_tab, self.tr("Context"), "context")
        self.context = ContextControl(self._document, self.context_tab, self)

    def _make_navigate(self) -> None:
        self.navigate_tab = NavigateTab(self._pages)

    def _add_navigate(self) -> None:
        self._add(self.navigate_tab, self.tr("Navigate"), "branches")
        self.navigation = NavigationControl(self._document, self.navigate_tab, self._runner, self)

    def _make_compaction(self) -> None:
        self.compaction_tab = CompactionTab(self._pages)

    def _add_compaction(self) -> None:
        self._add(self.compaction_tab, self.tr("Compaction"), "compaction")
        self.compaction = CompactionControl(self._document, self.compaction_tab, self._runner, self)

    def _make_compare(self) -> None:
        self.compare_tab = CompareTab(self._pages)

    def _add_compare(self) -> None:
        self._add(self.compare_tab, self.tr("Compare"), "compare")
        self.compare = CompareControl(self._document, self.compare_tab, self._jumps, self)

    def _make_timeline(self) -> None:
        self.timeline_tab = TimelineTab(self._pages)

    def _add_timeline(self) -> None:
        self._add(self.timeline_tab, self.tr("Timeline"), "timeline")
        self.timeline = TimelineControl(self._document, self.timeline_tab, self._tree, self._jumps, self)

    def _make_problems(self) -> None:
        self.problems_tab = ProblemsTab(self._pages)
        self._add(self.problems_tab, self.tr("Problems"), "warning")
        self.setTabVisible(self.indexOf(self.problems_tab), False)
        self._fit_tabs()
