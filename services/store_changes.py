"""What happens to the file of a session beside what was asked for, as the store tells it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from model.sentences import Sentence

REPLACED_BY_OTHER: Final = Sentence(
    "The file was replaced by something that is no session. What is shown is how it was before."
)
RECREATED: Final = Sentence("The file was replaced by another one, which is shown now.")
CHANGED: Final = Sentence("Another program rewrote the file; it was read again.")
SHORTENED: Final = Sentence("Another program shortened the file; it was read again.")


@dataclass(frozen=True, slots=True)
class StoreChange:
    """What other programs did to the file."""

    kind: Literal["none", "appended", "replaced", "truncated", "deleted"] = "none"
    rows: range = range(0)
    """Entry rows that are new ("appended")."""
    renumbered: bool = False
    """Rows that were known before may stand for other entries now: look them up again by id."""
    message: str | None = None
    """A sentence for the user, where they should know."""

    def then(self, later: StoreChange) -> StoreChange:
        """Return both changes as one."""
        if self.kind == "none" or later.kind == "none":
            return self if later.kind == "none" else later
        if self.kind == later.kind == "appended" and not (self.renumbered or later.renumbered):
            return replace(later, rows=range(self.rows.start, later.rows.stop))
        first = self if later.kind == "appended" else later
        return replace(first, rows=range(0), renumbered=True, message=later.message or self.message)


@dataclass(frozen=True, slots=True)
class Upgrade:
    """The file was brought from an old format version to the current one; `backup` is the file as it was."""

    old_version: int
    version: int
    backup: Path

    @property
    def message(self) -> Sentence:
        """A sentence for the user."""
        return Sentence(
            "The file was of format version {0}. To be written to, it was brought to version {1}; it is kept as it was "
            "in {2}.",
            str(self.old_version),
            str(self.version),
            self.backup.name,
        )
