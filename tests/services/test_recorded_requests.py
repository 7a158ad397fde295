"""The requests that leave over HTTP equal those that were recorded from the agents (see tests/conformance)."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from model.dialects import Dialect
from model.errors import RefusedError
from model.rules import PRESETS
from services.cancellation import CancellationToken
from services.errors import ServiceError
from services.operations import CompactionOptions, NavigationOptions
from tests.conformance.adapter_compaction import prompt_texts
from tests.services.loopback_server import Connection, LoopbackServer, Request, chat, json_answer
from tests.services.sessions import Events, message, open_session, write_session
from tests.services.test_hooks import hooks_of, plugin

VECTORS = Path(__file__).parent.parent / "conformance"
RULES = {"pi": PRESETS["pi-1.6"], "omp": PRESETS["omp-13.19"]}
HEADER = {"type": "session", "version": 3, "id": "vector", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/x"}


def cases(topic: str) -> list[Any]:
    """The cases of a topic in which requests were made or could have been."""
    return [
        pytest.param(dialect, case["input"], case["expected"], id=f"{dialect}-{case['name']}")
        for dialect in ("pi", "omp")
        for case in json.loads((VECTORS / dialect / f"{topic}.json").read_text(encoding="utf-8"))["cases"]
        if case["expected"].get("requests") is not None
    ]


@pytest.fixture
def placeholders(monkeypatch: pytest.MonkeyPatch) -> Callable[[Dialect], None]:
    """Put the placeholders of the vectors in the place of our wording."""

    def install(dialect: Dialect) -> None:
        for module in ("services.compaction_run", "services.navigation"):
            monkeypatch.setattr(f"{module}.prompt_texts", lambda: prompt_texts(dialect))

    return install


def reply(connection: Connection, request: Request) -> None:
    """A short answer in the form that the request asks for."""
    script = json_answer({"summary": "TEXT"}) if "prompt" in request.json else chat("TEXT")
    script(connection, request)


def recorded(request: Request) -> dict[str, Any]:
    """What was sent, in the words of the vectors."""
    body = request.json
    if "prompt" in body:
        return {"via": "remote", "systemPrompt": body["systemPrompt"], "prompt": body["prompt"]}
    [system, user] = body["messages"]
    return {
        "via": "model",
        "systemPrompt": system["content"],
        "prompt": user["content"],
        "maxTokens": body.get("max_tokens"),
    }


def without(value: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: item for name, item in value.items() if name not in names}


@pytest.mark.spec("CP-12", "CP-13", "CP-14", "CP-15")
@pytest.mark.parametrize(("dialect", "given", "expected"), cases("summary_requests"))
def test_compactions_send_what_the_agents_sent(
    dialect: Dialect, given: Any, expected: Any, placeholders: Callable[[Dialect], None], tmp_path: Path
) -> None:
    placeholders(dialect)
    path = write_session(tmp_path / "s.jsonl", [HEADER, *given["entries"]])
    wishes = {
        "prompt": given.get("options", {}).get("promptOverride"),
        "context": given.get("options", {}).get("extraContext"),
    }
    hooks = hooks_of(plugin(session_compacting=lambda: {name: wish for name, wish in wishes.items() if wish}))
    with LoopbackServer(reply) as server:

        def settings(base: Any) -> Any:
            remote = server.url if given["settings"].get("remoteEndpoint") else None
            return base.replaced(
                compaction=base.compaction.replaced(
                    reserve_tokens=given["settings"]["reserveTokens"],
                    keep_recent_tokens=given["settings"]["keepRecentTokens"],
                    remote_endpoint=remote,
                ),
                model=base.model.replaced(provider="openai-compatible", base_url=server.url, model_id="m"),
            )

        session = open_session(path, settings, dialect=dialect, rules=RULES[dialect], hooks=hooks)
        options = CompactionOptions(instructions=given.get("customInstructions"))
        asyncio.run(session.compact(options, CancellationToken(), Events()))
    sent = sorted((recorded(request) for request in server.requests), key=lambda item: item["prompt"])
    if dialect == "pi":
        wanted = [{"via": "model", **without(item, "options")} for item in expected["requests"]]
        sent = [without(item, "maxTokens") for item in sent]
    else:
        wanted = [
            {**without(item, "options"), **({"maxTokens": item["options"]["maxTokens"]} if "options" in item else {})}
            for item in expected["requests"].values()
        ]
        # The short summary quotes the answers before it, which are this test's own; failing cases stop before it.
        sent = [item for item in sent if "{{short-summary-prompt}}" not in item["prompt"]]
        wanted = [item for item in wanted if "{{short-summary-prompt}}" not in item["prompt"]]
        if given["settings"].get("remoteEndpoint"):
            # OMP asks its model for a turn prefix even so; CP-15 sends every request of a compaction to the endpoint.
            wanted = [{**without(item, "maxTokens"), "via": "remote"} for item in wanted]
    assert sent == sorted(wanted, key=lambda item: item["prompt"])


@pytest.mark.spec("BS-2", "BS-4", "BS-5")
@pytest.mark.parametrize(("dialect", "given", "expected"), cases("branch_summary_requests"))
def test_branch_summaries_send_what_the_agents_sent(
    dialect: Dialect, given: Any, expected: Any, placeholders: Callable[[Dialect], None], tmp_path: Path
) -> None:
    placeholders(dialect)
    target = message("target", None, "assistant", "elsewhere")
    path = write_session(tmp_path / "s.jsonl", [HEADER, target, *given["entries"]])
    with LoopbackServer(reply) as server:

        def settings(base: Any) -> Any:
            model = {"provider": "openai-compatible", "base_url": server.url, "model_id": "m"}
            if given["contextWindow"] > 0:
                model["context_window"] = max(1, given["contextWindow"])
            return base.replaced(
                branch_summary=base.branch_summary.replaced(reserve_tokens=given["reserveTokens"]),
                model=base.model.replaced(**model),
            )

        session = open_session(path, settings, dialect=dialect, rules=RULES[dialect])
        options = NavigationOptions(
            summarize=True,
            custom_instructions=given.get("customInstructions"),
            replace_instructions=given.get("replaceInstructions"),
        )
        with suppress(ServiceError, RefusedError):
            asyncio.run(session.navigate_tree("target", options, CancellationToken(), Events()))
    sent = [without(recorded(request), "via", "maxTokens") for request in server.requests]
    assert sent == [without(item, "via", "options") for item in expected["requests"]]
    if dialect == "omp":
        limits = [item.get("options", {}).get("maxTokens") for item in expected["requests"]]
        assert [recorded(request)["maxTokens"] for request in server.requests] == limits
