from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.json_text import JsonObject
from model.rules import PI_1_6
from model.tree import SessionTree
from model.tree_filters import FilterMode, is_visible, matches_search, searchable_text
from model.tree_rows import TreeView, tree_view
from tests.model.session_builders import Chain, text_block, tool_call
from tests.model.strategies import forests, messy_entries

MODES: tuple[FilterMode, ...] = ("default", "no-tools", "user-only", "labeled-only", "all")


def shown(view: TreeView) -> str:
    return " ".join(f"{row.entry['id']}:{row.indent}{row.connector}" for row in view.rows)


def view(chain: Chain, leaf: str | None, mode: FilterMode = "default", **options: Any) -> TreeView:
    return tree_view(SessionTree(chain.entries), leaf, mode, **options)


class TestFilters:
    def modes(self, entry: JsonObject, **state: bool) -> set[str]:
        return {mode for mode in MODES if is_visible(entry, mode, **state)}

    @pytest.mark.spec("TN-12")
    def test_questions_show_everywhere_but_among_labels(self) -> None:
        question = Chain().user("x")
        assert self.modes(question) == {"default", "no-tools", "user-only", "all"}
        assert self.modes(question, labeled=True) == set(MODES)

    @pytest.mark.spec("TN-12")
    def test_tool_results_can_be_left_out(self) -> None:
        assert self.modes(Chain().tool_result()) == {"default", "all"}

    @pytest.mark.spec("TN-12", "SF-4.12")
    @pytest.mark.parametrize(
        "kind",
        [
            "label",
            "custom",
            "model_change",
            "thinking_level_change",
            "session_info",
            "context_edit",
            "service_tier_change",
            "ttsr_injection",
            "mcp_tool_selection",
            "session_init",
            "mode_change",
            "title_change",
            "credential_pin",
            "reset_boundary",
        ],
    )
    def test_metadata_shows_among_all_and_among_labels(self, kind: str) -> None:
        entry = Chain().add(kind)
        assert self.modes(entry) == {"all"}
        assert self.modes(entry, labeled=True) == {"all", "labeled-only"}
        assert self.modes(entry, is_leaf=True) == {"all"}

    @pytest.mark.spec("TN-12", "SF-4.8")
    @pytest.mark.parametrize("kind", ["usage", "model_usage"])
    def test_usage_shows_among_all_only(self, kind: str) -> None:
        assert self.modes(Chain().add(kind), labeled=True, is_leaf=True) == {"all"}
        assert not is_visible(Chain().add(kind), "all", rules=PI_1_6)

    @pytest.mark.spec("TN-12", "SF-9.5")
    @pytest.mark.parametrize("kind", ["compaction", "branch_summary", "custom_message", "mystery", "message"])
    def test_other_entries_show_by_default(self, kind: str) -> None:
        assert self.modes(Chain().add(kind)) == {"default", "no-tools", "all"}

    @pytest.mark.spec("TN-12")
    @pytest.mark.parametrize("content", [[tool_call("t")], [], [text_block(" \n")], "  ", None])
    def test_an_answer_without_text_is_hidden_unless_it_failed_or_is_the_leaf(self, content: Any) -> None:
        """Field report D13."""
        entry = {"type": "message", "message": {"role": "assistant", "content": content, "stopReason": "toolUse"}}
        assert self.modes(entry) == {"all"}
        assert self.modes(entry, is_leaf=True) == {"default", "no-tools", "all"}
        assert not is_visible(entry, "all", rules=PI_1_6)
        assert is_visible(entry, "all", is_leaf=True, rules=PI_1_6)
        for reason in ("error", "aborted", "length"):
            entry["message"] = {"role": "assistant", "content": content, "stopReason": reason}
            assert self.modes(entry) == {"default", "no-tools", "all"}
        for reason in ("stop", None):
            entry["message"] = {"role": "assistant", "content": content, "stopReason": reason}
            assert self.modes(entry) == {"all"}

    @pytest.mark.spec("TN-12")
    def test_an_answer_with_text_shows(self) -> None:
        assert self.modes(Chain().assistant("x")) == {"default", "no-tools", "all"}
        assert self.modes(Chain().assistant([tool_call("t"), text_block("x")])) == {"default", "no-tools", "all"}

    @pytest.mark.spec("TN-12", "SF-9.5")
    @given(messy_entries, st.sampled_from(MODES), st.booleans(), st.booleans())
    def test_any_json_shows_or_not(self, entry: JsonObject, mode: FilterMode, labeled: bool, is_leaf: bool) -> None:
        assert is_visible(entry, mode, labeled=labeled, is_leaf=is_leaf) in (True, False)
        assert isinstance(searchable_text(entry, None), str)


class TestSearch:
    @pytest.mark.spec("TN-12")
    @pytest.mark.parametrize(
        ("entry", "text"),
        [
            (Chain().user("Add it"), "user Add it"),
            (Chain().assistant([tool_call("t"), text_block("a"), text_block("b")]), "assistant ab"),
            (Chain().message("bashExecution", command="npm", output="x"), "bashExecution  npm"),
            (Chain().message("custom", command="npm", content="x"), "custom x"),
            (Chain().add("custom_message", customType="lint", content="warn"), "lint warn"),
            (Chain().add("compaction", summary="s"), "compaction"),
            (Chain().add("branch_summary", summary="tried"), "branch summary tried"),
            (Chain().add("session_info", name="n"), "title n"),
            (Chain().add("model_change", provider="p", modelId="m"), "model m "),
            (Chain().add("model_change", model="p/m"), "model  p/m"),
            (Chain().add("thinking_level_change", thinkingLevel="low"), "thinking low"),
            (Chain().add("custom", customType="todo"), "custom todo"),
            (Chain().add("label", label="here"), "label here"),
            (Chain().add("mystery"), "mystery"),
            ({"type": "message", "message": 5}, "message"),
            ({"type": "message", "message": {"content": "x"}}, " x"),
            ({}, ""),
        ],
    )
    def test_what_a_search_looks_at(self, entry: JsonObject, text: str) -> None:
        assert searchable_text(entry, None) == text
        assert searchable_text(entry, "mark") == f"mark {text}"
        assert searchable_text(entry, "") == text

    @pytest.mark.spec("TN-12")
    def test_all_words_must_occur_in_any_order_and_case(self) -> None:
        entry = Chain().user("Add a login FORM")
        for search in ("form login", "  ADD ", "", "user", "og"):
            assert matches_search(entry, None, search)
        assert not matches_search(entry, None, "form logout")
        assert matches_search(entry, "Working", "working form")

    @pytest.mark.spec("TN-12")
    def test_only_the_first_200_units_are_searched(self) -> None:
        assert matches_search(Chain().user("x" * 194 + "needle"), None, "needle")
        assert not matches_search(Chain().user("x" * 195 + "needle"), None, "needle")


def forked() -> Chain:
    chain = Chain()
    chain.user("1", id="a")
    chain.assistant("2", id="b")
    chain.user("3", id="c")
    chain.assistant("4", id="d")
    chain.user("5", id="e", parent="b")
    chain.assistant("6", id="f")
    return chain


class TestRows:
    @pytest.mark.spec("TN-12")
    def test_only_branch_points_indent_and_the_branch_of_the_leaf_comes_first(self) -> None:
        assert shown(view(forked(), "d")) == "a:0 b:0 c:1├ d:2 e:1└ f:2"
        assert shown(view(forked(), "f")) == "a:0 b:0 e:1├ f:2 c:1└ d:2"
        assert shown(view(forked(), None)) == "a:0 b:0 c:1├ d:2 e:1└ f:2"
        assert [row.row for row in view(forked(), "f").rows] == [0, 1, 4, 5, 2, 3]

    @pytest.mark.spec("TN-12")
    def test_branches_inside_branches(self) -> None:
        chain = forked()
        chain.user("7", id="g", parent="d")
        chain.user("8", id="h", parent="d")
        chain.assistant("9", id="i")
        assert shown(view(chain, "i")) == "a:0 b:0 c:1├ d:2 h:3├ i:4 g:3└ e:1└ f:2"

    @pytest.mark.spec("TN-12", "SF-9.11")
    def test_several_roots_carry_no_connector(self) -> None:
        chain = forked()
        chain.user("again", id="r", parent=None)
        chain.assistant("yes", id="s")
        chain.user("fork", id="t", parent="s")
        chain.user("fork", id="u", parent="s")
        assert shown(view(chain, "u")) == "r:0 s:1 u:2├ t:2└ a:0 b:1 c:2├ d:3 e:2└ f:3"

    @pytest.mark.spec("TN-12")
    def test_children_of_hidden_entries_attach_to_the_nearest_visible_ancestor(self) -> None:
        assert shown(view(forked(), "d", "user-only")) == "a:0 c:1├ e:1└"
        chain = forked()
        chain.add("label", parent="f", targetId="f", label="x")
        assert shown(view(chain, "d", "labeled-only")) == "f:0"

    @pytest.mark.spec("TN-12")
    def test_the_selection_begins_at_the_leaf_and_moves_to_a_visible_ancestor(self) -> None:
        assert view(forked(), "f").selected_id == "f"
        assert view(forked(), "f", selected_id="c").selected_id == "c"
        assert view(forked(), "f", "user-only").selected_id == "e"
        assert view(forked(), "d", "user-only").selected_id == "c"
        assert view(forked(), None).selected_id == "f"
        assert view(forked(), "nope").selected_id == "f"
        assert view(forked(), "f", search="3").selected_id == "c"
        assert view(forked(), "d", search="zebra") == TreeView((), None)
        assert view(Chain(), None) == TreeView((), None)

    @pytest.mark.spec("TN-12")
    def test_a_search_keeps_what_matches(self) -> None:
        assert shown(view(forked(), "d", search="assistant 4")) == "d:0"
        assert shown(view(forked(), "d", search="user")) == "a:0 c:1├ e:1└"

    @pytest.mark.spec("TN-12")
    def test_folding_hides_what_is_below(self) -> None:
        assert shown(view(forked(), "d", folded=["c"])) == "a:0 b:0 c:1├ e:1└ f:2"
        assert view(forked(), "d", folded=["c"]).selected_id == "c"
        assert shown(view(forked(), "d", folded=["a"])) == "a:0"
        assert shown(view(forked(), "d", "user-only", folded=["b"])) == "a:0"

    @pytest.mark.spec("TN-12")
    def test_the_leaf_shows_even_without_text(self) -> None:
        chain = forked()
        chain.assistant([tool_call("t")], id="silent")
        chain.tool_result("t", id="result")
        assert "silent" not in shown(view(chain, "result"))
        assert shown(view(chain, "silent")).endswith("e:1├ f:2 silent:2 result:2 c:1└ d:2")

    @pytest.mark.spec("TN-1")
    def test_a_chain_of_a_hundred_thousand_entries_is_ordinary(self) -> None:
        chain = Chain()
        for _ in range(50_000):
            chain.user("q")
            chain.assistant("a")
        rows = view(chain, "e100000", "user-only").rows
        assert len(rows) == 50_000
        assert {row.indent for row in rows} == {0}

    @pytest.mark.spec("TN-12", "SF-9.7")
    @given(forests(), st.sampled_from(["n0", "n1", None]))
    def test_every_entry_of_any_forest_has_one_row(self, entries: list[JsonObject], leaf: str | None) -> None:
        shown_rows = tree_view(SessionTree(entries), leaf, "all").rows
        assert sorted(row.row for row in shown_rows) == list(range(len(entries)))
        assert all(row.indent >= 0 for row in shown_rows)
