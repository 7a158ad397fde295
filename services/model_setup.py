"""Setting up the model that writes summaries: what there is to choose, and trying it."""

from dataclasses import dataclass, replace
from typing import Final
from uuid import uuid4

from model.sentences import Sentence
from services.endpoints.exchange import ModelInfo, ModelRequest
from services.endpoints.http_exchange import Limits
from services.errors import ServiceError
from services.model_catalog import Api, ModelCatalog, model_catalog
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
        raise ServiceError(Sentence("{0} answered, but without any text.", endpoint.name))
    return reply.text.strip()
