"""The demo: a real session that anyone may play with."""

from __future__ import annotations

from importlib.resources import as_file, files
from pathlib import Path

DEMO_NAME = "demo-session.jsonl"
_FOLDER_PREFIX = "branchwork-demo-"


def demo_session() -> Path:
    """Copy the bundled session into a new temporary folder, so that playing with it harms nothing; return the copy."""
    import shutil  # not at start, where only `is_demo` is needed
    import tempfile

    folder = Path(tempfile.mkdtemp(prefix=_FOLDER_PREFIX))
    with as_file(files("resources").joinpath(DEMO_NAME)) as bundled:
        shutil.copyfile(bundled, folder / DEMO_NAME)
    return folder / DEMO_NAME


def is_demo(path: Path) -> bool:
    """Tell whether `path` is such a copy: nobody wants to come back to it."""
    return path.name == DEMO_NAME and path.parent.name.startswith(_FOLDER_PREFIX)
