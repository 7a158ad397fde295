"""The command `branchwork`: opens the window, renders it to a picture, or does without it (a subcommand)."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from gui.command_line import SUBCOMMANDS, run


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code: 0 done, 1 failed, 2 bad usage, more for subcommands."""
    if arguments is None:
        arguments = sys.argv[1:]
    if arguments and arguments[0] == "help":
        arguments = [*arguments[1:2], "--help"]
    if arguments and arguments[0] in SUBCOMMANDS:
        return run(arguments)
    parser = _parser()
    given = parser.parse_args(arguments)
    if given.demo and given.file is not None:
        parser.error("--demo opens a session of its own: leave the file out")
    if given.screenshot is not None:
        from gui.screenshot import take_screenshot

        path = given.file
        if given.demo:
            from services.demo import demo_session

            path = demo_session()
        return take_screenshot(
            given.screenshot,
            path,
            select=given.select,
            size=given.size,
            tab=given.tab,
            theme=given.theme,
            unfold=given.unfold,
            language=given.language,
        )
    if not _has_display():
        sys.stderr.write("branchwork: There is no display for the window; branchwork --help says what works without.\n")
        return 1
    from gui.application import run_window

    return run_window(given.file, demo=given.demo, language=given.language)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="branchwork",
        description="Explore the branches of a coding-agent session. Opening a file changes nothing in it.",
        epilog=f"Without a window: branchwork {{{','.join(SUBCOMMANDS)}}} FILE …; `branchwork COMMAND --help` tells "
        "more. A file with such a name is opened as ./NAME.",
    )
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="a session file (.jsonl)")
    parser.add_argument("--demo", action="store_true", help="open a copy of a bundled real session")
    parser.add_argument("--language", metavar="CODE", help="language of the window (en, tr); else the system's")
    parser.add_argument("--version", action="version", version=f"%(prog)s {_version()}")
    picture = parser.add_argument_group("picture of the window")
    picture.add_argument("--screenshot", type=Path, metavar="OUT.png", help="render the window to a picture and exit")
    picture.add_argument("--select", metavar="ID", help="select the entry with this id first")
    picture.add_argument("--size", type=_size, default=(1440, 900), metavar="WxH", help="size of the window, 1440x900")
    picture.add_argument("--tab", metavar="NAME", help="show this tab of the inspector (entry, context, navigate, …)")
    picture.add_argument("--theme", choices=("light", "dark", "contrast"), default="light")
    picture.add_argument("--unfold", action="store_true", help="unfold the selected branch")
    return parser


def _has_display() -> bool:
    """Whether a window can be shown: Qt would end the process with an abort."""
    if sys.platform in ("win32", "darwin"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET", "QT_QPA_PLATFORM"))


def _size(text: str) -> tuple[int, int]:
    width, cross, height = text.partition("x")
    if not (
        cross and width.isdigit() and height.isdigit() and 200 <= int(width) <= 8000 and 200 <= int(height) <= 8000
    ):
        raise argparse.ArgumentTypeError(f"{text!r} is no size: write it like 1440x900, each 200 to 8000")
    return int(width), int(height)


def _version() -> str:
    try:
        return version("branchwork")
    except PackageNotFoundError:
        return "(not installed)"


if __name__ == "__main__":
    sys.exit(main())
