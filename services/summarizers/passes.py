"""One pass of a summary: what is to be summarised, and the text that comes of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from model.digest_evidence import Evidence
from model.earlier_summary import EarlierSummary
from model.json_text import JsonObject
from model.sentences import Sentence
from services.cancellation import CancellationToken
from services.errors import ServiceError
from services.operations import SummarizerInfo
from services.session_events import Emit

if TYPE_CHECKING:
    from model.summary_requests import SummaryRequest


_TITLES: Final = {
    "history": Sentence("history"),
    "turn prefix": Sentence("turn prefix"),
    "short summary": Sentence("short summary"),
    "branch": Sentence("branch"),
}


def pass_title(name: str) -> str:
    """Return the name of a pass, for sentences."""
    return _TITLES.get(name, name)


@dataclass(frozen=True, slots=True)
class SummaryPass:
    """A request of a summary (CP-12) together with the messages that its prompt was made of, for a digest of them."""

    request: "SummaryRequest"
    evidence: Sequence[Evidence] = ()
    earlier: EarlierSummary | None = None

    @property
    def name(self) -> str:
        """Which part of a summary it is: "history", "turn prefix", "short summary" or "branch"."""
        return self.request.pass_name


@dataclass(frozen=True, slots=True)
class PassResult:
    """A text that is fit to be saved. `line_sources` as in `DraftSummary`; `short_summary` where one came along."""

    text: str
    usage: JsonObject | None = None
    line_sources: tuple[tuple[str, ...], ...] = ()
    short_summary: str | None = None


class Summarizer(Protocol):
    """Writes the text of a pass. An await may be cancelled at any moment; nothing is left behind then."""

    @property
    def info(self) -> SummarizerInfo:
        """What the user sees of it."""

    async def write(self, task: SummaryPass, token: CancellationToken, emit: Emit) -> PassResult:
        """Return the text of `task`. Raises SummaryFailed or another ServiceError; then there's nothing to save."""


class SummaryFailed(ServiceError):
    """A pass that gave no text fit to be saved. `partial_text` is what was written, for reading only.

    `is_cut_off`: with more room for the answer it may be complete.
    """

    def __init__(self, message: Sentence, partial_text: str = "", *, is_cut_off: bool = False) -> None:
        super().__init__(message)
        self.partial_text = partial_text
        self.is_cut_off = is_cut_off
