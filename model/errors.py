"""Errors of the model: a call that is refused, with a sentence for the user."""

from model.sentences import Sentence


class RefusedError(ValueError):
    """A call that cannot be carried out; nothing was changed. `str(error)` is a sentence for the user."""


class UnknownEntryError(RefusedError):
    """An id that names no entry of the session."""

    def __init__(self, entry_id: object) -> None:
        super().__init__(Sentence("This session has no entry with the id {0}.", str(entry_id)))
        self.entry_id = entry_id


class NotASessionError(RefusedError):
    """Bytes that hold neither a session header nor entries (SF-9.2)."""
