"""Google's Gemini API over a real connection."""

import asyncio
import json
from typing import Any

import pytest

from services.endpoints.exchange import EndpointError, ImagePart, ModelInfo, ModelReply, ModelRequest, Turn
from services.endpoints.gemini import Gemini
from services.endpoints.http_exchange import Limits
from tests.services.loopback_server import LoopbackServer, Script, cut_off, json_answer, stream

SHORT = Limits(connect_s=1.0, idle_s=0.3, total_s=1.0)
REQUEST = ModelRequest.of_prompt("Be brief.", "Summarise.", 700, "route-3")


def chunk(*parts: Any, finish: str | None = None, **more: Any) -> str:
    candidate = {"content": {"role": "model", "parts": list(parts)}, "finishReason": finish}
    return f"data: {json.dumps({'candidates': [candidate], **more})}\r\n\r\n"


def text(words: str) -> dict[str, str]:
    return {"text": words}


def send(script: Script, request: ModelRequest = REQUEST) -> tuple[ModelReply, LoopbackServer, list[str]]:
    texts: list[str] = []
    with LoopbackServer(script) as server:
        endpoint = Gemini(server.url, "models/gemini-x", "key-abcdef", limits=SHORT)
        reply = asyncio.run(endpoint.send(request, texts.append))
    return reply, server, texts


def test_request_and_reply_have_the_wire_format() -> None:
    usage = {
        "promptTokenCount": 100,
        "candidatesTokenCount": 20,
        "thoughtsTokenCount": 5,
        "cachedContentTokenCount": 40,
        "totalTokenCount": 125,
    }
    pieces = [
        chunk({"text": "hm", "thought": True}),
        chunk(text("Hel")),
        chunk(text("lo"), finish="STOP", usageMetadata=usage),
    ]
    reply, server, texts = send(stream(pieces))
    [request] = server.requests
    assert request.path == "/v1beta/models/gemini-x:streamGenerateContent?alt=sse"
    assert request.headers["x-goog-api-key"] == "key-abcdef"
    assert "key-abcdef" not in request.path
    assert request.json == {
        "contents": [{"role": "user", "parts": [{"text": "Summarise."}]}],
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "generationConfig": {"maxOutputTokens": 700},
    }
    assert texts == ["Hel", "lo"]
    assert reply == ModelReply(
        "Hello",
        "stop",
        {
            "input": 60,
            "output": 25,
            "cacheRead": 40,
            "cacheWrite": 0,
            "reasoning": 5,
            "totalTokens": 125,
            "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0},
        },
        has_thinking=True,
        detail="STOP",
    )


def test_images_and_turns_are_sent_and_no_limit_without_one() -> None:
    turns = (Turn("user", (ImagePart("image/png", "QUJD"),)), Turn("assistant", ("seen",)))
    _, server, _ = send(stream([chunk(finish="STOP")]), ModelRequest("", turns, 0, "r"))
    assert server.requests[0].json == {
        "contents": [
            {"role": "user", "parts": [{"inlineData": {"mimeType": "image/png", "data": "QUJD"}}]},
            {"role": "model", "parts": [{"text": "seen"}]},
        ]
    }


@pytest.mark.parametrize(
    ("pieces", "stop", "detail"),
    [
        ([chunk(text("half"), finish="MAX_TOKENS")], "length", "MAX_TOKENS"),
        ([chunk(finish="SAFETY")], "refused", "SAFETY"),
        ([chunk(text("x"), finish="MALFORMED_FUNCTION_CALL")], "tool", "MALFORMED_FUNCTION_CALL"),
        (['data: {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}\n\n'], "refused", "PROHIBITED_CONTENT"),
    ],
)
def test_the_reason_for_the_end_is_kept(pieces: list[str], stop: str, detail: str) -> None:
    reply, _, _ = send(stream(pieces))
    assert (reply.stop_reason, reply.detail) == (stop, detail)


def test_a_function_call_is_noticed() -> None:
    reply, _, _ = send(stream([chunk({"functionCall": {"name": "x"}}, finish="STOP")]))
    assert reply.has_tool_call


def test_an_answer_that_is_a_list_is_understood() -> None:
    chunks = [{"candidates": [{"content": {"parts": [text("a")]}}]}, {"candidates": [{"finishReason": "STOP"}]}]
    reply, _, _ = send(json_answer(chunks))
    assert (reply.text, reply.stop_reason) == ("a", "stop")


@pytest.mark.parametrize(
    ("script", "transient", "words"),
    [
        (stream([chunk(text("half"))]), True, "before the reply was complete"),
        (stream([chunk(text("half"))], then=cut_off), True, "broke off"),
        (stream([chunk(text("a")), 'data: {"error": {"code": 503, "message": "busy"}}\n\n']), True, "busy"),
        (stream(["data: {]\n\n"]), True, "damaged"),
        (
            json_answer([{"error": {"code": 400, "message": "API key not valid", "status": "X"}}], "400 x"),
            False,
            "valid",
        ),
        (json_answer({"error": {"code": 429, "message": "Resource exhausted"}}, "429 x"), True, "exhausted"),
        (
            json_answer({"error": {"code": 429, "message": "exceeded your current quota, billing"}}, "429 x"),
            False,
            "acc",
        ),
        (json_answer({}), True, "before the reply was complete"),
    ],
)
def test_each_failure_has_its_sentence(script: Script, transient: bool, words: str) -> None:
    with pytest.raises(EndpointError, match=words) as caught:
        send(script)
    assert caught.value.transient is transient


def test_the_servers_wish_to_wait_is_read_from_the_body() -> None:
    detail = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}
    body = {"error": {"code": 429, "message": "slow", "details": [detail]}}
    with pytest.raises(EndpointError) as caught:
        send(json_answer(body, "429 Too Many Requests"))
    assert caught.value.retry_after_s == 34.5


def test_the_model_list_holds_what_can_write() -> None:
    items = [
        {"name": "models/a", "displayName": "A", "inputTokenLimit": 1048576, "outputTokenLimit": 65536,
         "supportedGenerationMethods": ["generateContent"]},
        {"name": "models/embed", "supportedGenerationMethods": ["embedContent"]},
        {"name": 5},
    ]  # fmt: skip
    with LoopbackServer(json_answer({"models": items})) as server:
        models = asyncio.run(Gemini(server.url, "", limits=SHORT).list_models())
    assert models == [ModelInfo("a", "A", 1048576, 65536)]
