"""The same story at every scale, in every theme, in both directions and at every size of text.

Each run is a process of its own, since a scale holds for a process. The layout is checked as such: nothing clipped,
nothing outside or over something else, icons at the scale of the screen. Colours and places are compared, in coarse
blocks, with pictures that a person has looked at, in `pictures/`. After a change that is meant, look at the new ones
and keep them: `BRANCHWORK_KEEP_PICTURES=1 python -m pytest tests/gui/test_pictures.py`.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtGui import QImage

from gui.settings_dialog.dialog import PAGE_NAMES

ROOT = Path(__file__).parents[2]
APPROVED = Path(__file__).parent / "pictures"
STORY = ("start", "entry", "navigate", "compaction", "running", "palette", "failed", "settings summaries")
QUESTIONS = (
    "label", "name", "go to id", "event log", "prune", "review", "secrets", "writer", "writer with text", "export",
    "export with secrets", "export taken name", "exported", "branches", "link", "settings untrusted",
    "settings consent",
)  # fmt: skip
SETTINGS = tuple(f"settings {name}" for name in (*PAGE_NAMES, "consent"))
MENUS = ("menu file", "menu go", "menu view", "menu session", "menu help", "menu row", "menu library")
LARGE_IN_SMALL = (
    "start", "recent", "help", "writer with text", "export with secrets", "export taken name", "exported long name",
    "secrets",
)  # fmt: skip
LARGE_AND_TURKISH = ("--points", "20", "--size", "700x500", "--language", "tr")
ALL_LARGE_IN_SMALL = (
    *SETTINGS, "settings untrusted", "entry", "context", "navigate", "compaction", "compare", "timeline", "search",
    "secrets", "review", "prune", "branches", "exported long name", "help",
)  # fmt: skip
LEAST_LIKENESS = 0.5
"""Other fonts left 0.6 to 0.99; the other direction leaves 0.0 to 0.25."""
MOST_DISTANCE = 8.0
"""Of 255. Other fonts made up to 5; another theme 35 to 200, another scene 6 to 10."""


@dataclass(frozen=True, slots=True)
class Run:
    """How a process shows the story. With two sessions there is a bar of tabs: what is compared has it everywhere."""

    name: str
    scale: str = "1"
    themes: tuple[str, ...] = ("light",)
    arguments: tuple[str, ...] = ()
    scenes: tuple[str, ...] = STORY

    @property
    def has_own_text(self) -> bool:
        """Whether its words or their sizes are others than in the approved pictures."""
        return bool({"--language", "--points", "--size"} & set(self.arguments))


RUNS = (
    Run("100 %", themes=("light", "dark", "contrast")),
    Run("125 %", "1.25", scenes=("start", "navigate", "compaction")),
    Run("150 %", "1.5", scenes=("entry", "compaction", "settings summaries", "help")),
    Run("200 %", "2", scenes=("navigate", "compaction", "palette", "prune")),
    Run("right to left", arguments=("--rtl",)),
    Run("right to left, 200 %", "2", arguments=("--rtl",), scenes=("navigate", "compaction", "palette")),
    Run("turkish", arguments=("--language", "tr"), scenes=("start", "navigate", "compaction", "help", "settings all")),
    Run("8 points", arguments=("--points", "8"), scenes=("start", "compaction", "settings summaries", "writer")),
    Run("13 points", arguments=("--points", "13"), scenes=("entry", "compaction", "palette", "review")),
    Run("20 points", arguments=("--points", "20"), scenes=("start", "entry", "compaction", "settings summaries")),
    Run("20 points in a small window", arguments=("--points", "20", "--size", "700x500"), scenes=LARGE_IN_SMALL),
    Run("20 points in a small window, turkish", arguments=LARGE_AND_TURKISH, scenes=ALL_LARGE_IN_SMALL),
    Run("questions at 20 points", arguments=("--points", "20"), scenes=QUESTIONS),
    Run("questions of a small window", arguments=("--size", "700x500"), scenes=(*QUESTIONS, *MENUS, "palette", "help")),
    Run("settings of a small window", arguments=("--size", "700x500", "--language", "tr"), scenes=SETTINGS),
    Run("questions in turkish", arguments=("--language", "tr"), scenes=(*QUESTIONS, *MENUS)),
    Run("questions right to left", arguments=("--rtl",), scenes=(*QUESTIONS, "palette")),
)


def show(run: Run, folder: Path) -> dict[str, Any]:
    """Leave the pictures of a run in `folder`; return what its process reports."""
    environment = {**os.environ, "QT_SCALE_FACTOR": run.scale, "QT_FONT_DPI": "96", "QT_QPA_PLATFORM": "offscreen"}
    command = [sys.executable, "-m", "tests.gui.picture_process", str(folder), "--themes", ",".join(run.themes)]
    done = subprocess.run(
        [*command, *run.arguments, *run.scenes],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def blocks(path: Path) -> npt.NDArray[np.int64]:
    """The picture of blocks in a file, as numbers."""
    image = QImage(str(path)).convertToFormat(QImage.Format.Format_RGB888)
    assert not image.isNull(), path
    flat = np.frombuffer(image.constBits(), np.uint8).reshape(image.height(), image.bytesPerLine())
    return flat[:, : image.width() * 3].reshape(image.height(), image.width(), 3).astype(np.int64)


def difference(one: Path, other: Path) -> str:
    """Say how two pictures differ beyond what other fonts explain; nothing when they do not.

    Where things are is compared by correlation, which knows no colours, and the colours by their mean distance.
    """
    first, second = coarse(one), coarse(other)
    likeness = float(np.corrcoef(first.ravel(), second.ravel())[0, 1])
    distance = float(np.abs(first - second).max(axis=2).mean())
    if likeness >= LEAST_LIKENESS and distance <= MOST_DISTANCE:
        return ""
    return f"likeness {likeness:.2f}, distance of colours {distance:.1f}"


def coarse(path: Path) -> npt.NDArray[np.float64]:
    """The mean colours of three by three blocks of a picture."""
    fine = blocks(path).astype(np.float64)
    height, width, _colors = fine.shape
    return fine.reshape(height // 3, 3, width // 3, 3, 3).mean(axis=(1, 3))


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_the_story(run: Run, tmp_path: Path) -> None:
    """G04: fractional scales too, and text of 8 to 20 points; the same picture at every scale."""
    report = show(run, tmp_path)
    assert report["ratio"] == float(run.scale)
    assert {scene: found for scene, found in report["faults"].items() if found} == {}
    assert len(report["faults"]) == len(run.scenes) * len(run.themes)
    if run.has_own_text:
        return
    made = sorted(tmp_path.glob("*.png"))
    if os.environ.get("BRANCHWORK_KEEP_PICTURES") and run.scale == "1":
        for each in made:
            shutil.copyfile(each, APPROVED / each.name)
    compared = [each for each in made if (APPROVED / each.name).exists()]
    assert compared
    different = {each.name: found for each in compared if (found := difference(each, APPROVED / each.name))}
    assert different == {}, f"look at {tmp_path}"


def test_the_comparison_sees_what_is_different() -> None:
    """Another theme, the other direction, another scene: each is far beyond the tolerance."""
    pairs = (
        ("compaction-light-ltr", "compaction-dark-ltr"),
        ("compaction-dark-ltr", "compaction-contrast-ltr"),
        ("compaction-light-ltr", "compaction-light-rtl"),
        ("start-light-ltr", "palette-light-ltr"),
        ("settings-summaries-light-ltr", "settings-summaries-light-rtl"),
    )
    for one, other in pairs:
        assert difference(APPROVED / f"{one}.png", APPROVED / f"{other}.png"), (one, other)
