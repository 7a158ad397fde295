"""Anthropic's Messages API, streamed. Nothing is marked for its prompt cache, so nothing is written to it."""

from typing import Any, Final

from model import json_text
from model.json_text import JsonObject
from model.sentences import Sentence
from services.endpoints.event_stream import ServerEvent
from services.endpoints.exchange import (
    EndpointError,
    ImagePart,
    ModelInfo,
    ModelReply,
    ModelRequest,
    OnText,
    StopReason,
    Turn,
    with_partial_text,
)
from services.endpoints.failures import message_in, provider_error
from services.endpoints.http_exchange import HttpTarget, Limits, is_event_stream, read_json, server_events
from services.endpoints.reply_builder import ReplyBuilder, count, part, usage_record

API_VERSION: Final = "2023-06-01"
FALLBACK_MAX_TOKENS: Final = 8192  # the API wants a limit in every request
STOP_REASONS: Final[dict[str, StopReason]] = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool",
}


class Anthropic:
    """One model of Anthropic, or of a server that speaks its API. `base_url` ends before `/v1/messages`."""

    def __init__(
        self, base_url: str, model: str, key: str = "", *, limits: Limits | None = None, allow_plain_http: bool = False
    ) -> None:
        headers = {"anthropic-version": API_VERSION} | ({"x-api-key": key} if key else {})
        self._target = HttpTarget(base_url, headers, limits or Limits(), allow_plain_http)
        self._model = model

    @property
    def name(self) -> str:
        """Name for the user."""
        return f"{self._model} ({self.host})"

    @property
    def host(self) -> str:
        """Host that requests are sent to."""
        return self._target.host

    async def send(self, request: ModelRequest, on_text: OnText) -> ModelReply:
        """Return the streamed reply. Raises EndpointError."""
        body: JsonObject = {
            "model": self._model,
            "max_tokens": request.max_tokens or FALLBACK_MAX_TOKENS,
            "messages": [_wire_message(turn) for turn in request.turns],
            "metadata": {"user_id": request.routing_id},
            "stream": True,
        }
        if request.system_prompt:
            body["system"] = request.system_prompt
        builder = ReplyBuilder(on_text)
        try:
            return await self._exchange(body, builder)
        except EndpointError as error:
            raise with_partial_text(error, builder.text) from None

    async def list_models(self) -> list[ModelInfo]:
        """Return the models that the API lists. Raises EndpointError."""
        async with self._target.answer("/v1/models?limit=1000", None) as response:
            answer = await read_json(response, self.host)
        items = part(answer, "data")
        return [
            ModelInfo(
                item["id"],
                str(item.get("display_name") or ""),
                count(item.get("max_input_tokens")) or None,
                count(item.get("max_tokens")) or None,
            )
            for item in (items if isinstance(items, list) else [])
            if isinstance(part(item, "id"), str)
        ]

    async def _exchange(self, body: JsonObject, builder: ReplyBuilder) -> ModelReply:
        async with self._target.answer("/v1/messages", body, {"accept": "text/event-stream"}) as response:
            if not is_event_stream(response):
                answer = await read_json(response, self.host)
                self._raise_reported(answer)
                self._take_whole(answer, builder)
                return builder.reply()
            async for event in server_events(response, self.host):
                if self._take(event, builder):
                    return builder.reply()
        raise EndpointError(Sentence("{0} ended the stream before the reply was complete.", self.host), transient=True)

    def _take(self, event: ServerEvent, builder: ReplyBuilder) -> bool:
        """Take in one event; whether it ends the message. Unknown events are ignored, as the API asks for."""
        try:
            data = json_text.parse(event.data)
        except ValueError:
            raise EndpointError(Sentence("{0} sent a damaged stream.", self.host), transient=True) from None
        match part(data, "type"):
            case "message_start":
                self._take_usage(part(data, "message", "usage"), builder)
            case "content_block_start":
                self._take_block(part(data, "content_block"), builder)
            case "content_block_delta":
                delta = part(data, "delta")
                builder.has_thinking |= part(delta, "type") == "thinking_delta"
                if part(delta, "type") == "text_delta":
                    builder.add_text(part(delta, "text"))
            case "message_delta":
                builder.stop(part(data, "delta", "stop_reason"), STOP_REASONS)
                self._take_usage(part(data, "usage"), builder)
            case "message_stop":
                return True
            case "error":
                self._raise_reported(data)
        return False

    def _take_whole(self, answer: Any, builder: ReplyBuilder) -> None:
        if not isinstance(blocks := part(answer, "content"), list):
            raise EndpointError(Sentence("{0} answered without a message.", self.host))
        for block in blocks:
            self._take_block(block, builder)
        builder.stop(part(answer, "stop_reason"), STOP_REASONS)
        self._take_usage(part(answer, "usage"), builder)

    def _take_block(self, block: Any, builder: ReplyBuilder) -> None:
        kind = part(block, "type")
        builder.has_thinking |= kind in ("thinking", "redacted_thinking")
        builder.has_tool_call |= isinstance(kind, str) and kind.endswith("tool_use")
        if kind == "text":
            builder.add_text(part(block, "text"))

    def _take_usage(self, usage: Any, builder: ReplyBuilder) -> None:
        """The counts of a message; those at its end replace those at its beginning."""
        if not isinstance(usage, dict):
            return
        before = builder.usage or {}
        builder.usage = usage_record(
            prompt=usage.get("input_tokens", before.get("input")),
            output=usage.get("output_tokens", before.get("output")),
            cache_read=usage.get("cache_read_input_tokens", before.get("cacheRead")),
            cache_write=usage.get("cache_creation_input_tokens", before.get("cacheWrite")),
        )

    def _raise_reported(self, answer: Any) -> None:
        if error := part(answer, "error"):
            kind = part(error, "type") or ""
            words = f"{message_in(error)} ({kind})" if kind else message_in(error) or Sentence("an error")
            raise provider_error(self.host, self._target.masked(words))


def _wire_message(turn: Turn) -> JsonObject:
    return {"role": turn.role, "content": [_wire_part(piece) for piece in turn.parts]}


def _wire_part(piece: str | ImagePart) -> JsonObject:
    if isinstance(piece, str):
        return {"type": "text", "text": piece}
    return {"type": "image", "source": {"type": "base64", "media_type": piece.mime_type, "data": piece.data}}
