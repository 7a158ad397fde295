"""What a list of sessions shows of one: name, times, counts, first question (SF-13)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from model.entries import entry_type, message_of
from model.json_text import JsonObject
from model.messages import block_texts, role_of, text_field
from model.rules import BRANCHWORK, Rules
from model.session_names import latest_short_summary, session_name
from model.timestamps import timestamp_ms

NO_MESSAGES: Final = "(no messages)"


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """One row of a list of sessions. Times are Unix milliseconds, None where the file has no valid one."""

    session_id: str
    cwd: str
    name: str | None  # given by the user in a `session_info` entry (Pi)
    title: str | None  # of the header (OMP)
    short_summary: str | None  # of the last compaction that has one (OMP)
    parent_session: str | None
    created_ms: int | None
    modified_ms: float | None  # of the last question or answer; else of the header
    message_count: int
    first_message: str | None  # the first question that has text
    all_text: str  # all questions and answers, for searching

    @property
    def display_name(self) -> str:
        """The name to show: given name or title, else short summary, first question, id."""
        return self.name or self.title or self.short_summary or self.first_message or self.session_id


def summarize_session(
    header: JsonObject, entries: Sequence[JsonObject], rules: Rules = BRANCHWORK
) -> SessionSummary | None:
    """Return the row of a session. O(entries).

    None only under `rules.null_content_hides_session`, when the content of a question or an answer cannot be read.
    """
    messages = [message for entry in entries if (message := message_of(entry)) is not None]
    spoken = [message for message in messages if role_of(message) in ("user", "assistant") and "content" in message]
    if rules.null_content_hides_session and any(not isinstance(message["content"], str | list) for message in spoken):
        return None
    texts = [(role_of(message), " ".join(block_texts(message["content"]))) for message in spoken]
    questions = (text for role, text in texts if role == "user" and text)
    created = timestamp_ms(header.get("timestamp"))
    return SessionSummary(
        session_id=text_field(header, "id"),
        cwd=text_field(header, "cwd"),
        name=session_name(entries),
        title=text_field(header, "title") or None,
        short_summary=latest_short_summary(entries),
        parent_session=text_field(header, "parentSession") or None,
        created_ms=created,
        modified_ms=_last_activity(entries) or created,
        message_count=sum(entry_type(entry) == "message" for entry in entries),
        first_message=next(questions, None),
        all_text=" ".join(text for _, text in texts if text),
    )


def _last_activity(entries: Iterable[JsonObject]) -> float | None:
    """The latest time of a question or an answer: that of the message, or of its entry when it has none."""
    latest: float = 0
    for entry in entries:
        message = message_of(entry)
        if message is None or role_of(message) not in ("user", "assistant") or "content" not in message:
            continue
        time: Any = message.get("timestamp")
        if isinstance(time, bool) or not isinstance(time, int | float):
            time = timestamp_ms(entry.get("timestamp"))
        if time is not None and time > latest:
            latest = time
    return latest or None
