"""Guards of the architecture: who imports whom, what a start imports, and a fault of the Qt bindings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Signal

ROOT = Path(__file__).parents[1]
HEAVY = ("numpy", "networkx", "pydantic", "httpx", "tiktoken", "msgspec", "keyring", "pluggy", "tenacity", "asyncio")


def imported_by(code: str) -> set[str]:
    """Run `code` in a fresh interpreter and return the modules that are loaded then."""
    script = f"{code}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    return set(done.stdout.split())


def names(folder: str) -> list[str]:
    files = sorted((ROOT / folder).rglob("*.py"))
    return [".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in files]


@pytest.mark.parametrize(
    ("layer", "forbidden"),
    [
        ("model", ("PySide6", "gui", "services", "httpx", "keyring", "filelock", "platformdirs")),
        ("services", ("PySide6.QtGui", "PySide6.QtWidgets", "gui")),
    ],
)
def test_a_layer_never_imports_what_is_above_it(layer: str, forbidden: tuple[str, ...]) -> None:
    loaded = imported_by("\n".join(f"import {name}" for name in names(layer)))
    assert not {name for name in loaded if any(name == each or name.startswith(f"{each}.") for each in forbidden)}


def test_the_first_window_loads_nothing_heavy() -> None:
    """What only a session needs is imported when one is opened (performance: cold start)."""
    loaded = imported_by(
        "from gui.application import make_application, make_window\n"
        "application = make_application(['x'])\n"
        "window = make_window(application)\n"
        "window.show()\n"
        "application.processEvents()"
    )
    assert not loaded & set(HEAVY)


def test_the_command_line_answers_without_qt() -> None:
    loaded = imported_by(
        "import contextlib, io, gui.main\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        "    gui.main.main(['--version'])"
    )
    assert not {name for name in loaded if name.startswith("PySide6")}


class _Sender(QObject):
    sent = Signal()


@pytest.mark.usefixtures("qapp")
def test_the_qt_bindings_keep_their_references() -> None:
    """PySide6 6.12.0 on Python 3.11 loses a reference to None or True at each call, and then aborts."""
    sender = _Sender()
    sender.sent.connect(lambda: None)
    for _ in range(100):
        sender.sent.emit()
    before = [sys.getrefcount(None), sys.getrefcount(True)]
    for _ in range(20_000):
        sender.setObjectName("x")
        sender.sent.emit()
    after = [sys.getrefcount(None), sys.getrefcount(True)]
    assert all(abs(now - then) < 1000 for now, then in zip(after, before, strict=True))
