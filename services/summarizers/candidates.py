"""Which models an automatic compaction tries, one after the other (CP-21.2).

Only what is named in the settings is tried: a session is never sent to a provider that nobody chose.
"""

from dataclasses import replace
from typing import Final

from model.sentences import Sentence
from services.errors import ServiceError
from services.operations import SummarizerInfo
from services.summarizers.by_model import ModelSummarizer
from services.summarizers.choice import Summarizers, make_endpoint, retry_policy
from services.summarizers.offline import OfflineSummarizer
from services.summarizers.passes import Summarizer

ROLES: Final = ("default", "smol", "slow", "vision", "plan", "commit", "task")


async def automatic_candidates(choice: Summarizers) -> list[Summarizer]:
    """Return who writes an automatic compaction, in order; the digest where no model is named.

    A remote endpoint is the only candidate. Otherwise: the models of the roles in their order (an unset `default` is
    the configured model), then the one with the largest context window of all that are named. Models without
    credentials are left out. Raises ServiceError when models are named and none can be used.
    """
    if choice.infos("compaction")[0].id == "remote":
        return [await choice.make("compaction", "remote")]
    named = await _named_models(choice)
    if not named:
        if choice.settings.model_roles or choice.has_model:
            raise ServiceError(Sentence("No model is available for compaction: none that the settings name has a key."))
        return [OfflineSummarizer()]
    by_role = [named[role] for role in ROLES if role in named]
    largest = max(named.values(), key=lambda found: found.context_window or 0)
    ordered = list({found.endpoint.name: found for found in [*by_role, largest]}.values())
    return [*(replace(found, another_candidate=True) for found in ordered[:-1]), ordered[-1]]


async def _named_models(choice: Summarizers) -> dict[str, ModelSummarizer]:
    """The models that can be used, by role."""
    found: dict[str, ModelSummarizer] = {}
    if choice.has_model:
        configured = await choice.make("compaction", "model")
        assert isinstance(configured, ModelSummarizer)
        found["default"] = configured
    for role, name in choice.settings.model_roles.items():
        if (summarizer := await _of_name(choice, name)) is not None:
            found[role] = summarizer
    return found


async def _of_name(choice: Summarizers, name: str) -> ModelSummarizer | None:
    """The model `provider/model id`; None for a provider that isn't known or has no key."""
    provider_name, _, model_id = name.partition("/")
    provider = choice.catalog.providers.get(provider_name)
    if provider is None or not model_id:
        return None
    key = await choice.keys.find(provider.host)
    if key is None and provider.key_variables:
        return None
    size = choice.catalog.size(model_id)
    return ModelSummarizer(
        SummarizerInfo(
            "model",
            f"{model_id} ({provider.host})",
            Sentence("Sends the prompt to {0}.", provider.host),
            True,
            provider.host,
        ),
        make_endpoint(provider.api, provider.base_url, model_id, key.value if key else ""),
        retry_policy(choice.settings.retry),
        choice.gate,
        choice.count_tokens,
        size.context_window,
        size.max_output,
    )
