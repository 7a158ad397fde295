"""Which entries the lines of a saved digest come from: the digest is made again and its lines are found in the text.

Nothing about it is stored in the session. A line that a person changed before saving comes from nowhere.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from model.compaction import CompactionPreparation, prepare_compaction
from model.context import entry_message
from model.digest_evidence import Evidence
from model.earlier_summary import EarlierSummary
from model.entries import entry_id, entry_type, parent_id
from model.errors import UnknownEntryError
from model.json_text import JsonObject
from model.messages import text_field
from model.offline_digest import LABEL, Digest, history_digest, turn_prefix_digest
from model.settings import Boundary
from model.token_estimates import estimate_tokens
from services.summarizers.digest_passes import earlier_summary, evidence_of
from services.summarizers.line_sources import aligned_sources
from services.summarizers.passes import PassResult

if TYPE_CHECKING:
    from services.agent_session import AgentSession

BOUNDARIES: tuple[Boundary, ...] = ("sinceKept", "sinceCompaction")


def line_sources(session: "AgentSession", summary_id: str) -> tuple[tuple[str, ...], ...]:
    """Return for each line of the summary of an entry the ids it comes from; empty when it's no digest of ours.

    Reads the whole path, so call it on a worker. Interruptible. Raises UnknownEntryError.
    """
    entry = session.snapshot().entry(summary_id)
    text = text_field(entry, "summary")
    if LABEL not in text:
        return ()
    try:
        if entry_type(entry) == "branch_summary":
            digests = [_of_branch(session, entry)]
        else:
            digests = _of_compaction(session, entry)
    except UnknownEntryError:
        return ()
    return aligned_sources(text, [PassResult(digest.text, line_sources=digest.line_sources) for digest in digests])


def _of_branch(session: "AgentSession", entry: JsonObject) -> Digest:
    snapshot = session.snapshot()
    left = snapshot.abandoned_rows(text_field(entry, "fromId"), parent_id(entry))
    with snapshot.decoded(left) as entries:
        messages = ((entry_id(other) or "", entry_message(other, session.rules)) for other in entries)
        return history_digest((Evidence(id, message) for id, message in messages if message is not None))


def _of_compaction(session: "AgentSession", entry: JsonObject) -> list[Digest]:
    """The digests of history and turn prefix; the cut is found again by what was kept."""
    with session.snapshot().decoded_path(parent_id(entry)) as path:
        return list(_digests_of_cut(session, path, text_field(entry, "firstKeptEntryId")))


def _digests_of_cut(session: "AgentSession", path: list[JsonObject], first_kept: str) -> Iterator[Digest]:
    start = next((row for row, other in enumerate(path) if entry_id(other) == first_kept), len(path))
    kept = (message for other in path[start:] if (message := entry_message(other, session.rules)) is not None)
    keep_tokens = sum(estimate_tokens(message, session.rules) for message in kept)
    for boundary in BOUNDARIES:
        settings = session.settings.compaction.replaced(
            boundary=boundary, keep_recent_tokens=keep_tokens, adapt_keep_recent=False
        )
        preparation = prepare_compaction(path, settings, session.rules)
        if isinstance(preparation, CompactionPreparation) and preparation.first_kept_entry_id == first_kept:
            earlier: EarlierSummary | None = earlier_summary(preparation, path)
            yield history_digest(evidence_of(preparation.summarize), earlier)
            yield turn_prefix_digest(evidence_of(preparation.turn_prefix))
