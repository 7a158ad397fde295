"""What the settings dialog is told: values with their level and file, what each level says, and undo."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from model.settings_levels import known_key_names, table_entry_keys, table_names
from services.errors import ServiceError
from services.session_overrides import SessionOverrides
from services.settings_files import ProjectTrust, SettingsFiles
from services.settings_survey import survey_settings

KEEP = ("compaction", "keepRecentTokens")
KEEP_NAME = "compaction.keepRecentTokens"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def write(home: Path) -> Callable[[str, Any], Path]:
    def write(name: str, value: Any) -> Path:
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(value), encoding="utf-8")
        return path

    return write


@pytest.fixture
def files(home: Path) -> SettingsFiles:
    trust = ProjectTrust(home / "state" / "trusted.json")
    return SettingsFiles(home / "own" / "settings.json", home=home, environ={}, trust=trust)


def kept(tokens: Any) -> dict[str, Any]:
    return {"compaction": {"keepRecentTokens": tokens}}


@pytest.mark.spec("ST-1", "ST-4")
def test_every_key_has_its_value_level_and_file(files: SettingsFiles, write: Callable[..., Path]) -> None:
    agents = write(".pi/agent/settings.json", kept(8000))
    own = write("own/settings.json", kept(9000))
    survey = survey_settings(files, "pi")
    assert set(known_key_names()) <= set(survey.states)
    state = survey.states[KEEP_NAME]
    assert (state.value, state.level, state.file) == (9000, "application", own)
    assert [(said.level, said.file, said.value) for said in state.said] == [
        ("user", agents, 8000),
        ("application", own, 9000),
    ]
    assert (state.below.value, state.below.level) == (8000, "user")
    assert state.edited is not None
    assert state.edited.value == 9000
    untouched = survey.states["retry.maxRetries"]
    assert (untouched.level, untouched.file, untouched.said, untouched.edited) == ("defaults", None, (), None)
    assert survey.states["pruning.enabled"].value == "auto"
    assert survey.states["pruning.enabled"].effective_value is False
    assert survey_settings(files, "omp").states["pruning.enabled"].effective_value is True


def test_a_value_that_does_not_count_is_shown_with_its_problem(
    files: SettingsFiles, write: Callable[..., Path]
) -> None:
    write(".pi/agent/settings.json", kept("many"))
    write("own/settings.json", kept(-1))
    state = survey_settings(files, "pi").states[KEEP_NAME]
    assert (state.value, state.level) == (20000, "defaults")
    assert all(said.problem for said in state.said)
    assert state.edited is not None
    assert state.edited.value == -1


def test_a_session_may_have_values_of_its_own(files: SettingsFiles, write: Callable[..., Path], home: Path) -> None:
    write("own/settings.json", kept(9000))
    overrides = SessionOverrides(home / "state" / "sessions.json")
    assert overrides.change_all("s1", {KEEP: 100, ("retry", "enabled"): False}) == {
        KEEP: None,
        ("retry", "enabled"): None,
    }
    assert SessionOverrides(overrides.file).of("s1") == {**kept(100), "retry": {"enabled": False}}
    assert overrides.of("s2") == {}
    state = survey_settings(files, "pi", None, overrides.of("s1"), "session").states[KEEP_NAME]
    assert (state.value, state.level, state.below.value, state.below.level) == (100, "session", 9000, "application")
    seen_from_below = survey_settings(files, "pi", None, overrides.of("s1")).states[KEEP_NAME]
    assert seen_from_below.is_overridden
    assert overrides.change_all("s1", {KEEP: None, ("retry", "enabled"): None}) == {
        KEEP: 100,
        ("retry", "enabled"): False,
    }
    assert overrides.of("s1") == {}
    assert json.loads(overrides.file.read_text()) == {}


@pytest.mark.parametrize("content", ["", "[1]", "{", '{"s1": 3}'])
def test_broken_session_settings_are_none(home: Path, content: str) -> None:
    file = home / "sessions.json"
    file.parent.mkdir(parents=True)
    file.write_text(content)
    assert SessionOverrides(file).of("s1") == {}


def test_several_values_are_written_at_once_and_what_was_there_is_returned(
    files: SettingsFiles, write: Callable[..., Path]
) -> None:
    own = write("own/settings.json", {**kept(9000), "other": {"x": 1.0}})
    before = files.change_all({KEEP: 1, ("model", "modelId"): "m"})
    assert before == {KEEP: 9000, ("model", "modelId"): None}
    assert json.loads(own.read_text()) == {**kept(1), "other": {"x": 1.0}, "model": {"modelId": "m"}}
    files.change_all(before)
    assert json.loads(own.read_text()) == {**kept(9000), "other": {"x": 1.0}}


def test_odd_text_in_the_own_file_survives_a_change(files: SettingsFiles) -> None:
    files.own_file.parent.mkdir(parents=True)
    files.own_file.write_text('{"odd": "\\ud800 ไทย"}', encoding="utf-8")
    files.change(KEEP, 1)
    assert json.loads(files.own_file.read_text("utf-8")) == {"odd": "\ud800 ไทย", **kept(1)}


def test_settings_that_cannot_be_written_are_as_before(home: Path) -> None:
    (home / "state").mkdir(parents=True)
    (home / "state" / "blocked").write_text("a file where a folder should be")
    overrides = SessionOverrides(home / "state" / "blocked" / "sessions.json")
    with pytest.raises(ServiceError, match="could not be saved"):
        overrides.change_all("s1", {KEEP: 1})
    assert overrides.of("s1") == {}


def test_a_project_without_trust_is_named(files: SettingsFiles, home: Path, write: Callable[..., Path]) -> None:
    assert survey_settings(files, "pi", str(home / "project")).untrusted_project_file is None
    path = write("project/.pi/settings.json", kept(2))
    assert survey_settings(files, "pi", str(home / "project")).untrusted_project_file == path
    other = ProjectTrust(files.trust.file)
    other.trust(str(home / "project"))  # another part of the program
    survey = survey_settings(files, "pi", str(home / "project"))
    assert survey.untrusted_project_file is None
    assert survey.states[KEEP_NAME].level == "project"


def test_entries_of_tables_have_keys(files: SettingsFiles, write: Callable[..., Path]) -> None:
    write("own/settings.json", {"compaction": {"modelOverrides": {"a/b.c": {"reserveTokens": 5}}}})
    survey = survey_settings(files, "pi")
    state = survey.states['compaction.modelOverrides."a/b.c".reserveTokens']
    assert (state.value, state.below.value, state.key.path[2]) == (5, None, "a/b.c")
    assert table_names() == ["compaction.modelOverrides", "modelRoles"]
    assert [key.path for key in table_entry_keys("modelRoles", "smol")] == [("modelRoles", "smol")]
    with pytest.raises(KeyError):
        table_entry_keys("retry", "x")
