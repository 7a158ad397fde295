"""Short texts in place of the prompts, so that tests see where each ends up."""

from model.llm_messages import ContextTemplates
from model.summary_requests import PromptTexts

TEXTS = PromptTexts(
    system_prompt="SYSTEM",
    summary="FIRST",
    update_summary="UPDATE",
    turn_prefix="PREFIX",
    short_summary="SHORT",
    branch_summary="BRANCH",
    branch_preamble="PREAMBLE",
    context=ContextTemplates(
        compaction_summary="<summary>\n{{summary}}\n</summary>", branch_summary="<branch>\n{{summary}}\n</branch>"
    ),
)
