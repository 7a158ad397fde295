"""The subcommands that change a session: navigate, compact, prune, label."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from functools import partial

from gui.command_line.exit_codes import ExitCode, UsageError
from gui.command_line.opening import session_to_change
from gui.command_line.running import STOPPED_SENTENCE, Answer, Run
from gui.command_line.text_layout import count_of, facts, indented, size_facts
from model.entries import parent_id
from model.json_text import JsonObject
from model.token_estimates import ContextFigures
from services.agent_session import AgentSession
from services.errors import ServiceError
from services.operations import CompactionOptions, CompactionResult, NavigationOptions, NavigationResult
from services.pruning import PruningResult, plan_pruning
from services.pruning import prune as prune_session
from services.questions import SecretsAnswer, SecretsFound
from services.session_events import Emit
from services.summarizers.choice import Kind
from services.summarizers.secret_gate import SecretGate, SecretsHeldBack
from services.writer_gate import WentOnError


async def navigate(run: Run) -> Answer:
    """Go to another entry, with a summary of what is left where that was asked for."""
    given = run.given
    if not given.summarize and not (given.instructions is None and given.replace_instructions is None):
        raise UsageError("--instructions and --replace-instructions say how to summarise: --summarize goes with them.")
    async with session_to_change(run) as session, _secrets_decided(run, session):
        _check_summarizer(session, "branch", given.summarizer)
        old_leaf_id = session.leaf_id
        options = NavigationOptions(
            summarize=given.summarize,
            custom_instructions=given.instructions,
            replace_instructions=given.replace_instructions,
            label=given.label,
            summarizer=given.summarizer,
        )
        try:
            result = await session.navigate_tree(given.target, options, run.token, run.emit)
        except WentOnError as error:
            return _unsaved(run, error)
        resume_point_id = None
        if given.set_resume_point and not result.cancelled and session.resume_leaf_id != session.leaf_id:
            await session.writer_gate.passed(run.emit)
            resume_point_id = session.set_resume_point()
        if result.aborted:
            run.console.error(STOPPED_SENTENCE)
        elif result.cancelled:
            run.console.error("An extension cancelled the navigation; nothing was written.")
        return Answer(
            partial(_navigation_json, result, session.leaf_id, resume_point_id),
            lambda _width: _navigation_lines(result, old_leaf_id, session.leaf_id, resume_point_id),
            exit_code=ExitCode.STOPPED if result.aborted else ExitCode.FAILED if result.cancelled else ExitCode.DONE,
        )


async def compact(run: Run) -> Answer:
    """Replace old history of the current branch by a summary."""
    given = run.given
    async with session_to_change(run) as session, _secrets_decided(run, session):
        _check_summarizer(session, "compaction", given.summarizer)
        options = CompactionOptions(
            instructions=given.instructions,
            keep_recent_tokens=given.keep,
            boundary=given.boundary,
            summarizer=given.summarizer,
        )
        try:
            result = await session.compact(options, run.token, run.emit)
        except WentOnError as error:
            return _unsaved(run, error)
        before = None
        if not run.given.json:
            before = await asyncio.to_thread(session.context_figures, parent_id(result.entry))
        return Answer(partial(_compaction_json, result), lambda _width: _compaction_lines(result, before))


async def prune(run: Run) -> Answer:
    """Replace old tool outputs by a notice."""
    async with session_to_change(run) as session:
        old_leaf_id = session.leaf_id
        if run.given.dry_run:
            planned = await asyncio.to_thread(plan_pruning, session)
            ids = tuple(result.entry_id for result in planned.results if result.entry_id is not None)
            result = PruningResult(ids, planned.tokens_saved)
        else:
            await session.writer_gate.passed(run.emit)
            result = prune_session(session, run.token)
        return Answer(
            partial(_pruning_json, result), lambda _width: _pruning_lines(result, old_leaf_id, run.given.dry_run)
        )


async def label(run: Run) -> Answer:
    """Label an entry, or clear its label."""
    given = run.given
    text = (given.text or "").strip()
    async with session_to_change(run) as session:
        if text != (session.label_of(given.id) or ""):
            await session.writer_gate.passed(run.emit)
        run.token.seal()
        entry_id = session.set_label(given.id, text)
        value = {"entryId": entry_id, "targetId": given.id, "label": text or None, "leafId": session.leaf_id}
        done = f"Labelled {given.id}: {text}" if text else f"Cleared the label of {given.id}."
        if entry_id is None:
            done = f"{given.id} has that label already." if text else f"{given.id} has no label."
            done += " Nothing was written."
        return Answer(lambda: value, lambda _width: indented(done, ""))


def _unsaved(run: Run, error: WentOnError) -> Answer:
    """Print a summary that was not saved: it took time, and perhaps money."""
    run.console.error(f"{error} --write-beside saves it all the same.")
    return Answer(lambda: {"saved": False, "summary": error.text}, lambda _: indented(error.text), ExitCode.FAILED)


# --- Before an operation ----------------------------------------------------------------------------------------------


def _check_summarizer(session: AgentSession, kind: Kind, name: str | None) -> None:
    """Raise UsageError when there is no summariser of that name with the present settings."""
    names = [info.id for info in session.summarizers(kind)]
    if name is not None and name not in names:
        raise UsageError(f"There is no summarizer {name!r} here; there is: {', '.join(names)}.")


@asynccontextmanager
async def _secrets_decided(run: Run, session: AgentSession) -> AsyncIterator[None]:
    """Have likely secrets in a prompt handled as `--secrets` says; nobody can be asked here."""
    decisions: dict[str, SecretsAnswer] = {"mask": "mask", "keep": "send"}
    decision = decisions.get(run.given.secrets)

    async def answer(found: SecretsFound, _emit: Emit) -> SecretsAnswer:
        assert decision is not None
        done = "masked in" if decision == "mask" else "left in"
        run.console.warning(f"{count_of(len(found.secrets), 'likely secret')} {done} the text for {found.host}.")
        return decision

    session.secret_gate = SecretGate(answer if decision else None)
    try:
        yield
    except SecretsHeldBack as error:
        raise ServiceError(f"{error} --secrets mask or --secrets keep decides about them.") from error


# --- Results ----------------------------------------------------------------------------------------------------------


def _navigation_json(result: NavigationResult, leaf_id: str | None, resume_point_id: str | None) -> JsonObject:
    found: JsonObject = {
        "cancelled": result.cancelled,
        "aborted": result.aborted,
        "commonAncestorId": result.common_ancestor_id,
        "abandoned": list(result.abandoned),
        "leafId": leaf_id,
        "summarySkipped": result.summary_skipped,
    }
    optional = {
        "editorText": result.editor_text,
        "summaryEntryId": result.summary_entry_id,
        "labelEntryId": result.label_entry_id,
        "resumePointEntryId": resume_point_id,
    }
    return found | {name: value for name, value in optional.items() if value is not None}


def _navigation_lines(
    result: NavigationResult, old_leaf_id: str | None, leaf_id: str | None, resume_point_id: str | None
) -> Iterable[str]:
    if result.cancelled:
        return
    if leaf_id == old_leaf_id:
        yield "Already there; nothing was written."
        return
    yield from facts(
        [
            ("Left", f"{old_leaf_id or 'the beginning'}, {count_of(len(result.abandoned), 'entry', 'entries')}"),
            ("Common ancestor", result.common_ancestor_id or "none"),
            ("Now at", leaf_id or "the beginning, before the first entry"),
            ("Summary", result.summary_entry_id),
            ("Label", result.label_entry_id),
            ("Resume point", resume_point_id),
        ]
    )
    if result.summary_skipped:
        yield "There was nothing to summarise."
    if result.summary_entry is not None:
        yield ""
        yield from indented(str(result.summary_entry.get("summary", "")))
    if result.editor_text:
        yield ""
        yield "Text for the editor:"
        yield from indented(result.editor_text)
    if not (result.summary_entry_id or result.label_entry_id or resume_point_id):
        yield ""
        yield "Nothing was written, so an agent would not resume there; --set-resume-point makes it."


def _compaction_json(result: CompactionResult) -> JsonObject:
    return {
        "entryId": result.entry_id,
        "firstKeptEntryId": result.first_kept_entry_id,
        "tokensBefore": result.tokens_before,
        "estimatedTokensAfter": result.estimated_tokens_after,
        "isSplitTurn": result.is_split_turn,
        "summary": result.summary,
    }


def _compaction_lines(result: CompactionResult, before: ContextFigures | None) -> Iterable[str]:
    yield from facts(
        [
            ("Compaction", result.entry_id),
            ("First kept entry", result.first_kept_entry_id),
            *size_facts(before, " before"),
            ("Estimated after", f"{result.estimated_tokens_after:,} tokens"),
        ]
    )
    yield ""
    yield from indented(result.summary)


def _pruning_json(result: PruningResult) -> JsonObject:
    found: JsonObject = {"pruned": list(result.pruned), "tokensSaved": result.tokens_saved}
    return found if result.backup is None else {**found, "backup": str(result.backup)}


def _pruning_lines(result: PruningResult, old_leaf_id: str | None, dry_run: bool) -> Iterable[str]:
    if not result.pruned:
        yield "Nothing to prune: too little would be saved."
        return
    verb = "would be pruned" if dry_run else "pruned"
    yield f"{count_of(len(result.pruned), 'tool output')} {verb}, {count_of(result.tokens_saved, 'token')} saved:"
    yield from (f"  {id}" for id in result.pruned)
    if result.backup is not None:
        yield f"The file as it was: {result.backup}"
    elif not dry_run:
        yield f"Nothing was rewritten. To undo it, go to {old_leaf_id}, the entry before the new ones."
