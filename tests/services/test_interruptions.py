"""What is worked out from a long path looks now and then whether to stop, wherever it is."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from model.branch_comparison import branch_figures
from model.branch_summaries import branch_summary_request, prepare_branch_entries
from model.compaction import CompactionPreparation, prepare_compaction
from model.context import path_context
from model.context_listing import list_context
from model.cut_preview import CutPreview
from model.interruptions import LOOKS_EVERY, interruptible, interruptibly
from model.json_text import JsonObject
from model.offline_digest import history_digest
from model.pruning import editable_path, prune_tool_outputs
from model.rules import OMP_13_19, PI_1_6
from model.settings import PruningSettings
from model.token_estimates import context_figures
from services.cancellation import CancellationToken, OperationCancelled, run_until_cancelled
from services.compaction import compaction_prompts
from services.compaction_forecast import forecast
from services.prompt_texts import context_templates, prompt_texts
from services.session_store import SessionStore
from services.summarizers.digest_passes import evidence_of
from tests.model.shaped_paths import compaction_settings, prepared, shaped
from tests.services.sessions import message, open_session, write_session

HEADER = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/w"}
TURNS = 1200
FAR = 5 * TURNS  # calls of functions: once for each entry of the path below

PATH = shaped("u(10) a(10) t(10) w(10) t(10) " * TURNS)
COMPACTED = PATH + shaped("u(10) a(10) C(5000) u(10) a(10)")


def listed(path: list[JsonObject]) -> object:
    return list_context(path, path_context(path).projection, context_templates())


def figures(path: list[JsonObject]) -> object:
    return context_figures(path, path_context(path).projection)


def cut(path: list[JsonObject]) -> CompactionPreparation:
    return prepared(path, 1000)


WORK: dict[str, Callable[[list[JsonObject]], object]] = {
    "listing": listed,
    "figures": figures,
    "preparation": lambda path: prepare_compaction(path, compaction_settings()),
    "preparation of Pi": lambda path: prepare_compaction(path, compaction_settings(), PI_1_6),
    "preparation of OMP": lambda path: prepare_compaction(path, compaction_settings("omp"), OMP_13_19),
    "cuts": lambda path: CutPreview.of(path, compaction_settings()),
    "prompts": lambda path: compaction_prompts(cut(path)),
    "forecast": lambda path: forecast(cut(path), path, "pi"),
    "digest": lambda path: history_digest(evidence_of(cut(path).summarize)),
    "branch": lambda path: branch_summary_request(prepare_branch_entries(path), prompt_texts(), 1000),
    "comparison": branch_figures,
    "pruning": lambda path: prune_tool_outputs(editable_path(path), 0, PruningSettings(protect_tokens=0)),
}


def chain(folder: Path, count: int) -> Path:
    """A session of messages m0, m1, …, each behind the one before."""
    parents = [None, *(f"m{number}" for number in range(count - 1))]
    records = [message(f"m{number}", parent, "user", "a" * 400) for number, parent in enumerate(parents)]
    return write_session(folder / "chain.jsonl", [HEADER, *records])


def longest_stretch(work: Callable[[], object]) -> int:
    """How many calls of functions there are at most between two looks."""
    longest = count = 0

    def counted(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    def look() -> None:
        nonlocal longest, count
        longest, count = max(longest, count), 0

    with interruptible(look):
        sys.setprofile(counted)
        try:
            work()
        finally:
            sys.setprofile(None)
    look()
    return longest


@pytest.mark.parametrize("path", [PATH, COMPACTED], ids=["from the root", "compacted"])
@pytest.mark.parametrize("name", WORK)
def test_no_stretch_of_work_goes_through_a_whole_path_without_a_look(name: str, path: list[JsonObject]) -> None:
    assert longest_stretch(lambda: WORK[name](path)) < FAR


def test_it_looks_before_the_first_item_and_then_once_in_so_many() -> None:
    looks: list[int] = []
    items = list(range(2 * LOOKS_EVERY + 1))
    done = 0
    with interruptible(lambda: looks.append(done)):
        for done in interruptibly(items):  # noqa: B007
            pass
        assert looks == [0, LOOKS_EVERY - 1, 2 * LOOKS_EVERY - 1]
        assert list(interruptibly(items)) == items
        assert list(interruptibly("abc", each=1)) == ["a", "b", "c"]
        assert len(looks) == 9
    assert list(interruptibly("abc", each=1)) == ["a", "b", "c"]
    assert len(looks) == 9, "nobody asks any more"


def test_what_is_computed_inside_looks_for_the_innermost() -> None:
    looks: list[str] = []
    with interruptible(lambda: looks.append("outer")):
        with interruptible(lambda: looks.append("inner")):
            list(interruptibly("a"))
        list(interruptibly("a"))
    assert looks == ["inner", "outer"]


def test_work_on_a_worker_stops_in_the_middle_of_a_path(tmp_path: Path) -> None:
    """Neither reading entries nor preparing a compaction is told of a token: they are called where it is known."""
    store = SessionStore.open(chain(tmp_path, 900))
    token = CancellationToken()

    async def prepare() -> None:
        entries = await asyncio.to_thread(store.entries, range(900))
        token.cancel()
        prepare_compaction(entries, compaction_settings())
        pytest.fail("it went on to its end")

    with pytest.raises(OperationCancelled):
        asyncio.run(run_until_cancelled(token, prepare()))
    store.close()


def test_reading_entries_stops_between_two_of_them(tmp_path: Path) -> None:
    store = SessionStore.open(chain(tmp_path, 9))
    looks: list[None] = []

    def stop_at_the_fourth() -> None:
        looks.append(None)
        if len(looks) == 4:
            raise OperationCancelled

    with interruptible(stop_at_the_fourth), pytest.raises(OperationCancelled):
        store.entries(range(9))
    assert len(looks) == 4
    store.close()


def test_a_session_at_work_stops_for_the_token_of_its_operation(tmp_path: Path) -> None:
    session = open_session(chain(tmp_path, 9))
    token = CancellationToken()
    with session.operation(token):
        assert len(session.snapshot().path("m8")) == 9
        token.cancel()
        with pytest.raises(OperationCancelled):
            session.snapshot().path("m8")
    assert len(session.snapshot().path("m8")) == 9
    session.store.close()
