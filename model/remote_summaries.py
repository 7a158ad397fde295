"""The remote summarisation endpoint: what is posted to it and how its answer is read (CP-15)."""

from http import HTTPStatus
from typing import Any

from model.json_text import JsonObject
from model.summary_answers import SummaryAnswer, SummaryFailedError
from model.summary_requests import SummaryRequest


def remote_request_body(request: SummaryRequest) -> JsonObject:
    """Return the body to post: exactly these two keys."""
    return {"systemPrompt": request.system_prompt, "prompt": request.prompt}


def remote_answer(request: SummaryRequest, status: int, body: Any) -> SummaryAnswer:
    """Return the answer of the endpoint. Raises SummaryFailedError without success or without a text `summary`.

    A `shortSummary` that comes with the history makes the request for one unnecessary; other keys are ignored.
    """
    if not 200 <= status <= 299:
        raise SummaryFailedError(request.pass_name, f"Remote compaction failed ({_status_text(status)})")
    summary = body.get("summary") if isinstance(body, dict) else None
    if not isinstance(summary, str):
        raise SummaryFailedError(request.pass_name, "Remote compaction response missing summary")
    short = body.get("shortSummary") if request.pass_name == "history" else None
    return SummaryAnswer(summary, short_summary=short if isinstance(short, str) else None)


def _status_text(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
