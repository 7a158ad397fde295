"""Locks of the tests are kept among the tests' own files."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from services.session_store import SessionStore


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BRANCHWORK_HOME", str(tmp_path / "home"))


@pytest.fixture
def opened() -> Iterator[Callable[[Path], SessionStore]]:
    """Open stores that are closed at the end of the test."""
    stores: list[SessionStore] = []

    def open_store(path: Path) -> SessionStore:
        stores.append(SessionStore.open(path))
        return stores[-1]

    yield open_store
    for store in stores:
        store.close()
