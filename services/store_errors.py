"""Why a session was not changed. `str(error)` is a sentence for the user; the file is as it was."""

from __future__ import annotations

from typing import Final

from model.sentences import Sentence
from services.errors import ServiceError
from services.system_errors import os_reason

GONE: Final = Sentence("The file of this session is gone. Save it under another name to keep what is shown.")
LOCKED: Final = Sentence(
    "Another window of this program has changed this session and still has it open. Close it there to make changes "
    "here."
)
PROTECTED: Final = Sentence(
    "The file is write-protected, so nothing can be saved to it. You can look at everything, and save a copy to go on "
    "in."
)
FOLDER_PROTECTED: Final = Sentence(
    "The folder of this file is write-protected, so the file cannot be replaced and the original kept beside it. You "
    "can save a copy elsewhere to go on in."
)


class StoreError(ServiceError):
    """A change that was not made."""


class ReadOnlyError(StoreError):
    """The session can be looked at but not be changed."""


class SessionGoneError(StoreError):
    """The file does not exist any more."""

    def __init__(self) -> None:
        super().__init__(GONE)


class SessionLockedError(StoreError):
    """Another instance of this program is the writer of the session."""

    def __init__(self) -> None:
        super().__init__(LOCKED)


class WriteError(StoreError):
    """The disk refused."""

    def __init__(self, error: OSError) -> None:
        super().__init__(Sentence("Nothing was saved: {0}.", os_reason(error)))
