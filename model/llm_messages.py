"""Session messages as plain messages for a model: roles `system`, `user`, `assistant`, `toolResult` (CB-8, CB-9)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from model.execution_text import bash_text, python_text
from model.json_text import JsonObject
from model.messages import block_texts, content_blocks, role_of, text_field
from model.rules import BRANCHWORK, Rules
from model.summary_format import tidy_prompt

PLACEHOLDER: Final = "{{summary}}"

_DEFAULT_ATTRIBUTION: Final = {"user": "user", "developer": "agent", "toolResult": "agent"}


@dataclass(frozen=True, slots=True)
class ContextTemplates:
    """The texts around a summary in the context; each holds `{{summary}}` once (CB-9)."""

    compaction_summary: str
    branch_summary: str


def convert_to_llm(
    messages: Iterable[JsonObject], templates: ContextTemplates, rules: Rules = BRANCHWORK
) -> list[JsonObject]:
    """Return the plain messages that a model is sent for session messages, in order.

    Messages that were excluded from the context, and those of roles that no model is sent, are left out. The role
    `developer` stays; transports without such a role send it as `user`. Nothing given is changed.
    """
    converted = (_converted(message, templates, rules) for message in messages)
    return [message for message in converted if message is not None]


def render_summary(template: str, summary: str) -> str:
    """Return a context template with the summary in its place, once and literally, without white space at the end."""
    before, _, after = template.partition(PLACEHOLDER)
    return (before + summary + after).rstrip()


def _converted(message: JsonObject, templates: ContextTemplates, rules: Rules) -> JsonObject | None:
    role = role_of(message)
    if role not in rules.llm_roles:
        return None
    if role in ("custom", "hookMessage"):
        return _user(message, _blocks(message.get("content")), message.get("attribution"), rules)
    if role == "branchSummary":
        return _summary(message, templates.branch_summary, rules)
    if role == "compactionSummary":
        return _summary(message, templates.compaction_summary, rules)
    if role in ("bashExecution", "pythonExecution"):
        if message.get("excludeFromContext"):
            return None
        text = bash_text(message, rules) if role == "bashExecution" else python_text(message, rules)
        return _user(message, [_text(text)], "user", rules)
    if role == "fileMention":
        return _user(message, _mentioned_files(message), "user", rules)
    return _passed_on(message, role, rules)


def _passed_on(message: JsonObject, role: str | None, rules: Rules) -> JsonObject:
    """A message whose role a model knows; only the content of a pruned tool result changes."""
    changes: JsonObject = {}
    if role == "toolResult" and rules.pruned_results_reduced and message.get("prunedAt") is not None:
        text = "".join(block_texts(message.get("content")))
        changes["content"] = [_text(text or "[Output truncated]")]
    if rules.attribution_filled_in and role in _DEFAULT_ATTRIBUTION and message.get("attribution") is None:
        changes["attribution"] = _DEFAULT_ATTRIBUTION[role]
    return {**message, **changes} if changes else message


def _summary(message: JsonObject, template: str, rules: Rules) -> JsonObject:
    text = render_summary(template, text_field(message, "summary"))
    if rules.summaries_reformatted:
        text = tidy_prompt(text)
    converted = _user(message, [_text(text)], "agent", rules)
    if "providerPayload" in message:
        converted["providerPayload"] = message["providerPayload"]
    return converted


def _mentioned_files(message: JsonObject) -> list[Any]:
    files = content_blocks(message.get("files"))
    elements = []
    for file in files:
        content = text_field(file, "content")
        inner = f"\n{content}\n" if content else "\n"
        elements.append(f'<file path="{text_field(file, "path")}">{inner}</file>')
    listing = "\n\n".join(elements)
    images = [file["image"] for file in files if isinstance(file.get("image"), dict)]
    return [_text(f"<system-reminder>\n{listing}\n</system-reminder>"), *images]


def _user(message: JsonObject, content: Any, attribution: Any, rules: Rules) -> JsonObject:
    converted: JsonObject = {"role": "user", "content": content}
    if rules.attribution_filled_in and attribution is not None:
        converted["attribution"] = attribution
    converted["timestamp"] = message.get("timestamp")
    return converted


def _blocks(content: Any) -> Any:
    return [_text(content)] if isinstance(content, str) else content


def _text(text: str) -> JsonObject:
    return {"type": "text", "text": text}
