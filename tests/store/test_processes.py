"""Other processes: one of ours that is killed, an agent that writes at the same time, a second instance."""

import json
import random
import subprocess
import sys
from pathlib import Path

import pytest

from model.entries import new_custom_entry
from services.session_store import SessionStore
from services.store_errors import SessionLockedError
from tests.store.damaged_files import HEADER, chain, lines
from tests.store.plain_reading import assert_equals, read_plainly
from tests.store.scale import PATIENCE, TIMES

pytestmark = PATIENCE

ROOT = Path(__file__).parents[2]
TIME = "2026-02-03T09:00:00.000Z"


def start(module: str, *arguments: object) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", f"tests.store.{module}", *map(str, arguments)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork and SIGKILL")
@pytest.mark.parametrize(("kind", "count"), [("append", 500), ("rewrite", 50)])
def test_killed_at_any_moment(kind: str, count: int, tmp_path: Path) -> None:
    with start("killing", kind, tmp_path, count * TIMES, 11) as process:
        output, errors = process.communicate()
    assert process.returncode == 0, errors
    kills, changes = map(int, output.split())
    assert kills >= 20
    assert changes >= count * TIMES


def test_two_writers(tmp_path: Path) -> None:
    """While an agent appends, we do, too: no line is torn, none lost, all are reachable."""
    path = tmp_path / "session.jsonl"
    path.write_bytes(lines(HEADER, *chain(1)))
    store = SessionStore.open(path)
    randomness = random.Random(5)
    ours: list[str] = []
    count = 1000 * TIMES
    with start("writing_beside", path, count // 2, 3) as process:
        for _ in range(count):
            parent = store.index.id_of(randomness.randrange(store.index.count))
            new = new_custom_entry(store.new_entry_id(), parent, TIME, "pi", custom_type="t", data={"x": "z" * 500})
            rows = store.append([new], durable=False)
            assert store.entry(rows.start) == new
            ours.append(new["id"])
        assert process.wait() == 0
    store.refresh()
    written = [json.loads(line)["id"] for line in path.read_bytes().splitlines()[1:]]
    foreign = [f"f{number:07x}" for number in range(count // 2)]
    assert [id for id in written if id in set(ours)] == ours
    assert [id for id in written if id not in set(ours)] == ["00000000", *foreign]
    assert store.problems == ()
    assert store.index.generation == 0, "nothing was taken for a rewriting"
    assert (store.index.parent < 0).sum() == 1, "all hang in the one tree"
    assert_equals(store.index, read_plainly(path.read_bytes()))
    store.close()


def test_a_second_instance_is_told(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(lines(HEADER, *chain(3)))
    store = SessionStore.open(path)
    new = new_custom_entry("aaaaaaaa", None, TIME, "pi", custom_type="test")
    program = (
        "import sys; from services.session_store import SessionStore; store = SessionStore.open(sys.argv[1]); "
        f"store.append([{new!r}]); print('written', flush=True); input()"
    )
    command = [sys.executable, "-c", program, str(path)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "written\n"
        with pytest.raises(SessionLockedError, match="Another window"):
            store.append([{**new, "id": "bbbbbbbb"}])
        assert store.index.row_of("aaaaaaaa") is None
        other.kill()
    assert store.append([{**new, "id": "bbbbbbbb"}]) == range(4, 5), "the lock dies with its owner"
    store.close()
