"""Saving a session for reading: as a web page, as Markdown, or as JSON; all of it or one branch.

The session itself is only read. Nothing that looks like a secret gets into an export unasked, and an export loads
nothing from elsewhere when it is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final, Literal

from model.entry_index import INVALID_TIME
from model.errors import UnknownEntryError
from model.json_text import JsonObject, stringify
from model.runs import NO_ROW
from model.session_export import ExportedEntry, ExportPlan, exported_entry, plan_export, without_image_data
from model.session_totals import SessionTotals, session_totals
from services.blobs import BlobFolders
from services.cancellation import CancellationToken
from services.export_document import ExportDocument
from services.export_html import html_export
from services.export_markdown import markdown_export
from services.export_secrets import ExportHeldBack, FoundSecret, secrets_in, without_secrets
from services.file_rewrite import write_new_file
from services.session_store import SessionStore

ExportFormat = Literal["html", "md", "json"]
SecretsDecision = Literal["stop", "mask", "keep"]

FORMAT_VERSION: Final = 1  # of the JSON export
_CHUNK_CHARACTERS: Final = 1 << 18


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


@dataclass(frozen=True)
class ExportSurvey:
    """What an export would hold, for a question before it is made."""

    plan: ExportPlan
    totals: SessionTotals
    secrets: tuple[FoundSecret, ...]

    @cached_property
    def places(self) -> frozenset[str | None]:
        """The ids of the entries that hold what looks like secrets; None stands for the header."""
        return frozenset(found.entry_id for found in self.secrets)


def survey_export(store: SessionStore, options: ExportOptions, token: CancellationToken) -> ExportSurvey:
    """Read everything that would be exported, and return what it holds. Blocking.

    Raises UnknownEntryError, OperationCancelled.
    """
    index = store.index
    leaf = index.count - 1 if options.leaf_id is None else index.row_of(options.leaf_id)
    if leaf is None:
        raise UnknownEntryError(options.leaf_id)
    plan = plan_export(index, leaf, all_branches=options.all_branches)
    found = [FoundSecret(None, secret) for secret in secrets_in(store.header or {})]
    totals = SessionTotals()
    for row in plan.rows:
        token.raise_if_set()
        entry = store.entry(row, index)
        totals += session_totals([entry])
        if options.secrets != "keep":
            found += [FoundSecret(index.id_of(row), secret) for secret in secrets_in(entry)]
    return ExportSurvey(plan, totals, tuple(found))


def export_chunks(
    store: SessionStore, survey: ExportSurvey, options: ExportOptions, token: CancellationToken
) -> Iterator[bytes]:
    """Yield the export in pieces, UTF-8. Raises ExportHeldBack before the first one, and OperationCancelled."""
    if survey.secrets and options.secrets == "stop":
        raise ExportHeldBack(survey.secrets)
    document = _Source(store, survey, options, token)
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
    store: SessionStore, survey: ExportSurvey, options: ExportOptions, path: Path, token: CancellationToken
) -> None:
    """Write the export to a new file; it appears when it is complete. Blocking.

    Raises ExportHeldBack, OperationCancelled, FileExistsError and any other OSError; then there is no file.
    """

    def chunks() -> Iterator[bytes]:
        yield from export_chunks(store, survey, options, token)
        token.seal()  # behind this the file gets its name

    write_new_file(path, chunks())


@dataclass(frozen=True, slots=True)
class _Source:
    """The entries of an export, read one by one as the options want them."""

    store: SessionStore
    survey: ExportSurvey
    options: ExportOptions
    token: CancellationToken

    @property
    def header(self) -> JsonObject:
        """The session header, masked where that is wanted."""
        header = self.store.header or {}
        return without_secrets(header) if self._is_masked(None) else header

    def entry(self, row: int) -> JsonObject:
        """Return the entry at a row, masked and without images where that is wanted. Raises OperationCancelled."""
        self.token.raise_if_set()
        entry = self.store.entry(row, self.survey.plan.index)
        if not self.options.images:
            entry = without_image_data(entry)
        return without_secrets(entry) if self._is_masked(self.survey.plan.index.id_of(row)) else entry

    def label(self, row: int) -> str | None:
        """Return the label of the entry at a row."""
        text = self.store.labels.get(row)
        return text if text is None else self.masked(text)

    def described(self) -> ExportDocument:
        """Return the document that the formats for people write."""
        store, plan = self.store, self.survey.plan
        header = self.header
        name = self.masked(store.session_name or "") or str(header.get("id", "")) or store.path.stem
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
    yield "Last entry of the file", plan.index.id_of(plan.index.count - 1) if plan.index.count else ""
    if totals.records:
        yield "Recorded usage", f"{totals.tokens:,.0f} tokens, ${totals.cost:,.2f}"
    if source.masks:
        yield "Masked", f"{len(source.survey.secrets):,} likely secrets"


def json_export(source: _Source) -> Iterator[str]:
    """Yield a session as one JSON object: its header, its labels, and its entries as they are, an entry a line."""
    store, plan = source.store, source.survey.plan
    labels = {plan.index.id_of(row): label for row in plan.rows if (label := source.label(row)) is not None}
    head: JsonObject = {
        "format": "branchwork-export",
        "formatVersion": FORMAT_VERSION,
        "dialect": store.dialect,
        "file": store.path.name,
        "session": source.header,
        "name": source.masked(store.session_name) if store.session_name else None,
        "leafId": plan.index.id_of(plan.leaf) if plan.leaf != NO_ROW else None,
        "allBranches": plan.all_branches,
        "lastEntryId": plan.index.id_of(plan.index.count - 1) if plan.index.count else None,
        "labels": labels,
    }
    yield stringify(head)[:-1] + ',"entries":[\n'
    separator = ""
    for row in sorted(plan.rows):
        yield separator + stringify(source.entry(row))
        separator = ",\n"
    yield "\n]}\n"
