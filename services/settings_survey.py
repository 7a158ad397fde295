"""Every setting as it stands: its value, the level and file it comes from, and what each level says (ST-1, ST-4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.dialects import Dialect
from model.json_text import JsonObject
from model.settings import EffectiveSettings
from model.settings_levels import (
    LEVELS,
    Level,
    ResolvedSettings,
    SettingKey,
    SettingOrigin,
    SettingsProblem,
    resolve_settings,
    setting_keys,
)
from services.settings_files import SettingsFiles, SettingsLevels


@dataclass(frozen=True, slots=True)
class SaidValue:
    """What one level says about a key, as written. `problem` is a sentence when it does not count."""

    level: Level
    file: Path | None
    value: Any
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SettingState:
    """One key: `value` as written where it comes from, `effective_value` as it works (no `auto`).

    `said` lists the levels above the defaults that say something, lowest first. `below` is what would be in force if
    the level that is edited said nothing.
    """

    key: SettingKey
    value: Any
    effective_value: Any
    level: Level
    file: Path | None
    said: tuple[SaidValue, ...]
    below: SettingOrigin
    edited_level: Level

    @property
    def edited(self) -> SaidValue | None:
        """What the edited level says, None when it says nothing."""
        return next((each for each in self.said if each.level == self.edited_level), None)

    @property
    def is_overridden(self) -> bool:
        """Whether a level above the edited one is in force, so that a change has no effect here."""
        return LEVELS.index(self.level) > LEVELS.index(self.edited_level)


@dataclass(frozen=True, slots=True)
class SettingsSurvey:
    """All settings as seen from a session of `dialect` in the folder `cwd`, the keys by their dotted names."""

    dialect: Dialect
    cwd: str | None
    values: EffectiveSettings
    states: Mapping[str, SettingState]
    problems: tuple[SettingsProblem, ...]
    notices: tuple[str, ...]
    files: Mapping[Level, Path]
    untrusted_project_file: Path | None = None
    trusts_project: bool = False


def survey_settings(
    files: SettingsFiles,
    dialect: Dialect,
    cwd: str | None = None,
    overrides: JsonObject | None = None,
    edited_level: Level = "application",
) -> SettingsSurvey:
    """Return the state of every key. Reads the files. Never raises: what cannot be read is a problem of the result."""
    read = files.levels(dialect, cwd, overrides)
    resolved = resolve_settings(read.values, dialect)
    below = resolve_settings({level: read.values[level] for level in _below(edited_level, read.values)}, dialect)
    states = {key.name: _state(key, read, dialect, edited_level, resolved, below) for key in setting_keys(read.values)}
    return SettingsSurvey(
        dialect,
        cwd,
        resolved.values,
        states,
        (*read.problems, *resolved.problems),
        resolved.notices,
        read.files,
        files.untrusted_project_file(dialect, cwd),
        bool(cwd) and files.trust.is_trusted(cwd or ""),
    )


def _below(edited: Level, levels: Mapping[Level, Any]) -> list[Level]:
    return [level for level in LEVELS[: LEVELS.index(edited)] if level in levels]


def _state(
    key: SettingKey,
    read: SettingsLevels,
    dialect: Dialect,
    edited_level: Level,
    resolved: ResolvedSettings,
    below: ResolvedSettings,
) -> SettingState:
    said = tuple(
        SaidValue(level, read.files.get(level), value, key.problem_with(value))
        for level in LEVELS
        if level in read.values and key.is_read_from(level, dialect)
        for value in [key.given(read.values[level])]
        if value is not None
    )
    unset = SettingOrigin(key.default, key.default, "defaults")  # an entry of a table that no lower level has
    origin = resolved.origins.get(key.name, unset)
    return SettingState(
        key,
        origin.value,
        origin.effective_value,
        origin.level,
        read.files.get(origin.level),
        said,
        below.origins.get(key.name, unset),
        edited_level,
    )
