"""The journal: what operations reported, one JSON object a line with its time, in a file of ours that stays small."""

from __future__ import annotations

import json
import logging
import threading
from pathlib import Path
from typing import Any, Final

from services.session_events import Event, SummaryDelta, TurnDelta

log = logging.getLogger(__name__)

MOST_BYTES: Final = 2_000_000  # then the file begins anew, and the one before is kept beside it


class EventJournal:
    """Writes to `file`. `note` may be called from any thread and is quick; `flush` does the writing."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._waiting: list[str] = []
        self._noting = threading.Lock()
        self._writing = threading.Lock()

    def note(self, event: Event, session_id: str, time: str) -> None:
        """Take in an event; streamed text is left out."""
        if not isinstance(event, TurnDelta | SummaryDelta):
            self.note_fields(event.as_json(), session_id, time)

    def note_fields(self, fields: dict[str, Any], session_id: str, time: str) -> None:
        """Take in something else that happened: `fields` with a `type`."""
        line = json.dumps({"time": time, "session": session_id, **fields}, default=str)
        with self._noting:
            self._waiting.append(line + "\n")

    def flush(self) -> None:
        """Write what was noted, in its order. A failure is only logged."""
        with self._writing:
            with self._noting:
                lines, self._waiting = self._waiting, []
            if not lines:
                return
            try:
                self.file.parent.mkdir(parents=True, exist_ok=True)
                if self.file.exists() and self.file.stat().st_size > MOST_BYTES:
                    self.file.replace(self.file.with_suffix(".before.jsonl"))
                with self.file.open("a", encoding="utf-8") as journal:
                    journal.write("".join(lines))
            except OSError as error:
                log.warning("the journal was not written: %s", error)
