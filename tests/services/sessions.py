"""Sessions for the tests of operations: copies of real ones, and the figure of the navigation spec (TN-13)."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from model.dialects import Dialect
from model.json_text import JsonObject
from model.settings import EffectiveSettings, default_settings
from services.agent_session import AgentSession
from services.keys import KeyStore
from services.session_events import Event
from services.session_store import SessionStore

SAMPLES = Path(__file__).parent.parent / "sessions"
BRANCHED = "real-v3-branched.jsonl"

Settings = EffectiveSettings


class NoKeyring:
    """A keyring without entries, so that tests never ask the system's."""

    def get_password(self, service: str, username: str) -> str | None:
        return None

    def set_password(self, service: str, username: str, password: str) -> None:
        raise AssertionError

    def delete_password(self, service: str, username: str) -> None:
        raise AssertionError


def copy_of(name: str, folder: Path) -> Path:
    """A copy of a sample session that may be changed."""
    return Path(shutil.copy(SAMPLES / name, folder / name))


def open_session(
    path: Path,
    settings: Callable[[Settings], Settings] = lambda given: given,
    dialect: Dialect | None = None,
    **more: Any,
) -> AgentSession:
    """A session at work on `path`; `settings` changes the defaults of its dialect."""
    store = SessionStore.open(path, dialect=dialect)
    effective = settings(default_settings(store.dialect))
    more.setdefault("keys", KeyStore({}, NoKeyring()))
    return AgentSession(store, lambda: effective, clock=lambda: 1_770_000_000.25, **more)


def with_model(url: str, **more: Any) -> Callable[[Settings], Settings]:
    """Settings with a model behind an OpenAI-compatible server."""
    model = {"provider": "openai-compatible", "base_url": url, "model_id": "acme-1", **more}
    retry = {"max_retries": 2, "base_delay_ms": 1}
    return lambda given: given.replaced(model=given.model.replaced(**model), retry=given.retry.replaced(**retry))


def lines_of(path: Path) -> list[JsonObject]:
    """All records of a file; every line must be JSON."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def message(id: str, parent: str | None, role: str, text: str, **more: Any) -> JsonObject:
    """A message entry with one text block."""
    content = [{"type": "text", "text": text}]
    body = {"role": role, "content": content, "timestamp": 1, **more}
    return {"type": "message", "id": id, "parentId": parent, "timestamp": "2026-01-01T00:00:00.000Z", "message": body}


def call(name: str, path: str) -> JsonObject:
    return {"type": "toolCall", "id": "call", "name": name, "arguments": {"path": path}}


def figure(role_of_f: str = "assistant", *, extra: list[JsonObject] | None = None) -> list[JsonObject]:
    """The tree of TN-13: A→B→C→D and A→E→F, with D last in the file, so that it is the leaf."""
    header = {"type": "session", "version": 3, "id": "figure", "timestamp": "2026-01-01T00:00:00.000Z", "cwd": "/x"}
    result = {"toolCallId": "call", "toolName": "edit", "isError": False}
    b = message("b0000000", "a0000000", "assistant", "Editing.", stopReason="toolUse")
    b["message"]["content"].append(call("edit", "src/a.py"))
    return [
        header,
        message("a0000000", None, "user", "Fix the parser."),
        message("e0000000", "a0000000", "assistant", "Another way.", stopReason="stop"),
        message("f0000000", "e0000000", role_of_f, "Text of F.", stopReason="stop"),
        b,
        message("c0000000", "b0000000", "toolResult", "done", **result),
        message("d0000000", "c0000000", "assistant", "The parser is fixed.", stopReason="stop"),
        *(extra or []),
    ]


def write_session(path: Path, records: list[JsonObject]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


class Events(list[Event]):
    """Records what an operation reports."""

    def __call__(self, event: Event) -> None:
        self.append(event)

    def of(self, kind: type[Event]) -> list[Any]:
        return [event for event in self if isinstance(event, kind)]
