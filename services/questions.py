"""Questions of an operation to the user: asked as an event on the worker, answered on any other thread."""

import asyncio
import concurrent.futures
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from services.operations import DraftSummary, Review
from services.secrets_scan import Secret
from services.session_events import Emit, Event

SecretsAnswer = Literal["send", "mask", "stop"]
WriterAnswer = Literal["write", "stop"]


@dataclass(frozen=True, slots=True)
class SecretsFound:
    """Likely secrets in a text that would be sent to `host`.

    `entry_ids` names for each secret the entries that hold it; none for one in instructions, for example.
    """

    host: str
    secrets: tuple[Secret, ...]
    entry_ids: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class RecentWriter:
    """Another program wrote into the session file so many seconds ago: it may be at work.

    With `entry_count` it's known to be: while an operation ran it appended so many entries behind the one that the
    result belongs behind, and `text` is what would be saved beside them.
    """

    seconds_ago: float
    entry_count: int = 0
    text: str = ""


@dataclass(frozen=True, slots=True)
class Question(Event):
    """The operation waits for `answer`. `subject` says what is asked.

    A `DraftSummary` is to be read: answer with the text to save, or None to stop. `SecretsFound` are to be decided
    about: answer "send", "mask" or "stop". A `RecentWriter`: answer "write" or "stop".
    """

    event_name: ClassVar[str] = "question"
    subject: DraftSummary | SecretsFound | RecentWriter
    _answer: "concurrent.futures.Future[Any]" = field(
        default_factory=concurrent.futures.Future, compare=False, repr=False
    )

    def answer(self, value: Any) -> None:
        """Answer the question, from any thread. Only the first answer counts, and none after an abort."""
        with suppress(concurrent.futures.InvalidStateError):
            self._answer.set_result(value)

    async def wait(self) -> Any:
        """Return the answer. The wait can be cancelled."""
        return await asyncio.wrap_future(self._answer)

    def as_json(self) -> dict[str, Any]:
        """Return what is asked, without its contents."""
        return {"type": self.event_name, "subject": type(self.subject).__name__}


def review_by_question(emit: Emit) -> Review:
    """Return a review for the options of an operation that asks by a `Question` event."""

    async def review(draft: DraftSummary) -> str | None:
        question = Question(draft)
        emit(question)
        answer: str | None = await question.wait()
        return answer

    return review


async def ask_about_secrets(found: SecretsFound, emit: Emit) -> SecretsAnswer:
    """Ask by a `Question` event what to do about likely secrets."""
    question = Question(found)
    emit(question)
    answer: SecretsAnswer = await question.wait()
    return answer


async def ask_about_writer(writer: RecentWriter, emit: Emit) -> WriterAnswer:
    """Ask by a `Question` event whether to write beside another program."""
    question = Question(writer)
    emit(question)
    answer: WriterAnswer = await question.wait()
    return answer
