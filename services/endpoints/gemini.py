"""Google's Gemini API (`streamGenerateContent`), streamed as server-sent events."""

from typing import Any, Final
from urllib.parse import quote

from model import json_text
from model.json_text import JsonObject
from model.sentences import Sentence
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

STOP_REASONS: Final[dict[str, StopReason]] = {
    "STOP": "stop",
    "MAX_TOKENS": "length",
    "MALFORMED_FUNCTION_CALL": "tool",
    "UNEXPECTED_TOOL_CALL": "tool",
}
_MODEL_PREFIX: Final = "models/"


class Gemini:
    """One Gemini model. `base_url` ends before `/v1beta`."""

    def __init__(
        self, base_url: str, model: str, key: str = "", *, limits: Limits | None = None, allow_plain_http: bool = False
    ) -> None:
        headers = {"x-goog-api-key": key} if key else {}
        self._target = HttpTarget(base_url, headers, limits or Limits(), allow_plain_http)
        self._model = model.removeprefix(_MODEL_PREFIX)

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
        body: JsonObject = {"contents": [_wire_content(turn) for turn in request.turns]}
        if request.system_prompt:
            body["systemInstruction"] = {"parts": [{"text": request.system_prompt}]}
        if request.max_tokens:
            body["generationConfig"] = {"maxOutputTokens": request.max_tokens}
        builder = ReplyBuilder(on_text)
        try:
            return await self._exchange(body, request.routing_id, builder)
        except EndpointError as error:
            raise with_partial_text(error, builder.text) from None

    async def list_models(self) -> list[ModelInfo]:
        """Return the models that can write text. Raises EndpointError."""
        async with self._target.answer("/v1beta/models?pageSize=1000", None) as response:
            answer = await read_json(response, self.host)
        items = part(answer, "models")
        return [
            ModelInfo(
                item["name"].removeprefix(_MODEL_PREFIX),
                str(item.get("displayName") or ""),
                count(item.get("inputTokenLimit")) or None,
                count(item.get("outputTokenLimit")) or None,
            )
            for item in (items if isinstance(items, list) else [])
            if isinstance(part(item, "name"), str)
            and "generateContent" in (part(item, "supportedGenerationMethods") or ["generateContent"])
        ]

    async def _exchange(self, body: JsonObject, routing_id: str, builder: ReplyBuilder) -> ModelReply:
        path = f"/v1beta/models/{quote(self._model, safe='')}:streamGenerateContent?alt=sse"
        headers = {"accept": "text/event-stream", "x-client-request-id": routing_id}
        async with self._target.answer(path, body, headers) as response:
            if is_event_stream(response):
                async for event in server_events(response, self.host):
                    self._take(self._parsed(event.data), builder)
            else:
                answer = await read_json(response, self.host)
                for chunk in answer if isinstance(answer, list) else [answer]:
                    self._take(chunk, builder)
        if builder.stop_reason is None:
            raise EndpointError(
                Sentence("{0} ended the stream before the reply was complete.", self.host), transient=True
            )
        return builder.reply()

    def _parsed(self, data: str) -> Any:
        try:
            return json_text.parse(data)
        except ValueError:
            raise EndpointError(Sentence("{0} sent a damaged stream.", self.host), transient=True) from None

    def _take(self, chunk: Any, builder: ReplyBuilder) -> None:
        if error := part(chunk, "error"):
            words = self._target.masked(message_in(error) or Sentence("an error"))
            raise provider_error(self.host, words, status=count(part(error, "code")) or None)
        parts = part(chunk, "candidates", 0, "content", "parts")
        for piece in parts if isinstance(parts, list) else []:
            if part(piece, "thought"):
                builder.has_thinking = True
            else:
                builder.add_text(part(piece, "text"))
            builder.has_tool_call |= part(piece, "functionCall") is not None
        builder.stop(part(chunk, "promptFeedback", "blockReason"), STOP_REASONS)
        builder.stop(part(chunk, "candidates", 0, "finishReason"), STOP_REASONS)
        if isinstance(usage := part(chunk, "usageMetadata"), dict):
            builder.usage = _usage(usage)


def _usage(usage: JsonObject) -> JsonObject:
    cached = count(usage.get("cachedContentTokenCount"))
    thoughts = count(usage.get("thoughtsTokenCount"))
    return usage_record(
        prompt=max(0, count(usage.get("promptTokenCount")) - cached),
        output=count(usage.get("candidatesTokenCount")) + thoughts,
        cache_read=cached,
        reasoning=thoughts if thoughts else None,
    )


def _wire_content(turn: Turn) -> JsonObject:
    role = "model" if turn.role == "assistant" else "user"
    return {"role": role, "parts": [_wire_part(piece) for piece in turn.parts]}


def _wire_part(piece: str | ImagePart) -> JsonObject:
    if isinstance(piece, str):
        return {"text": piece}
    return {"inlineData": {"mimeType": piece.mime_type, "data": piece.data}}
