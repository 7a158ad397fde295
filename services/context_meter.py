"""How full the context is at a position, against the window of the model that works there (CP-4.3, CB-11).

The newest usage is looked for from the end, so that following a long session costs a few entries at each change.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from model.context import entry_message, path_context
from model.entries import entry_type, message_of
from model.entry_index import EntryIndex
from model.entry_kinds import Kind, Role
from model.interruptions import interruptibly
from model.json_text import JsonObject
from model.runs import Rows
from model.token_estimates import context_size, estimate_context, estimate_tokens, valid_usage
from model.triggers import compaction_threshold
from services.configured_model import provider_of

if TYPE_CHECKING:
    from services.agent_session import AgentSession

_LONGEST_EXACT: Final = 5000  # entries of a path that is estimated message by message


@dataclass(frozen=True, slots=True)
class MeterReading:
    """Tokens of a context. `is_estimated`: by the size of the texts alone. `is_unknown`: nothing has answered since
    the last compaction, so that no measured number exists (CB-11).

    `window` and `threshold` are tokens, None when the model isn't known; `model` is that of the path, as provider
    and id with a slash between, empty where the path names none.
    """

    tokens: int
    is_estimated: bool = False
    is_unknown: bool = False
    window: int | None = None
    threshold: int | None = None
    model: str = ""


def read_meter(session: "AgentSession", leaf_id: str | None, estimate: int) -> MeterReading:
    """Return the reading at `leaf_id`. Blocking and interruptible.

    `estimate` is used for the size of a very long path without any usage.
    """
    snapshot = session.snapshot()
    rows = snapshot.runs.path(snapshot.row(leaf_id))
    trailing, model = 0, None
    tokens: float | None = None
    is_compacted = is_edited = False
    for row in interruptibly(reversed(rows.tolist())):
        entry = session.store.entry(row, snapshot.index)
        model = model or _model_of(entry)
        kind = entry_type(entry)
        is_compacted = kind == "compaction"
        is_edited = kind == "context_edit"
        if is_compacted or is_edited:
            break  # usage from before it measures what is gone
        if (usage := valid_usage(message_of(entry), session.rules)) is not None:
            tokens = context_size(usage) + trailing
            break
        message = entry_message(entry, session.rules)
        trailing += 0 if message is None else estimate_tokens(message, session.rules)
    model = model or _latest_model(session, snapshot.index, rows)
    window, threshold = _limits(session, model)
    if tokens is not None:
        return MeterReading(int(tokens), window=window, threshold=threshold, model=_key(model))
    if len(rows) <= _LONGEST_EXACT:
        path = snapshot.path(leaf_id)
        projection = path_context(path, session.rules).projection
        estimate = int(estimate_context(path, projection, session.rules).tokens)
    return MeterReading(
        estimate, is_estimated=True, is_unknown=is_compacted, window=window, threshold=threshold, model=_key(model)
    )


def _latest_model(session: "AgentSession", index: EntryIndex, rows: Rows) -> tuple[str, str] | None:
    """The model that the entries at `rows` name last."""
    naming = rows[(index.role[rows] == Role.ASSISTANT) | (index.kind[rows] == Kind.MODEL_CHANGE)]
    for row in interruptibly(reversed(naming.tolist()), each=1):
        if (model := _model_of(session.store.entry(row, index))) is not None:
            return model
    return None


def _model_of(entry: JsonObject) -> tuple[str, str] | None:
    """Provider and model id that an entry names, as far as they are texts."""
    message = message_of(entry)
    if message is not None and message.get("role") == "assistant":
        return _texts(message.get("provider"), message.get("model"))
    if entry_type(entry) != "model_change":
        return None
    joined = entry.get("model")
    if isinstance(joined, str):
        provider, _, model_id = joined.partition("/")
        return _texts(provider, model_id)
    return _texts(entry.get("provider"), entry.get("modelId"))


def _texts(provider: Any, model_id: Any) -> tuple[str, str] | None:
    return (provider, model_id) if isinstance(provider, str) and isinstance(model_id, str) and model_id else None


def _key(model: tuple[str, str] | None) -> str:
    return "/".join(filter(None, model or ()))


def _limits(session: "AgentSession", model: tuple[str, str] | None) -> tuple[int | None, int | None]:
    """Window and threshold for the model of the session, else for the one that is set up."""
    settings = session.settings
    configured = settings.model
    if model is None and configured.provider and configured.model_id:
        known = provider_of(configured)
        model = (known.name if known else configured.provider, configured.model_id)
    if model is None:
        return None, None
    window = configured.context_window if model[1] == configured.model_id else None
    window = window or session.catalog.size(model[1]).context_window
    if not window:
        return None, None
    compaction = settings.compaction.for_model("/".join(model))
    return window, max(0, int(compaction_threshold(window, compaction, session.rules)))
