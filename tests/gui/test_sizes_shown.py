"""Sizes that the window shows of a context, in the column of the tree: they are what the *Context* tab adds up to."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from services import saved_indexes, session_store
from services.session_store import SessionStore
from tests.gui.conftest import click_entry, open_session, settle
from tests.services.sessions import figure, message, write_session

Sample = Callable[[str], Path]


def column_of(pane: SessionPane, row: int) -> int | None:
    rows = pane.document.rows
    assert rows is not None
    return rows.content(row).context


@pytest.mark.parametrize("name", ["real-v3-branched.jsonl", "omp-branched.jsonl"])
def test_side_branches_have_sizes_and_the_context_tab_adds_up_to_them(
    window: MainWindow, sample: Sample, qtbot: QtBot, name: str
) -> None:
    pane = open_session(window, sample(name), qtbot)
    index, outline = pane.document.index, pane.document.outline
    assert index is not None
    assert outline is not None
    pane.tabs.setCurrentWidget(pane.context_tab)
    trunk = set(outline.trunk.tolist())
    shown = [row for row in range(index.count) if outline.visible[row]]
    side = [row for row in shown if row not in trunk]
    assert side, "the sample has side branches"
    for row in [*side[:: max(1, len(side) // 4)], *shown[:: len(shown) // 6]]:
        click_entry(pane, index.id_of(row), qtbot)
        settle(pane, qtbot)
        listed = pane.context_tab.model.rows
        assert column_of(pane, row) == (listed[-1].message.total if listed else 0), f"row {row}"


def forked(path: Path, entries: int) -> Path:
    """A long session that forks near its beginning."""
    text = "some words " * 100
    records, parent = figure()[:2], "a0000000"
    for number in range(entries):
        id = f"{number:08x}"
        records.append(message(id, parent, "user", f"{number} {text}"))
        parent = id
        if number == 5:
            records.append(message("another0", "00000003", "user", "another way"))
    return write_session(path, records)


@pytest.mark.parametrize("is_known", [False, True])
def test_while_a_file_is_read_no_size_is_shown_that_changes_later(
    window: MainWindow, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, *, is_known: bool
) -> None:
    """Also when the whole file comes from an index that was saved: the end of a file numbers its rows otherwise."""
    for module in (saved_indexes, session_store):
        monkeypatch.setattr(module, "LEAST_BYTES", 1 << 20)
    path = forked(tmp_path / "long.jsonl", 4500)
    if is_known:
        whole = SessionStore.open(path)
        whole.measure()
        whole.save_index(saved_indexes.SavedIndexes())
        whole.close()
    end_is_shown = threading.Event()
    read_all = SessionStore.open.__func__  # type: ignore[attr-defined]

    def read_later(cls: type[SessionStore], *given: Any, **options: Any) -> SessionStore:
        assert end_is_shown.wait(20)
        store: SessionStore = read_all(cls, *given, **options)
        return store

    monkeypatch.setattr(SessionStore, "open", classmethod(read_later))
    with qtbot.waitSignal(window.session_ready, timeout=20_000):
        window.open_file(path)
        qtbot.waitUntil(lambda: window.pane is not None and window.pane.document.index is not None, timeout=20_000)
        pane = window.pane
        assert pane is not None
        early = pane.document.index
        assert early is not None
        assert pane.document.is_loading
        shown_early = [column_of(pane, row) for row in range(early.count)]
        end_is_shown.set()
    assert shown_early == [None] * len(shown_early)
    qtbot.waitUntil(lambda: pane.document.index is not None and pane.document.index.measured, timeout=20_000)
    settle(pane, qtbot)
    index, outline = pane.document.index, pane.document.outline
    assert index is not None
    assert outline is not None
    total = 0
    for row in outline.trunk.tolist():
        total += int(index.estimate[row])
        assert column_of(pane, row) == total
    side = index.row_of("another0")
    assert side is not None
    assert outline.graph.runs.path(side).tolist() == [0, 1, 2, 3, 4, side]
