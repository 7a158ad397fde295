"""What model and services say, in a window that speaks Turkish."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gui.main_window import MainWindow
from gui.number_text import clock, full_time
from gui.translation import shown
from model.sentences import Sentence, told
from services import session_store
from services.export_secrets import ExportHeldBack, FoundSecret
from services.operations import CompactionOptions
from services.secrets_scan import find_secrets
from services.session_events import Event, RetryScheduled
from services.system_errors import os_reason
from tests import sentences
from tests.gui.conftest import click_entry, forget_texts, open_session, settle
from tests.gui.test_turns import set_up_model
from tests.services.loopback_server import LoopbackServer, Script, answer, json_answer

Sample = Callable[[str], Path]
LONG = "real-v3-before-compaction.jsonl"
PAGE = "<html><head></head><body>Login</body></html>"
UNAUTHORIZED = json_answer({"error": {"message": "bad key"}}, "401 Unauthorized")
BUSY = json_answer({"error": {"message": "slow down"}}, "429 Too Many Requests", "retry-after: 40")


def compaction_fails(window: MainWindow, path: Path, script: Script, qtbot: QtBot) -> str:
    """Compact with a model behind `script`; return what the banner says then."""
    with LoopbackServer(script) as server:
        set_up_model(server.url)
        pane = open_session(window, path, qtbot)
        with qtbot.waitSignal(pane.runner.ended, timeout=20_000):
            pane.compaction.compact(CompactionOptions(keep_recent_tokens=5000))
        settle(pane, qtbot)
        host = server.url.removeprefix("http://")
    assert pane.banner.isVisible()
    return pane.banner.text.text().replace(host, "HOST")


@pytest.mark.usefixtures("turkish")
class TestInTheWindow:
    @pytest.mark.parametrize(
        ("script", "said"),
        [
            (
                UNAUTHORIZED,
                "HOST şu yanıtı verdi: 401 Unauthorized: bad key. Ayarlardaki anahtarı denetleyin.",
            ),
            (
                answer(PAGE, "text/html", "404 Not Found"),
                "HOST şu yanıtı verdi: 404 Not Found: yanıt yerine bir web sayfası. "
                "Ayarlardaki adresi ve model kimliğini denetleyin.",
            ),
            (answer(PAGE, "text/html"), f"HOST, JSON olmayan bir şey gönderdi: {PAGE}"),
        ],
        ids=["no right", "a web page as a failure", "a web page as the answer"],
    )
    def test_an_endpoint_that_refuses(
        self, script: Script, said: str, window: MainWindow, sample: Sample, qtbot: QtBot
    ) -> None:
        assert compaction_fails(window, sample(LONG), script, qtbot) == said

    def test_a_busy_endpoint_with_a_countdown(self, window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
        with LoopbackServer(BUSY) as server:
            set_up_model(server.url)
            pane = open_session(window, sample(LONG), qtbot)
            heard: list[Event] = []
            pane.runner.reported.connect(heard.append)
            pane.compaction.compact(CompactionOptions(keep_recent_tokens=5000))
            qtbot.waitUntil(lambda: any(isinstance(event, RetryScheduled) for event in heard), timeout=10_000)
            qtbot.waitUntil(lambda: "sn sonra yeniden denenecek" in pane.runner.title, timeout=10_000)
            line = pane.work.log.lines[-1]
            assert "şu yanıtı verdi: 429 Too Many Requests: slow down." in line
            assert line.endswith("40 sn sonra yeniden denenecek (1 / 2)")
            with qtbot.waitSignal(pane.runner.ended, timeout=10_000):
                pane.runner.stop()

    def test_a_full_disk(
        self, window: MainWindow, sample: Sample, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        pane = open_session(window, sample(LONG), qtbot)

        def refuse(path: Path, *_: object, **_more: object) -> None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

        monkeypatch.setattr(session_store, "append_bytes", refuse)
        session = pane.document.session
        assert session is not None
        asked = next(entry for entry in session.snapshot().path(session.leaf_id) if entry["type"] == "message")
        click_entry(pane, asked["id"], qtbot)
        with qtbot.waitSignal(pane.runner.ended, timeout=10_000):
            pane.edits.set_label("x")
        assert pane.banner.text.text() == "Hiçbir şey kaydedilmedi: Aygıtta boş yer kalmadı."
        assert pane.banner.text.accessibleName() == pane.banner.text.text()

    def test_a_damaged_file(self, window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
        path = sample(LONG)
        path.write_bytes(path.read_bytes() + b"[1]\n" + b"\0" * 4000 + b"\n{\n" * 2)
        pane = open_session(window, path, qtbot)
        store = pane.document.store
        assert store is not None
        said = {shown(problem.message) for problem in store.problems}
        assert "Bu satırda nesne olmayan bir JSON değeri var." in said
        assert "Burada, bir çökmenin bıraktığı türden 4.000 NUL baytı var." in said
        assert all(is_translated(pane.problems_tab.list.text(problem)) for problem in store.problems)

    def test_a_file_that_is_no_session(self, window: MainWindow, tmp_path: Path, qtbot: QtBot) -> None:
        path = tmp_path / "notes.jsonl"
        path.write_text("Not a session.\n", "utf-8")
        with qtbot.waitSignal(window.session_failed, timeout=10_000) as failed:
            window.open_file(path)
        assert failed.args == ["Bu dosya bir oturum değil: ne oturum başlığı ne de kayıt içeriyor."]

    def test_nobody_could_be_asked_about_an_export(self) -> None:
        secret = find_secrets("the key sk-ant-aB3dE5gH7jK9mN1pQ3sT5vW7 is here")[0]
        held = ExportHeldBack([FoundSecret(None, secret), FoundSecret("e1", secret)])
        assert shown(told(held)) == (
            "Dışa aktarılan dosyada gizli bilgiye benzeyen şeyler olurdu (2 × Anthropic anahtarı; yeri: başlık, e1); "
            "hiçbir şey yazılmadı."
        )
        assert shown(secret.preview) == "sk-a… (31 karakter)"
        assert str(held).startswith("The export would hold what looks like secrets (2 × Anthropic key; in the header")

    def test_the_writer_of_summaries(self, window: MainWindow, sample: Sample, qtbot: QtBot) -> None:
        pane = open_session(window, sample(LONG), qtbot)
        assert window.status.summarizer.text() == "Özetler: çevrimdışı derleme"
        assert pane.document.session is not None


@pytest.mark.usefixtures("turkish")
class TestShown:
    def test_other_texts_stay(self) -> None:
        assert shown("No such file or directory") == "No such file or directory"
        assert shown(Sentence("{0}: {1}", "a", "b")) == "a: b"

    def test_what_is_inside_is_translated_too(self) -> None:
        reason = os_reason(PermissionError(errno.EACCES, os.strerror(errno.EACCES), "x"))
        assert shown(Sentence("{0}: {1}.", "x", reason)) == "x: Erişim izni yok."
        assert shown(Sentence("Reading {0} messages", 12_345)) == "12.345 ileti okunuyor"

    def test_a_reason_that_is_not_of_the_system_stays(self) -> None:
        assert os_reason(OSError(errno.EACCES, "a word of our own")) == "a word of our own"
        assert os_reason(OSError()) == "OSError"
        assert os_reason(OSError("odd")) == "odd"


def is_translated(text: str) -> bool:
    """Whether none of the English templates is left in a text."""
    return not any(template in text for template in sentences.templates() if len(template) > 20)


def test_english_stays_english(qapp: QApplication) -> None:
    sentence = Sentence("Nothing was saved: {0}.", Sentence("Permission denied"))
    assert shown(sentence) == "Nothing was saved: Permission denied."


def test_times_are_written_in_the_digits_of_the_locale(qapp: QApplication) -> None:
    noon = int(datetime(2026, 3, 1, 12, 34).timestamp() * 1000)
    before = QLocale()
    try:
        for language, written in (("ar_EG", "\u0661\u0662:\u0663\u0664"), ("tr", "12:34")):
            QLocale.setDefault(QLocale(language))
            forget_texts()
            assert clock(noon, noon) == written
    finally:
        QLocale.setDefault(before)
        forget_texts()


@pytest.mark.parametrize("language", ["en_GB", "tr", "es"])
def test_times_in_full_leave_out_the_time_zone(language: str, qapp: QApplication) -> None:
    before = QLocale()
    try:
        QLocale.setDefault(QLocale(language))
        written = full_time(int(datetime(2026, 3, 1, 12, 34).timestamp() * 1000))
        assert written.endswith("12:34:00")
        assert "2026" in written
    finally:
        QLocale.setDefault(before)
