"""The files that settings come from: which are read, in what order, and what happens to broken ones."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from services.errors import ServiceError
from services.settings_files import ProjectTrust, SettingsFiles


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def write(home: Path) -> Callable[[str, Any], Path]:
    def write(name: str, value: Any) -> Path:
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
        return path

    return write


@pytest.fixture
def files(home: Path) -> SettingsFiles:
    trust = ProjectTrust(home / "state" / "trusted.json")
    return SettingsFiles(home / "own" / "settings.json", home=home, environ={}, trust=trust)


def kept(tokens: int) -> dict[str, Any]:
    return {"compaction": {"keepRecentTokens": tokens}}


def test_without_files_the_defaults_count(files: SettingsFiles) -> None:
    resolved = files.resolve("pi", "/nowhere")
    assert resolved.values.compaction.keep_recent_tokens == 20000
    assert resolved.problems == ()


@pytest.mark.spec("ST-1")
def test_each_level_wins_over_the_one_below(files: SettingsFiles, home: Path, write: Callable[..., Path]) -> None:
    project = home / "project"
    write(".pi/agent/settings.json", kept(1))
    assert files.resolve("pi").values.compaction.keep_recent_tokens == 1
    write("project/.pi/settings.json", kept(2))
    assert files.resolve("pi", str(project)).values.compaction.keep_recent_tokens == 1, "not trusted yet"
    files.trust.trust(str(project))
    assert files.resolve("pi", str(project)).values.compaction.keep_recent_tokens == 2
    write("own/settings.json", kept(3))
    assert files.resolve("pi", str(project)).values.compaction.keep_recent_tokens == 3
    overridden = files.resolve("pi", str(project), kept(4))
    assert overridden.values.compaction.keep_recent_tokens == 4
    assert overridden.origins["compaction.keepRecentTokens"].level == "session"


@pytest.mark.spec("ST-1", "R-61")
def test_the_dialect_decides_whose_files_are_read(files: SettingsFiles, write: Callable[..., Path]) -> None:
    write(".pi/agent/settings.json", kept(1))
    write(".omp/agent/settings.json", kept(2))
    assert files.resolve("omp").values.compaction.keep_recent_tokens == 2
    write(".omp/agent/config.yml", "compaction:\n  keepRecentTokens: 3\n")
    assert files.resolve("omp").values.compaction.keep_recent_tokens == 3
    assert files.resolve("pi").values.compaction.keep_recent_tokens == 1


@pytest.mark.spec("ST-1", "SF-13")
@pytest.mark.parametrize(
    ("environ", "dialect", "path"),
    [
        ({"PI_CODING_AGENT_DIR": "{home}/moved"}, "pi", "moved/settings.json"),
        ({"PI_CODING_AGENT_DIR": "{home}/moved"}, "omp", "moved/config.yml"),
        ({"PI_CONFIG_DIR": ".other"}, "omp", ".other/agent/config.yml"),
        ({"PI_CONFIG_DIR": ".other"}, "pi", ".pi/agent/settings.json"),
    ],
)
def test_the_agents_folder_can_be_moved(
    environ: dict[str, str], dialect: Any, path: str, home: Path, write: Callable[..., Path]
) -> None:
    write(path, '{"compaction": {"keepRecentTokens": 9}}')
    moved = {name: value.format(home=home) for name, value in environ.items()}
    files = SettingsFiles(home / "own.json", home=home, environ=moved)
    assert files.resolve(dialect).values.compaction.keep_recent_tokens == 9


@pytest.mark.spec("ST-1")
@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[1]",
        "5",
        '"x"',
        "\x00\x01",
        "null",
        " " * 2_000_000,
        '{"compaction": 5}',
        '{"compaction": {"enabled": 7}}',
    ],
)
@pytest.mark.parametrize("name", [".pi/agent/settings.json", "own/settings.json"])
def test_a_broken_file_is_a_problem_and_no_more(
    text: str, name: str, files: SettingsFiles, write: Callable[..., Path]
) -> None:
    write(name, text)
    resolved = files.resolve("pi")
    assert resolved.values.compaction.enabled is True
    assert resolved.problems
    assert all(problem.message for problem in resolved.problems)


@pytest.mark.parametrize("text", ["a: [", "- 1\n- 2", "&a [*a]", "!!python/object:os.system x", "key: @"])
def test_broken_yaml_is_a_problem_and_no_more(text: str, files: SettingsFiles, write: Callable[..., Path]) -> None:
    write(".omp/agent/config.yml", text)
    resolved = files.resolve("omp")
    assert resolved.problems
    assert resolved.values.compaction.reserve_tokens == 16384


def test_changed_files_are_read_again_and_others_are_not(files: SettingsFiles, write: Callable[..., Path]) -> None:
    write("own/settings.json", kept(5))
    first = files.resolve("pi")
    assert files.resolve("pi") is first
    write("own/settings.json", kept(12345))
    assert files.resolve("pi").values.compaction.keep_recent_tokens == 12345


@pytest.mark.spec("ST-1")
def test_writing_keeps_everything_else(files: SettingsFiles, write: Callable[..., Path]) -> None:
    path = write("own/settings.json", {"later": {"x": [1, "ü"]}, "compaction": {"enabled": False, "future": 1}})
    files.change(("compaction", "keepRecentTokens"), 7)
    files.change(("model", "modelId"), "漢字")
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "later": {"x": [1, "ü"]},
        "compaction": {"enabled": False, "future": 1, "keepRecentTokens": 7},
        "model": {"modelId": "漢字"},
    }
    files.change(("model", "modelId"), None)
    files.change(("compaction", "keepRecentTokens"), None)
    assert json.loads(path.read_text(encoding="utf-8")) == {
        "later": {"x": [1, "ü"]},
        "compaction": {"enabled": False, "future": 1},
    }
    assert [entry.name for entry in path.parent.iterdir()] == ["settings.json"]


def test_a_file_that_is_not_understood_is_not_overwritten(files: SettingsFiles, write: Callable[..., Path]) -> None:
    for text in ("{broken", "[1, 2]"):
        path = write("own/settings.json", text)
        with pytest.raises(ServiceError, match="not changed"):
            files.change(("compaction", "enabled"), False)
        assert path.read_text() == text


def test_the_first_value_makes_the_file(files: SettingsFiles) -> None:
    files.change(("compaction", "enabled"), False)
    assert files.resolve("pi").values.compaction.enabled is False


def test_trust_is_for_one_folder_and_can_be_taken_back(home: Path) -> None:
    trust = ProjectTrust(home / "state.json")
    (home / "a").mkdir(parents=True)
    trust.trust(str(home / "a"))
    again = ProjectTrust(home / "state.json")
    assert again.is_trusted(str(home / "a" / ".." / "a"))
    assert not again.is_trusted(str(home))
    again.trust(str(home / "a"), False)
    assert not ProjectTrust(home / "state.json").is_trusted(str(home / "a"))
    (home / "state.json").write_text("no json")
    assert not ProjectTrust(home / "state.json").is_trusted(str(home / "a"))
