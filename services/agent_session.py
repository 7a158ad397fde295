"""`AgentSession`: one open session at work. It owns the file, the leaf and the settings; one operation runs at a time.

It knows neither Qt nor threads of its own: its operations are coroutines that run wherever the caller's event loop
runs, and what only reads may be called from any thread. Reading a long path decodes many entries, so a window calls it
from a worker.
"""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from model.context import SessionContext, path_context
from model.interruptions import interruptible
from model.json_text import JsonObject
from model.rules import BRANCHWORK, Rules
from model.runs import NO_ROW
from model.sentences import Sentence
from model.token_estimates import ContextFigures, ContextUsage, context_figures, context_usage
from services.cancellation import CancellationToken
from services.errors import BusyError, ServiceError
from services.keys import KeyStore
from services.model_catalog import ModelCatalog, model_catalog
from services.operations import (
    Boundary,
    CompactionOptions,
    CompactionResult,
    NavigationOptions,
    NavigationPreview,
    NavigationResult,
    SummarizerInfo,
)
from services.running_turns import RunningTurns
from services.session_events import Emit
from services.session_keys import session_key
from services.session_snapshot import SessionSnapshot
from services.session_store import SessionStore, StoreChange
from services.summarizers.choice import Kind, Summarizers
from services.summarizers.prompt_size import about_tokens
from services.summarizers.secret_gate import AskAboutSecrets, SecretGate
from services.writer_gate import AskAboutWriter, WriterGate

if TYPE_CHECKING:
    from model.compaction import CompactionPreparation, NothingToCompact
    from model.entry_index import EntryIndex
    from model.settings import EffectiveSettings
    from model.summary_requests import SummaryRequest
    from model.turn_messages import AttachedImage
    from services.agent_turns import TurnResult
    from services.hooks import Hooks

RESUME_POINT_TYPE: Final = "branchwork.resume-point"


class PositionMemory(Protocol):
    """Remembers where the user was in each session, by `session_key` (TN-11)."""

    def recall(self, key: str, earlier_key: str = "") -> tuple[str | None, int] | None:
        """Return the leaf id that was left and the entry count of then, None when nothing is known.

        `earlier_key` is the name that the session had here before: what is kept there is found once.
        """

    def remember(self, key: str, leaf_id: str | None, entry_count: int) -> None:
        """Keep the position for the next time."""


class Operation:
    """One maintenance operation: what a late result is told from a current one by."""

    def __init__(self, token: CancellationToken) -> None:
        self.token = token


class AgentSession:
    """One session: its store, its current leaf, and the operations that change it (TN-9, CP-18, CP-24).

    `settings` gives the effective settings; they are read before each operation and kept for it. `hooks` may be a
    function that loads the extensions when they are first needed. `clock` gives Unix time in seconds. `memory`
    remembers the position between runs of the program; without it, and whenever the file has grown, a session starts at
    the last entry of its file (SF-10). `ask_about_secrets` decides about likely secrets in a text for another machine;
    without it such a text isn't sent. `ask_about_writer` decides about writing beside another program; without it
    nobody is asked.
    """

    def __init__(
        self,
        store: SessionStore,
        settings: "Callable[[], EffectiveSettings]",
        *,
        hooks: "Hooks | Callable[[], Hooks | None] | None" = None,
        memory: PositionMemory | None = None,
        clock: Callable[[], float] = time.time,
        keys: KeyStore | None = None,
        catalog: ModelCatalog | None = None,
        ask_about_secrets: AskAboutSecrets | None = None,
        ask_about_writer: AskAboutWriter | None = None,
        rules: Rules = BRANCHWORK,
    ) -> None:
        self.store = store
        self._hooks = hooks
        self.catalog = catalog or model_catalog()
        self.keys = keys or KeyStore(catalog=self.catalog)
        self.secret_gate = SecretGate(ask_about_secrets)
        self.rules = rules
        self._settings = settings
        self._memory = memory
        self._clock = clock
        self._lock = threading.RLock()
        self._operation: Operation | None = None
        self._snapshot: SessionSnapshot | None = None
        self.turns = RunningTurns()
        self.left_out: set[str] = set()  # ids of failed answers that are in the file, not in the live messages (CP-2.4)
        remembered = memory.recall(self._memory_key, store.session_id) if memory else None
        self.leaf_id: str | None = self._first_leaf(remembered)
        self.writer_gate = WriterGate(
            store, clock, ask_about_writer, self._last_foreign_write(remembered), self.catch_up
        )
        self._seen_count = store.index.count  # of entries, when the leaf was looked at last

    # --- Position ----------------------------------------------------------------------------------------------------

    @property
    def settings(self) -> "EffectiveSettings":
        """The settings as they are now."""
        return self._settings()

    @property
    def hooks(self) -> "Hooks | None":
        """The handlers of the extensions. Where they are given as a function, the first use loads them."""
        if callable(self._hooks):
            self._hooks = self._hooks()
        return self._hooks

    @property
    def resume_leaf_id(self) -> str | None:
        """Where an agent would resume: the last entry of the file (SF-10)."""
        return self.snapshot().last_entry_id

    @property
    def busy(self) -> bool:
        """Whether a maintenance operation runs. One that was told to stop doesn't count: it can't write any more."""
        operation = self._operation
        return operation is not None and not operation.token.is_set()

    def snapshot(self) -> SessionSnapshot:
        """Return the present state of the entries; the same object while nothing was added."""
        current = self._snapshot
        if current is None or current.index is not self.store.index:
            current = self._snapshot = SessionSnapshot(self.store)
        return current

    def move_leaf(self, leaf_id: str | None) -> None:
        """Make `leaf_id` the current leaf, in memory only (TN-11). Raises UnknownEntryError."""
        self.snapshot().row(leaf_id)
        self.leaf_id = leaf_id
        self._seen_count = self.store.index.count
        if self._memory is not None:
            self._memory.remember(self._memory_key, leaf_id, self.store.index.count)

    def note_copy(self, path: Path) -> None:
        """Note that the session was copied to `path`, so that nobody else is taken for who wrote last into the copy."""
        if self._memory is not None:
            key = session_key(path, self.store.session_id)
            self._memory.remember(key, self.resume_leaf_id, self.store.index.count)

    def take_in(self, change: StoreChange) -> None:
        """Note what another program did to the file: the leaf stays where its entry still exists (SF-11.5)."""
        if change.kind not in ("none", "deleted"):
            self.writer_gate.note_write()
        if self.leaf_id is not None and self.store.index.row_of(self.leaf_id) is None:
            self.leaf_id = self.snapshot().last_entry_id

    def catch_up(self) -> None:
        """Go along with a program that went on from the leaf, where that was the end of the file: what is written
        next belongs behind what it wrote. Not while an operation runs, which began at a leaf of its own.
        """
        with self._lock:
            if self.busy:
                return
            index, leaf_id = self.store.index, self.leaf_id
            seen, self._seen_count = self._seen_count, index.count
            row = NO_ROW if leaf_id is None else index.row_of(leaf_id)
            if row is None:
                self.leaf_id = self.snapshot().last_entry_id
            elif row == seen - 1 < index.count - 1 and _leads_from(row, index):
                self.leaf_id = index.id_of(index.count - 1)

    # --- Reading -----------------------------------------------------------------------------------------------------

    def context(self, leaf_id: str | None) -> SessionContext:
        """Return what the model would see with the leaf at `leaf_id` (CB-1). Decodes the whole path."""
        return path_context(self.snapshot().path(leaf_id), self.rules)

    def context_figures(self, leaf_id: str | None) -> ContextFigures:
        """Return the sizes of the context at `leaf_id`, told apart (CB-11). Decodes the whole path."""
        path = self.snapshot().path(leaf_id)
        return context_figures(path, path_context(path, self.rules).projection, self.rules)

    def context_usage(self, leaf_id: str | None, context_window: int) -> ContextUsage | None:
        """Return the size of the context at `leaf_id` against a window of that many tokens (CB-11)."""
        path = self.snapshot().path(leaf_id)
        return context_usage(path, path_context(path, self.rules).projection, context_window, self.rules)

    def summarizers(self, kind: Kind = "compaction") -> list[SummarizerInfo]:
        """Return who can write a summary with the present settings, the default first."""
        return self.summarizer_choice().infos(kind)

    def summarizer_choice(self) -> Summarizers:
        """Return the summarisers of the present settings."""
        return Summarizers(self.settings, about_tokens, self.keys, self.catalog, self.secret_gate)

    def preview_navigation(self, target_id: str, options: NavigationOptions | None = None) -> NavigationPreview:
        """Return what going to `target_id` would do. Raises UnknownEntryError.

        Reads what would be left. Interruptible.
        """
        from services.navigation import preview_navigation

        return preview_navigation(self, target_id, options or NavigationOptions())

    def preview_compaction(
        self,
        *,
        leaf_id: str | None = None,
        keep_recent_tokens: int | None = None,
        boundary: Boundary | None = None,
        rules: Rules | None = None,
    ) -> "CompactionPreparation | NothingToCompact":
        """Return what a compaction at `leaf_id` (None: the current leaf) would do, by `rules` (CP-25)."""
        from services.compaction import prepare

        return prepare(self, leaf_id or self.leaf_id, keep_recent_tokens, boundary, rules or self.rules)

    def compaction_prompts(
        self, preparation: "CompactionPreparation", instructions: str | None = None
    ) -> "list[SummaryRequest]":
        """Return the requests that a compaction would send for history and turn prefix (CP-25)."""
        from services.compaction import compaction_prompts

        return compaction_prompts(preparation, instructions, self.rules)

    def line_sources(self, summary_id: str) -> tuple[tuple[str, ...], ...]:
        """Return for each line of a saved summary the entries it comes from; empty when it's no offline digest.

        Reads the whole path. Interruptible. Raises UnknownEntryError.
        """
        from services.digest_sources import line_sources

        return line_sources(self, summary_id)

    # --- Operations --------------------------------------------------------------------------------------------------

    async def navigate_tree(
        self, target_id: str, options: NavigationOptions, token: CancellationToken, emit: Emit
    ) -> NavigationResult:
        """Go to `target_id`, with a summary of what is left where `options` ask for one (TN-9).

        An abort is a result (`cancelled`, `aborted`), not an error. Raises ServiceError, BusyError, RefusedError; then
        file and leaf are as before.
        """
        from services.navigation import navigate

        return await navigate(self, target_id, options, token, emit)

    async def compact(self, options: CompactionOptions, token: CancellationToken, emit: Emit) -> CompactionResult:
        """Compact the current branch by hand (CP-2, CP-18).

        Raises OperationCancelled on abort, RefusedError when there is nothing to do, ServiceError, BusyError; then file
        and leaf are as before.
        """
        from services.compaction import compact

        return await compact(self, options, token, emit)

    async def prompt(
        self, text: str, images: "Sequence[AttachedImage]", token: CancellationToken, emit: Emit
    ) -> "TurnResult":
        """Send a prompt under the current leaf and stream the answer, with what follows from it (CP-2, CP-21.4).

        What had arrived when it's stopped is kept as an aborted answer, and a failure as one with an error. Raises
        NoModelError, BusyError, ServiceError and OperationCancelled while nothing is written yet.
        """
        from services.agent_turns import AgentRun

        return await AgentRun(self, token, emit).prompt(text, images)

    def label_of(self, entry_id: str) -> str | None:
        """Return the label of an entry that is in force, None when it has none. Raises UnknownEntryError."""
        return self.store.labels.get(self.snapshot().row(entry_id))

    def set_label(self, entry_id: str, text: str | None) -> str | None:
        """Label an entry, or clear its label with a blank text; return the id of the label entry, the new leaf.

        None, and nothing is written, when the entry has that label already. Raises UnknownEntryError, BusyError,
        StoreError. Source: SF-4.9.
        """
        from model.entries import new_label_entry

        label = (text or "").strip() or None
        with self._writing():
            if label == self.label_of(entry_id):
                return None
            return self.append(
                new_label_entry(
                    self.store.new_entry_id(), self.leaf_id, self.now(), self.store.dialect,
                    target_id=entry_id, label=label,
                )
            )  # fmt: skip

    def set_session_name(self, name: str) -> bool:
        """Give the session a name, in the way of its agent; a blank one takes it away.

        In the Pi dialect the entry that says so is the new leaf. False, and nothing is written, when it has that name
        already. Raises BusyError, StoreError. Source: SF-4.10.
        """
        from services.session_files import has_session_name, set_session_name

        with self._writing():
            if has_session_name(self.store, name):
                return False
            leaf_id = set_session_name(self.store, self.leaf_id, name)
            if leaf_id is not None:
                self.move_leaf(leaf_id)
            return True

    def set_resume_point(self) -> str | None:
        """Make agents resume at the current leaf: append an entry behind it that means nothing else (TN-11).

        Return its id, the new leaf; None, and nothing is written, when they would resume there anyway. Raises
        BusyError, StoreError.
        """
        from model.entries import new_custom_entry

        with self._writing():
            if self.leaf_id == self.resume_leaf_id:
                return None
            return self.append(
                new_custom_entry(
                    self.store.new_entry_id(), self.leaf_id, self.now(), self.store.dialect,
                    custom_type=RESUME_POINT_TYPE, data={},
                )
            )  # fmt: skip

    # --- For the operations ------------------------------------------------------------------------------------------

    def now(self) -> str:
        """Return the time for a new entry, as the agents write it."""
        moment = datetime.fromtimestamp(self._clock(), UTC)
        return moment.strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment.microsecond // 1000:03d}Z"

    def append(self, entry: JsonObject) -> str:
        """Append one entry and make it the leaf; return its id. Raises StoreError: then the leaf is as before."""
        self.store.append([entry])
        self.move_leaf(str(entry["id"]))
        return str(entry["id"])

    @contextmanager
    def operation(self, token: CancellationToken) -> Iterator[Operation]:
        """Hold the lock of a maintenance operation that `token` stops (CP-24). Raises BusyError while one holds it."""
        operation = Operation(token)
        with self._lock:
            if self.busy:
                raise BusyError
            self._operation = operation
        try:
            with interruptible(token.raise_if_set):
                yield operation
        finally:
            self.release(operation)

    def release(self, operation: Operation) -> None:
        """Let go of the lock, where `operation` still holds it."""
        with self._lock:
            if self._operation is operation:
                self._operation = None

    def check_current(self, operation: Operation, leaf_id: str | None, parent_id: str | None) -> None:
        """Raise ServiceError unless `operation` holds the lock, the leaf is still `leaf_id` and `parent_id` exists."""
        if self._operation is not operation or self.leaf_id != leaf_id:
            raise ServiceError(Sentence("The session was changed meanwhile, so nothing was saved."))
        if parent_id is not None and self.store.index.row_of(parent_id) is None:
            raise ServiceError(
                Sentence("The file was changed meanwhile and has no such entry any more; nothing was saved.")
            )

    @contextmanager
    def _writing(self) -> Iterator[None]:
        with self._lock:
            if self.busy:
                raise BusyError
            self.store.claim()
            self.catch_up()
            yield

    @property
    def _memory_key(self) -> str:
        return session_key(self.store.path, self.store.session_id)

    def _first_leaf(self, remembered: tuple[str | None, int] | None) -> str | None:
        index = self.store.index
        last = index.id_of(index.count - 1) if index.count else None
        if remembered is None or remembered[1] != index.count:
            return last
        leaf_id = remembered[0]
        return leaf_id if leaf_id is None or index.row_of(leaf_id) is not None else last

    def _last_foreign_write(self, remembered: tuple[str | None, int] | None) -> float | None:
        """When another program wrote last, in Unix seconds, judged by the last entry; None when we were the last."""
        index = self.store.index
        if not index.count or (remembered is not None and remembered[1] == index.count):
            return None
        time_ms = int(index.time_ms[index.count - 1])
        return time_ms / 1000 if time_ms > 0 else None


def _leads_from(row: int, index: "EntryIndex") -> bool:
    """Whether the last entry of the file lies behind `row`; cheap where only a few were appended since."""
    at = index.count - 1
    for _ in range(index.count - row):
        if at <= row:
            break
        at = int(index.parent[at])
    return at == row
