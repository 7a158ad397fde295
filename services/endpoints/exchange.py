"""What is asked of a model and what comes back, whatever the provider.

An endpoint sends one request and streams its reply. It judges nothing but the exchange itself: whether a reply is fit
to be saved is decided by `services/summarizers/checks.py`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Literal, Protocol

from model.json_text import JsonObject
from model.sentences import Sentence
from services.errors import ServiceError

StopReason = Literal["stop", "length", "tool", "refused"]
OnText = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ImagePart:
    """An image of a message: base64 `data` of the type `mime_type`."""

    mime_type: str
    data: str


@dataclass(frozen=True, slots=True)
class Turn:
    """Consecutive messages of one side, as text and images in order."""

    role: Literal["user", "assistant"]
    parts: tuple[str | ImagePart, ...]


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request. No tools are offered and nothing is put into a prompt cache (CP-12.2).

    `max_tokens` 0 sends no limit. `routing_id` is fresh for each request, so that nothing is routed by session.
    """

    system_prompt: str
    turns: tuple[Turn, ...]
    max_tokens: int
    routing_id: str

    @classmethod
    def of_prompt(cls, system_prompt: str, prompt: str, max_tokens: int, routing_id: str) -> "ModelRequest":
        """Return a request with one user message."""
        return cls(system_prompt, (Turn("user", (prompt,)),), max_tokens, routing_id)


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A complete reply. `usage` has the fields of SF-5.3, or is None when the provider reported none."""

    text: str
    stop_reason: StopReason
    usage: JsonObject | None = None
    has_thinking: bool = False
    has_tool_call: bool = False
    detail: str = ""  # the provider's own word for the end, for messages
    extra: JsonObject = field(default_factory=dict)  # further strings of a remote endpoint's answer


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """A model as the endpoint's own list describes it; None where the list is silent. Sizes are tokens."""

    id: str
    name: str = ""
    context_window: int | None = None
    max_output: int | None = None


class Endpoint(Protocol):
    """A place that answers requests. Awaits may be cancelled at any moment; the connection is then closed."""

    @property
    def name(self) -> str:
        """Name for the user."""

    @property
    def host(self) -> str:
        """Host name (with port where it isn't the scheme's own) that the request is sent to."""

    async def send(self, request: ModelRequest, on_text: OnText) -> ModelReply:
        """Return the reply to `request`; its text is passed to `on_text` as it arrives. Raises EndpointError."""

    async def list_models(self) -> list[ModelInfo]:
        """Return what the endpoint says it offers. Raises EndpointError."""


class EndpointError(ServiceError):
    """A request that got no complete reply.

    `transient` says whether trying again may help (CP-21.3), `retry_after_s` what the server asked to wait.
    `partial_text` is what had arrived; `status` the HTTP status where there was one.
    """

    def __init__(
        self,
        message: Sentence,
        *,
        transient: bool = False,
        retry_after_s: float | None = None,
        status: int | None = None,
        partial_text: str = "",
    ) -> None:
        super().__init__(message)
        self.transient = transient
        self.retry_after_s = retry_after_s
        self.status = status
        self.partial_text = partial_text


class OutOfTime(EndpointError):
    """The whole exchange took longer than its limit."""


def with_partial_text(error: EndpointError, text: str) -> EndpointError:
    """Return the error with what had arrived. A reply that was too slow isn't asked for again once it had begun."""
    error.partial_text = text
    if text and isinstance(error, OutOfTime):
        error.transient = False
    return error


def turns_of(messages: Sequence[JsonObject]) -> tuple[Turn, ...]:
    """Return plain messages (the result of `convert_to_llm`) as turns for an endpoint that is offered no tools.

    Tool calls are left out and tool results become text of the user's side; system messages are left out.
    """
    sides = [(side, part) for message in messages for side, part in _parts(message)]
    grouped = groupby(sides, key=lambda pair: pair[0])
    return tuple(Turn(role, tuple(part for _, part in pairs)) for role, pairs in grouped)


def _parts(message: JsonObject) -> Iterator[tuple[Literal["user", "assistant"], str | ImagePart]]:
    role, content = message.get("role"), message.get("content")
    if role not in ("user", "developer", "toolResult", "assistant"):
        return
    side: Literal["user", "assistant"] = "assistant" if role == "assistant" else "user"
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    for block in blocks if isinstance(blocks, list) else ():
        if not isinstance(block, dict):
            continue
        text, data = block.get("text"), block.get("data")
        if block.get("type") == "text" and isinstance(text, str) and text.strip():
            yield side, text
        elif block.get("type") == "image" and isinstance(data, str) and side == "user" and not data.startswith("blob:"):
            yield side, ImagePart(str(block.get("mimeType") or "image/png"), data)
