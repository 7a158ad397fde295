"""Setting up a model: choosing from the endpoint's list, trying it, keeping it without the key."""

import asyncio

import pytest

from services.endpoints.exchange import ModelInfo
from services.errors import ServiceError
from services.model_setup import ModelChoice, offered_models, try_model
from tests.services.loopback_server import LoopbackServer, chat, json_answer


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
