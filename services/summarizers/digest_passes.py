"""What of a prepared compaction a digest is made of."""

from collections.abc import Sequence

from model.compaction import CompactionPreparation, MessageGroup
from model.context import latest_compaction
from model.digest_evidence import Evidence
from model.earlier_summary import EarlierSummary
from model.entries import entry_id
from model.interruptions import interruptibly
from model.json_text import JsonObject


def evidence_of(group: MessageGroup) -> list[Evidence]:
    """Return the messages of a group, each with the id of its entry."""
    pairs = interruptibly(zip(group.source_ids, group.messages, strict=True))
    return [Evidence(id or "", message) for id, message in pairs]


def earlier_summary(preparation: CompactionPreparation, path: Sequence[JsonObject]) -> EarlierSummary | None:
    """Return the summary that a compaction of `path` continues, or None."""
    if not preparation.previous_summary:
        return None
    previous = latest_compaction(path)
    return EarlierSummary(preparation.previous_summary, entry_id(path[previous or 0]) or "")
