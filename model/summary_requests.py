"""The requests of a compaction: which passes it takes and what each asks a model (CP-12, CP-13, CP-14).

All wording comes in as `PromptTexts`; what is around it is format: elements, blank lines, the order of the parts.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeGuard

from model.compaction import CompactionPreparation
from model.conversation_text import serialize_conversation
from model.interruptions import interruptibly
from model.json_text import JsonObject
from model.llm_messages import ContextTemplates, convert_to_llm
from model.rules import BRANCHWORK, Rules

PassName = Literal["history", "turn prefix", "short summary", "branch"]

FOCUS_PREFIX: Final = "Additional focus: "

# Shares of `reserveTokens`, the room for a model's answer, that a pass may write.
HISTORY_SHARE: Final = 0.8
TURN_PREFIX_SHARE: Final = 0.5
SHORT_SUMMARY_SHARE: Final = 0.2
SHORT_SUMMARY_TOKENS: Final = 512


@dataclass(frozen=True, slots=True)
class PromptTexts:
    """All wording that is addressed to a model (CP-13, BS-5, BS-6, CB-9)."""

    system_prompt: str
    summary: str
    update_summary: str
    turn_prefix: str
    short_summary: str
    branch_summary: str
    branch_preamble: str
    context: ContextTemplates


@dataclass(frozen=True, slots=True)
class SummaryOptions:
    """What a user, hooks and a model's abilities add to a summary.

    `custom_instructions` focus it. `prompt_override` replaces the history prompt and `extra_context` are lines for it
    (HK-4). `thinking_level` is asked of a model that reasons. `max_output_tokens` is the model's limit, None: unknown.
    """

    custom_instructions: str | None = None
    prompt_override: str | None = None
    extra_context: Sequence[str] = ()
    thinking_level: str | None = None
    model_reasons: bool = True
    max_output_tokens: int | None = None


NO_OPTIONS: Final = SummaryOptions()


@dataclass(frozen=True, slots=True)
class SummaryRequest:
    """One request to a model: a system prompt and one user message, without tools (CP-12.2).

    `max_tokens` 0: send no limit. `may_go_remote`: it goes to the remote endpoint where one is set (CP-15).
    `prompt_cache_off`: ask the provider not to write its prompt cache.
    """

    pass_name: PassName
    system_prompt: str
    prompt: str
    max_tokens: int = 0
    reasoning: str | None = None
    may_go_remote: bool = True
    prompt_cache_off: bool = True

    def with_room(self, room: int) -> "SummaryRequest":
        """Return the request with `room` times as many tokens for its answer."""
        return replace(self, max_tokens=self.max_tokens * room)


def first_requests(
    preparation: CompactionPreparation,
    texts: PromptTexts,
    options: SummaryOptions = NO_OPTIONS,
    rules: Rules = BRANCHWORK,
) -> list[tuple[SummaryRequest, ...]]:
    """Return the requests for history and turn prefix, in groups whose members may be made at the same time (CP-14).

    A split turn without earlier messages has no history request.
    """
    requests = []
    if preparation.messages_to_summarize:
        requests.append(history_request(preparation, texts, options, rules))
    if preparation.turn_prefix_messages:
        requests.append(turn_prefix_request(preparation, texts, options, rules))
    return [tuple(requests)] if rules.split_passes_in_parallel else [(request,) for request in requests]


def history_request(
    preparation: CompactionPreparation,
    texts: PromptTexts,
    options: SummaryOptions = NO_OPTIONS,
    rules: Rules = BRANCHWORK,
) -> SummaryRequest:
    """Return the request for the history, on top of a previous summary where there is one."""
    previous = preparation.previous_summary
    instructions = options.prompt_override or (texts.update_summary if previous else texts.summary)
    prompt = "\n\n".join(
        [
            _conversation_element(preparation, preparation.messages_to_summarize, texts, rules),
            *_previous_summary(previous),
            *_additional_context(options.extra_context),
            with_focus(instructions, options.custom_instructions),
        ]
    )
    limit = _share(preparation, HISTORY_SHARE)
    return summary_request("history", prompt, limit, texts, options, rules)


def turn_prefix_request(
    preparation: CompactionPreparation,
    texts: PromptTexts,
    options: SummaryOptions = NO_OPTIONS,
    rules: Rules = BRANCHWORK,
) -> SummaryRequest:
    """Return the request for the first part of a split turn."""
    messages = preparation.turn_prefix_messages
    focus = options.custom_instructions if rules.turn_prefix_takes_focus else None
    instructions = with_focus(texts.turn_prefix, focus)
    if rules.turn_prefix_under_headings:
        conversation = _conversation_text(preparation, messages, texts, rules)
        prompt = f"# Conversation\n{conversation}\n\n# Instructions\n{instructions}"
    else:
        prompt = f"{_conversation_element(preparation, messages, texts, rules)}\n\n{instructions}"
    limit = _share(preparation, TURN_PREFIX_SHARE)
    return summary_request("turn prefix", prompt, limit, texts, options, rules)


def short_summary_request(
    preparation: CompactionPreparation,
    summary: str,
    texts: PromptTexts,
    options: SummaryOptions = NO_OPTIONS,
    rules: Rules = BRANCHWORK,
) -> SummaryRequest:
    """Return the request for the short text that users see, from the kept messages and the new summary (CP-13)."""
    prompt = "\n\n".join(
        [
            _conversation_element(preparation, preparation.recent_messages, texts, rules),
            *_previous_summary(summary),
            *_additional_context(options.extra_context),
            texts.short_summary,
        ]
    )
    limit = min(SHORT_SUMMARY_TOKENS, _share(preparation, SHORT_SUMMARY_SHARE))
    return summary_request("short summary", prompt, limit, texts, options, rules)


def summary_request(
    pass_name: PassName, prompt: str, limit: int, texts: PromptTexts, options: SummaryOptions, rules: Rules
) -> SummaryRequest:
    """Return a request with the parameters of its pass; `limit` is lowered to what the model can write."""
    if options.max_output_tokens is not None:
        limit = min(limit, options.max_output_tokens)
    is_branch = pass_name == "branch"
    return SummaryRequest(
        pass_name,
        texts.system_prompt,
        prompt,
        max_tokens=limit if rules.output_limits_sent else 0,
        reasoning=None if is_branch else _reasoning(options, rules),
        may_go_remote=not is_branch and (pass_name != "turn prefix" or rules.turn_prefix_via_remote),
        prompt_cache_off=rules.prompt_cache_off_requested,
    )


def conversation_text(
    messages: Iterable[JsonObject],
    context: ContextTemplates,
    *,
    include_thinking: bool = True,
    rules: Rules = BRANCHWORK,
) -> str:
    """Return session messages as the text that a summariser reads (CP-12.1)."""
    plain = convert_to_llm(interruptibly(messages), context, rules)
    return serialize_conversation(interruptibly(plain), include_thinking and rules.thinking_serialized, rules)


def conversation_element(text: str) -> str:
    """Return a conversation's text inside the element that marks it as material."""
    return f"<conversation>\n{text}\n</conversation>"


def with_focus(instructions: str, focus: str | None) -> str:
    """Return instructions followed by the user's own, where these are more than white space."""
    return f"{instructions}\n\n{FOCUS_PREFIX}{focus}" if is_given(focus) else instructions


def is_given(instructions: str | None) -> TypeGuard[str]:
    """Return whether instructions say anything."""
    return instructions is not None and not instructions.isspace() and instructions != ""


def _conversation_text(
    preparation: CompactionPreparation, messages: Iterable[JsonObject], texts: PromptTexts, rules: Rules
) -> str:
    include_thinking = preparation.settings.include_thinking
    return conversation_text(messages, texts.context, include_thinking=include_thinking, rules=rules)


def _conversation_element(
    preparation: CompactionPreparation, messages: Iterable[JsonObject], texts: PromptTexts, rules: Rules
) -> str:
    return conversation_element(_conversation_text(preparation, messages, texts, rules))


def _previous_summary(summary: str | None) -> list[str]:
    return [f"<previous-summary>\n{summary}\n</previous-summary>"] if summary else []


def _additional_context(lines: Sequence[str]) -> list[str]:
    items = "\n".join(f"- {line}" for line in lines)
    return [f"<additional-context>\n{items}\n</additional-context>"] if items else []


def _share(preparation: CompactionPreparation, share: float) -> int:
    return math.floor(share * preparation.settings.reserve_tokens)


def _reasoning(options: SummaryOptions, rules: Rules) -> str | None:
    if rules.summary_reasoning is not None:
        return rules.summary_reasoning
    asked = options.thinking_level if options.model_reasons else None
    return None if asked == "off" else asked or None
