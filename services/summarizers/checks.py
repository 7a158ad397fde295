"""Whether a model's reply may be saved as a summary (CP-12.2): complete, a text, and a summary."""

import re
from typing import Final

from model.json_text import JsonObject
from model.sentences import Sentence, sentences
from model.summary_answers import FailureCause, SummaryFailedError, answer_text
from services.endpoints.exchange import ModelReply
from services.summarizers.passes import SummaryFailed, SummaryPass, pass_title

# A model that goes on with the session instead of summarising it writes in the form it was shown (CP-12.1).
_TRANSCRIPT_LINE = re.compile(
    r"^\[(?:User|Assistant|Assistant thinking|Assistant tool calls|Tool result)\]: ", re.MULTILINE
)
NOTHING_WRITTEN: Final = Sentence("Nothing was written.")
_READ_AT_LEAST: Final = 0.5  # share of the prompt that a server must report to have read


def checked_text(reply: ModelReply, task: SummaryPass, prompt_tokens: int) -> str:
    """Return the text of a reply that may be saved, without white space around it.

    `prompt_tokens` is how large the prompt was by our own count. Raises SummaryFailed with the cause otherwise.
    """
    try:
        text = answer_text(task.request.pass_name, _as_message(reply)).strip()
    except SummaryFailedError as error:
        is_cut_off = error.cause == "cut off"
        failure = sentences(_failure(error.cause, reply, task), NOTHING_WRITTEN)
        raise SummaryFailed(failure, reply.text, is_cut_off=is_cut_off) from None
    name = pass_title(task.name)
    if _TRANSCRIPT_LINE.match(text) or len(_TRANSCRIPT_LINE.findall(text)) > 2:
        raise SummaryFailed(
            sentences(
                Sentence(
                    "The {0} summary is none: the model went on with the conversation instead of summarising it.", name
                ),
                NOTHING_WRITTEN,
            ),
            reply.text,
        )
    if (read := _prompt_tokens_read(reply)) and read < prompt_tokens * _READ_AT_LEAST:
        raise SummaryFailed(
            sentences(
                Sentence(
                    "The {0} summary does not cover everything: the server read {1} of about {2} tokens. "
                    "Raise the context size of the server (num_ctx in Ollama, -c in llama.cpp).",
                    name,
                    read,
                    prompt_tokens,
                ),
                NOTHING_WRITTEN,
            ),
            reply.text,
        )
    return text


def _as_message(reply: ModelReply) -> JsonObject:
    """The reply as an assistant message (SF-5.1), as far as its checks look at it."""
    content: list[JsonObject] = [{"type": "text", "text": reply.text}]
    if reply.has_tool_call or reply.stop_reason == "tool":
        content.append({"type": "toolCall", "id": "", "name": "", "arguments": {}})
    stop_reason = {"length": "length", "refused": "error"}.get(reply.stop_reason, "stop")
    return {"role": "assistant", "content": content, "stopReason": stop_reason}


def _failure(cause: FailureCause, reply: ModelReply, task: SummaryPass) -> Sentence:
    """What a person is told, and may do about it."""
    name, limit = pass_title(task.name), task.request.max_tokens
    if cause == "tool call":
        return Sentence("The {0} summary was not written: the model tried to call a tool instead.", name)
    if cause == "cut off":
        cut = (
            Sentence("The {0} summary was cut off by the output limit at {1} tokens.", name, limit)
            if limit
            else Sentence("The {0} summary was cut off by the output limit.", name)
        )
        advice = Sentence(
            "Raise the reserve (compaction.reserveTokens, branchSummary.reserveTokens) or choose a model with a larger "
            "output limit."
        )
        return sentences(cut, advice)
    if cause == "error":
        detail = reply.detail or Sentence("no reason given")
        return Sentence("The {0} summary was refused by the model ({1}).", name, detail)
    if reply.has_thinking:
        return Sentence("The {0} summary is empty: the model only thought.", name)
    return Sentence("The {0} summary is empty.", name)


def _prompt_tokens_read(reply: ModelReply) -> int:
    usage = reply.usage or {}
    return sum(usage.get(name, 0) for name in ("input", "cacheRead", "cacheWrite"))
