"""A model on loopback that plays a script: one line for each turn, and a summary whenever one is asked for."""

import json
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

from model.dialects import Dialect
from model.json_text import JsonObject
from model.settings import default_settings
from services.agent_session import AgentSession
from services.keys import KeyStore
from services.prompt_texts import prompt_texts
from services.session_store import SessionStore
from tests.services.loopback_server import (
    DONE,
    Connection,
    LoopbackServer,
    Request,
    Script,
    chat,
    chat_piece,
    chat_usage,
    cut_off,
    json_answer,
    stay_open,
    stream,
)
from tests.services.sessions import NoKeyring, Settings, message, write_session

WINDOW = 4000
RESERVE = 1000
KEEP = 150
SUMMARY = "## Goal\nShip it.\n\n## Next Steps\n1. Go on."
FILLER = "word " * 80
OVERFLOW_TEXT = "prompt is too long: 5000 tokens > 4000 maximum"


def answers(text: str, context: int = 500) -> Script:
    """A good answer after which the context has so many tokens."""
    return stream([chat_piece(text), chat_piece(finish="stop"), chat_usage(context - 10, 10), DONE])


def cut_off_by_a_full_window() -> Script:
    """No output at all, because the input fills the window."""
    return stream([chat_piece(finish="length"), chat_usage(WINDOW - 10, 0), DONE])


def overflows() -> Script:
    return json_answer({"error": {"message": OVERFLOW_TEXT}}, "400 Bad Request")


def overloaded() -> Script:
    return json_answer({"error": {"message": "Overloaded"}}, "529 Overloaded")


def breaks_off(text: str) -> Script:
    return stream([chat_piece(text)], then=cut_off)


def stalls(text: str) -> Script:
    """Begins an answer and goes silent."""
    return stream([chat_piece(text)], then=stay_open)


class Playbook:
    """Answers turns by `turns` in order, and summaries by `summary`. `asked`: the bodies of the turns' requests."""

    def __init__(self, *turns: Script, summary: Script | None = None) -> None:
        self._turns = iter(turns)
        self._surplus = json_answer({"error": {"message": "the script is over"}}, "400 Bad Request")
        self._summary = summary or chat(SUMMARY)
        self.asked: list[JsonObject] = []
        self.server = LoopbackServer(self._play)

    def _play(self, connection: Connection, request: Request) -> None:
        body = request.json
        first = body["messages"][0]
        if first["role"] == "system" and first["content"] == prompt_texts().system_prompt:
            self._summary(connection, request)
            return
        self.asked.append(body)
        next(self._turns, self._surplus)(connection, request)

    def is_over(self) -> bool:
        return next(self._turns, None) is None


def ticking(start: float = 1_800_000_000.0) -> Callable[[], float]:
    """A clock that goes on by a second at each look."""
    seconds: Iterator[int] = count()
    return lambda: start + next(seconds)


def history(dialect: Dialect, turns: int = 3, *, tool_tokens: int = 0) -> list[JsonObject]:
    """A session of some turns with about 100 tokens in each message, marked as one of its agent's."""
    entries: list[JsonObject] = [
        {"type": "session", "version": 3, "id": "played", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/x"}
    ]
    mark: JsonObject = {"type": "model_change", "id": "m0", "timestamp": "2026-01-01T00:00:00.000Z"}
    mark |= {"model": "acme/old"} if dialect == "omp" else {"provider": "acme", "modelId": "old"}
    chain = [mark]
    for turn in range(turns):
        chain.append(message(f"u{turn}", None, "user", f"Request {turn}. {FILLER}"))
        if tool_tokens:
            call = {"type": "toolCall", "id": f"call{turn}", "name": "bash", "arguments": {"command": "ls"}}
            asking = message(f"c{turn}", None, "assistant", "Looking.", **_answered("toolUse"))
            asking["message"]["content"].append(call)
            more = {"toolCallId": f"call{turn}", "toolName": "bash", "isError": False}
            chain += [asking, message(f"t{turn}", None, "toolResult", "x" * 4 * tool_tokens, **more)]
        chain.append(message(f"a{turn}", None, "assistant", f"Answer {turn}. {FILLER}", **_answered()))
    parent = None
    for entry in chain:
        entries.append(entry | {"parentId": parent})
        parent = entry["id"]
    return entries


def _answered(end: str = "stop") -> JsonObject:
    usage = dict.fromkeys(("input", "output", "cacheRead", "cacheWrite", "totalTokens"), 0)
    cost = dict.fromkeys(("input", "output", "cacheRead", "cacheWrite", "total"), 0)
    return {"api": "x", "provider": "acme", "model": "old", "stopReason": end, "usage": {**usage, "cost": cost}}


def play_on(
    path: Path,
    url: str,
    dialect: Dialect,
    change: Callable[[Settings], Settings] = lambda given: given,
    *,
    records: list[JsonObject] | None = None,
    window: int | None = WINDOW,
    **more: Any,
) -> AgentSession:
    """A session on a new file at `path` (or on the one there, with no `records`), whose model is at `url`."""
    if records is not None:
        write_session(path, records)
    settings = default_settings(dialect)
    settings = settings.replaced(
        model=settings.model.replaced(
            provider="openai-compatible", base_url=url, model_id="acme-1", context_window=window, max_output_tokens=500
        ),
        compaction=settings.compaction.replaced(
            reserve_tokens=RESERVE, keep_recent_tokens=KEEP, adapt_keep_recent=False, short_summary=False
        ),
        retry=settings.retry.replaced(max_retries=2, base_delay_ms=1),
    )
    settings = change(settings)
    store = SessionStore.open(path, dialect=dialect)
    keys = KeyStore({}, NoKeyring())
    return AgentSession(store, lambda: settings, clock=ticking(), keys=keys, **more)


def records_of(path: Path) -> list[JsonObject]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
