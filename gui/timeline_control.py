"""Feeds the *Timeline* tab: the sizes along the active path, worked out on a worker while the tab can be seen."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject

from gui.inspector.timeline_tab import TimelineTab
from gui.jump_control import JumpControl
from gui.latest_job import LatestJob
from gui.session_document import SessionDocument
from gui.session_tree_view import SessionTreeView
from model.context_timeline import ContextTimeline, compaction_marks, recorded_size
from model.entries import message_of
from model.entry_index import EntryIndex
from model.entry_kinds import Kind, Role
from model.runs import Rows
from model.triggers import compaction_threshold
from services.agent_session import AgentSession
from services.cancellation import CancellationToken

CHECK_EVERY = 256  # entries between two looks at the token

Recorded = Mapping[int, float]
"""By entry row what an answer recorded; NaN when it recorded nothing."""


class TimelineControl(QObject):
    """Connects the *Timeline* tab of one document."""

    def __init__(
        self,
        document: SessionDocument,
        tab: TimelineTab,
        tree: SessionTreeView,
        jumps: JumpControl,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._tab = tab
        self._tree = tree
        self._jumps = jumps
        self._jobs = LatestJob(self)
        self._recorded: tuple[int, Recorded] = (-1, {})  # of a generation of the index
        self._rows: Rows = np.empty(0, np.int32)
        self._index: EntryIndex | None = None  # of which the rows are
        self._shown = False
        self._chosen: tuple[int | None, int] | None = None  # the row selected in the tree, and the place chosen
        self._state: object = None
        tab.place_chosen.connect(self._choose)
        tab.chart.left.connect(tree.setFocus)
        tree.follow_selection(self._show_selected)

    @property
    def is_computing(self) -> bool:
        """Whether the sizes are still to come."""
        return self._jobs.running

    def set_shown(self, shown: bool) -> None:
        """Work out the sizes only while the tab can be seen."""
        self._shown = shown
        self.refresh()

    def refresh(self) -> None:
        """Look again: entries, leaf or settings may have changed."""
        session, index, outline, rows = (
            self._document.session, self._document.index, self._document.outline, self._document.rows
        )  # fmt: skip
        if not self._shown or session is None or index is None or outline is None or rows is None:
            return
        state = (index, outline.leaf)
        if state == self._state:
            return
        self._state = state
        known = self._recorded[1] if self._recorded[0] == index.generation else {}
        path, context = outline.trunk, rows.context
        if not len(self._rows):
            self._tab.show_waiting()

        def show(found: tuple[ContextTimeline, Recorded]) -> None:
            timeline, recorded = found
            self._recorded = (index.generation, recorded)
            self._rows, self._index = timeline.rows, index
            self._tab.show_timeline(timeline)
            self._chosen = None
            self._show_selected()

        self._jobs.start(
            lambda token: _timeline(session, index, path, context, known, token), show, self._tab.show_failure
        )

    def close(self) -> None:
        """Drop what is being worked out."""
        self._jobs.close()

    def _show_selected(self, *_: object) -> None:
        row = self._tree.current_entry()
        if self._chosen is not None and self._chosen[0] == row:
            return  # what was chosen here, though the filter hides it
        self._chosen = None
        places = np.flatnonzero(self._rows == row).tolist() if row is not None and self._shown else []
        self._tab.chart.show_selected(places[0] if places else None)

    def _choose(self, place: int) -> None:
        if place < len(self._rows):
            self._jumps.to_row(int(self._rows[place]), self._index, take_focus=False)
            self._chosen = (self._tree.current_entry(), place)
            self._tab.chart.show_selected(place)  # also where the filter hides it


def _timeline(
    session: AgentSession,
    index: EntryIndex,
    path: Rows,
    context: NDArray[np.int64] | None,
    known: Recorded,
    token: CancellationToken,
) -> tuple[ContextTimeline, Recorded]:
    estimated = np.full(len(path), np.nan)
    if context is not None:
        estimated = np.where(context[path] < 0, np.nan, context[path].astype(np.float64))
    recorded = dict(known)
    answers = np.flatnonzero(index.role[path] == Role.ASSISTANT)
    for number, row in enumerate(path[answers].tolist()):
        if number % CHECK_EVERY == 0:
            token.raise_if_set()
        if row not in recorded:
            size = recorded_size(message_of(session.store.entry(row, index)), session.rules)
            recorded[row] = np.nan if size is None else size
    sizes = np.full(len(path), np.nan)
    sizes[answers] = [recorded[row] for row in path[answers].tolist()]
    model, window = _model_and_window(session, index, path, answers)
    settings = session.settings.compaction.for_model(model)
    threshold = None
    if window is not None and settings.is_automatic:
        threshold = compaction_threshold(window, settings, session.rules)
    marks = compaction_marks(estimated, index.kind[path] == Kind.COMPACTION)
    return ContextTimeline(path, estimated, sizes, marks, model, window, threshold), recorded


def _model_and_window(
    session: AgentSession, index: EntryIndex, path: Rows, answers: NDArray[np.intp]
) -> tuple[str, int | None]:
    """The model of the last answer, else the one of the settings, and its context window in tokens."""
    model = session.settings.model
    configured = session.catalog.size(model.model_id).context_window if model.model_id else None
    if len(answers):
        message = message_of(session.store.entry(int(path[answers[-1]]), index)) or {}
        provider, model_id = message.get("provider"), message.get("model")
        if isinstance(model_id, str) and model_id:
            window = model.context_window if model_id == model.model_id else None
            window = window or session.catalog.size(model_id).context_window
            if window is not None:
                return f"{provider}/{model_id}" if isinstance(provider, str) else model_id, window
    return f"{model.provider}/{model.model_id}" if model.model_id else "", model.context_window or configured
