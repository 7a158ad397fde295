"""Field reports about large sessions and files that change outside, in the window. Counted, not timed."""

from __future__ import annotations

import cProfile
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from gui import library_arranger
from gui.library_arranger import LibraryArranger
from gui.library_pane import LibraryPane
from gui.library_rows import RowKind
from gui.main_window import MainWindow
from services import session_store
from services.library.sessions import Facts, LibrarySession, Stage, Stamp
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

    small = unfolding(300)
    assert unfolding(1200) < small * 6  # the first ones were filled in already


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


def library_of(count: int, qtbot: QtBot) -> LibraryPane:
    """A library with so many sessions in a hundred directories, ready for what is typed."""
    pane = LibraryPane()
    qtbot.addWidget(pane)
    pane.control.search = lambda _typed: None  # type: ignore[method-assign]  # what is found comes at any time
    pane.resize(300, 800)
    pane.show()
    for number in range(count):
        said = f"Please fix bug {number} in the {'even' if number // 100 % 2 else 'odd'} module"
        facts = Facts(str(number), f"/work/project {number % 100}", first_message=said, active_ms=number)
        path = Path(f"/s/{number}.jsonl")
        pane.control.sessions[path] = LibrarySession(path, Stamp("", 1, 1), Stage.READ, facts, text_id=number)
    pane.control.changed.emit()
    qtbot.waitUntil(lambda: pane.model.rowCount() == 100, timeout=20_000)
    qtbot.keyClick(pane.field, "!")  # what nobody said is looked for in all of them
    assert pane.model.rowCount() == 0
    qtbot.keyClick(pane.field, Qt.Key.Key_Backspace)
    assert pane.model.rowCount() == 100
    return pane


def test_p09_typing_in_the_filter_asks_nothing_of_each_session(qtbot: QtBot) -> None:
    """Field report P09: 50 000 sessions. What a key costs depends on the rows that are shown."""

    def typing(count: int) -> int:
        pane = library_of(count, qtbot)
        keys = [*"even", *[Qt.Key.Key_Backspace] * 4]
        calls = [calls_of(lambda key=key: qtbot.keyClick(pane.field, key)) for key in keys]  # type: ignore[misc]
        assert pane.model.rowCount() == 100
        pane.close_library()
        return max(calls)

    assert typing(50_000) < typing(6_000) * 1.5


def test_p09_typing_in_the_search_asks_nothing_of_each_entry(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """Field report P09: 50 000 rows."""
    records = [figure()[0]]
    records += [message(f"{n:08x}", f"{n - 1:08x}" if n else None, "user", f"line {n}") for n in range(50_000)]
    pane = open_session(window, write_session(tmp_path / "s.jsonl", records), qtbot)
    pane.open_search()

    def type_key(key: str) -> None:
        qtbot.keyClick(pane.search_bar.text, key)
        settle(pane, qtbot)

    for key in "line 4":
        assert calls_of(lambda key=key: type_key(key)) < 50_000  # type: ignore[misc]
    assert pane.document.rows is not None
    assert pane.document.rows.content(4).matched_words == ("line", "4")


def test_however_many_directories_there_are_each_has_a_session_and_the_rest_on_demand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(library_arranger, "MOST_ROWS", 60)
    monkeypatch.setattr(library_arranger, "MANY_OF_A_SHELF", 10)
    facts = [Facts(str(n), f"/w/{n // 40}", first_message="x", active_ms=10_000 - n) for n in range(400)]
    paths = [Path(f"/s/{number}.jsonl") for number in range(len(facts))]
    sessions = {
        path: LibrarySession(path, Stamp("", 1, 1), Stage.READ, each) for path, each in zip(paths, facts, strict=True)
    }
    arranger = LibraryArranger()
    arranger.know(sessions.values())

    def counts() -> list[int]:
        return [sum(row.session is not None for row in shelf.children) for shelf in arranger.rows(sessions, "")]

    assert counts() == [25, 25, 8, *[1] * 7]
    assert all(shelf.children[-1].kind is RowKind.MORE for shelf in arranger.rows(sessions, ""))
    arranger.show_more_of_shelf("/w/9")
    assert counts()[-1] == 35
    arranger.show_more_of_shelf("/w/9")
    assert counts()[-1] == 40
    arranger.show_whole_shelf_of(sessions[paths[0]])
    assert counts()[0] == 40
