"""What is asked, written and said when a person moves, labels, names, and comes back to a session."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QInputDialog, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from gui.banner import Banner
from gui.main_window import MainWindow
from gui.session_pane import SessionPane
from model.entry_kinds import Role
from services.app_folders import config_folder, data_folder
from tests.gui.conftest import click_entry, open_session, settle
from tests.gui.test_story import press
from tests.services.sessions import copy_of, figure, lines_of, message, write_session

Sample = Callable[[str], Path]
NOTHING = "Nothing changed."


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The figure: A→B→C→D and A→E→F, with D last in the file."""
    return write_session(tmp_path / "s.jsonl", figure())


@pytest.fixture
def pane(window: MainWindow, path: Path, qtbot: QtBot) -> SessionPane:
    return open_session(window, path, qtbot)


def leaf_of(pane: SessionPane) -> str | None:
    assert pane.document.session is not None
    return pane.document.session.leaf_id


def ask(window: MainWindow, pane: SessionPane, entry_id: str, qtbot: QtBot) -> None:
    """Select an entry, press Ctrl+G, and wait for the question."""
    click_entry(pane, entry_id, qtbot)
    settle(pane, qtbot)
    window.navigate_action.trigger()
    qtbot.waitUntil(lambda: pane.navigate_tab.go.isVisible() and not pane.is_computing, timeout=10_000)


def said_after(pane: SessionPane, act: Callable[[], object], qtbot: QtBot) -> str:
    """Do something that says one sentence in the end; return it, when the rows are laid out."""
    with qtbot.waitSignal(pane.said, timeout=10_000) as said:
        act()
    qtbot.waitUntil(lambda: not pane.runner.is_running)
    settle(pane, qtbot)
    assert said.args is not None
    return str(said.args[0])


def moved(pane: SessionPane, act: Callable[[], object], qtbot: QtBot) -> str:
    with qtbot.waitSignal(pane.navigation.moved, timeout=10_000):
        return said_after(pane, act, qtbot)


def go_at_once(pane: SessionPane, entry_id: str) -> Callable[[], object]:
    """Return what goes to an entry without a question."""
    index = pane.document.index
    assert index is not None
    row = index.row_of(entry_id)
    assert row is not None
    return lambda: pane.navigation.take(row)


# The question


@pytest.mark.spec("TN-12")
def test_a_label_for_one_entry_is_never_given_to_another_one(
    window: MainWindow, pane: SessionPane, path: Path, qtbot: QtBot
) -> None:
    tab = pane.navigate_tab
    ask(window, pane, "f0000000", qtbot)
    qtbot.keyClicks(tab.label_text, "for f")
    click_entry(pane, "e0000000", qtbot)
    settle(pane, qtbot)
    assert tab.label_text.text() == ""
    ask(window, pane, "e0000000", qtbot)
    qtbot.keyClicks(tab.label_text, "for e")
    press(Qt.Key.Key_Escape, qtbot)
    assert tab.label_text.text() == ""
    before = path.read_bytes()
    moved(pane, tab.submit, qtbot)
    assert path.read_bytes() == before
    ask(window, pane, "f0000000", qtbot)
    qtbot.keyClicks(tab.label_text, "for f")
    moved(pane, tab.submit, qtbot)
    assert tab.label_text.text() == ""
    labels = [record for record in lines_of(path) if record["type"] == "label"]
    assert [(record["targetId"], record["label"]) for record in labels] == [("f0000000", "for f")]


@pytest.mark.spec("TN-11", "TN-12")
def test_a_move_with_a_label_alone_says_what_it_writes(
    window: MainWindow, pane: SessionPane, path: Path, qtbot: QtBot
) -> None:
    tab = pane.navigate_tab
    ask(window, pane, "f0000000", qtbot)
    assert tab.go.text().endswith("nothing is written")
    qtbot.keyClicks(tab.label_text, "other way")
    assert tab.go.text().endswith("only the label is written")
    said = moved(pane, tab.submit, qtbot)
    assert "Only the label was written" in said
    assert "Nothing was written" not in said
    assert lines_of(path)[-1]["label"] == "other way"
    assert pane.document.session is not None
    assert leaf_of(pane) == pane.document.session.resume_leaf_id, "the sentence says that an agent resumes here"


@pytest.mark.spec("TN-11")
def test_a_move_to_the_end_of_the_file_says_so(window: MainWindow, pane: SessionPane, qtbot: QtBot) -> None:
    said = moved(pane, go_at_once(pane, "f0000000"), qtbot)
    assert "an agent would still resume at the end of the file" in said
    said = moved(pane, go_at_once(pane, "d0000000"), qtbot)
    assert "It is the end of the file, where an agent would resume" in said


@pytest.mark.spec("TN-12", "ST-4")
def test_the_answer_is_kept_for_other_sessions_and_the_command_still_asks(
    window: MainWindow, pane: SessionPane, tmp_path: Path, qtbot: QtBot
) -> None:
    tab = pane.navigate_tab
    ask(window, pane, "f0000000", qtbot)
    tab.instruct.click()
    assert not tab.remember.isVisible(), "instructions are for one branch"
    tab.go.click()
    qtbot.waitUntil(lambda: not pane.is_computing)
    tab.remember.click()
    said = moved(pane, tab.submit, qtbot)
    assert said.startswith("From now on you just go; Ctrl+G asks first.")
    assert json.loads((config_folder() / "settings.json").read_text())["branchSummary"] == {"answer": "go"}
    other = open_session(window, write_session(tmp_path / "other.jsonl", figure()), qtbot)
    click_entry(other, "f0000000", qtbot)
    other.tree.setFocus()
    said = moved(other, lambda: press(Qt.Key.Key_Return, qtbot), qtbot)
    assert said == "You are there; nothing was written. Back returns; Ctrl+G asks first."
    assert leaf_of(other) == "f0000000"
    ask(window, other, "d0000000", qtbot)
    assert other.navigate_tab.go.hasFocus()
    assert not other.navigate_tab.remember.isChecked()
    assert leaf_of(other) == "f0000000"


@pytest.mark.spec("TN-12")
def test_what_is_left_is_summarised_from_now_on(
    window: MainWindow, pane: SessionPane, path: Path, tmp_path: Path, qtbot: QtBot
) -> None:
    tab = pane.navigate_tab
    ask(window, pane, "f0000000", qtbot)
    tab.summarize.click()
    tab.remember.setChecked(True)
    said = moved(pane, tab.submit, qtbot)
    assert "a summary of what you left is a new entry" in said
    assert said.startswith("From now on what you leave is summarised; Ctrl+G asks first.")
    assert lines_of(path)[-1]["type"] == "branch_summary"
    other = tmp_path / "other.jsonl"
    again = open_session(window, write_session(other, figure()), qtbot)
    click_entry(again, "f0000000", qtbot)
    again.tree.setFocus()
    said = moved(again, lambda: press(Qt.Key.Key_Return, qtbot), qtbot)
    assert "a summary of what you left is a new entry" in said
    assert lines_of(other)[-1]["type"] == "branch_summary"
    ask(window, again, "d0000000", qtbot)
    assert again.navigate_tab.summarize.isChecked()


@pytest.mark.spec("TN-12")
def test_the_command_asks_on_omp_and_for_what_comes_after(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    path = sample("omp-branched.jsonl")
    pane = open_session(window, path, qtbot)
    index, session = pane.document.index, pane.document.session
    assert index is not None
    assert session is not None
    end_id = session.leaf_id
    graph = pane.document.graph
    assert graph is not None
    assistants = [row for row in graph.runs.path(pane.document.leaf_row).tolist() if index.role[row] == Role.ASSISTANT]
    target = index.id_of(assistants[0])
    said = moved(pane, lambda: pane.navigation.choose(assistants[0]), qtbot)
    assert said.endswith("; Ctrl+G asks first."), "OMP does not ask by itself"
    assert leaf_of(pane) == target
    assert end_id is not None
    pane.select_id(end_id)
    settle(pane, qtbot)
    window.navigate_action.trigger()
    qtbot.waitUntil(lambda: pane.navigate_tab.go.isVisible() and not pane.is_computing, timeout=10_000)
    assert leaf_of(pane) == target, "what comes after is asked about, too"
    assert not pane.navigate_tab.remember.isVisible(), "nothing is left"
    qtbot.keyClicks(pane.navigate_tab.label_text, "the end")
    moved(pane, pane.navigate_tab.submit, qtbot)
    assert lines_of(path)[-1]["label"] == "the end"


CANCELLING = """
from services.extension_api import hookimpl

@hookimpl
def session_before_tree(event, ctx):
    return {"cancel": True}
"""


@pytest.mark.spec("TN-10", "HK-6")
def test_a_move_that_an_extension_cancels_says_so_and_keeps_what_was_typed(
    window: MainWindow, path: Path, qtbot: QtBot
) -> None:
    (data_folder() / "extensions").mkdir(parents=True)
    (data_folder() / "extensions" / "cancelling.py").write_text(CANCELLING, "utf-8")
    before = path.read_bytes()
    pane = open_session(window, path, qtbot)
    ask(window, pane, "f0000000", qtbot)
    qtbot.keyClicks(pane.navigate_tab.label_text, "mine")
    pane.navigate_tab.remember.click()
    said = said_after(pane, pane.navigate_tab.submit, qtbot)
    assert said == "An extension cancelled the move. Nothing was written, and you are where you were."
    assert leaf_of(pane) == "d0000000"
    assert pane.navigate_tab.label_text.text() == "mine"
    assert path.read_bytes() == before
    assert not (config_folder() / "settings.json").exists()


# Coming back


@pytest.mark.spec("TN-11")
def test_coming_back_behind_the_end_of_the_file_says_so_and_offers_to_go_there(
    window: MainWindow, pane: SessionPane, path: Path, qtbot: QtBot
) -> None:
    before = path.read_bytes()
    moved(pane, go_at_once(pane, "b0000000"), qtbot)
    window.close_session()
    again = open_session(window, path, qtbot)
    text = again.banner.text.text()
    assert text == "You are where you left off; the file goes on to “assistant: The parser is fixed.”."
    assert again.banner.action.text() == "Go there"
    assert not again.banner.other_action.isVisible()
    said = said_after(again, again.banner.action.click, qtbot)
    assert said.startswith("You are there, and Back returns. It is the end of the file")
    assert leaf_of(again) == again.selected_id == "d0000000"
    assert not again.banner.isVisible()
    assert said_after(again, again.jumps.back, qtbot)
    assert leaf_of(again) == "b0000000"
    assert path.read_bytes() == before


@pytest.mark.spec("TN-11")
def test_coming_back_on_another_branch_says_so(window: MainWindow, pane: SessionPane, path: Path, qtbot: QtBot) -> None:
    moved(pane, go_at_once(pane, "e0000000"), qtbot)
    window.close_session()
    again = open_session(window, path, qtbot)
    assert again.banner.text.text().startswith("You are where you left off; the file ends on another branch")


@pytest.mark.spec("TN-11")
def test_the_newest_message_elsewhere_can_be_gone_to_or_looked_at(
    window: MainWindow, tmp_path: Path, qtbot: QtBot
) -> None:
    header, *entries = figure()
    newest = {**message("g0000000", "f0000000", "assistant", "Newest.", stopReason="stop")}
    newest["timestamp"] = "2026-01-02T00:00:00.000Z"
    label = {"type": "label", "id": "l0000000", "parentId": "d0000000", "timestamp": "2026-01-02T00:00:01.000Z"}
    path = write_session(
        tmp_path / "s.jsonl", [header, *entries, newest, {**label, "targetId": "a0000000", "label": "x"}]
    )
    pane = open_session(window, path, qtbot)
    assert pane.banner.text.text() == "The newest message is on another branch than the end of the file."
    assert (pane.banner.action.text(), pane.banner.other_action.text()) == ("Go there", "Show it")
    qtbot.mouseClick(pane.banner.other_action, Qt.MouseButton.LeftButton)
    assert pane.selected_id == "g0000000"
    assert leaf_of(pane) == "l0000000"
    window.close_session()
    pane = open_session(window, path, qtbot)
    said_after(pane, pane.banner.action.click, qtbot)
    assert leaf_of(pane) == pane.selected_id == "g0000000"


@pytest.mark.spec("TN-11")
def test_what_was_said_about_the_place_goes_when_one_leaves_it(
    window: MainWindow, pane: SessionPane, path: Path, qtbot: QtBot
) -> None:
    moved(pane, go_at_once(pane, "e0000000"), qtbot)
    window.close_session()
    again = open_session(window, path, qtbot)
    assert again.banner.isVisible()
    click_entry(again, "f0000000", qtbot)
    assert again.banner.isVisible(), "looking moves nothing"
    moved(again, go_at_once(again, "f0000000"), qtbot)
    assert not again.banner.isVisible()


# Labels, names, the resume point


def test_the_row_that_is_seen_is_labelled_when_the_filter_hides_what_was_chosen(
    window: MainWindow, pane: SessionPane, path: Path, qtbot: QtBot
) -> None:
    click_entry(pane, "b0000000", qtbot)
    window.set_filter("user-only")
    settle(pane, qtbot)
    assert pane.tree.current_entry() == pane.place.row == 0
    window.label_action.trigger()
    dialog = pane.findChild(QInputDialog)
    assert dialog is not None
    dialog.setTextValue("seen")
    said_after(pane, dialog.accept, qtbot)
    assert (lines_of(path)[-1]["targetId"], lines_of(path)[-1]["label"]) == ("a0000000", "seen")


def test_what_would_change_nothing_is_not_written(pane: SessionPane, path: Path, qtbot: QtBot) -> None:
    before = path.read_bytes()
    click_entry(pane, "b0000000", qtbot)
    assert said_after(pane, lambda: pane.edits.set_label("  "), qtbot) == NOTHING
    assert said_after(pane, lambda: pane.edits.set_session_name(""), qtbot) == NOTHING
    assert said_after(pane, pane.edits.set_resume_point, qtbot).startswith("Nothing changed")
    assert path.read_bytes() == before
    assert said_after(pane, lambda: pane.edits.set_label("idea"), qtbot).startswith("Labelled “idea”")
    click_entry(pane, "b0000000", qtbot)
    before = path.read_bytes()
    assert said_after(pane, lambda: pane.edits.set_label("idea"), qtbot) == NOTHING
    assert path.read_bytes() == before
    moved(pane, go_at_once(pane, "e0000000"), qtbot)
    assert said_after(pane, pane.edits.set_resume_point, qtbot).startswith("One entry was added")
    before = path.read_bytes()
    assert said_after(pane, pane.edits.set_resume_point, qtbot).startswith("Nothing changed")
    assert path.read_bytes() == before


def give_name(window: MainWindow, pane: SessionPane, name: str, qtbot: QtBot) -> str:
    """Name the session by its command, as a person does."""
    window.name_action.trigger()
    dialog = pane.findChild(QInputDialog)
    assert dialog is not None
    field = dialog.findChild(QLineEdit)
    assert field is not None
    field.selectAll()
    field.insert(name)
    return said_after(pane, dialog.accept, qtbot)


@pytest.mark.spec("SF-4.10")
def test_a_session_outside_the_library_is_named_and_the_old_name_is_told(
    window: MainWindow, pane: SessionPane, path: Path, qtbot: QtBot
) -> None:
    assert not window.name_action.shortcut().isEmpty()
    said = give_name(window, pane, "First", qtbot)
    assert said == "The session is called “First” now. An empty name takes it away again."
    said = give_name(window, pane, " Second ", qtbot)
    assert said == "The session is called “Second” now; before, it was “First”."
    assert window.windowTitle().startswith("Second")
    before = path.read_bytes()
    assert give_name(window, pane, "Second", qtbot) == NOTHING
    assert path.read_bytes() == before
    assert give_name(window, pane, "", qtbot) == "The name “Second” was taken away; give it again to have it back."
    assert pane.session_name() is None


def test_an_upgrade_of_the_file_is_told_with_its_backup(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    path = copy_of("real-v1-before-compaction.jsonl", tmp_path)
    old = path.read_bytes()
    pane = open_session(window, path, qtbot)
    said_after(pane, lambda: pane.edits.set_label("here"), qtbot)
    backup = tmp_path / f"{path.name}.v1.bak"
    assert backup.read_bytes() == old
    assert pane.banner.isVisible()
    text = pane.banner.text.text()
    assert "format version 1" in text
    assert "version 3" in text
    assert backup.name in text
    pane.banner.hide()
    said_after(pane, lambda: pane.edits.set_label("there"), qtbot)
    assert not pane.banner.isVisible()


@pytest.mark.parametrize("width", [900, 400])
def test_the_text_of_a_banner_has_room_beside_its_buttons_or_above_them(qtbot: QtBot, width: int) -> None:
    around = QWidget()
    qtbot.addWidget(around)
    column = QVBoxLayout(around)
    column.setContentsMargins(0, 0, 0, 0)
    banner = Banner()
    column.addWidget(banner)
    column.addStretch()
    around.resize(width, 400)
    around.show()
    banner.say("The newest message is on another branch.", "Go there", lambda: None, "Show it", lambda: None)
    qtbot.waitUntil(banner.isVisible)
    QApplication.processEvents()
    text = banner.text
    longest = max(text.fontMetrics().horizontalAdvance(word) for word in text.text().split())
    assert text.width() > 3 * longest
    assert text.height() >= text.heightForWidth(text.width())
    assert (banner.action.y() > text.geometry().bottom()) == (width == 400)
    assert around.width() == width
