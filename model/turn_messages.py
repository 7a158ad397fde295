"""The messages of a chat turn, as the agents store them: a prompt, its answer, and the prompt that nobody typed.

Source: session-format spec, SF-5; compaction spec, CP-2.5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from model.dialects import Dialect
from model.json_text import JsonObject
from model.triggers import CONTINUE_PROMPT

AnswerEnd = Literal["stop", "length", "error", "aborted"]

ABORTED_TEXT: Final = "Request was aborted."


@dataclass(frozen=True, slots=True)
class AttachedImage:
    """An image that goes with a prompt: base64 `data` of the type `mime_type`."""

    mime_type: str
    data: str

    def block(self) -> JsonObject:
        """Return the content block (SF-5.2)."""
        return {"type": "image", "data": self.data, "mimeType": self.mime_type}


@dataclass(frozen=True, slots=True)
class ModelIdentity:
    """The model that answers, in the words of assistant messages (SF-5.1)."""

    api: str
    provider: str
    model_id: str


def user_message(text: str, images: Sequence[AttachedImage], time_ms: int, dialect: Dialect) -> JsonObject:
    """Return the message of a prompt: its text, then its images. A blank text gives no block."""
    blocks = [_text(text)] if text.strip() else []
    content = [*blocks, *(image.block() for image in images)]
    attribution = {"attribution": "user"} if dialect == "omp" else {}
    return {"role": "user", "content": content, **attribution, "timestamp": time_ms}


def continue_message(time_ms: int, dialect: Dialect) -> JsonObject:
    """Return the prompt after a threshold compaction, marked as nobody's own words where the dialect can (CP-2.5)."""
    content = [_text(CONTINUE_PROMPT)]
    if dialect == "omp":
        return {"role": "developer", "content": content, "attribution": "agent", "timestamp": time_ms}
    return {"role": "user", "content": content, "timestamp": time_ms}


def answer_message(
    model: ModelIdentity,
    text: str,
    end: AnswerEnd,
    time_ms: int,
    usage: JsonObject | None = None,
    error_text: str | None = None,
) -> JsonObject:
    """Return an assistant message. A missing `usage` is a record of zeros: an agent can't open a file without one."""
    message: JsonObject = {
        "role": "assistant",
        "content": [_text(text)] if text else [],
        "api": model.api,
        "provider": model.provider,
        "model": model.model_id,
        "usage": usage or no_usage(),
        "stopReason": end,
        "timestamp": time_ms,
    }
    if error_text is not None:
        message["errorMessage"] = error_text
    return message


def no_usage() -> JsonObject:
    """Return the usage record of an answer that measured nothing (SF-5.3)."""
    counts = dict.fromkeys(("input", "output", "cacheRead", "cacheWrite", "totalTokens"), 0)
    return {**counts, "cost": dict.fromkeys(("input", "output", "cacheRead", "cacheWrite", "total"), 0)}


def _text(text: str) -> JsonObject:
    return {"type": "text", "text": text}
