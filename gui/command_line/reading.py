"""The subcommands that only look: check, tree, context, preview."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence

from gui.command_line.opening import opened_session, opened_store
from gui.command_line.running import Answer, Run
from gui.command_line.text_layout import Column, count_of, facts, indented, safe_line, size_facts, table
from gui.command_line.tree_listing import tree_json, tree_lines
from model.compaction import CompactionPreparation, NothingToCompact
from model.context import ModelChoice, SessionContext, path_context
from model.entry_text import message_text
from model.file_operations import FileLists, compute_file_lists
from model.json_text import JsonObject
from model.llm_messages import convert_to_llm
from model.records import Problem
from model.rules import PRESETS
from model.summary_requests import SummaryRequest
from model.token_estimates import ContextFigures, context_figures, estimate_tokens
from services.agent_session import AgentSession
from services.compaction import compaction_prompts
from services.prompt_texts import context_templates
from services.session_store import SessionStore


async def check(run: Run) -> Answer:
    """Say what a session file is, and list everything odd in it."""
    async with opened_store(run) as store:
        await asyncio.to_thread(store.measure, None, run.token)
        found = check_json(store)
        return Answer(lambda: found, lambda width: _check_lines(store, found, store.problems, width))


def check_json(store: SessionStore) -> JsonObject:
    """Return what `check` finds in a session whose bodies were measured."""
    index = store.index
    found: JsonObject = {
        "dialect": store.dialect,
        "version": store.version,
        "entries": index.count,
        "roots": int((index.parent < 0).sum()),
        "leafId": index.id_of(index.count - 1) if index.count else None,
        "readOnly": store.read_only is not None,
        "problems": [problem_json(problem) for problem in store.problems],
    }
    if store.read_only is not None:
        found["readOnlyReason"] = store.read_only
    return found


async def tree(run: Run) -> Answer:
    """Show the tree of entries."""
    async with opened_store(run) as store:
        await asyncio.to_thread(store.measure, None, run.token)
        if run.given.json:
            value = await asyncio.to_thread(tree_json, store)
            return Answer(lambda: value, lambda _width: ())
        width = run.console.width
        lines = await asyncio.to_thread(lambda: list(tree_lines(store, run.given.filter, width, run.token)))
        return Answer(lambda: None, lambda _width: lines)


async def context(run: Run) -> Answer:
    """Show what the model would see."""
    async with opened_session(run) as session:
        leaf_id = run.given.leaf or session.leaf_id
        found, figures = await asyncio.to_thread(_context_json, session, leaf_id)
        notes = found.pop("notes")
        for note in notes:
            run.console.warning(note)
        return Answer(lambda: found, lambda width: _context_lines(found, figures, width, full=run.given.full))


async def preview(run: Run) -> Answer:
    """Show what a compaction would do, without doing it."""
    given = run.given
    rules = PRESETS[given.rules]
    async with opened_session(run) as session:
        preparation = await asyncio.to_thread(
            lambda: session.preview_compaction(
                leaf_id=given.leaf, keep_recent_tokens=given.keep, boundary=given.boundary, rules=rules
            )
        )
        requests: Sequence[SummaryRequest] = ()
        figures = None
        if not given.json:
            figures = await asyncio.to_thread(session.context_figures, given.leaf or session.leaf_id)
        if isinstance(preparation, CompactionPreparation):
            requests = await asyncio.to_thread(compaction_prompts, preparation, given.instructions, rules)
        return Answer(
            lambda: preview_json(preparation, requests),
            lambda width: _preview_lines(preparation, figures, requests, full=given.prompts),
        )


def preview_json(
    preparation: CompactionPreparation | NothingToCompact, requests: Sequence[SummaryRequest]
) -> JsonObject:
    """Return a preview as JSON; `reason` is there when nothing would be compacted."""
    if isinstance(preparation, NothingToCompact):
        return {
            "reason": preparation.reason,
            "windowStartId": preparation.window_start_id,
            "cutPointId": None,
            "firstKeptEntryId": None,
            "turnStartId": None,
            "isSplitTurn": False,
            "keepRecentTokens": preparation.keep_recent_tokens,
            "tokensBefore": preparation.tokens_before,
            "tokensSummarized": 0,
            "tokensTurnPrefix": 0,
            "tokensKept": 0,
            "summarize": [],
            "turnPrefix": [],
            "keep": [],
            "unsummarizedDropped": [],
            "previousSummary": None,
            "readFiles": [],
            "modifiedFiles": [],
            "prompts": [],
        }
    files = compute_file_lists(preparation.file_ops)
    return {
        "windowStartId": preparation.window_start_id,
        "cutPointId": preparation.cut_point_id,
        "firstKeptEntryId": preparation.first_kept_entry_id,
        "turnStartId": preparation.turn_start_id,
        "isSplitTurn": preparation.is_split_turn,
        "keepRecentTokens": preparation.keep_recent_tokens,
        "tokensBefore": preparation.tokens_before,
        "tokensSummarized": preparation.summarize.tokens,
        "tokensTurnPrefix": preparation.turn_prefix.tokens,
        "tokensKept": preparation.keep.tokens,
        "summarize": list(preparation.summarize.entry_ids),
        "turnPrefix": list(preparation.turn_prefix.entry_ids),
        "keep": list(preparation.keep.entry_ids),
        "unsummarizedDropped": list(preparation.unsummarized_dropped.entry_ids),
        "previousSummary": preparation.previous_summary,
        "readFiles": list(files.read_files),
        "modifiedFiles": list(files.modified_files),
        "prompts": [
            {"pass": request.pass_name, "systemPrompt": request.system_prompt, "prompt": request.prompt}
            for request in requests
        ],
    }


# --- Check ------------------------------------------------------------------------------------------------------------


def problem_json(problem: Problem) -> JsonObject:
    """Return a problem of a file as JSON."""
    return {"kind": problem.kind, "line": problem.line, "offset": problem.offset, "message": problem.message}


def problem_lines(problems: Sequence[Problem], width: int | None) -> list[str]:
    """Return a table of problems, nothing without any."""
    rows = [(str(problem.line), problem.kind, problem.message) for problem in problems]
    columns = [Column("Line", right=True), Column("Kind"), Column("Message")]
    return table(columns, rows, width) if rows else []


def _check_lines(
    store: SessionStore, found: JsonObject, problems: Sequence[Problem], width: int | None
) -> Iterable[str]:
    yield from facts(
        [
            ("Session", store.session_name or store.session_id),
            ("Written by", {"pi": "Pi", "omp": "OMP"}[store.dialect] + f", format version {store.version}"),
            ("Entries", f"{count_of(store.index.count, 'entry', 'entries')}, {count_of(found['roots'], 'root')}"),
            ("Resumes at", found["leafId"]),
            ("Read only", store.read_only),
        ]
    )
    yield ""
    if not problems:
        yield "No problems."
        return
    yield f"{count_of(len(problems), 'problem')}:"
    yield from problem_lines(problems, width)


# --- Context ----------------------------------------------------------------------------------------------------------


def _context_json(session: AgentSession, leaf_id: str | None) -> tuple[JsonObject, ContextFigures]:
    """The answer as JSON, and the sizes for people."""
    path = session.snapshot().path(leaf_id)
    found: SessionContext = path_context(path, session.rules)
    figures = context_figures(path, found.projection, session.rules)
    approximate = {"approximate": True} if found.approximate else {}
    answer: JsonObject = {
        "leafId": leaf_id,
        **approximate,
        "model": _model_json(found.state.model),
        "thinkingLevel": found.state.thinking_level,
        "tokens": figures.counted,
        "messages": list(_messages_json(session, found)),
        "notes": found.notes,
    }
    return answer, figures


def _model_json(model: ModelChoice | None) -> JsonObject | None:
    return None if model is None else {"provider": model.provider, "modelId": model.model_id}


def _messages_json(session: AgentSession, found: SessionContext) -> Iterator[JsonObject]:
    templates = context_templates()
    for entry_id, message in zip(found.source_ids, found.messages, strict=True):
        sent = convert_to_llm([message], templates, session.rules)
        yield {
            "entryId": entry_id,
            "role": message.get("role"),
            "llmRole": sent[0].get("role") if sent else None,
            "tokens": estimate_tokens(message, session.rules),
            "text": "\n\n".join(message_text(each) for each in sent),
        }


def _context_lines(found: JsonObject, figures: ContextFigures, width: int | None, *, full: bool) -> Iterable[str]:
    model = found["model"]
    yield from facts(
        [
            ("Leaf", found["leafId"]),
            ("Model", f"{model['provider']}/{model['modelId']}" if model else None),
            ("Thinking", found["thinkingLevel"]),
            ("Messages", len(found["messages"])),
            ("Approximate", "OMP itself sends its provider's own history here" if found.get("approximate") else None),
            *size_facts(figures),
        ]
    )
    yield ""
    if full:
        for message in found["messages"]:
            role = _sent_as(message)
            yield f"── {safe_line(role)} · {safe_line(message['entryId'] or '')} · {message['tokens']:,} tokens"
            yield from indented(message["text"])
            yield ""
        return
    rows, total = [], 0
    for message in found["messages"]:
        total += message["tokens"]
        text = message["text"][:1000]
        rows.append((message["entryId"] or "", _sent_as(message), f"{message['tokens']:,}", f"{total:,}", text))
    columns = [
        Column("Entry"), Column("Role"), Column("Estimated", right=True), Column("Sum", right=True),
        Column("Text"),
    ]  # fmt: skip
    yield from table(columns, rows, width)


def _sent_as(message: JsonObject) -> str:
    role, sent = str(message["role"]), message["llmRole"]
    if sent is None:
        return f"{role}, not sent"
    return role if role == sent else f"{role}, sent as {sent}"


# --- Preview ----------------------------------------------------------------------------------------------------------


def _preview_lines(
    preparation: CompactionPreparation | NothingToCompact,
    figures: ContextFigures | None,
    requests: Sequence[SummaryRequest],
    *,
    full: bool,
) -> Iterable[str]:
    if isinstance(preparation, NothingToCompact):
        yield preparation.text
        return
    files = compute_file_lists(preparation.file_ops)
    yield from facts(
        [
            *size_facts(figures, " now"),
            ("To keep", f"about {preparation.keep_recent_tokens:,} tokens"),
            ("Window starts at", preparation.window_start_id),
            ("Cut point", preparation.cut_point_id),
            ("First kept entry", preparation.first_kept_entry_id),
            ("Turn starts at", preparation.turn_start_id if preparation.is_split_turn else None),
        ]
    )
    yield ""
    groups = [
        ("history summary", preparation.summarize),
        ("turn prefix summary", preparation.turn_prefix),
        ("kept", preparation.keep),
        ("dropped unsummarised", preparation.unsummarized_dropped),
    ]
    columns = [
        Column("Becomes"), Column("Entries", right=True), Column("Messages", right=True),
        Column("Estimated", right=True), Column("From"), Column("To"),
    ]  # fmt: skip
    rows = [
        (name, f"{len(group.entry_ids):,}", f"{len(group.messages):,}", f"{group.tokens:,}",
         group.entry_ids[0] or "", group.entry_ids[-1] or "")
        for name, group in groups
        if group.entry_ids
    ]  # fmt: skip
    yield from table(columns, rows)
    if preparation.is_split_turn:
        yield ""
        yield "The cut falls inside a turn, whose beginning gets a summary of its own."
    if preparation.unsummarized_dropped.entry_ids:
        yield ""
        yield (
            "What the previous compaction kept would drop out without being summarised; "
            "--boundary sinceKept summarises it, too."
        )
    if preparation.previous_summary:
        yield ""
        yield f"Continues a summary of {count_of(len(preparation.previous_summary), 'character')}."
    yield from _file_lines(files)
    yield from _prompt_lines(requests, full=full)


def _file_lines(files: FileLists) -> Iterable[str]:
    for title, names in (("Files read", files.read_files), ("Files modified", files.modified_files)):
        if names:
            yield ""
            yield f"{title}:"
            yield from (f"  {safe_line(name)}" for name in names)


def _prompt_lines(requests: Sequence[SummaryRequest], *, full: bool) -> Iterable[str]:
    yield ""
    for request in requests:
        yield f"Prompt for the {request.pass_name}: {count_of(len(request.prompt), 'character')}"
        if full:
            yield "  System prompt:"
            yield from indented(request.system_prompt)
            yield "  Prompt:"
            yield from indented(request.prompt)
    if requests and not full:
        yield "(--prompts shows them in full)"
