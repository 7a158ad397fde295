"""Where settings come from: the agents' files, which are only read, and the application's own (ST-1)."""

import json
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from model import json_text
from model.dialects import Dialect
from model.json_text import JsonObject
from model.settings_levels import Level, ResolvedSettings, SettingsProblem, resolve_settings
from services.app_folders import config_folder, state_folder
from services.errors import ServiceError

log = logging.getLogger(__name__)

MAX_BYTES: Final = 1_000_000  # of a settings file; a larger one is none

Stamp = tuple[str, int, int] | None  # path, time, size


@dataclass(frozen=True, slots=True)
class SettingsSource:
    """A file that settings may come from; there may be several for a level, of which the first that exists counts."""

    level: Level
    path: Path


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
        levels: dict[Level, Any] = {}
        problems: list[SettingsProblem] = []
        for source in sources:
            if source.level in levels:
                continue
            try:
                value = _read(source.path)
            except FileNotFoundError:
                continue
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) else str(error)
                log.warning("settings not read: %s: %s", source.path, reason)
                problems.append(SettingsProblem(source.level, "", f"{source.path} could not be read: {reason}."))
                continue
            levels[source.level] = value
        if overrides:
            levels["session"] = overrides
        found = resolve_settings(levels, dialect)
        resolved = ResolvedSettings(found.values, found.origins, (*problems, *found.problems), found.notices)
        self._resolved = (state, resolved)
        return resolved

    def change(self, key: tuple[str, ...], value: Any) -> None:
        """Write one value into the application's own file; None takes it out. Everything else in it stays.

        Raises ServiceError when the file can't be read or written, or isn't what it should be; then it's untouched.
        """
        try:
            present = _read(self.own_file)
        except FileNotFoundError:
            present = {}
        except (OSError, ValueError) as error:
            raise ServiceError(f"The settings in {self.own_file} can't be read, so they were not changed.") from error
        if not isinstance(present, dict):
            raise ServiceError(f"The settings in {self.own_file} are no JSON object, so they were not changed.")
        self._write(_changed(present, key, value))

    def _write(self, value: JsonObject) -> None:
        temporary = self.own_file.with_suffix(f".{os.getpid()}.tmp")
        try:
            self.own_file.parent.mkdir(parents=True, exist_ok=True)
            temporary.write_text(json.dumps(value, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
            temporary.replace(self.own_file)
        except OSError as error:
            temporary.unlink(missing_ok=True)
            raise ServiceError(f"The settings could not be saved: {error.strerror}.") from error

    def _agent_folder(self, dialect: Dialect) -> Path:
        if moved := self._environ.get("PI_CODING_AGENT_DIR"):
            return Path(moved).expanduser()
        folder = self._environ.get("PI_CONFIG_DIR") or ".omp" if dialect == "omp" else ".pi"
        return self._home / folder / "agent"


@dataclass(slots=True)
class ProjectTrust:
    """The project folders whose settings and extensions the user trusts, in a small file of ours."""

    file: Path
    _folders: set[str] | None = field(default=None, init=False)

    def is_trusted(self, folder: str) -> bool:
        """Whether exactly this folder was trusted."""
        return _canonical(folder) in self._known()

    def trust(self, folder: str, trusted: bool = True) -> None:
        """Trust a folder, or stop trusting it. Raises ServiceError when that can't be kept."""
        known = self._known()
        (known.add if trusted else known.discard)(_canonical(folder))
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self.file.write_text(json.dumps(sorted(known)), encoding="utf-8")
        except OSError as error:
            raise ServiceError(f"The trust could not be saved: {error.strerror}.") from error

    def _known(self) -> set[str]:
        if self._folders is None:
            try:
                listed = json.loads(self.file.read_text(encoding="utf-8"))
            except (OSError, ValueError):
                listed = []
            self._folders = {name for name in listed if isinstance(name, str)} if isinstance(listed, list) else set()
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
        raise ValueError("it is too large")
    if path.suffix not in (".yml", ".yaml"):
        return json_text.parse(data) if data.strip() else {}
    import yaml

    try:
        value = yaml.safe_load(data)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        raise ValueError("it is no YAML") from error
    return {} if value is None else value


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
