"""The texts of the window: all can be translated, Turkish is complete, and the window mirrors for right-to-left."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QLibraryInfo, QLocale, QRect, QSettings, Qt
from PySide6.QtGui import QAction, QColor, QImage, QKeySequence
from PySide6.QtWidgets import QApplication, QLabel, QMenu
from pytestqt.qtbot import QtBot

from gui.fuzzy import folded
from gui.language_menu import LanguageMenu
from gui.main_window import MainWindow
from gui.row_content import entry_name
from gui.session_pane import SessionPane
from gui.theme import LIGHT, apply_theme, current_theme
from gui.translation import KEY_NAMES, install_translation, languages, own_name
from services.recent_files import RecentFiles
from tests import sentences
from tests.gui.conftest import open_session, settle

Sample = Callable[[str], Path]
Text = tuple[str, str]
"""A context and a source text."""

ROOT = Path(__file__).parents[2]
TURKISH = ROOT / "resources" / "translations" / "branchwork_tr.ts"
SOURCES = sorted(path for path in (ROOT / "gui").rglob("*.py") if "command_line" not in path.parts)

SHOWING = re.compile(
    r"set(Text|ToolTip|StatusTip|WhatsThis|WindowTitle|PlaceholderText|Accessible(Name|Description)|Title|Suffix|Prefix"
    r"|SpecialValueText|PlainText|HeaderLabels|HorizontalHeaderLabels|TabText|NameFilters?)"
    r"|add(Action|Menu|Tab|Button)|showMessage|label|Q(Label|PushButton|CheckBox|RadioButton|Action|GroupBox|Menu)"
)
"""Calls that show their first texts to the user."""

SAME_IN_TURKISH = {"JSON", "&JSON", "&Markdown", "ms", "Model", "model", "Ctrl+Enter", *KEY_NAMES}


@pytest.fixture(scope="module")
def fresh(tmp_path_factory: pytest.TempPathFactory) -> ET.Element:
    """What lupdate finds in the sources now."""
    folder = tmp_path_factory.mktemp("texts")
    out, made_elsewhere = folder / "fresh.ts", folder / "sentences.py"
    made_elsewhere.write_text(sentences.collection(), "utf-8")
    files = [*(str(path.relative_to(ROOT)) for path in sorted((ROOT / "gui").rglob("*.py"))), str(made_elsewhere)]
    tool = Path(sys.executable).with_name("pyside6-lupdate")
    subprocess.run([tool, *files, "-silent", "-ts", out, "-locations", "none"], cwd=ROOT, check=True, timeout=60)
    return ET.parse(out).getroot()


@pytest.fixture
def mirrored(qapp: QApplication) -> Iterator[QApplication]:
    """The application, laid out from right to left for one test."""
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    yield qapp
    qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)


def messages(root: ET.Element) -> Iterator[tuple[Text, ET.Element]]:
    for context in root.iter("context"):
        for message in context.iter("message"):
            yield (context.findtext("name", ""), message.findtext("source", "")), message


def make_window(folder: Path, qtbot: QtBot) -> MainWindow:
    apply_theme(QApplication.instance(), LIGHT)  # type: ignore[arg-type]
    made = MainWindow(QSettings(str(folder / "w.ini"), QSettings.Format.IniFormat), RecentFiles(folder / "recent.json"))
    made.resize(1440, 900)
    made.show()
    qtbot.waitExposed(made)
    return made


# All texts can be translated


def calls_of(path: Path) -> Iterator[tuple[ast.Call, str, str]]:
    """Each call in a file with the name that is called and the class around it."""
    pending: list[tuple[ast.AST, str]] = [(ast.parse(path.read_text("utf-8")), "")]
    while pending:
        node, around = pending.pop()
        if isinstance(node, ast.ClassDef):
            around = node.name
        if isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            yield node, name, around
        pending += [(child, around) for child in ast.iter_child_nodes(node)]


def texts_of(path: Path) -> Iterator[Text]:
    """The texts that a file asks to be translated; fails on one that no tool could find."""
    for call, name, around in calls_of(path):
        where = f"{path.name}:{call.lineno}"
        if name == "tr":
            assert ast.unparse(call.func) == "self.tr", f"{where}: tr() of another object has no known context"
            arguments = [ast.Constant(around), *call.args[:1]]
        elif name == "translate" and "painter" not in ast.unparse(call.func):
            if ast.unparse(call.args[0]) == "SENTENCES":
                continue  # what model and services say: tests/sentences.py
            arguments = call.args[:2]
        else:
            continue
        literals = [each.value for each in arguments if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        assert len(literals) == 2, f"{where}: the text is no literal"
        yield literals[0], literals[1]


def bare_words(value: ast.AST) -> list[str]:
    """The words in an argument that are neither inside a further call nor compared with something."""
    found: list[str] = []
    pending = [value]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Call | ast.Compare):
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(r"[A-Za-z]{2}", node.value):
            found.append(node.value)
        pending += ast.iter_child_nodes(node)
    return found


def test_every_text_that_is_asked_for_is_found_by_the_tool(fresh: ET.Element) -> None:
    found = {text for text, _message in messages(fresh)}
    asked = {text for path in SOURCES for text in texts_of(path)}
    asked |= {(sentences.CONTEXT, template) for template in sentences.templates()}
    assert len(asked) > 800
    assert asked - found == set()


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_no_words_are_shown_that_cannot_be_translated(path: Path) -> None:
    shown = [
        f"{call.lineno}: {words}"
        for call, name, _around in calls_of(path)
        if SHOWING.fullmatch(name)
        for argument in call.args
        if (words := [each for each in bare_words(argument) if each.strip(" —") != "Branchwork"])
    ]
    assert shown == []


def test_bare_words_are_seen() -> None:
    call = ast.parse("label(f'Reading {name}' if name else self.tr('Nothing'))").body[0]
    assert isinstance(call, ast.Expr)
    assert isinstance(call.value, ast.Call)
    assert bare_words(call.value.args[0]) == ["Reading "]


# Turkish


def test_turkish_is_complete(fresh: ET.Element) -> None:
    committed = dict(messages(ET.parse(TURKISH).getroot()))
    wanted = {text for text, _message in messages(fresh)}
    assert wanted - committed.keys() == set(), "run `make translations` and translate what is new"
    assert committed.keys() - wanted == set(), "run `make translations`: these texts are gone"
    unfinished = [
        text
        for text, message in committed.items()
        if (done := message.find("translation")) is None or done.get("type") or not (done.text or "").strip()
    ]
    assert unfinished == []
    untouched = {source for (_, source), message in committed.items() if message.findtext("translation") == source}
    assert untouched - SAME_IN_TURKISH == set()


def test_placeholders_and_mnemonics_are_those_of_the_source() -> None:
    for (_context, source), message in messages(ET.parse(TURKISH).getroot()):
        text = message.findtext("translation", "")
        assert Counter(re.findall(r"\{\d*\}", text)) == Counter(re.findall(r"\{\d*\}", source)), source
        assert text.count("&") == source.count("&"), source
        assert source.endswith("…") == text.endswith("…"), source
        assert (source[:1] == " ", source[-1:] == " ") == (text[:1] == " ", text[-1:] == " "), source
        text.format(*"0123456789")


def test_the_compiled_file_is_made_of_the_committed_texts(turkish: QApplication) -> None:
    for (context, source), message in messages(ET.parse(TURKISH).getroot()):
        assert turkish.translate(context, source) == message.findtext("translation"), source


def actions_below(menu: QMenu) -> Iterator[QAction]:
    for action in menu.actions():
        if action.isSeparator():
            continue
        yield action
        below = action.menu()
        if isinstance(below, QMenu):
            yield from actions_below(below)


def test_the_window_starts_in_turkish(turkish: QApplication, tmp_path: Path, sample: Sample, qtbot: QtBot) -> None:
    window = make_window(tmp_path, qtbot)
    translated = {message.findtext("translation") for _text, message in messages(ET.parse(TURKISH).getroot())}
    own_names = {own_name(code) for code in languages()}
    tops = [action.menu() for action in window.menuBar().actions()]
    menus = [menu for menu in tops if isinstance(menu, QMenu)]
    titles = [menu.title() for menu in menus]
    assert titles == ["&Dosya", "&Git", "Görünü&m", "&Oturum", "&Yardım"]
    texts = [action.text() for menu in menus for action in actions_below(menu)]
    assert len(texts) > 40
    assert set(texts) - translated - own_names == set()
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    tabs = [pane.tabs.tabText(number) for number in range(pane.tabs.count())]
    assert tabs[:2] == ["Kayıt", "Bağlam"]
    assert set(tabs) <= translated
    model = pane.document.model
    columns = [model.headerData(number, Qt.Orientation.Horizontal) for number in range(model.columnCount())]
    assert columns == ["Kayıt", "Token", "Bağlam", "Maliyet", "Saat"]
    content = model.content(model.index(0, 0))
    assert content is not None
    assert content.name in translated | {content.preview.name}
    assert entry_name("user", "user") == "kullanıcı"
    assert entry_name("tool", "user") == "user"  # a tool may have any name, which stays
    window.close()


def shared_letters(top: QMenu) -> dict[str, list[str]]:
    """The letters that choose more than one entry of a menu or of one below it."""
    shared: dict[str, list[str]] = {}
    pending = [top]
    while pending:
        menu = pending.pop()
        letters = [match[1].casefold() for each in menu.actions() if (match := re.search("&(.)", each.text()))]
        if twice := [letter for letter, count in Counter(letters).items() if count > 1]:
            shared[menu.title()] = twice
        pending += [below for each in menu.actions() if isinstance(below := each.menu(), QMenu)]
    return shared


@pytest.mark.parametrize("language", ["en", "tr"])
@pytest.mark.parametrize("menu_number", range(5))
def test_no_two_entries_of_a_menu_share_a_letter(
    menu_number: int, language: str, request: pytest.FixtureRequest, tmp_path: Path, qtbot: QtBot
) -> None:
    if language == "tr":
        request.getfixturevalue("turkish")
    window = make_window(tmp_path, qtbot)
    top = window.menuBar().actions()[menu_number].menu()
    assert isinstance(top, QMenu)
    assert shared_letters(top) == {}
    window.close()


@pytest.mark.parametrize("language", ["en", "tr"])
def test_no_two_entries_of_the_menu_of_a_row_share_a_letter(
    language: str, request: pytest.FixtureRequest, tmp_path: Path, qtbot: QtBot
) -> None:
    if language == "tr":
        request.getfixturevalue("turkish")
    window = make_window(tmp_path, qtbot)
    known = set(window.findChildren(QMenu))
    window.going.show_row_menu(window.rect().center())
    (menu,) = set(window.findChildren(QMenu)) - known
    assert len(menu.actions()) > 5
    assert shared_letters(menu) == {}
    menu.close()
    window.close()


def test_keys_are_called_what_is_printed_on_them(turkish: QApplication) -> None:
    native = QKeySequence.SequenceFormat.NativeText
    assert QKeySequence("Ctrl+Shift+Esc").toString(native) == "Ctrl+Shift+Esc"
    assert QKeySequence(Qt.Key.Key_Left).toString(native) == "Sol"


def test_the_i_of_turkish_is_found_however_it_is_typed() -> None:
    assert folded("İLETİ KUTUSU") == folded("ileti kutusu") == "ileti kutusu"
    assert folded("Kısayol") == folded("KISAYOL") == "kisayol"


def test_a_language_that_is_not_there_falls_back_to_english(qapp: QApplication) -> None:
    before = QLocale()
    assert install_translation(qapp, "xx") == "en"
    assert qapp.translate("MainWindow", "&File") == "&File"
    QLocale.setDefault(before)


@pytest.mark.skipif(
    not Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath), "qtbase_tr.qm").exists(),
    reason="this Qt comes without translations of its own",
)
def test_qt_speaks_the_language_too(turkish: QApplication) -> None:
    cancel = turkish.translate("QPlatformTheme", "Cancel")
    assert cancel != "Cancel"
    ours = turkish.translate("PruneDialog", "Cancel"), turkish.translate("ExportDialog", "Ca&ncel").replace("&", "")
    assert ours == (cancel, cancel), "a button has one name, whoever made it"


def test_the_menu_keeps_the_language(qtbot: QtBot, tmp_path: Path) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    settings = QSettings(str(tmp_path / "w.ini"), QSettings.Format.IniFormat)
    chooser = LanguageMenu(menu, settings)
    choices = {each.objectName(): each for each in menu.findChildren(QAction)}
    assert choices["language_system"].isChecked()
    with qtbot.waitSignal(chooser.said):
        choices["language_tr"].trigger()
    assert settings.value("language") == "tr"


# Right to left


def row_picture(pane: SessionPane, row: int) -> tuple[QImage, QRect]:
    where = pane.tree.visualRect(pane.document.model.index_of(row))
    viewport = pane.tree.viewport()
    return viewport.grab(QRect(0, where.top(), viewport.width(), where.height())).toImage(), where


def columns_of(picture: QImage, color: str) -> list[int]:
    """The x of every pixel in exactly this colour on the middle line."""
    wanted = QColor(color).rgb()
    y = picture.height() // 2
    return [x for x in range(picture.width()) if picture.pixel(x, y) == wanted]


def cut_row(pane: SessionPane, qtbot: QtBot) -> int:
    pane.tabs.setCurrentWidget(pane.compaction_tab)
    settle(pane, qtbot)
    pane.compaction_tab.keep.setValue(2000)
    settle(pane, qtbot)
    rows = (pane.document.model.index(number, 0) for number in range(pane.document.model.rowCount()))
    found = next(index for index in rows if (content := pane.document.model.content(index)) and content.is_cut)
    pane.tree.scrollTo(found, pane.tree.ScrollHint.PositionAtCenter)
    row = pane.document.model.entry_row(found)
    assert row is not None
    return row


def test_a_row_is_mirrored(qapp: QApplication, tmp_path: Path, sample: Sample, qtbot: QtBot) -> None:
    """Gutter, trunk line, cell and columns change sides; the same row, seen from the other end."""
    path = sample("real-v3-branched.jsonl")
    seen: dict[Qt.LayoutDirection, tuple[QRect, list[int], list[int], int]] = {}
    try:
        for direction in (Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft):
            qapp.setLayoutDirection(direction)
            (folder := tmp_path / direction.name).mkdir()
            window = make_window(folder, qtbot)
            pane = open_session(window, path, qtbot)
            row = cut_row(pane, qtbot)
            picture, where = row_picture(pane, row)
            theme = current_theme()
            seen[direction] = (
                where,
                columns_of(picture, theme.kept),
                columns_of(picture, theme.accent),
                picture.width(),
            )
            window.close()
    finally:
        qapp.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
    where, gutter, trunk, width = seen[Qt.LayoutDirection.LeftToRight]
    mirrored_where, mirrored_gutter, mirrored_trunk, mirrored_width = seen[Qt.LayoutDirection.RightToLeft]
    assert width == mirrored_width
    assert gutter
    assert trunk
    assert mirrored_where.width() == where.width()
    assert mirrored_where.left() == width - 1 - where.right()
    assert mirrored_gutter == [width - 1 - x for x in reversed(gutter)]
    assert mirrored_trunk == [width - 1 - x for x in reversed(trunk)]


def test_panes_change_sides(mirrored: QApplication, tmp_path: Path, sample: Sample, qtbot: QtBot) -> None:
    window = make_window(tmp_path, qtbot)
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    assert pane.tree.isRightToLeft()
    assert pane.tabs.isRightToLeft()
    bar = window.menuBar()
    edges = [bar.actionGeometry(action).left() for action in bar.actions()]
    assert edges == sorted(edges, reverse=True)
    assert "border-right: 3px" in mirrored.styleSheet()
    window.close()


def test_labels_stand_where_the_interface_begins_whatever_their_script(
    mirrored: QApplication, tmp_path: Path, sample: Sample, qtbot: QtBot
) -> None:
    window = make_window(tmp_path, qtbot)
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    title = next(each for each in pane.compaction_tab.findChildren(QLabel) if each.wordWrap() and each.text())
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignAbsolute
    assert title.alignment() & right == right
    window.close()
