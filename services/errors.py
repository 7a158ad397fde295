"""Failures that a user is told about."""

from model.sentences import Sentence


class ServiceError(Exception):
    """A failure to tell the user about: `str(error)` is a sentence for them. Nothing was written."""


class BusyError(ServiceError):
    """A second maintenance operation was asked for while one runs (CP-24)."""

    def __init__(self) -> None:
        super().__init__(
            Sentence("A compaction or navigation is already running in this session. Stop it or wait for it.")
        )
