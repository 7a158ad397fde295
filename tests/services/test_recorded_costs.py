"""The column of recorded costs equals what the rule says of each decoded entry, in any file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from model.branch_sums import BranchSums
from model.entry_costs import entry_cost
from model.errors import NotASessionError
from model.json_text import JsonObject
from model.outline import Outline
from model.runs import Runs
from model.session_graph import SessionGraph
from model.session_totals import session_totals
from services import recorded_costs as costs_module
from services.cancellation import CancellationToken
from services.recorded_costs import NO_COSTS, RecordedCosts, recorded_costs
from services.session_store import SessionStore
from tests.services.sessions import message, write_session
from tests.services.test_session_search import CORPUS, HEADER


@pytest.mark.spec("SF-12")
@pytest.mark.parametrize("name", sorted(CORPUS))
def test_the_column_is_what_the_rule_says(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(costs_module, "BLOCK_BYTES", 700)
    path = tmp_path / "any.jsonl"
    path.write_bytes(CORPUS[name])
    try:
        store = SessionStore.open(path)
    except NotASessionError:
        return
    index = store.index
    costs = recorded_costs(store, index, NO_COSTS, CancellationToken())
    assert costs.costs.tolist() == [entry_cost(store.entry(row)) or 0.0 for row in range(index.count)]
    counted = costs.counted()
    assert counted.sum() == pytest.approx(session_totals(map(store.entry, range(index.count))).cost)
    half = index.count // 2
    known = RecordedCosts(costs.costs[:half], costs.replies[:half])
    assert recorded_costs(store, index, known, CancellationToken()).counted().tolist() == counted.tolist()
    graph = SessionGraph(Runs(index.parent), index.time_ms, index.estimate)
    sums = BranchSums(graph, counted)
    outline = Outline(graph, index.count - 1, np.ones(index.count, np.bool_), "fixed")
    for head, start in outline.branch_starts.items():
        below = [row for row in range(index.count) if graph.runs.is_ancestor(head, row)]
        assert sums.of(start) == pytest.approx(counted[below].sum())
    store.close()


def test_odd_records_cost_what_they_say_or_nothing(tmp_path: Path) -> None:
    def answer(id: str, parent: str | None, usage: object) -> dict[str, object]:
        return message(id, parent, "assistant", 'says "cost" itself', usage=usage)

    path = write_session(
        tmp_path / "odd.jsonl",
        [
            HEADER,
            answer("a", None, {"cost": {"total": 1.5}}),
            answer("b", "a", {"cost": {"total": "7"}}),
            answer("c", "b", {"cost": [1]}),
            answer("d", "c", [{"cost": {"total": 3}}]),
            answer("e", "d", {"cost": {"total": 10**400}}),
            message("f", "e", "user", "x", usage={"cost": {"total": 9}}),
            message("g", "f", "toolResult", "x", toolName="task", details={"usage": {"cost": {"total": 2}}}),
            {"type": "custom", "id": "h", "parentId": "g", "usage": {"cost": {"total": 5}}, "timestamp": "x"},
            {"type": "usage", "id": "i", "parentId": "h", "usage": {"cost": {"total": 0.25}}, "timestamp": "x"},
        ],
    )
    store = SessionStore.open(path)
    costs = recorded_costs(store, store.index, NO_COSTS, CancellationToken())
    assert costs.counted().tolist() == [1.5, 0, 0, 0, 0, 0, 2, 0, 0.25]
    assert entry_cost(store.entry(2)) is None
    store.close()


@pytest.mark.spec("SF-12")
def test_a_reply_in_several_records_counts_at_the_first_of_them(tmp_path: Path) -> None:
    """Field report K08."""

    def record(id: str, parent: str, cost: float, reply: dict[str, object]) -> JsonObject:
        counters = {"input": 5, "cacheRead": 70, "cacheWrite": 0, "output": 1, "totalTokens": 76}
        entry = message(id, parent, "assistant", id, usage={**counters, "cost": {"total": cost}})
        entry["message"] |= {"provider": "acme", "model": "m", **reply}
        return entry

    path = write_session(
        tmp_path / "imported.jsonl",
        [
            HEADER,
            message("a", None, "user", "go"),
            record("b", "a", 0.25, {"responseId": "msg_1"}),
            message("c", "b", "toolResult", "done"),
            record("d", "b", 0.5, {"responseId": "msg_1"}),  # written when more of it had come in
            record("e", "d", 0.5, {"id": "msg_1"}),
            record("f", "e", 0.5, {"responseId": "msg_2"}),
            record("g", "f", 0.5, {}),
            record("h", "g", 0.5, {}),
        ],
    )
    store = SessionStore.open(path)
    costs = recorded_costs(store, store.index, NO_COSTS, CancellationToken())
    assert costs.costs.tolist() == [0, 0.25, 0, 0.5, 0.5, 0.5, 0.5, 0.5]
    assert costs.counted().tolist() == [0, 0.5, 0, 0, 0, 0.5, 0.5, 0.5]
    assert costs.counted().sum() == session_totals(map(store.entry, range(store.index.count))).cost
    first = RecordedCosts(costs.costs[:2], costs.replies[:2])
    grown = recorded_costs(store, store.index, first, CancellationToken())
    assert grown.counted().tolist() == costs.counted().tolist()
    store.close()
