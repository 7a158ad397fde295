"""Going to another entry of the tree, with a summary of the branch that is left (TN-5 … TN-11, BS)."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from model.branch_summaries import (
    UNKNOWN_WINDOW_TOKENS,
    BranchPreparation,
    branch_output_limit,
    branch_summary_request,
    branch_token_budget,
    finished_branch_summary,
    prepare_branch_entries,
)
from model.context import entry_message
from model.digest_evidence import Evidence
from model.entries import entry_id, new_branch_summary_entry, new_label_entry
from model.file_operations import compute_file_lists
from model.json_text import JsonObject
from model.navigation import resulting_leaf
from model.sentences import Sentence, told
from model.summary_requests import SummaryOptions, SummaryRequest
from model.token_estimates import estimate_tokens
from model.turn_messages import AttachedImage
from services.blobs import BlobFolders
from services.cancellation import CancellationToken, OperationCancelled
from services.errors import ServiceError
from services.operations import DraftSummary, NavigationOptions, NavigationPreview, NavigationResult
from services.prompt_texts import prompt_texts
from services.sendable_images import images_of_input
from services.session_events import Emit, Notice, PhaseChanged
from services.session_snapshot import SessionSnapshot, let_go
from services.summarizers.choice import Summarizers
from services.summarizers.line_sources import aligned_sources
from services.summarizers.offline import OFFLINE
from services.summarizers.passes import SummaryPass
from services.summarizers.running import reviewed
from services.writer_gate import KnownEntries

if TYPE_CHECKING:
    from services.agent_session import AgentSession, Operation


@dataclass(frozen=True, slots=True)
class Move:
    """A navigation as it's computed from the tree: what is left and where it lands (TN-3 … TN-5)."""

    target_id: str
    old_leaf_id: str | None
    common_ancestor_id: str | None
    abandoned_rows: tuple[int, ...]
    abandoned_ids: tuple[str, ...]
    new_leaf_id: str | None
    editor_text: str | None
    target: JsonObject

    @classmethod
    def plan(cls, snapshot: SessionSnapshot, old_leaf_id: str | None, target_id: str) -> "Move":
        """Return the move from `old_leaf_id` to the selected `target_id`. Raises UnknownEntryError."""
        target = snapshot.entry(target_id)
        rows = snapshot.abandoned_rows(old_leaf_id, target_id)
        new_leaf_id, editor_text = resulting_leaf(target)
        if new_leaf_id is not None and snapshot.index.row_of(new_leaf_id) is None:
            new_leaf_id = None  # an orphan has no place to go back to but the beginning
        return cls(
            target_id,
            old_leaf_id,
            snapshot.common_ancestor(old_leaf_id, target_id),
            tuple(rows),
            snapshot.ids(rows),
            new_leaf_id,
            editor_text,
            target,
        )


def preview_navigation(session: "AgentSession", target_id: str, options: NavigationOptions) -> NavigationPreview:
    """Return what going to `target_id` would do. Interruptible."""
    snapshot = session.snapshot()
    move = Move.plan(snapshot, session.leaf_id, target_id)
    with snapshot.decoded(move.abandoned_rows) as abandoned:
        return _preview(session, move, abandoned, options)


def _preview(
    session: "AgentSession", move: Move, abandoned: list[JsonObject], options: NavigationOptions
) -> NavigationPreview:
    preparation, request = _request(session, abandoned, options, session.summarizer_choice())
    files = compute_file_lists(preparation.file_ops)
    messages = (entry_message(entry, session.rules) for entry in abandoned)
    return NavigationPreview(
        target_id=move.target_id,
        old_leaf_id=move.old_leaf_id,
        common_ancestor_id=move.common_ancestor_id,
        abandoned=move.abandoned_ids,
        abandoned_tokens=sum(estimate_tokens(message, session.rules) for message in messages if message is not None),
        message_count=len(preparation.messages),
        message_tokens=preparation.total_tokens,
        omitted=tuple(id for id in preparation.omitted_entry_ids if id is not None),
        read_files=files.read_files,
        modified_files=files.modified_files,
        new_leaf_id=move.new_leaf_id,
        editor_text=move.editor_text,
        lands_on_parent=move.editor_text is not None,
        system_prompt=request.system_prompt,
        prompt=request.prompt,
        can_summarize=bool(preparation.messages),
        is_current_leaf=move.target_id == session.leaf_id,
    )


async def navigate(
    session: "AgentSession", target_id: str, options: NavigationOptions, token: CancellationToken, emit: Emit
) -> NavigationResult:
    """Run a navigation (TN-9). An abort before anything was written is a result."""
    if options.summarize or options.label:
        await session.writer_gate.passed(emit)
    old_leaf_id = session.leaf_id
    with session.operation(token) as operation:
        if target_id == old_leaf_id:
            return NavigationResult(cancelled=False, leaf_id=old_leaf_id)
        run = _Navigation(session, options, token, emit, operation)
        try:
            return await run.run(target_id)
        except OperationCancelled:
            return run.stopped(aborted=True)
        except asyncio.CancelledError:
            if not token.is_set():
                raise
            return run.stopped(aborted=True)


@dataclass(frozen=True, slots=True)
class _Summary:
    """The summary of a branch that is about to be saved."""

    text: str
    details: object
    usage: JsonObject | None
    line_sources: tuple[tuple[str, ...], ...] = ()
    from_extension: bool = False


@dataclass(slots=True)
class _Navigation:
    session: "AgentSession"
    options: NavigationOptions
    token: CancellationToken
    emit: Emit
    operation: "Operation"
    move: Move | None = None  # once it's known

    async def run(self, target_id: str) -> NavigationResult:
        """Return what became of it. Raises OperationCancelled."""
        session, token = self.session, self.token
        old_leaf_id = session.leaf_id
        choice = session.summarizer_choice()
        asks_hooks = session.hooks is not None and session.hooks.has("session_before_tree")
        if self.options.summarize and not asks_hooks:
            choice.info("branch", self.options.summarizer)  # raises when it isn't there
        self.emit(PhaseChanged("preparing"))
        snapshot = session.snapshot()
        move = self.move = await asyncio.to_thread(Move.plan, snapshot, old_leaf_id, target_id)
        known = KnownEntries.behind(snapshot.index, *dict.fromkeys((old_leaf_id, move.new_leaf_id)))
        token.raise_if_set()
        summary = None
        if asks_hooks or self.options.summarize:  # to read what is left can take long: only for who looks at it
            abandoned = await asyncio.to_thread(snapshot.entries, move.abandoned_rows)
            try:
                if asks_hooks:
                    cancelled, summary = await self._ask_hooks(move, abandoned)
                    if cancelled:
                        return self.stopped()
                if self.options.summarize and abandoned and summary is None:
                    summary = await self._generated(abandoned, choice)
            finally:
                let_go(abandoned)
        images, left_out = await self._images(move)
        entry_id, entry = await self._commit(move, summary, known)
        label_id = self._labelled(entry_id or target_id)
        session.release(self.operation)
        with suppress(asyncio.CancelledError):  # the move is done: nothing may make it look stopped
            await self._tell_hooks(move, entry, summary)
        return NavigationResult(
            cancelled=False,
            leaf_id=session.leaf_id,
            editor_text=move.editor_text,
            summary_entry_id=entry_id,
            summary_entry=entry,
            summary_skipped=self.options.summarize and summary is None,
            common_ancestor_id=move.common_ancestor_id,
            abandoned=move.abandoned_ids,
            from_extension=summary.from_extension if summary else False,
            label_entry_id=label_id,
            line_sources=summary.line_sources if summary else (),
            editor_images=images,
            editor_images_left_out=left_out,
        )

    def stopped(self, *, aborted: bool = False) -> NavigationResult:
        """Return the result of a navigation that changed nothing, with what is known of it."""
        move = self.move
        return NavigationResult(
            cancelled=True,
            aborted=aborted,
            leaf_id=self.session.leaf_id,
            common_ancestor_id=move.common_ancestor_id if move else None,
            abandoned=move.abandoned_ids if move else (),
        )

    async def _images(self, move: Move) -> tuple[tuple[AttachedImage, ...], int]:
        """The images of a message that is taken up again, and how many of them can't be."""
        if move.editor_text is None:
            return (), 0
        folders = BlobFolders.of_session(self.session.store.path)
        return await asyncio.to_thread(images_of_input, move.target, folders)

    async def _ask_hooks(self, move: Move, abandoned: list[JsonObject]) -> tuple[bool, _Summary | None]:
        """Whether an extension cancels the navigation, and the summary it supplies; its options replace ours (HK-6)."""
        from model.hook_events import BeforeTreeResult, SessionBeforeTreeEvent, TreePreparation
        from services.hook_context import hook_context

        assert self.session.hooks is not None
        options = self.options
        self.emit(PhaseChanged("hook", Sentence("Asking the extensions")))
        preparation = TreePreparation(
            target_id=move.target_id,
            old_leaf_id=move.old_leaf_id,
            common_ancestor_id=move.common_ancestor_id,
            entries_to_summarize=tuple(abandoned),
            user_wants_summary=options.summarize,
            custom_instructions=options.custom_instructions,
            replace_instructions=options.replace_instructions,
            label=options.label,
        )
        event = SessionBeforeTreeEvent(preparation=preparation, signal=self.token)
        ctx = hook_context(self.session, self.emit)
        result = await self.session.hooks.ask(
            "session_before_tree", event, ctx, self.token, self.emit, BeforeTreeResult
        )
        if result is None:
            return False, None
        self.options = replace(options, **result.overrides)
        given = result.summary if options.summarize else None
        if given is None:
            return result.cancel, None
        return result.cancel, _Summary(given.summary, given.details, given.usage, from_extension=True)

    async def _tell_hooks(self, move: Move, entry: JsonObject | None, summary: _Summary | None) -> None:
        """Notify the extensions of the finished navigation (HK-7)."""
        if self.session.hooks is None or not self.session.hooks.has("session_tree"):
            return
        from model.hook_events import SessionTreeEvent
        from services.hook_context import hook_context

        event = SessionTreeEvent(
            new_leaf_id=self.session.leaf_id,
            old_leaf_id=move.old_leaf_id,
            summary_entry=entry,
            from_extension=summary.from_extension if summary else None,
        )
        await self.session.hooks.tell("session_tree", event, hook_context(self.session, self.emit), self.emit)

    async def _generated(self, abandoned: list[JsonObject], choice: Summarizers) -> _Summary | None:
        """The summary by the built-in generator; None when there's nothing to summarise (BS-9)."""
        session = self.session
        preparation, request = await asyncio.to_thread(_request, session, abandoned, self.options, choice)
        if not preparation.messages:
            return None
        summarizer = await choice.make("branch", self.options.summarizer)
        messages = [(entry_id(entry) or "", entry_message(entry, session.rules)) for entry in abandoned]
        evidence = [Evidence(id, message) for id, message in messages if message is not None]
        result = await summarizer.write(
            SummaryPass(request.with_room(self.options.room), evidence), self.token, self.emit
        )
        finished = finished_branch_summary(
            preparation,
            result.text,
            prompt_texts(),
            session.store.dialect,
            file_tag_limit=choice.settings.compaction.file_tag_limit,
            usage=result.usage,
            rules=session.rules,
        )
        draft = DraftSummary(finished.summary, summarizer.info, aligned_sources(finished.summary, [result]))
        text = await reviewed(draft, self.options.review, self.emit)
        return _Summary(text, finished.files.as_details(), finished.usage, aligned_sources(text, [result]))

    async def _commit(
        self, move: Move, summary: _Summary | None, known: KnownEntries
    ) -> tuple[str | None, JsonObject | None]:
        """Append the summary, or only move the leaf. Up to `seal` nothing has changed; then nothing can be stopped."""
        session = self.session
        if summary is not None:
            self.emit(PhaseChanged("saving"))
            await session.writer_gate.still_passed(known, self.emit, summary.text)
            self.token.raise_if_set()
        session.check_current(self.operation, move.old_leaf_id, move.new_leaf_id)
        self.token.seal()
        if summary is None:
            session.move_leaf(move.new_leaf_id)
            return None, None
        entry = new_branch_summary_entry(
            session.store.new_entry_id(),
            move.new_leaf_id,
            session.now(),
            session.store.dialect,
            from_id=move.old_leaf_id,
            summary=summary.text,
            details=summary.details,
            usage=summary.usage,
            from_extension=summary.from_extension or None,
        )
        return session.append(entry), entry

    def _labelled(self, target_id: str) -> str | None:
        """Apply the label of the options; its failure is a warning, since the navigation has happened (TN-10)."""
        label = (self.options.label or "").strip()
        session = self.session
        row = session.store.index.row_of(target_id)
        if not label or (row is not None and session.store.labels.get(row) == label):
            return None
        entry = new_label_entry(
            session.store.new_entry_id(),
            session.leaf_id,
            session.now(),
            session.store.dialect,
            target_id=target_id,
            label=label,
        )
        try:
            return session.append(entry)
        except (ServiceError, OSError) as error:
            self.emit(Notice("warning", Sentence("The label was not saved: {0}", told(error))))
            return None


def _request(
    session: "AgentSession", abandoned: Sequence[JsonObject], options: NavigationOptions, choice: Summarizers
) -> tuple[BranchPreparation, SummaryRequest]:
    """What a branch summary would be made of, and its request (BS-2 … BS-5)."""
    settings = choice.settings
    reserve = settings.branch_summary.reserve_tokens
    is_offline = choice.info("branch", options.summarizer).id == OFFLINE.id
    if is_offline:  # it reads everything itself; the prompt is shown as a model of unknown size would get it
        budget = max(0, UNKNOWN_WINDOW_TOKENS - reserve)
    else:
        budget = branch_token_budget(choice.model_size.context_window, reserve, session.rules)
    preparation = prepare_branch_entries(abandoned, budget, session.rules, with_tool_results=options.with_tool_results)
    replace_instructions = options.replace_instructions
    if replace_instructions is None:
        replace_instructions = settings.branch_summary.replace_instructions
    request = branch_summary_request(
        preparation,
        prompt_texts(),
        branch_output_limit(session.store.dialect, reserve),
        SummaryOptions(
            custom_instructions=options.custom_instructions,
            max_output_tokens=None if is_offline else choice.model_size.max_output,
        ),
        replace_instructions=replace_instructions,
        include_thinking=settings.compaction.include_thinking,
        rules=session.rules,
    )
    return preparation, request
