"""Field reports about large sessions and files that change outside, in the window. Counted, not timed."""

from __future__ import annotations

import cProfile
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from services import session_store
from tests.gui.conftest import click_entry, open_session, settle
from tests.gui.test_document import appended
from tests.services.sessions import figure, message, write_session

Sample = Callable[[str], Path]


def calls_of(act: Callable[[], object]) -> int:
    """Return how many functions are called by an act."""
    profile = cProfile.Profile()
    profile.runcall(act)
    return sum(entry.callcount for entry in profile.getstats())


def test_x03_what_is_written_elsewhere_shows_up(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """Field report X03: appended from outside, again and again."""
    path = write_session(tmp_path / "s.jsonl", figure())
    pane = open_session(window, path, qtbot)
    resets: list[bool] = []
    pane.document.model.modelReset.connect(lambda: resets.append(True))
    parent = "d0000000"
    for number in range(3):
        new = f"{number:08x}"
        appended(path, parent, new, f"line {number}")
        qtbot.waitUntil(
            lambda new=new: pane.document.index is not None and pane.document.index.row_of(new) is not None,  # type: ignore[misc]
            timeout=20_000,
        )
        settle(pane, qtbot)
        index = pane.document.index
        assert index is not None
        assert pane.document.model.index_of(index.row_of(new)).isValid()  # type: ignore[arg-type]
        parent = new
    assert resets == [], "no flicker"


def test_x08_a_session_that_is_opened_again_is_read_again(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """Field report X08."""
    path = write_session(tmp_path / "s.jsonl", figure())
    open_session(window, path, qtbot)
    window.close_session()
    records = figure()
    records[-1] = message("d0000000", "e0000000", "assistant", "elsewhere now", stopReason="stop")
    write_session(path, records)
    pane = open_session(window, path, qtbot)
    index = pane.document.index
    assert index is not None
    row = index.row_of("d0000000")
    assert row is not None
    assert index.named_parent(row) == "e0000000"
    assert pane.document.model.content(pane.document.model.index_of(row)).preview.text == "elsewhere now"  # type: ignore[union-attr]


def comb(path: Path, teeth: int) -> Path:
    """A trunk off which a branch of two goes at every entry."""
    records = [figure()[0]]
    parent = None
    for number in range(teeth):
        id = f"{number:08x}"
        records.append(message(id, parent, "user", f"trunk {number}"))
        records.append(message(f"a{number:07x}", id, "user", f"side {number}"))
        records.append(message(f"b{number:07x}", f"a{number:07x}", "user", f"end {number}"))
        parent = id
    records.append(message("ffffffff", parent, "user", "the end"))
    return write_session(path, records)


def test_p10_unfolding_all_branches_is_linear(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """Field report P10."""

    def unfolding(teeth: int) -> int:
        pane = open_session(window, comb(tmp_path / f"{teeth}.jsonl", teeth), qtbot)
        outline = pane.document.outline
        assert outline is not None
        heads = set(map(int, outline.hides))
        assert len(heads) == teeth
        return calls_of(lambda: pane.tree.restore_folds(heads, set()))

    small = unfolding(100)
    assert unfolding(600) < small * 9


def test_p12_large_entries_are_not_decoded_at_every_paint(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Field report P12: results of 877 KB. Their full text is read by workers; what a row shows is kept."""
    result = {"toolCallId": "c", "toolName": "bash", "isError": False}
    texts = [f"line {number}\n" * 110_000 for number in range(6)]
    big = [message(f"{n:08x}", "d0000000", "toolResult", text, **result) for n, text in enumerate(texts)]
    path = write_session(tmp_path / "s.jsonl", [*figure(), *big])
    main = threading.get_ident()
    decoded: Counter[int] = Counter()

    def noting(line: bytes, *more: Any) -> Any:
        if threading.get_ident() == main and len(line) > 100_000:
            decoded[hash(line)] += 1
        return find_record(line, *more)

    find_record = session_store.find_record
    monkeypatch.setattr(session_store, "find_record", noting)
    pane = open_session(window, path, qtbot)
    for _ in range(3):
        click_entry(pane, "00000003", qtbot)
        settle(pane, qtbot)
        window.grab()
        click_entry(pane, "00000001", qtbot)
        settle(pane, qtbot)
        window.grab()
    assert len(decoded) == 6
    assert max(decoded.values()) <= 3, "of six visits and as many pictures"
