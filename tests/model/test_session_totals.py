"""What a session cost altogether, and adding usage records up (SF-12, SF-5.3)."""

from typing import Any

import pytest
from hypothesis import given

from model.json_text import JsonObject
from model.rules import PI_1_6
from model.session_totals import SessionTotals, UsageTally, entry_totals, session_totals
from model.usage import add_usages, is_finite, usage_number
from tests.model.session_builders import Chain, tool_call, usage
from tests.model.strategies import json_values, messy_sessions


def priced(tokens: int, cost: float) -> JsonObject:
    record = usage(tokens, 10)
    return {**record, "cost": {**record["cost"], "total": cost}}


class TestTotals:
    @pytest.mark.spec("P-078", "P-079", "P-157", "P-177")
    def test_everything_counts_abandoned_branches_and_summaries_included(self) -> None:
        chain = Chain()
        chain.user()
        chain.assistant(usage=priced(100, 1))
        chain.assistant(usage=priced(100, 1), parent="e1", stopReason="aborted")
        chain.tool_result(usage=priced(50, 2))
        chain.message("toolResult", toolName="task", details={"usage": priced(30, 4)})
        chain.add("usage", kind="cache_warm", usage=priced(20, 8))
        chain.add("model_usage", purpose="title", usage=priced(20, 16))
        chain.compaction("e1", usage=priced(40, 32), fromHook=True)
        chain.add("branch_summary", summary="s", usage=priced(40, 64))
        totals = session_totals(chain.entries)
        assert totals == SessionTotals(input=320, output=80, tokens=400, cost=128, records=8)

    def test_other_usage_does_not(self) -> None:
        chain = Chain()
        chain.user(usage=priced(100, 1))
        chain.message("toolResult", toolName="bash", details={"usage": priced(30, 4)})
        chain.add("custom", usage=priced(100, 1))
        chain.message("toolResult", toolName="task", details=[1])
        assert session_totals(chain.entries) == SessionTotals()

    def test_without_a_total_the_counters_are_added(self) -> None:
        counters = {"input": 1, "output": 2, "cacheRead": 4, "cacheWrite": 8}
        totals = session_totals([{"type": "usage", "usage": counters}])
        assert totals == SessionTotals(1, 2, 4, 8, 15, 0, 1)

    @given(messy_sessions)
    def test_any_json_has_totals(self, entries: list[JsonObject]) -> None:
        assert session_totals(entries).records >= 0


@pytest.mark.spec("SF-12")
class TestReplies:
    """Field report K08: one reply that is stored as several records."""

    def chain(self, **reply: Any) -> Chain:
        """A question, and its answer in two records around a tool result."""
        chain = Chain()
        chain.user()
        chain.assistant("I look", usage=priced(100, 1), **reply)
        chain.assistant([tool_call("t1")], usage=priced(100, 1), **reply)
        chain.tool_result()
        chain.assistant([tool_call("t2")], usage=priced(100, 1), **reply)
        return chain

    @pytest.mark.parametrize("name", ["responseId", "id"])
    def test_it_counts_once(self, name: str) -> None:
        chain = self.chain(responseId="msg_01")
        for entry in chain.entries:
            if "responseId" in entry["message"]:
                entry["message"][name] = entry["message"].pop("responseId")
        assert session_totals(chain.entries) == SessionTotals(input=90, output=10, tokens=100, cost=1, records=1)
        assert [entry_totals(entry).cost for entry in chain.entries] == [0, 1, 1, 0, 1]

    def test_the_largest_counts_when_earlier_records_were_written_too_soon(self) -> None:
        chain = self.chain(responseId="msg_01")
        final = {**priced(100, 3), "output": 200, "totalTokens": 290}
        chain.assistant("Done", usage=final, responseId="msg_01")
        chain.assistant("Done", usage=priced(100, 1), responseId="msg_01")
        assert session_totals(chain.entries) == SessionTotals(input=90, output=200, tokens=290, cost=3, records=1)

    def test_a_copy_on_another_branch_counts_once(self) -> None:
        chain = self.chain(responseId="msg_01")
        chain.assistant("I look", parent="e1", usage=priced(100, 1), responseId="msg_01")
        assert session_totals(chain.entries).records == 1

    @pytest.mark.parametrize("reply", [{}, {"responseId": ""}, {"responseId": 5}, {"responseId": None}])
    def test_equal_numbers_alone_say_nothing(self, reply: JsonObject) -> None:
        assert session_totals(self.chain(**reply).entries).records == 3

    def test_an_id_alone_says_nothing(self) -> None:
        """Some local servers number their replies by chance, up to a thousand."""
        chain = self.chain(responseId="chatcmpl-7")
        chain.assistant(usage=priced(5000, 2), responseId="chatcmpl-7")
        chain.message("assistant", provider="other", model="m", usage=priced(100, 1), responseId="chatcmpl-7")
        assert session_totals(chain.entries) == SessionTotals(
            input=90 + 4990 + 90, output=30, tokens=5200, cost=4, records=3
        )

    def test_only_answers_are_replies(self) -> None:
        chain = Chain()
        for _ in range(2):
            chain.tool_result(usage=priced(50, 2), responseId="msg_01")
            chain.add("usage", usage=priced(20, 8), responseId="msg_01")
        assert session_totals(chain.entries).records == 4

    def test_one_that_counts_elsewhere_is_left_out(self) -> None:
        entries = self.chain(responseId="msg_01").entries
        tally = UsageTally()
        tally.leave_out(entries[1])
        tally.leave_out(entries[0])
        for entry in [*entries[2:], *self.chain(responseId="msg_02").entries]:
            tally.add(entry)
        assert tally.totals.records == 1


class TestUsage:
    @pytest.mark.parametrize("value", [None, "5", True, [], float("nan"), float("inf"), 10**400])
    def test_what_is_no_number_reads_as_zero(self, value: Any) -> None:
        assert usage_number({"input": value}, "input") == 0

    def test_numbers_are_read(self) -> None:
        assert usage_number({"input": 5}, "input") == 5
        assert usage_number({"input": -0.5}, "input") == -0.5
        assert usage_number({}, "input") == usage_number(None, "input") == usage_number([1], "input") == 0
        assert is_finite(10**300)
        assert not is_finite(10**400)

    def test_one_record_is_returned_as_it_is(self) -> None:
        record = {"anything": 1}
        assert add_usages([None, record]) is record
        assert add_usages([]) is None
        assert add_usages([None]) is None

    def test_records_are_added(self) -> None:
        total = add_usages([priced(100, 0.5), priced(50, 0.25), {"reasoning": 7, "cost": 5}])
        assert total == {
            "input": 130,
            "output": 20,
            "cacheRead": 0,
            "cacheWrite": 0,
            "totalTokens": 150,
            "reasoning": 7,
            "cost": {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0, "total": 0.75},
        }

    def test_pi_notes_whether_every_price_is_the_providers(self) -> None:
        named, computed = {"cost": {"totalFromProvider": True}}, {"cost": {}}
        assert (add_usages([named, named], PI_1_6) or {})["cost"]["totalFromProvider"] is True
        assert (add_usages([named, computed], PI_1_6) or {})["cost"]["totalFromProvider"] is False
        assert (add_usages([named, {"cost": 5}], PI_1_6) or {})["cost"]["totalFromProvider"] is False
        assert "totalFromProvider" not in (add_usages([named, named]) or {})["cost"]

    @given(json_values, json_values)
    def test_any_json_is_added(self, first: Any, second: Any) -> None:
        total = add_usages([{"input": 1, "cost": first, "output": second}, {"input": 2, "cost": second}])
        assert total is not None
        assert total["input"] == 3
