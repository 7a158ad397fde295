"""Whatever a file holds, the store finds in it what a plain reading of every line finds."""

from pathlib import Path

import pytest
from hypothesis import example, given

from model import header_scan
from model.errors import NotASessionError
from services import session_file, session_reading
from services.session_store import SessionStore
from tests.store.damaged_files import HEADER, SAMPLES, corpus, damaged_files
from tests.store.plain_reading import Expected, assert_equals, read_plainly
from tests.store.scale import PATIENCE, cases

pytestmark = PATIENCE

CORPUS = {**corpus(), **SAMPLES}


def expected_of(data: bytes) -> Expected | None:
    try:
        return read_plainly(data)
    except NotASessionError:
        return None


def check(path: Path, data: bytes) -> None:
    """Open a file in each of the ways in which it may be read, and compare every column."""
    expected = expected_of(data)
    path.write_bytes(data)
    if expected is None:
        with pytest.raises(NotASessionError):
            SessionStore.open(path)
    else:
        store = SessionStore.open(path)
        compare(store, expected)
        store.close()
    assert path.read_bytes() == data


def compare(store: SessionStore, expected: Expected) -> None:
    if store.version < 2:  # ids are made up; all else is the same
        assert store.index.parent.tolist() == expected.parents
        assert store.index.estimate.tolist() == expected.estimates
        return
    store.measure()
    assert_equals(store.index, expected)
    assert store.entries(range(store.index.count)) == expected.entries
    assert dict(store.labels) == expected.labels


@pytest.fixture(params=["at once", "by heads, then bodies"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The two ways to read a file: small ones are decoded at once, of large ones first the heads alone."""
    monkeypatch.setattr(header_scan, "_LEAST_LINES", 1)
    if request.param != "at once":
        read_by_heads(monkeypatch)


def read_by_heads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session_reading, "EXACT_BYTES", 0)
    monkeypatch.setattr(session_reading, "_BATCH_BYTES", 700)
    monkeypatch.setattr(session_file, "BLOCK_BYTES", 900)


@pytest.mark.parametrize("name", CORPUS)
@pytest.mark.usefixtures("way")
def test_corpus(name: str, tmp_path: Path) -> None:
    check(tmp_path / "session.jsonl", CORPUS[name])


@cases(120)
@given(data=damaged_files())
@example(data=b"")
@example(data=HEADER + b"\n" + b"\xef\xbb\xbf{}")
def test_any_file(data: bytes, tmp_path: Path) -> None:
    """In both ways in one: making up a file takes longer than reading it."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(header_scan, "_LEAST_LINES", 1)
        check(tmp_path / "session.jsonl", data)
        read_by_heads(patch)
        check(tmp_path / "session.jsonl", data)
