"""A process that shows the scenes at its own scale and prints, as JSON, what is wrong with each.

    QT_SCALE_FACTOR=2 python -m tests.gui.picture_process OUT [--rtl] [--points 20] [--themes light,dark] SCENE…

In OUT it leaves a picture of each scene, whole and as blocks.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path

from PySide6.QtCore import Qt, QThreadPool
from PySide6.QtWidgets import QApplication

from gui.theme import THEMES, apply_theme
from gui.translation import install_translation
from tests.gui.layout_checks import faults
from tests.gui.scenes import Stage, pump

BLOCKS = (72, 45)


def main() -> int:
    """Show, look and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("out", type=Path)
    parser.add_argument("scenes", nargs="+")
    parser.add_argument("--rtl", action="store_true")
    parser.add_argument("--language", default="en")
    parser.add_argument("--points", type=float, default=10.0)
    parser.add_argument("--themes", default="light")
    parser.add_argument("--size", default="1440x900", help="of the window, as WIDTHxHEIGHT")
    parser.add_argument("--whole", action="store_true", help="keep the pictures in full size, too")
    given = parser.parse_args()
    application = QApplication(sys.argv[:1])
    install_translation(application, given.language)
    font = application.font()
    font.setPointSizeF(given.points)
    application.setFont(font)
    if given.rtl:
        application.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    found: dict[str, list[str]] = {}
    themes = given.themes.split(",")
    apply_theme(application, THEMES[themes[0]])
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(HOME=home, BRANCHWORK_HOME=f"{home}/branchwork")
        width, height = map(int, given.size.split("x"))
        stage = Stage(Path(home) / "stage", size=(width, height))
        for theme in themes:
            apply_theme(application, THEMES[theme])
            for scene in given.scenes:
                front = stage.show(scene)
                found[f"{scene} {theme}"] = faults(front)
                pump()
                name = f"{scene.replace(' ', '-')}-{theme}-{'rtl' if given.rtl else 'ltr'}"
                picture = front.grab().toImage()
                if given.whole:
                    picture.save(str(given.out / f"{name}-whole.png"))
                modes = (Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation)
                picture.scaled(*BLOCKS, *modes).save(str(given.out / f"{name}.png"))
        stage.close()
        QThreadPool.globalInstance().waitForDone()  # the places of the sessions are written into that folder
    print(json.dumps({"ratio": application.devicePixelRatio(), "faults": found}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
