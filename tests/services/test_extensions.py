"""Loading extensions, what is reported about bad ones, and the example that comes with the project."""

import asyncio
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from model.json_text import JsonObject
from services import extension_api
from services.cancellation import CancellationToken, OperationCancelled
from services.endpoints.http_exchange import Limits
from services.errors import ServiceError
from services.extensions import load_extensions
from services.operations import CompactionOptions
from services.prompt_texts import prompt_texts
from services.session_events import Notice
from tests.services.loopback_server import LoopbackServer, chat, json_answer, silent
from tests.services.sessions import Events, figure, lines_of, open_session, write_session
from tests.services.test_compaction import long_session

EXAMPLE = Path(__file__).parents[2] / "examples" / "custom_compaction"
KEEP = CompactionOptions(keep_recent_tokens=150)

GOOD = '''"""A good extension.

It does nothing.
"""
from services.extension_api import hookimpl

@hookimpl
def session_tree(event):
    pass
'''


@pytest.fixture(autouse=True)
def forget_modules() -> Iterator[None]:
    """What a test imports is not there for the next one."""
    known = set(sys.modules)
    yield
    for name in set(sys.modules) - known:
        if name.startswith("branchwork_extension_"):
            del sys.modules[name]


def write(folder: Path, name: str, text: str = GOOD) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.spec("HK-1")
def test_extensions_load_in_order_and_say_where_they_come_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, project = tmp_path / "folder", tmp_path / "project"
    write(folder, "b.py")
    write(folder, "a.py")
    write(folder, "package/__init__.py")
    write(folder, "_helper.py", "raise RuntimeError")
    write(folder, "notes.txt", "no code")
    named = write(tmp_path, "named.py")
    write(project, "p.py")
    write(tmp_path / "modules", "installed_extension.py")
    write(tmp_path / "modules", "a_module.py")
    monkeypatch.syspath_prepend(str(tmp_path / "modules"))
    point = EntryPoint("x", "installed_extension", "branchwork.extensions")
    monkeypatch.setattr("services.extensions.entry_points", lambda group: [point])
    found = load_extensions(folder, [str(named), "a_module"], project)
    assert found.problems == ()
    assert [(item.origin, Path(item.source).name) for item in found.loaded] == [
        ("installed", "installed_extension"),
        ("folder", "a.py"),
        ("folder", "b.py"),
        ("folder", "__init__.py"),
        ("settings", "named.py"),
        ("settings", "a_module"),
        ("project", "p.py"),
    ]
    assert {item.name for item in found.loaded} == {"A good extension"}
    assert {item.hooks for item in found.loaded} == {("session_tree",)}
    assert found.hooks.has("session_tree")
    assert not found.hooks.has("session_compact")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("raise ValueError('no luck')", "was not loaded: no luck"),
        ("import there_is_no_such_module", "no module"),
        ("def x(:", "was not loaded"),
        ("raise SystemExit(3)", "was not loaded: 3"),
        (
            "from services.extension_api import hookimpl\n@hookimpl\ndef session_treee(event): pass",
            "no hook of that name",
        ),
        ("from services.extension_api import hookimpl\n@hookimpl\ndef session_tree(evnt): pass", "evnt"),
        ("x = 1", "implements no hook"),
    ],
)
def test_a_bad_extension_is_reported_and_the_others_load(text: str, words: str, tmp_path: Path) -> None:
    write(tmp_path, "a_bad.py", text)
    write(tmp_path, "b_good.py")
    found = load_extensions(tmp_path)
    assert "A good extension" in [item.name for item in found.loaded]
    [problem] = found.problems
    assert words.lower() in problem.message.lower()
    assert "a_bad.py" in problem.message


def test_names_that_lead_nowhere_are_reported(tmp_path: Path) -> None:
    found = load_extensions(tmp_path / "none", [str(tmp_path / "gone.py"), "no_such_module_at_all"])
    assert found.loaded == ()
    assert len(found.problems) == 2


# --- The example -----------------------------------------------------------------------------------------------------


@pytest.fixture
def long_file(tmp_path: Path) -> Path:
    return write_session(tmp_path / "long.jsonl", long_session(previous="EARLIER"))


@pytest.mark.spec("HK-1", "P-159", "P-161", "P-163")
def test_the_example_writes_the_compaction_with_its_own_model(long_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = load_extensions(named=[str(EXAMPLE)])
    assert found.problems == ()
    with LoopbackServer(chat("The whole story.")) as server:
        monkeypatch.setenv("COMPACTION_URL", server.url)
        monkeypatch.setenv("COMPACTION_MODEL", "own-model")
        session = open_session(long_file, hooks=found.hooks)
        options = CompactionOptions(instructions="the API", keep_recent_tokens=150)
        result = asyncio.run(session.compact(options, CancellationToken(), Events()))
    [request] = server.requests
    prompt = request.json["messages"][-1]["content"]
    assert request.json["model"] == "own-model"
    assert "[User]: Request 1." in prompt
    assert "EARLIER" in prompt
    assert prompt.endswith("Pay attention to: the API")
    entry = lines_of(long_file)[-1]
    assert entry["summary"] == "The whole story."
    assert entry["details"]["model"] == "own-model"
    assert entry["fromHook"] is True
    assert result.from_extension


def test_when_the_example_fails_the_built_in_generator_takes_over(
    long_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with LoopbackServer(json_answer({"error": "down"}, "500 Internal Server Error")) as server:
        monkeypatch.setenv("COMPACTION_URL", server.url)
        session = open_session(long_file, hooks=load_extensions(named=[str(EXAMPLE)]).hooks)
        events = Events()
        result = asyncio.run(session.compact(KEEP, CancellationToken(), events))
    assert "Custom compaction" in events.of(Notice)[0].text
    assert not result.from_extension
    assert "Offline digest" in result.summary


def test_the_example_is_stopped_like_everything_else(long_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    token = CancellationToken()
    before = long_file.read_bytes()
    with LoopbackServer(silent) as server:
        monkeypatch.setenv("COMPACTION_URL", server.url)
        session = open_session(long_file, hooks=load_extensions(named=[str(EXAMPLE)]).hooks)

        async def run() -> None:
            work = asyncio.create_task(session.compact(KEEP, token, Events()))
            await asyncio.to_thread(server.arrived.acquire, timeout=5)
            token.cancel()
            await work

        with pytest.raises(OperationCancelled):
            asyncio.run(run())
        assert server.all_gone()
    assert long_file.read_bytes() == before


# --- The functions for authors ---------------------------------------------------------------------------------------

FAST = Limits(connect_s=1.0, idle_s=1.0, total_s=2.0)
MESSAGES: list[JsonObject] = [{"role": "user", "content": "Fix it."}, {"role": "branchSummary", "summary": "Tried."}]


@pytest.mark.spec("HK-1", "P-160")
def test_everything_that_is_promised_is_there() -> None:
    for name in (
        "convert_to_llm", "serialize_conversation", "generate_summary", "generate_summary_with_usage",
        "prepare_compaction", "collect_entries_for_branch_summary", "prepare_branch_entries",
        "generate_branch_summary", "compute_file_lists", "hookimpl",
    ):  # fmt: skip
        assert name in extension_api.__all__
    assert all(hasattr(extension_api, name) for name in extension_api.__all__)


@pytest.mark.spec("HK-1", "P-081", "P-082", "CP-12.2")
def test_generating_a_summary_of_ones_own() -> None:
    with LoopbackServer(chat("one"), chat("two")) as server:
        endpoint = extension_api.make_endpoint("openai-compatible", server.url, "m", "", limits=FAST)
        text = asyncio.run(
            extension_api.generate_summary(
                MESSAGES, endpoint, 100, CancellationToken(), previous_summary="OLD", custom_instructions="names"
            )
        )
        again = asyncio.run(extension_api.generate_summary_with_usage(MESSAGES, endpoint, 0, CancellationToken()))
    assert (text, again.text) == ("one", "two")
    prompt = server.requests[0].json["messages"][-1]["content"]
    assert prompt.startswith("<conversation>\n[User]: Fix it.")
    assert "<previous-summary>\nOLD\n</previous-summary>" in prompt
    assert prompt.endswith(prompt_texts().update_summary + "\n\nAdditional focus: names")
    assert server.requests[1].json["messages"][-1]["content"].endswith(prompt_texts().summary)


def test_generating_a_branch_summary_of_ones_own() -> None:
    entries = figure()[4:]
    with LoopbackServer(chat("text"), chat("")) as server:
        endpoint = extension_api.make_endpoint("openai-compatible", server.url, "m", "", limits=FAST)
        summary = asyncio.run(extension_api.generate_branch_summary(entries, endpoint, CancellationToken()))
        assert summary
        assert summary.text.startswith(prompt_texts().branch_preamble)
        assert summary.text.endswith("text\n\n<modified-files>\nsrc/a.py\n</modified-files>")
        with pytest.raises(ServiceError, match="empty"):
            asyncio.run(extension_api.generate_branch_summary(entries, endpoint, CancellationToken()))
        assert asyncio.run(extension_api.generate_branch_summary([], endpoint, CancellationToken())) is None
    assert len(server.requests) == 2
