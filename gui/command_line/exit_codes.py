"""How the command ends."""

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes of the command. One that a signal other than Ctrl+C stopped ends with 128 and its number."""

    DONE = 0
    FAILED = 1
    BAD_USAGE = 2
    NOT_A_SESSION = 3
    STOPPED = 130


class UsageError(Exception):
    """What was asked for makes no sense; `str(error)` says why."""
