"""What extension hooks are given and may return (HK-1 … HK-8).

Frozen pydantic models with the JSON names as aliases; `as_json` gives an event in that form. `read_hook_result` checks
what a handler returned. Calling the handlers is the business of the services.
"""

from collections.abc import Iterable, Sequence
from typing import Annotated, Any, Final, Literal, Protocol, Self, TypeVar, runtime_checkable

from pydantic import BaseModel, ConfigDict, Field, SerializerFunctionWrapHandler, ValidationError, model_serializer
from pydantic.alias_generators import to_camel

from model.compaction import CompactionPreparation
from model.entries import entry_id
from model.file_operations import FileOperations
from model.json_text import JsonObject
from model.sentences import Sentence
from model.settings import EffectiveCompactionSettings

Reason = Literal["manual", "threshold", "overflow"]
HookName = Literal[
    "session_before_compact",
    "session_compacting",
    "session_compact",
    "session_before_tree",
    "session_tree",
    "session_compact_failed",
]

Text = Annotated[str, Field(strict=True)]
SomeText = Annotated[str, Field(strict=True, min_length=1)]
Flag = Annotated[bool, Field(strict=True)]
Count = Annotated[int, Field(strict=True, ge=0)]


@runtime_checkable
class CancellationSignal(Protocol):
    """The cancellation token of the operation that an event belongs to (HK-2.6)."""

    def is_set(self) -> bool:
        """Whether the operation was cancelled."""

    def wait(self, timeout_s: float | None = None) -> bool:
        """Block until the operation is cancelled or the time is over; whether it was cancelled."""

    def raise_if_set(self) -> None:
        """Raise when the operation was cancelled."""


class Payload(BaseModel):
    """Base of everything that goes to a handler or comes back from one."""

    model_config = ConfigDict(
        frozen=True, alias_generator=to_camel, populate_by_name=True, arbitrary_types_allowed=True
    )

    def as_json(self) -> JsonObject:
        """Return the fields under their JSON names, without the signal. An optional field without value is left out."""
        return self.model_dump(by_alias=True, exclude={"signal"})

    @model_serializer(mode="wrap")
    def _without_absent(self, serialize: SerializerFunctionWrapHandler) -> JsonObject:
        fields: JsonObject = serialize(self)
        for name, field in type(self).model_fields.items():
            if not field.is_required() and getattr(self, name) is None:
                fields.pop(field.alias if field.alias in fields else name, None)
        return fields


class PreparationPayload(Payload):
    """The preparation of a compaction as handlers see it (HK-3)."""

    first_kept_entry_id: str
    messages_to_summarize: tuple[JsonObject, ...]
    turn_prefix_messages: tuple[JsonObject, ...]
    recent_messages: tuple[JsonObject, ...]
    is_split_turn: bool
    tokens_before: int
    previous_summary: str | None = None
    previous_preserve_data: JsonObject | None = None
    file_ops: FileOperations
    settings: EffectiveCompactionSettings

    @classmethod
    def of(cls, preparation: CompactionPreparation) -> Self:
        """Return the payload for a preparation."""
        return cls(**{name: getattr(preparation, name) for name in cls.model_fields})


class SessionBeforeCompactEvent(Payload):
    """Before a compaction, after its preparation. The default generator would run next."""

    preparation: PreparationPayload
    branch_entries: tuple[JsonObject, ...]
    custom_instructions: str | None = None
    reason: Reason
    will_retry: bool
    signal: CancellationSignal


class CompactionResult(Payload):
    """A whole compaction by an extension: stored as it is, without a model call."""

    summary: SomeText
    first_kept_entry_id: SomeText
    tokens_before: Count
    short_summary: Text | None = None
    details: Any = None
    preserve_data: JsonObject | None = None
    usage: JsonObject | None = None


class BeforeCompactResult(Payload):
    """What `session_before_compact` may return: stop it, or the compaction itself."""

    cancel: Flag = False
    compaction: CompactionResult | None = None


class SessionCompactingEvent(Payload):
    """Directly before the default generator runs (`session.compacting`)."""

    session_id: str
    messages: tuple[JsonObject, ...]


class CompactingResult(Payload):
    """What `session_compacting` may return: another prompt, more context, data to keep on the entry."""

    prompt: Text | None = None
    context: tuple[Text, ...] | None = None
    preserve_data: JsonObject | None = None


class SessionCompactEvent(Payload):
    """A compaction was saved and the live messages were replaced."""

    compaction_entry: JsonObject
    from_extension: bool
    reason: Reason
    will_retry: bool


class SessionCompactFailedEvent(Payload):
    """A compaction that had started saved no entry. `error_message` is absent when it was aborted."""

    reason: Reason
    error_message: str | None = None
    aborted: bool
    will_retry: bool = False
    from_extension: bool = False


class TreePreparation(Payload):
    """A navigation that is about to happen, with the options chosen so far (HK-6)."""

    target_id: str
    old_leaf_id: str | None
    common_ancestor_id: str | None
    entries_to_summarize: tuple[JsonObject, ...]
    user_wants_summary: bool
    custom_instructions: str | None = None
    replace_instructions: bool | None = None
    label: str | None = None


class SessionBeforeTreeEvent(Payload):
    """Before a navigation, whether or not a summary was asked for."""

    preparation: TreePreparation
    signal: CancellationSignal


class BranchSummaryPayload(Payload):
    """A branch summary by an extension: stored as it is."""

    summary: SomeText
    details: Any = None
    usage: JsonObject | None = None


class BeforeTreeResult(Payload):
    """What `session_before_tree` may return: stop it, the summary, other options."""

    cancel: Flag = False
    summary: BranchSummaryPayload | None = None
    custom_instructions: Text | None = None
    replace_instructions: Flag | None = None
    label: Text | None = None

    @property
    def overrides(self) -> dict[str, Any]:
        """The options that the handler named, by attribute name; an empty value overrides, too."""
        names = ("custom_instructions", "replace_instructions", "label")
        return {name: getattr(self, name) for name in names if name in self.model_fields_set}


class SessionTreeEvent(Payload):
    """A navigation is complete. `from_extension` is absent when no summary was written."""

    new_leaf_id: str | None
    old_leaf_id: str | None
    summary_entry: JsonObject | None = None
    from_extension: bool | None = None


HookResult = BeforeCompactResult | CompactingResult | BeforeTreeResult

RESULT_TYPES: Final[dict[HookName, type[BeforeCompactResult] | type[CompactingResult] | type[BeforeTreeResult]]] = {
    "session_before_compact": BeforeCompactResult,
    "session_compacting": CompactingResult,
    "session_before_tree": BeforeTreeResult,
}


class InvalidHookResultError(ValueError):
    """What a handler returned cannot be used; `str(error)` says why. The result counts as none."""


def read_hook_result(hook: HookName, returned: Any, branch_entries: Sequence[JsonObject] = ()) -> HookResult | None:
    """Return what a handler returned in its checked form; None when it returned nothing or nobody reads it.

    `branch_entries` is the active path, on which a compaction result must name its first kept entry. Raises
    InvalidHookResultError.
    """
    result_type = RESULT_TYPES.get(hook)
    if result_type is None or returned is None:
        return None
    try:
        result = result_type.model_validate(returned)
    except ValidationError as error:
        details = error.errors()[0]
        place = ".".join(str(part) for part in details["loc"])
        raise InvalidHookResultError(Sentence("{0}: {1}", place or Sentence("the result"), details["msg"])) from None
    if isinstance(result, BeforeCompactResult) and result.compaction is not None:
        first_kept = result.compaction.first_kept_entry_id
        if not any(entry_id(entry) == first_kept for entry in branch_entries):
            raise InvalidHookResultError(
                Sentence("compaction.firstKeptEntryId: no entry of this branch has the id {0}", first_kept)
            )
    return result


Result = TypeVar("Result", BeforeCompactResult, CompactingResult, BeforeTreeResult)


def winning_result(results: Iterable[Result | None]) -> Result | None:
    """Return the result that counts: the last one given, or the first that cancels.

    `results` is read no further than a cancelling one, so that a generator which calls the handlers stops there.
    """
    winner = None
    for result in results:
        winner = winner if result is None else result
        if result is not None and getattr(result, "cancel", False):
            break
    return winner
