"""Known providers and model sizes, from `resources/models.json`."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import urlsplit

if TYPE_CHECKING:  # pydantic is imported with the first settings, not with the program
    from model.settings import ModelSettings

Api = Literal["openai-compatible", "anthropic", "google"]

_PROVIDER_OF_API: Final = {"anthropic": "anthropic", "google": "google", "openai-compatible": "openai"}


def host_of(url: str) -> str:
    """Return the host of an address, with the port where it names one: what keys, consents and answers are kept by."""
    return urlsplit(url).netloc.rpartition("@")[2].lower()


@dataclass(frozen=True, slots=True)
class KnownProvider:
    """A provider whose address and key variables are known."""

    name: str
    title: str
    api: Api
    base_url: str
    key_variables: tuple[str, ...]

    @property
    def host(self) -> str:
        """The host of its address."""
        return host_of(self.base_url)


@dataclass(frozen=True, slots=True)
class ModelSize:
    """Sizes of a model in tokens; None where unknown."""

    context_window: int | None = None
    max_output: int | None = None


@dataclass(frozen=True, slots=True)
class ModelCatalog:
    """The providers by name, and the sizes by model id."""

    providers: dict[str, KnownProvider]
    models: dict[str, ModelSize]

    def size(self, model_id: str) -> ModelSize:
        """Return the sizes of a model; a dated or tagged id, or one behind a provider's name, is found as well."""
        for name in (model_id, model_id.rpartition("/")[2]):
            known = [id for id in self.models if name == id or name.startswith((id + "-", id + ":", id + "@"))]
            if known:
                return self.models[max(known, key=len)]
        return ModelSize()

    def base_url(self, model: "ModelSettings") -> str:
        """Return the address that requests go to: the one of the settings, else the provider's own."""
        return model.base_url or self.providers[_PROVIDER_OF_API[model.provider or "openai-compatible"]].base_url

    def provider_at(self, host: str) -> KnownProvider | None:
        """Return the provider whose address has this host (and port), or None."""
        return next((provider for provider in self.providers.values() if provider.host == host), None)


@cache
def model_catalog() -> ModelCatalog:
    """Return the catalog that comes with the program."""
    data = json.loads((files("resources") / "models.json").read_text(encoding="utf-8"))
    providers = {
        name: KnownProvider(name, item["title"], item["api"], item["baseUrl"], tuple(item["keyVariables"]))
        for name, item in data["providers"].items()
    }
    models = {name: ModelSize(item["contextWindow"], item["maxOutput"]) for name, item in data["models"].items()}
    return ModelCatalog(providers, models)
