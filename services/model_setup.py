"""Setting up the model that writes summaries: its key, the list of the endpoint, and a trial request."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit
from uuid import uuid4

from services.endpoints.exchange import Endpoint, ModelInfo, ModelRequest
from services.endpoints.http_exchange import Limits, is_loopback
from services.errors import ServiceError
from services.keys import KeyStore
from services.model_catalog import KnownProvider, ModelSize, model_catalog
from services.summarizers.choice import make_endpoint

if TYPE_CHECKING:
    from model.settings import ModelSettings

TRIAL_LIMITS: Final = Limits(connect_s=10.0, idle_s=60.0, total_s=90.0)
TRIAL_TOKENS: Final = 256  # enough for a model that thinks first
_TRIAL_PROMPT: Final = "This is a test of the connection. Answer with the single word: ready"
_PROVIDER_OF_API: Final = {"anthropic": "anthropic", "google": "google", "openai-compatible": "openai"}


@dataclass(frozen=True, slots=True)
class ModelTrial:
    """An answer to the trial request: from which host, after how long, and its text, which may be empty."""

    host: str
    model_id: str
    seconds: float
    text: str


def base_url_of(model: "ModelSettings") -> str:
    """Return the address that requests go to: the one of the settings, else the provider's own."""
    return model.base_url or model_catalog().providers[_PROVIDER_OF_API[model.provider or "openai-compatible"]].base_url


def host_of(url: str) -> str:
    """Return the host of an address, with the port where it names one; keys and consents are kept by it."""
    return urlsplit(url).netloc.rpartition("@")[2].lower()


def provider_of(model: "ModelSettings") -> KnownProvider | None:
    """Return the known provider at the configured address, None without a provider or for another server."""
    if model.provider is None:
        return None
    url = base_url_of(model).rstrip("/")
    known = model_catalog().providers.values()
    return next((each for each in known if each.base_url == url and each.api == model.provider), None)


def needs_consent(url: str) -> bool:
    """Whether requests to an address would cross a network without encryption."""
    parts = urlsplit(url)
    return parts.scheme.lower() == "http" and not is_loopback(parts.hostname or "")


def known_size(model_id: str | None) -> ModelSize:
    """Return the sizes that the catalog knows for a model."""
    return model_catalog().size(model_id) if model_id else ModelSize()


async def key_source(model: "ModelSettings", keys: KeyStore) -> str | None:
    """Return where the key for the configured address comes from, None when there is none. May ask the keyring."""
    key = await keys.find(host_of(base_url_of(model)), model.api_key_env)
    return key.source if key else None


async def offered_models(model: "ModelSettings", keys: KeyStore, typed_key: str = "") -> list[ModelInfo]:
    """Return the models that the endpoint lists, by id. `typed_key` is used in place of the stored key.

    Raises ServiceError, EndpointError among them.
    """
    endpoint = await _endpoint(model, keys, typed_key)
    return sorted(await endpoint.list_models(), key=lambda info: info.id.casefold())


async def try_model(
    model: "ModelSettings", keys: KeyStore, typed_key: str = "", clock: Callable[[], float] = time.monotonic
) -> ModelTrial:
    """Send one short request to the configured model. Raises ServiceError, EndpointError among them."""
    if not model.model_id:
        raise ServiceError("Choose a model first.")
    endpoint = await _endpoint(model, keys, typed_key)
    began = clock()
    request = ModelRequest.of_prompt("", _TRIAL_PROMPT, TRIAL_TOKENS, str(uuid4()))
    reply = await endpoint.send(request, lambda _text: None)
    return ModelTrial(endpoint.host, model.model_id, clock() - began, reply.text.strip())


async def _endpoint(model: "ModelSettings", keys: KeyStore, typed_key: str) -> Endpoint:
    if model.provider is None:
        raise ServiceError("Choose a provider first.")
    base_url = base_url_of(model)
    host = host_of(base_url)
    key = None if typed_key else await keys.find(host, model.api_key_env)
    return make_endpoint(
        model.provider,
        base_url,
        model.model_id or "",
        typed_key or (key.value if key else ""),
        limits=TRIAL_LIMITS,
        allow_plain_http=host in model.plain_http_hosts,
    )
