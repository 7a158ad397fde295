"""Setting up the model that writes summaries: what there is to choose, trying it, keeping the choice."""

from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlsplit
from uuid import uuid4

from services.endpoints.exchange import ModelInfo, ModelRequest
from services.endpoints.http_exchange import Limits
from services.errors import ServiceError
from services.keys import KeyStore
from services.model_catalog import Api, ModelCatalog, model_catalog
from services.settings_files import SettingsFiles
from services.summarizers.choice import make_endpoint

TRIAL_LIMITS: Final = Limits(connect_s=10.0, idle_s=60.0, total_s=120.0)
TRIAL_PROMPT: Final = "Answer with the single word: ready"


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model as it is entered in the settings; its key is passed apart from it and never written to a file."""

    api: Api
    base_url: str
    model_id: str = ""
    context_window: int | None = None
    max_output: int | None = None
    allow_plain_http: bool = False

    @property
    def host(self) -> str:
        """Host, with the port where the address names one: what a key is kept under."""
        return urlsplit(self.base_url).netloc.rpartition("@")[2].lower()


async def offered_models(choice: ModelChoice, key: str, catalog: ModelCatalog | None = None) -> list[ModelInfo]:
    """Return the models that the endpoint lists, with the sizes it tells or else those of the catalog, by id.

    Raises ServiceError when the list can't be had; a model id can still be typed then.
    """
    known = catalog or model_catalog()
    endpoint = make_endpoint(
        choice.api, choice.base_url, "", key, limits=TRIAL_LIMITS, allow_plain_http=choice.allow_plain_http
    )
    models = []
    for model in await endpoint.list_models():
        size = known.size(model.id)
        models.append(
            replace(
                model,
                context_window=model.context_window or size.context_window,
                max_output=model.max_output or size.max_output,
            )
        )
    return sorted(models, key=lambda model: model.id)


async def try_model(choice: ModelChoice, key: str) -> str:
    """Return what the model says to a tiny prompt. Raises ServiceError with the cause when it doesn't answer."""
    endpoint = make_endpoint(
        choice.api, choice.base_url, choice.model_id, key, limits=TRIAL_LIMITS, allow_plain_http=choice.allow_plain_http
    )
    request = ModelRequest.of_prompt("You answer briefly.", TRIAL_PROMPT, 0, str(uuid4()))
    reply = await endpoint.send(request, lambda _text: None)
    if not reply.text.strip():
        raise ServiceError(f"{endpoint.name} answered, but without any text.")
    return reply.text.strip()


async def keep_choice(choice: ModelChoice, key: str, files: SettingsFiles, keys: KeyStore) -> None:
    """Write the choice to the settings, and the key, if one is given, to the system keyring.

    Raises ServiceError; a key that can't be kept leaves the settings as they were.
    """
    if key.strip():
        await keys.save(choice.host, key)
    values: dict[str, object] = {
        "provider": choice.api,
        "baseUrl": choice.base_url,
        "modelId": choice.model_id,
        "contextWindow": choice.context_window,
        "maxOutputTokens": choice.max_output,
    }
    for name, value in values.items():
        files.change(("model", name), value)
    if choice.allow_plain_http:
        hosts = files.resolve("pi").values.model.plain_http_hosts
        files.change(("model", "plainHttpHosts"), sorted({*hosts, choice.host}))
