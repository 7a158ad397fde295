"""Exports as the window makes them: looked through first, then written or not."""

from pathlib import Path

import pytest

from model.errors import UnknownEntryError
from services.cancellation import CancellationToken, OperationCancelled
from services.export import ExportOptions, SessionRewrittenError, export_chunks, survey_export, write_export
from services.export_secrets import ExportHeldBack, secrets_in, without_secrets
from services.export_target import free_file, proposed_name, safe_name, target_problem
from services.session_store import SessionStore
from tests.services.exported_pages import Page, assert_inert
from tests.services.sessions import figure, message, write_session

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
PASSWORD = "xK9mQ2vL8pR4tW7z"


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    leak = message("90000000", "d0000000", "user", f"use {TOKEN}")
    store = SessionStore.open(write_session(tmp_path / "s.jsonl", [*figure(), leak]))
    store.measure()
    return store


def test_a_survey_names_what_was_found_and_where(store: SessionStore) -> None:
    survey = survey_export(store, ExportOptions("html"), CancellationToken())
    assert survey.plan.entry_count == 7
    assert [(found.entry_id, found.secret.kind) for found in survey.secrets] == [("90000000", "GitHub token")]
    with pytest.raises(ExportHeldBack) as held_back:
        next(export_chunks(store, survey, ExportOptions("html"), CancellationToken()))
    assert held_back.value.found == survey.secrets
    assert TOKEN not in str(held_back.value)


def test_an_export_shows_the_state_that_was_surveyed(store: SessionStore, tmp_path: Path) -> None:
    options = ExportOptions("md", secrets="mask")
    survey = survey_export(store, options, CancellationToken())
    with store.path.open("a") as file:
        file.write('{"type":"custom","id":"later","parentId":"90000000","timestamp":"","customType":"x"}\n')
    store.refresh()
    text = b"".join(export_chunks(store, survey, options, CancellationToken())).decode()
    assert "Shown: 7 of 7 entries" in text
    assert "later" not in text


@pytest.mark.parametrize("all_branches", [True, False])
def test_a_reply_in_several_entries_is_counted_once(tmp_path: Path, all_branches: bool) -> None:
    """Field report K08."""
    used = {"input": 900, "output": 100, "cacheRead": 0, "cacheWrite": 0, "totalTokens": 1000, "cost": {"total": 0.5}}
    reply = {"responseId": "msg_1", "usage": used}
    entries = [message(id, parent, "assistant", id, **reply) for id, parent in (("x", None), ("y", "x"), ("z", "y"))]
    store = SessionStore.open(write_session(tmp_path / "s.jsonl", [figure()[0], *entries]))
    options = ExportOptions("md", all_branches=all_branches)
    survey = survey_export(store, options, CancellationToken())
    assert (survey.totals.records, survey.totals.cost) == (1, 0.5)
    text = b"".join(export_chunks(store, survey, options, CancellationToken())).decode()
    assert "Recorded usage: 1,000 tokens, " in text
    assert "Shown: 3 of 3 entries" in text


@pytest.mark.parametrize("format", ["html", "md", "json"])
def test_a_stopped_export_leaves_no_file(store: SessionStore, tmp_path: Path, format: str) -> None:
    token = CancellationToken()
    options = ExportOptions(format, secrets="keep")  # type: ignore[arg-type]
    survey = survey_export(store, options, token)
    token.cancel()
    with pytest.raises(OperationCancelled):
        write_export(store, survey, options, tmp_path / "out", token)
    with pytest.raises(OperationCancelled):
        survey_export(store, options, token)
    assert [file.name for file in tmp_path.iterdir()] == ["s.jsonl"]


def test_a_written_export_can_no_longer_be_stopped(store: SessionStore, tmp_path: Path) -> None:
    token = CancellationToken()
    options = ExportOptions("json", leaf_id="f0000000", all_branches=False)
    write_export(store, survey_export(store, options, token), options, tmp_path / "out", token)
    assert not token.cancel()
    with pytest.raises(UnknownEntryError):
        survey_export(store, ExportOptions("json", leaf_id="nowhere"), CancellationToken())


def test_a_session_that_is_rewritten_meanwhile_is_not_exported(store: SessionStore, tmp_path: Path) -> None:
    token, options = CancellationToken(), ExportOptions("html", secrets="keep")
    survey = survey_export(store, options, token)
    write_session(store.path, figure())
    store.refresh()
    with pytest.raises(SessionRewrittenError):
        write_export(store, survey, options, tmp_path / "out", token)
    assert [file.name for file in tmp_path.iterdir()] == ["s.jsonl"]


def test_how_far_it_is_is_told(store: SessionStore, tmp_path: Path) -> None:
    steps: list[tuple[int, int]] = []
    token, options = CancellationToken(), ExportOptions("md", secrets="keep")
    survey = survey_export(store, options, token, lambda *step: steps.append(step))
    assert steps == [(number, 7) for number in range(1, 8)]
    steps.clear()
    write_export(store, survey, options, tmp_path / "out", token, lambda *step: steps.append(step))
    assert steps[-1] == (7, 7)


def test_p08_a_chain_of_20_000(tmp_path: Path) -> None:
    """Field report P08."""
    parents = [None, *(f"{number:08x}" for number in range(19_999))]
    chain = [message(f"{number:08x}", parent, "user", f"message {number}") for number, parent in enumerate(parents)]
    store = SessionStore.open(write_session(tmp_path / "s.jsonl", [figure()[0], *chain]))
    token, options = CancellationToken(), ExportOptions("html", secrets="keep")
    data = b"".join(export_chunks(store, survey_export(store, options, token), options, token))
    page = Page(data.decode())
    assert_inert(page)
    assert page.deepest < 20
    assert page.text.count("message 19999") == 2, "in its place and in the tree"


class TestNames:
    """Field report V06: nothing that a session says of itself leads out of the folder."""

    @pytest.mark.parametrize(
        ("name", "safe"),
        [
            ("../../x", "x"),
            ("/etc/passwd", "etc-passwd"),
            ("C:\\Windows\\x", "C--Windows-x"),
            ("..", "session"),
            ("", "session"),
            ("\0\n\r\t", "session"),
            ("CON", "session"),
            ("nul.txt", "session"),
            (".hidden", "hidden"),
            ("Streaming  reader: part 2?", "Streaming reader- part 2"),
            ("ลดหน่วยความจำ", "ลดหน่วยความจำ"),
            ("\ud800", "session"),
        ],
    )
    def test_only_what_is_harmless_remains(self, tmp_path: Path, name: str, safe: str) -> None:
        assert safe_name(name) == safe
        path = free_file(tmp_path, name, ".html")
        assert path.parent == tmp_path
        path.touch()
        assert free_file(tmp_path, name, ".html").name == f"{safe} 2.html"

    def test_a_likely_secret_in_a_name_goes_into_no_file_name(self, tmp_path: Path) -> None:
        name = proposed_name(f"Deploy with {TOKEN} again")
        assert TOKEN not in free_file(tmp_path, name, ".html").name
        assert name == "Deploy with [GitHub token removed] again"
        assert proposed_name("Deploy again") == "Deploy again"

    def test_long_names_are_cut_to_what_a_disk_takes(self, tmp_path: Path) -> None:
        for name in ("x" * 5000, "ก" * 5000, "👩‍👩‍👧" * 500):
            free_file(tmp_path, name, ".html").touch()

    def test_what_is_in_the_way(self, tmp_path: Path) -> None:
        (tmp_path / "taken").touch()
        (tmp_path / "link").symlink_to(tmp_path / "nowhere")
        problems = {
            "free": None, "taken": "exists", "link": "exists", "": "folder", "none/x": "no folder",
            "taken/x": "no folder", "x" * 300: "no name", "a\0b": "no name",
        }  # fmt: skip
        assert {name: target_problem(tmp_path / name) for name in problems} == problems
        assert target_problem(Path()) == "no name"


class TestSecretsInEntries:
    def test_the_key_counts_as_written_in_front(self) -> None:
        value = {"arguments": {"password": PASSWORD, "path": "src/a.py"}}
        assert [secret.kind for secret in secrets_in(value)] == ["value of password"]
        assert without_secrets(value) == {"arguments": {"password": "[value of password removed]", "path": "src/a.py"}}

    def test_all_are_found_and_nothing_else_changes(self) -> None:
        value = {"a": [f"one {TOKEN} two", {"b": TOKEN}], "c": 5, "d": "plain", "e": None}
        assert len(secrets_in(value)) == 2
        note = "[GitHub token removed]"
        assert without_secrets(value) == {"a": [f"one {note} two", {"b": note}], "c": 5, "d": "plain", "e": None}

    def test_images_are_not_looked_at(self) -> None:
        value = {"content": [{"type": "image", "data": TOKEN}, {"type": "text", "text": "password:"}]}
        assert secrets_in(value) == []
        assert without_secrets(value) == value
