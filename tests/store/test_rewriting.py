"""Rewriting: in one step, with the original kept, and with the bytes of everything that did not change."""

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import hypothesis
import pytest
from hypothesis import strategies

from model.entries import new_custom_entry
from model.json_text import parse
from model.session_loading import load_session
from services import file_rewrite
from services.session_files import save_branch, set_session_name
from services.session_store import SessionStore
from services.store_errors import StoreError
from tests.store.damaged_files import HEADER, SAMPLES, chain, corpus, entry, lines
from tests.store.plain_reading import assert_equals, read_plainly

TIME = "2026-02-03T09:00:00.000Z"
Opened = Callable[[Path], SessionStore]
DAMAGED = {name: data for name, data in corpus().items() if len(data) < 2_000_000}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "session.jsonl"
    file.write_bytes(lines(HEADER, *chain(5)))
    return file


def append_something(store: SessionStore) -> None:
    store.append([new_custom_entry(store.new_entry_id(), None, TIME, store.dialect, custom_type="test")])


def beside(path: Path) -> dict[str, bytes]:
    """The files of the folder except the session itself."""
    return {file.name: file.read_bytes() for file in path.parent.iterdir() if file.is_file() and file != path}


# Older versions


@pytest.mark.parametrize("name", [name for name in SAMPLES if "v1" in name])
def test_the_first_write_brings_version_1_to_the_present(name: str, path: Path, opened: Opened) -> None:
    path.write_bytes(SAMPLES[name])
    store = opened(path)
    ids = [store.index.id_of(row) for row in range(store.index.count)]
    assert opened(path).index.row_of(ids[7]) == 7, "the same ids at every opening"
    assert path.read_bytes() == SAMPLES[name], "opening writes nothing"
    entries = store.entries(range(len(ids)))
    generation = store.index.generation
    append_something(store)
    assert beside(path) == {"session.jsonl.v1.bak": SAMPLES[name]}
    assert store.index.generation > generation
    assert [store.index.id_of(row) for row in range(len(ids))] == ids
    assert store.entries(range(len(ids))) == entries
    assert (store.version, store.header) == (3, load_session(SAMPLES[name], lambda: "x").header)
    assert_equals(store.index, read_plainly(path.read_bytes()))
    assert not any("firstKeptEntryIndex" in parse(line) for line in path.read_bytes().splitlines())


def test_version_2_keeps_the_bytes_of_what_does_not_change(path: Path, opened: Opened) -> None:
    hook = entry(
        "hook", "00000004", message={"role": "hookMessage", "customType": "x", "content": "y", "display": True}
    )
    spaced = json.dumps(json.loads(entry("spaced", "hook"))).encode()
    old = lines(HEADER.replace(b'"version":3', b'"version":2'), *chain(5), hook, b"# a note", spaced, end=b"\r\n")
    path.write_bytes(old)
    store = opened(path)
    assert store.entry(5)["message"]["role"] == "custom"
    append_something(store)
    new = path.read_bytes().splitlines(keepends=True)
    for before, after in zip(old.splitlines(keepends=True), new, strict=False):
        if b"hookMessage" in before:
            assert after == before.replace(b"hookMessage", b"custom")
        elif b"session" in before:
            assert json.loads(after)["version"] == 3
        else:
            assert after == before
    assert beside(path) == {"session.jsonl.v2.bak": old}


# Replacing entries


def pruned(store: SessionStore, row: int) -> dict[int, dict[str, object]]:
    old = store.entry(row)
    return {row: {**old, "message": {**old["message"], "content": "[cut]", "prunedAt": 1}}}


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_other_lines_keep_their_bytes(path: Path, opened: Opened, end: bytes) -> None:
    old = lines(HEADER, *chain(3), b"# a note", b"", *chain(3, "bbbb"), end=end) + b'{"unfinished'
    path.write_bytes(old)
    store = opened(path)
    path.chmod(0o640)
    backup = store.replace_entries(pruned(store, 1))
    assert backup.read_bytes() == old
    new = path.read_bytes().split(end)
    differing = [number for number, (a, b) in enumerate(zip(old.split(end), new, strict=True)) if a != b]
    assert differing == [2]
    assert json.loads(new[2])["message"]["prunedAt"] == 1
    assert path.stat().st_mode & 0o777 == 0o640
    assert store.entry(1)["message"]["content"] == "[cut]"
    assert_equals(store.index, read_plainly(path.read_bytes()))


def test_backups_do_not_overwrite_each_other(path: Path, opened: Opened) -> None:
    store = opened(path)
    first = path.read_bytes()
    store.replace_entries(pruned(store, 1))
    second = path.read_bytes()
    store.replace_entries(pruned(store, 2))
    assert beside(path) == {"session.jsonl.bak": first, "session.jsonl.bak.1": second}


def test_a_link_is_followed_to_the_file(path: Path, opened: Opened, tmp_path: Path) -> None:
    link = tmp_path / "elsewhere" / "link.jsonl"
    link.parent.mkdir()
    link.symlink_to(path)
    store = opened(link)
    store.replace_entries(pruned(store, 1))
    assert link.is_symlink()
    assert b"[cut]" in path.read_bytes()
    assert set(beside(path)) == {"session.jsonl.bak"}


def test_an_entry_that_changed_meanwhile_is_not_replaced(path: Path, opened: Opened) -> None:
    store = opened(path)
    old = path.read_bytes()
    for wrong in ({"id": "other"}, {"parentId": "00000003"}, {"parentId": None}):
        with pytest.raises(StoreError):
            store.replace_entries({1: {**store.entry(1), **wrong}})
    assert (path.read_bytes(), beside(path)) == (old, {})


def test_lines_appended_at_the_last_moment_are_taken_over(
    path: Path, opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = opened(path)
    late = lines(entry("late", "00000004"))

    class Slow(type(store.disk)):  # type: ignore[misc]
        def replace(self, old: Path, new: Path) -> None:
            with path.open("ab") as file:
                file.write(late)
            super().replace(old, new)

    store.disk = Slow()
    store.replace_entries(pruned(store, 1))
    assert path.read_bytes().endswith(late)
    assert store.index.row_of("late") == 5


def test_a_file_that_changed_meanwhile_is_not_replaced(path: Path, opened: Opened) -> None:
    store = opened(path)

    class Meddling(type(store.disk)):  # type: ignore[misc]
        def link(self, old: Path, new: Path) -> None:
            super().link(old, new)
            with path.open("ab") as file:
                file.write(lines(entry("late", "00000004")))

    store.disk = Meddling()
    with pytest.raises(StoreError, match="same moment"):
        store.replace_entries(pruned(store, 1))
    assert beside(path) == {}
    assert b"late" in path.read_bytes()


def test_what_a_killed_rewrite_left_is_cleared_away(path: Path, opened: Opened) -> None:
    left = path.with_name(f".{path.name}.branchwork-999999999.tmp")
    running = path.with_name(f".{path.name}.branchwork-{os.getppid()}.tmp")
    for file in (left, running):
        file.write_bytes(b"half")
    file_rewrite.remove_left_overs(path)
    assert (left.exists(), running.exists()) == (False, True)


# Titles and names


def test_title_in_the_header(path: Path, opened: Opened) -> None:
    path.write_bytes(SAMPLES["omp-branched"])
    store = opened(path)
    assert store.session_name == "Notes search"
    assert set_session_name(store, None, " New\n name ") is None
    assert store.session_name == "New name"
    old, new = SAMPLES["omp-branched"].split(b"\n", 1), path.read_bytes().split(b"\n", 1)
    assert new[1] == old[1]
    assert json.loads(new[0]) == {**json.loads(old[0]), "title": "New name", "titleSource": "user"}


def test_a_title_loses_nothing_of_a_damaged_header_line(path: Path, opened: Opened) -> None:
    ten = chain(10)
    path.write_bytes(HEADER + ten[0] + ten[1] + b"\n" + lines(*ten[2:]))
    store = opened(path)
    store.set_title("New")
    assert (store.session_name, store.index.count, store.problems) == ("New", 10, ())
    assert path.read_bytes().splitlines()[1:] == ten


def test_title_slot_keeps_its_length(path: Path, opened: Opened) -> None:
    slot = {"type": "title", "v": 1, "title": "Old", "source": "auto", "updatedAt": TIME, "pad": ""}
    slot["pad"] = " " * (255 - len(json.dumps(slot, separators=(",", ":"))))
    path.write_bytes(lines(json.dumps(slot, separators=(",", ":")).encode(), HEADER, *chain(3)))
    store = opened(path)
    assert (store.session_name, store.dialect, store.index.count) == ("Old", "omp", 3)
    for title in ("Ein größerer Titel 😀", "x" * 500, ""):
        store.set_title(title)
        line = path.read_bytes().split(b"\n", 1)[0]
        assert len(line) == 255
        assert title.startswith(json.loads(line)["title"])
        assert store.session_name == (json.loads(line)["title"] or None)


def test_pi_gets_an_entry(path: Path, opened: Opened) -> None:
    path.write_bytes(SAMPLES["real-v3-branched"])
    store = opened(path)
    leaf = store.index.id_of(store.index.count - 1)
    id = set_session_name(store, leaf, "New name")
    assert store.session_name == "New name"
    assert json.loads(path.read_bytes().splitlines()[-1])["id"] == id


# Copies


@pytest.mark.parametrize("name", [*DAMAGED, *SAMPLES])
def test_repaired_copy(name: str, path: Path, opened: Opened, tmp_path: Path) -> None:
    """The copy holds every entry of the original, is clean, and needs no repair itself."""
    data = {**DAMAGED, **SAMPLES}[name]
    path.write_bytes(data)
    try:
        store = opened(path)
    except ValueError:
        return
    copy = tmp_path / "copies" / "repaired.jsonl"
    copy.parent.mkdir()
    renamed = {new_id: id for id, new_id in store.save_repaired_copy(copy)}
    assert path.read_bytes() == data
    repaired = opened(copy)
    assert [problem for problem in repaired.problems if problem.kind != "mixed dialects"] == []
    assert repaired.read_only is None or "newer" in repaired.read_only
    ids = [store.index.id_of(row) for row in range(store.index.count)]
    rows = [row for row in range(repaired.index.count) if repaired.index.id_of(row) not in renamed]
    assert [repaired.index.id_of(row) for row in rows] == ids
    assert len(rows) + len(renamed) == repaired.index.count
    assert set(renamed.values()) <= set(ids)
    parents = [repaired.index.named_parent(row) for row in rows]
    assert parents == [None if at < 0 else ids[at] for at in store.index.parent.tolist()]
    assert {repaired.index.id_of(row): label for row, label in repaired.labels.items()} == {
        ids[row]: label for row, label in store.labels.items()
    }
    assert repaired.session_name == store.session_name
    for line in copy.read_bytes().splitlines():
        message = parse(line).get("message")
        if isinstance(message, dict) and message.get("role") == "assistant":
            assert isinstance(message["usage"]["cost"], dict)
    again = tmp_path / "copies" / "again.jsonl"
    assert repaired.save_repaired_copy(again) == []
    assert again.read_bytes() == copy.read_bytes()
    with pytest.raises(FileExistsError):
        store.save_repaired_copy(copy)


def test_entries_with_one_id_are_all_kept(path: Path, opened: Opened, tmp_path: Path) -> None:
    """The last one has it and what hangs there; the others get another. What is repeated word for word is one."""
    ten = chain(10)
    label = b'{"type":"label","id":"twice","parentId":"00000001","timestamp":"%b","targetId":"%b","label":"%b"}'
    path.write_bytes(
        lines(
            HEADER, *ten[:4], ten[3],
            entry("00000005", "00000002", "first", zz=1.0), entry("00000005", "00000005", "second"),
            label % (TIME.encode(), b"00000001", b"old"), label % (TIME.encode(), b"00000002", b"new"),
            b'{"type":"mes' + entry("00000005", "gone", "third"), *ten[4:], entry("00000009", "00000008", "last"),
        )
    )  # fmt: skip
    store = opened(path)
    assert [problem.kind for problem in store.problems].count("repeated id") == 6
    renamed = store.save_repaired_copy(tmp_path / "copy")
    copy = opened(tmp_path / "copy")
    assert copy.problems == ()
    assert [id for id, _ in renamed] == ["00000005", "00000005", "twice", "00000005", "00000009"]
    assert len({new_id for _, new_id in renamed}) == 5
    ids = [copy.index.id_of(row) for row in range(copy.index.count)]
    kept = [copy.entry(ids.index(new_id)) for _, new_id in renamed]
    texts = [each.get("message", {}).get("content") for each in kept]
    assert texts == ["first", "second", None, "third", "text 00000009"]
    assert kept[0]["zz"] == 1.0
    assert b'"zz":1.0' in (tmp_path / "copy").read_bytes()
    assert [each["parentId"] for each in kept] == ["00000002", None, "00000001", None, "00000008"]
    assert kept[2]["data"]["entry"]["label"] == "old"
    assert {ids[row]: text for row, text in copy.labels.items()} == {"00000002": "new"}
    assert copy.entry(ids.index("00000006"))["parentId"] == "00000005"
    assert copy.entry(ids.index("00000005"))["message"]["content"] == "text 00000005"
    assert ids[-1] == "00000009"


def test_a_line_of_the_file_can_be_read_whole(path: Path, opened: Opened) -> None:
    long = b'{"type":"message","id":7,"text":"' + b"x" * 3_000_000 + b'"}'
    path.write_bytes(lines(HEADER, entry("a", None, "first"), long, entry("a", None, "second")) + b'{"cut')
    store = opened(path)
    kinds = {problem.kind: problem for problem in store.problems}
    assert store.line_at(kinds["no id"].offset) == long
    assert store.line_at(kinds["repeated id"].offset) == entry("a", None, "first")
    assert store.line_at(kinds["unfinished"].offset) == b'{"cut'


def test_a_sound_session_is_copied_line_by_line(path: Path, opened: Opened, tmp_path: Path) -> None:
    path.write_bytes(SAMPLES["omp-branched"])
    opened(path).save_repaired_copy(tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == SAMPLES["omp-branched"]


def test_a_branch_as_a_session_of_its_own(path: Path, opened: Opened) -> None:
    path.write_bytes(SAMPLES["real-v3-branched"])
    store = opened(path)
    labelled = next(iter(store.labels))
    id = store.index.id_of(labelled)
    file = save_branch(store, id)
    branch = opened(file)
    assert path.read_bytes() == SAMPLES["real-v3-branched"]
    assert branch.header is not None
    assert branch.header["parentSession"] == str(path)
    assert file.name.endswith(f"_{branch.session_id}.jsonl")
    assert branch.index.row_of(id) is not None
    assert branch.labels[branch.index.row_of(id) or 0] == store.labels[labelled]
    assert branch.index.parent.tolist() == list(range(-1, branch.index.count - 1))
    assert branch.problems == ()


# Numbers, and the order of members, in what nobody knows

NUMBERS = (
    *("0", "-0", "1", "-1", "1.0", "1E5", "1e5", "-1.5e-7", "0.1000", "1e400", "-1e400", "1e-400", "1e21", "1E+2"),
    *("9007199254740993", "12345678901234567890123", "-12345678901234567890123", "18446744073709551616"),
    *("0.1234567890123456789012345", "9" * 4400),
)
MEMBERS = strategies.sampled_from(("a", "zz", "10", "2", "01", "-1", "é", "\u2028"))
ODD = strategies.recursive(
    strategies.sampled_from((*NUMBERS, '"1.0"', "true", "null", '"\\ud800"')),
    lambda inner: strategies.one_of(
        strategies.lists(inner, max_size=3).map(lambda items: f"[{','.join(items)}]"),
        strategies.dictionaries(MEMBERS, inner, max_size=4).map(
            lambda items: "{" + ",".join(f"{json.dumps(name)}:{item}" for name, item in items.items()) + "}"
        ),
    ),
    max_leaves=12,
)


def odd_file(version: int, odd: str) -> bytes:
    """A session with `odd` in unknown places: in the header, entries, messages, blocks and usage."""
    zz = f'"zz":{odd}'
    header = HEADER.decode().replace('"version":3', f'"version":{version},{zz}')
    ids = [f"{number:08x}" for number in range(4)]
    parents = ["null", *(f'"{id}"' for id in ids)]

    def line(number: int, message: str, more: str = "") -> str:
        tree = f'"id":"{ids[number]}","parentId":{parents[number]},' if version > 1 else ""
        return (
            f'{{"type":"message",{tree}"timestamp":"2026-02-03T08:01:00.000Z",{zz},"message":{{{message},{zz}}}{more}}}'
        )

    text = f'"content":[{{"type":"text","text":"x",{zz}}}],"timestamp":1'
    messages = [
        f'"role":"user",{text}',
        f'"role":"toolResult","toolCallId":"c","toolName":"t",{text}',
        f'"role":"hookMessage","customType":"x","display":true,{text}',
        f'"role":"assistant",{text},"usage":{{"input":1,{zz}}}',
    ]
    return "\n".join([header, *(line(number, message) for number, message in enumerate(messages)), ""]).encode()


def as_written(data: bytes) -> list[str]:
    """The value of each `zz` in a file, with its numbers as they are written and its members in their order."""
    found: list[str] = []

    def members_of(pairs: list[tuple[str, object]]) -> str:
        found.extend(str(value) for name, value in pairs if name == "zz")
        return str(pairs)

    decoder = json.JSONDecoder(object_pairs_hook=members_of, parse_int=str, parse_float=str)
    for line in data.split(b"\n"):
        if line.strip():
            decoder.decode(line.decode())
    return found


def appended(store: SessionStore) -> None:
    append_something(store)


def pruned_in_place(store: SessionStore) -> None:
    old = store.entry(1)
    store.replace_entries({1: {**old, "message": {**old["message"], "prunedAt": 1}}})


def retitled(store: SessionStore) -> None:
    store.set_title("New")


def repaired(store: SessionStore) -> None:
    copy = store.path.with_name("copy.jsonl")
    copy.unlink(missing_ok=True)
    store.save_repaired_copy(copy)
    store.path.write_bytes(copy.read_bytes())


def branched(store: SessionStore) -> None:
    header = store.path.read_bytes().split(b"\n", 1)[0]
    copy = store.path.with_name("branch.jsonl")
    copy.unlink(missing_ok=True)
    save_branch(store, store.index.id_of(3), file=copy)
    store.path.write_bytes(header + b"\n" + copy.read_bytes().split(b"\n", 1)[1])  # it has a header of its own


@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("rewrite", [appended, pruned_in_place, retitled, repaired, branched])
@hypothesis.settings(
    max_examples=25, deadline=None, suppress_health_check=[hypothesis.HealthCheck.function_scoped_fixture]
)
@hypothesis.given(odd=ODD)
def test_unknown_numbers_and_orders_survive(
    rewrite: Callable[[SessionStore], None], version: int, path: Path, odd: str
) -> None:
    before = odd_file(version, odd)
    path.write_bytes(before)
    store = SessionStore.open(path)
    try:
        rewrite(store)
    finally:
        store.close()
    assert as_written(path.read_bytes()) == as_written(before)


def test_numbers_of_damaged_lines_survive_as_well(path: Path, opened: Opened, tmp_path: Path) -> None:
    """Glued records, a record behind a fragment, one with a line break in a text, one whose message is lost."""
    first, second, third, fourth, fifth, sixth = (
        line[:-1] + b',"zz":{"10":1e400,"2":[12345678901234567890123,1.0,-0]}}' for line in chain(6)
    )
    third = third.replace(b'"text 00000002"', b'"text\n00000002"')
    sixth = re.sub(rb'"message":\{[^}]*\}', b'"message":null', sixth)
    path.write_bytes(lines(HEADER + first, second + fourth, third, b'{"type":"mes' + fifth, sixth))
    store = opened(path)
    assert store.index.count == 6
    store.save_repaired_copy(tmp_path / "copy")
    copy = (tmp_path / "copy").read_bytes()
    assert copy.count(b'"zz":{"10":1e400,"2":[12345678901234567890123,1.0,-0]}') == 6
