"""Merging the levels that settings come from, value by value, with the origin of each (ST-1).

Every value is checked by itself: what is invalid is reported and the next lower level counts. A file of an agent counts
only for the keys that are that agent's; keys of this application are read from its own levels alone.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal, TypeGuard, get_args, get_origin

from pydantic import TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from model.dialects import Dialect
from model.json_text import JsonObject
from model.sentences import Sentence, told
from model.settings import EffectiveSettings, Settings, SettingsGroup, effective

Level = Literal["defaults", "user", "project", "application", "session"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)  # lowest first
AGENT_LEVELS: Final[frozenset[Level]] = frozenset({"user", "project"})

ProblemKind = Literal["invalid", "unsupported", "unknown"]
Path = tuple[str, ...]

# Keys that only one agent's files may set (ST-2 R-60, ST-3); all other keys of the agents are read from either's.
_AGENT_OF_KEY: Final[dict[str, Dialect]] = {
    "branchSummary.enabled": "omp",
    "branchSummary.skipPrompt": "pi",
    "compaction.modelOverrides": "pi",
    "compaction.remoteEnabled": "omp",
    "compaction.strategy": "omp",
    "compaction.thresholdPercent": "omp",
    "compaction.thresholdTokens": "omp",
    "modelRoles": "omp",
    "retry.maxAgentDelayMs": "pi",
    "sessionDir": "pi",
}
_OWN_KEYS: Final = frozenset(
    {
        "branchSummary.answer",
        "branchSummary.replaceInstructions",
        "compaction.adaptKeepRecent",
        "compaction.boundary",
        "compaction.fileTagLimit",
        "compaction.includeThinking",
        "compaction.remoteTimeoutSeconds",
        "compaction.shortSummary",
        "extensions",
        "session.defaultDialect",
        "sessions.folders",
    }
)
_OWN_GROUPS: Final = ("model.", "pruning.")
_UNSUPPORTED: Final = ("compaction.idle", "compaction.handoffSaveToDisk", "contextPromotion.enabled")


class _Missing:
    """The value of a key that a level does not have."""


_MISSING: Final = _Missing()


@dataclass(frozen=True, slots=True)
class SettingKey:
    """One key of the settings files: its path, how a value is checked, and its default."""

    path: Path
    adapter: TypeAdapter[Any]
    default: Any
    table: str = ""  # the table of named values that the key belongs to

    @property
    def name(self) -> str:
        """The dotted name; parts that hold a dot or a slash are quoted."""
        return ".".join(f'"{part}"' if set(part) & set("./") else part for part in self.path)

    def is_read_from(self, level: Level, dialect: Dialect) -> bool:
        """Return whether a level may set the key in a session of `dialect`."""
        name = self.table or self.name
        if level not in AGENT_LEVELS:
            return True
        if name in _OWN_KEYS or name.startswith(_OWN_GROUPS):
            return False
        return _AGENT_OF_KEY.get(name, dialect) == dialect

    def given(self, level_value: Any) -> Any:
        """Return what a level's JSON value says for the key, None when it says nothing."""
        value = _look_up(level_value, self.path)
        return None if value is _MISSING else value

    def problem_with(self, value: Any) -> str:
        """Return what is wrong with `value` for this key, as a sentence; empty when it is valid."""
        try:
            self.adapter.validate_python(value)
        except ValidationError as error:
            return _sentence(error)
        return ""


@dataclass(frozen=True, slots=True)
class SettingOrigin:
    """The value in force for a key: as written, as it works in this session (`auto` replaced), and its level."""

    value: Any
    effective_value: Any
    level: Level


@dataclass(frozen=True, slots=True)
class SettingsProblem:
    """Something in a level that does not count, with a sentence for the user; `key` is "" for the level as a whole."""

    level: Level
    key: str
    message: Sentence
    kind: ProblemKind = "invalid"

    @property
    def is_error(self) -> bool:
        """Whether it belongs at a field of the settings dialog; problems in an agent's files are only listed."""
        return self.kind == "invalid" and self.level not in AGENT_LEVELS


@dataclass(frozen=True, slots=True)
class ResolvedSettings:
    """The settings of a session, the origin of each key, and everything that did not count."""

    values: EffectiveSettings
    origins: Mapping[str, SettingOrigin]
    problems: tuple[SettingsProblem, ...] = ()
    notices: tuple[str, ...] = ()


def resolve_settings(levels: Mapping[Level, Any], dialect: Dialect) -> ResolvedSettings:
    """Return the settings that the levels give for a session of `dialect`.

    `levels` holds the JSON value of each level that exists, "defaults" excepted. Never raises, whatever the JSON.
    """
    problems: list[SettingsProblem] = []
    objects: dict[Level, Any] = {level: levels[level] for level in LEVELS[1:] if level in levels}
    for level, given in objects.items():
        problems += _shape_problems(level, given, dialect)
    merged: JsonObject = {}
    picked: list[tuple[SettingKey, Any, Level]] = []
    for key in _keys_for(objects):
        value, origin = _pick(key, objects, dialect, problems)
        if origin != "defaults" or not key.table:
            _put(merged, key.path, value)
            picked.append((key, value, origin))
    values = effective(Settings.model_validate(merged), dialect)
    in_force = values.model_dump(by_alias=True, mode="json")
    origins = {key.name: SettingOrigin(value, _look_up(in_force, key.path), level) for key, value, level in picked}
    return ResolvedSettings(values, origins, tuple(problems), _notices(values))


def known_key_names() -> list[str]:
    """Return the dotted name of every key that is not in a table, in the order of the schema."""
    return [key.name for key in _FIXED_KEYS]


def setting_keys(levels: Mapping[Level, Any]) -> list[SettingKey]:
    """Return every key: the fixed ones, and those of each name that a level has in a table."""
    return list(_keys_for(levels))


def table_names() -> list[str]:
    """Return the dotted names of the tables, such as `modelRoles`, whose entries have names of the user's choice."""
    return [".".join(table) for table, _ in _TABLES]


def table_entry_keys(table_name: str, entry_name: str) -> list[SettingKey]:
    """Return the keys of one entry of a table. Raises KeyError for a name that is no table's."""
    types = {".".join(table): (table, value_type) for table, value_type in _TABLES}
    table, value_type = types[table_name]
    return list(_entry_keys((*table, entry_name), value_type, table_name))


def _pick(
    key: SettingKey, levels: Mapping[Level, Any], dialect: Dialect, problems: list[SettingsProblem]
) -> tuple[Any, Level]:
    """The value of the highest level that has a valid one. Invalid ones on the way are added to `problems`."""
    for level in reversed(list(levels)):
        given = _look_up(levels[level], key.path) if key.is_read_from(level, dialect) else _MISSING
        if given is _MISSING:
            continue
        try:
            return key.adapter.validate_python(given), level
        except ValidationError as error:
            problems.append(SettingsProblem(level, key.name, _sentence(error)))
    return key.default, "defaults"


def _sentence(error: ValidationError) -> Sentence:
    first, *others = dict.fromkeys(map(reason_of, error.errors()))
    for other in others:
        first = Sentence("{0}; or: {1}", first, other)
    return Sentence("{0}.", first)


def reason_of(failure: Any) -> Sentence:
    """Return what pydantic says about a value, without a full stop; translatable where our settings can say it."""
    context = failure.get("ctx", {})
    match failure["type"]:
        case "value_error":
            return Sentence("{0}", told(context["error"]))
        case "greater_than_equal":
            return Sentence("Input should be greater than or equal to {0}", context["ge"])
        case "less_than_equal":
            return Sentence("Input should be less than or equal to {0}", context["le"])
        case "literal_error":
            return Sentence("Input should be {0}", _choices(context["expected"]))
        case "string_too_short":
            return Sentence("Input should not be empty")
        case kind:
            return _TYPE_REASONS.get(kind, Sentence("{0}", str(failure["msg"])))


def _choices(expected: str) -> str:
    """The choices that pydantic lists: 'a', 'b' or 'c'."""
    head, _, last = expected.rpartition(" or ")
    return Sentence("{0} or {1}", head, last) if head else last


def _keys_for(levels: Mapping[Level, Any]) -> Iterator[SettingKey]:
    """All keys: the fixed ones, and those of every name that a level has in a table."""
    yield from _FIXED_KEYS
    for table, value_type in _TABLES:
        names: dict[str, None] = {}
        for given in levels.values():
            entries = _look_up(given, table)
            if isinstance(entries, dict):
                names.update(dict.fromkeys(name for name in entries if isinstance(name, str)))
        for name in names:
            yield from _entry_keys((*table, name), value_type, ".".join(table))


def _entry_keys(path: Path, value_type: Any, table: str) -> Iterator[SettingKey]:
    if _is_group(value_type):
        for key in _fixed_keys(value_type, path):
            yield SettingKey(key.path, key.adapter, key.default, table)
    else:
        yield SettingKey(path, TypeAdapter(value_type), None, table)


def _fixed_keys(group: type[SettingsGroup], path: Path = ()) -> Iterator[SettingKey]:
    for field in group.model_fields.values():
        field_path = (*path, field.alias or "")
        if _is_group(field.annotation):
            yield from _fixed_keys(field.annotation, field_path)
        elif get_origin(field.annotation) is not dict:
            yield SettingKey(field_path, _checker(field), field.get_default())


def _checker(field: FieldInfo) -> TypeAdapter[Any]:
    annotation: Any = field.annotation
    for constraint in field.metadata:
        annotation = Annotated[annotation, constraint]
    return TypeAdapter(annotation)


def _tables(group: type[SettingsGroup], path: Path = ()) -> Iterator[tuple[Path, Any]]:
    for field in group.model_fields.values():
        field_path = (*path, field.alias or "")
        if _is_group(field.annotation):
            yield from _tables(field.annotation, field_path)
        elif get_origin(field.annotation) is dict:
            yield field_path, get_args(field.annotation)[1]


def _is_group(annotation: Any) -> TypeGuard[type[SettingsGroup]]:
    return isinstance(annotation, type) and issubclass(annotation, SettingsGroup)


def _look_up(value: Any, path: Path) -> Any:
    for name in path:
        if not isinstance(value, dict) or name not in value:
            return _MISSING
        value = value[name]
    return value


def _put(target: JsonObject, path: Path, value: Any) -> None:
    for name in path[:-1]:
        target = target.setdefault(name, {})
    target[path[-1]] = value


def _shape_problems(level: Level, given: Any, dialect: Dialect) -> Iterator[SettingsProblem]:
    """What a level holds that is no object where one is needed, is not supported, or is not known."""
    if not isinstance(given, dict):
        yield SettingsProblem(level, "", Sentence("The settings should be an object."))
        return
    tables = [SettingKey((*table, "*"), TypeAdapter(Any), None, ".".join(table)) for table, _ in _TABLES]
    read = [key for key in (*_FIXED_KEYS, *tables) if key.is_read_from(level, dialect)]
    for group in dict.fromkeys(key.path[:length] for key in read for length in range(1, len(key.path))):
        value = _look_up(given, group)
        if value is not _MISSING and not isinstance(value, dict):
            yield SettingsProblem(level, ".".join(group), _NO_OBJECT)
    for table, value_type in _TABLES:
        entries = _look_up(given, table)
        if isinstance(entries, dict) and _is_group(value_type):
            for name in (name for name, value in entries.items() if not isinstance(value, dict)):
                yield SettingsProblem(level, f'{".".join(table)}."{name}"', _NO_OBJECT)
    for path in _leaf_paths(given):
        name = ".".join(path)
        if name.startswith(_UNSUPPORTED):
            message = Sentence("This setting of OMP is not supported.")
            yield SettingsProblem(level, name, message, "unsupported")
        elif level not in AGENT_LEVELS and not _is_known(path):
            yield SettingsProblem(level, name, Sentence("No setting has this name."), "unknown")


def _leaf_paths(given: JsonObject) -> Iterator[Path]:
    """The paths of all values that are no objects, of empty objects, and of what lies deeper than any key."""
    waiting: list[tuple[Path, Any]] = [((), given)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, dict) and value and len(path) < _DEEPEST_KEY:
            waiting += [((*path, str(name)), item) for name, item in reversed(value.items())]
        elif path:
            yield path


def _is_known(path: Path) -> bool:
    """Whether a path is a key, leads to one, or lies in a table."""
    if any(path == key.path[: len(path)] for key in _FIXED_KEYS):
        return True
    return any(path[: len(table)] == table[: len(path)] for table, _ in _TABLES)


def _notices(values: EffectiveSettings) -> tuple[str, ...]:
    if values.compaction.strategy == "handoff":
        return (
            Sentence(
                "The compaction strategy “handoff” is not supported; sessions are compacted with a summary instead."
            ),
        )
    return ()


_TYPE_REASONS: Final = {
    "bool_type": Sentence("Input should be true or false"),
    "int_type": Sentence("Input should be a whole number"),
    "string_type": Sentence("Input should be a text"),
    "list_type": Sentence("Input should be a list"),
    "dict_type": Sentence("Input should be an object"),
}
_NO_OBJECT: Final = Sentence("{0}.", _TYPE_REASONS["dict_type"])
_FIXED_KEYS: Final = tuple(_fixed_keys(Settings))
_TABLES: Final = tuple(_tables(Settings))
_DEEPEST_KEY: Final = 4
