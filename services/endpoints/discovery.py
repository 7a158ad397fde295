"""Model servers on this machine, found on the ports where they listen by default."""

import asyncio
from dataclasses import dataclass, replace
from typing import Final

from model.json_text import JsonObject
from services.endpoints.exchange import EndpointError, ModelInfo
from services.endpoints.http_exchange import HttpTarget, Limits, read_json
from services.endpoints.openai_compatible import OpenAICompatible
from services.endpoints.reply_builder import count, part

QUICK: Final = Limits(connect_s=0.5, idle_s=2.0, total_s=3.0)
DEFAULT_PORTS: Final = {"Ollama": 11434, "llama.cpp": 8080, "LM Studio": 1234}


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that answered, and its models. `base_url` is for chat completions."""

    name: str
    base_url: str
    models: tuple[ModelInfo, ...]


async def find_local_servers(ports: dict[str, int] | None = None) -> list[LocalServer]:
    """Return the servers that listen on this machine and have models. Asks only the loopback address; never raises."""
    wanted = DEFAULT_PORTS if ports is None else ports
    found = await asyncio.gather(*(_ask(name, port) for name, port in wanted.items()))
    return [server for server in found if server is not None]


async def _ask(name: str, port: int) -> LocalServer | None:
    root = f"http://127.0.0.1:{port}"
    try:
        models = await OpenAICompatible(f"{root}/v1", "", limits=QUICK).list_models()
        if name == "Ollama":
            models = list(await asyncio.gather(*(_with_ollama_window(root, model) for model in models)))
        elif name == "llama.cpp":
            models = await _with_llama_window(root, models)
    except EndpointError:
        return None
    return LocalServer(name, f"{root}/v1", tuple(models)) if models else None


async def _with_ollama_window(root: str, model: ModelInfo) -> ModelInfo:
    """The model with the window it was trained for; what Ollama runs it with (`num_ctx`) may be smaller."""
    shown = await _json(root, "/api/show", {"model": model.id})
    info = part(shown, "model_info")
    sizes = [count(value) for name, value in info.items() if name.endswith(".context_length")] if info else []
    return replace(model, context_window=max(sizes, default=0) or model.context_window)


async def _with_llama_window(root: str, models: list[ModelInfo]) -> list[ModelInfo]:
    """The models with the window that the server was started with."""
    window = count(part(await _json(root, "/props", None), "default_generation_settings", "n_ctx"))
    return [replace(model, context_window=window or model.context_window) for model in models]


async def _json(root: str, path: str, body: JsonObject | None) -> object:
    target = HttpTarget(root, {}, QUICK)
    try:
        async with target.answer(path, body) as response:
            return await read_json(response, target.host)
    except EndpointError:
        return None
