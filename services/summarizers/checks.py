"""Whether a model's reply may be saved as a summary (CP-12.2): complete, a text, and a summary."""

import re
from typing import Final

from model.sentences import Sentence, sentences
from services.endpoints.exchange import ModelReply
from services.summarizers.passes import SummaryFailed, SummaryPass, pass_title

# A model that goes on with the session instead of summarising it writes in the form it was shown (CP-12.1).
_TRANSCRIPT_LINE = re.compile(
    r"^\[(?:User|Assistant|Assistant thinking|Assistant tool calls|Tool result)\]: ", re.MULTILINE
)
_READ_AT_LEAST: Final = 0.5  # share of the prompt that a server must report to have read


def checked_text(reply: ModelReply, task: SummaryPass, prompt_tokens: int) -> str:
    """Return the text of a reply that may be saved, without white space around it.

    `prompt_tokens` is how large the prompt was by our own count. Raises SummaryFailed with the cause otherwise.
    """

    def failed(cause: Sentence) -> SummaryFailed:
        return SummaryFailed(cause, reply.text)

    name = pass_title(task.name)
    text = reply.text.strip()
    if reply.has_tool_call or reply.stop_reason == "tool":
        raise failed(Sentence("The {0} summary was not written: the model tried to call a tool instead.", name))
    if reply.stop_reason == "length":
        limit = task.request.max_tokens
        cut = (
            Sentence("The {0} summary was cut off by the output limit at {1} tokens.", name, limit)
            if limit
            else Sentence("The {0} summary was cut off by the output limit.", name)
        )
        advice = Sentence(
            "Raise the reserve (compaction.reserveTokens, branchSummary.reserveTokens) or choose a model with a larger "
            "output limit."
        )
        raise failed(sentences(cut, advice))
    if reply.stop_reason == "refused":
        raise failed(
            Sentence(
                "The {0} summary was refused by the model ({1}).", name, reply.detail or Sentence("no reason given")
            )
        )
    if not text:
        raise failed(
            Sentence("The {0} summary is empty: the model only thought.", name)
            if reply.has_thinking
            else Sentence("The {0} summary is empty.", name)
        )
    if _TRANSCRIPT_LINE.match(text) or len(_TRANSCRIPT_LINE.findall(text)) > 2:
        raise failed(
            Sentence(
                "The {0} summary is none: the model went on with the conversation instead of summarising it.", name
            )
        )
    if (read := _prompt_tokens_read(reply)) and read < prompt_tokens * _READ_AT_LEAST:
        raise failed(
            Sentence(
                "The {0} summary does not cover everything: the server read {1} of about {2} tokens. "
                "Raise the context size of the server (num_ctx in Ollama, -c in llama.cpp).",
                name,
                read,
                prompt_tokens,
            )
        )
    return text


def _prompt_tokens_read(reply: ModelReply) -> int:
    usage = reply.usage or {}
    return sum(usage.get(name, 0) for name in ("input", "cacheRead", "cacheWrite"))
