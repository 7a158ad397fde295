"""Feeds the *Context* tab: builds the context at the selected entry on a worker, when the tab can be seen."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QObject

from gui.inspector.context_tab import ContextMessage, ContextTab, ContextView
from gui.latest_job import LatestJob
from gui.session_document import SessionDocument
from model.entry_text import message_text
from model.llm_messages import convert_to_llm
from model.token_estimates import estimate_tokens
from services.agent_session import AgentSession
from services.cancellation import CancellationToken
from services.prompt_texts import context_templates

CHECK_EVERY = 256  # messages between two looks at the token


class ContextControl(QObject):
    """Shows the context at an entry of one document."""

    def __init__(self, document: SessionDocument, tab: ContextTab, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._tab = tab
        self._jobs = LatestJob(self)

    def show_entry(self, row: int | None) -> None:
        """Show the context with the leaf at entry `row`."""
        session, index = self._document.session, self._document.index
        if session is None or index is None or row is None:
            self._jobs.drop()
            self._tab.show_context(None)
            return
        entry_id = index.id_of(row)
        self._tab.show_waiting()
        self._jobs.start(
            lambda token: _context_at(session, entry_id, token), self._tab.show_context, self._show_failure
        )

    @property
    def is_computing(self) -> bool:
        """Whether a preview is still to come."""
        return self._jobs.running

    def close(self) -> None:
        """Drop what is being computed."""
        self._jobs.close()

    def _show_failure(self, sentence: str) -> None:
        self._tab.show_context(None)


def _context_at(session: AgentSession, entry_id: str, token: CancellationToken) -> ContextView:
    context = session.context(entry_id)
    templates = context_templates()
    messages: list[ContextMessage] = []
    total = 0
    for number, (message, source_id) in enumerate(zip(context.messages, context.source_ids, strict=True)):
        if number % CHECK_EVERY == 0:
            token.raise_if_set()
        tokens = estimate_tokens(message)
        total += tokens
        converted = convert_to_llm([message], templates)  # some messages are not sent at all
        text = "\n\n".join(message_text(each) for each in converted)
        role = converted[0].get("role") if converted else QCoreApplication.translate("ContextControl", "not sent")
        messages.append(ContextMessage(source_id, str(role), tokens, total, text))
    model = context.state.model
    return ContextView(
        tuple(messages),
        total,
        f"{model.provider}/{model.model_id}" if model else "",
        context.state.thinking_level or "off",
    )
