"""The real window on a real display server: skipped where there is none (`make test-window` starts a virtual one)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
STORY = "tests/gui/test_story.py"


@pytest.mark.skipif(not os.environ.get("DISPLAY"), reason="no X display: run `make test-window`")
def test_the_story_in_an_x11_window() -> None:
    """The whole story again, through the platform that people use instead of the offscreen one."""
    environment = {**os.environ, "QT_QPA_PLATFORM": "xcb"}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", STORY],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=110, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
