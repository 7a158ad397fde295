"""The model that answers in the composer: who it is in stored messages, and its sizes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from model.context import ModelChoice
from model.sentences import Sentence
from model.turn_messages import ModelIdentity
from services.configured_model import provider_of
from services.errors import ServiceError

if TYPE_CHECKING:
    from model.settings import EffectiveCompactionSettings, EffectiveSettings
    from services.summarizers.choice import Summarizers

_API_NAMES: Final = {
    "anthropic": "anthropic-messages",
    "google": "google-generative-ai",
    "openai-compatible": "openai-completions",
}
"""What the agents call the protocols."""


class NoModelError(ServiceError):
    """Nothing can be sent before a model is set up."""

    def __init__(self) -> None:
        super().__init__(
            Sentence("No model is set up yet. Choose one in the settings; your text stays in the composer.")
        )


@dataclass(frozen=True, slots=True)
class AnsweringModel:
    """The configured model. `context_window` is tokens, 0 when unknown."""

    identity: ModelIdentity
    context_window: int = 0

    @property
    def choice(self) -> ModelChoice:
        """The model as the context's state names one."""
        return ModelChoice(self.identity.provider, self.identity.model_id)

    @property
    def key(self) -> str:
        """`provider/model id`, the key of settings for single models (ST-3)."""
        return f"{self.identity.provider}/{self.identity.model_id}"

    def compaction_settings(self, settings: "EffectiveSettings") -> "EffectiveCompactionSettings":
        """Return the compaction settings as they are for this model."""
        return settings.compaction.for_model(self.key)


def answering_model(choice: "Summarizers") -> AnsweringModel:
    """Return the model that is set up. Raises NoModelError when there is none."""
    model = choice.settings.model
    if not model.provider or not model.model_id:
        raise NoModelError
    known = provider_of(model)
    identity = ModelIdentity(_API_NAMES[model.provider], known.name if known else model.provider, model.model_id)
    return AnsweringModel(identity, choice.model_size.context_window or 0)
