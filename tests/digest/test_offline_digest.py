"""The offline digest: nothing invented, everything traceable, readable on real sessions in any script."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.context import entry_message
from model.digest_evidence import Evidence, command_key, excerpt, plain_text, telling_line
from model.earlier_summary import EarlierSummary
from model.file_operations import without_file_tags
from model.interruptions import interruptible
from model.offline_digest import LABEL, Digest, history_digest, short_digest, turn_prefix_digest
from model.summary_sections import read_summary

SAMPLES = Path(__file__).parent.parent / "sessions"
FILES = ("real-v3-before-compaction.jsonl", "real-v3-large.jsonl", "real-v3-branched.jsonl", "omp-branched.jsonl")
SECTIONS = [
    "Goal",
    "Constraints & Preferences",
    "Progress",
    "Done",
    "In Progress",
    "Blocked",
    "Key Decisions",
    "Next Steps",
    "Critical Context",
]


def entries_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (SAMPLES / name).read_text(encoding="utf-8").splitlines()[1:]]


def evidence_of(entries: list[dict[str, Any]]) -> list[Evidence]:
    return [Evidence(entry["id"], message) for entry in entries if (message := entry_message(entry)) is not None]


def paths(name: str) -> Iterator[list[dict[str, Any]]]:
    """The path of every leaf of a sample."""
    entries = entries_of(name)
    by_id = {entry["id"]: entry for entry in entries}
    inner = {entry.get("parentId") for entry in entries}
    for entry in entries:
        if entry["id"] in inner:
            continue
        path, current = [], entry
        while current is not None:
            path.append(current)
            current = by_id.get(current.get("parentId"))
        yield path[::-1]


def words_of(entry: dict[str, Any]) -> str:
    """Everything an entry says, the text of its results and calls included, on one line and without list marks."""
    texts: list[str] = []

    def collect(value: Any) -> None:
        if isinstance(value, str):
            texts.append(value)
        elif isinstance(value, dict):
            for item in value.values():
                collect(item)
        elif isinstance(value, list):
            for item in value:
                collect(item)

    collect(entry)
    joined = "\n\n".join(texts)
    return " ".join([*joined.split(), plain_text(joined), plain_text(without_file_tags(joined))])


def quotations(line: str) -> list[str]:
    """What stands between quotation marks, without the mark of a cut; marks inside a quotation are counted."""
    found, depth, start = [], 0, 0
    for place, char in enumerate(line):
        if char == "“":
            start = place + 1 if depth == 0 else start
            depth += 1
        elif char == "”" and depth:
            depth -= 1
            if depth == 0:
                found.append(line[start:place].removesuffix(" …"))
    return found


@pytest.mark.parametrize("name", FILES)
def test_every_quotation_stands_in_the_entries_that_its_line_names(name: str) -> None:
    entries = entries_of(name)
    words = {entry["id"]: words_of(entry) for entry in entries}
    checked = 0
    for path in paths(name):
        digest = history_digest(evidence_of(path))
        for line, sources in zip(digest.text.split("\n"), digest.line_sources, strict=True):
            assert set(sources) <= set(words)
            for quotation in quotations(line):
                assert any(quotation in words[id] for id in sources), line
                checked += 1
    assert checked > 20


@pytest.mark.parametrize("name", FILES)
def test_every_point_names_its_entries(name: str) -> None:
    for path in paths(name):
        digest = history_digest(evidence_of(path))
        for line, sources in zip(digest.text.split("\n"), digest.line_sources, strict=True):
            is_frame = not line or line.startswith(("#", ">")) or line == "(none)"
            assert is_frame or sources, line


@pytest.mark.parametrize("name", FILES)
def test_a_digest_is_in_the_format_labelled_and_of_sensible_length(name: str) -> None:
    for path in paths(name):
        digest = history_digest(evidence_of(path))
        assert digest.text.startswith(LABEL)
        assert [section.title for section in read_summary(digest.text).sections if section.title] == SECTIONS
        assert len(digest.text) < 14_000
        assert digest == history_digest(evidence_of(path)), "the same entries give the same text"


def test_what_a_recorded_summary_says_is_found_in_the_digest() -> None:
    """The first compaction of the sample was summarised by a model; the digest of the same entries has its facts."""
    entries = entries_of("real-v3-before-compaction.jsonl")
    text = history_digest(evidence_of(entries[:358])).text
    for fact in (
        "create a branch refactor",
        "i would only want e2e tests for AgentSession",
        "WP14: Create main-new.ts and cli-new.ts using AgentSession and new modes",
        "keep the old code around for reference",
        "`npm run check` succeeded last time (run 19 times, 3 failed)",
        "1. WP15: Create InteractiveMode (refactor TuiRenderer to use AgentSession)",
        "Property 'tokensAfter' does not exist on type 'CompactionEntry'",
        "Would you like me to continue with WP15",
    ):
        assert fact in text


# --- Single facts ----------------------------------------------------------------------------------------------------


class Talk:
    """A conversation in the making, with ids `1`, `2`, …"""

    def __init__(self) -> None:
        self.evidence: list[Evidence] = []

    def add(self, role: str, **fields: Any) -> str:
        id = str(len(self.evidence) + 1)
        self.evidence.append(Evidence(id, {"role": role, **fields}))
        return id

    def user(self, text: str) -> str:
        return self.add("user", content=text)

    def says(self, text: str, stop: str = "stop", *calls: dict[str, Any], **more: Any) -> str:
        return self.add("assistant", content=[{"type": "text", "text": text}, *calls], stopReason=stop, **more)

    def runs(self, command: str, output: str, failed: bool = False, name: str = "bash", **arguments: Any) -> str:
        call = {"type": "toolCall", "id": "c", "name": name, "arguments": {"command": command, **arguments}}
        self.add("assistant", content=[call], stopReason="toolUse")
        content = [{"type": "text", "text": output}]
        return self.add("toolResult", toolCallId="c", toolName=name, content=content, isError=failed)

    def touches(self, name: str, path: str, failed: bool = False, output: str = "done") -> str:
        call = {"type": "toolCall", "id": "c", "name": name, "arguments": {"path": path}}
        self.add("assistant", content=[call], stopReason="toolUse")
        content = [{"type": "text", "text": output}]
        return self.add("toolResult", toolCallId="c", toolName=name, content=content, isError=failed)

    def digest(self, earlier: EarlierSummary | None = None) -> Digest:
        return history_digest(self.evidence, earlier)

    def section(self, title: str) -> list[str]:
        section = read_summary(self.digest().text).section(title)
        assert section is not None
        return [item.text for item in section.items if item.text != "(none)"]


@pytest.fixture
def talk() -> Talk:
    return Talk()


def test_nothing_at_all_is_an_empty_digest(talk: Talk) -> None:
    assert talk.digest().text.count("(none)") == 8
    assert short_digest([]) == ""


def test_a_failure_that_was_overcome_is_not_blocked(talk: Talk) -> None:
    talk.user("Run the tests, please")
    talk.runs("cd /x && npm test 2>&1 | tail -5", "Error: 3 tests failed", failed=True)
    assert talk.section("Blocked") == ["`npm test` failed and did not succeed later: Error: 3 tests failed"]
    talk.runs("npm test", "ok")
    assert talk.section("Blocked") == []
    assert talk.section("Critical Context")[0] == "`npm test` failed before it succeeded: Error: 3 tests failed"


def test_an_edit_that_failed_and_then_went_is_done(talk: Talk) -> None:
    talk.user("Change the parser now")
    talk.touches("edit", "a.py", failed=True, output="Could not find the exact text")
    assert talk.section("Blocked") == ["`a.py`: edit: Could not find the exact text"]
    talk.touches("edit", "a.py")
    talk.says("Changed it.")
    assert talk.section("Blocked") == []
    assert talk.section("Done")[0] == "“Change the parser now” → “Changed it.” (changed `a.py`)"


def test_a_search_without_hits_and_a_stopped_command_are_no_failures(talk: Talk) -> None:
    talk.user("Look for the word")
    talk.runs("grep -rn word src", "(no output)\n\nCommand exited with code 1", failed=True)
    talk.runs("sleep 100", "Command aborted", failed=True)
    assert talk.section("Blocked") == []


def test_a_search_that_breaks_is_a_failure(talk: Talk) -> None:
    talk.user("Look for the word")
    talk.runs("grep -rn word nowhere", "grep: nowhere: No such file\n\nCommand exited with code 2", failed=True)
    assert talk.section("Blocked") == [
        "`grep -rn word nowhere` failed and did not succeed later: grep: nowhere: No such file"
    ]


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("git commit -m 'Add it'", "Add it"),
        ('git add -A && git commit -am "Say \\"hi\\" twice"', 'Say "hi" twice'),
        ("git commit -m \"$(cat <<'EOF'\nFirst line\n\nMore\nEOF\n)\"", "First line"),
        ("git -C /x commit --message='Über 漢字'", "Über 漢字"),
        ("git commit --amend --no-edit", "(message not given on the command line)"),
    ],
)
def test_commits_are_quoted(command: str, message: str, talk: Talk) -> None:
    talk.user("Commit everything")
    talk.runs(command, "ok")
    assert talk.section("Done")[-1] == f"Committed (newest last): “{message}”"


def test_changes_behind_the_last_commit_are_open(talk: Talk) -> None:
    talk.user("Change both files, please")
    talk.touches("write", "a.py")
    talk.runs("git commit -m x", "ok")
    talk.touches("edit", "b.py")
    talk.says("Done with both.")
    assert talk.section("In Progress") == ["Changed since the last commit: `b.py`"]


def test_an_unanswered_request_is_in_progress(talk: Talk) -> None:
    talk.user("Write the whole manual")
    assert talk.section("In Progress") == ["“Write the whole manual” (no answer yet)"]
    talk.says("I begin with", "error", errorMessage="500 overloaded")
    assert talk.section("In Progress") == ["“Write the whole manual” (stopped: 500 overloaded)"]
    assert talk.section("Blocked") == ["The last answer ended with: 500 overloaded"]


def test_going_on_belongs_to_the_request_before(talk: Talk) -> None:
    talk.user("Write the whole manual")
    talk.says("", "aborted")
    talk.user("go on")
    talk.touches("write", "manual.md")
    talk.says("The manual is written.")
    assert talk.section("Done") == [
        "“Write the whole manual” → “The manual is written.” (changed `manual.md`)",
    ]


def test_a_hundred_thousand_turns_that_only_go_on_are_one_topic(talk: Talk) -> None:
    talk.user("Write the whole manual")
    for number in range(33_000):
        talk.user("go on")
        talk.touches("edit", f"{number}.md")
    talk.says("It is written.")
    [line] = talk.section("Done")
    assert line.endswith("`0.md`, `1.md`, `2.md`, `3.md`, `4.md` and 32995 more)")


def test_answers_to_questions_and_corrections_are_decisions(talk: Talk) -> None:
    talk.user("Store the notes somewhere")
    talk.says("Two ways are open. SQLite or plain files?")
    talk.user("plain files")
    talk.says("Starting with SQLite …", "aborted")
    talk.user("no, I said plain files, not a database")
    talk.says("Right.")
    talk.user("which folder is it?")
    assert talk.section("Key Decisions") == [
        "**“plain files”**: in answer to “SQLite or plain files?”",
        "**“no, I said plain files, not a database”**: said after the answer was stopped",
    ]


def test_what_was_announced_comes_next(talk: Talk) -> None:
    talk.user("Where are we now?")
    talk.says(
        "Done: one.\n\n- [x] one\n- [ ] the `second` thing\n\n**Next steps:**\n1. third\n2. fourth\n\nShall I go on?"
    )
    assert talk.section("Next Steps") == ["the `second` thing", "third", "fourth", "Open question: “Shall I go on?”"]


@pytest.mark.parametrize(
    "sentence",
    [
        "You must never touch the database files.",
        "测试里不要使用任何网络连接。",
        "テストでは必ず一時フォルダを使うこと。",
        "Bitte ohne zusätzliche Pakete arbeiten.",
        "Yalnızca bu dosyayı değiştir, asla diğerlerini.",
        "يجب أن تبقى الواجهة باللغة العربية دائما",
        "ต้องใช้ภาษาไทยเท่านั้นในข้อความทั้งหมด",
        "Никогда не меняй эти файлы без спроса.",
    ],
)
def test_constraints_are_found_in_many_languages(sentence: str, talk: Talk) -> None:
    talk.user(f"{sentence}\nThe rest is up to you.")
    assert talk.section("Constraints & Preferences") == [f"“{sentence}”"]


def test_a_common_folder_is_named_once(talk: Talk) -> None:
    talk.user("Read the files of the project")
    for name in ("src/a.py", "src/b.py", "docs/c.md"):
        talk.touches("edit", f"/home/dev/work/project/{name}")
    talk.says("Read all.")
    assert "(changed `…/src/a.py`, `…/src/b.py`, `…/docs/c.md`)" in talk.section("Done")[0]
    assert "`…/` stands for `/home/dev/work/project/`" in talk.section("Critical Context")


def test_the_users_own_commands_and_images_are_told(talk: Talk) -> None:
    talk.add("bashExecution", command="make all", output="", exitCode=0)
    talk.add("user", content=[{"type": "image", "data": "x"}, {"type": "text", "text": "Look at this picture"}])
    talk.add("custom", customType="note", content="two warnings")
    talk.add("branchSummary", summary="## Goal\nTry the cache.\n\n<read-files>\na\n</read-files>")
    assert talk.section("Critical Context") == [
        "From an earlier summary: “Try the cache.”",
        "Note of an extension: “two warnings”",
        "The user ran: `make all`",
        "The user attached an image",
    ]


def test_many_points_are_counted_not_listed(talk: Talk) -> None:
    for number in range(60):
        talk.user(f"Please do task number {number} of the list")
        talk.says(f"Task {number} is finished.")
    done = talk.section("Done")
    assert len(done) == 18
    assert done[0].startswith("“Please do task number 0 ")
    assert done[1] == "(43 more requests)"
    assert done[-1].startswith("“Please do task number 59 ")
    line = talk.digest().text.split("\n").index("- (43 more requests)")
    assert len(talk.digest().line_sources[line]) == 86


# --- Going on from an earlier summary --------------------------------------------------------------------------------


def test_an_earlier_summary_is_merged_section_by_section(talk: Talk) -> None:
    earlier = (
        "## Goal\nBuild a parser.\n\n## Constraints & Preferences\n- Fast\n\n## Progress\n### Done\n- [x] lexer\n\n"
        "### In Progress\n- [ ] grammar\n\n### Blocked\n(none)\n\n## Next Steps\n1. write tests\n\n"
        "## Critical Context\n- port 8080\n\n<read-files>\nold.py\n</read-files>"
    )
    talk.user("Now the error messages, please")
    talk.says("They are better now.\n\nNext:\n- translate them")
    digest = talk.digest(EarlierSummary(earlier, "c1"))
    sections = {section.title: [item.text for item in section.items] for section in read_summary(digest.text).sections}
    assert sections["Goal"] == ["Build a parser.", "Then asked: “Now the error messages, please”"]
    assert sections["Done"][0] == "lexer"
    assert sections["In Progress"] == ["grammar (from the earlier summary)"]
    assert sections["Next Steps"] == ["write tests (from the earlier summary)", "translate them"]
    assert sections["Critical Context"][0] == "port 8080"
    assert "old.py" not in digest.text
    assert digest.line_sources[digest.text.split("\n").index("- [x] lexer")] == ("c1",)


def test_a_digest_of_a_digest_keeps_one_label_and_one_mark(talk: Talk) -> None:
    talk.user("Write the whole manual")
    once = talk.digest(EarlierSummary("## Next Steps\n1. first step", "c0"))
    twice = talk.digest(EarlierSummary(once.text, "c1"))
    thrice = talk.digest(EarlierSummary(twice.text, "c2"))
    assert thrice.text.count(LABEL) == 1
    assert "1. first step (from the earlier summary)\n" in thrice.text
    assert "Earlier Summary" not in thrice.text


def test_a_summary_in_no_format_is_kept(talk: Talk) -> None:
    talk.user("Go on with the work, please")
    text = talk.digest(EarlierSummary("We talked about cats.\n\n# Cats\nThey are fine.", "c1")).text
    assert text.endswith("## Earlier Summary\nWe talked about cats.\n**Cats**\nThey are fine.")


def test_an_endless_earlier_summary_is_cut_and_says_so(talk: Talk) -> None:
    text = talk.digest(EarlierSummary("\n".join(f"line {number}" for number in range(5000)), "c1")).text
    assert re.search(r"\(\d+ more lines\)$", text)
    assert len(text) < 8000


def test_digests_of_digests_do_not_grow_without_end(talk: Talk) -> None:
    text = ""
    sizes = []
    for round in range(12):
        talk = Talk()
        for number in range(30):
            talk.user(f"Round {round}, task {number}: never forget the {number}th rule of round {round}")
            talk.touches("edit", f"file-{round}-{number}.py")
            talk.says(f"Finished {number} of round {round}. Shall I go on with the next one?")
        text = talk.digest(EarlierSummary(text, "c") if text else None).text
        sizes.append(len(text))
    assert sizes[-1] < 1.7 * sizes[1]


# --- The other forms -------------------------------------------------------------------------------------------------


def test_the_first_part_of_a_turn(talk: Talk) -> None:
    talk.user("Rename the function everywhere in the code")
    talk.touches("edit", "a.py")
    talk.touches("read", "b.py")
    talk.runs("make test", "AssertionError: 1 != 2", failed=True)
    digest = turn_prefix_digest(talk.evidence)
    assert digest.text == "\n".join(
        [
            LABEL,
            "",
            "## Original Request",
            "“Rename the function everywhere in the code”",
            "",
            "## Progress So Far",
            "- [x] `a.py`: edited once",
            "- [x] Read `b.py`",
            "",
            "## Needed for What Follows",
            "- `make test` failed and did not succeed later: AssertionError: 1 != 2",
        ]
    )
    assert digest.line_sources[3] == ("1",)


def test_the_short_form(talk: Talk) -> None:
    for name in ("a.py", "b.py", "c.py", "d.py"):
        talk.touches("write", f"src/{name}")
    talk.runs("git commit -m 'All four'", "ok")
    talk.says("Everything is in place.")
    assert short_digest(talk.evidence) == (
        "I changed a.py, b.py, c.py and 1 more. I committed “All four”. My last words were “Everything is in place.”."
    )


class Stop(Exception):
    pass


def test_it_stops_when_told_to(talk: Talk) -> None:
    for _ in range(600):
        talk.user("again and again")
    calls: list[int] = []

    def check() -> None:
        calls.append(1)
        if len(calls) == 2:
            raise Stop

    with interruptible(check), pytest.raises(Stop):
        history_digest(talk.evidence)


# --- Helpers ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "key"),
    [
        ("cd /a && cd b; npm run check 2>&1 | tail -20", "npm run check"),
        ("npm   run\ncheck", "npm run check"),
        ("cd /only", "cd /only"),
        ("make 2>&1", "make"),
        ("cd /a && git commit -m one", "git commit"),
        ("git -C /a commit -m two 2>&1 | tail -1", "git commit"),
        ("git add -A && git commit -m three", "git commit"),
        ("make && git commit -m four", "make && git commit -m four"),
    ],
)
def test_the_same_command_has_the_same_key(command: str, key: str) -> None:
    assert command_key(command) == key


@pytest.mark.parametrize(
    ("output", "line"),
    [
        ("> x@1 test\n\x1b[31mError: bad\x1b[0m\nmore", "Error: bad"),
        ("one\ntwo\n\nCommand exited with code 3", "two"),
        ("", "no output"),
        ("Command exited with code 3", "exit code 3"),
        ("x" * 500 + " error\nError: short", "Error: short"),
    ],
)
def test_the_line_that_tells_most(output: str, line: str) -> None:
    assert telling_line(output) == line


def test_an_excerpt_ends_between_words_and_never_inside_a_character() -> None:
    assert excerpt("one two three", 9) == "one two …"
    assert excerpt("abcdefghij", 4) == "abcd …"
    family = "👩\u200d👩\u200d👧" * 10
    assert not excerpt(family, 11).removesuffix(" …").endswith("\u200d")
    assert excerpt("é" * 10, 5).removesuffix(" …").endswith("e\u0301") is False


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
FIELDS = ("content", "stopReason", "toolCallId", "isError", "summary", "command", "exitCode", "output")
messages = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "toolResult", "bashExecution", "custom", "compactionSummary", "x"])},
    optional=dict.fromkeys(FIELDS, json_values),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=4), messages), max_size=12), st.text(max_size=200))
def test_nothing_raises_on_arbitrary_json(pairs: list[tuple[str, dict[str, Any]]], earlier: str) -> None:
    evidence = [Evidence(id, message) for id, message in pairs]
    digest = history_digest(evidence, EarlierSummary(earlier, "c"))
    assert len(digest.line_sources) == digest.text.count("\n") + 1
    assert turn_prefix_digest(evidence).text
    short_digest(evidence)
