"""Compaction with a model of its own: an example of an extension.

Instead of the model in the settings, this extension asks the one named below, with a prompt of its own, and returns the
finished compaction. When anything goes wrong it says so and returns nothing: the built-in generator then takes over.

To use it, name its folder in the settings:

    {"extensions": ["/path/to/examples/custom_compaction"]}

The model's address and id are read from the environment variables `COMPACTION_URL` (an OpenAI-compatible server, by
default a local Ollama) and `COMPACTION_MODEL`; a key, where one is needed, from `COMPACTION_KEY`.
"""

import os

from services.cancellation import run_until_cancelled
from services.endpoints.exchange import ModelRequest
from services.extension_api import (
    BeforeCompactResult,
    CancellationToken,
    CompactionResult,
    HookContext,
    ServiceError,
    SessionBeforeCompactEvent,
    compute_file_lists,
    convert_to_llm,
    hookimpl,
    make_endpoint,
    serialize_conversation,
)

SYSTEM_PROMPT = "You summarise working sessions of a coding agent. Answer with the summary alone."
PROMPT = """\
<conversation>
{conversation}
</conversation>

Summarise everything above so that the work can go on without it: what was wanted, what was decided, what was changed in
which files, what is open. Keep names, paths and numbers exactly as they are.{earlier}{focus}"""


@hookimpl
async def session_before_compact(event: SessionBeforeCompactEvent, ctx: HookContext) -> BeforeCompactResult | None:
    """Return the compaction by our own model, or None to leave it to the built-in generator."""
    preparation = event.preparation
    messages = [*preparation.messages_to_summarize, *preparation.turn_prefix_messages]
    conversation = serialize_conversation(convert_to_llm(messages))
    earlier = f"\n\nThe summary so far:\n\n{preparation.previous_summary}" if preparation.previous_summary else ""
    focus = f"\n\nPay attention to: {event.custom_instructions}" if event.custom_instructions else ""
    prompt = PROMPT.format(conversation=conversation, earlier=earlier, focus=focus)

    url = os.environ.get("COMPACTION_URL", "http://127.0.0.1:11434/v1")
    model = os.environ.get("COMPACTION_MODEL", "llama3.1")
    endpoint = make_endpoint("openai-compatible", url, model, os.environ.get("COMPACTION_KEY", ""))
    request = ModelRequest.of_prompt(SYSTEM_PROMPT, prompt, 0, ctx.session_id)
    assert isinstance(event.signal, CancellationToken)
    try:
        reply = await run_until_cancelled(event.signal, endpoint.send(request, lambda _text: None))
    except ServiceError as error:
        ctx.notify(f"Custom compaction: {error}", "warning")
        return None
    if reply.stop_reason != "stop" or not reply.text.strip():
        ctx.notify(f"Custom compaction: {model} gave no complete summary.", "warning")
        return None

    files = compute_file_lists(preparation.file_ops)
    return BeforeCompactResult(
        compaction=CompactionResult(
            summary=reply.text.strip(),
            first_kept_entry_id=preparation.first_kept_entry_id,
            tokens_before=preparation.tokens_before,
            usage=reply.usage,
            details={**files.as_details(), "model": model},
        )
    )
