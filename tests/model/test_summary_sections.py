"""The parts of a summary in the structured format (CP-13, CP-17)."""

import pytest
from hypothesis import given

from model.file_operations import FileLists, file_tags
from model.rules import OMP_13_19
from model.summary_sections import Item, Section, StructuredSummary, read_summary
from tests.model.strategies import TEXTS

SUMMARY = """\
Preface

## Goal
Make the client retry.

## Constraints & Preferences
- No new packages
* Keep `send()`

## Progress
### Done
- [x] Wrote the loop
  and its test
- [X] Ran it

### In Progress
- [ ] Documentation

### Blocked
- Waiting for a key

## Key Decisions
- **Backoff**: doubles each time

## Next Steps
1. Document
2) Release

## Critical Context
- src/client.py

<read-files>
a.ts
b c.ts
</read-files>

<modified-files>
d.ts
</modified-files>"""


@pytest.mark.spec("P-012", "P-114")
class TestSections:
    @pytest.mark.spec("P-115", "P-116", "P-117", "P-118", "P-119", "P-120", "P-121", "P-122")
    def test_the_format_is_read_whole(self) -> None:
        summary = read_summary(SUMMARY)
        assert [(section.title, section.level) for section in summary.sections] == [
            ("", 0),
            ("Goal", 2),
            ("Constraints & Preferences", 2),
            ("Progress", 2),
            ("Done", 3),
            ("In Progress", 3),
            ("Blocked", 3),
            ("Key Decisions", 2),
            ("Next Steps", 2),
            ("Critical Context", 2),
        ]
        assert self.items(summary, "goal") == [Item("Make the client retry.", "text")]
        assert self.items(summary, "Constraints & Preferences") == [
            Item("No new packages", "bullet"),
            Item("Keep `send()`", "bullet"),
        ]
        assert self.items(summary, "Done") == [Item("Wrote the loop\nand its test", "done"), Item("Ran it", "done")]
        assert self.items(summary, "In Progress") == [Item("Documentation", "open")]
        assert self.items(summary, "Next Steps") == [Item("Document", "number"), Item("Release", "number")]
        assert self.items(summary, "Progress") == []

    @staticmethod
    def items(summary: StructuredSummary, title: str) -> list[Item]:
        section = summary.section(title)
        assert section is not None
        return list(section.items)

    def test_missing_and_unknown_sections_are_fine(self) -> None:
        summary = read_summary("# Überblick #\nalles\n#hashtag")
        assert summary.sections == (Section("Überblick", 1, (Item("alles", "text"), Item("#hashtag", "text"))),)
        assert summary.section("Goal") is None
        assert read_summary("") == StructuredSummary()
        assert read_summary("\n\n---\n") == StructuredSummary()

    def test_a_split_turn_is_two_parts_in_one_list(self) -> None:
        summary = read_summary("## Goal\nA\n\n---\n\n**Turn Context (split turn):**\n\n## Original Request\nB")
        assert summary.sections[0].text == "A\n**Turn Context (split turn):**"
        assert summary.sections[1] == Section("Original Request", 2, (Item("B", "text"),))

    def test_a_heading_inside_a_code_fence_is_none(self) -> None:
        summary = read_summary("## A\n```sh\n# comment\n```\n## B\n~~~\n## x\n~~~")
        assert [section.title for section in summary.sections] == ["A", "B"]
        assert summary.sections[0].text == "```sh\n# comment\n```"

    def test_indented_text_without_an_item_stands_by_itself(self) -> None:
        assert read_summary("   indented").sections == (Section("", 0, (Item("indented", "text"),)),)

    @given(TEXTS)
    def test_no_line_of_any_text_is_lost(self, text: str) -> None:
        summary = read_summary(text)
        shown = "\n".join(part for section in summary.sections for part in (section.title, section.text))
        for line in text.split("\n"):
            words = line.strip().lstrip("#-*+ ").rstrip("# ").strip()
            if words and words != "---":
                assert words in shown


class TestFiles:
    @pytest.mark.spec("P-123", "P-124")
    def test_one_name_a_line(self) -> None:
        assert read_summary(SUMMARY).files == FileLists(("a.ts", "b c.ts"), ("d.ts",))

    def test_the_form_of_omp(self) -> None:
        lists = FileLists(tuple(f"f{number:02}" for number in range(22)), ("m", "n"))
        text = f"x\n\n{file_tags(lists, 'omp', 20, OMP_13_19)}"
        assert read_summary(text).files == FileLists(lists.read_files[:20], ("m", "n"))

    def test_folders_of_windows_are_not_taken_apart(self) -> None:
        assert read_summary("<read-files>\nC:\\new\\x\n</read-files>").files.read_files == ("C:\\new\\x",)

    @pytest.mark.parametrize("text", ["", "<read-files>", "</read-files>", "</read-files><read-files>"])
    def test_no_element_no_files(self, text: str) -> None:
        assert read_summary(text).files == FileLists()

    def test_the_last_element_counts(self) -> None:
        text = "<read-files>\na\n</read-files>\n<read-files>\nb\n\n</read-files>"
        assert read_summary(text).files.read_files == ("b",)
