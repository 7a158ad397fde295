"""Set up for all tests: no display needed, and no file of the user's is read or written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings
from pytestqt.qtbot import QtBot

PATIENCE_MS = 20_000  # a wait ends when what is waited for is there
# A slow machine is no fault of the code: figures belong to the benchmarks.
settings.register_profile("branchwork", deadline=None)
settings.load_profile("branchwork")

for waits in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals):
    waits.__kwdefaults__["timeout"] = PATIENCE_MS

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


@pytest.fixture(autouse=True)
def own_folders(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Move the application's folders, the agents' folders and the home of this test to a temporary place."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("BRANCHWORK_HOME", str(home / "branchwork"))
    monkeypatch.setenv("HOME", str(home))
    for name in ("PI_CODING_AGENT_DIR", "PI_CONFIG_DIR", "PI_CODING_AGENT_SESSION_DIR", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    return home
