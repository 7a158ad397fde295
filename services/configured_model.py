"""The model of the settings as it can be reached: its address and host, its key, its list, a trial."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from model.sentences import Sentence
from services.endpoints.exchange import ModelInfo
from services.endpoints.http_exchange import is_loopback
from services.errors import ServiceError
from services.keys import Key, KeyStore
from services.model_catalog import KnownProvider, ModelSize, host_of, model_catalog
from services.model_setup import ModelChoice, offered_models, try_model

if TYPE_CHECKING:
    from model.settings import ModelSettings


@dataclass(frozen=True, slots=True)
class ModelTrial:
    """An answer to the trial request: from which host, after how long, and its text."""

    host: str
    model_id: str
    seconds: float
    text: str


def base_url_of(model: "ModelSettings") -> str:
    """Return the address that requests go to: the one of the settings, else the provider's own."""
    return model_catalog().base_url(model)


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


async def key_of(model: "ModelSettings", keys: KeyStore) -> Key | None:
    """Return the key for the configured address, None when there is none. May ask the keyring."""
    return await keys.find(host_of(base_url_of(model)), model.api_key_env)


async def models_of(model: "ModelSettings", keys: KeyStore, typed_key: str = "") -> list[ModelInfo]:
    """Return the models that the endpoint lists. `typed_key` is used in place of the stored key.

    Raises ServiceError, EndpointError among them.
    """
    choice = _choice(model)
    return await offered_models(choice, typed_key or await _stored_key(choice, model, keys))


async def trial_of(
    model: "ModelSettings", keys: KeyStore, typed_key: str = "", clock: Callable[[], float] = time.monotonic
) -> ModelTrial:
    """Send one short request to the configured model. Raises ServiceError, EndpointError among them."""
    choice = _choice(model)
    if not choice.model_id:
        raise ServiceError(Sentence("Choose a model first."))
    key = typed_key or await _stored_key(choice, model, keys)
    began = clock()
    text = await try_model(choice, key)
    return ModelTrial(host_of(choice.base_url), choice.model_id, clock() - began, text)


def _choice(model: "ModelSettings") -> ModelChoice:
    if model.provider is None:
        raise ServiceError(Sentence("Choose a provider first."))
    base_url = base_url_of(model)
    may_be_plain = host_of(base_url) in model.plain_http_hosts
    return ModelChoice(model.provider, base_url, model.model_id or "", allow_plain_http=may_be_plain)


async def _stored_key(choice: ModelChoice, model: "ModelSettings", keys: KeyStore) -> str:
    key = await keys.find(host_of(choice.base_url), model.api_key_env)
    return key.value if key else ""
