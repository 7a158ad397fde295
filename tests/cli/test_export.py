"""export: everything is in it, nothing in it is obeyed, and no secret leaves unasked."""

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QTextDocument

from tests.cli.conftest import Cli
from tests.services.exported_pages import EVIL, Page, assert_inert, hostile_session
from tests.services.sessions import SAMPLES, figure, message, write_session

PIXEL = base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"\0" * 40).decode()
TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
PASSWORD = "xK9mQ2vL8pR4tW7z"


def exported(cli: Cli, path: Path, format: str, *arguments: object) -> str:
    out = path.with_name(f"export.{format}")
    out.unlink(missing_ok=True)
    ended = cli("export", path, "--format", format, "--out", out, *arguments)
    assert ended.code == 0, ended.err
    return out.read_text(encoding="utf-8")


class TestHtml:
    @pytest.mark.parametrize("name", ["real-v3-branched.jsonl", "omp-branched.jsonl", "real-v1-large.jsonl"])
    def test_every_entry_is_in_it_once_and_the_tree_leads_there(self, cli: Cli, tmp_path: Path, name: str) -> None:
        path = write_copy(tmp_path, name)
        page = Page(exported(cli, path, "html", "--secrets", "keep"))
        assert_inert(page)
        entries = cli("tree", path, "--json").json["entries"]
        anchors = [value for value in page.values("id") if value.startswith("e")]
        assert sorted(anchors) == sorted(f"e{row}" for row in range(len(entries)))
        assert all(value.removeprefix("#") in page.values("id") for value in page.values("href"))
        assert all(entry["id"] in page.text for entry in entries)
        leaves = sum(not entry["children"] for entry in entries)
        assert len([value for value in page.values("id") if re.fullmatch(r"b\d+", value)]) == leaves

    @pytest.mark.parametrize("format", ["html", "md", "json"])
    def test_one_branch(self, cli: Cli, tmp_path: Path, format: str) -> None:
        path = write_session(tmp_path / "s.jsonl", figure())
        text = exported(cli, path, format, "--leaf", "f0000000")
        assert "Text of F." in text
        assert "The parser is fixed." not in text
        cli("export", path, "--format", format, "--leaf", "nowhere", "--out", tmp_path / "x").failed(1)
        assert not (tmp_path / "x").exists()

    def test_hostile_names_and_texts_are_text(self, cli: Cli, tmp_path: Path) -> None:
        page = Page(exported(cli, hostile_session(tmp_path), "html"))
        assert_inert(page)
        assert page.text.count(EVIL) >= 12

    def test_images_are_in_the_page_if_they_are_images(self, cli: Cli, tmp_path: Path) -> None:
        path = write_session(tmp_path / "s.jsonl", [*figure(), with_images()])
        page = Page(exported(cli, path, "html"))
        assert_inert(page)
        assert page.values("src") == [f"data:image/png;base64,{PIXEL}"]
        assert page.text.count("not shown") == 3
        assert Page(exported(cli, path, "html", "--no-images")).values("src") == []

    def test_an_image_outside_of_the_file_is_taken_in(self, cli: Cli, tmp_path: Path) -> None:
        folder = tmp_path / "sessions"
        folder.mkdir()
        path = write_copy(folder, "omp-branched.jsonl")
        (tmp_path / "blobs").symlink_to(SAMPLES / "omp-blobs")
        assert len(Page(exported(cli, path, "html", "--secrets", "keep")).values("src")) == 1

    def test_a_deep_session_is_not_deep_in_the_page(self, cli: Cli, tmp_path: Path) -> None:
        records: list[dict[str, Any]] = [figure()[0]]
        parent = None
        for number in range(6000):
            records.append(message(f"{number:08x}", parent, "user", f"message {number}"))
            if number % 3 == 2:
                records.append(message(f"s{number:07x}", parent, "user", f"side {number}"))
            parent = f"{number:08x}"
        path = write_session(tmp_path / "s.jsonl", records)
        page = Page(exported(cli, path, "html"))
        assert page.deepest < 60
        assert page.text.count("message 5999") == 2, "in its place and in the tree"

    def test_text_keeps_its_direction(self, cli: Cli, tmp_path: Path) -> None:
        arabic = message("90000000", "d0000000", "user", "مرحبا")
        text = exported(cli, write_session(tmp_path / "s.jsonl", [*figure(), arabic]), "html")
        assert '<div class="text" dir="auto">مرحبا</div>' in text

    def test_markdown_of_messages_is_shown_as_markup(self, cli: Cli, tmp_path: Path) -> None:
        prose = "## Plan\nuse `<b>` and **bold `x`**\n```py\n<i>**\n```\nend\n~~~\nopen"
        text = exported(
            cli, write_session(tmp_path / "s.jsonl", [figure()[0], message("1", None, "user", prose)]), "html"
        )
        assert (
            '<b class="heading">Plan</b>\nuse <code>&lt;b&gt;</code> and <b>bold <code>x</code></b>'
            "<pre>&lt;i&gt;**</pre>end<pre>open</pre>"
        ) in text


@pytest.mark.usefixtures("qapp")
class TestMarkdown:
    def test_every_entry_is_in_it(self, cli: Cli, tmp_path: Path) -> None:
        path = write_copy(tmp_path, "real-v3-branched.jsonl")
        text = exported(cli, path, "md", "--secrets", "keep").replace("\\", "")
        assert all(entry["id"] in text for entry in cli("tree", path, "--json").json["entries"])
        assert text.count("\n## Branch ") == 12

    def test_hostile_names_and_texts_do_nothing(self, cli: Cli, tmp_path: Path) -> None:
        text = exported(cli, hostile_session(tmp_path), "md")
        document = QTextDocument()
        document.setMarkdown(text)
        assert "<img" not in document.toHtml()
        assert "evil.example" in document.toPlainText()
        assert document.toPlainText().count(EVIL) >= 12

    def test_the_structure_is_the_exports_own(self, cli: Cli, tmp_path: Path) -> None:
        open_fence = message("90000000", "d0000000", "user", "# not a heading of ours\n```\nopen")
        last = message("91000000", "90000000", "assistant", "the last word")
        text = exported(cli, write_session(tmp_path / "s.jsonl", [*figure(), open_fence, last]), "md")
        document = QTextDocument()
        document.setMarkdown(text)
        block = document.begin()
        headings = []
        while block.isValid():
            if block.blockFormat().headingLevel() and not block.blockFormat().hasProperty(0x1080):
                headings.append(block.text())
            block = block.next()
        assert headings[0] == "figure"
        assert headings.count("Active branch") == headings.count("Branch 1, from a0000000") == 1
        assert headings.count("user") == 2
        assert headings.count("assistant") == 5


class TestJson:
    @pytest.mark.parametrize("name", ["real-v3-branched.jsonl", "omp-branched.jsonl"])
    def test_the_entries_are_those_of_the_file(self, cli: Cli, tmp_path: Path, name: str) -> None:
        path = write_copy(tmp_path, name)
        found = json.loads(exported(cli, path, "json", "--secrets", "keep"))
        header, *entries = (json.loads(line) for line in path.read_text(encoding="utf-8").splitlines())
        assert found["entries"] == entries
        assert found["session"] == header
        assert found["format"] == "branchwork-export"
        assert (found["leafId"], found["lastEntryId"]) == (entries[-1]["id"], entries[-1]["id"])
        tree = cli("tree", path, "--json").json["entries"]
        assert found["labels"] == {each["id"]: each["label"] for each in tree if "label" in each}

    def test_images_can_be_left_out(self, cli: Cli, tmp_path: Path) -> None:
        path = write_session(tmp_path / "s.jsonl", [*figure(), with_images()])
        assert PIXEL in exported(cli, path, "json")
        found = json.loads(exported(cli, path, "json", "--no-images"))
        assert [block.get("data") for block in found["entries"][-1]["message"]["content"]] == [None, "", "", "", ""]


class TestSecrets:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        leak = message("90000000", "d0000000", "user", f"use {TOKEN} for the upload")
        call = {"type": "toolCall", "id": "c", "name": "login", "arguments": {"password": PASSWORD}}
        answer = message("91000000", "90000000", "assistant", "ok", stopReason="stop")
        answer["message"]["content"].append(call)
        label = {**message("92000000", "91000000", "user", ""), "type": "label", "targetId": "a0000000", "label": TOKEN}
        return write_session(tmp_path / "s.jsonl", [*figure(), leak, answer, label])

    @pytest.mark.parametrize("format", ["html", "md", "json"])
    def test_hold_the_export_back(self, cli: Cli, path: Path, format: str) -> None:
        out = path.with_name("x")
        said = cli("export", path, "--format", format, "--out", out).failed(1)
        assert "2 × GitHub token, 1 × value of password" in said
        assert "90000000, 91000000, 92000000" in said
        assert "--secrets mask" in said
        assert TOKEN not in said
        assert not out.exists()

    @pytest.mark.parametrize("format", ["html", "md", "json"])
    def test_can_be_masked_or_kept(self, cli: Cli, path: Path, format: str) -> None:
        before = path.read_bytes()
        text = exported(cli, path, format, "--secrets", "mask")
        assert TOKEN not in text
        assert PASSWORD not in text
        assert text.count("GitHub token removed") >= 2
        if format == "json":
            json.loads(text)
        kept = exported(cli, path, format, "--secrets", "keep")
        assert TOKEN in kept.replace("\\", "")
        assert PASSWORD in kept
        assert path.read_bytes() == before

    def test_elsewhere_in_the_file_do_not_matter(self, cli: Cli, tmp_path: Path) -> None:
        leak = message("90000000", "d0000000", "user", f"use {TOKEN} for the upload")
        path = write_session(tmp_path / "s.jsonl", [*figure(), leak])
        assert cli("export", path, "--format", "md", "--leaf", "d0000000", "--out", "-").code == 0

    def test_a_label_counts_where_it_is_shown(self, cli: Cli, path: Path) -> None:
        said = cli("export", path, "--format", "md", "--leaf", "d0000000", "--out", path.with_name("x")).failed(1)
        assert "1 × GitHub token; in a0000000" in said
        masked = cli("export", path, "--format", "md", "--leaf", "d0000000", "--secrets", "mask", "--out", "-").out
        assert TOKEN not in masked


def test_to_the_standard_output(cli: Cli, tmp_path: Path) -> None:
    path = write_session(tmp_path / "s.jsonl", figure())
    for format in ("html", "md", "json"):
        assert cli("export", path, "--format", format, "--out", "-").out == exported(cli, path, format)
    found = cli("export", path, "--format", "md", "--out", tmp_path / "new.md", "--json").json
    assert found == {
        "file": str(tmp_path / "new.md"), "format": "md", "entries": 6, "branches": 2, "secrets": None,
    }  # fmt: skip


def test_an_empty_session_is_exported_too(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.touch()
    assert_inert(Page(exported(cli, path, "html")))
    assert "0 of 0 entries" in exported(cli, path, "md")
    assert json.loads(exported(cli, path, "json"))["entries"] == []


def write_copy(folder: Path, name: str) -> Path:
    path = folder / name
    path.write_bytes((SAMPLES / name).read_bytes())
    return path


def with_images() -> dict[str, Any]:
    entry = message("90000000", "d0000000", "user", "look")
    entry["message"]["content"] += [
        {"type": "image", "mimeType": "image/png", "data": PIXEL},
        {"type": "image", "mimeType": "image/svg+xml", "data": PIXEL},
        {"type": "image", "mimeType": EVIL, "data": "no base64!"},
        {"type": "image", "data": "blob:sha256:" + "0" * 64},
    ]
    return entry
