"""From the live messages to the request of a chat turn: plain messages, images from their blobs, no secrets unasked."""

import base64
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from model.context import entry_message
from model.digest_evidence import Evidence
from model.entries import entry_id
from model.json_text import JsonObject
from model.llm_messages import convert_to_llm
from model.messages import block_texts, role_of
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
    sent = [message for message in messages if message.get("stopReason") != "error"]
    plain = convert_to_llm(sent, context_templates(), session.rules)
    folders = BlobFolders.of_session(session.store.path)
    turns = turns_of([_with_images(message, folders) for message in plain])
    return ModelRequest(_system_text(messages), turns, 0, str(uuid4()))


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
