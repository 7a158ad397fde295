"""The command line: what the window does with a session file, without a window.

Nothing below this package imports Qt. `branchwork FILE` opens the window; a first word that is one of SUBCOMMANDS comes
here (a file of such a name is opened as `./NAME`).
"""

import sys
from collections.abc import Sequence
from typing import Final

SUBCOMMANDS: Final = (
    "check",
    "tree",
    "context",
    "preview",
    "navigate",
    "compact",
    "prune",
    "label",
    "branch",
    "repair",
    "export",
)


def run(arguments: Sequence[str]) -> int:
    """Run `arguments`, the first of which is a subcommand, and return the exit code (see `exit_codes`)."""
    try:
        from gui.command_line.running import run_subcommand

        return run_subcommand(arguments)
    except KeyboardInterrupt:  # before there was any work to stop
        sys.stderr.write("branchwork: Stopped.\n")
        return 130
