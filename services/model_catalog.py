"""Known providers and model sizes, from `resources/models.json`."""

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Literal
from urllib.parse import urlsplit

Api = Literal["openai-compatible", "anthropic", "google"]


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
        """Host, with the port where the address names one."""
        return urlsplit(self.base_url).netloc


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
