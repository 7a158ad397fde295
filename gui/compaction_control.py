"""The preview of a compaction: the cut under the slider at once, the details a moment later, and the act itself."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QCoreApplication, QObject, QTimer, Signal

from gui.entry_names import entry_place
from gui.inspector.compaction_tab import CompactionDetails, CompactionTab, PromptText
from gui.inspector.stored_summary import StoredSummary
from gui.latest_job import LatestJob
from gui.number_text import full_count
from gui.operation_runner import OperationRunner
from gui.row_content import CutOwner, Group
from gui.session_document import SessionDocument
from gui.summary_run import SummaryRun
from model.compaction import CompactionPreparation, NothingToCompact, prepare_compaction
from model.context import latest_compaction
from model.cut_preview import CutPreview, PreviewedCut
from model.entry_index import EntryIndex
from model.entry_kinds import Kind
from model.file_operations import compute_file_lists
from model.json_text import JsonObject
from model.messages import text_field
from model.outline import Outline
from model.rules import PRESETS
from model.runs import Rows, Runs
from services.agent_session import AgentSession
from services.cancellation import CancellationToken
from services.compaction import compaction_prompts
from services.compaction_forecast import CompactionForecast, forecast
from services.compaction_run import model_settings, run_settings
from services.made_cuts import MadeCut, latest_compaction_row, read_made_cut
from services.operations import CompactionOptions, CompactionResult
from services.session_snapshot import let_go

translate = QCoreApplication.translate

DETAILS_DELAY_MS = 150
AGENT_RULES = {"pi": ("Pi", "pi-1.6"), "omp": ("OMP", "omp-13.19")}


class CompactionControl(SummaryRun):
    """Connects the *Compaction* tab of one document.

    While nothing is previewed, the gutter shows a compaction that was made: the selected one, else the latest on the
    active path. Signals: `previewed` when the gutter changed; `compacted` (CompactionResult).
    """

    previewed = Signal()
    compacted = Signal(object)

    def __init__(
        self, document: SessionDocument, tab: CompactionTab, runner: OperationRunner, parent: QObject | None = None
    ) -> None:
        super().__init__(document, tab, runner, parent)
        self._tab = tab
        self._surveys = LatestJob(self)
        self._detail_jobs = LatestJob(self)
        self._made_jobs = LatestJob(self)
        self._made: _Made | None = None
        self._made_of: tuple[int, int] | None = None  # generation of the index, and row of the compaction
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(DETAILS_DELAY_MS)
        self._delay.timeout.connect(self._find_details)
        self._cuts: CutPreview | None = None
        self._cuts_of = -1  # generation of the index
        self._path: Rows = np.empty(0, np.int32)
        self._cut: PreviewedCut | None = None
        self._shown = False
        self._stale = True
        self._selected: int | None = None
        self._keep_of_settings: int | None = None
        tab.imagined.connect(self.refresh)
        tab.keep_changed.connect(self._show_cut)
        tab.compact_wanted.connect(self.compact)

    def set_shown(self, shown: bool) -> None:
        """Preview only while the tab can be seen; the gutter shows the cut meanwhile."""
        if shown != self._shown:
            self._shown = shown
            if shown and self._stale:
                self.refresh()
            self.previewed.emit()

    def note_selection(self, row: int | None) -> None:
        """Entry `row` is selected: where the leaf may be imagined."""
        changed, owner = row != self._selected, self.cut_owner
        self._selected = row
        if changed:
            self._look_for_made()
        if self.cut_owner != owner:
            self.previewed.emit()
        if changed and self._tab.imagine.isChecked() and not self._tab.footer.is_running:
            self.refresh()

    def drag_cut(self, row: int) -> None:
        """Move the cut to entry `row`, or to the nearest cut point behind it, and say why when it cannot be there."""
        cuts = self._cuts
        if cuts is None:
            return
        places = np.flatnonzero(self._path == row)
        if not len(places):
            self.said.emit(self.tr("The cut stays on the path to the leaf."))
            return
        place = int(places[0])
        keep = cuts.keep_tokens_for(place)
        if keep is None:
            is_summarized = place < cuts.start
            self.said.emit(
                self.tr("What lies there is already summarised.")
                if is_summarized
                else self.tr("A cut there would leave nothing to summarise.")
            )
            return
        self._tab.keep.setValue(keep)
        why = {
            "outside the window": self.tr("What lies before is already summarised: the cut moved to the next place."),
            "belongs to the message before": self.tr("A tool result stays with its call: the cut moved further."),
            "no message": self.tr("Settings and labels go with the message behind them: the cut moved there."),
            None: self.tr("Keeps {0} tokens.").format(full_count(self._tab.keep.value())),
        }
        self.said.emit(why[cuts.obstacle(place)])

    def refresh(self, *_: object) -> None:
        """Look at the path again: the leaf, the session or the settings changed."""
        self._stale = True
        self._surveys.drop()
        self._detail_jobs.drop()
        self._delay.stop()
        self._cuts, self._cut = None, None
        session, index, graph = self.document.session, self.document.index, self.document.graph
        leaf = self._leaf_row()
        if not self._shown or session is None or index is None or graph is None or leaf >= len(graph.runs.parent):
            self.previewed.emit()  # a leaf that is not laid out yet: `repaint` comes back to it
            return
        self._stale = False
        self._cuts_of = index.generation
        self._surveys.start(
            lambda _token: _survey(session, index, graph.runs.path(leaf)), self._show_survey, self._show_failure
        )

    def gutter(self) -> tuple[NDArray[np.uint8] | None, int | None]:
        """Return the group of each entry row and the entry row above which the cut is drawn; None for no compaction."""
        outline, index = self.document.outline, self.document.index
        if outline is None or index is None:
            return None, None
        if self._is_previewing and self._cuts_of != index.generation:
            return None, None  # the file was replaced: what was found out is about other entries
        if self._is_previewing and self._cut is not None and self._cuts is not None:
            cut = self._cut.cut
            places = (self._cuts.start, cut.history_end_index, cut.first_kept_index)
            groups = _groups(len(outline.visible), self._path, *places)
            return groups, _first_shown(self._path[cut.first_kept_index :], outline)
        made = self._made
        if self._is_previewing or made is None or made.generation != index.generation:
            return None, None
        groups = made.groups[: len(outline.visible)]
        if len(groups) < len(outline.visible):  # entries came since
            groups = np.concatenate((groups, np.zeros(len(outline.visible) - len(groups), np.uint8)))
        return groups, _first_shown(made.cut.path[made.cut.kept :], outline)

    @property
    def cut_owner(self) -> CutOwner:
        """Whose cut the gutter shows."""
        if self._is_previewing or self._made is None:
            return "preview"
        return "selected" if self._made.cut.compaction == self._selected else "latest"

    def repaint(self) -> None:
        """Colour the gutter again after the rows changed."""
        self._look_for_made()
        index = self.document.index
        if index is not None and index.generation != self._cuts_of:
            self._stale = True
        if self.document.session is not None and self._shown and self._stale:
            self.refresh()
        self.previewed.emit()

    def compact(self, options: CompactionOptions) -> None:
        """Run the compaction that is previewed."""
        session = self.document.session
        if session is None or self.runner.stop_then(lambda: self.compact(options)):
            return  # a running turn is stopped first (CP-2)

        def run(token: CancellationToken, report: Callable[[object], None]) -> Coroutine[Any, Any, CompactionResult]:
            asked = self.reading_first(options, report) if reads_first else options
            return session.compact(asked, token, report)

        reads_first = self._tab.review.isChecked()
        more = partial(self.compact, replace(options, room=options.room * 2))
        self.start(self.tr("Compacting"), run, self.compacted.emit, more)

    @property
    def is_computing(self) -> bool:
        """Whether a preview is still to come."""
        running = self._surveys.running or self._detail_jobs.running or self._made_jobs.running
        return running or self._delay.isActive() or self._tab.is_showing

    def close(self) -> None:
        """Drop what is being computed."""
        self._delay.stop()
        self._surveys.close()
        self._detail_jobs.close()
        self._made_jobs.close()

    @property
    def _is_previewing(self) -> bool:
        """Whether the gutter is the tab's, which may still have to find the cut."""
        return self._shown and (self._cut is not None or self._surveys.running)

    def _look_for_made(self) -> None:
        """Find out where the compaction has cut that the gutter is to show."""
        session, index, graph = self.document.session, self.document.index, self.document.graph
        if session is None or index is None or graph is None:
            return
        compaction = self._shown_compaction(index, graph.runs)
        wanted = None if compaction is None else (index.generation, compaction)
        if wanted == self._made_of:
            return
        self._made_of = wanted
        self._made_jobs.drop()
        if compaction is None:
            self._show_made(None)
            return
        self._made_jobs.start(
            lambda _token: _made(session, index, graph.runs, compaction),
            self._show_made,
            lambda _sentence: self._show_made(None),
        )

    def _shown_compaction(self, index: EntryIndex, runs: Runs) -> int | None:
        selected, outline = self._selected, self.document.outline
        if selected is not None and selected < index.count and index.kind[selected] == Kind.COMPACTION:
            return selected
        return None if outline is None else latest_compaction_row(index, runs, outline.leaf)

    def _show_made(self, made: _Made | None) -> None:
        self._made = made
        self.previewed.emit()

    def _leaf_row(self) -> int:
        """Where the leaf is, or is imagined."""
        if self._tab.imagine.isChecked() and self._selected is not None:
            return self._selected
        return self.document.leaf_row

    def _imagined_place(self) -> str:
        """The name of the entry where the leaf is only imagined, empty when it is there."""
        index, row = self.document.index, self._leaf_row()
        return (
            entry_place(self.document, index.id_of(row)) if index is not None and row != self.document.leaf_row else ""
        )

    def _show_survey(self, survey: _Survey) -> None:
        path, self._cuts = survey.path, survey.cuts
        self._tab.stored.show_summary(survey.stored, unfolded=survey.cuts is None)
        if path[-1:].tolist() != self._path[-1:].tolist():
            self._tab.stream.drop()  # what a failed run had written was about another branch
        self._path = path
        if self._cuts is None:
            self._cut = None
            self._tab.show_nothing(
                self.tr("This branch is already compacted"),
                self.tr("Its last entry is a compaction. Continue the session, or go to another branch first."),
            )
            self.previewed.emit()
            return
        keep = survey.keep_tokens
        if keep == self._keep_of_settings:
            keep = self._tab.keep.value()  # what was chosen counts on, wherever the leaf is
        else:
            self._keep_of_settings = keep
        self._tab.show_range(keep, max(self._cuts.window_tokens, 2))
        self._show_cut(self._tab.keep.value())

    def _show_cut(self, keep: int) -> None:
        if self._cuts is None:
            return
        self._cut = self._cuts.at(keep)
        self._tab.show_cut(self._cut, self._imagined_place())
        self._detail_jobs.drop()
        self._tab.show_details(None)
        self._tab.show_forecast(None)
        self.previewed.emit()
        if self._cut is not None:
            self._delay.start()

    def _find_details(self) -> None:
        session, index = self.document.session, self.document.index
        is_of_rows = index is not None and self._cuts_of == index.generation and len(self._path)
        if session is not None and index is not None and self._cut is not None and is_of_rows:
            leaf_id = index.id_of(int(self._path[-1]))  # that of the cut, wherever the file has gone on to since
            keep = self._tab.keep.value()
            instructions = self._tab.options().instructions
            self._detail_jobs.follow(
                lambda token, report: _look_into(session, leaf_id, keep, instructions, token, report),
                self._show_details,
                self._tab.show_forecast,
                self._show_failure,
            )

    def _show_details(self, details: CompactionDetails | None) -> None:
        self._tab.show_details(details)
        if details is None:
            self._tab.compact.setEnabled(False)

    def _show_failure(self, sentence: str) -> None:
        self._tab.show_nothing(self.tr("The cut could not be worked out"), sentence)


def _groups(count: int, path: Rows, start: int, prefix: int, kept: int) -> NDArray[np.uint8]:
    """The group of each of `count` entry rows, given the places of `path` where a cut begins something."""
    groups = np.zeros(count, np.uint8)
    groups[path[start:prefix]] = Group.SUMMARIZED
    groups[path[prefix:kept]] = Group.TURN_PREFIX
    groups[path[kept:]] = Group.KEPT
    return groups


def _first_shown(rows: Rows, outline: Outline) -> int | None:
    shown = rows[outline.visible[rows]]
    return int(shown[0]) if len(shown) else None


@dataclass(frozen=True, slots=True)
class _Made:
    """A cut that was made, and the group of each entry row that there was."""

    cut: MadeCut
    groups: NDArray[np.uint8]
    generation: int
    """Of the index that the rows are of."""


def _made(session: AgentSession, index: EntryIndex, runs: Runs, compaction: int) -> _Made:
    cut = read_made_cut(session.store, index, runs, compaction, session.rules)
    groups = _groups(index.count, cut.path[:-1], cut.start, cut.prefix, cut.kept)
    return _Made(cut, groups, index.generation)


@dataclass(frozen=True, slots=True)
class _Survey:
    """What is known of a path once its entries are read."""

    path: Rows
    cuts: CutPreview | None
    keep_tokens: int
    stored: StoredSummary | None


def _survey(session: AgentSession, index: EntryIndex, path: Rows) -> _Survey:
    entries = session.store.entries(path.tolist(), index)
    settings = model_settings(session, entries)
    cuts = CutPreview.of(entries, settings)
    stored = _latest_summary(entries)
    let_go(entries)
    return _Survey(path, cuts, settings.keep_recent_tokens, stored)


def _latest_summary(path: Sequence[JsonObject]) -> StoredSummary | None:
    """What the latest compaction of a path says, which the next one continues."""
    last = latest_compaction(path)
    if last is None:
        return None
    return StoredSummary(text_field(path[last], "summary"), text_field(path[last], "shortSummary") or None)


def _look_into(
    session: AgentSession,
    leaf_id: str,
    keep: int,
    instructions: str | None,
    token: CancellationToken,
    report: Callable[[CompactionDetails | None], None],
) -> CompactionForecast | None:
    """Report the details of a cut, and return what it will come to, which takes longer."""
    with session.snapshot().decoded_path(leaf_id) as path:
        return _looked_into(session, path, keep, instructions, token, report)


def _looked_into(
    session: AgentSession,
    path: list[JsonObject],
    keep: int,
    instructions: str | None,
    token: CancellationToken,
    report: Callable[[CompactionDetails | None], None],
) -> CompactionForecast | None:
    settings = run_settings(session, path, keep)
    preparation = prepare_compaction(path, settings, session.rules)
    if isinstance(preparation, NothingToCompact):
        report(None)
        return None
    report(_details(path, preparation, session, instructions, token))
    return forecast(preparation, path, session.store.dialect, session.rules)


def _details(
    path: list[JsonObject],
    preparation: CompactionPreparation,
    session: AgentSession,
    instructions: str | None,
    token: CancellationToken,
) -> CompactionDetails:
    token.raise_if_set()
    name, preset = AGENT_RULES[session.store.dialect]
    theirs = prepare_compaction(path, preparation.settings, PRESETS[preset])
    token.raise_if_set()
    files = compute_file_lists(preparation.file_ops)
    requests = compaction_prompts(preparation, instructions, session.rules)
    return CompactionDetails(
        read_files=files.read_files,
        modified_files=files.modified_files,
        prompts=tuple(PromptText(each.pass_name, each.prompt, each.system_prompt) for each in requests),
        notices=tuple(_notices(preparation)),
        agent_note=_agent_note(name, theirs, preparation),
    )


def _notices(preparation: CompactionPreparation) -> list[str]:
    notices: list[str] = []
    if preparation.is_split_turn:
        count = len(preparation.turn_prefix.messages)
        notices.append(
            translate(
                "CompactionControl",
                "This cut splits a turn. The turn is larger than what is kept; "
                "its first message gets a summary of its own.",
            )
            if count == 1
            else translate(
                "CompactionControl",
                "This cut splits a turn. The turn is larger than what is kept; "
                "its first {0} messages get a summary of their own.",
            ).format(full_count(count))
        )
    dropped = preparation.unsummarized_dropped
    if dropped.messages:
        notices.append(
            translate(
                "CompactionControl",
                "1 message ({0} tokens) that the last compaction kept would leave the context without being "
                "summarised. That is how OMP does it; the setting compaction.boundary = sinceKept includes it.",
            ).format(full_count(dropped.tokens))
            if len(dropped.messages) == 1
            else translate(
                "CompactionControl",
                "{0} messages ({1} tokens) that the last compaction kept would leave the context without being "
                "summarised. That is how OMP does it; the setting compaction.boundary = sinceKept includes them.",
            ).format(full_count(len(dropped.messages)), full_count(dropped.tokens))
        )
    return notices


def _agent_note(name: str, theirs: CompactionPreparation | NothingToCompact, ours: CompactionPreparation) -> str:
    """What the agent itself would do with this session, in a sentence."""
    if isinstance(theirs, NothingToCompact):
        return translate("CompactionControl", "{0} itself would find nothing to compact here.").format(name)
    if theirs.first_kept_entry_id == ours.first_kept_entry_id and theirs.is_split_turn == ours.is_split_turn:
        return translate("CompactionControl", "{0} itself would cut here too.").format(name)
    return translate("CompactionControl", "{0} itself would keep from entry {1} on: {2} tokens.").format(
        name, theirs.first_kept_entry_id, full_count(theirs.keep.tokens)
    )
