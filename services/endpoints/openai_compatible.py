"""Chat completions as OpenAI defined them: OpenAI, OpenRouter, Groq, Ollama, llama.cpp, LM Studio, vLLM and others.

The servers agree on the shape and differ in what they refuse. A request starts with every field that is useful; when a
server names a field in a refusal, the request is made again without it or with its other name.
"""

from collections.abc import AsyncIterator
from typing import Any, Final
from urllib.parse import urlsplit

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
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "tool_calls": "tool",
    "function_call": "tool",
}
_OPTIONAL_FIELDS: Final = ("stream_options", "prompt_cache_key", "max_completion_tokens", "max_tokens")


class OpenAICompatible:
    """One model of a server that speaks chat completions. `base_url` ends before `/chat/completions`."""

    def __init__(
        self, base_url: str, model: str, key: str = "", *, limits: Limits | None = None, allow_plain_http: bool = False
    ) -> None:
        headers = {"authorization": f"Bearer {key}"} if key else {}
        self._target = HttpTarget(base_url, headers, limits or Limits(), allow_plain_http)
        self._model = model
        self._is_openai = urlsplit(base_url).hostname == "api.openai.com"

    @property
    def name(self) -> str:
        """Name for the user."""
        return f"{self._model} ({self.host})"

    @property
    def host(self) -> str:
        """Host that requests are sent to."""
        return self._target.host

    async def send(self, request: ModelRequest, on_text: OnText) -> ModelReply:
        """Return the reply, streamed where the server streams. Raises EndpointError."""
        body = self._body(request)
        while True:
            builder = ReplyBuilder(on_text)
            try:
                return await self._send_once(body, request.routing_id, builder)
            except EndpointError as error:
                if error.status not in (400, 422) or not _leave_out_refused(body, str(error)):
                    raise with_partial_text(error, builder.text) from None

    async def list_models(self) -> list[ModelInfo]:
        """Return the models that the server lists. Raises EndpointError."""
        async with self._target.answer("/models", None) as response:
            answer = await read_json(response, self.host)
        items = part(answer, "data") if isinstance(answer, dict) else answer
        return [info for item in (items if isinstance(items, list) else []) if (info := _model_info(item))]

    def _body(self, request: ModelRequest) -> JsonObject:
        system = [{"role": "system", "content": request.system_prompt}] if request.system_prompt else []
        body: JsonObject = {
            "model": self._model,
            "messages": [*system, *(_wire_message(turn) for turn in request.turns)],
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if request.max_tokens:
            body["max_completion_tokens" if self._is_openai else "max_tokens"] = request.max_tokens
        if self._is_openai:
            body["prompt_cache_key"] = request.routing_id
        return body

    async def _send_once(self, body: JsonObject, routing_id: str, builder: ReplyBuilder) -> ModelReply:
        headers = {"accept": "text/event-stream", "x-client-request-id": routing_id}
        async with self._target.answer("/chat/completions", body, headers) as response:
            if not is_event_stream(response):
                answer = await read_json(response, self.host)
                self._raise_reported(answer)
                if not isinstance(part(answer, "choices", 0), dict):
                    raise EndpointError(Sentence("{0} answered without a message.", self.host))
                self._take(answer, part(answer, "choices", 0, "message"), builder)
                return builder.reply()
            finished = await self._read(server_events(response, self.host), builder)
        if not finished and builder.stop_reason is None:
            raise EndpointError(
                Sentence("{0} ended the stream before the reply was complete.", self.host), transient=True
            )
        return builder.reply()

    async def _read(self, events: AsyncIterator[Any], builder: ReplyBuilder) -> bool:
        """Take in the stream; whether it was closed as the protocol wants."""
        async for event in events:
            if event.data.strip() == "[DONE]":
                return True
            try:
                chunk = json_text.parse(event.data)
            except ValueError:
                raise EndpointError(Sentence("{0} sent a damaged stream.", self.host), transient=True) from None
            self._raise_reported({"error": chunk} if event.name == "error" else chunk)
            self._take(chunk, part(chunk, "choices", 0, "delta"), builder)
        return False

    def _raise_reported(self, answer: Any) -> None:
        if error := part(answer, "error"):
            words = self._target.masked(message_in(error) or Sentence("an error"))
            raise provider_error(self.host, words, status=count(part(error, "code")) or None)

    def _take(self, answer: Any, message: Any, builder: ReplyBuilder) -> None:
        content = part(message, "content")
        blocks = content if isinstance(content, list) else []
        for text in [content] if isinstance(content, str) else [part(block, "text") for block in blocks]:
            builder.add_text(text)
        builder.has_thinking |= any(bool(part(message, key)) for key in ("reasoning_content", "reasoning", "thinking"))
        builder.has_tool_call |= bool(part(message, "tool_calls") or part(message, "function_call"))
        if part(message, "refusal"):
            builder.stop("refusal", STOP_REASONS)
        builder.stop(part(answer, "choices", 0, "finish_reason"), STOP_REASONS)
        if isinstance(usage := part(answer, "usage"), dict):
            builder.usage = _usage(usage)


def _wire_message(turn: Turn) -> JsonObject:
    if all(isinstance(piece, str) for piece in turn.parts):
        return {"role": turn.role, "content": "\n\n".join(str(piece) for piece in turn.parts)}
    return {"role": turn.role, "content": [_wire_part(piece) for piece in turn.parts]}


def _wire_part(piece: str | ImagePart) -> JsonObject:
    if isinstance(piece, str):
        return {"type": "text", "text": piece}
    return {"type": "image_url", "image_url": {"url": f"data:{piece.mime_type};base64,{piece.data}"}}


def _usage(usage: JsonObject) -> JsonObject:
    cached = count(part(usage, "prompt_tokens_details", "cached_tokens"))
    return usage_record(
        prompt=max(0, count(usage.get("prompt_tokens")) - cached),
        output=usage.get("completion_tokens"),
        cache_read=cached,
        reasoning=part(usage, "completion_tokens_details", "reasoning_tokens"),
        cost=usage.get("cost"),
    )


def _model_info(item: Any) -> ModelInfo | None:
    """A model of OpenAI's list with what OpenRouter, Groq, vLLM and llama.cpp add to it."""
    model_id = part(item, "id")
    if not isinstance(model_id, str) or not model_id:
        return None
    windows = [
        part(item, "context_length"),
        part(item, "context_window"),
        part(item, "max_model_len"),
        part(item, "loaded_context_length"),
        part(item, "max_context_length"),
        part(item, "meta", "n_ctx"),
    ]
    outputs = [part(item, "top_provider", "max_completion_tokens"), part(item, "max_completion_tokens")]
    name = part(item, "name")
    return ModelInfo(
        model_id,
        name if isinstance(name, str) else "",
        next((size for size in map(count, windows) if size), None),
        next((size for size in map(count, outputs) if size), None),
    )


def _leave_out_refused(body: JsonObject, refusal: str) -> bool:
    """Take the field that a refusal names out of `body`, or rename it; False when it names none of ours."""
    for name in _OPTIONAL_FIELDS:
        if name not in body or name not in refusal:
            continue
        value = body.pop(name)
        if name == "max_tokens" and "max_completion_tokens" in refusal:
            body["max_completion_tokens"] = value
        return True
    return False
