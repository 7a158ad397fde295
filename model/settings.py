"""The settings: their keys, bounds and defaults, and what `auto` means for a session (ST-2, ST-3, ST-4).

Frozen pydantic models with the keys of the settings files as aliases. `Settings` is what files hold; `effective`
replaces every `auto` by the value for a dialect and gives the types that the pure functions take. Where the values come
from is in `settings_levels.py`.
"""

import math
from typing import Annotated, Any, Final, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from model.dialects import Dialect
from model.sentences import Sentence

Auto = Literal["auto"]
Boundary = Literal["sinceKept", "sinceCompaction"]
Provider = Literal["openai-compatible", "anthropic", "google"]
Strategy = Literal["context-full", "handoff", "off"]
BranchAnswer = Literal["ask", "go", "summarise"]
TreeFilterMode = Literal["default", "no-tools", "user-only", "labeled-only", "all"]

MAX_TOKENS: Final = 1_000_000_000
MAX_DELAY_MS: Final = 86_400_000
OMP_FILE_TAG_LIMIT: Final = 20  # names in one file tag (CP-17)


def _whole(value: Any) -> Any:
    """A JSON number without a fraction as an integer; 16384.0 and 16384 are the same number in a settings file."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _number(value: Any) -> Any:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(Sentence("Input should be a number"))
    return value


def _unset(value: Any) -> Any:
    return None if value == "" else value


def _web_address(value: str) -> str:
    parts = urlsplit(value)
    if parts.scheme.lower() not in ("http", "https") or not parts.hostname:
        raise ValueError(Sentence("Input should be an absolute http or https address"))
    return value


Flag = Annotated[bool, Field(strict=True)]
Text = Annotated[str, Field(strict=True, min_length=1)]
Tokens = Annotated[int, BeforeValidator(_whole), Field(strict=True, ge=0, le=MAX_TOKENS)]
Count = Annotated[int, BeforeValidator(_whole), Field(strict=True, ge=0, le=100)]
Milliseconds = Annotated[int, BeforeValidator(_whole), Field(strict=True, ge=0, le=MAX_DELAY_MS)]
Seconds = Annotated[float, BeforeValidator(_number), Field(ge=0, le=MAX_DELAY_MS / 1000)]
Number = Annotated[float, BeforeValidator(_number)]
WebAddress = Annotated[Text, AfterValidator(_web_address)]


class SettingsGroup(BaseModel):
    """A group of settings. An instance never changes; `replaced` gives a checked copy."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", alias_generator=to_camel, populate_by_name=True, protected_namespaces=()
    )

    def replaced(self, **changes: Any) -> Self:
        """Return a copy with other values, validated. Raises pydantic's ValidationError."""
        return type(self).model_validate({**dict(self), **changes})


class ModelOverride(SettingsGroup):
    """Compaction values for one model; each falls back by itself (Pi)."""

    reserve_tokens: Tokens | None = None
    keep_recent_tokens: Tokens | None = None


class CompactionSettings(SettingsGroup):
    """When a session is compacted, how much is kept, and by whom it is summarised."""

    enabled: Flag = True
    reserve_tokens: Tokens = 16384
    keep_recent_tokens: Tokens = 20000
    auto_continue: Flag | Auto = "auto"
    remote_endpoint: Annotated[WebAddress | None, BeforeValidator(_unset)] = None
    model_overrides: dict[str, ModelOverride] = Field(default_factory=dict)
    strategy: Strategy = "context-full"
    threshold_percent: Number = -1
    threshold_tokens: Number = -1
    remote_enabled: Flag = True
    boundary: Boundary | Auto = "auto"
    adapt_keep_recent: Flag | Auto = "auto"
    short_summary: Flag | Auto = "auto"
    include_thinking: Flag = True
    file_tag_limit: Tokens | Auto = "auto"
    remote_timeout_seconds: Seconds = 120

    @property
    def is_automatic(self) -> bool:
        """Whether compaction may start by itself; OMP's strategy `off` says no as well."""
        return self.enabled and self.strategy != "off"

    @property
    def active_endpoint(self) -> str | None:
        """The remote endpoint that summaries are sent to, None when there is none or it is switched off."""
        return self.remote_endpoint if self.remote_enabled else None

    def for_model(self, model_key: str | None) -> Self:
        """Return the values for the model `provider/model id`; the key is matched exactly."""
        override = self.model_overrides.get(model_key) if model_key is not None else None
        if override is None:
            return self
        changes = {name: value for name, value in override if value is not None}
        return self.replaced(**changes) if changes else self


class EffectiveCompactionSettings(CompactionSettings):
    """The compaction settings of one session: no `auto` is left."""

    auto_continue: Flag
    boundary: Boundary
    adapt_keep_recent: Flag
    short_summary: Flag
    file_tag_limit: Tokens


class BranchSummarySettings(SettingsGroup):
    """Summaries of branches that are left. `answer` "auto": as the switches of the agents, the next two, say."""

    answer: BranchAnswer | Auto = "auto"
    enabled: Flag | Auto = "auto"
    skip_prompt: Flag = False
    reserve_tokens: Tokens = 16384
    replace_instructions: Flag | Auto = "auto"


class EffectiveBranchSummarySettings(BranchSummarySettings):
    """The branch summary settings of one session. `answer` "ask": the user is asked for a summary in `/tree`."""

    answer: BranchAnswer
    enabled: Flag
    replace_instructions: Flag


class PruningSettings(SettingsGroup):
    """Pruning of old tool outputs (CP-3)."""

    enabled: Flag | Auto = "auto"
    protect_tokens: Tokens = 40000
    minimum_savings: Tokens = 20000
    protected_tools: tuple[Text, ...] = ("skill", "read")


class EffectivePruningSettings(PruningSettings):
    """The pruning settings of one session."""

    enabled: Flag


class RetrySettings(SettingsGroup):
    """Retries of requests that failed for a passing reason (CP-21)."""

    enabled: Flag = True
    max_retries: Count = 3
    base_delay_ms: Milliseconds = 2000
    max_agent_delay_ms: Milliseconds = 60000


class ModelSettings(SettingsGroup):
    """The model that writes summaries; without a provider there is none. The key itself is never a setting."""

    provider: Provider | None = None
    base_url: Annotated[WebAddress | None, BeforeValidator(_unset)] = None
    model_id: Text | None = None
    context_window: Annotated[Tokens, Field(ge=1)] | None = None
    max_output_tokens: Annotated[Tokens, Field(ge=1)] | None = None
    api_key_env: Text | None = None
    plain_http_hosts: tuple[Text, ...] = ()  # host[:port] that may be reached without encryption, the user's consent


class SessionSettings(SettingsGroup):
    """New sessions, and files whose dialect cannot be told (SF-7)."""

    default_dialect: Dialect = "pi"


class SessionsSettings(SettingsGroup):
    """The explorer of sessions."""

    folders: tuple[Text, ...] = ()


class Settings(SettingsGroup):
    """All settings as they stand in files."""

    compaction: CompactionSettings = CompactionSettings()
    branch_summary: BranchSummarySettings = BranchSummarySettings()
    pruning: PruningSettings = PruningSettings()
    retry: RetrySettings = RetrySettings()
    model: ModelSettings = ModelSettings()
    session: SessionSettings = SessionSettings()
    sessions: SessionsSettings = SessionsSettings()
    tree_filter_mode: TreeFilterMode = "default"
    session_dir: Text | None = None
    model_roles: dict[str, Text] = Field(default_factory=dict)
    extensions: tuple[Text, ...] = ()


class EffectiveSettings(Settings):
    """The settings of one session: no `auto` is left."""

    compaction: EffectiveCompactionSettings
    branch_summary: EffectiveBranchSummarySettings
    pruning: EffectivePruningSettings


def effective(settings: Settings, dialect: Dialect) -> EffectiveSettings:
    """Return the settings for a session: each `auto` becomes the value that the session's agent has (ST-4)."""
    is_omp = dialect == "omp"
    branches = settings.branch_summary
    enabled = not is_omp and not branches.skip_prompt if branches.enabled == "auto" else branches.enabled
    by_dialect: dict[str, dict[str, Any]] = {
        "compaction": {
            "auto_continue": is_omp,
            "boundary": "sinceCompaction" if is_omp else "sinceKept",
            "adapt_keep_recent": is_omp,
            "short_summary": is_omp,
            "file_tag_limit": OMP_FILE_TAG_LIMIT if is_omp else 0,
        },
        "branch_summary": {
            "answer": "ask" if enabled else "go",
            "enabled": enabled,
            "replace_instructions": is_omp,
        },
        "pruning": {"enabled": is_omp},
    }
    groups = {name: _without_auto(getattr(settings, name), values) for name, values in by_dialect.items()}
    return EffectiveSettings.model_validate({**dict(settings), **groups})


def default_settings(dialect: Dialect) -> EffectiveSettings:
    """Return the settings of a session that no file says anything about."""
    return effective(Settings(), dialect)


def _without_auto(group: SettingsGroup, values: dict[str, Any]) -> dict[str, Any]:
    return {name: values[name] if value == "auto" and name in values else value for name, value in group}
