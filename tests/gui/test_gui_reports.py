"""The field reports of topic G: desktops, scales, keyboards, screen readers, closing. Each test names the reports.

G03 is in test_accessibility, G04 also in test_pictures, G05 also in test_contrast, G09 and G12 also in test_jumps, G11
also in test_search.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QAbstractAnimation, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QFontMetrics, QGuiApplication, QInputMethodEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from gui.icons import icon
from gui.main_window import MainWindow
from gui.theme import DARK, LIGHT, current_theme
from gui.widgets import displayable
from tests.gui.conftest import open_session, settle

Sample = Callable[[str], Path]
ROOT = Path(__file__).parents[2]
FAMILY = "👩‍👩‍👧‍👦"
GLYPHS = f"{FAMILY} fin 𝕏 e\u0301 🏳️‍🌈 ก็ 你好 "


# --- G01: input methods ----------------------------------------------------------------------------------------------


def compose(widget: QWidget, qtbot: QtBot) -> None:
    """Type Chinese as an input method does: first what is being composed, then what was chosen."""
    widget.setFocus()
    qtbot.waitUntil(widget.hasFocus)
    assert widget.testAttribute(Qt.WidgetAttribute.WA_InputMethodEnabled)
    QApplication.sendEvent(widget, QInputMethodEvent("nihao", []))
    chosen = QInputMethodEvent("", [])
    chosen.setCommitString("你好")
    QApplication.sendEvent(widget, chosen)


def test_g01_an_input_method_reaches_every_field(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """G01: search, composer, palette and library take what is composed, and only what was chosen stays."""
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    window.activateWindow()
    pane.open_search()
    compose(pane.search_bar.text, qtbot)
    assert pane.search_bar.text.text() == "你好"
    settle(pane, qtbot)
    compose(pane.composer.text, qtbot)
    assert pane.composer.text.toPlainText() == "你好"
    window.assistance.open_palette()
    palette = window.assistance.palette
    assert palette is not None
    compose(palette.pattern, qtbot)
    assert palette.pattern.text() == "你好"
    assert palette.isVisible()
    palette.close_palette()


def test_g01_what_fcitx_needs_is_documented() -> None:
    """G01: the packages of Qt for Python bring ibus along, and no fcitx."""
    text = (ROOT / "docs" / "tour.md").read_text("utf-8")
    assert "fcitx" in text
    assert "QT_IM_MODULE=ibus" in text


# --- G04: scales -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0, 3.0])
def test_g04_icons_are_drawn_at_the_scale_of_the_screen(qapp: QApplication, ratio: float) -> None:
    """G04: as many pixels as the screen has there, none enlarged."""
    pixmap = icon("branches").pixmap(QSize(16, 16), ratio)
    assert pixmap.width() == round(16 * ratio)
    assert pixmap.devicePixelRatio() == ratio
    image = pixmap.toImage()
    solid = sum(image.pixelColor(x, y).alpha() > 200 for x in range(image.width()) for y in range(image.height()))
    smooth = sum(0 < image.pixelColor(x, y).alpha() < 200 for x in range(image.width()) for y in range(image.height()))
    assert solid > 0
    if ratio >= 2:
        assert smooth < 2.5 * solid, "an enlarged picture is mostly smooth edges"


# --- G05: colours, switched live -------------------------------------------------------------------------------------


def test_g05_the_window_follows_the_desktop_until_a_theme_is_chosen(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot
) -> None:
    """G05: the desktop turns dark while the window is open."""
    hints = QGuiApplication.styleHints()
    monkeypatch.setattr("gui.main_window.system_theme", lambda: DARK)
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    qtbot.waitUntil(lambda: current_theme() is DARK and window.updatesEnabled())
    light = window.findChild(QAction, "theme_light")
    assert light is not None
    light.trigger()
    qtbot.waitUntil(lambda: current_theme() is LIGHT and window.updatesEnabled())
    hints.colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    qtbot.wait(50)
    assert current_theme() is LIGHT


# --- G06: closing in every phase -------------------------------------------------------------------------------------

CLOSING = """
import json, os, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from gui.application import make_application, make_window, settle
from services.operations import CompactionOptions
phase, path = sys.argv[1], Path(sys.argv[2])
application = make_application(["branchwork"])
window = make_window(application)
window.show()
settle(window)
window.open_file(path)

def at(condition, act):
    def look():
        if condition():
            act()
        else:
            QTimer.singleShot(5, look)
    look()

def close():
    print(json.dumps({"phase": phase, "threads": True}))
    window.close()

def pane():
    return window.pane

def run():
    pane().compaction.compact(CompactionOptions(keep_recent_tokens=5000))
    at(lambda: pane().runner.is_running, lambda: QTimer.singleShot(150, close))

def search():
    pane().open_search()
    pane().search_bar.text.setText("a")
    QTimer.singleShot(0, close)

def settings():
    window.assistance.open_settings("summaries")
    at(lambda: window.assistance.settings_dialog is not None, close)

ready = lambda: pane() is not None and pane().document.session is not None
if phase == "starting":
    QTimer.singleShot(0, close)
elif phase == "loading":
    at(lambda: pane() is not None, close)
elif phase == "laid out":
    window.session_shown.connect(close)
else:
    acts = {"ready": close, "running": run, "searching": search, "settings": settings}
    window.session_ready.connect(lambda: QTimer.singleShot(0, acts[phase]))
sys.exit(application.exec())
"""


@pytest.mark.parametrize("phase", ["starting", "loading", "laid out", "ready", "searching", "settings", "running"])
def test_g06_a_process_that_is_closed_ends_well(sample: Sample, own_folders: Path, phase: str) -> None:
    """G06: exit code 0 and not a word on the way out; the file is as it was."""
    path = sample("real-v3-before-compaction.jsonl")
    before = path.read_bytes()
    model = {"provider": "openai-compatible", "baseUrl": "http://127.0.0.1:9/v1", "modelId": "m"}
    config = Path(os.environ["BRANCHWORK_HOME"]) / "config"
    config.mkdir(parents=True, exist_ok=True)
    (config / "settings.json").write_text(json.dumps({"model": model}), "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", CLOSING, phase, str(path)],
        cwd=ROOT, capture_output=True, text=True, timeout=100, check=False,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )  # fmt: skip
    said = [line for line in done.stderr.splitlines() if "does not support" not in line and "keyring" not in line]
    assert done.returncode == 0, done.stderr[-2000:]
    assert json.loads(done.stdout)["phase"] == phase
    assert said == []
    assert path.read_bytes() == before


# --- G09: getting about ----------------------------------------------------------------------------------------------


def test_g09_the_keys_of_the_selected_row_work(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """G09: a key that is written in a menu does what it says, from the tree: here, the one that copies the id."""
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    window.activateWindow()
    assert pane.select_id("e547f69a")
    pane.tree.setFocus()
    QTest.keySequence(pane.tree, window.going.copy_id.shortcuts()[0])
    assert QApplication.clipboard().text() == "e547f69a"
    assert window.going.copy_id.shortcuts() == [QKeySequence("Ctrl+Shift+J")]


# --- G11: characters of several units --------------------------------------------------------------------------------


def session_of(texts: list[str], path: Path) -> Path:
    header = {"type": "session", "version": 3, "id": "s", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/tmp"}
    records: list[dict[str, object]] = [header]
    for number, text in enumerate(texts):
        records.append(
            {
                "type": "message",
                "id": f"e{number:07d}",
                "parentId": f"e{number - 1:07d}" if number else None,
                "timestamp": "2026-01-01T00:00:00.000Z",
                "message": {"role": "user", "content": [{"type": "text", "text": text}], "timestamp": 0},
            }
        )
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def test_g11_rows_keep_their_characters_whole(window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
    """G11: in the row, in what is read aloud, in the inspector; at any width a row is cut between characters."""
    text = GLYPHS * 30
    pane = open_session(window, session_of([GLYPHS, text], tmp_path / "glyphs.jsonl"), qtbot)
    model = pane.document.model
    index = model.index(0, 0)
    content = model.content(index)
    assert content is not None
    assert content.preview.text == GLYPHS.strip()
    assert GLYPHS.strip() in content.spoken(0, 1)
    assert displayable(GLYPHS) == GLYPHS
    metrics = QFontMetrics(pane.tree.font())
    for width in range(20, 400, 7):
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width)
        shown.encode("utf-8")  # half a pair could not be encoded
        assert text.startswith(shown.removesuffix("…"))
    pane.tree.resize(240, 300)
    assert not pane.tree.grab().isNull()


# --- G12: the menu of a row ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("corner", ["top left", "top right", "bottom left", "bottom right"])
def test_g12_the_menu_opens_at_the_pointer_and_on_the_screen(
    window: MainWindow, sample: Sample, qtbot: QtBot, corner: str
) -> None:
    """G12: in the corners of the tree, of a window in the corner of the screen."""
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    screen = window.screen().availableGeometry()
    window.resize(min(700, screen.width()), min(500, screen.height()))
    window.move(
        screen.left() if "left" in corner else screen.right() - window.width() + 1,
        screen.top() if "top" in corner else screen.bottom() - window.height() + 1,
    )
    qtbot.wait(1)
    viewport = pane.tree.viewport()
    rows = [number for number in range(0, viewport.height(), 4) if pane.tree.indexAt(QPoint(5, number)).isValid()]
    point = QPoint(3 if "left" in corner else viewport.width() - 3, rows[0] if "top" in corner else rows[-1])
    pointer = viewport.mapToGlobal(point)
    QApplication.sendEvent(viewport, QContextMenuEvent(QContextMenuEvent.Reason.Mouse, point, pointer))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    place = menu.geometry()
    menu.close()
    assert screen.contains(place)
    assert place.adjusted(-2, -2, 2, 2).contains(pointer), "it touches the pointer"


# --- Reduced motion --------------------------------------------------------------------------------------------------


def test_nothing_moves_by_itself(window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
    """There is no animation, so that who asks for less motion has it: not in the tree, nor in a bar without an end."""
    pane = open_session(window, sample("real-v3-branched.jsonl"), qtbot)
    assert not pane.tree.isAnimated()
    pane.banner.show_progress("Reading…", 0, 0, "Stop", lambda: None)
    assert not pane.banner.progress.isVisible()
    pane.banner.show_progress("Reading…", 1, 2, "Stop", lambda: None)
    assert pane.banner.progress.isVisible()
    pane.tabs.setCurrentWidget(pane.navigate_tab)
    settle(pane, qtbot)
    moving = [each for each in window.findChildren(QAbstractAnimation) if each.state() == each.State.Running]
    assert moving == []
    pane.banner.hide()
    for source in (ROOT / "gui").rglob("*.py"):
        code = source.read_text("utf-8")
        assert "QPropertyAnimation" not in code, source
        assert "setRange(0, 0)" not in code, source
