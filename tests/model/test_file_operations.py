"""Files in tool calls, file lists and the elements of a summary (CP-16, CP-17)."""

import pytest
from hypothesis import given

from model.file_operations import (
    FileLists,
    FileOperations,
    compute_file_lists,
    file_tags,
    operations_in_details,
    operations_in_messages,
    with_file_tags,
    without_file_tags,
)
from model.json_text import JsonObject
from model.rules import BRANCHWORK, OMP_13_19, PI_1_6
from tests.model.session_builders import tool_call
from tests.model.strategies import TEXTS, json_values

BOTH = FileLists(("a", "b"), ("c",))


def answer(*blocks: JsonObject) -> JsonObject:
    return {"role": "assistant", "content": list(blocks)}


class TestToolCalls:
    @pytest.mark.spec("O-119", "O-120", "O-121", "P-097", "P-129")
    def test_read_write_and_edit_are_told_apart(self) -> None:
        calls = [tool_call("1", name, path=f"{name}.ts") for name in ("read", "write", "edit", "bash", "Read")]
        found = operations_in_messages([answer(*calls)])
        assert found == FileOperations(frozenset({"read.ts"}), frozenset({"write.ts"}), frozenset({"edit.ts"}))

    @pytest.mark.parametrize("path", ["", 5, None, ["a"], {"a": 1}])
    def test_a_path_must_be_text(self, path: object) -> None:
        assert operations_in_messages([answer(tool_call("1", "read", path=path))]) == FileOperations()

    def test_paths_are_taken_as_they_are(self) -> None:
        found = operations_in_messages([answer(tool_call("1", "read", path="./a/../b "))])
        assert found.read == {"./a/../b "}

    def test_only_answers_and_the_calls_inside_results_count(self) -> None:
        nested = {"calls": [{"name": "edit", "arguments": {"path": "n"}}, {"name": "edit"}, 5]}
        messages = [
            {"role": "user", "content": [tool_call("1", path="u")]},
            {"role": "toolResult", "nestedCalls": nested},
            {"role": "toolResult", "nestedCalls": [1]},
            {"role": "toolResult", "nestedCalls": {"calls": "x"}},
        ]
        assert operations_in_messages(messages) == FileOperations(edited=frozenset({"n"}))
        assert operations_in_messages(messages, OMP_13_19) == FileOperations()

    def test_a_tool_result_block_is_no_call(self) -> None:
        assert operations_in_messages([answer({"type": "text", "name": "read", "arguments": {"path": "x"}})]) == (
            FileOperations()
        )

    @given(json_values)
    def test_any_json_is_read(self, value: object) -> None:
        operations_in_messages([{"role": "assistant", "content": value}, {"role": "toolResult", "nestedCalls": value}])
        operations_in_details({"details": value})


class TestDetails:
    @pytest.mark.spec("P-073", "P-074", "P-076")
    def test_the_lists_of_a_generated_summary_count(self) -> None:
        entry = {"details": {"readFiles": ["r", 5, None], "modifiedFiles": ["m"]}}
        assert operations_in_details(entry) == FileOperations(read=frozenset({"r"}), edited=frozenset({"m"}))

    @pytest.mark.spec("O-122", "P-075", "P-077", "P-112")
    @pytest.mark.parametrize("mark", ["fromExtension", "fromHook"])
    def test_those_of_an_extension_do_not(self, mark: str) -> None:
        entry = {"details": {"readFiles": ["r"]}, mark: True}
        assert operations_in_details(entry) == FileOperations()
        assert operations_in_details({**entry, mark: False}).read == {"r"}

    def test_each_agent_knows_its_own_mark(self) -> None:
        hook = {"details": {"readFiles": ["r"]}, "fromHook": True}
        extension = {"details": {"readFiles": ["r"]}, "fromExtension": True}
        assert operations_in_details(hook, OMP_13_19).read == {"r"}
        assert operations_in_details(hook, PI_1_6).read == frozenset()
        assert operations_in_details(extension, PI_1_6).read == {"r"}
        assert operations_in_details(extension, OMP_13_19).read == frozenset()

    @pytest.mark.parametrize("details", [None, [], "x", {"readFiles": "r", "modifiedFiles": {"0": "m"}}])
    def test_another_shape_is_ignored(self, details: object) -> None:
        assert operations_in_details({"details": details}) == FileOperations()


class TestLists:
    @pytest.mark.spec("O-124")
    def test_a_modified_file_is_not_listed_as_read(self) -> None:
        operations = FileOperations(frozenset({"a", "b", "c"}), frozenset({"b"}), frozenset({"c", "d"}))
        assert compute_file_lists(operations) == FileLists(("a",), ("b", "c", "d"))

    def test_they_are_sorted_by_utf16_units(self) -> None:
        names = frozenset({"\uff21", "\U0001f600", "a", "Z", "é", "10", "9"})
        assert compute_file_lists(FileOperations(read=names)).read_files == (
            *("10", "9", "Z", "a", "é"),
            *("\U0001f600", "\uff21"),
        )

    def test_a_lone_surrogate_can_be_sorted(self) -> None:
        assert compute_file_lists(FileOperations(read=frozenset({"\ud83d", "a"}))).read_files == ("a", "\ud83d")

    def test_a_union_has_everything(self) -> None:
        parts = [FileOperations(read=frozenset({"a"})), FileOperations(frozenset({"b"}), frozenset({"c"}))]
        assert FileOperations.union(parts) == FileOperations(frozenset({"a", "b"}), frozenset({"c"}))


class TestTags:
    @pytest.mark.spec("O-126", "O-127", "P-123", "P-124")
    def test_the_elements_are_set_apart_by_dialect(self) -> None:
        read, modified = "<read-files>\na\nb\n</read-files>", "<modified-files>\nc\n</modified-files>"
        assert file_tags(BOTH, "omp") == f"{read}\n{modified}"
        assert file_tags(BOTH, "pi") == f"{read}\n\n{modified}"
        assert file_tags(BOTH, "omp", 20, OMP_13_19) == f"{read}{modified}".replace("a\nb", "a\\nb")

    def test_an_empty_list_has_no_element(self) -> None:
        assert file_tags(FileLists(("a",)), "pi") == "<read-files>\na\n</read-files>"
        assert file_tags(FileLists((), ("a",)), "pi") == "<modified-files>\na\n</modified-files>"
        assert file_tags(FileLists(), "pi") == ""

    def test_a_long_list_is_cut_at_the_limit(self) -> None:
        lists = FileLists(("a", "b", "c"))
        assert file_tags(lists, "pi", 2) == "<read-files>\na\nb\n… (1 more files omitted)\n</read-files>"
        assert file_tags(lists, "pi", 3) == file_tags(lists, "pi", 0) == "<read-files>\na\nb\nc\n</read-files>"

    @pytest.mark.spec("O-125")
    def test_old_elements_of_a_model_are_replaced(self) -> None:
        summary = "A\n\n<read-files>\nold\n</read-files>\n\nB\n<modified-files>x</modified-files>\n"
        assert with_file_tags(summary, FileLists(("n",)), "pi") == "A\n\nB\n\n<read-files>\nn\n</read-files>"
        assert with_file_tags(summary, FileLists(), "pi") == "A\n\nB"
        assert with_file_tags(summary, FileLists(), "pi", 0, PI_1_6) == summary
        assert with_file_tags("A\n", FileLists(("n",)), "pi", 0, PI_1_6) == "A\n\n\n<read-files>\nn\n</read-files>"

    def test_without_text_only_the_elements_remain(self) -> None:
        assert with_file_tags("", FileLists(("n",)), "pi") == "<read-files>\nn\n</read-files>"
        assert with_file_tags("", FileLists(), "pi") == ""

    def test_an_element_that_is_not_closed_stays(self) -> None:
        assert without_file_tags("A\n<read-files>\nold") == "A\n<read-files>\nold"
        assert without_file_tags("</read-files><read-files>") == "</read-files><read-files>"

    def test_several_elements_go(self) -> None:
        assert without_file_tags("<read-files>1</read-files> A<read-files>2</read-files>\n B") == "AB"

    def test_a_long_text_of_open_elements_is_no_trap(self) -> None:
        text = "<read-files>" * 100_000
        assert without_file_tags(text) == text

    @given(TEXTS, TEXTS)
    def test_elements_go_and_the_text_around_them_stays(self, before: str, after: str) -> None:
        text = f"{before}<read-files>{before}</read-files>{after.lstrip()}"
        assert without_file_tags(text) == (before + after.lstrip()).rstrip()

    def test_details_hold_the_whole_lists(self) -> None:
        assert BOTH.as_details() == {"readFiles": ["a", "b"], "modifiedFiles": ["c"]}
        assert BRANCHWORK.file_tag_block_separator is None
