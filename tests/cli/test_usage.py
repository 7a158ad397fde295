"""How the command is called and how it ends: exit codes, one line for an error, no Qt, names of files."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from gui.command_line import SUBCOMMANDS
from gui.main import main
from services.session_setup import session_maker
from services.session_store import SessionStore
from tests.cli.conftest import Cli
from tests.services.sessions import SAMPLES, copy_of, figure, write_session

ROOT = Path(__file__).parents[2]
SAMPLE = SAMPLES / "real-v3-branched.jsonl"


def process(*arguments: object, **more: object) -> "subprocess.CompletedProcess[str]":
    """The command as a process of its own."""
    command = [sys.executable, "-m", "gui.main", *map(str, arguments)]
    return subprocess.run(command, cwd=ROOT, text=True, capture_output=True, timeout=60, check=False, **more)  # type: ignore[call-overload,no-any-return]


@pytest.mark.parametrize(
    "arguments",
    [
        ("check",),
        ("check", SAMPLE, "more"),
        ("check", SAMPLE, "--no-such-option"),
        ("check", SAMPLE, "--js"),
        ("check", SAMPLE, "--dialect", "other"),
        ("tree", SAMPLE, "--filter", "none"),
        ("preview", SAMPLE, "--rules", "of thumb"),
        ("preview", SAMPLE, "--keep", "-1"),
        ("preview", SAMPLE, "--keep", "many"),
        ("compact", SAMPLE, "--boundary", "none"),
        ("navigate", SAMPLE),
        ("navigate", SAMPLE, "c33c2ecf", "--instructions", "Short."),
        ("navigate", SAMPLE, "c33c2ecf", "--replace-instructions"),
        ("navigate", SAMPLE, "c33c2ecf", "--no-replace-instructions"),
        ("branch", SAMPLE, "c33c2ecf"),
        ("export", SAMPLE, "--out", "x"),
        ("export", SAMPLE, "--format", "pdf", "--out", "x"),
        ("export", SAMPLE, "--format", "html", "--out", "-", "--json"),
    ],
)
def test_bad_usage(cli: Cli, arguments: tuple[object, ...]) -> None:
    cli(*arguments).failed(2)


@pytest.mark.parametrize("closed", [1, 2], ids=["standard output", "error output"])
@pytest.mark.parametrize("more", [(), ("--json",)], ids=["text", "json"])
def test_outputs_may_be_closed(tmp_path: Path, closed: int, more: tuple[str, ...]) -> None:
    path = copy_of("real-v3-branched.jsonl", tmp_path)
    before = path.read_bytes()
    ended = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}>&-', "sh", sys.executable, "-m", "gui.main", "check", path, *more],
        cwd=ROOT, text=True, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stderr) == (0, "")
    assert path.read_bytes() == before


def test_help_is_a_word_too(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["help"], ["help", "navigate"]):
        try:
            code = main(arguments)
        except SystemExit as ended:
            code = int(ended.code or 0)
        assert code == 0
        said = capsys.readouterr().out
        assert said.startswith("usage: branchwork " + " ".join(arguments[1:]))


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="there is always a display")
def test_without_a_display_the_window_says_so() -> None:
    names = ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM")
    ended = process(SAMPLE, env={name: value for name, value in os.environ.items() if name not in names})
    assert (ended.returncode, ended.stdout) == (1, "")
    assert ended.stderr.count("\n") == 1
    assert "no display" in ended.stderr


@pytest.mark.parametrize(
    "arguments", [("export", "--format", "html"), ("repair",), ("branch", "c33c2ecf")], ids=lambda given: given[0]
)
def test_a_file_that_cannot_be_written_is_named_as_it_was_given(
    cli: Cli, tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    command, *more = arguments
    nowhere = tmp_path / "no-folder" / "x.html"
    assert str(nowhere) in cli(command, SAMPLE, *more, "--out", nowhere).failed(1)
    too_long = tmp_path / ("x" * 250)  # there's no room for a name to write it under
    said = cli(command, SAMPLE, *more, "--out", too_long)
    if said.code:
        assert f"{too_long}: " in said.failed(1)


class TestFilesThatAreNoSessions:
    @pytest.mark.parametrize("command", ["check", "tree", "context", "preview", "compact", "prune"])
    def test_end_with_three_and_stay_as_they_are(self, cli: Cli, tmp_path: Path, command: str) -> None:
        path = tmp_path / "notes.txt"
        path.write_text("Dear diary,\n{}\n")
        before = path.read_bytes()
        assert "notes.txt" in cli(command, path).failed(3)
        assert path.read_bytes() == before
        assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]

    def test_a_folder(self, cli: Cli, tmp_path: Path) -> None:
        cli("check", tmp_path).failed(3)

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
    def test_a_pipe_is_not_waited_for(self, cli: Cli, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "pipe")
        cli("check", tmp_path / "pipe").failed(3)

    def test_no_file_at_all(self, cli: Cli, tmp_path: Path) -> None:
        assert "No such file" in cli("check", tmp_path / "gone.jsonl").failed(1)

    def test_an_error_is_one_line_whatever_the_name(self, cli: Cli, tmp_path: Path) -> None:
        cli("check", tmp_path / "two\nlines\x1b[31m").failed(1)


def test_help_tells_of_every_subcommand(cli: Cli, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    text = capsys.readouterr().out
    assert all(name in text for name in SUBCOMMANDS)
    for name in SUBCOMMANDS:
        ended = cli(name, "--help")
        assert (ended.code, ended.err) == (0, "")
        assert f"branchwork {name}" in ended.out


def test_a_session_that_another_instance_writes_is_refused(cli: Cli, tmp_path: Path) -> None:
    path = write_session(tmp_path / "s.jsonl", figure())
    window = session_maker(SessionStore.open(path))
    window.set_label("a0000000", "mine")
    before = path.read_bytes()
    assert "Another window" in cli("label", path, "a0000000", "theirs").failed(1)
    assert path.read_bytes() == before
    window.store.close()
    assert cli("label", path, "a0000000", "theirs").code == 0


class TestAsAProcess:
    def test_no_subcommand_needs_qt_or_the_network(self, tmp_path: Path) -> None:
        path = write_session(tmp_path / "s.jsonl", figure())
        lines = [
            "import sys",
            "sys.modules['PySide6'] = None",  # importing it fails
            "from gui.main import main",
            "for arguments in json.loads(sys.argv[1]): assert main(arguments) == 0, arguments",
            "names = {name.partition('.')[0] for name in sys.modules}",
            "assert not names & {'shiboken6', 'httpx', 'keyring'}, names",
        ]
        commands = [
            ["check", str(path)],
            ["tree", str(path)],
            ["context", str(path)],
            ["preview", str(path)],
            ["navigate", str(path), "f0000000", "--summarize"],
            ["prune", str(path)],
            ["label", str(path), "a0000000", "x"],
            ["branch", str(path), "a0000000", "--out", str(tmp_path / "b.jsonl")],
            ["repair", str(path), "--out", str(tmp_path / "r.jsonl")],
            ["export", str(path), "--format", "html", "--out", str(tmp_path / "e.html")],
        ]
        code = "import json\n" + "\n".join(lines)
        ended = subprocess.run(
            [sys.executable, "-c", code, json.dumps(commands)], cwd=ROOT, text=True, capture_output=True, check=False
        )
        assert ended.returncode == 0, ended.stderr

    @pytest.mark.skipif(sys.platform == "win32", reason="the shell of this test")
    def test_a_reader_that_has_seen_enough_is_no_failure(self) -> None:
        command = f"{sys.executable} -m gui.main tree '{SAMPLES / 'real-v3-large.jsonl'}' --filter all"
        ended = subprocess.run(
            ["bash", "-c", f"{command} | head -n 1; exit ${{PIPESTATUS[0]}}"],
            cwd=ROOT, text=True, capture_output=True, check=False,
        )  # fmt: skip
        assert (ended.returncode, ended.stderr) == (0, "")

    def test_text_is_written_in_any_locale(self) -> None:
        for encoding in ("ascii", "utf-8"):
            environment = {**os.environ, "PYTHONIOENCODING": encoding}
            ended = subprocess.run(
                [sys.executable, "-m", "gui.main", "tree", str(SAMPLE), "--json"],
                cwd=ROOT, env=environment, capture_output=True, check=False,
            )  # fmt: skip
            assert json.loads(ended.stdout.decode("utf-8"))["leafId"] == "c33c2ecf"
            assert process("tree", SAMPLE, env=environment).returncode == 0

    def test_a_file_named_like_a_subcommand_is_opened_with_a_path(self, tmp_path: Path) -> None:
        write_session(tmp_path / "check", figure())
        picture = tmp_path / "window.png"
        ended = subprocess.run(
            [sys.executable, "-m", "gui.main", "./check", "--screenshot", str(picture)],
            cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True, capture_output=True, check=False,
        )  # fmt: skip
        assert ended.returncode == 0, ended.stderr
        assert picture.exists()


def test_lone_halves_of_characters_are_escaped_in_json(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    write_session(path, figure())
    path.write_text(path.read_text().replace("Fix the parser.", "half \\ud83d, nul \\u0000"))
    ended = cli("context", path, "--json")
    assert "half \\ud83d, nul \\u0000" in ended.out
    assert ended.json["messages"][0]["text"] == "half \ud83d, nul \0"
    assert cli("context", path, "--full").code == 0


def test_the_documentation_names_every_field(cli: Cli, tmp_path: Path) -> None:
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    path = copy_of("omp-branched.jsonl", tmp_path)
    first = cli("check", path, "--json").json["leafId"]
    for arguments in [
        ("check", path),
        ("tree", path),
        ("context", path),
        ("preview", path, "--keep", "900"),
        ("compact", path, "--keep", "100"),
        ("navigate", path, "b2d593ef", "--summarize", "--label", "x"),
        ("navigate", path, "b2d593ef", "--set-resume-point"),
        ("prune", path, "--dry-run"),
        ("label", path, first, "x"),
        ("branch", path, first, "--out", tmp_path / "b.jsonl"),
        ("repair", path, "--out", tmp_path / "r.jsonl"),
        ("export", path, "--format", "json", "--secrets", "mask", "--out", tmp_path / "e.json"),
    ]:
        assert f"`{arguments[0]}" in text
        for name in _names(cli(*arguments, "--json").json):
            assert re.search(rf"\b{name}\b", text), f"{name} of {arguments[0]}"
    assert all(name in text for name in json.loads((tmp_path / "e.json").read_text(encoding="utf-8")))


def _names(value: Any) -> set[str]:
    """The names of all members of all objects in a JSON value."""
    if isinstance(value, list):
        return set().union(*map(_names, value))
    return set(value).union(*map(_names, value.values())) if isinstance(value, dict) else set()
