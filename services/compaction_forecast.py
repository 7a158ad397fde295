"""How large the context will be after a compaction that is only prepared (CP-4, CP-10, CP-19)."""

from collections.abc import Sequence
from dataclasses import dataclass

from model.compaction import CompactionPreparation
from model.context import entry_message, path_context
from model.dialects import Dialect
from model.file_operations import compute_file_lists, with_file_tags
from model.json_text import JsonObject
from model.messages import role_of
from model.offline_digest import history_digest, turn_prefix_digest
from model.rules import BRANCHWORK, Rules
from model.summary_answers import SummaryAnswer, joined_summary
from model.summary_requests import PassName
from model.system_prompts import current_system_message
from model.token_estimates import context_figures, estimate_all, estimate_tokens
from services.summarizers.digest_passes import earlier_summary, evidence_of
from services.summarizers.offline import OFFLINE


@dataclass(frozen=True, slots=True)
class CompactionForecast:
    """Sizes in tokens by the agents' estimate, all but `recorded`: what the provider measured for the latest answer
    since the last compaction or context edit, None without one.

    `before` is the context now, `kept` what stays of it, and `system` the system prompt that is sent again. `digest` is
    the summary that the offline digest writes, and `previous` the one that is continued, None without one.
    """

    before: int
    recorded: int | None
    kept: int
    system: int
    digest: int
    previous: int | None

    def summary(self, summarizer_id: str | None) -> int:
        """Return the size to expect of a summary: a digest's is known, a model's as large as the one before.

        Where there was none before, a model's is expected to be as large as a digest.
        """
        return self.digest if summarizer_id == OFFLINE.id or self.previous is None else self.previous

    def after(self, summarizer_id: str | None) -> int:
        """Return the context to expect once that summariser has written the summary."""
        return self.system + self.summary(summarizer_id) + self.kept


def forecast(
    preparation: CompactionPreparation,
    path: Sequence[JsonObject],
    dialect: Dialect,
    rules: Rules = BRANCHWORK,
) -> CompactionForecast:
    """Return what the compaction of `path` will come to. Writes a digest. Interruptible."""
    context = path_context(path, rules)
    messages = context.messages
    figures = context_figures(path, context.projection, rules)
    system = current_system_message(messages) if dialect == "pi" and rules.replayed_system_message else None
    drops_system = rules.kept_system_messages_dropped
    kept = [message for message in preparation.keep.messages if not (drops_system and role_of(message) == "system")]
    previous = preparation.previous_summary
    return CompactionForecast(
        before=figures.estimated,
        recorded=figures.recorded,
        kept=estimate_all(kept, rules),
        system=0 if system is None else estimate_tokens(system, rules),
        digest=_summary_tokens(_digest(preparation, path, dialect, rules), rules),
        previous=_summary_tokens(previous, rules) if previous else None,
    )


def _digest(
    preparation: CompactionPreparation,
    path: Sequence[JsonObject],
    dialect: Dialect,
    rules: Rules,
) -> str:
    answers: dict[PassName, SummaryAnswer] = {}
    if preparation.summarize.messages:
        history = history_digest(evidence_of(preparation.summarize), earlier_summary(preparation, path))
        answers["history"] = SummaryAnswer(history.text)
    if preparation.turn_prefix.messages:
        answers["turn prefix"] = SummaryAnswer(turn_prefix_digest(evidence_of(preparation.turn_prefix)).text)
    summary = joined_summary(preparation, answers, rules)
    files = compute_file_lists(preparation.file_ops)
    return with_file_tags(summary, files, dialect, preparation.settings.file_tag_limit, rules)


def _summary_tokens(summary: str, rules: Rules) -> int:
    message = entry_message({"type": "compaction", "summary": summary}, rules)
    return 0 if message is None else estimate_tokens(message, rules)
