"""Which summarisers there are with the present settings, and their making."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from model.sentences import Sentence
from services.endpoints.exchange import Endpoint
from services.endpoints.http_exchange import Limits
from services.errors import ServiceError
from services.keys import KeyStore
from services.model_catalog import Api, ModelCatalog, ModelSize, host_of, model_catalog
from services.operations import SummarizerInfo
from services.retries import RetryPolicy
from services.summarizers.by_model import ModelSummarizer
from services.summarizers.offline import OFFLINE, OfflineSummarizer
from services.summarizers.passes import Summarizer
from services.summarizers.secret_gate import SecretGate

if TYPE_CHECKING:  # pydantic is imported with the first settings, not with the program
    from model.settings import EffectiveSettings, RetrySettings

Kind = Literal["compaction", "branch"]

UNKNOWN_WINDOW_TOKENS: Final = 128_000  # BS-2


def retry_policy(settings: "RetrySettings") -> RetryPolicy:
    """Return the policy that the settings ask for."""
    retries = settings.max_retries if settings.enabled else 0
    return RetryPolicy(retries, settings.base_delay_ms / 1000, settings.max_agent_delay_ms / 1000)


@dataclass(frozen=True, slots=True)
class Summarizers:
    """The summarisers that `settings` offer."""

    settings: "EffectiveSettings"
    count_tokens: Callable[[str], int]
    keys: KeyStore = field(default_factory=KeyStore)
    catalog: ModelCatalog = field(default_factory=model_catalog)
    gate: SecretGate = field(default_factory=SecretGate)

    def infos(self, kind: Kind) -> list[SummarizerInfo]:
        """Return what can write a summary of this kind, the default first."""
        found = []
        if kind == "compaction" and (info := self._remote_info()):
            found.append(info)
        if info := self._model_info():
            found.append(info)
        return [*found, OFFLINE]

    @property
    def has_model(self) -> bool:
        """Whether a model is configured."""
        return bool(self.settings.model.provider and self.settings.model.model_id)

    @property
    def model_size(self) -> ModelSize:
        """The sizes of the configured model, by the settings or else the catalog."""
        model = self.settings.model
        known = self.catalog.size(model.model_id) if model.model_id else ModelSize()
        return ModelSize(model.context_window or known.context_window, model.max_output_tokens or known.max_output)

    def info(self, kind: Kind, id: str | None) -> SummarizerInfo:
        """Return the summariser `id`, None for the default. Raises ServiceError when it isn't there."""
        infos = self.infos(kind)
        info = infos[0] if id is None else next((info for info in infos if info.id == id), None)
        if info is None:
            raise ServiceError(
                Sentence("There is no summariser {0} for this. Set up a model in the settings.", repr(id))
            )
        return info

    async def make(self, kind: Kind, id: str | None) -> Summarizer:
        """Return the summariser `id`, None for the default. Raises ServiceError when it can't be used."""
        info = self.info(kind, id)
        if info.id == OFFLINE.id:
            return OfflineSummarizer()
        policy = retry_policy(self.settings.retry)
        if info.id == "remote":
            return ModelSummarizer(info, self._remote_endpoint(), policy, self.gate, self.count_tokens)
        size = self.model_size
        endpoint = await self.model_endpoint()
        return ModelSummarizer(
            info, endpoint, policy, self.gate, self.count_tokens, size.context_window, size.max_output
        )

    async def model_endpoint(self) -> Endpoint:
        """Return the endpoint of the configured model, with its key. Raises ServiceError when none is configured."""
        model = self.settings.model
        if not model.provider or not model.model_id:
            raise ServiceError(Sentence("No model is configured. Set one up in the settings."))
        base_url = self.catalog.base_url(model)
        key = await self.keys.find(host_of(base_url), model.api_key_env)
        return make_endpoint(
            model.provider,
            base_url,
            model.model_id,
            key.value if key else "",
            allow_plain_http=self._may_be_plain(base_url),
        )

    def _remote_info(self) -> SummarizerInfo | None:
        compaction = self.settings.compaction
        if not compaction.remote_endpoint or not compaction.remote_enabled:
            return None
        host = host_of(compaction.remote_endpoint)
        return SummarizerInfo(
            "remote",
            Sentence("Remote endpoint ({0})", host),
            Sentence("Sends the prompts of a compaction to {0}.", host),
            True,
            host,
        )

    def _remote_endpoint(self) -> Endpoint:
        from services.endpoints.remote_endpoint import RemoteEndpoint

        compaction = self.settings.compaction
        url = compaction.remote_endpoint or ""
        return RemoteEndpoint(url, compaction.remote_timeout_seconds, allow_plain_http=self._may_be_plain(url))

    def _model_info(self) -> SummarizerInfo | None:
        model = self.settings.model
        if not self.has_model:
            return None
        host = host_of(self.catalog.base_url(model))
        return SummarizerInfo(
            "model", f"{model.model_id} ({host})", Sentence("Sends the prompt to {0}.", host), True, host
        )

    def _may_be_plain(self, url: str) -> bool:
        """Whether the user agreed to reach the host of `url` without encryption."""
        return host_of(url) in self.settings.model.plain_http_hosts


def make_endpoint(
    api: Api, base_url: str, model_id: str, key: str, *, limits: Limits | None = None, allow_plain_http: bool = False
) -> Endpoint:
    """Return an endpoint that speaks `api`. Raises ServiceError when the address isn't acceptable."""
    if api == "anthropic":
        from services.endpoints.anthropic import Anthropic as Provider
    elif api == "google":
        from services.endpoints.gemini import Gemini as Provider  # type: ignore[assignment]
    else:
        from services.endpoints.openai_compatible import OpenAICompatible as Provider  # type: ignore[assignment]
    return Provider(base_url, model_id, key, limits=limits, allow_plain_http=allow_plain_http)
