"""Anthropic's Messages API over a real connection."""

import asyncio
import json
from typing import Any

import pytest

from services.endpoints.anthropic import Anthropic
from services.endpoints.exchange import EndpointError, ImagePart, ModelInfo, ModelReply, ModelRequest, Turn
from services.endpoints.http_exchange import Limits
from tests.services.loopback_server import LoopbackServer, Script, cut_off, json_answer, stream

SHORT = Limits(connect_s=1.0, idle_s=0.3, total_s=1.0)
REQUEST = ModelRequest.of_prompt("Be brief.", "Summarise.", 700, "route-2")


def event(kind: str, **data: Any) -> str:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n"


def start(**usage: int) -> str:
    return event("message_start", message={"id": "msg", "role": "assistant", "content": [], "usage": usage})


def block(kind: str, **fields: Any) -> str:
    return event("content_block_start", index=0, content_block={"type": kind, **fields})


def delta(kind: str, **fields: Any) -> str:
    return event("content_block_delta", index=0, delta={"type": kind, **fields})


def end(reason: str = "end_turn", **usage: int) -> list[str]:
    return [event("message_delta", delta={"stop_reason": reason}, usage=usage), event("message_stop")]


def send(script: Script, request: ModelRequest = REQUEST) -> tuple[ModelReply, LoopbackServer, list[str]]:
    texts: list[str] = []
    with LoopbackServer(script) as server:
        reply = asyncio.run(Anthropic(server.url, "claude", "key-abcdef", limits=SHORT).send(request, texts.append))
    return reply, server, texts


def test_request_and_reply_have_the_wire_format() -> None:
    pieces = [
        start(input_tokens=90, cache_read_input_tokens=10, cache_creation_input_tokens=0, output_tokens=1),
        event("ping"),
        block("thinking", thinking=""),
        delta("thinking_delta", thinking="hm"),
        event("content_block_stop", index=0),
        block("text", text=""),
        delta("text_delta", text="Hel"),
        delta("text_delta", text="lo"),
        event("something_new"),
        *end(output_tokens=25),
    ]
    reply, server, texts = send(stream(pieces))
    [request] = server.requests
    assert request.path == "/v1/messages"
    assert request.headers["x-api-key"] == "key-abcdef"
    assert request.headers["anthropic-version"] == "2023-06-01"
    assert request.json == {
        "model": "claude",
        "max_tokens": 700,
        "system": "Be brief.",
        "messages": [{"role": "user", "content": [{"type": "text", "text": "Summarise."}]}],
        "metadata": {"user_id": "route-2"},
        "stream": True,
    }
    assert "cache_control" not in request.body.decode()
    assert texts == ["Hel", "lo"]
    assert reply == ModelReply(
        "Hello",
        "stop",
        {
            "input": 90,
            "output": 25,
            "cacheRead": 10,
            "cacheWrite": 0,
            "totalTokens": 125,
            "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0},
        },
        has_thinking=True,
        detail="end_turn",
    )


def test_images_and_turns_are_sent_and_a_limit_always() -> None:
    turns = (Turn("user", ("look", ImagePart("image/png", "QUJD"))), Turn("assistant", ("seen",)))
    _, server, _ = send(stream([start(), *end()]), ModelRequest("", turns, 0, "r"))
    body = server.requests[0].json
    assert body["max_tokens"] == 8192
    assert "system" not in body
    assert body["messages"][0]["content"][1] == {
        "type": "image",
        "source": {"type": "base64", "media_type": "image/png", "data": "QUJD"},
    }
    assert body["messages"][1] == {"role": "assistant", "content": [{"type": "text", "text": "seen"}]}


@pytest.mark.parametrize(
    ("reason", "stop"),
    [("max_tokens", "length"), ("tool_use", "tool"), ("refusal", "refused"), ("pause_turn", "refused")],
)
def test_the_reason_for_the_end_is_kept(reason: str, stop: str) -> None:
    reply, _, _ = send(stream([start(), block("text", text="half"), *end(reason)]))
    assert (reply.text, reply.stop_reason, reply.detail) == ("half", stop, reason)


def test_an_answer_in_one_piece_is_understood() -> None:
    content = [
        {"type": "redacted_thinking", "data": "x"},
        {"type": "text", "text": "a"},
        {"type": "tool_use", "id": "t"},
    ]
    reply, _, _ = send(json_answer({"type": "message", "content": content, "stop_reason": "tool_use", "usage": None}))
    assert (reply.text, reply.stop_reason, reply.has_thinking, reply.has_tool_call) == ("a", "tool", True, True)


@pytest.mark.parametrize(
    ("script", "transient", "words"),
    [
        (stream([start(), delta("text_delta", text="half")]), True, "before the reply was complete"),
        (stream([start(), delta("text_delta", text="half")], then=cut_off), True, "broke off"),
        (stream([start(), event("error", error={"type": "overloaded_error", "message": "Overloaded"})]), True, "Overl"),
        (stream(["event: message_start\ndata: {]\n\n"]), True, "damaged"),
        (json_answer({"error": {"type": "overloaded_error", "message": "Busy"}}, "529 x"), True, "Busy"),
        (json_answer({"error": {"type": "rate_limit_error", "message": "slow"}}, "429 x"), True, "slow"),
        (
            json_answer({"error": {"type": "authentication_error", "message": "invalid x-api-key"}}, "401 x"),
            False,
            "key",
        ),
        (
            json_answer({"error": {"type": "invalid_request_error", "message": "prompt is too long: 9 > 5"}}, "400 x"),
            False,
            "larger context window",
        ),
        (
            json_answer(
                {"error": {"type": "invalid_request_error", "message": "Your credit balance is too low"}}, "400 x"
            ),
            False,
            "account",
        ),
        (json_answer({"hello": 1}), False, "without a message"),
    ],
)
def test_each_failure_has_its_sentence(script: Script, transient: bool, words: str) -> None:
    with pytest.raises(EndpointError, match=words) as caught:
        send(script)
    assert caught.value.transient is transient


def test_the_model_list_is_read() -> None:
    items = [{"id": "a", "display_name": "A"}, {"id": "b", "max_input_tokens": 200000, "max_tokens": 64000}, {"x": 1}]
    with LoopbackServer(json_answer({"data": items})) as server:
        models = asyncio.run(Anthropic(server.url, "", limits=SHORT).list_models())
    assert models == [ModelInfo("a", "A"), ModelInfo("b", "", 200000, 64000)]
    assert server.requests[0].path == "/v1/models?limit=1000"
