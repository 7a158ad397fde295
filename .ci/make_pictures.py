"""Makes the pictures of docs/tour.md from the demo, each in a process of its own: make_pictures.py FOLDER."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from gui.main_window import MainWindow

ROOT = Path(__file__).parents[1]
SIZE = (1200, 750)
OTHER_BRANCH = "e547f69a"
KEPT_TOKENS = 5000
LARGEST_BYTES = 150_000


def main(arguments: list[str]) -> int:
    """Make all pictures in a folder, or, in a process of its own, one of them."""
    if len(arguments) == 2:
        return make(Path(arguments[0]), arguments[1])
    folder = Path(arguments[0])
    folder.mkdir(parents=True, exist_ok=True)
    for name in PICTURES:
        done = subprocess.run([sys.executable, __file__, str(folder), name], check=False, cwd=ROOT)
        if done.returncode:
            return done.returncode
    return 0


def make(folder: Path, name: str) -> int:
    """Make one picture."""
    sys.path.insert(0, str(ROOT))
    from PySide6.QtGui import QImage

    from gui.screenshot import take_screenshot
    from services.demo import demo_session

    select, tab, prepare = PICTURES[name]
    out = folder / f"{name}.png"
    code = take_screenshot(out, demo_session(), select=select, tab=tab, size=SIZE, language="en", prepare=prepare)
    if code:
        return code
    few_colors(QImage(str(out))).save(str(out), "PNG", 0)
    size = out.stat().st_size
    print(f"{out}: {size:,} bytes")
    return 0 if size <= LARGEST_BYTES else 1


def few_colors(image: QImage) -> QImage:
    """Return a picture of 256 colours, those of the theme and the most frequent ones: enough, and half the size."""
    import numpy as np
    from PySide6.QtGui import QColor, QImage

    from gui.theme import LIGHT

    own = np.array(
        [QColor(each).rgb() & 0xFFFFFF for each in asdict(LIGHT).values() if each.startswith("#")], np.uint32
    )

    pixels = image.convertToFormat(QImage.Format.Format_RGB32)
    codes = np.frombuffer(pixels.constBits(), np.uint32).reshape(pixels.height(), pixels.width()) & 0xFFFFFF
    found, places, counts = np.unique(codes, return_inverse=True, return_counts=True)
    kept = np.unique(np.concatenate([own, found[np.argsort(counts)[-(256 - len(own)) :]]]))
    parts = [(colors[:, None] >> np.array([16, 8, 0])) & 255 for colors in (found.astype(int), kept.astype(int))]
    nearest = np.array([np.abs(parts[1] - color).sum(axis=1).argmin() for color in parts[0]], np.uint8)
    data = np.ascontiguousarray(nearest[places].reshape(codes.shape))
    result = QImage(data.data, pixels.width(), pixels.height(), pixels.width(), QImage.Format.Format_Indexed8)
    result.setColorTable([0xFF000000 | int(color) for color in kept])
    return result.copy()


def show_a_cut(window: MainWindow) -> None:
    """Keep so little that there is something to summarise, and bring the cut into sight."""
    pane = window.pane
    assert pane is not None
    pane.compaction_tab.keep.setValue(KEPT_TOKENS)


PICTURES: dict[str, tuple[str | None, str | None, Callable[[MainWindow], object] | None]] = {
    "tour-1-tree": (None, None, None),
    "tour-2-navigate": (OTHER_BRANCH, "navigate", None),
    "tour-3-compaction": (None, "compaction", show_a_cut),
    "tour-4-palette": (None, None, lambda window: window.assistance.open_palette()),
}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
