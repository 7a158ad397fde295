"""Local model servers: found by their lists, with the windows they tell; silence and strangers are passed over."""

import asyncio
import os
import socket
from pathlib import Path

import pytest

from services.cancellation import CancellationToken
from services.endpoints.discovery import DEFAULT_PORTS, LocalServer, find_local_servers
from services.endpoints.exchange import ModelInfo
from services.operations import CompactionOptions
from tests.services.loopback_server import Connection, LoopbackServer, Request, answer, json_answer, silent
from tests.services.sessions import Events, open_session, write_session
from tests.services.test_compaction import long_session


def ollama(connection: Connection, request: Request) -> None:
    if request.path == "/v1/models":
        json_answer({"object": "list", "data": [{"id": "llama3.1:8b"}, {"id": "qwen3"}]})(connection, request)
    elif request.path == "/api/show":
        size = {"llama3.1:8b": 131072, "qwen3": 40960}[request.json["model"]]
        json_answer({"model_info": {"general.architecture": "x", "x.context_length": size}})(connection, request)
    else:
        json_answer({}, "404 Not Found")(connection, request)


def llama_cpp(connection: Connection, request: Request) -> None:
    if request.path == "/v1/models":
        json_answer({"data": [{"id": "model.gguf", "meta": {"n_ctx_train": 131072}}]})(connection, request)
    else:
        json_answer({"default_generation_settings": {"n_ctx": 8192}})(connection, request)


def test_servers_are_found_with_their_models_and_windows() -> None:
    with LoopbackServer(ollama) as first, LoopbackServer(llama_cpp) as second:
        found = asyncio.run(find_local_servers({"Ollama": first.port, "llama.cpp": second.port}))
    assert found == [
        LocalServer("Ollama", f"{first.url}/v1", (ModelInfo("llama3.1:8b", "", 131072), ModelInfo("qwen3", "", 40960))),
        LocalServer("llama.cpp", f"{second.url}/v1", (ModelInfo("model.gguf", "", 8192),)),
    ]


def test_strangers_and_silence_are_no_servers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as unused:
        closed_port = unused.getsockname()[1]
    with (
        LoopbackServer(answer("<html>a router</html>", "text/html")) as page,
        LoopbackServer(json_answer({"data": []})) as empty,
        LoopbackServer(json_answer([1, {"id": 5}])) as odd,
        LoopbackServer(silent) as mute,
    ):
        ports = {"a": page.port, "b": empty.port, "c": odd.port, "Ollama": mute.port, "d": closed_port}
        assert asyncio.run(find_local_servers(ports)) == []


def test_an_old_ollama_without_details_is_found_all_the_same() -> None:
    def old(connection: Connection, request: Request) -> None:
        script = json_answer({"data": [{"id": "m"}]}) if request.path == "/v1/models" else json_answer({}, "500 x")
        script(connection, request)

    with LoopbackServer(old) as server:
        [found] = asyncio.run(find_local_servers({"Ollama": server.port}))
    assert found.models == (ModelInfo("m"),)


@pytest.mark.slow
def test_a_real_local_model_writes_a_summary(tmp_path: Path) -> None:
    """Runs against a model server on this machine where there is one; see docs/providers.md."""
    servers = asyncio.run(find_local_servers())
    if not servers:
        ports = ", ".join(f"{name} ({port})" for name, port in DEFAULT_PORTS.items())
        pytest.skip(f"no model server listens on this machine: {ports}")
    server = servers[0]
    model = os.environ.get("BRANCHWORK_TEST_MODEL", server.models[0].id)
    path = write_session(tmp_path / "long.jsonl", long_session())
    settings = {"provider": "openai-compatible", "base_url": server.base_url, "model_id": model}
    session = open_session(path, lambda given: given.replaced(model=given.model.replaced(**settings)))
    result = asyncio.run(
        session.compact(CompactionOptions(keep_recent_tokens=150, summarizer="model"), CancellationToken(), Events())
    )
    assert result.summary.strip()
