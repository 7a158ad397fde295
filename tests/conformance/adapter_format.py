"""Topics of the session format, the tree and the context: vector shapes to model calls and back."""

import base64
import itertools
from collections.abc import Callable
from typing import Any

from model.branch_extraction import extract_branch, new_header
from model.context import LAST_ENTRY, build_session_context, build_session_projection
from model.conversation_text import serialize_conversation
from model.dialects import Dialect
from model.entries import entry_id
from model.errors import NotASessionError
from model.json_text import parse, stringify
from model.labels import resolve_labels
from model.llm_messages import ContextTemplates, convert_to_llm
from model.navigation import collect_entries_for_branch_summary
from model.rules import PRESETS, Rules
from model.session_loading import LoadedSession, load_session, opening_effect
from model.session_summary import NO_MESSAGES, summarize_session
from model.session_writer import SessionWriter
from model.settings import CompactionSettings
from model.timestamps import iso_timestamp
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
from model.tree_rows import tree_view
from model.triggers import should_compact

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


def build_context(dialect: Dialect, given: dict[str, Any]) -> Any:
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


def llm_messages(dialect: Dialect, given: dict[str, Any]) -> Any:
    return {"messages": convert_to_llm(given["messages"], TEMPLATES[dialect], RULES[dialect])}


def conversation(dialect: Dialect, given: dict[str, Any]) -> Any:
    messages = parse(given["messagesJson"]) if "messagesJson" in given else given["messages"]
    return {"text": serialize_conversation(messages, rules=RULES[dialect])}


def message_estimate(dialect: Dialect, given: dict[str, Any]) -> Any:
    message = parse(given["messageJson"]) if "messageJson" in given else given["message"]
    return {"tokens": estimate_tokens(message, RULES[dialect])}


def usage(dialect: Dialect, given: dict[str, Any]) -> Any:
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


def _threshold(rules: Rules, given: dict[str, Any]) -> Any:
    settings = CompactionSettings.model_validate(given["settings"])
    return {"compact": should_compact(given["contextTokens"], given["contextWindow"], settings, rules)}


USAGE_OPERATIONS: dict[str, Callable[[Rules, dict[str, Any]], Any]] = {
    "contextTokens": lambda rules, given: {"tokens": context_size(given["usage"])},
    "promptTokens": lambda rules, given: {"tokens": prompt_size(given["usage"])},
    "lastUsage": lambda rules, given: {"usage": last_usage(given["entries"], rules)},
    "estimate": lambda rules, given: _context_estimate(estimate_messages(given["messages"], rules)),
    "projected": _projected_size,
    "session": _status,
    "shouldCompact": _threshold,
}


def tree(dialect: Dialect, given: dict[str, Any]) -> Any:
    forest = SessionTree(given["entries"], RULES[dialect])
    resolved = resolve_labels(given["entries"])

    def node(row: int) -> Any:
        entry = forest.entries[row]
        label = resolved.get(entry.get("id"))
        return {
            "id": entry.get("id"),
            "index": row,
            "label": label and label.text,
            "labelTimestamp": label.timestamp if label and dialect == "pi" else None,
            "children": [node(child) for child in forest.children(row)],
        }

    return {"roots": [node(row) for row in forest.roots]}


def abandoned_entries(dialect: Dialect, given: dict[str, Any]) -> Any:
    forest = SessionTree(given["entries"], RULES[dialect])
    left = collect_entries_for_branch_summary(forest, given["oldLeafId"], given["targetId"])
    return {"entryIds": [entry["id"] for entry in left.entries], "commonAncestorId": left.common_ancestor_id}


NOW_MS = 4_000_000_000_000
CWD = "/home/dev/project"  # the project in which the vectors were recorded


def _new_ids() -> Callable[[], str]:
    """New ids in the form in which the vectors name them: #0, #1, ..."""
    numbers = itertools.count()
    return lambda: f"#{next(numbers)}"


def timeless(value: Any) -> Any:
    """A result with the vectors' words for the time of the recording."""
    if isinstance(value, list | tuple):
        return [timeless(item) for item in value]
    if isinstance(value, dict):
        return {key: timeless(item) for key, item in value.items()}
    if isinstance(value, str | int):
        return {iso_timestamp(NOW_MS): "<now>", NOW_MS: "<now-ms>"}.get(value, value)
    return value


def new_writer(dialect: Dialect, entries: list[Any]) -> SessionWriter:
    return SessionWriter(entries, dialect, now_ms=lambda: NOW_MS, new_uuid=_new_ids(), rules=RULES[dialect])


def _run(writer: SessionWriter, operations: list[Any]) -> None:
    for name, *arguments in operations:
        OPERATIONS[writer.dialect][name](writer, *arguments)


def _named(*names: str) -> Callable[..., dict[str, Any]]:
    """Optional arguments by position -> by name."""
    return lambda *values: dict(zip(names, values, strict=False))


COMMON_OPERATIONS: dict[str, Callable[..., Any]] = {
    "appendMessage": SessionWriter.append_message,
    "appendThinkingLevelChange": lambda writer, level=None: writer.append_thinking_level_change(level),
    "appendCustomEntry": SessionWriter.append_custom_entry,
    "appendCustomMessageEntry": lambda writer, custom_type, content, display, *optional: (
        writer.append_custom_message_entry(custom_type, content, display, **_named("details", "attribution")(*optional))
    ),
    "appendLabelChange": lambda writer, target, label=None: writer.append_label_change(target, label),
    "label": SessionWriter.append_label_change,
    "branch": SessionWriter.branch,
    "resetLeaf": lambda writer: writer.branch(None),
    "branchWithSummary": lambda writer, id, summary, *optional: writer.branch_with_summary(
        id, summary, **_named("details", "from_extension", "usage")(*optional)
    ),
}
OPERATIONS: dict[str, dict[str, Callable[..., Any]]] = {
    "pi": {
        **COMMON_OPERATIONS,
        "appendModelChange": lambda writer, provider, model: writer.append_model_change(f"{provider}/{model}"),
        "appendCompaction": lambda writer, summary, first_kept, tokens, *optional: writer.append_compaction(
            summary, first_kept, tokens, **_named("details", "from_extension", "usage")(*optional)
        ),
        "appendContextEdit": SessionWriter.append_context_edit,
        "appendSessionInfo": SessionWriter.append_session_info,
        "appendUsage": SessionWriter.append_usage,
    },
    "omp": {
        **COMMON_OPERATIONS,
        "appendModelChange": SessionWriter.append_model_change,
        "appendCompaction": lambda writer, summary, short, first_kept, tokens, *optional: writer.append_compaction(
            summary,
            first_kept,
            tokens,
            short_summary=short,
            **_named("details", "from_extension", "preserve_data")(*optional),
        ),
        "appendServiceTierChange": lambda writer, tier: writer.append_bookkeeping(
            "service_tier_change", {"serviceTier": tier}
        ),
        "appendSessionInit": lambda writer, init: writer.append_bookkeeping("session_init", init),
        "appendModeChange": lambda writer, *values: writer.append_bookkeeping(
            "mode_change", _named("mode", "data")(*values)
        ),
        "appendTtsrInjection": lambda writer, names: writer.append_bookkeeping(
            "ttsr_injection", {"injectedRules": names}
        ),
        "appendMCPToolSelection": lambda writer, names: writer.append_bookkeeping(
            "mcp_tool_selection", {"selectedToolNames": names}
        ),
    },
}


def written_lines(dialect: Dialect, given: dict[str, Any]) -> Any:
    writer = new_writer(dialect, [])
    _run(writer, given["ops"])
    if not writer.has_conversation:
        return {"fileExists": False, "lines": []}
    result = {"fileExists": True, "lines": [stringify(timeless(entry)) for entry in writer.entries]}
    if dialect == "omp":
        result["header"] = new_header("<new>", "<now>", CWD)
    return result


def labels(dialect: Dialect, given: dict[str, Any]) -> Any:
    writer = new_writer(dialect, given["entries"])
    _run(writer, given["ops"])
    resolved = resolve_labels(writer.entries)
    result = {
        "labels": {id: label.text for id, label in resolved.items()},
        "leafId": writer.leaf_id,
        "appended": timeless(writer.appended),
    }
    if dialect == "pi":
        result["labelTimes"] = timeless({id: label.timestamp for id, label in resolved.items()})
    return result


def extracted_branch(dialect: Dialect, given: dict[str, Any]) -> Any:
    branch = extract_branch(
        given["entries"],
        given["leafId"],
        dialect,
        session_id="<new>",
        cwd=CWD,
        parent_session="<source>",
        now_ms=NOW_MS,
        new_uuid=_new_ids(),
        rules=RULES[dialect],
    )
    return timeless({"header": branch.header, "entries": branch.entries, "leafId": branch.leaf_id})


def _bytes(given: dict[str, Any]) -> bytes:
    if "base64" in given:
        return base64.b64decode(given["base64"])
    text: str = given["text"]
    return text.encode("utf-8", "surrogatepass")


def _session(session: LoadedSession) -> dict[str, Any]:
    leaf = session.leaf
    leaf_id = leaf if leaf is None else entry_id(leaf) or "<undefined>"
    return {"header": session.header, "entries": session.entries, "leafId": leaf_id}


def loaded_file(dialect: Dialect, given: dict[str, Any]) -> Any:
    data = _bytes(given)
    try:
        session = load_session(data, _new_ids(), RULES[dialect])
    except NotASessionError:
        return {"error": "not-a-session", "fileAfter": "same"}
    effect = opening_effect(data, session, RULES[dialect])
    after = {"none": "same", "replaced": "replaced"}.get(effect.kind) or effect.text.decode("utf-8", "replace")
    found = {"newSession": True} if session.kind == "empty" else _session(session)
    return {**found, "fileAfter": after}


def migrated_file(dialect: Dialect, given: dict[str, Any]) -> Any:
    data = _bytes(given)
    session = load_session(data, _new_ids(), RULES[dialect])
    return {**_session(session), "rewritten": opening_effect(data, session, RULES[dialect]).kind == "rewritten"}


def list_row(dialect: Dialect, given: dict[str, Any]) -> Any:
    session = load_session(_bytes(given), _new_ids(), RULES[dialect])
    row = None if session.header is None else summarize_session(session.header, session.entries, RULES[dialect])
    if row is None:
        return None
    result = {
        "id": row.session_id,
        "cwd": row.cwd,
        "parentSessionPath": row.parent_session,
        "created": None if row.created_ms is None else iso_timestamp(row.created_ms),
        "messageCount": row.message_count,
        "firstMessage": row.first_message or NO_MESSAGES,
        "allMessagesText": row.all_text,
    }
    if dialect == "omp":
        return {**result, "title": row.title or row.short_summary}
    modified = row.modified_ms
    return {**result, "name": row.name, "modified": None if modified is None else iso_timestamp(int(modified))}


def rows_of_tree(dialect: Dialect, given: dict[str, Any]) -> Any:
    view = tree_view(
        SessionTree(given["entries"], RULES[dialect]),
        given["leafId"],
        given["filterMode"],
        search=given.get("search", ""),
        folded=given.get("fold", ()),
        selected_id=given.get("selectedId"),
        rules=RULES[dialect],
    )
    rows = [{"id": entry_id(row.entry), "indent": row.indent, "connector": row.connector} for row in view.rows]
    return {"rows": rows, "selectedId": view.selected_id}


TOPICS: dict[str, Callable[[Dialect, dict[str, Any]], Any]] = {
    "build_context": build_context,
    "context_edit": build_context,
    "convert_to_llm": llm_messages,
    "serialize_conversation": conversation,
    "estimate_tokens": message_estimate,
    "context_usage": usage,
    "tree": tree,
    "collect_branch_entries": abandoned_entries,
    "append_entries": written_lines,
    "labels": labels,
    "extract_branch": extracted_branch,
    "load": loaded_file,
    "migrate": migrated_file,
    "session_info": list_row,
    "tree_view": rows_of_tree,
}
