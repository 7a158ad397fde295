"""Topics of compaction and branch summaries: vector shapes to model calls and back."""

import hashlib
import itertools
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from model.branch_summaries import (
    branch_output_limit,
    branch_summary_request,
    branch_token_budget,
    finished_branch_summary,
    prepare_branch_entries,
)
from model.compaction import CompactionPreparation, NothingToCompact, prepare_compaction
from model.conversation_text import serialize_conversation
from model.cut_points import CutPoint, find_cut_point
from model.dialects import Dialect
from model.file_operations import (
    FileLists,
    FileOperations,
    compute_file_lists,
    file_tags,
    operations_in_messages,
    with_file_tags,
)
from model.json_text import JsonObject, utf16_length
from model.llm_messages import convert_to_llm
from model.overflow import is_context_overflow
from model.pruning import prune_tool_outputs
from model.remote_summaries import remote_answer
from model.session_loading import load_session
from model.session_names import session_name
from model.settings import EffectiveSettings
from model.settings_levels import resolve_settings
from model.summary_answers import (
    SummaryAbortedError,
    SummaryAnswer,
    SummaryFailedError,
    answer_text,
    compact,
)
from model.summary_requests import PromptTexts, SummaryOptions, SummaryRequest
from model.tree import SessionTree
from model.triggers import effective_reserve, should_compact
from tests.conformance.adapter_format import RULES, TEMPLATES, build_context

FILES = Path(__file__).parent.parent
PASS_KEYS = {"history": "history", "turn prefix": "turnPrefix", "short summary": "short", "branch": "branch"}


def prompt_texts(dialect: Dialect) -> PromptTexts:
    return PromptTexts(
        system_prompt="{{summarizer-system-prompt}}",
        summary="{{summary-prompt}}",
        update_summary="{{update-summary-prompt}}",
        turn_prefix="{{turn-prefix-prompt}}",
        short_summary="{{short-summary-prompt}}",
        branch_summary="{{branch-summary-prompt}}",
        branch_preamble="{{branch-summary-preamble}}",
        context=TEMPLATES[dialect],
    )


def settings_of(dialect: Dialect, given: JsonObject) -> EffectiveSettings:
    address = {"remoteEndpoint": "http://localhost/"} if given.get("remoteEndpoint") == "<endpoint>" else {}
    return resolve_settings({"application": {"compaction": {**given, **address}}}, dialect).values


def overflow(dialect: Dialect, given: JsonObject) -> Any:
    return {"overflow": is_context_overflow(given["message"], given.get("contextWindow"), RULES[dialect])}


def threshold(dialect: Dialect, given: JsonObject) -> Any:
    settings, window = settings_of(dialect, given["settings"]).compaction, given["contextWindow"]
    return {
        "compact": should_compact(given["contextTokens"], window, settings, RULES[dialect]),
        "reserve": effective_reserve(window, settings, RULES[dialect]),
    }


def cut_point(dialect: Dialect, given: JsonObject) -> Any:
    bounds = given["startIndex"], given["endIndex"], given["keepRecentTokens"]
    return cut_shape(find_cut_point(given["entries"], *bounds, RULES[dialect]))


def cut_shape(cut: CutPoint) -> Any:
    return {
        "firstKeptEntryIndex": cut.first_kept_index,
        "turnStartIndex": -1 if cut.turn_start_index is None else cut.turn_start_index,
        "isSplitTurn": cut.is_split_turn,
    }


def prepared(dialect: Dialect, given: JsonObject) -> Any:
    settings = settings_of(dialect, given["settings"]).compaction
    preparation = prepare_compaction(given["entries"], settings, RULES[dialect])
    if isinstance(preparation, NothingToCompact):
        return None
    shape = {
        "firstKeptEntryId": preparation.first_kept_entry_id,
        "isSplitTurn": preparation.is_split_turn,
        "tokensBefore": preparation.tokens_before,
        "previousSummary": preparation.previous_summary,
        "messagesToSummarize": preparation.messages_to_summarize,
        "turnPrefixMessages": preparation.turn_prefix_messages,
        **files_shape(preparation.file_ops),
    }
    if dialect == "omp":
        shape["previousPreserveData"] = preparation.previous_preserve_data
        shape["recentMessages"] = preparation.recent_messages
    return shape


def files_shape(operations: FileOperations) -> Any:
    return {"fileOps": operations_shape(operations), "fileLists": compute_file_lists(operations).as_details()}


def operations_shape(operations: FileOperations) -> Any:
    return {
        name: sorted(getattr(operations, name), key=lambda path: path.encode("utf-16-be", "surrogatepass"))
        for name in ("read", "written", "edited")
    }


def pruned(dialect: Dialect, given: JsonObject) -> Any:
    levels = {"application": {"pruning": given.get("config", {})}}
    policy = resolve_settings(levels, dialect).values.pruning
    pruning = prune_tool_outputs(given["entries"], 0, policy, RULES[dialect])
    return {
        "prunedCount": len(pruning.results),
        "tokensSaved": pruning.tokens_saved,
        "changed": {str(found.index): {**found.message, "prunedAt": "<now-ms>"} for found in pruning.results},
    }


def file_lists(dialect: Dialect, given: JsonObject) -> Any:
    operations = operations_in_messages(given["messages"], RULES[dialect])
    lists = compute_file_lists(operations)
    return {
        "fileOps": operations_shape(operations),
        **lists.as_details(),
        "formatted": with_file_tags("", lists, dialect, tag_limit(dialect), RULES[dialect]),
    }


def file_blocks(dialect: Dialect, given: JsonObject) -> Any:
    lists = FileLists(tuple(given["readFiles"]), tuple(given["modifiedFiles"]))
    layout = dialect, tag_limit(dialect), RULES[dialect]
    return {"formatted": file_tags(lists, *layout), "text": with_file_tags(given["summary"], lists, *layout)}


def tag_limit(dialect: Dialect) -> int:
    return settings_of(dialect, {}).compaction.file_tag_limit


class Client:
    """Answers requests as the vector says, and notes them in the shape of its dialect."""

    def __init__(self, dialect: Dialect, given: JsonObject) -> None:
        self.dialect = dialect
        self.given = given
        self.settings = settings_of(dialect, given.get("settings", {}))
        self.noted: list[tuple[SummaryRequest, Any]] = []

    def answer(self, request: SummaryRequest) -> SummaryAnswer:
        """Return the answer to a request, which may fail."""
        is_remote = request.may_go_remote and self.settings.compaction.active_endpoint is not None
        self.noted.append((request, self.shape(request, is_remote)))
        if is_remote:
            body = self.given.get("remoteBody", {"summary": self.reply(request)})
            return remote_answer(request, self.given.get("remoteStatus", 200), body)
        message = self.message(request)
        return SummaryAnswer(answer_text(request.pass_name, message, RULES[self.dialect]), message["usage"])

    def answers(self, requests: Iterable[SummaryRequest]) -> tuple[tuple[SummaryAnswer, ...], list[SummaryFailedError]]:
        """Return the answers to requests made at the same time, and the failures among them."""
        answers, failures = [], []
        for request in requests:
            try:
                answers.append(self.answer(request))
            except SummaryFailedError as error:
                failures.append(error)
        return tuple(answers), failures

    def reply(self, request: SummaryRequest) -> Any:
        replies = self.given["replies"]
        return replies[PASS_KEYS[request.pass_name]] if isinstance(replies, dict) else replies[len(self.noted) - 1]

    def message(self, request: SummaryRequest) -> JsonObject:
        cost = dict.fromkeys(("input", "output", "cacheRead", "cacheWrite", "total"), 0)
        usage = {"input": 10, "output": 2, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 12, "cost": cost}
        message = {"role": "assistant", "stopReason": "stop", "usage": usage}
        if "modelError" in self.given:
            return {**message, "content": [], "stopReason": "error", "errorMessage": self.given["modelError"]}
        reply = self.reply(request)
        if isinstance(reply, str):
            return {**message, "content": [{"type": "text", "text": reply}]}
        return {**message, **reply}

    def shape(self, request: SummaryRequest, is_remote: bool) -> Any:
        texts = {"systemPrompt": request.system_prompt, "prompt": request.prompt}
        options = {
            "maxTokens": request.max_tokens or None,
            "reasoning": request.reasoning,
            "cacheRetention": "none" if request.prompt_cache_off else None,
        }
        if self.dialect == "pi":
            return {**texts, "options": options}
        return {"via": "remote", **texts} if is_remote else {"via": "model", **texts, "options": options}

    def requests(self) -> Any:
        if self.dialect == "pi" or not isinstance(self.given["replies"], dict):
            return [shape for _, shape in self.noted]
        return {PASS_KEYS[request.pass_name]: shape for request, shape in self.noted}


def summary_options(given: JsonObject) -> SummaryOptions:
    options = given.get("options", {})
    return SummaryOptions(
        custom_instructions=given.get("customInstructions"),
        prompt_override=options.get("promptOverride"),
        extra_context=options.get("extraContext", ()),
        thinking_level=given.get("thinkingLevel"),
        model_reasons=given.get("reasoningModel", True),
    )


def summary_requests(dialect: Dialect, given: JsonObject) -> Any:
    client = Client(dialect, given)
    preparation = prepare_compaction(given["entries"], client.settings.compaction, RULES[dialect])
    if isinstance(preparation, NothingToCompact):
        return {"prepared": None}
    run = compact(preparation, prompt_texts(dialect), dialect, summary_options(given), rules=RULES[dialect])
    try:
        batch = next(run)
        while True:
            answers, failures = client.answers(batch)
            batch = run.throw(failures[0]) if failures else run.send(answers)
    except SummaryFailedError as error:
        return {"requests": client.requests(), "error": str(error)}
    except StopIteration as stop:
        generated = stop.value
    result = {
        "summary": generated.summary,
        "firstKeptEntryId": generated.first_kept_entry_id,
        "tokensBefore": generated.tokens_before,
        "details": generated.files.as_details(),
    }
    if dialect == "pi":
        result["usage"] = generated.usage
    else:
        result["shortSummary"] = generated.short_summary
        result["preserveData"] = generated.preserve_data
    return {"requests": client.requests(), "result": result}


def branch_entries(dialect: Dialect, given: JsonObject) -> Any:
    preparation = prepare_branch_entries(given["entries"], given["tokenBudget"], RULES[dialect])
    return {
        "messages": preparation.messages,
        "totalTokens": preparation.total_tokens,
        **files_shape(preparation.file_ops),
    }


def branch_summary_requests(dialect: Dialect, given: JsonObject) -> Any:
    rules, texts, client = RULES[dialect], prompt_texts(dialect), Client(dialect, given)
    settings = client.settings
    budget = branch_token_budget(given["contextWindow"], given["reserveTokens"], rules)
    preparation = prepare_branch_entries(given["entries"], budget, rules)
    if not preparation.messages:
        return {"requests": [], "result": {"summary": rules.empty_branch_text}}
    request = branch_summary_request(
        preparation,
        texts,
        branch_output_limit(dialect, given["reserveTokens"]),
        SummaryOptions(custom_instructions=given.get("customInstructions")),
        replace_instructions=given.get("replaceInstructions", settings.branch_summary.replace_instructions),
        rules=rules,
    )
    try:
        answer = client.answer(request)
    except SummaryFailedError as error:
        result: Any = {"error": str(error)}
    except SummaryAbortedError:
        result = {"aborted": True}
    else:
        limit = settings.compaction.file_tag_limit
        finished = finished_branch_summary(
            preparation, answer.text, texts, dialect, file_tag_limit=limit, usage=answer.usage, rules=rules
        )
        result = {"summary": finished.summary, **finished.files.as_details()}
        if dialect == "pi":
            result["usage"] = finished.usage
    return {"requests": client.requests(), "result": result}


def whole_file(dialect: Dialect, given: JsonObject) -> Any:
    uuids = (f"{number:08x}" for number in itertools.count())
    session = load_session((FILES / given["file"]).read_bytes(), lambda: next(uuids), RULES[dialect])
    entries = session.entries
    leaf = entries[-1 if given["leaf"] == "last" else given["leaf"]]["id"]
    path = SessionTree(entries, RULES[dialect]).path_to(leaf)
    context = build_context(dialect, {"entries": entries, "leafId": leaf})
    messages = context.pop("messages")
    return {
        "entries": len(entries),
        "pathLength": len(path),
        "contextMessages": len(messages),
        "contextRolesSha256": sha256(",".join(message["role"] for message in messages)),
        **text_shape("contextText", dialect, messages),
        "thinkingLevel": context["thinkingLevel"],
        "model": context.get("model"),
        "models": context.get("models"),
        "mode": context.get("mode"),
        "name": session_name(entries) if dialect == "pi" else None,
        **compaction_of_path(dialect, entries, path, given["keepRecentTokens"]),
    }


def compaction_of_path(dialect: Dialect, entries: Iterable[JsonObject], path: list[JsonObject], keep: int) -> Any:
    cut = find_cut_point(path, 0, len(path), keep, RULES[dialect])
    settings = settings_of(dialect, {"keepRecentTokens": keep}).compaction
    preparation = prepare_compaction(path, settings, RULES[dialect])
    if isinstance(preparation, NothingToCompact):
        return {"cutPoint": cut_shape(cut), "prepared": None}
    return {"cutPoint": cut_shape(cut), "prepared": preparation_shape(dialect, entries, preparation)}


def preparation_shape(dialect: Dialect, entries: Iterable[JsonObject], preparation: CompactionPreparation) -> Any:
    ids = [entry["id"] for entry in entries]
    previous, lists = preparation.previous_summary, compute_file_lists(preparation.file_ops)
    return {
        "firstKeptEntryIndex": ids.index(preparation.first_kept_entry_id),
        "isSplitTurn": preparation.is_split_turn,
        "tokensBefore": preparation.tokens_before,
        "messagesToSummarize": len(preparation.messages_to_summarize),
        "turnPrefixMessages": len(preparation.turn_prefix_messages),
        "recentMessages": len(preparation.recent_messages) if dialect == "omp" else None,
        "previousSummarySha256": None if previous is None else sha256(previous),
        **lists.as_details(),
        **text_shape("historyText", dialect, preparation.messages_to_summarize),
        **text_shape("turnPrefixText", dialect, preparation.turn_prefix_messages),
    }


def text_shape(name: str, dialect: Dialect, messages: Iterable[JsonObject]) -> Any:
    plain = convert_to_llm(messages, TEMPLATES[dialect], RULES[dialect])
    text = serialize_conversation(plain, rules=RULES[dialect])
    return {f"{name}Units": utf16_length(text), f"{name}Sha256": sha256(text)}


def sha256(text: str) -> str:
    well_formed = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return hashlib.sha256(well_formed.encode("utf-8")).hexdigest()


TOPICS: dict[str, Callable[[Any, JsonObject], Any]] = {
    "overflow": overflow,
    "should_compact": threshold,
    "cut_point": cut_point,
    "prepare_compaction": prepared,
    "pruning": pruned,
    "file_lists": file_lists,
    "file_operations": file_blocks,
    "summary_requests": summary_requests,
    "prepare_branch_entries": branch_entries,
    "branch_summary_requests": branch_summary_requests,
    "whole_files": whole_file,
}
