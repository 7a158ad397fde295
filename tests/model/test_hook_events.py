"""What extension hooks are given and may return (HK-1 … HK-8)."""

import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from pydantic import ValidationError

from model.hook_events import (
    BeforeCompactResult,
    BeforeTreeResult,
    CompactingResult,
    InvalidHookResultError,
    PreparationPayload,
    SessionBeforeCompactEvent,
    SessionBeforeTreeEvent,
    SessionCompactEvent,
    SessionCompactFailedEvent,
    SessionCompactingEvent,
    SessionTreeEvent,
    TreePreparation,
    read_hook_result,
    winning_result,
)
from tests.model.shaped_paths import prepared, shaped
from tests.model.strategies import json_values

COMPACTION = {"summary": "S", "firstKeptEntryId": "2", "tokensBefore": 5}


class Signal:
    """A cancellation token that nobody cancels."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def is_set(self) -> bool:
        return self._event.is_set()

    def wait(self, timeout_s: float | None = None) -> bool:
        return self._event.wait(timeout_s)

    def raise_if_set(self) -> None:
        assert not self.is_set()


class TestEvents:
    @pytest.mark.spec("O-064", "O-068", "P-139", "P-141", "P-149", "P-150", "P-151", "P-152")
    def test_before_a_compaction(self) -> None:
        path = shaped("u a u a")
        signal = Signal()
        event = SessionBeforeCompactEvent(
            preparation=PreparationPayload.of(prepared(path, 150)),
            branch_entries=path,
            reason="threshold",
            will_retry=False,
            signal=signal,
        )
        assert event.signal is signal
        assert event.preparation.first_kept_entry_id == "3"
        shown = event.as_json()
        assert set(shown) == {"preparation", "branchEntries", "reason", "willRetry"}
        assert (shown["reason"], shown["willRetry"]) == ("threshold", False)
        assert list(shown["branchEntries"]) == path

    @pytest.mark.spec("P-142", "P-143", "P-144", "P-145", "P-146", "P-147", "P-148")
    def test_the_preparation_has_its_fields_under_their_names(self) -> None:
        path = shaped("u w C(1) u a a")
        path[2]["preserveData"] = {"x": 1}
        preparation = prepared(path, 50)
        shown = PreparationPayload.of(preparation).as_json()
        assert set(shown) == {
            "firstKeptEntryId",
            "messagesToSummarize",
            "turnPrefixMessages",
            "recentMessages",
            "isSplitTurn",
            "tokensBefore",
            "previousSummary",
            "previousPreserveData",
            "fileOps",
            "settings",
        }
        assert shown["messagesToSummarize"] == preparation.messages_to_summarize
        assert shown["turnPrefixMessages"] == preparation.turn_prefix_messages
        assert shown["fileOps"]["written"] == {"w"}
        assert shown["settings"]["keepRecentTokens"] == 50

    def test_optional_fields_are_left_out_and_nulls_inside_entries_stay(self) -> None:
        path = [{**entry, "extra": None} for entry in shaped("u a u a")]
        event = SessionBeforeCompactEvent(
            preparation=PreparationPayload.of(prepared(path, 150)),
            branch_entries=path,
            custom_instructions="why",
            reason="manual",
            will_retry=False,
            signal=Signal(),
        )
        shown = event.as_json()
        assert shown["customInstructions"] == "why"
        assert "previousSummary" not in shown["preparation"]
        assert shown["branchEntries"][0]["extra"] is None

    @pytest.mark.spec("O-164")
    def test_directly_before_the_default_generator(self) -> None:
        event = SessionCompactingEvent(session_id="s", messages=({"role": "user"},))
        assert event.as_json() == {"sessionId": "s", "messages": ({"role": "user"},)}

    @pytest.mark.spec("O-168", "O-169", "O-170")
    def test_after_a_compaction(self) -> None:
        event = SessionCompactEvent(
            compaction_entry={"id": "c"}, from_extension=True, reason="manual", will_retry=False
        )
        assert event.as_json() == {
            "compactionEntry": {"id": "c"},
            "fromExtension": True,
            "reason": "manual",
            "willRetry": False,
        }

    def test_after_one_that_saved_nothing(self) -> None:
        shown = SessionCompactFailedEvent(reason="overflow", aborted=True).as_json()
        assert shown == {"reason": "overflow", "aborted": True, "willRetry": False, "fromExtension": False}

    @pytest.mark.spec("O-171", "P-169", "P-170", "P-171", "P-172", "P-173", "P-174", "P-179")
    def test_before_a_navigation(self) -> None:
        event = SessionBeforeTreeEvent(
            preparation=TreePreparation(
                target_id="t",
                old_leaf_id=None,
                common_ancestor_id=None,
                entries_to_summarize=({"id": "e"},),
                user_wants_summary=True,
                replace_instructions=False,
            ),
            signal=Signal(),
        )
        assert event.as_json() == {
            "preparation": {
                "targetId": "t",
                "oldLeafId": None,
                "commonAncestorId": None,
                "entriesToSummarize": ({"id": "e"},),
                "userWantsSummary": True,
                "replaceInstructions": False,
            }
        }

    @pytest.mark.spec("O-174", "O-175")
    def test_after_a_navigation(self) -> None:
        assert SessionTreeEvent(new_leaf_id=None, old_leaf_id="a").as_json() == {"newLeafId": None, "oldLeafId": "a"}
        written = SessionTreeEvent(new_leaf_id="b", old_leaf_id="a", summary_entry={"id": "b"}, from_extension=False)
        assert written.as_json()["summaryEntry"] == {"id": "b"}
        assert written.as_json()["fromExtension"] is False

    def test_an_event_does_not_change(self) -> None:
        event = SessionTreeEvent(new_leaf_id=None, old_leaf_id="a")
        with pytest.raises(ValidationError):
            event.old_leaf_id = "b"  # type: ignore[misc]

    def test_a_signal_must_be_one(self) -> None:
        preparation = TreePreparation(
            target_id="t", old_leaf_id=None, common_ancestor_id=None, entries_to_summarize=(), user_wants_summary=False
        )
        with pytest.raises(ValidationError):
            SessionBeforeTreeEvent(preparation=preparation, signal=object())  # type: ignore[arg-type]


class TestResults:
    @pytest.mark.spec("O-161", "O-162", "O-163", "P-138", "P-153", "P-154", "P-155", "P-156", "P-157", "P-158")
    def test_a_compaction_may_be_stopped_or_supplied(self) -> None:
        assert read_hook_result("session_before_compact", {"cancel": True}) == BeforeCompactResult(cancel=True)
        given = {**COMPACTION, "usage": {"input": 1}, "details": [1, None], "preserveData": {"a": 1}}
        result = read_hook_result("session_before_compact", {"compaction": given}, shaped("u a"))
        assert isinstance(result, BeforeCompactResult)
        assert result.compaction is not None
        assert result.compaction.as_json() == given

    @pytest.mark.parametrize(
        ("change", "place"),
        [
            ({"summary": ""}, "compaction.summary"),
            ({"summary": 5}, "compaction.summary"),
            ({"tokensBefore": "5"}, "compaction.tokensBefore"),
            ({"tokensBefore": True}, "compaction.tokensBefore"),
            ({"tokensBefore": -1}, "compaction.tokensBefore"),
            ({"preserveData": []}, "compaction.preserveData"),
            ({"usage": 5}, "compaction.usage"),
            ({"firstKeptEntryId": "9"}, "compaction.firstKeptEntryId"),
            ({"firstKeptEntryId": None}, "compaction.firstKeptEntryId"),
        ],
    )
    def test_an_invalid_compaction_says_where(self, change: dict[str, Any], place: str) -> None:
        with pytest.raises(InvalidHookResultError, match=place):
            read_hook_result("session_before_compact", {"compaction": {**COMPACTION, **change}}, shaped("u a"))

    def test_required_keys_are_required(self) -> None:
        for name in COMPACTION:
            given = {key: value for key, value in COMPACTION.items() if key != name}
            with pytest.raises(InvalidHookResultError, match=f"compaction.{name}"):
                read_hook_result("session_before_compact", {"compaction": given}, shaped("u a"))

    @pytest.mark.spec("O-165", "O-166", "O-167")
    def test_the_default_generator_may_be_customised(self) -> None:
        given = {"prompt": "P", "context": ["a", "b"], "preserveData": {"x": 1}}
        result = read_hook_result("session_compacting", given)
        assert result == CompactingResult(prompt="P", context=("a", "b"), preserve_data={"x": 1})
        for wrong in ({"prompt": 5}, {"context": "a"}, {"context": [1]}, {"preserveData": 5}):
            with pytest.raises(InvalidHookResultError):
                read_hook_result("session_compacting", wrong)

    @pytest.mark.spec("O-172", "O-173", "P-168", "P-175", "P-176", "P-177", "P-178")
    def test_a_navigation_may_be_stopped_summarised_or_changed(self) -> None:
        result = read_hook_result("session_before_tree", {"summary": {"summary": "S", "usage": {}, "details": 1}})
        assert isinstance(result, BeforeTreeResult)
        assert result.summary is not None
        assert result.summary.as_json() == {"summary": "S", "usage": {}, "details": 1}
        assert not result.cancel
        assert result.overrides == {}

    def test_an_empty_override_overrides(self) -> None:
        result = read_hook_result("session_before_tree", {"label": "", "customInstructions": None})
        assert isinstance(result, BeforeTreeResult)
        assert result.overrides == {"label": "", "custom_instructions": None}

    def test_a_result_may_come_as_its_type_and_with_our_names(self) -> None:
        result = BeforeTreeResult(replace_instructions=True)
        assert read_hook_result("session_before_tree", result) == result
        assert result.overrides == {"replace_instructions": True}
        assert read_hook_result("session_compacting", {"preserve_data": {"a": 1}}) == (
            CompactingResult(preserve_data={"a": 1})
        )

    def test_nothing_is_nothing(self) -> None:
        assert read_hook_result("session_before_compact", None) is None
        assert read_hook_result("session_compact", {"cancel": True}) is None
        assert read_hook_result("session_tree", 5) is None

    @pytest.mark.parametrize("wrong", [5, "x", [], {"cancel": 1}, {"cancel": "true"}])
    def test_anything_else_is_refused(self, wrong: Any) -> None:
        with pytest.raises(InvalidHookResultError):
            read_hook_result("session_before_compact", wrong)

    @given(json_values)
    def test_any_json_is_a_result_or_refused(self, value: Any) -> None:
        for hook in ("session_before_compact", "session_compacting", "session_before_tree"):
            with suppress(InvalidHookResultError):
                read_hook_result(hook, value)


class TestDispatch:
    def test_the_last_result_counts(self) -> None:
        first, last = CompactingResult(prompt="1"), CompactingResult(prompt="2")
        assert winning_result([first, None, last, None]) is last
        assert winning_result([None]) is None
        assert winning_result([]) is None

    def test_a_cancelling_result_stops_the_dispatch(self) -> None:
        called: list[int] = []

        def handlers() -> Iterator[BeforeCompactResult | None]:
            for number, result in enumerate([None, BeforeCompactResult(cancel=True), BeforeCompactResult()]):
                called.append(number)
                yield result

        winner = winning_result(handlers())
        assert winner is not None
        assert winner.cancel
        assert called == [0, 1]
