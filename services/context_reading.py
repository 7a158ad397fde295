"""The context at a position, read for showing: its messages, its sizes and the window that they go into."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from model.context import path_context
from model.context_listing import ContextListing, list_context
from model.json_text import JsonObject
from services.context_meter import read_meter
from services.live_context import live_projection
from services.prompt_texts import context_templates
from services.turn_requests import TurnOutline, outline_turn

if TYPE_CHECKING:
    from services.agent_session import AgentSession


@dataclass(frozen=True, slots=True)
class ContextReading:
    """What the model would see with the leaf at an entry. `window` is in tokens, None where the model is not known;
    `notes` are sentences about what could not be followed to the letter; `turn` is what a prompt from here would be
    sent with, which is another thing.
    """

    listing: ContextListing
    model: str
    thinking_level: str
    window: int | None
    approximate: bool
    notes: tuple[str, ...]
    turn: TurnOutline


def read_context(session: "AgentSession", leaf_id: str) -> ContextReading:
    """Return the context with the leaf at `leaf_id`. Decodes the path, so call it on a worker.

    Interruptible. Raises UnknownEntryError.
    """
    with session.snapshot().decoded_path(leaf_id) as path:
        return _reading_of(session, leaf_id, path)


def _reading_of(session: "AgentSession", leaf_id: str, path: list[JsonObject]) -> ContextReading:
    context = path_context(path, session.rules)
    listing = list_context(path, context.projection, context_templates(), session.rules)
    live = [message for item in live_projection(session, context.projection) for message in item.messages]
    model = context.state.model
    return ContextReading(
        listing,
        "/".join(part for part in (model.provider, model.model_id) if part) if model else "",
        context.state.thinking_level or "off",
        read_meter(session, leaf_id, listing.estimate).window,
        context.approximate,
        context.notes,
        outline_turn(live, session.rules),
    )
