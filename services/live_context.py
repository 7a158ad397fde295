"""The live messages of a session: the context at the leaf, less the failures that were taken out (CP-2.4)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.context import ProjectedEntry, path_context
from model.entries import entry_id, message_of
from model.json_text import JsonObject

if TYPE_CHECKING:
    from services.agent_session import AgentSession


@dataclass(frozen=True, slots=True)
class LiveContext:
    """The path to the leaf, and what of it the model sees."""

    path: tuple[JsonObject, ...]
    projection: tuple[ProjectedEntry, ...]

    @property
    def messages(self) -> list[JsonObject]:
        """The live messages in order."""
        return [message for item in self.projection for message in item.messages]

    def last_answer(self) -> tuple[str, JsonObject] | None:
        """Return the last assistant message with its entry id; None when no model has answered."""
        for item in reversed(self.projection):
            message, id = message_of(item.entry), entry_id(item.entry)
            if id is not None and item.messages and message is not None and message.get("role") == "assistant":
                return id, message
        return None


def live_context(session: "AgentSession") -> LiveContext:
    """Return the live messages at the current leaf. Decodes the whole path."""
    path = session.snapshot().path(session.leaf_id)
    context = path_context(path, session.rules)
    return LiveContext(tuple(path), live_projection(session, context.projection))


def live_projection(session: "AgentSession", projection: Sequence[ProjectedEntry]) -> tuple[ProjectedEntry, ...]:
    """Return what of a projection is live: the failures that were taken out are not."""
    return tuple(item for item in projection if entry_id(item.entry) not in session.left_out)
