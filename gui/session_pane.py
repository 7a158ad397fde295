"""One open session in the window: tree and composer, the inspector beside them, and what connects them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, cast, get_args

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QAction, QHideEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QVBoxLayout, QWidget

from gui.act_sentences import (
    kept_sentence,
    move_sentence,
    unasked_sentence,
)
from gui.banner import Banner
from gui.composer import Composer, Offer
from gui.cost_control import CostControl
from gui.cut_handle import CutHandle
from gui.dock_title import Dock, DockTitle
from gui.file_control import FileControl
from gui.inspector.tab_scroll import TabScroll
from gui.inspector.tabs import InspectorTabs
from gui.jump_control import JumpControl
from gui.latest_job import LatestJob
from gui.leaf_notices import LeafNotices
from gui.live_answer import LiveAnswer
from gui.map_control import MapControl
from gui.map_dock import MapDock
from gui.map_view import MapView
from gui.navigation_control import Asking
from gui.operation_runner import OperationRunner
from gui.place_keeper import PlaceKeeper
from gui.question_desk import QuestionDesk
from gui.row_content import entries_text
from gui.search_bar import SearchBar
from gui.search_control import SearchControl
from gui.session_document import SessionDocument
from gui.session_edits import SessionEdits
from gui.session_tree_view import SessionTreeView
from gui.session_work import MODEL_SETTINGS_PAGE, SessionWork
from gui.settled_changes import dock_changes
from gui.status_bar import StatusBar
from gui.text_question import ask_for_text
from gui.turns import Turns, paint_next_turn
from gui.view_memory import ViewMemory, restore_docks, with_docks
from gui.widgets import label
from model.tree_filters import FilterMode
from services.agent_session import AgentSession
from services.answering_model import NoModelError
from services.jobs import Outcome
from services.operations import CompactionResult, NavigationResult, SummarizerInfo
from services.session_store import SessionStore
from services.view_states import ViewState

if TYPE_CHECKING:
    from gui.export_control import ExportControl

INSPECTOR_CHARACTERS = 65  # at first there is room for the names of all tabs
INSPECTOR_SHARE, TREE_SHARE = 0.4, 0.5  # the most of the window at first, and the least of what the library leaves
MAP_LINES, LEAST_LINES = 7, 12


class _Centre(QWidget):
    """Tree and composer, with what comes above and below them: none of that makes the window larger."""

    def minimumSizeHint(self) -> QSize:
        bars = [bar.minimumSizeHint().width() for bar in self.findChildren(SearchBar) + self.findChildren(Composer)]
        return QSize(max(bars, default=0), self.fontMetrics().height() * LEAST_LINES)


class SessionPane(QMainWindow):
    """Shows one session file.

    Signals: `said` (sentence) for the status bar; `state_changed` when the status bar should look again;
    `filter_wanted` (filter mode); `menu_wanted` (place on the screen) for the menu of the selected row;
    `settings_wanted` (page of the settings); `open_wanted` (Path) for another session; `entry_form_chosen` (form) for
    the texts of entries.
    """

    said = Signal(str)
    state_changed = Signal()
    filter_wanted = Signal(str)
    menu_wanted = Signal(QPoint)
    settings_wanted = Signal(str)
    open_wanted = Signal(object)
    entry_form_chosen = Signal(str)

    def __init__(self, make_session: Callable[[SessionStore], AgentSession], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowFlags(Qt.WindowType.Widget)
        self.runner = OperationRunner(self)
        self.document = SessionDocument(make_session, self)
        self._views = ViewMemory(self.view_state, self)
        self._view: ViewState | None = None  # of the last time, until it is restored
        self._wanted_id: str | None = None
        self._reads = LatestJob(self)
        self._summarizer: SummarizerInfo | None = None
        self.exports: ExportControl | None = None
        self.map_shown = True
        self.inspector_shown = True
        self.is_usable = True
        """Whether there is a session, or will be one; False when its file cannot be read."""
        self.entry_form = ""
        self._is_assembled = False
        self._is_reading = False  # with a banner that takes room from the tree
        self._loads = False  # as soon as it is assembled
        self.follows_filter_setting = False  # until the user chooses a filter in the window
        self._assembly = Turns(self._steps(), self)
        self._opening = Turns((lambda: self.setUpdatesEnabled(True), self._begin), self)
        self.setUpdatesEnabled(False)

    def prepare(self) -> None:
        """Make the widgets, before it is known of which file.

        One part of them is made in each turn of the event loop: all at once would hold up the window.
        """
        self._assembly.start()

    def load(self, path: Path) -> None:
        """Start reading the file, as soon as the widgets are made. To show, to paint and to read are three turns."""
        self.document.path = path
        self._loads = True
        if self.is_prepared:
            self._opening.start()
        else:
            self.setUpdatesEnabled(True)
            self.prepare()

    @property
    def is_prepared(self) -> bool:
        """Whether all widgets are made."""
        return self._is_assembled

    @property
    def takes_commands(self) -> bool:
        """Whether the commands of the window have something to act on; `state_changed` tells of it."""
        return self._is_assembled and self.is_usable

    def close_session(self) -> None:
        """Stop all work of this session and let go of its file."""
        self._assembly.stop()
        self._opening.stop()
        self._views.close()
        self.runner.close()
        self._reads.close()
        if self.exports is not None:
            self.exports.close()
        if self._is_assembled:
            self.tree.followers.close()
            for control in self._controls:
                control.close()
        self.document.close()

    def delete_in_turns(self) -> None:
        """Delete the closed pane, beginning with its tabs: to show what was behind it has a turn, and each of them."""
        bodies = self.findChildren(TabScroll)
        Turns((*(body.deleteLater for body in bodies), self.deleteLater), self).start()

    @property
    def is_computing(self) -> bool:
        """Whether something that was asked for is still to be shown."""
        follows = self._is_assembled and self.tree.followers.is_waiting
        works = self._opening.isActive() or self._reads.running or self.document.is_laying_out
        return follows or works or any(control.is_computing for control in self._controls)

    @property
    def selected_id(self) -> str | None:
        """The id of the selected entry."""
        return self.place.entry_id if self._is_assembled else None

    # What a person does

    def go_to_leaf(self) -> None:
        """Select the current leaf."""
        self.jumps.to_leaf()

    def open_search(self) -> None:
        """Open the search, or go back to its field."""
        self.search_bar.open()

    def show_comparison(self) -> None:
        """Compare the branch of the selected entry with the active path."""
        self.compare.pin(None)
        self._show_in_front(self.compare_tab)

    def compare_from_here(self) -> None:
        """Compare the branch of the selected entry with those of entries that are selected after it."""
        if self.place.row is not None:
            self.compare.pin(self.place.row)
            self._show_in_front(self.compare_tab)

    def show_timeline(self) -> None:
        """Show the context size along the active path; the chart gets the keyboard."""
        self._show_in_front(self.timeline_tab)
        self.timeline_tab.chart.setFocus()

    def take_selected(self) -> None:
        """Go to the selected entry without a summary and without questions."""
        if self.place.row is not None:
            self.navigation.take(self.place.row)

    def show_map(self, shown: bool) -> None:
        """Show or hide the map."""
        self.map_shown = shown
        if self._is_assembled:
            self._show_docks()

    def show_inspector(self, shown: bool) -> None:
        """Show or hide the inspector."""
        self.inspector_shown = shown
        if self._is_assembled:
            self._show_docks()

    def arrange(self, *, fixed: bool) -> None:
        """Have the rows stay where they are wherever the leaf is, or the active path as the trunk."""
        self.document.arrange("fixed" if fixed else "trunk")
        self.said.emit(
            self.tr("The longest branch is the trunk now, wherever you are.")
            if fixed
            else self.tr("The active path is the trunk now.")
        )

    def ask_for_id(self) -> None:
        """Ask for the id of an entry to select."""
        ask_for_text(
            self, self.tr("Go to an entry"), self.tr("Id of the entry, or the beginning of it:"), self.jumps.to_id
        )

    def show_problems(self) -> None:
        """Show what was found in the file."""
        self._show_in_front(self.problems_tab)
        self.problems_tab.list.setFocus()

    def session_name(self) -> str | None:
        """Return the name of the session, None when it has none."""
        store = self.document.store
        return None if store is None else store.session_name

    def show_state(self, status: StatusBar) -> None:
        """Show what is known of this session in the status bar."""
        store, session = self.document.store, self.document.session
        if store is None or session is None:
            return
        status.show_session(store.dialect, store.version, entries_text(store.index.count))
        status.show_problems(len(store.problems))
        status.show_summarizer(self._summarizer)
        saved = self.tr("Read-only") if store.read_only is not None else self.tr("Saved")
        status.show_saved(self.tr("The file is gone") if store.is_gone else saved)
        outline, rows = self.document.outline, self.document.rows
        if self._is_assembled and self.work.show_meter(status):
            return
        if outline is not None and rows is not None and outline.shown_leaf >= 0:
            status.show_context(rows.content(outline.shown_leaf).context, None, None, estimated=True)

    def select_id(self, entry_id: str) -> bool:
        """Select the entry with that id, or the nearest one that the filter shows; False when there is none."""
        index, outline = self.document.index, self.document.outline
        row = index.row_of(entry_id) if index is not None else None
        if row is None or outline is None:
            return False
        nearest = outline.nearest_shown(row)
        return nearest is not None and self.tree.select_entry(nearest, centre=True)

    def show_compaction(self, instructions: str = "") -> None:
        """Show the preview of a compaction; the button that does it gets the keyboard."""
        self.compaction_tab.instructions.setPlainText(instructions)
        self._show_in_front(self.compaction_tab)
        self.compaction_tab.keep.setFocus()

    def navigate_to_selected(self) -> None:
        """Ask how to go to the selected entry, whatever the settings say."""
        self.tree.followers.do_now()
        if self.place.row is not None:
            self.navigation.ask(self.place.row)

    def select_when_ready(self, entry_id: str) -> None:
        """Select the entry with that id, now or when the session has been read."""
        if self._is_assembled and not self.document.is_loading and not self.document.is_laying_out:
            self.select_id(entry_id)
        else:
            self._wanted_id = entry_id

    def take_settings(self) -> None:
        """Show what the settings say now."""
        session = self.document.session
        if session is not None and self._is_assembled:
            self._read_settings(session)
            self.compaction.refresh()
            self.work.meter.refresh()
            self._show_tab()

    def preview_pruning(self) -> None:
        """Show which tool outputs pruning would replace by a notice."""
        self.work.pruning.preview()

    def export_session(self) -> None:
        """Ask how to export the session, and do it."""
        self._open_export(branch_only=False)

    def export_branch(self) -> None:
        """Ask how to export the branch of the selected entry, and do it."""
        self._open_export(branch_only=True)

    def save_copy(self) -> None:
        """Ask where to, and save the session as it is shown; also when its file is gone."""
        self.files.save_copy()

    def show_event_log(self) -> None:
        """Show what the operations of this session reported."""
        self.work.show_log()

    # Inside

    def _steps(self) -> Iterator[Callable[[], None]]:
        yield self._make_composer
        yield self._make_bars
        yield self._make_tree
        yield self._make_inspector
        yield from self.tabs.steps
        yield self._adopt_tabs
        yield self._make_search
        yield self._make_map
        yield self._make_work
        yield self._connect
        yield self._finish_assembly

    def _make_composer(self) -> None:
        self._centre = _Centre(self)
        self.composer = Composer(self._centre)

    def _make_bars(self) -> None:
        self.live = LiveAnswer(self._centre)
        self.banner = Banner(self._centre)
        self.search_bar = SearchBar(self._centre)

    def _make_tree(self) -> None:
        # A window of its own, so that the map can be docked beside the tree, above the composer.
        self.around_tree = QMainWindow(self._centre)
        self.around_tree.setWindowFlags(Qt.WindowType.Widget)
        self.stack = QStackedWidget(self.around_tree)
        self.around_tree.setCentralWidget(self.stack)
        self._empty = label(style="muted")
        self._empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.stack.addWidget(self._empty)
        self.tree = SessionTreeView(self.document.model, self.stack)
        self.stack.addWidget(self.tree)
        self.place = PlaceKeeper(self.document, self.tree)
        column = QVBoxLayout(self._centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.banner)
        column.addWidget(self.search_bar)
        column.addWidget(self.around_tree, 1)
        column.addWidget(self.live)
        column.addWidget(self.composer)
        self.setCentralWidget(self._centre)

    def _make_inspector(self) -> None:
        self.jumps = JumpControl(self.document, self.tree, self.runner, self)
        self.inspector = Dock(self.tr("Inspector"), self)
        self.inspector.setObjectName("inspector")
        self.inspector.setTitleBarWidget(DockTitle(self.inspector, self.tr("Hide the inspector")))
        self.inspector.closed.connect(self._note_closed_inspector)
        areas = Qt.DockWidgetArea
        ends_right = self.layoutDirection() == Qt.LayoutDirection.LeftToRight
        self.addDockWidget(areas.RightDockWidgetArea if ends_right else areas.LeftDockWidgetArea, self.inspector)
        self.tabs = InspectorTabs(self.document, self.runner, self.tree, self.jumps, self.inspector)
        self.inspector.setWidget(self.tabs)
        self.setTabOrder(self.tree, self.tabs)

    def _adopt_tabs(self) -> None:
        tabs = self.tabs
        self.entry_tab, self.entry = tabs.entry_tab, tabs.entry
        self.context_tab, self.context = tabs.context_tab, tabs.context
        self.navigate_tab, self.navigation = tabs.navigate_tab, tabs.navigation
        self.compaction_tab, self.compaction = tabs.compaction_tab, tabs.compaction
        self.compare_tab, self.compare = tabs.compare_tab, tabs.compare
        self.timeline_tab, self.timeline = tabs.timeline_tab, tabs.timeline
        self.problems_tab = tabs.problems_tab

    def _make_search(self) -> None:
        self.search = SearchControl(self.document, self.search_bar, self.tree, self)
        self.costs = CostControl(self.document, self.tree, self)

    def _make_map(self) -> None:
        self.map_dock = MapDock(self.tr("Map"), self.around_tree)
        self.map_view = MapView(self.map_dock)
        self.map_dock.setWidget(self.map_view)
        self.around_tree.addDockWidget(Qt.DockWidgetArea.BottomDockWidgetArea, self.map_dock)
        self.map = MapControl(self.document, self.map_view, self.tree, self.jumps, self)
        self.map_dock.visibilityChanged.connect(self.map.set_shown)
        self.map_dock.closed.connect(self._note_closed_map)

    def _note_closed_map(self) -> None:
        self.map_shown = False
        self.state_changed.emit()
        self.tree.setFocus()

    def _note_closed_inspector(self) -> None:
        self.inspector_shown = False
        self.state_changed.emit()
        self.tree.setFocus()

    def _show_in_front(self, tab: QWidget) -> None:
        """Show a tab, and the inspector if it was closed."""
        if not self.inspector_shown:
            self.show_inspector(True)
            self.state_changed.emit()
        self.tabs.setCurrentWidget(tab)

    def _make_work(self) -> None:
        self.work = SessionWork(self.document, self.runner, self.composer, self.live, self)
        self.work.said.connect(self.said)
        self.work.warned.connect(self.banner.say)
        self.work.followed.connect(self._follow_leaf)
        self.work.changed.connect(self._follow_leaf)
        self.work.measured.connect(self.state_changed)
        self.work.settings_wanted.connect(self.settings_wanted)
        self.files = FileControl(self.document, self.banner, self.problems_tab, self.tabs.show_problems, self)
        self.edits = SessionEdits(self.document, self.runner, self.files, self.place, self)
        self.edits.said.connect(self.said)
        self.notices = LeafNotices(self.document, self.runner, self.banner, self)
        self.notices.said.connect(self.said)
        self.notices.entry_wanted.connect(self._show_in_tree)
        self.notices.moved.connect(lambda result: self._finish_move(result, Asking()))
        self._controls = (
            self.entry, self.navigation, self.compaction, self.context, self.compare, self.timeline,
            self.search, self.costs, self.jumps, self.map, self.work, self.files,
        )  # fmt: skip

    def _finish_assembly(self) -> None:
        self._is_assembled = True
        self._show_docks()
        self.state_changed.emit()
        if self._loads:
            self._begin()

    def _begin(self) -> None:
        """Read the file and how it looked the last time, both at once; show the one when the other is known."""
        self.document.hold()
        self._views.recall(self.document.path, self._take_view)
        self._load()

    def _take_view(self, state: ViewState) -> None:
        self._view = state
        self._restore_view(state)
        self.document.release()

    def _restore_view(self, state: ViewState) -> None:
        """Look as the last time, before anything is shown. The tab follows when there is something to show in it."""
        document = self.document
        if state.filter_mode in get_args(FilterMode):
            document.filter_mode = cast("FilterMode", state.filter_mode)
            self.follows_filter_setting = False
        document.branch_points_only = state.branch_points_only
        document.arrangement = "fixed" if state.arrangement == "fixed" else "trunk"
        self.tree.tree_header.restore(state.columns)
        self.resizeDocks([self.inspector], [self._first_inspector_width()], Qt.Orientation.Horizontal)
        height = self.fontMetrics().height() * MAP_LINES
        self.around_tree.resizeDocks([self.map_dock], [height], Qt.Orientation.Vertical)
        restore_docks(self, state.docks)
        restore_docks(self.around_tree, state.map_docks)
        self._show_docks()
        self.place.want(state)

    def _first_inspector_width(self) -> int:
        wanted = self.fontMetrics().averageCharWidth() * INSPECTOR_CHARACTERS
        return min(wanted, int(self.window().width() * INSPECTOR_SHARE), int(self.width() * TREE_SHARE))

    def _show_docks(self) -> None:
        self.inspector.setVisible(self.inspector_shown and self.is_usable)
        self.map_dock.setVisible(self.map_shown and self.is_usable)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._is_assembled:
            self._show_docks()

    def hideEvent(self, event: QHideEvent) -> None:
        """Another session is in front: docks that are windows of their own would stay."""
        super().hideEvent(event)
        if self._is_assembled:
            for dock in (self.inspector, self.map_dock):
                if dock.isFloating():
                    dock.hide()

    def view_state(self) -> ViewState | None:
        """Return how the session looks now, None while it does not look as the last time yet."""
        document = self.document
        if self._view is None or self.place.is_to_come or self._is_reading:
            return None
        return replace(
            with_docks(self.place.state(), self, self.around_tree),
            filter_mode="" if self.follows_filter_setting else document.filter_mode,
            branch_points_only=document.branch_points_only,
            arrangement=document.arrangement,
            tab=self.tabs.current_name,
            columns=self.tree.tree_header.chosen(),
        )

    def _load(self) -> None:
        self._is_reading = True
        self.entry_tab.set_form(self.entry_form)
        self.banner.show_progress(
            self.tr("Reading {0}…").format(self.document.path.name), 0, 0, self.tr("Stop"), self._stop_loading
        )
        self.document.load()

    def _connect(self) -> None:
        document = self.document
        document.loading.connect(self._show_loading)
        document.ready.connect(self._get_ready)
        document.about_to_lay_out.connect(self.place.remember)
        document.rows_shown.connect(self._restore_place)
        document.laid_out.connect(self._follow_rows)
        document.failed.connect(self._show_failure)
        document.stopped.connect(self._show_stopped)
        self.tree.entry_selected.connect(self.place.note_selection)
        self.tree.follow_selection(self._show_tab)
        self.tree.follow_selection(self._note_selection)
        self.tree.entry_chosen.connect(self.navigation.choose)
        self.tree.entry_taken.connect(self.navigation.take)
        self.tabs.currentChanged.connect(self._show_tab)
        self.navigation.asked.connect(self._show_question)
        self.navigation.moved.connect(self._finish_move)
        self.navigation.said.connect(self.said)
        self.navigate_tab.left.connect(self.tree.setFocus)
        self.compaction.previewed.connect(self._show_gutter)
        self.cut_handle = CutHandle(self.tree, self.document.model, self)
        self.cut_handle.dragged.connect(self.compaction.drag_cut)
        self.compaction.said.connect(self.cut_handle.explain)
        self.compaction.compacted.connect(self._finish_compaction)
        self.compaction.said.connect(self.said)
        self.context_tab.entry_wanted.connect(self.select_id)
        self.entry_tab.entry_wanted.connect(self._show_linked)
        self.entry_tab.form_chosen.connect(self.entry_form_chosen)
        self.entry.said.connect(self.said)
        self.files.said.connect(self.said)
        self.files.entry_wanted.connect(self.select_id)
        self.files.open_wanted.connect(self.open_wanted)
        self.composer.compact_wanted.connect(self.show_compaction)
        self.composer.tree_wanted.connect(self.tree.setFocus)
        self.composer.refused.connect(self.said)
        self.runner.ended.connect(self._finish_run)
        self.search.said.connect(self.said)
        self.search.found_other.connect(self.entry.follow_search)
        self.search_bar.hidden_wanted.connect(lambda: self.filter_wanted.emit("all"))
        self.jumps.said.connect(self.said)
        self.jumps.travelled.connect(lambda: self.composer.arrive(Offer()))
        document.taken_along.connect(self._leave_message)
        self.tree.menu_wanted.connect(self.menu_wanted)
        document.access_changed.connect(self.state_changed)
        self.tree.tree_header.columns_changed.connect(self.state_changed)
        self.tree.tree_header.said.connect(self.said)
        self.questions = QuestionDesk(self.runner, self)
        changes = [signal for dock in (self.inspector, self.map_dock) for signal in dock_changes(dock)]
        changes += [document.laid_out, self.tabs.currentChanged, self.tree.tree_header.columns_changed]
        self._views.follow((*changes, *self.place.changes), self.stack)

    def _show_loading(self, done: int, total: int) -> None:
        if self.document.is_loading:
            text = self.tr("Reading {0}…").format(self.document.path.name)
            self.banner.show_progress(text, done, total, self.tr("Stop"), self._stop_loading)

    def _stop_loading(self) -> None:
        self.document.stop_loading()

    def _get_ready(self) -> None:
        self._is_reading = False
        self.banner.hide()
        store, session = self.document.store, self.document.session
        if store is None or session is None:
            return
        if self._view is not None and self.tabs.currentIndex() == 0:
            self.tabs.show_named(self._view.tab)
        if not self.files.refuses():
            self.notices.say_where_one_is(session)
        self._select_wanted()
        self.compaction.refresh()
        self._read_settings(session)
        self.state_changed.emit()

    def _select_wanted(self) -> None:
        if (wanted := self._wanted_id) is not None:
            self._wanted_id = None
            if not self.select_id(wanted):
                self.said.emit(self.tr("The entry {0} is not in this session.").format(wanted))

    def _read_settings(self, session: AgentSession) -> None:
        """Ask who writes summaries, and which filter the tree starts with."""
        self._reads.start(
            lambda _token: (
                session.summarizers("compaction"),
                session.summarizers("branch"),
                session.settings.tree_filter_mode,
            ),
            self._take_summarizers,
        )

    def _take_summarizers(self, found: tuple[list[SummarizerInfo], list[SummarizerInfo], FilterMode]) -> None:
        for_compactions, for_branches, filter_mode = found
        if self.follows_filter_setting:
            self.document.set_filter(filter_mode)
        self.compaction_tab.show_summarizers(for_compactions)
        self.navigate_tab.show_summarizers(for_branches)
        self._summarizer = for_branches[0]
        self.state_changed.emit()

    def _show_in_tree(self, entry_id: str) -> None:
        self.select_id(entry_id)
        self.tree.setFocus()

    def _restore_place(self, stays: bool) -> None:
        index, outline = self.document.index, self.document.outline
        if index is None or outline is None:
            return
        self._set_usable(True)
        self._empty.setText(
            self.tr("This session has no entries yet.") if not index.count else self.tr("No entry passes this filter.")
        )
        if self.stack.currentWidget() is self._empty and self.document.model.rowCount():
            self.stack.setCurrentWidget(self.tree)
            self.tree.setFocus()
        elif not self.document.model.rowCount():
            self.stack.setCurrentWidget(self._empty)
        paint_next_turn(self.tree.viewport())
        self.place.restore(stays)
        self.jumps.note_layout()

    def _follow_rows(self) -> None:
        paint_next_turn(self.tree.viewport())
        self.compaction.repaint()
        self.timeline.refresh()
        self.notices.look_for_newest()
        self.state_changed.emit()

    def _show_tab(self, *_: object) -> None:
        self.tabs.show_entry(self.place.row)

    def _note_selection(self) -> None:
        self.compaction.note_selection(self.place.row)

    def _show_linked(self, entry_id: str) -> None:
        """Go to an entry that the text of another one leads to; the tab shows it even where the filter hides it."""
        index = self.document.index
        row = index.row_of(entry_id) if index is not None else None
        if row is None:
            self.said.emit(self.tr("The entry {0} is not in this session.").format(entry_id))
        else:
            self.jumps.to_row(row, take_focus=False)
            self.tree.followers.do_now()
            self.entry.show_entry(row)

    def _show_question(self) -> None:
        self._show_in_front(self.navigate_tab)
        self.navigate_tab.ask()

    def _show_gutter(self) -> None:
        rows = self.document.rows
        if rows is not None:
            rows.show_groups(*self.compaction.gutter(), self.compaction.cut_owner)
            self.tree.viewport().update()

    def _finish_move(self, result: NavigationResult, asking: Asking) -> None:
        self.jumps.note_move()
        self.place.go_along(result.leaf_id)
        self.composer.arrive(Offer(result.editor_text or "", result.editor_images, result.editor_images_left_out))
        self.document.refresh()
        self.compaction.refresh()
        session = self.document.session
        at_end = session is not None and session.leaf_id == session.resume_leaf_id
        said = move_sentence(result, at_end=at_end)
        if asking.kept is not None:
            said = f"{kept_sentence(asking.kept, self._what_asks())} {said}"
        elif asking.was_skipped:
            said = unasked_sentence(result, self._what_asks())
        self.said.emit(said)
        self.tree.setFocus()

    def _what_asks(self) -> str:
        """The key of the command that always asks how to go, its name where it has no key."""
        action = self.window().findChild(QAction, "navigate_to_selected")
        key = "" if action is None else action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        return key or self.tr("“Navigate to the selected entry…”")

    def _follow_leaf(self) -> None:
        """The session went on: go along with it."""
        if self.document.session is not None:
            self.place.go_along(self.document.session.leaf_id)
            self.document.refresh()
            self.compaction.refresh()

    def _leave_message(self) -> None:
        """Another program has gone on from the leaf: a message that was put into the composer there makes way."""
        if not self.runner.is_running:  # else it may be the one that is being sent
            self.composer.arrive(Offer())

    def _finish_compaction(self, result: CompactionResult) -> None:
        self.place.go_along(result.entry_id)
        self.document.refresh()
        self.compaction.refresh()
        self.said.emit(
            self.tr(
                "Compacted: one entry was added, nothing was deleted. To work without it, go to the entry before it."
            )
        )
        if self.compaction_tab.footer.stop_button.hasFocus():  # nothing is left there to be done
            self.tree.setFocus()

    def _finish_run(self, outcome: Outcome) -> None:
        if isinstance(outcome.value, NoModelError):
            self.banner.say(
                outcome.text, self.tr("Set up a model…"), lambda: self.settings_wanted.emit(MODEL_SETTINGS_PAGE)
            )
        elif outcome.kind == "failed" and not self.files.explains(outcome):
            self.banner.say(outcome.text)
        elif outcome.kind == "aborted":
            self.said.emit(self.tr("Stopped. Nothing was written, and you are where you were."))
            self.tree.setFocus()
        if outcome.kind != "done":
            self.notices.go_along()
        elif (store := self.document.store) is not None and (upgrade := store.take_upgrade()) is not None:
            self.banner.say(upgrade.message)
        self.state_changed.emit()

    def _open_export(self, *, branch_only: bool) -> None:
        if self.exports is None:  # made when it is wanted for the first time
            self.exports = import_module("gui.export_control").ExportControl(self.document, self)
            self.exports.said.connect(self.said)
        name = self.session_name() or self.document.path.stem
        self.exports.open(name, self.place.entry_id, branch_only=branch_only)

    def _show_failure(self, sentence: str) -> None:
        told = self.tr("{0} was not opened. {1}").format(self.document.path.name, sentence)
        self.banner.say(told, self.tr("Read it again"), self._load)
        self._empty.setText(self.tr("Nothing to show."))
        self._set_usable(self.document.store is not None)
        self.state_changed.emit()

    def _set_usable(self, is_usable: bool) -> None:
        """Hide what needs a session while there is none."""
        if is_usable != self.is_usable:
            self.is_usable = is_usable
            self.composer.setVisible(is_usable)
            self._show_docks()
            if not is_usable:
                if self.search_bar.isVisible():
                    self.search_bar.leave()
                self.banner.action.setFocus()

    def _show_stopped(self) -> None:
        if self.document.is_loading:
            self._is_reading = False
            self.banner.say(self.tr("Reading was stopped."), self.tr("Read it again"), self._load)
