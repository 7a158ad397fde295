"""Setting up a model: choosing from the endpoint's list, trying it, keeping it without the key."""

import asyncio
import json
from pathlib import Path

import pytest

from services.endpoints.exchange import ModelInfo
from services.errors import ServiceError
from services.keys import KeyStore
from services.model_setup import ModelChoice, keep_choice, offered_models, try_model
from services.settings_files import SettingsFiles
from tests.services.loopback_server import LoopbackServer, chat, json_answer
from tests.services.test_automatic_compaction import FakeKeyring


def test_the_list_is_completed_by_the_catalog() -> None:
    items = [{"id": "my-model"}, {"id": "gpt-4o-mini"}, {"id": "gpt-4o", "context_length": 99}]
    with LoopbackServer(json_answer({"data": items})) as server:
        models = asyncio.run(offered_models(ModelChoice("openai-compatible", server.url), "key-123456"))
    assert models == [
        ModelInfo("gpt-4o", "", 99, 16384),
        ModelInfo("gpt-4o-mini", "", 128000, 16384),
        ModelInfo("my-model"),
    ]
    assert server.requests[0].headers["authorization"] == "Bearer key-123456"


def test_a_list_that_cannot_be_had_is_an_error_with_its_cause() -> None:
    with (
        LoopbackServer(json_answer({"error": "bad key"}, "401 Unauthorized")) as server,
        pytest.raises(ServiceError, match="Check the key"),
    ):
        asyncio.run(offered_models(ModelChoice("openai-compatible", server.url), "wrong"))


def test_trying_a_model() -> None:
    with LoopbackServer(chat(" ready\n"), chat("")) as server:
        choice = ModelChoice("openai-compatible", server.url, "m")
        assert asyncio.run(try_model(choice, "")) == "ready"
        with pytest.raises(ServiceError, match="without any text"):
            asyncio.run(try_model(choice, ""))


def test_a_choice_is_kept_without_its_key(tmp_path: Path) -> None:
    files, keyring = SettingsFiles(tmp_path / "settings.json", home=tmp_path, environ={}), FakeKeyring()
    choice = ModelChoice("anthropic", "https://api.anthropic.com", "claude-x", 200_000, 64_000)
    asyncio.run(keep_choice(choice, "secret-key", files, KeyStore({}, keyring)))
    text = (tmp_path / "settings.json").read_text()
    assert "secret-key" not in text
    assert json.loads(text)["model"] == {
        "provider": "anthropic",
        "baseUrl": "https://api.anthropic.com",
        "modelId": "claude-x",
        "contextWindow": 200_000,
        "maxOutputTokens": 64_000,
    }
    assert keyring.entries == {("branchwork", "api.anthropic.com"): "secret-key"}
    assert files.resolve("pi").values.model.model_id == "claude-x"


def test_the_consent_for_plain_http_is_kept_by_host(tmp_path: Path) -> None:
    files = SettingsFiles(tmp_path / "settings.json", home=tmp_path, environ={})
    for host in ("b.example:8000", "a.example"):
        choice = ModelChoice("openai-compatible", f"http://{host}/v1", "m", allow_plain_http=True)
        asyncio.run(keep_choice(choice, "", files, KeyStore({}, FakeKeyring())))
    assert files.resolve("pi").values.model.plain_http_hosts == ("a.example", "b.example:8000")


def test_a_key_that_cannot_be_kept_leaves_the_settings(tmp_path: Path) -> None:
    files = SettingsFiles(tmp_path / "settings.json", home=tmp_path, environ={})
    choice = ModelChoice("anthropic", "https://api.anthropic.com", "claude-x")
    with pytest.raises(ServiceError, match="keyring"):
        asyncio.run(keep_choice(choice, "secret", files, KeyStore({}, FakeKeyring(broken=True))))
    assert not (tmp_path / "settings.json").exists()
