"""The prompt templates of the `prompts` package, as the pure functions take them."""

from functools import cache
from importlib.resources import files

from model.llm_messages import ContextTemplates
from model.summary_requests import PromptTexts


def prompt_text(name: str) -> str:
    """Return the template `prompts/compaction/<name>.md` without white space at its end."""
    return (files("prompts") / "compaction" / f"{name}.md").read_text(encoding="utf-8").rstrip()


@cache
def prompt_texts() -> PromptTexts:
    """Return all templates; they are read once."""
    return PromptTexts(
        system_prompt=prompt_text("summarization-system-prompt"),
        summary=prompt_text("compaction-summary"),
        update_summary=prompt_text("compaction-update-summary"),
        turn_prefix=prompt_text("compaction-turn-prefix"),
        short_summary=prompt_text("compaction-short-summary"),
        branch_summary=prompt_text("branch-summary"),
        branch_preamble=prompt_text("branch-summary-preamble"),
        context=context_templates(),
    )


@cache
def context_templates() -> ContextTemplates:
    """Return the texts around a summary in the context (CB-9)."""
    return ContextTemplates(prompt_text("compaction-summary-context"), prompt_text("branch-summary-context"))
