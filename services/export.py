"""Saving a session for reading: as a web page, as Markdown, or as JSON; all of it or one branch.

The session itself is only read. Nothing that looks like a secret gets into an export unasked, and an export loads
nothing from elsewhere when it is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

from model.entry_index import INVALID_TIME, EntryIndex
from model.errors import UnknownEntryError
from model.json_text import JsonObject, stringify
from model.runs import NO_ROW
from model.sentences import Sentence
from model.session_export import ExportedEntry, ExportPlan, exported_entry, plan_export, without_image_data
from model.session_totals import SessionTotals, UsageTally
from services.blobs import BlobFolders
from services.cancellation import CancellationToken
from services.errors import ServiceError
from services.export_document import ExportDocument
from services.export_html import html_export
from services.export_markdown import markdown_export
from services.export_secrets import ExportHeldBack, FoundSecret, secrets_in, without_secrets
from services.file_rewrite import write_new_file
from services.session_store import SessionStore

ExportFormat = Literal["html", "md", "json"]
SecretsDecision = Literal["stop", "mask", "keep"]
Progress = Callable[[int, int], None]  # entries done, and in all

FORMAT_VERSION: Final = 1  # of the JSON export
_CHUNK_CHARACTERS: Final = 1 << 18
_MOST_REPORTS: Final = 200  # of how far it is


@dataclass(frozen=True, slots=True)
class ExportOptions:
    """What to export. `leaf_id` None: the last entry of the file; `all_branches`: not only the one to the leaf.

    `secrets` says what happens to what looks like one: "stop" refuses the export, "mask" puts a note in its place.
    """

    format: ExportFormat
    leaf_id: str | None = None
    all_branches: bool = True
    images: bool = True
    secrets: SecretsDecision = "stop"


class SessionRewrittenError(ServiceError):
    """The file is another one than that which was looked through."""

    def __init__(self) -> None:
        super().__init__(
            Sentence("Another program rewrote the session meanwhile, so nothing was exported. Export it again.")
        )


@dataclass(frozen=True, slots=True)
class ExportedState:
    """The state of the session that is exported, whatever is appended to its file later."""

    index: EntryIndex
    header: JsonObject
    labels: Mapping[int, str]
    session_name: str | None

    @classmethod
    def of(cls, store: SessionStore) -> ExportedState:
        """Return the present state of a store."""
        while True:
            index = store.index
            state = cls(index, store.header or {}, store.labels, store.session_name)
            if store.index is index:  # nobody appended in between
                return state

    @property
    def last_entry_id(self) -> str | None:
        """The last entry of the file, None in an empty session."""
        return self.index.id_of(self.index.count - 1) if self.index.count else None

    @property
    def end(self) -> int:
        """Where in the file the last line ends, in bytes."""
        index = self.index
        return int((index.offset + index.length).max()) if index.count else 0


@dataclass(frozen=True)
class ExportSurvey:
    """What an export would hold, for a question before it is made."""

    state: ExportedState
    plan: ExportPlan
    totals: SessionTotals
    secrets: tuple[FoundSecret, ...]

    @cached_property
    def places(self) -> frozenset[str | None]:
        """The ids of the entries that hold what looks like secrets; None stands for the header."""
        return frozenset(found.entry_id for found in self.secrets)


def survey_export(
    store: SessionStore, options: ExportOptions, token: CancellationToken, progress: Progress | None = None
) -> ExportSurvey:
    """Read everything that would be exported, and return what it holds. Blocking.

    Raises UnknownEntryError, SessionRewrittenError, OperationCancelled.
    """
    state = ExportedState.of(store)
    index = state.index
    leaf = index.count - 1 if options.leaf_id is None else index.row_of(options.leaf_id)
    if leaf is None:
        raise UnknownEntryError(options.leaf_id)
    plan = plan_export(index, leaf, all_branches=options.all_branches)
    reading = _Reading(store, index, token, _Steps(plan.entry_count, progress))
    found = [FoundSecret(None, secret) for secret in secrets_in(state.header)] if options.secrets != "keep" else []
    tally = UsageTally()
    for row in plan.rows:
        entry = reading.entry(row)
        tally.add(entry)
        if options.secrets != "keep":
            found += [FoundSecret(index.id_of(row), secret) for secret in secrets_in(entry)]
    if options.secrets != "keep" and not plan.all_branches:
        found += _from_elsewhere(state, plan)
    return ExportSurvey(state, plan, tally.totals, tuple(found))


def _from_elsewhere(state: ExportedState, plan: ExportPlan) -> Iterator[FoundSecret]:
    """Likely secrets in what a branch shows out of entries that need not be on it: the session's name, and labels."""
    yield from (FoundSecret(None, secret) for secret in secrets_in({"name": state.session_name}))
    for row in plan.rows:
        if (label := state.labels.get(row)) is not None:
            yield from (FoundSecret(state.index.id_of(row), secret) for secret in secrets_in({"label": label}))


def export_chunks(
    store: SessionStore,
    survey: ExportSurvey,
    options: ExportOptions,
    token: CancellationToken,
    progress: Progress | None = None,
) -> Iterator[bytes]:
    """Yield the export of the state that was looked through in pieces, UTF-8.

    Raises ExportHeldBack before the first one, SessionRewrittenError and OperationCancelled.
    """
    if survey.secrets and options.secrets == "stop":
        raise ExportHeldBack(survey.secrets)
    steps = _Steps(survey.plan.entry_count, progress)
    document = _Source(store, survey, options, _Reading(store, survey.state.index, token, steps))
    if options.format == "json":
        pieces = json_export(document)
    else:
        pieces = (html_export if options.format == "html" else markdown_export)(document.described())
    waiting: list[str] = []
    size = 0
    for piece in pieces:
        waiting.append(piece)
        size += len(piece)
        if size > _CHUNK_CHARACTERS:
            yield "".join(waiting).encode("utf-8", "replace")
            waiting.clear()
            size = 0
    yield "".join(waiting).encode("utf-8", "replace")


def write_export(
    store: SessionStore,
    survey: ExportSurvey,
    options: ExportOptions,
    path: Path,
    token: CancellationToken,
    progress: Progress | None = None,
) -> None:
    """Write the export to a new file; it appears when it is complete. Blocking.

    Raises ExportHeldBack, SessionRewrittenError, OperationCancelled, FileExistsError and any other OSError; then there
    is no new file.
    """

    def chunks() -> Iterator[bytes]:
        yield from export_chunks(store, survey, options, token, progress)
        token.seal()  # behind this the file gets its name

    write_new_file(path, chunks())


@dataclass(slots=True)
class _Steps:
    """Counts entries, and tells how far it is."""

    total: int
    progress: Progress | None
    done: int = 0

    def step(self) -> None:
        self.done += 1
        if self.progress is not None and self.done % max(1, self.total // _MOST_REPORTS) == 0:
            self.progress(self.done, self.total)


@dataclass(frozen=True, slots=True)
class _Reading:
    """Reads entries of one state of a session."""

    store: SessionStore
    index: EntryIndex
    token: CancellationToken
    steps: _Steps

    def entry(self, row: int) -> JsonObject:
        self.token.raise_if_set()
        entry = self.store.entry(row, self.index)
        if self.store.index.generation != self.index.generation:
            raise SessionRewrittenError
        self.steps.step()
        return entry


@dataclass(frozen=True, slots=True)
class _Source:
    """The entries of an export, read one by one as the options want them."""

    store: SessionStore
    survey: ExportSurvey
    options: ExportOptions
    reading: _Reading

    @property
    def header(self) -> JsonObject:
        """The session header, masked where that is wanted."""
        header = self.survey.state.header
        return without_secrets(header) if self._is_masked(None) else header

    @property
    def session_name(self) -> str | None:
        """The name of the session, masked where that is wanted."""
        name = self.survey.state.session_name
        return name if name is None else self.masked(name)

    def entry(self, row: int) -> JsonObject:
        """Return the entry at a row, masked and without images where that is wanted.

        Raises SessionRewrittenError, OperationCancelled.
        """
        entry = self.reading.entry(row)
        if not self.options.images:
            entry = without_image_data(entry)
        return without_secrets(entry) if self._is_masked(self.survey.plan.index.id_of(row)) else entry

    def label(self, row: int) -> str | None:
        """Return the label of the entry at a row."""
        text = self.survey.state.labels.get(row)
        return text if text is None else self.masked(text)

    def described(self) -> ExportDocument:
        """Return the document that the formats for people write."""
        store, plan = self.store, self.survey.plan
        header = self.header
        name = self.session_name or str(header.get("id", "")) or store.path.stem
        blobs = BlobFolders.of_session(store.path)
        return ExportDocument(
            plan=plan,
            title=name,
            facts=tuple(_facts(self, header)),
            exported=self._exported,
            image=lambda block: blobs.image(block) if self.options.images else None,
        )

    def _exported(self, row: int) -> ExportedEntry:
        plan = self.survey.plan
        index = plan.index
        time = int(index.time_ms[row])
        return exported_entry(
            row,
            index.id_of(row),
            self.entry(row),
            time_ms=None if time == INVALID_TIME else time,
            tokens=max(0, int(index.estimate[row])),
            label=self.label(row),
            is_leaf=row == plan.leaf,
            forks=plan.forks.get(row, ()),
        )

    @property
    def masks(self) -> bool:
        """Whether anything is masked in this export."""
        return self.options.secrets == "mask" and bool(self.survey.secrets)

    def _is_masked(self, entry_id: str | None) -> bool:
        return self.options.secrets == "mask" and entry_id in self.survey.places

    def masked(self, text: str) -> str:
        """Return a text, without likely secrets where that is wanted."""
        return str(without_secrets({"": text})[""]) if self.masks else text


def _facts(source: _Source, header: JsonObject) -> Iterator[tuple[str, str]]:
    """What an export says about itself: the session, and which state of it is shown."""
    store, plan, totals = source.store, source.survey.plan, source.survey.totals
    agent = {"pi": "Pi", "omp": "OMP"}[store.dialect]
    yield "Session", str(header.get("id", ""))
    yield "Written by", f"{agent}, format version {store.version}"
    yield "Folder", str(header.get("cwd") or "")
    yield "Started", str(header.get("timestamp") or "")
    yield "File", store.path.name
    branches = "all branches" if plan.all_branches else "one branch"
    yield "Shown", f"{plan.entry_count:,} of {plan.index.count:,} entries ({branches})"
    yield "Leaf", plan.index.id_of(plan.leaf) if plan.leaf != NO_ROW else ""
    state = source.survey.state
    if state.last_entry_id is not None:
        yield "State of the file", f"up to entry {state.last_entry_id}, byte {state.end:,}"
    if totals.records:
        yield "Recorded usage", f"{totals.tokens:,.0f} tokens, ${totals.cost:,.2f}"
    if source.masks:
        yield "Masked", f"{len(source.survey.secrets):,} likely secrets"


def json_export(source: _Source) -> Iterator[str]:
    """Yield a session as one JSON object: its header, its labels, and its entries as they are, an entry a line."""
    store, plan, state = source.store, source.survey.plan, source.survey.state
    labels = {plan.index.id_of(row): label for row in plan.rows if (label := source.label(row)) is not None}
    head: JsonObject = {
        "format": "branchwork-export",
        "formatVersion": FORMAT_VERSION,
        "dialect": store.dialect,
        "file": store.path.name,
        "session": source.header,
        "name": source.session_name,
        "leafId": plan.index.id_of(plan.leaf) if plan.leaf != NO_ROW else None,
        "allBranches": plan.all_branches,
        "fileEntries": state.index.count,
        "fileBytes": state.end,
        "lastEntryId": state.last_entry_id,
        "labels": labels,
    }
    yield stringify(head)[:-1] + ',"entries":[\n'
    separator = ""
    for row in sorted(plan.rows):
        yield separator + stringify(source.entry(row))
        separator = ",\n"
    yield "\n]}\n"
