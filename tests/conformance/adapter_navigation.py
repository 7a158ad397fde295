"""The topic of moving in the tree, which needs the functions of both other adapters."""

from collections.abc import Callable
from typing import Any

from model.branch_summaries import (
    branch_output_limit,
    branch_summary_request,
    branch_token_budget,
    finished_branch_summary,
    prepare_branch_entries,
)
from model.dialects import Dialect
from model.json_text import JsonObject
from model.navigation import NavigationPlan, plan_navigation
from model.tree import SessionTree
from tests.conformance.adapter_compaction import Client, prompt_texts
from tests.conformance.adapter_format import RULES, new_writer, timeless


def navigation(dialect: Dialect, given: JsonObject) -> Any:
    writer = new_writer(dialect, given["entries"])
    if "leafId" in given:
        writer.branch(given["leafId"])
    client = Client(dialect, {"replies": [given.get("summaryText")]})
    plan = plan_navigation(SessionTree(given["entries"]), writer.leaf_id, given["targetId"], RULES[dialect])
    if not plan.stays:
        summary = branch_summary(dialect, given, plan, client)
        written = summary and writer.branch_with_summary(plan.new_leaf_id, **summary)
        if not written:
            writer.branch(plan.new_leaf_id)
        if given.get("label"):
            writer.append_label_change(plan.label_target_id(written), given["label"])
    return {
        "result": {"cancelled": False, "editorText": plan.editor_text},
        "leafId": writer.leaf_id,
        "appended": timeless(writer.appended),
        "summaryRequests": len(client.noted),
    }


def branch_summary(dialect: Dialect, given: JsonObject, plan: NavigationPlan, client: Client) -> JsonObject | None:
    """The summary of what is left behind, by the hook or by the generator, as arguments of the writer."""
    if not given.get("summarize") or not plan.abandoned.entries:
        return None
    if "hookSummary" in given:
        return {**given["hookSummary"], "from_extension": True}
    rules, texts = RULES[dialect], prompt_texts(dialect)
    reserve = client.settings.branch_summary.reserve_tokens
    preparation = prepare_branch_entries(plan.abandoned.entries, branch_token_budget(None, reserve, rules), rules)
    if not preparation.messages:
        empty = {"summary": rules.empty_branch_text, "details": {"readFiles": [], "modifiedFiles": []}}
        return {**empty, "from_extension": False} if rules.empty_branch_text else None
    request = branch_summary_request(preparation, texts, branch_output_limit(dialect, reserve), rules=rules)
    answer = client.answer(request)
    limit = client.settings.compaction.file_tag_limit
    finished = finished_branch_summary(
        preparation, answer.text, texts, dialect, file_tag_limit=limit, usage=answer.usage, rules=rules
    )
    return {
        "summary": finished.summary,
        "details": finished.files.as_details(),
        "usage": finished.usage,
        "from_extension": False,
    }


TOPICS: dict[str, Callable[[Any, JsonObject], Any]] = {"navigate_target": navigation}
