"""The settings dialog through its widgets: values and where they come from, editing, undo, models, extensions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import keyring
import pytest
from keyring.backend import KeyringBackend
from PySide6.QtCore import QEvent, QLocale, QObject, QPoint, Qt
from PySide6.QtWidgets import QApplication, QComboBox, QLabel, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.settings_dialog.all_settings_page import AllSettingsPage
from gui.settings_dialog.dialog import PAGE_NAMES, SettingsDialog
from gui.settings_dialog.extensions_page import ExtensionsPage
from gui.settings_dialog.model_page import SummariesPage
from gui.settings_dialog.page import SettingsPage
from gui.settings_dialog.setting_row import SettingRow
from gui.settings_dialog.setting_texts import has_text
from gui.settings_dialog.tree_page import TreePage
from gui.theme import current_theme
from model.settings_levels import known_key_names, setting_keys, table_names
from services.app_folders import config_folder, data_folder
from services.branch_answers import keep_answer
from services.endpoints import discovery
from services.operations import NavigationOptions
from services.session_overrides import SessionOverrides
from tests.gui.conftest import open_session, preloaded
from tests.services.loopback_server import LoopbackServer, chat, json_answer, silent

Sample = Callable[[str], Path]
KEY = "sk-test-0123456789abcdef"


class MemoryKeyring(KeyringBackend):
    """A system keyring that works, in memory."""

    priority = 1  # type: ignore[assignment]

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


@pytest.fixture(autouse=True)
def english_numbers() -> Iterator[None]:
    """As the application has it where the system has no language."""
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.English))
    yield
    QLocale.setDefault(before)


@pytest.fixture(autouse=True)
def no_local_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery, "DEFAULT_PORTS", {})
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "OPENROUTER_API_KEY"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def memory_keyring() -> Iterator[MemoryKeyring]:
    before = keyring.get_keyring()
    made = MemoryKeyring()
    keyring.set_keyring(made)
    yield made
    keyring.set_keyring(before)


def own_file() -> Path:
    return config_folder() / "settings.json"


def own_settings() -> Any:
    return json.loads(own_file().read_text("utf-8")) if own_file().exists() else {}


def write_own(value: Any) -> None:
    own_file().parent.mkdir(parents=True, exist_ok=True)
    own_file().write_text(value if isinstance(value, str) else json.dumps(value), "utf-8")


def write_agents(value: Any, name: str = ".pi/agent/settings.json") -> Path:
    path = Path.home() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), "utf-8")
    return path


def open_settings(window: MainWindow, qtbot: QtBot, page: str = "") -> SettingsDialog:
    preloaded(window, qtbot)
    window.activateWindow()
    window.assistance.open_settings(page)
    qtbot.waitUntil(lambda: window.assistance.settings_dialog is not None)
    dialog = window.assistance.settings_dialog
    assert dialog is not None
    qtbot.waitExposed(dialog)
    dialog.activateWindow()
    settled(dialog, qtbot)
    return dialog


def settled(dialog: SettingsDialog, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: not dialog.is_busy and dialog.form.survey is not None, timeout=10_000)


class PagesWhenShown(QObject):
    """Notes which pages a dialog has when it is about to be shown."""

    def __init__(self, dialog: SettingsDialog) -> None:
        super().__init__(dialog)
        self.names: list[str] = []
        self._dialog = dialog
        dialog.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show:
            self.names = [*self._dialog.pages]
        return False


def test_the_page_that_is_wanted_is_made_alone_and_before_the_others(window: MainWindow, qtbot: QtBot) -> None:
    preloaded(window, qtbot)
    window.assistance.preload.start()
    qtbot.waitUntil(lambda: window.assistance.preload.is_finished, timeout=20_000)
    window.assistance.open_settings("shortcuts")
    dialog = window.assistance.settings_dialog
    assert dialog is not None
    assert not dialog.pages, "it has a turn of its own"
    shown = PagesWhenShown(dialog)
    qtbot.waitUntil(dialog.isVisible, timeout=20_000)
    settled(dialog, qtbot)
    assert shown.names == ["shortcuts"]
    assert dialog.stack.currentWidget() is dialog.pages["shortcuts"]
    assert set(dialog.pages) == set(PAGE_NAMES)


def row_of(dialog: SettingsDialog, name: str) -> SettingRow:
    for page_name in PAGE_NAMES:
        page = dialog.page(page_name)
        if isinstance(page, SettingsPage) and name in page.rows:
            dialog.show_page(page_name)
            return page.rows[name]
    raise AssertionError(name)


def line_of(row: SettingRow) -> QLineEdit:
    field = row.editor.field()
    assert isinstance(field, QLineEdit)
    return field


def write_line(row: SettingRow, text: str, qtbot: QtBot, *, enter: bool = True) -> None:
    line = line_of(row)
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, text)
    if enter:
        qtbot.keyClick(line, Qt.Key.Key_Return)


def summaries(dialog: SettingsDialog) -> SummariesPage:
    page = dialog.page("summaries")
    assert isinstance(page, SummariesPage)
    return page


def choose(combo: QComboBox, text: str, qtbot: QtBot) -> None:
    """Choose an entry of a combo box by keyboard."""
    combo.setFocus()
    target = combo.findText(text)
    assert target >= 0
    while combo.currentIndex() != target:
        qtbot.keyClick(combo, Qt.Key.Key_Down if combo.currentIndex() < target else Qt.Key.Key_Up)


# --- What is there ---------------------------------------------------------------------------------------------------


@pytest.mark.spec("ST-4")
def test_every_key_has_a_field_on_exactly_one_page_and_words_for_people(window: MainWindow, qtbot: QtBot) -> None:
    dialog = open_settings(window, qtbot)
    pages = [dialog.page(name) for name in PAGE_NAMES]
    names = [name for page in pages if isinstance(page, SettingsPage) for name in page.rows]
    tables = [table.name for page in pages if isinstance(page, SettingsPage) for table in page.tables]
    assert sorted(names) == sorted(known_key_names())
    assert sorted(tables) == sorted(table_names())
    assert [name for name in [*known_key_names(), *table_names()] if not has_text(name)] == []
    fields = [page.rows[name].editor.field() for page in pages if isinstance(page, SettingsPage) for name in page.rows]
    assert all(field.accessibleName() for field in fields)


@pytest.mark.spec("ST-1", "ST-4")
def test_each_value_says_where_it_comes_from(window: MainWindow, qtbot: QtBot) -> None:
    write_agents({"compaction": {"keepRecentTokens": 8000, "reserveTokens": "lots"}})
    write_own({"compaction": {"keepRecentTokens": 9000}})
    dialog = open_settings(window, qtbot, "compaction")
    keep = row_of(dialog, "compaction.keepRecentTokens")
    assert line_of(keep).text() == "9,000"
    assert keep.origin.text() == "Set by you · Pi's settings say 8,000 tokens"
    assert keep.reset.text() == "Reset to 8,000 tokens"
    assert "~/.pi/agent/settings.json" in keep.origin.toolTip()
    reserve = row_of(dialog, "compaction.reserveTokens")
    assert "Default" in reserve.origin.text()
    assert "lots (A whole number, please.)" in reserve.origin.text()
    assert not reserve.reset.isVisible()
    auto = row_of(dialog, "compaction.shortSummary")
    assert auto.origin.text() == "Default · here, in Pi sessions: off"


def test_the_answer_that_was_kept_is_a_setting_with_its_source(window: MainWindow, qtbot: QtBot) -> None:
    write_agents({"branchSummary": {"skipPrompt": True}})
    keep_answer("summarise")
    dialog = open_settings(window, qtbot, "branches")
    row = row_of(dialog, "branchSummary.answer")
    combo = row.editor.field()
    assert isinstance(combo, QComboBox)
    assert (combo.currentText(), row.origin.text()) == ("Summarise, then go", "Set by you")
    choose(combo, "automatic", qtbot)
    settled(dialog, qtbot)
    assert row.origin.text() == "Set by you · here, in Pi sessions: Just go there", "as Pi's own switch says"
    choose(combo, "Ask how to go", qtbot)
    settled(dialog, qtbot)
    assert own_settings() == {"branchSummary": {"answer": "ask"}}


def test_the_agents_values_are_read_only_and_seen_from_either_agent(window: MainWindow, qtbot: QtBot) -> None:
    pi = write_agents({"retry": {"maxRetries": 7}})
    write_agents({"retry": {"maxRetries": 9}}, ".omp/agent/settings.json")
    before = pi.read_bytes()
    dialog = open_settings(window, qtbot, "retries")
    row = row_of(dialog, "retry.maxRetries")
    assert (line_of(row).text(), line_of(row).placeholderText()) == ("", "7")
    assert row.origin.text() == "From Pi's settings (~/.pi/agent/settings.json)"
    choose(dialog.view, "all sessions, seen from OMP", qtbot)
    qtbot.waitUntil(lambda: line_of(row).placeholderText() == "9")
    write_line(row, "2", qtbot)
    settled(dialog, qtbot)
    assert pi.read_bytes() == before
    assert own_settings() == {"retry": {"maxRetries": 2}}


# --- Editing ---------------------------------------------------------------------------------------------------------


def test_a_number_is_checked_while_it_is_typed_saved_reset_and_undone(window: MainWindow, qtbot: QtBot) -> None:
    write_own({"other": {"kept": 1.0}})
    dialog = open_settings(window, qtbot, "compaction")
    row = row_of(dialog, "compaction.keepRecentTokens")
    write_line(row, "-5", qtbot, enter=False)
    assert row.problem.text() == "⚠ At least 0."
    qtbot.keyClick(line_of(row), Qt.Key.Key_Return)
    write_line(row, "5 apples", qtbot, enter=False)
    assert row.problem.text() == "⚠ Write a number, such as 20,000."
    qtbot.keyClick(line_of(row), Qt.Key.Key_Return)
    settled(dialog, qtbot)
    assert own_settings() == {"other": {"kept": 1.0}}

    write_line(row, "12 500", qtbot)
    settled(dialog, qtbot)
    assert own_settings() == {"other": {"kept": 1.0}, "compaction": {"keepRecentTokens": 12500}}
    assert line_of(row).text() == "12,500"
    assert dialog.said.text() == "“Tokens to keep” is now 12,500 tokens."

    qtbot.mouseClick(row.reset, Qt.MouseButton.LeftButton)
    settled(dialog, qtbot)
    assert own_settings() == {"other": {"kept": 1.0}}
    assert line_of(row).text() == ""
    for expected in ({"keepRecentTokens": 12500}, None):
        qtbot.mouseClick(dialog.undo, Qt.MouseButton.LeftButton)
        settled(dialog, qtbot)
        assert own_settings().get("compaction") == expected
    assert not dialog.undo.isEnabled()


def test_escape_takes_back_what_is_typed_then_closes(window: MainWindow, qtbot: QtBot) -> None:
    dialog = open_settings(window, qtbot, "compaction")
    row = row_of(dialog, "compaction.keepRecentTokens")
    write_line(row, "77", qtbot, enter=False)
    qtbot.keyClick(line_of(row), Qt.Key.Key_Escape)
    assert dialog.isVisible()
    assert line_of(row).text() == ""
    with qtbot.waitSignal(dialog.finished):
        qtbot.keyClick(line_of(row), Qt.Key.Key_Escape)
    assert own_settings() == {}
    assert window.assistance.settings_dialog is None


def test_what_was_entered_last_is_kept_when_the_dialog_closes(window: MainWindow, qtbot: QtBot) -> None:
    dialog = open_settings(window, qtbot, "compaction")
    write_line(row_of(dialog, "compaction.keepRecentTokens"), "77", qtbot)
    write_line(row_of(dialog, "compaction.reserveTokens"), "78", qtbot)
    dialog.reject()
    assert own_settings() == {"compaction": {"keepRecentTokens": 77, "reserveTokens": 78}}


def test_flags_choices_lists_and_automatic_numbers(window: MainWindow, qtbot: QtBot) -> None:
    dialog = open_settings(window, qtbot, "compaction")
    flag = row_of(dialog, "compaction.enabled").editor.field()
    qtbot.keyClick(flag, Qt.Key.Key_Space)
    boundary = row_of(dialog, "compaction.boundary").editor.field()
    assert isinstance(boundary, QComboBox)
    choose(boundary, "Behind the compaction", qtbot)
    limit = row_of(dialog, "compaction.fileTagLimit")
    write_line(limit, "many", qtbot, enter=False)
    assert limit.problem.text() == "⚠ Write a number, or “automatic”."
    write_line(limit, "20", qtbot)
    write_line(row_of(dialog, "compaction.thresholdPercent"), "82.5", qtbot)
    write_line(row_of(dialog, "compaction.remoteEndpoint"), "example.org", qtbot)
    assert "https://" in row_of(dialog, "compaction.remoteEndpoint").problem.text()
    tools = row_of(dialog, "pruning.protectedTools").editor.field()
    assert isinstance(tools, QPlainTextEdit)
    tools.setFocus()
    for name in ("read", "skill", ""):
        qtbot.keyClicks(tools, name)
        qtbot.keyClick(tools, Qt.Key.Key_Return)
    dialog.close_button.setFocus()
    settled(dialog, qtbot)
    assert own_settings() == {
        "compaction": {
            "enabled": False,
            "boundary": "sinceCompaction",
            "fileTagLimit": 20,
            "thresholdPercent": 82.5,
        },
        "pruning": {"protectedTools": ["read", "skill"]},
    }
    write_line(limit, "auto", qtbot)
    settled(dialog, qtbot)
    assert own_settings()["compaction"]["fileTagLimit"] == "auto"


def test_an_agents_remote_summariser_can_be_switched_off_by_an_empty_field(window: MainWindow, qtbot: QtBot) -> None:
    write_agents({"compaction": {"remoteEndpoint": "https://summaries.example/run"}})
    dialog = open_settings(window, qtbot)
    row = row_of(dialog, "compaction.remoteEndpoint")
    write_line(row, "https://mine.example", qtbot)
    settled(dialog, qtbot)
    line_of(row).selectAll()
    qtbot.keyClick(line_of(row), Qt.Key.Key_Delete)
    qtbot.keyClick(line_of(row), Qt.Key.Key_Return)
    settled(dialog, qtbot)
    assert own_settings()["compaction"]["remoteEndpoint"] == ""
    assert row.state is not None
    assert (row.state.value, row.state.level) == (None, "application")


def test_a_value_that_does_not_count_is_an_error_at_its_field(window: MainWindow, qtbot: QtBot) -> None:
    write_own({"retry": {"maxRetries": 1000}})
    dialog = open_settings(window, qtbot, "retries")
    row = row_of(dialog, "retry.maxRetries")
    assert row.problem.text() == "⚠ 1000 in the file does not count: At most 100."
    write_line(row, "4", qtbot)
    settled(dialog, qtbot)
    assert not row.problem.isVisible()


def test_a_broken_file_is_left_alone_and_named(window: MainWindow, qtbot: QtBot) -> None:
    write_own("{ broken")
    dialog = open_settings(window, qtbot, "retries")
    write_line(row_of(dialog, "retry.maxRetries"), "4", qtbot)
    settled(dialog, qtbot)
    assert "can't be read, so they were not changed" in dialog.said.text()
    assert own_file().read_text("utf-8") == "{ broken"


def test_entries_of_tables_are_added_changed_and_removed(window: MainWindow, qtbot: QtBot) -> None:
    write_agents({"compaction": {"modelOverrides": {"acme/large": {"reserveTokens": 5}}}})
    dialog = open_settings(window, qtbot, "compaction")
    page = dialog.page("compaction")
    assert isinstance(page, SettingsPage)
    [table] = page.tables
    cells = [table.table.item(0, column) for column in range(4)]
    assert [cell.text() for cell in cells if cell is not None] == ["acme/large", "5", "", "Pi's settings"]
    qtbot.keyClicks(table.new_name, "acme/small")
    qtbot.keyClick(table.new_name, Qt.Key.Key_Return)
    editor = QApplication.focusWidget()
    assert isinstance(editor, QLineEdit)
    qtbot.keyClicks(editor, "7000")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    added = {"compaction": {"modelOverrides": {"acme/small": {"reserveTokens": 7000}}}}
    qtbot.waitUntil(lambda: own_settings() == added)
    settled(dialog, qtbot)
    item = table.table.item(1, 2)
    assert item is not None
    item.setText("-3")
    assert table.problem.text() == "⚠ At least 0."
    table.table.setCurrentCell(1, 1)
    qtbot.mouseClick(table.remove, Qt.MouseButton.LeftButton)
    settled(dialog, qtbot)
    assert own_settings() == {}
    assert table.table.rowCount() == 1
    table.table.setCurrentCell(0, 1)
    assert not table.remove.isEnabled()


# --- From where, and for what ----------------------------------------------------------------------------------------


@pytest.mark.spec("ST-1")
def test_a_session_may_have_values_of_its_own(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    pane = open_session(window, sample("real-v3-before-compaction.jsonl"), qtbot)
    session = pane.document.session
    assert session is not None
    dialog = open_settings(window, qtbot, "compaction")
    choose(dialog.view, dialog.view.itemText(1), qtbot)
    assert "this session only" in dialog.view.currentText()
    settled(dialog, qtbot)
    row = row_of(dialog, "compaction.keepRecentTokens")
    write_line(row, "4321", qtbot)
    settled(dialog, qtbot)
    assert own_settings() == {}
    store = pane.document.store
    assert store is not None
    assert SessionOverrides().of(store.session_id) == {"compaction": {"keepRecentTokens": 4321}}
    assert session.settings.compaction.keep_recent_tokens == 4321
    choose(dialog.view, dialog.view.itemText(0), qtbot)
    qtbot.waitUntil(lambda: "This session has its own: 4,321 tokens" in row.origin.text())


@pytest.mark.spec("ST-1")
def test_a_projects_settings_count_once_it_is_trusted(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    project = tmp_path / "project"
    (project / ".pi").mkdir(parents=True)
    (project / ".pi" / "settings.json").write_text(json.dumps({"retry": {"maxRetries": 8}}))
    header = {"type": "session", "version": 3, "id": "s1", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": str(project)}
    entry = {
        "type": "message", "id": "aaaaaaa1", "parentId": None, "timestamp": "2026-01-01T00:00:01.000Z",
        "message": {"role": "user", "content": "hello", "timestamp": 1},
    }  # fmt: skip
    path = tmp_path / "s.jsonl"
    path.write_text(f"{json.dumps(header)}\n{json.dumps(entry)}\n")
    open_session(window, path, qtbot)
    dialog = open_settings(window, qtbot, "retries")
    row = row_of(dialog, "retry.maxRetries")
    assert dialog.trust_box.isVisible()
    assert line_of(row).placeholderText() == "3"
    qtbot.mouseClick(dialog.trust, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: line_of(row).placeholderText() == "8")
    assert not dialog.trust_box.isVisible()
    assert "the project" in row.origin.text()
    everything = dialog.page("all")
    assert isinstance(everything, AllSettingsPage)
    dialog.show_page("all")
    qtbot.mouseClick(everything.distrust, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: line_of(row).placeholderText() == "3")


def test_all_settings_are_listed_with_what_does_not_count(window: MainWindow, qtbot: QtBot) -> None:
    write_agents({"compaction": {"idleEnabled": True, "keepRecentTokens": 5}}, ".omp/agent/settings.json")
    write_own({"misspelt": 1})
    dialog = open_settings(window, qtbot, "all")
    page = dialog.page("all")
    assert isinstance(page, AllSettingsPage)
    assert page.table.rowCount() >= len(known_key_names())
    assert "misspelt · No setting has this name." in page.problems.text()
    choose(dialog.view, "all sessions, seen from OMP", qtbot)
    qtbot.waitUntil(lambda: "compaction.idleEnabled · This setting of OMP is not supported." in page.problems.text())
    line = next(row for row in range(page.table.rowCount()) if text_at(page, row, 0) == "compaction.keepRecentTokens")
    assert [text_at(page, line, column) for column in (1, 2, 3)] == [
        "5 tokens",
        "OMP's settings",
        "~/.omp/agent/settings.json",
    ]
    page.table.setCurrentCell(line, 0)
    page.table.setFocus()
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert dialog.stack.currentWidget() is dialog.page("compaction")
    assert QApplication.focusWidget() is row_of(dialog, "compaction.keepRecentTokens").editor.field()


def text_at(page: AllSettingsPage, row: int, column: int) -> str:
    item = page.table.item(row, column)
    return item.text() if item is not None else ""


def test_a_setting_is_found_by_words_of_its_explanation(window: MainWindow, qtbot: QtBot) -> None:
    dialog = open_settings(window, qtbot)
    qtbot.keyClicks(dialog.search, "word for word")
    assert dialog.stack.currentWidget() is dialog.page("compaction")
    row = row_of(dialog, "compaction.keepRecentTokens")
    assert row.isVisible()
    assert not row_of(dialog, "compaction.enabled").isVisible()
    shown = [dialog.list.item(number).text() for number in range(dialog.list.count()) if not hidden(dialog, number)]
    assert shown == ["Compaction"] or set(shown) == {"Compaction", "All settings"}
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.search.text() == ""
    assert row_of(dialog, "compaction.enabled").isVisible()
    qtbot.keyClicks(dialog.search, "xylophone")
    assert dialog.said.text() == "No setting is about “xylophone”."
    QApplication.processEvents()
    assert dialog.view.mapTo(dialog, QPoint()).y() < dialog.height() / 8, "the rest stays where it is"
    assert dialog.close_button.mapTo(dialog, QPoint()).y() > dialog.height() * 7 / 8
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert dialog.said.text() == "Changes are kept at once."
    assert row_of(dialog, "compaction.enabled").isVisible()


def hidden(dialog: SettingsDialog, number: int) -> bool:
    return dialog.list.item(number).isHidden()


def test_colours_change_at_once(window: MainWindow, qtbot: QtBot) -> None:
    dialog = open_settings(window, qtbot, "tree")
    page = dialog.page("tree")
    assert isinstance(page, TreePage)
    choose(page.theme, "Dark", qtbot)
    qtbot.waitUntil(lambda: current_theme().name == "dark" and dialog.updatesEnabled())
    choose(page.theme, "Light", qtbot)
    qtbot.waitUntil(lambda: current_theme().name == "light" and dialog.updatesEnabled())


def test_the_filter_setting_counts_until_one_is_chosen_in_the_window(
    window: MainWindow, sample: Sample, qtbot: QtBot
) -> None:
    write_agents({"treeFilterMode": "no-tools"})
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    qtbot.waitUntil(lambda: pane.document.filter_mode == "no-tools")
    window.set_filter("all")
    assert pane.document.filter_mode == "all"
    dialog = open_settings(window, qtbot, "tree")
    assert pane.document.filter_mode == "all"
    combo = row_of(dialog, "treeFilterMode").editor.field()
    assert isinstance(combo, QComboBox)
    choose(combo, "User messages only", qtbot)
    qtbot.waitUntil(lambda: pane.document.filter_mode == "user-only")


# --- Models ----------------------------------------------------------------------------------------------------------


def test_a_provider_is_set_up_in_a_few_steps(
    window: MainWindow, sample: Sample, qtbot: QtBot, memory_keyring: MemoryKeyring
) -> None:
    """Ctrl+, · provider · address · key · list · model · test · Esc: all by keyboard; the session uses it at once."""
    pane = open_session(window, sample("real-v3-before-compaction.jsonl"), qtbot)
    models = {"data": [{"id": "small", "context_length": 32_000}, {"id": "large"}]}
    with LoopbackServer(json_answer(models), chat("ready")) as server:
        dialog = open_settings(window, qtbot)
        page = summaries(dialog)
        assert not page.key.isVisible()
        choose(page.provider, "Another server…", qtbot)
        address = line_of(page.rows["model.baseUrl"])
        assert address.hasFocus()
        write_line(page.rows["model.baseUrl"], server.url + "/v1", qtbot)
        settled(dialog, qtbot)
        qtbot.waitUntil(lambda: "No key for" in page.key.state.text())
        page.key.line.setFocus()
        qtbot.keyClicks(page.key.line, KEY)
        qtbot.keyClick(page.key.line, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: "from the system keyring" in page.key.state.text())
        assert page.key.line.text() == ""
        qtbot.mouseClick(page.model_editor.ask, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: page.model_editor.combo.count() == 2)
        page.model_editor.combo.hidePopup()
        assert page.outcome.text() == "2 models are offered."
        choose(page.model_editor.combo, "small", qtbot)
        settled(dialog, qtbot)
        qtbot.mouseClick(page.try_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: page.outcome.text().startswith("✓ small at 127.0.0.1"), timeout=10_000)
        assert [request.headers.get("authorization") for request in server.requests] == [f"Bearer {KEY}"] * 2
        qtbot.keyClick(dialog, Qt.Key.Key_Escape)
        host = server.url.removeprefix("http://")
    qtbot.waitUntil(lambda: "small" in window.status.summarizer.text())
    assert "small" in pane.compaction_tab.summarizer.currentText()
    assert own_settings()["model"] == {
        "provider": "openai-compatible",
        "baseUrl": f"http://{host}/v1",
        "modelId": "small",
        "contextWindow": 32_000,
    }
    assert memory_keyring.kept == {("branchwork", host): KEY}
    for path in config_folder().parent.rglob("*"):
        assert path.is_dir() or KEY.encode() not in path.read_bytes(), path


def test_escape_stops_the_test_of_a_connection(window: MainWindow, qtbot: QtBot) -> None:
    with LoopbackServer(silent) as server:
        write_own({"model": {"provider": "openai-compatible", "baseUrl": f"{server.url}/v1", "modelId": "m"}})
        dialog = open_settings(window, qtbot)
        page = summaries(dialog)
        qtbot.mouseClick(page.try_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: bool(server.requests))
        assert page.stop_button.isVisible()
        assert "Esc stops" in page.outcome.text()
        focused = QApplication.focusWidget()
        assert isinstance(focused, QWidget)
        qtbot.keyClick(focused, Qt.Key.Key_Escape)
        assert page.outcome.text() == "Stopped."
        assert dialog.isVisible(), "Escape stops first, and closes only when nothing runs"
        assert server.connections[0].gone.wait(2)
        assert not page.is_asking
        qtbot.keyClick(page.try_button, Qt.Key.Key_Escape)
        assert window.assistance.settings_dialog is None


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (json_answer({"error": {"message": "bad key"}}, "401 Unauthorized"), ("401", "bad key")),
        (json_answer({"error": {"message": "no such model"}}, "404 Not Found"), ("404", "model id")),
        (json_answer([1, 2]), ("without a message",)),
    ],
)
def test_a_failed_test_says_why(window: MainWindow, qtbot: QtBot, answer: Any, words: tuple[str, ...]) -> None:
    with LoopbackServer(answer) as server:
        write_own({"model": {"provider": "openai-compatible", "baseUrl": f"{server.url}/v1", "modelId": "m"}})
        dialog = open_settings(window, qtbot)
        page = summaries(dialog)
        qtbot.mouseClick(page.try_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: not page.is_asking and page.outcome.text().startswith("⚠"), timeout=10_000)
        assert all(word in page.outcome.text() for word in words)
        assert page.try_button.isVisible()


def test_a_server_on_this_machine_is_offered_with_one_click(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LoopbackServer(json_answer({"data": [{"id": "tiny"}, {"id": "other"}]})) as server:
        monkeypatch.setattr(discovery, "DEFAULT_PORTS", {"LM Studio": server.port})
        dialog = open_settings(window, qtbot)
        page = summaries(dialog)
        qtbot.waitUntil(page.offer_box.isVisible)
        assert page.offer_text.text() == "LM Studio runs on this machine and offers tiny and 1 more."
        qtbot.mouseClick(page.use_offer, Qt.MouseButton.LeftButton)
        settled(dialog, qtbot)
    assert own_settings()["model"] == {
        "provider": "openai-compatible",
        "baseUrl": f"http://127.0.0.1:{server.port}/v1",
        "modelId": "tiny",
    }
    assert not page.offer_box.isVisible()
    qtbot.mouseClick(dialog.undo, Qt.MouseButton.LeftButton)
    settled(dialog, qtbot)
    assert own_settings() == {}


def test_a_key_that_is_used_is_kept(window: MainWindow, qtbot: QtBot, memory_keyring: MemoryKeyring) -> None:
    with LoopbackServer(chat("ready")) as server:
        write_own({"model": {"provider": "openai-compatible", "baseUrl": f"{server.url}/v1", "modelId": "m"}})
        dialog = open_settings(window, qtbot)
        page = summaries(dialog)
        qtbot.keyClicks(page.key.line, KEY)
        qtbot.mouseClick(page.try_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: page.outcome.text().startswith("✓"), timeout=10_000)
        qtbot.waitUntil(lambda: "from the system keyring" in page.key.state.text())
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert list(memory_keyring.kept.values()) == [KEY]
    assert page.key.line.text() == ""


def test_a_key_in_the_environment_is_named_and_one_in_the_keyring_can_be_removed(
    window: MainWindow, qtbot: QtBot, memory_keyring: MemoryKeyring, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory_keyring.kept["branchwork", "openrouter.ai"] = KEY
    monkeypatch.setenv("ANTHROPIC_API_KEY", "from-the-environment")
    dialog = open_settings(window, qtbot)
    page = summaries(dialog)
    choose(page.provider, "Anthropic", qtbot)
    qtbot.waitUntil(lambda: "environment variable ANTHROPIC_API_KEY" in page.key.state.text())
    assert not page.key.remove.isVisible()
    qtbot.keyClicks(page.key.line, "typed for Anthropic")
    choose(page.provider, "OpenRouter", qtbot)
    qtbot.waitUntil(lambda: "from the system keyring" in page.key.state.text())
    assert page.key.line.text() == "", "a key that was typed for one host must not go to another"
    qtbot.mouseClick(page.key.remove, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "No key for openrouter.ai yet" in page.key.state.text())
    assert memory_keyring.kept == {}


@pytest.fixture
def no_keyring() -> Iterator[None]:
    """A machine without any keyring."""
    from keyring.backends.fail import Keyring as NoKeyring

    before = keyring.get_keyring()
    keyring.set_keyring(NoKeyring())  # type: ignore[no-untyped-call]
    yield
    keyring.set_keyring(before)


@pytest.mark.usefixtures("no_keyring")
def test_without_a_keyring_the_way_out_is_named(window: MainWindow, qtbot: QtBot) -> None:
    dialog = open_settings(window, qtbot)
    page = summaries(dialog)
    choose(page.provider, "OpenRouter", qtbot)
    qtbot.waitUntil(lambda: "OPENROUTER_API_KEY" in page.key.state.text())
    qtbot.keyClicks(page.key.line, KEY)
    qtbot.mouseClick(page.key.save, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(page.key.problem.isVisible)
    assert "environment variable" in page.key.problem.text()
    assert KEY not in page.key.problem.text()


@pytest.mark.usefixtures("no_keyring")
def test_without_a_keyring_a_key_is_held_for_this_run_only(
    window: MainWindow, sample: Sample, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    """It is offered where keeping it failed, used by the requests, written nowhere, and can be taken away."""
    with LoopbackServer(chat("ready"), chat("## Goal\nDone.")) as server:
        write_own({"model": {"provider": "openai-compatible", "baseUrl": f"{server.url}/v1", "modelId": "m"}})
        pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
        dialog = open_settings(window, qtbot)
        page = summaries(dialog)
        key = page.key
        assert not key.hold_box.isVisible()
        qtbot.keyClicks(key.line, KEY)
        qtbot.mouseClick(key.save, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(key.hold.isVisible)
        assert "written nowhere" in key.hold_text.text()
        key.hold.setFocus()
        qtbot.keyClick(key.hold, Qt.Key.Key_Space)
        qtbot.waitUntil(lambda: "memory of this run" in key.state.text())
        assert key.line.text() == ""
        assert not key.hold_box.isVisible()
        assert not key.problem.isVisible()
        qtbot.mouseClick(page.try_button, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: page.outcome.text().startswith("✓"), timeout=10_000)
        dialog.accept()
        with qtbot.waitSignal(pane.runner.ended, timeout=10_000):
            pane.navigation.go("e547f69a", NavigationOptions(summarize=True))
        assert [request.headers["authorization"] for request in server.requests] == [f"Bearer {KEY}"] * 2
        written = [each for each in Path.home().rglob("*") if each.is_file()]
        assert written
        assert not any(KEY.encode() in each.read_bytes() for each in written)
        assert KEY not in caplog.text

        page = summaries(open_settings(window, qtbot))
        qtbot.waitUntil(page.key.remove.isVisible)
        qtbot.mouseClick(page.key.remove, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: "No key for" in page.key.state.text())


def test_an_address_without_encryption_needs_an_explicit_yes(window: MainWindow, qtbot: QtBot) -> None:
    write_own({"model": {"provider": "openai-compatible", "baseUrl": "http://models.example/v1", "modelId": "m"}})
    dialog = open_settings(window, qtbot)
    page = summaries(dialog)
    assert page.consent.isVisible()
    assert "models.example" in page.consent.box.accessibleName()
    qtbot.mouseClick(page.try_button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: "without encryption" in page.outcome.text())
    page.consent.box.setFocus()
    qtbot.keyClick(page.consent.box, Qt.Key.Key_Space)
    settled(dialog, qtbot)
    assert own_settings()["model"]["plainHttpHosts"] == ["models.example"]
    qtbot.keyClick(page.consent.box, Qt.Key.Key_Space)
    settled(dialog, qtbot)
    assert "plainHttpHosts" not in own_settings()["model"]
    assert not page.remote_consent.isVisible()
    write_line(page.rows["compaction.remoteEndpoint"], "http://summaries.example:8000/run", qtbot)
    settled(dialog, qtbot)
    assert "summaries.example:8000" in page.remote_consent.box.accessibleName()
    page.remote_consent.box.setFocus()
    qtbot.keyClick(page.remote_consent.box, Qt.Key.Key_Space)
    settled(dialog, qtbot)
    assert own_settings()["model"]["plainHttpHosts"] == ["summaries.example:8000"]


def test_another_model_brings_its_own_sizes(window: MainWindow, qtbot: QtBot) -> None:
    write_own({"model": {"provider": "anthropic", "modelId": "mine", "contextWindow": 9000}})
    dialog = open_settings(window, qtbot)
    page = summaries(dialog)
    line = page.model_editor.combo.lineEdit()
    assert line is not None
    line.setFocus()
    line.selectAll()
    qtbot.keyClicks(line, "claude-haiku-4-5")
    qtbot.keyClick(line, Qt.Key.Key_Return)
    settled(dialog, qtbot)
    assert own_settings()["model"] == {"provider": "anthropic", "modelId": "claude-haiku-4-5"}
    window_row = page.rows["model.contextWindow"]
    assert line_of(window_row).placeholderText() == "200,000"
    assert window_row.origin.text() == "As known for this model"


def test_no_provider_means_the_offline_digest(window: MainWindow, qtbot: QtBot) -> None:
    write_own({"model": {"provider": "anthropic", "modelId": "claude-haiku-4-5", "maxOutputTokens": 10}})
    dialog = open_settings(window, qtbot)
    page = summaries(dialog)
    choose(page.provider, "None: the offline digest", qtbot)
    settled(dialog, qtbot)
    assert own_settings() == {}
    assert "offline digest" in dialog.said.text()
    assert not page.trial_box.isVisible()


# --- Extensions ------------------------------------------------------------------------------------------------------


def test_extensions_are_listed_without_running_and_checked_on_request(window: MainWindow, qtbot: QtBot) -> None:
    folder = data_folder() / "extensions"
    folder.mkdir(parents=True)
    trace = folder / "ran.txt"
    (folder / "good.py").write_text(
        '"""Says what it sees."""\n'
        "from pathlib import Path\n"
        "from services.hooks import hookimpl\n"
        f"Path({str(trace)!r}).write_text('ran')\n"
        "@hookimpl\n"
        "def session_compact(event, ctx):\n"
        "    pass\n"
    )
    (folder / "broken.py").write_text("raise RuntimeError('not today')\n")
    dialog = open_settings(window, qtbot, "extensions")
    page = dialog.page("extensions")
    assert isinstance(page, ExtensionsPage)
    assert "trusted code" in page.about.text()
    qtbot.waitUntil(lambda: not page.is_computing)
    assert any("good" in text and "not loaded" in text for text in page.texts())
    assert not trace.exists()
    qtbot.mouseClick(page.load, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: any("loaded · session_compact" in text for text in page.texts()))
    assert trace.exists()
    assert any("not today" in text for text in page.texts())
    assert any("Says what it sees" in text for text in page.texts())


class ShownWindows(QObject):
    """The titles of all windows that are shown, however shortly."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            self.kinds.append(type(watched).__name__)
        return False


def test_no_part_of_the_dialog_flashes_up_as_a_window_of_its_own(window: MainWindow, qtbot: QtBot) -> None:
    shown = ShownWindows()
    application = QApplication.instance()
    assert application is not None
    application.installEventFilter(shown)
    write_own({"model": {"provider": "anthropic", "modelId": "m"}})
    dialog = open_settings(window, qtbot)
    for name in PAGE_NAMES:
        dialog.show_page(name)
        qtbot.wait(1)
    application.removeEventFilter(shown)
    assert shown.kinds == ["SettingsDialog"]


def test_the_dialog_is_used_by_keyboard_alone(window: MainWindow, qtbot: QtBot) -> None:
    dialog = open_settings(window, qtbot)
    dialog.search.setFocus()
    reached: set[str] = set()
    order: list[QWidget] = []
    for _ in range(60):
        focused = QApplication.focusWidget()
        assert isinstance(focused, QWidget)
        order.append(focused)
        reached.add(focused.accessibleName() or type(focused).__name__)
        qtbot.keyClick(focused, Qt.Key.Key_Tab)
        if QApplication.focusWidget() is dialog.search:
            break
    assert {"Find a setting", "Pages", "Settings of", "Provider"} <= reached
    assert order.index(dialog.list) < order.index(summaries(dialog).provider) < order.index(dialog.close_button)
    dialog.list.setFocus()
    for _ in PAGE_NAMES[1:]:
        qtbot.keyClick(dialog.list, Qt.Key.Key_Down)
    assert dialog.stack.currentWidget() is dialog.page(PAGE_NAMES[-1])
    assert dialog.stack.currentWidget().mapTo(dialog, QPoint(0, 0)).x() > 0


def test_the_buttons_below_come_last_whatever_is_made_later(window: MainWindow, qtbot: QtBot) -> None:
    dialog = open_settings(window, qtbot)
    page = summaries(dialog)
    late_line, late_label = QLineEdit(), QLabel("made when everything else was there")
    page.column.addWidget(late_line)
    page.column.addWidget(late_label)
    qtbot.waitUntil(late_line.isVisible)
    late_line.setFocus()
    qtbot.keyClick(late_line, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is dialog.close_button
    qtbot.keyClick(dialog.close_button, Qt.Key.Key_Backtab)
    assert QApplication.focusWidget() is late_line
    dialog.undo.setEnabled(True)
    qtbot.keyClick(late_line, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is dialog.undo
    qtbot.keyClick(dialog.undo, Qt.Key.Key_Tab)
    qtbot.keyClick(dialog.close_button, Qt.Key.Key_Tab)
    assert QApplication.focusWidget() is dialog.search


def test_the_documentation_names_every_key_with_its_default() -> None:
    text = (Path(__file__).parents[2] / "docs" / "settings.md").read_text("utf-8")
    rows = {cells[1].strip(): cells[3].strip() for line in text.splitlines() if len(cells := line.split("|")) == 6}
    for key in setting_keys({}):
        default = "unset" if key.default is None else f"`{json.dumps(key.default)}`"
        assert rows.get(f"`{key.name}`") == default, key.name
    assert all(f"`{name}`" in rows for name in table_names())
