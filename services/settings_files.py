"""Where settings come from: the agents' files, which are only read, and the application's own (ST-1)."""

import json
import logging
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from model import json_text
from model.dialects import Dialect
from model.json_text import JsonObject
from model.sentences import Sentence, told
from model.settings_levels import Level, ResolvedSettings, SettingsProblem, resolve_settings
from services.app_folders import config_folder, state_folder
from services.errors import ServiceError
from services.system_errors import os_reason

log = logging.getLogger(__name__)

MAX_BYTES: Final = 1_000_000  # of a settings file; a larger one is none

Stamp = tuple[str, int, int] | None  # path, time, size


@dataclass(frozen=True, slots=True)
class SettingsSource:
    """A file that settings may come from; there may be several for a level, of which the first that exists counts."""

    level: Level
    path: Path


@dataclass(frozen=True, slots=True)
class SettingsLevels:
    """The JSON value of each level that exists, the file it was read from, and what could not be read."""

    values: dict[Level, Any] = field(default_factory=dict)
    files: dict[Level, Path] = field(default_factory=dict)
    problems: list[SettingsProblem] = field(default_factory=list)


class SettingsFiles:
    """Reads all levels, and writes the application's own. Files are read again when they have changed.

    `overrides` are the per-session values set in the window. `trusted` says whether a project's own settings count.
    """

    def __init__(
        self,
        own_file: Path | None = None,
        *,
        home: Path | None = None,
        environ: Mapping[str, str] | None = None,
        trust: "ProjectTrust | None" = None,
    ) -> None:
        self.own_file = own_file or config_folder() / "settings.json"
        self._home = home or Path.home()
        self._environ = os.environ if environ is None else environ
        self.trust = trust or ProjectTrust(state_folder() / "trusted-projects.json")
        self._resolved: tuple[object, ResolvedSettings] | None = None

    def sources(self, dialect: Dialect, cwd: str | None) -> list[SettingsSource]:
        """Return the files that count for a session of `dialect` in the folder `cwd`, lowest level first."""
        agent = self._agent_folder(dialect)
        names = ("config.yml", "settings.json") if dialect == "omp" else ("settings.json",)
        sources = [SettingsSource("user", agent / name) for name in names]
        if cwd and self.trust.is_trusted(cwd):
            sources.append(SettingsSource("project", Path(cwd) / f".{dialect}" / "settings.json"))
        return [*sources, SettingsSource("application", self.own_file)]

    def resolve(
        self, dialect: Dialect, cwd: str | None = None, overrides: JsonObject | None = None
    ) -> ResolvedSettings:
        """Return the settings of a session. Never raises: what can't be read is a problem of the result."""
        sources = self.sources(dialect, cwd)
        state = (dialect, [_stamp(source.path) for source in sources], overrides)
        if self._resolved is not None and self._resolved[0] == state:
            return self._resolved[1]
        read = self._read_levels(sources, overrides)
        found = resolve_settings(read.values, dialect)
        resolved = ResolvedSettings(found.values, found.origins, (*read.problems, *found.problems), found.notices)
        self._resolved = (state, resolved)
        return resolved

    def levels(self, dialect: Dialect, cwd: str | None = None, overrides: JsonObject | None = None) -> SettingsLevels:
        """Return what each level says by itself. Never raises."""
        return self._read_levels(self.sources(dialect, cwd), overrides)

    def untrusted_project_file(self, dialect: Dialect, cwd: str | None) -> Path | None:
        """Return the settings file of a project that isn't read because the project isn't trusted."""
        if not cwd or self.trust.is_trusted(cwd):
            return None
        path = Path(cwd) / f".{dialect}" / "settings.json"
        return path if path.is_file() else None

    def change(self, key: tuple[str, ...], value: Any) -> None:
        """Write one value into the application's own file; None takes it out. Everything else in it stays.

        Raises ServiceError when the file can't be read or written, or isn't what it should be; then it's untouched.
        """
        self.change_all({key: value})

    def change_all(self, changes: Mapping[tuple[str, ...], Any]) -> dict[tuple[str, ...], Any]:
        """Write several values at once, all or none; None takes a value out. Return what was there, for an undo.

        Raises ServiceError like `change`.
        """
        try:
            present = _read(self.own_file)
        except FileNotFoundError:
            present = {}
        except (OSError, ValueError) as error:
            raise ServiceError(
                Sentence("The settings in {0} can't be read, so they were not changed.", str(self.own_file))
            ) from error
        if not isinstance(present, dict):
            raise ServiceError(
                Sentence("The settings in {0} are no JSON object, so they were not changed.", str(self.own_file))
            )
        write_settings(self.own_file, with_changes(present, changes))
        return {key: value_at(present, key) for key in changes}

    def _read_levels(self, sources: Sequence[SettingsSource], overrides: JsonObject | None) -> SettingsLevels:
        read = SettingsLevels()
        for source in sources:
            if source.level in read.values:
                continue
            try:
                read.values[source.level] = _read(source.path)
            except FileNotFoundError:
                continue
            except (OSError, ValueError) as error:
                reason = os_reason(error) if isinstance(error, OSError) else told(error)
                log.warning("settings not read: %s: %s", source.path, reason)
                message = Sentence("{0} could not be read: {1}.", str(source.path), reason)
                read.problems.append(SettingsProblem(source.level, "", message))
                continue
            read.files[source.level] = source.path
        if overrides:
            read.values["session"] = overrides
        return read

    def _agent_folder(self, dialect: Dialect) -> Path:
        if moved := self._environ.get("PI_CODING_AGENT_DIR"):
            return Path(moved).expanduser()
        folder = self._environ.get("PI_CONFIG_DIR") or ".omp" if dialect == "omp" else ".pi"
        return self._home / folder / "agent"


@dataclass(slots=True)
class ProjectTrust:
    """The project folders whose settings and extensions the user trusts, in a small file of ours."""

    file: Path
    _folders: set[str] = field(default_factory=set, init=False)
    _read_at: object = field(default="never", init=False)

    def is_trusted(self, folder: str) -> bool:
        """Whether exactly this folder was trusted."""
        return _canonical(folder) in self._known()

    def trust(self, folder: str, trusted: bool = True) -> None:
        """Trust a folder, or stop trusting it. Raises ServiceError when that can't be kept."""
        known = set(self._known())
        (known.add if trusted else known.discard)(_canonical(folder))
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.write_text(json.dumps(sorted(known)), encoding="utf-8")
        except OSError as error:
            raise ServiceError(Sentence("The trust could not be saved: {0}.", os_reason(error))) from error
        self._folders, self._read_at = known, _stamp(self.file)

    def _known(self) -> set[str]:
        stamp = _stamp(self.file)
        if stamp != self._read_at:  # another part of the program, or another one, may have changed it
            try:
                listed = json.loads(self.file.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                listed = []
            self._folders = {name for name in listed if isinstance(name, str)} if isinstance(listed, list) else set()
            self._read_at = stamp
        return self._folders


def _canonical(folder: str) -> str:
    return os.path.realpath(folder)


def _stamp(path: Path) -> Stamp:
    try:
        status = path.stat()
    except OSError:
        return None
    return (str(path), status.st_mtime_ns, status.st_size)


def _read(path: Path) -> Any:
    """The value of a JSON or YAML file. Raises OSError and ValueError."""
    with path.open("rb") as file:
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise ValueError(Sentence("it is too large"))
    if path.suffix not in (".yml", ".yaml"):
        return json_text.parse(data) if data.strip() else {}
    import yaml

    try:
        value = yaml.safe_load(data)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise ValueError(Sentence("it is no YAML")) from error
    return {} if value is None else value


def write_settings(file: Path, value: JsonObject) -> None:
    """Replace a small file of ours by a JSON object, in one step. Raises ServiceError; then it's as before."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:  # lone surrogates: as escapes they survive
            text = json.dumps(value, indent=2)
    temporary = file.with_suffix(f".{os.getpid()}.tmp")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_text(text + "\n", encoding="utf-8")
        temporary.replace(file)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise ServiceError(Sentence("The settings could not be saved: {0}.", os_reason(error))) from error


def with_changes(value: JsonObject, changes: Mapping[tuple[str, ...], Any]) -> JsonObject:
    """Return a copy of nested settings with other values; None takes a value out."""
    for key, new in changes.items():
        value = _changed(value, key, new)
    return value


def value_at(value: Any, key: tuple[str, ...]) -> Any:
    """Return the value at `key` in nested settings, None when there is none."""
    for name in key:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _changed(value: JsonObject, key: tuple[str, ...], new: Any) -> JsonObject:
    """A copy of `value` with another value at `key`. A group that isn't an object is replaced by one."""
    name, *rest = key
    changed = dict(value)
    if rest:
        group = changed.get(name)
        changed[name] = _changed(group if isinstance(group, dict) else {}, tuple(rest), new)
        if not changed[name]:
            del changed[name]
    elif new is None:
        changed.pop(name, None)
    else:
        changed[name] = new
    return changed
