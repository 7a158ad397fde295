"""From the live messages to the request of a chat turn: plain messages, images from their blobs, no secrets unasked."""

import base64
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from model.context import entry_message
from model.digest_evidence import Evidence
from model.entries import entry_id
from model.json_text import JsonObject
from model.llm_messages import convert_to_llm
from model.messages import block_texts, is_failed_answer, role_of, tool_calls
from model.rules import Rules
from model.system_prompts import current_system_message
from services.blobs import BlobFolders, is_blob_reference
from services.endpoints.exchange import ModelRequest, Turn, turns_of
from services.prompt_texts import context_templates

if TYPE_CHECKING:
    from services.agent_session import AgentSession
    from services.session_events import Emit


def turn_request(session: "AgentSession", messages: Sequence[JsonObject]) -> ModelRequest:
    """Return the request for an answer to the last of `messages`. No tools are offered.

    Answers that failed are left out, as the agents leave them out; what had arrived of an aborted one stays. May read
    blobs.
    """
    plain = _plain(messages, session.rules)
    folders = BlobFolders.of_session(session.store.path)
    turns = turns_of([_with_images(message, folders) for message in plain])
    return ModelRequest(_system_text(messages), turns, 0, str(uuid4()))


@dataclass(frozen=True, slots=True)
class TurnOutline:
    """What a prompt that is sent behind some live messages is sent with, in numbers; `messages` counts it as well.

    `tool_calls` are left out, `tool_results` become text, `system_messages` the system prompt; `joined` messages become
    one with a neighbour of the same side.
    """

    messages: int
    tool_calls: int
    tool_results: int
    system_messages: int
    joined: int


def outline_turn(messages: Sequence[JsonObject], rules: Rules) -> TurnOutline:
    """Return the outline of a turn behind `messages`. Reads no blobs: an image counts, also one that is missing."""
    prompt: JsonObject = {"role": "user", "content": "?"}
    plain = [*_plain(messages, rules), prompt]
    turns = turns_of([_with_any_images(message) for message in plain])
    roles = [role_of(message) for message in plain]
    systems = roles.count("system")
    return TurnOutline(
        len(turns),
        sum(len(tool_calls(message)) for message in plain),
        roles.count("toolResult"),
        systems,
        sum(bool(turns_of([_with_any_images(message)])) for message in plain) - len(turns),
    )


async def without_secrets(request: ModelRequest, session: "AgentSession", host: str, emit: "Emit") -> ModelRequest:
    """Return the request as it may be sent to `host`.

    Raises SecretsHeldBack, and OperationCancelled when the user stops.
    """
    texts = [request.system_prompt, *(part for turn in request.turns for part in turn.parts if isinstance(part, str))]

    def evidence() -> list[Evidence]:
        path = session.snapshot().path(session.leaf_id)
        messages = ((entry_id(entry) or "", entry_message(entry, session.rules)) for entry in path)
        return [Evidence(id, message) for id, message in messages if message is not None]

    system_prompt, *rest = await session.secret_gate.passed_each(texts, host, emit, evidence)
    passed = iter(rest)
    turns = tuple(
        Turn(turn.role, tuple(next(passed) if isinstance(part, str) else part for part in turn.parts))
        for turn in request.turns
    )
    return replace(request, system_prompt=system_prompt, turns=turns)


def _system_text(messages: Iterable[JsonObject]) -> str:
    """The system prompt that the session's own system messages amount to, with its sections (SF-5.1)."""
    system = current_system_message(message for message in messages if role_of(message) == "system")
    if system is None:
        return ""
    sections = system.get("sections", {}).values()
    texts = ["".join(block_texts(system.get("content"))), *(text for text in sections if isinstance(text, str))]
    return "\n\n".join(text for text in texts if text)


def _plain(messages: Sequence[JsonObject], rules: Rules) -> list[JsonObject]:
    return convert_to_llm([each for each in messages if not is_failed_answer(each)], context_templates(), rules)


def _with_any_images(message: JsonObject) -> JsonObject:
    """The message with something in place of the images that OMP keeps outside the file."""
    content = message.get("content")
    if not isinstance(content, list) or not any(_is_outside(block) for block in content):
        return message
    return {**message, "content": [{**block, "data": ""} if _is_outside(block) else block for block in content]}


def _with_images(message: JsonObject, folders: BlobFolders) -> JsonObject:
    """The message with the images that OMP keeps outside the file; one that can't be found is left as it is."""
    content = message.get("content")
    if not isinstance(content, list) or not any(_is_outside(block) for block in content):
        return message
    return {**message, "content": [_inside(block, folders) if _is_outside(block) else block for block in content]}


def _is_outside(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") == "image" and is_blob_reference(block.get("data"))


def _inside(block: JsonObject, folders: BlobFolders) -> JsonObject:
    data = folders.read(block["data"])
    return block if data is None else {**block, "data": base64.b64encode(data).decode("ascii")}
