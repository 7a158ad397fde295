import copy
import itertools
from typing import Any

import pytest
from hypothesis import given

from model.entries import (
    entry_id,
    entry_type,
    fresh_entry_id,
    from_extension,
    message_of,
    new_bookkeeping_entry,
    new_branch_summary_entry,
    new_compaction_entry,
    new_context_edit_entry,
    new_custom_entry,
    new_custom_message_entry,
    new_label_entry,
    new_message_entry,
    new_model_change_entry,
    new_session_info_entry,
    new_thinking_level_change_entry,
    new_usage_entry,
    one_line,
    parent_id,
)
from model.json_text import JsonObject, stringify
from model.rules import OMP_13_19, PI_1_6
from tests.model.strategies import json_values

PI: Any = ("i", "p", "T", "pi")
OMP: Any = ("i", "p", "T", "omp")
BASE = '"id":"i","parentId":"p","timestamp":"T"'


class TestReading:
    @pytest.mark.spec("SF-3", "SF-9.6", "SF-9.7", "P-064", "P-065", "P-102", "P-103")
    @pytest.mark.parametrize(("value", "id"), [("x", "x"), ("", None), (5, None), (None, None)])
    def test_ids_are_text_that_is_not_empty(self, value: Any, id: str | None) -> None:
        assert entry_id({"id": value}) == id
        assert parent_id({"parentId": value}) == id
        assert entry_id({}) is None
        assert parent_id({}) is None

    @pytest.mark.spec("SF-4.2", "SF-4.3", "O-025", "O-031", "O-122", "P-071", "P-108")
    def test_both_marks_of_an_extension_are_understood(self) -> None:
        assert from_extension({"fromHook": True})
        assert from_extension({"fromExtension": True})
        for entry in ({}, {"fromHook": False}, {"fromExtension": "true"}, {"fromHook": 1}):
            assert not from_extension(entry)

    @given(json_values)
    @pytest.mark.spec("SF-9.5")
    def test_any_json_can_be_read_as_an_entry(self, value: Any) -> None:
        assert entry_type(value) is None or isinstance(entry_type(value), str)
        assert entry_id(value) is None or entry_id(value)
        assert parent_id(value) is None or parent_id(value)
        assert message_of(value) is None

    @pytest.mark.spec("SF-4.1")
    def test_the_message_of_a_message_entry(self) -> None:
        assert message_of({"type": "message", "message": {"role": "user"}}) == {"role": "user"}
        assert message_of({"type": "message", "message": [1]}) is None
        assert message_of({"type": "custom", "message": {"role": "user"}}) is None


class TestIds:
    @pytest.mark.spec("SF-3")
    def test_ids_have_eight_digits_and_are_new(self) -> None:
        uuids = iter(["aaaaaaaa-1", "aaaaaaaa-2", "bbbbbbbb-3"])
        assert fresh_entry_id({"aaaaaaaa"}, lambda: next(uuids)) == "bbbbbbbb"
        assert next(uuids, None) is None

    @pytest.mark.spec("SF-3")
    def test_after_many_collisions_an_id_is_a_whole_uuid(self) -> None:
        calls = itertools.count()
        assert fresh_entry_id({"same0000"}, lambda: f"same0000-{next(calls)}") == "same0000-100"


def line(entry: JsonObject) -> str:
    return stringify(entry)


class TestBuilders:
    @pytest.mark.spec("SF-4.1", "SF-11.2")
    def test_message(self) -> None:
        message = {"role": "user", "content": "x", "timestamp": 1}
        written = line(new_message_entry(*PI, message))
        assert written == f'{{"type":"message",{BASE},"message":{{"role":"user","content":"x","timestamp":1}}}}'
        assert line(new_message_entry("i", None, "T", "pi", message)).startswith(
            '{"type":"message","id":"i","parentId":null,'
        )

    @pytest.mark.spec("SF-11.2")
    def test_omp_does_not_write_what_only_streaming_needs(self) -> None:
        call = {"type": "toolCall", "id": "t", "arguments": {"partialJson": 1}, "partialJson": "{"}
        message = {
            "role": "assistant",
            "content": [call, [{"partialJson": 1, "x": []}]],
            "details": {"jsonlEvents": [1], "k": 2},
        }
        before = copy.deepcopy(message)
        kept = {"type": "toolCall", "id": "t", "arguments": {}}
        expected = {"role": "assistant", "content": [kept, [{"x": []}]], "details": {"k": 2}}
        assert new_message_entry(*OMP, message, rules=OMP_13_19)["message"] == expected
        assert new_message_entry(*OMP, message)["message"] is message
        assert message == before

    @pytest.mark.spec(
        "SF-4.2", "CP-19", "O-017", "O-018", "O-019", "O-020", "O-021", "O-022", "O-023", "O-024", "O-025"
    )
    @pytest.mark.spec("P-063", "P-067", "P-068", "P-069", "P-070", "P-072")
    def test_compaction(self) -> None:
        common: Any = {"summary": "s", "first_kept_entry_id": "k", "tokens_before": 9}
        everything: Any = {
            **common,
            "short_summary": "ss",
            "details": {"readFiles": []},
            "usage": {"input": 1},
            "from_extension": True,
            "preserve_data": {"k": 1},
            "system_message": {"role": "system"},
        }
        assert line(new_compaction_entry(*PI, **common)) == (
            f'{{"type":"compaction",{BASE},"summary":"s","firstKeptEntryId":"k","tokensBefore":9}}'
        )
        assert line(new_compaction_entry(*PI, **everything)) == (
            f'{{"type":"compaction",{BASE},"summary":"s","firstKeptEntryId":"k","tokensBefore":9,'
            '"details":{"readFiles":[]},"usage":{"input":1},"fromHook":true,"systemMessage":{"role":"system"}}'
        )
        assert line(new_compaction_entry(*OMP, **everything)) == (
            f'{{"type":"compaction",{BASE},"summary":"s","shortSummary":"ss","firstKeptEntryId":"k","tokensBefore":9,'
            '"details":{"readFiles":[]},"fromExtension":true,"preserveData":{"k":1}}'
        )
        assert new_compaction_entry(*PI, **{**common, "first_kept_entry_id": None})["firstKeptEntryId"] == "i"

    @pytest.mark.spec("SF-4.3", "TN-8", "O-026", "O-027", "O-028", "O-029", "O-030", "O-031")
    @pytest.mark.spec("P-101", "P-105", "P-106", "P-107", "P-109")
    def test_branch_summary(self) -> None:
        everything: Any = {
            "from_id": "l",
            "summary": "s",
            "details": [1],
            "usage": {"input": 1},
            "from_extension": True,
        }
        assert line(new_branch_summary_entry(*PI, from_id=None, summary="s")) == (
            f'{{"type":"branch_summary",{BASE},"fromId":"root","summary":"s"}}'
        )
        assert line(new_branch_summary_entry(*PI, **everything)) == (
            f'{{"type":"branch_summary",{BASE},"fromId":"l","summary":"s","details":[1],"usage":{{"input":1}},"fromHook":true}}'
        )
        assert line(new_branch_summary_entry(*OMP, **everything)) == (
            f'{{"type":"branch_summary",{BASE},"fromId":"l","summary":"s","details":[1],"fromExtension":true}}'
        )

    @pytest.mark.spec("TN-8", "CP-19")
    @pytest.mark.parametrize("mark", [None, False])
    def test_the_extension_mark_is_written_only_when_true(self, mark: bool | None) -> None:
        entry = new_branch_summary_entry(*PI, from_id="l", summary="s", details=None, from_extension=mark)
        assert "fromHook" not in entry
        assert "details" not in entry
        as_pi = new_branch_summary_entry(*PI, from_id="l", summary="s", details=None, from_extension=mark, rules=PI_1_6)
        assert as_pi.get("fromHook", None) is mark
        assert as_pi["details"] is None
        assert "details" not in new_branch_summary_entry(*PI, from_id="l", summary="s", rules=PI_1_6)

    @pytest.mark.spec("SF-4.4", "SF-11.2")
    def test_custom_message(self) -> None:
        given: Any = {"custom_type": "n", "content": "x", "display": False}
        fields = '"customType":"n","content":"x","display":false'
        assert line(new_custom_message_entry(*PI, **given)) == f'{{"type":"custom_message",{BASE},{fields}}}'
        assert line(new_custom_message_entry(*OMP, **given, details=1)) == (
            f'{{"type":"custom_message",{BASE},{fields},"details":1,"attribution":"agent"}}'
        )
        assert new_custom_message_entry(*OMP, **given, attribution="user")["attribution"] == "user"
        as_pi = line(new_custom_message_entry(*PI, **given, rules=PI_1_6))
        assert as_pi == f'{{"type":"custom_message",{fields},{BASE}}}'

    @pytest.mark.spec("SF-4.5", "TN-11")
    def test_custom(self) -> None:
        assert line(new_custom_entry(*PI, custom_type="branchwork.resume-point", data={})) == (
            f'{{"type":"custom",{BASE},"customType":"branchwork.resume-point","data":{{}}}}'
        )
        assert "data" not in new_custom_entry(*PI, custom_type="n")
        as_pi = line(new_custom_entry(*PI, custom_type="n", data=1, rules=PI_1_6))
        assert as_pi == f'{{"type":"custom","customType":"n","data":1,{BASE}}}'

    @pytest.mark.spec("SF-4.9")
    def test_label(self) -> None:
        assert (
            line(new_label_entry(*PI, target_id="t", label="x"))
            == f'{{"type":"label",{BASE},"targetId":"t","label":"x"}}'
        )
        assert (
            line(new_label_entry(*PI, target_id="t", label=""))
            == f'{{"type":"label",{BASE},"targetId":"t","label":""}}'
        )
        assert line(new_label_entry(*PI, target_id="t", label=None)) == f'{{"type":"label",{BASE},"targetId":"t"}}'

    @pytest.mark.spec("SF-4.10")
    def test_session_info(self) -> None:
        assert line(new_session_info_entry(*PI, name=" a\r\n\nb\t")) == f'{{"type":"session_info",{BASE},"name":"a b"}}'
        assert one_line("\n") == ""

    @pytest.mark.spec("SF-4.11")
    def test_context_edit(self) -> None:
        assert line(new_context_edit_entry(*PI, target_id="t", replacement=None)) == (
            f'{{"type":"context_edit",{BASE},"targetId":"t","replacement":null}}'
        )

    @pytest.mark.spec("SF-4.6", "SF-4.7")
    def test_settings(self) -> None:
        pi = new_model_change_entry(*PI, model="acme/a/b", role="smol")
        assert line(pi) == f'{{"type":"model_change",{BASE},"provider":"acme","modelId":"a/b"}}'
        omp = new_model_change_entry(*OMP, model="acme/a/b", role="smol")
        assert line(omp) == f'{{"type":"model_change",{BASE},"model":"acme/a/b","role":"smol"}}'
        assert "role" not in new_model_change_entry(*OMP, model="acme/a")
        levels = [new_thinking_level_change_entry(*base, thinking_level=None)["thinkingLevel"] for base in (PI, OMP)]
        assert levels == ["off", None]
        assert new_thinking_level_change_entry(*PI, thinking_level="high")["thinkingLevel"] == "high"

    @pytest.mark.spec("SF-4.8", "SF-4.12")
    def test_bookkeeping(self) -> None:
        usage = new_usage_entry(*PI, kind="k", provider="p", model="m", usage={}, note="n")
        assert line(usage) == f'{{"type":"usage",{BASE},"kind":"k","provider":"p","model":"m","usage":{{}},"note":"n"}}'
        assert "note" not in new_usage_entry(*PI, kind="k", provider="p", model="m", usage={}, note="")
        tier = new_bookkeeping_entry(*OMP, type="service_tier_change", fields={"serviceTier": None})
        assert line(tier) == f'{{"type":"service_tier_change",{BASE},"serviceTier":null}}'
