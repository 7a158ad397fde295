"""Pruning: old tool outputs give way to a notice (CP-3)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from model.context import build_session_projection, context_edits
from model.entries import entry_id, message_of
from model.interruptions import interruptibly, newest_first
from model.json_text import JsonObject
from model.messages import role_of
from model.rules import BRANCHWORK, Rules
from model.settings import PruningSettings
from model.token_estimates import UNITS_PER_TOKEN, estimate_tokens

_DEFAULT_POLICY: Final = PruningSettings()


@dataclass(frozen=True, slots=True)
class PrunedResult:
    """A tool result that gives way: its place on the path, its size, what is saved, and the message instead of it."""

    index: int
    entry_id: str | None
    tokens: int
    tokens_saved: int
    message: JsonObject


@dataclass(frozen=True, slots=True)
class Pruning:
    """What pruning changes, in the order of the path; nothing when too little would be saved."""

    results: tuple[PrunedResult, ...] = ()

    @property
    def tokens_saved(self) -> int:
        return sum(result.tokens_saved for result in self.results)


def prune_tool_outputs(
    path: Sequence[JsonObject], now_ms: int, policy: PruningSettings = _DEFAULT_POLICY, rules: Rules = BRANCHWORK
) -> Pruning:
    """Return which tool results of the active path give way to a notice. O(path).

    The newest `protect_tokens` of tool output stay, and so do results of protected tools and those pruned before. Below
    `minimum_savings` in all nothing is pruned. `now_ms` becomes the `prunedAt` of the new messages.
    """
    pruned: list[PrunedResult] = []
    newer_tokens = 0
    for index in newest_first(path):
        message = message_of(path[index])
        if message is None or role_of(message) != "toolResult":
            continue
        tokens = estimate_tokens(message, rules)
        if newer_tokens >= policy.protect_tokens and _may_be_pruned(message, policy):
            pruned.append(_pruned(index, path[index], message, tokens, now_ms))
        newer_tokens += tokens
    pruning = Pruning(tuple(reversed(pruned)))
    return pruning if pruning.results and pruning.tokens_saved >= policy.minimum_savings else Pruning()


def editable_path(path: Sequence[JsonObject], rules: Rules = BRANCHWORK) -> list[JsonObject]:
    """Return what a session that is pruned by context edits (Pi, R-23) prunes: the entries in the context of a path.

    They are as the edits so far leave them, and those with an edit count as pruned: editing again would save nothing.
    """
    projection = build_session_projection(path, rules)
    edited = context_edits(item.entry for item in projection)
    entries: list[JsonObject] = []
    for item in interruptibly(projection):
        if entry_id(item.entry) not in edited or message_of(item.entry) is None:
            entries.append(item.entry)
        elif item.messages:
            entries.append({**item.entry, "message": {**item.messages[0], "prunedAt": 0}})
    return entries


def pruning_notice(tokens: int) -> str:
    """Return the text that stands for a pruned tool output of about `tokens`."""
    return f"[Output truncated - {tokens} tokens]"


def _may_be_pruned(message: JsonObject, policy: PruningSettings) -> bool:
    return message.get("prunedAt") is None and message.get("toolName") not in policy.protected_tools


def _pruned(index: int, entry: JsonObject, message: JsonObject, tokens: int, now_ms: int) -> PrunedResult:
    notice = pruning_notice(tokens)
    saved = max(0, tokens - -(-len(notice) // UNITS_PER_TOKEN))
    content = [{"type": "text", "text": notice}]
    return PrunedResult(index, entry_id(entry), tokens, saved, {**message, "content": content, "prunedAt": now_ms})
