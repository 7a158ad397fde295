"""Chat completions over a real connection: the wire format, and each way in which a server can misbehave."""

import asyncio
import json
from typing import Any

import pytest

from services.endpoints.exchange import EndpointError, ModelInfo, ModelReply, ModelRequest
from services.endpoints.http_exchange import Limits
from services.endpoints.openai_compatible import OpenAICompatible
from services.errors import ServiceError
from tests.services.loopback_server import (
    DONE,
    LoopbackServer,
    Script,
    answer,
    chat,
    chat_piece,
    chat_usage,
    close_at_once,
    cut_off,
    json_answer,
    redirect,
    silent,
    silent_after_head,
    stay_open,
    stream,
)

SHORT = Limits(connect_s=1.0, idle_s=0.3, total_s=1.0)
REQUEST = ModelRequest.of_prompt("Be brief.", "Summarise ünïcode 漢字 \ud800.", 512, "route-1")


class Asked:
    """A server with one script, and what an endpoint makes of it."""

    def __init__(self, *scripts: Script, key: str = "secret-key-1", limits: Limits = SHORT) -> None:
        self.server = LoopbackServer(*scripts)
        self.limits, self.key = limits, key
        self.texts: list[str] = []

    def send(self, request: ModelRequest = REQUEST) -> ModelReply:
        with self.server:
            endpoint = OpenAICompatible(self.server.url + "/v1", "acme-1", self.key, limits=self.limits)
            return asyncio.run(endpoint.send(request, self.texts.append))

    def error(self) -> EndpointError:
        with pytest.raises(EndpointError) as caught:
            self.send()
        return caught.value


@pytest.mark.spec("CP-12.2")
def test_the_request_has_the_wire_format_and_the_reply_its_usage() -> None:
    usage = chat_usage(
        120, 7, prompt_tokens_details={"cached_tokens": 20}, completion_tokens_details={"reasoning_tokens": 2}, cost=0.5
    )
    asked = Asked(stream([chat_piece("Hel"), chat_piece("lo"), chat_piece(finish="stop"), usage, DONE]))
    reply = asked.send()
    [request] = asked.server.requests
    assert (request.method, request.path) == ("POST", "/v1/chat/completions")
    assert request.headers["authorization"] == "Bearer secret-key-1"
    assert request.headers["x-client-request-id"] == "route-1"
    assert request.json == {
        "model": "acme-1",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "Summarise ünïcode 漢字 \ud800."},
        ],
        "stream": True,
        "stream_options": {"include_usage": True},
        "max_tokens": 512,
    }
    assert asked.texts == ["Hel", "lo"]
    assert reply == ModelReply(
        "Hello",
        "stop",
        {
            "input": 100,
            "output": 7,
            "cacheRead": 20,
            "cacheWrite": 0,
            "reasoning": 2,
            "totalTokens": 127,
            "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0.5},
        },
        detail="stop",
    )


def test_without_a_key_and_a_limit_neither_is_sent() -> None:
    asked = Asked(chat("ok"), key="")
    asked.send(ModelRequest.of_prompt("", "x", 0, "r"))
    [request] = asked.server.requests
    assert "authorization" not in request.headers
    assert "max_tokens" not in request.json
    assert request.json["messages"] == [{"role": "user", "content": "x"}]


def test_a_server_that_does_not_stream_is_understood() -> None:
    message = {"content": [{"type": "text", "text": "in "}, {"type": "text", "text": "parts"}]}
    body = {"choices": [{"message": message, "finish_reason": "stop"}], "usage": {"prompt_tokens": 3}}
    reply = Asked(json_answer(body)).send()
    assert (reply.text, reply.stop_reason) == ("in parts", "stop")
    assert reply.usage
    assert reply.usage["input"] == 3


@pytest.mark.parametrize("odd", [5, True, {"text": "x"}])
def test_content_of_another_type_is_left_out(odd: object) -> None:
    pieces = chat_piece("one") + chat_piece(content=odd) + chat_piece(finish="stop") + DONE
    assert Asked(stream([pieces.encode()])).send().text == "one"


def test_bytes_that_arrive_one_by_one_make_the_same_reply() -> None:
    whole = chat_piece("漢字 one") + ": comment\r\n\r\n" + chat_piece(finish="stop") + DONE
    data = whole.replace("\n", "\r\n").encode()
    asked = Asked(stream([data[i : i + 1] for i in range(len(data))]), limits=Limits(1.0, 1.0, 10.0))
    assert asked.send().text == "漢字 one"


def test_thinking_and_tool_calls_are_noticed_but_are_no_text() -> None:
    pieces = [
        chat_piece(reasoning_content="hm"),
        chat_piece(tool_calls=[{"index": 0}]),
        chat_piece(finish="tool_calls"),
    ]
    reply = Asked(stream([*pieces, DONE])).send()
    assert (reply.text, reply.stop_reason, reply.has_thinking, reply.has_tool_call) == ("", "tool", True, True)


@pytest.mark.parametrize(("reason", "stop"), [("length", "length"), ("content_filter", "refused"), ("eos", "stop")])
def test_the_reason_for_the_end_is_kept(reason: str, stop: str) -> None:
    reply = Asked(stream([chat_piece("half"), chat_piece(finish=reason), DONE])).send()
    assert (reply.stop_reason, reply.detail) == (stop, reason)


def failing(status: str, body: Any = "", *lines: str) -> Script:
    text = body if isinstance(body, str) else json.dumps(body)
    return answer(text, "text/html" if text.startswith("<") else "application/json", status, *lines)


@pytest.mark.spec("CP-21", "CP-15")
@pytest.mark.parametrize(
    ("script", "transient", "words"),
    [
        (close_at_once, True, ["broke off"]),
        (silent, True, ["sent nothing for 0 seconds"]),
        (silent_after_head, True, ["sent nothing"]),
        (stream([chat_piece("half")], then=stay_open), True, ["sent nothing"]),
        (stream([chat_piece("half")], then=cut_off), True, ["broke off"]),
        (stream([chat_piece("half")]), True, ["before the reply was complete"]),
        (stream([chat_piece("x")] * 100, pause_s=0.1), False, ["had not finished after 1 seconds"]),
        (stream([": ping\n\n"] * 100, pause_s=0.1), True, ["had not finished after 1 seconds"]),
        (failing("429 Too Many Requests", {"error": {"message": "slow down"}}), True, ["429", "slow down"]),
        (failing("500 Internal Server Error", "oops"), True, ["500", "oops"]),
        (failing("503 Service Unavailable"), True, ["503"]),
        (failing("529 Overloaded", {"type": "error", "error": {"type": "overloaded_error"}}), True, ["529"]),
        (failing("401 Unauthorized", {"error": "bad key"}), False, ["401", "bad key", "Check the key"]),
        (failing("402 Payment Required", {"error": {"message": "no funds"}}), False, ["402", "account"]),
        (failing("403 Forbidden", "<html><title>Nope &amp; no</title></html>"), False, ["403", "Nope & no"]),
        (failing("404 Not Found", {"detail": "no such model"}), False, ["404", "no such model", "model id"]),
        (failing("429 Too Many Requests", {"error": {"code": "insufficient_quota"}}), False, ["account"]),
        (failing("400 Bad Request", {"error": {"message": "maximum context length is 8192"}}), False, ["window"]),
        (failing("400 Bad Request", ""), False, ["400 Bad Request."]),
        (answer("<html><title>Login</title></html>", "text/html"), False, ["isn't JSON"]),
        (answer("", "application/json"), False, ["nothing at all"]),
        (json_answer({"ok": True}), False, ["without a message"]),
        (json_answer([1]), False, ["without a message"]),
        (json_answer({"error": {"message": "Overloaded", "code": 503}}), True, ["Overloaded"]),
        (stream(['data: {"choi\n\n']), True, ["damaged stream"]),
        (stream([chat_piece("a"), 'data: {"error": {"message": "server_error"}}\n\n']), True, ["server_error"]),
        (stream([chat_piece("a"), 'error: {"code": 500, "message": "no slot"}\n\n']), True, ["no slot"]),
        (stream([chat_piece("x" * 999_999)] * 9), False, ["more than 8,000,000 bytes"]),
        (redirect("https://elsewhere.example/v1"), False, ["redirects to elsewhere.example", "refused"]),
        (redirect("http://127.0.0.1:1/v1", "307 Temporary Redirect"), False, ["refused"]),
        (redirect("/login"), False, ["doesn't repeat the request"]),
        (redirect("/again", "308 Permanent Redirect"), False, ["in a circle"]),
    ],
)
def test_each_failure_has_its_sentence(script: Script, transient: bool, words: list[str]) -> None:
    error = Asked(script).error()
    assert error.transient is transient
    assert all(word in str(error) for word in words), str(error)
    assert "127.0.0.1" in str(error)


def test_a_repeating_redirect_to_the_same_host_is_followed() -> None:
    asked = Asked(redirect("/moved", "307 Temporary Redirect"), chat("there"))
    assert asked.send().text == "there"
    assert [request.path for request in asked.server.requests] == ["/v1/chat/completions", "/moved"]
    assert asked.server.requests[1].body == asked.server.requests[0].body


def test_what_had_arrived_stays_readable() -> None:
    error = Asked(stream([chat_piece("first "), chat_piece("half")], then=cut_off)).error()
    assert error.partial_text == "first half"


@pytest.mark.parametrize(
    "script",
    [
        failing("401 Unauthorized", {"error": {"message": "Incorrect key secret-key-1 given"}}),
        stream(['data: {"error": {"message": "Incorrect key secret-key-1 given"}}\n\n']),
    ],
    ids=["as an answer", "in a stream"],
)
def test_a_key_in_the_servers_words_is_masked(script: Script) -> None:
    error = Asked(script).error()
    assert "secret-key-1" not in str(error)
    assert "***" in str(error)


@pytest.mark.parametrize(
    ("refusal", "left", "renamed"),
    [
        ("Unrecognized request argument: stream_options", {"max_tokens": 512}, {}),
        (
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens'.",
            {"stream_options"},
            {"max_completion_tokens": 512},
        ),
    ],
)
def test_a_field_that_a_server_refuses_is_left_out_or_renamed(refusal: str, left: Any, renamed: dict[str, int]) -> None:
    """Field report M18."""
    asked = Asked(failing("400 Bad Request", {"error": {"message": refusal}}), chat("fine"))
    assert asked.send().text == "fine"
    second = asked.server.requests[1].json
    assert set(left) <= set(second)
    assert renamed.items() <= second.items()
    assert len(second) < len(asked.server.requests[0].json) or renamed


def test_a_refusal_that_never_ends_is_reported() -> None:
    words = "max_tokens max_completion_tokens stream_options"
    asked = Asked(failing("400 Bad Request", {"error": {"message": words}}))
    assert asked.error().status == 400
    assert len(asked.server.requests) <= 5


def test_nobody_there_is_a_passing_failure() -> None:
    with LoopbackServer(silent) as server:
        url = server.url
    with pytest.raises(EndpointError, match="could not be reached") as caught:
        asyncio.run(OpenAICompatible(url, "m", limits=SHORT).send(REQUEST, lambda _text: None))
    assert caught.value.transient


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://example.com/v1", "without encryption"),
        ("ftp://example.com", "isn't an http"),
        ("example.com/v1", "isn't an http"),
        ("https://user:pw@example.com", "must not contain"),
        ("http://[::1", "isn't an http"),
        ("", "isn't an http"),
    ],
)
def test_addresses_are_checked_before_anything_is_sent(url: str, words: str) -> None:
    with pytest.raises(ServiceError, match=words):
        OpenAICompatible(url, "m")


def test_plain_http_is_possible_with_consent_and_on_this_machine() -> None:
    assert OpenAICompatible("http://example.com/v1", "m", allow_plain_http=True).host == "example.com"
    assert OpenAICompatible("http://[::1]:8080/v1", "m").host == "[::1]:8080"
    assert OpenAICompatible("http://localhost:11434/v1", "m").host == "localhost:11434"


def test_the_model_list_of_each_server_is_read() -> None:
    items = [
        {"id": "plain"},
        {"id": "router", "name": "Router", "context_length": 200000, "top_provider": {"max_completion_tokens": 64000}},
        {"id": "groq", "context_window": 131072, "max_completion_tokens": 32768},
        {"id": "vllm", "max_model_len": 8192},
        {"id": "llama", "meta": {"n_ctx": 4096, "n_ctx_train": 131072}},
        {"id": 7},
        None,
    ]
    asked = Asked(json_answer({"data": items}))
    with asked.server:
        models = asyncio.run(OpenAICompatible(asked.server.url, "m").list_models())
    assert models == [
        ModelInfo("plain"),
        ModelInfo("router", "Router", 200000, 64000),
        ModelInfo("groq", "", 131072, 32768),
        ModelInfo("vllm", "", 8192),
        ModelInfo("llama", "", 4096),
    ]


@pytest.fixture(autouse=True)
def proxy_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy of the environment must not be asked about this machine."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:9")
