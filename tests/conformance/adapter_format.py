"""Topics of the session format, the tree and the context: vector shapes to model calls and back."""

from collections.abc import Callable
from typing import Any

from model.context import LAST_ENTRY, build_session_context, build_session_projection
from model.conversation_text import serialize_conversation
from model.json_text import parse
from model.labels import resolve_labels
from model.llm_messages import ContextTemplates, convert_to_llm
from model.navigation import collect_entries_for_branch_summary
from model.rules import PRESETS, Rules
from model.token_estimates import (
    ContextEstimate,
    context_size,
    context_usage,
    estimate_context,
    estimate_messages,
    estimate_tokens,
    last_usage,
    prompt_size,
)
from model.tree import SessionTree

RULES = {"pi": PRESETS["pi-1.6"], "omp": PRESETS["omp-13.19"]}

TEMPLATES = {
    "pi": ContextTemplates(
        compaction_summary="{{compaction-summary-intro}}\n\n<summary>\n{{summary}}\n</summary>",
        branch_summary="{{branch-summary-intro}}\n\n<summary>\n{{summary}}</summary>",
    ),
    "omp": ContextTemplates(
        compaction_summary="{{compaction-summary-intro}}\n\n<summary>\n{{summary}}\n</summary>",
        branch_summary="{{branch-summary-intro}}\n\n<summary>\n{{summary}}\n</summary>",
    ),
}


def build_context(dialect: str, given: dict[str, Any]) -> Any:
    context = build_session_context(given["entries"], given.get("leafId", LAST_ENTRY), RULES[dialect])
    state = context.state
    result = {"messages": context.messages, "thinkingLevel": state.thinking_level}
    if dialect == "pi":
        model = state.model
        return {**result, "model": model and {"provider": model.provider, "modelId": model.model_id}}
    return {
        **result,
        "models": state.models,
        "serviceTier": state.service_tier,
        "mode": state.mode,
        "modeData": state.mode_data,
        "injectedTtsrRules": list(state.injected_rules),
        "selectedMCPToolNames": list(state.selected_tools),
        "hasPersistedMCPToolSelection": state.has_tool_selection,
    }


def llm_messages(dialect: str, given: dict[str, Any]) -> Any:
    return {"messages": convert_to_llm(given["messages"], TEMPLATES[dialect], RULES[dialect])}


def conversation(dialect: str, given: dict[str, Any]) -> Any:
    messages = parse(given["messagesJson"]) if "messagesJson" in given else given["messages"]
    return {"text": serialize_conversation(messages, rules=RULES[dialect])}


def message_estimate(dialect: str, given: dict[str, Any]) -> Any:
    message = parse(given["messageJson"]) if "messageJson" in given else given["message"]
    return {"tokens": estimate_tokens(message, RULES[dialect])}


def usage(dialect: str, given: dict[str, Any]) -> Any:
    return USAGE_OPERATIONS[given["op"]](RULES[dialect], given)


def _context_estimate(estimate: ContextEstimate) -> Any:
    return {
        "tokens": estimate.tokens,
        "usageTokens": estimate.usage_tokens,
        "trailingTokens": estimate.trailing_tokens,
        "lastUsageIndex": estimate.last_usage_index,
    }


def _projected_size(rules: Rules, given: dict[str, Any]) -> Any:
    path = given["entries"]
    return _context_estimate(estimate_context(path, build_session_projection(path, rules), rules))


def _status(rules: Rules, given: dict[str, Any]) -> Any:
    path = given["entries"]
    shown = context_usage(path, build_session_projection(path, rules), given["contextWindow"], rules)
    return shown and {"tokens": shown.tokens, "contextWindow": shown.context_window, "percent": shown.percent}


USAGE_OPERATIONS: dict[str, Callable[[Rules, dict[str, Any]], Any]] = {
    "contextTokens": lambda rules, given: {"tokens": context_size(given["usage"])},
    "promptTokens": lambda rules, given: {"tokens": prompt_size(given["usage"])},
    "lastUsage": lambda rules, given: {"usage": last_usage(given["entries"], rules)},
    "estimate": lambda rules, given: _context_estimate(estimate_messages(given["messages"], rules)),
    "projected": _projected_size,
    "session": _status,
}


def tree(dialect: str, given: dict[str, Any]) -> Any:
    forest = SessionTree(given["entries"], RULES[dialect])
    labels = resolve_labels(given["entries"])

    def node(row: int) -> Any:
        entry = forest.entries[row]
        label = labels.get(entry.get("id"))
        return {
            "id": entry.get("id"),
            "index": row,
            "label": label and label.text,
            "labelTimestamp": label.timestamp if label and dialect == "pi" else None,
            "children": [node(child) for child in forest.children(row)],
        }

    return {"roots": [node(row) for row in forest.roots]}


def abandoned_entries(dialect: str, given: dict[str, Any]) -> Any:
    forest = SessionTree(given["entries"], RULES[dialect])
    left = collect_entries_for_branch_summary(forest, given["oldLeafId"], given["targetId"])
    return {"entryIds": [entry["id"] for entry in left.entries], "commonAncestorId": left.common_ancestor_id}


TOPICS: dict[str, Callable[[str, dict[str, Any]], Any]] = {
    "build_context": build_context,
    "context_edit": build_context,
    "convert_to_llm": llm_messages,
    "serialize_conversation": conversation,
    "estimate_tokens": message_estimate,
    "context_usage": usage,
    "tree": tree,
    "collect_branch_entries": abandoned_entries,
}
