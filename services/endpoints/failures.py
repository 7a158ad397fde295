"""What went wrong at an endpoint: a sentence for the user, and whether trying again may help (CP-21.3)."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from html import unescape
from http import HTTPStatus
from typing import Any, Final

from model import json_text
from model.sentences import Sentence, sentences
from services.endpoints.exchange import EndpointError

TRANSIENT_STATUS: Final = frozenset({408, 425, 429, 500, 502, 503, 504, 520, 522, 524, 529})
_LONGEST_REASON: Final = 300  # characters of a server's own words that are shown

_TRANSIENT_WORDS = re.compile(
    r"overloaded|rate.?limit|too many requests|service.?unavailable|server.?error|internal.?error|temporarily"
    r"|timed? ?out|timeout|try again (?:later|in)|retry.?delay|connection (?:reset|closed|error)|network.?error",
    re.IGNORECASE,
)
_LASTING_WORDS = re.compile(
    r"insufficient.?quota|exceeded your current quota|quota exceeded|billing|credit balance"
    r"|insufficient (?:funds|credit|balance)|payment required|out of credits|spending limit|usage limit reached",
    re.IGNORECASE,
)
_OVERFLOW_WORDS = re.compile(
    r"prompt is too long|context.?length|context window|maximum context|too many (?:input )?tokens|context size"
    r"|exceeds? the (?:maximum|available|limit)|request.?too.?large",
    re.IGNORECASE,
)
_HTML = re.compile(r"\s*(?:<!doctype|<html|<head|<body)", re.IGNORECASE)
_HTML_TITLE = re.compile(r"<title[^>]*>(.*?)</title>", re.IGNORECASE | re.DOTALL)
_DURATION = re.compile(r"(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?\Z")

_ADVICE: Final[dict[int, Sentence]] = {
    401: Sentence("Check the key in the settings."),
    402: Sentence("Check the account of this provider."),
    403: Sentence("The key isn't allowed to do this; check it and the model in the settings."),
    404: Sentence("Check the address and the model id in the settings."),
    413: Sentence("Summarise less at once, or choose a model with a larger context window."),
}


def status_error(
    host: str,
    status: int,
    headers: Mapping[str, str],
    body: bytes,
    now_s: float,
    masked: Callable[[str], str] = str,
) -> EndpointError:
    """Return the error for an HTTP answer that isn't a success. `now_s` is Unix time, for dates in headers.

    `masked` takes secrets out of the server's words.
    """
    words = reason_in(body)
    told = words if isinstance(words, Sentence) else masked(words)
    reason = Sentence("{0} {1}", str(status), _phrase(status))
    error = provider_error(host, Sentence("{0}: {1}", reason, _bare(told)) if told else reason, words, status)
    error.retry_after_s = retry_after(status, headers, body, now_s)
    return error


def provider_error(host: str, reason: str, words: str = "", status: int | None = None) -> EndpointError:
    """Return the error for a refusal in the provider's own `words`, with advice where the cause is known."""
    words = words or reason
    lasting = bool(_LASTING_WORDS.search(words))
    overflow = bool(_OVERFLOW_WORDS.search(words)) and status not in (429, 503, 529)
    transient = status in TRANSIENT_STATUS if status else bool(_TRANSIENT_WORDS.search(words))
    if lasting:
        advice = _ADVICE[402]
    elif overflow:
        advice = _ADVICE[413]
    else:
        advice = _ADVICE.get(status or 0, Sentence(""))
    message = sentences(Sentence("{0} answered {1}.", host, _bare(reason)), advice)
    return EndpointError(message, transient=transient and not lasting and not overflow, status=status)


def reason_in(body: bytes) -> str:
    """Return the server's explanation in the body of a failure, in one line; empty when there is none."""
    text = body.decode("utf-8", "replace").strip()
    if _HTML.match(text):
        title = _HTML_TITLE.search(text)
        return _one_line(unescape(title.group(1))) if title else Sentence("a web page instead of an answer")
    try:
        return _one_line(message_in(json_text.parse(text)) or "")
    except ValueError:
        return _one_line(text)


def message_in(value: Any) -> str | None:
    """Return the message of an error object in any of the providers' shapes."""
    if isinstance(value, list) and value:
        value = value[0]
    if isinstance(value, str):
        return value
    if not isinstance(value, dict):
        return None
    nested = value.get("error")
    if isinstance(nested, dict | str | list):
        return message_in(nested)
    for key in ("message", "detail", "error_description", "type", "code"):
        if isinstance(value.get(key), str):
            return str(value[key])
    return None


def retry_after(status: int, headers: Mapping[str, str], body: bytes, now_s: float) -> float | None:
    """Return how many seconds the server asked to wait, or None."""
    given = {name.lower(): value.strip() for name, value in headers.items()}
    if (milliseconds := _number(given.get("retry-after-ms", ""))) is not None:
        return milliseconds / 1000
    if "retry-after" in given:
        wait = _number(given["retry-after"])
        return wait if wait is not None else _until(given["retry-after"], now_s)
    if status != 429:
        return None
    resets = {name: value for name, value in given.items() if "ratelimit" in name and "reset" in name}
    used_up = [value for name, value in resets.items() if given.get(name.replace("reset", "remaining")) == "0"]
    waits = [wait for value in used_up or resets.values() if (wait := _reset(value, now_s)) is not None]
    delay = re.search(rb'"retryDelay"\s*:\s*"(\d+(?:\.\d+)?)s"', body)
    return max([*waits, float(delay.group(1))] if delay else waits, default=None)


def _reset(text: str, now_s: float) -> float | None:
    """A moment or a duration: "1s", "6m0s", seconds, Unix seconds or milliseconds, an ISO or HTTP date."""
    number = _number(text)
    if number is None:
        match = _DURATION.match(text)
        if text and match:
            hours, minutes, seconds, milliseconds = (float(part or 0) for part in match.groups())
            return hours * 3600 + minutes * 60 + seconds + milliseconds / 1000
        return _until(text, now_s)
    if number > 1e11:
        return max(0.0, number / 1000 - now_s)
    return max(0.0, number - now_s) if number > 1e9 else number


def _until(text: str, now_s: float) -> float | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        try:
            moment = parsedate_to_datetime(text)
        except ValueError:
            return None
    return max(0.0, (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - now_s)


def _number(text: str) -> float | None:
    return float(text) if re.fullmatch(r"\d{1,15}(?:\.\d{1,9})?", text) else None


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return Sentence("(overloaded)") if status == 529 else Sentence("(no standard meaning)")


def _bare(words: str) -> str:
    """`words` without the full stop that the sentence around them brings."""
    return words if isinstance(words, Sentence) else words.rstrip(". ")


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_REASON else line[:_LONGEST_REASON] + " …"
