"""Small codes for what an entry is: its type, its message's role, and a few traits.

The codes fit a byte each, so that a filter is a mask over a column. They are in memory only and may change.
Source: session-format spec, SF-4 and SF-5.1.
"""

from enum import IntEnum, IntFlag
from typing import Final


class Kind(IntEnum):
    """The type of an entry, one code a type of SF-4."""

    MESSAGE = 0
    COMPACTION = 1
    BRANCH_SUMMARY = 2
    CUSTOM_MESSAGE = 3
    CUSTOM = 4
    MODEL_CHANGE = 5
    THINKING_LEVEL_CHANGE = 6
    USAGE = 7
    MODEL_USAGE = 8
    LABEL = 9
    SESSION_INFO = 10
    CONTEXT_EDIT = 11
    SERVICE_TIER_CHANGE = 12
    TTSR_INJECTION = 13
    MCP_TOOL_SELECTION = 14
    SESSION_INIT = 15
    MODE_CHANGE = 16
    TITLE_CHANGE = 17
    CREDENTIAL_PIN = 18
    RESET_BOUNDARY = 19
    UNKNOWN = 255


class Role(IntEnum):
    """The role of a message entry's message; NONE for every other type of entry."""

    NONE = 0
    SYSTEM = 1
    DEVELOPER = 2
    USER = 3
    ASSISTANT = 4
    TOOL_RESULT = 5
    BASH_EXECUTION = 6
    PYTHON_EXECUTION = 7
    CUSTOM = 8
    HOOK_MESSAGE = 9
    BRANCH_SUMMARY = 10
    COMPACTION_SUMMARY = 11
    FILE_MENTION = 12
    UNKNOWN = 255


class Trait(IntFlag):
    """What the body of an entry is like, and how it hangs in the tree."""

    NONE = 0
    VISIBLE_TEXT = 1  # its message shows text that is not only white space
    FAILED = 2  # an assistant message that ended with "error" or "aborted"
    TOOL_CALLS = 4  # an assistant message with tool calls
    EMPTY_SUMMARY = 8  # a compaction or branch summary without text
    ORPHAN = 16  # its parent id names no entry of the file (SF-9.7)
    CYCLE_CUT = 32  # its parent was cut off because it led back to itself (SF-9.7)
    DAMAGED = 64  # recovered from a line that is damaged (SF-9.1)


KIND_OF_TYPE: Final[dict[str, Kind]] = {kind.name.lower(): kind for kind in Kind if kind is not Kind.UNKNOWN}
TYPE_OF_KIND: Final[dict[Kind, str]] = {kind: name for name, kind in KIND_OF_TYPE.items()}


def _camel_case(name: str) -> str:
    first, *rest = name.lower().split("_")
    return first + "".join(word.capitalize() for word in rest)


ROLE_OF_NAME: Final[dict[str, Role]] = {
    _camel_case(role.name): role for role in Role if role not in (Role.NONE, Role.UNKNOWN)
}
NAME_OF_ROLE: Final[dict[Role, str]] = {role: name for name, role in ROLE_OF_NAME.items()}


_UNKNOWN_KIND: Final = Kind.UNKNOWN  # looking a member up in its class is slow
_UNKNOWN_ROLE: Final = Role.UNKNOWN


def kind_of(entry_type: object) -> Kind:
    """Return the code of an entry's `type`, UNKNOWN for types that are not of SF-4."""
    return KIND_OF_TYPE.get(entry_type, _UNKNOWN_KIND) if isinstance(entry_type, str) else _UNKNOWN_KIND


def role_of(name: object) -> Role:
    """Return the code of a message's `role`, UNKNOWN for roles that are not of SF-5.1."""
    return ROLE_OF_NAME.get(name, _UNKNOWN_ROLE) if isinstance(name, str) else _UNKNOWN_ROLE
