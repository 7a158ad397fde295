"""What an operation's handlers may use: the `ctx` of the hooks (HK-1)."""

import logging
from typing import TYPE_CHECKING
from uuid import uuid4

from services.cancellation import CancellationToken, run_until_cancelled
from services.endpoints.exchange import ModelRequest
from services.hooks import HookContext
from services.session_events import Emit, Level, Notice

if TYPE_CHECKING:
    from services.agent_session import AgentSession

extension_log = logging.getLogger("branchwork.extensions")


def hook_context(session: "AgentSession", emit: Emit) -> HookContext:
    """Return the context for handlers of one operation of `session`."""

    async def complete(prompt: str, system_prompt: str, signal: CancellationToken) -> str:
        endpoint = await session.summarizer_choice().model_endpoint()
        request = ModelRequest.of_prompt(system_prompt, prompt, 0, str(uuid4()))
        reply = await run_until_cancelled(signal, endpoint.send(request, lambda _text: None))
        return reply.text

    def notify(text: str, level: Level = "info") -> None:
        emit(Notice(level, text))

    model = session.settings.model.model_id
    snapshot, leaf_id = session.snapshot(), session.leaf_id
    return HookContext(
        cwd=session.store.cwd,
        session_id=session.store.session_id,
        session_file=str(session.store.path),
        model=model,
        branch=lambda: snapshot.path(leaf_id),
        entry=snapshot.entry,
        complete=complete,
        notify=notify,
        log=extension_log,
    )
