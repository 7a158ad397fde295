"""The arguments of the subcommands."""

import argparse
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from gui.command_line.exit_codes import UsageError
from model.dialects import DIALECTS
from model.rules import PRESETS

if TYPE_CHECKING:
    from gui.command_line.running import Answer, Run, Work

_BOUNDARIES: Final = ("auto", "sinceKept", "sinceCompaction")
_FILTERS: Final = ("default", "no-tools", "user-only", "labeled-only", "all")
_SECRETS: Final = ("stop", "mask", "keep")


def read_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    """Return what was asked for: its `work` is the subcommand as a function. Raises UsageError, SystemExit for help."""
    return _parser().parse_args(arguments)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise UsageError(message[:1].upper() + message[1:])


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="branchwork", allow_abbrev=False)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_reading(commands)
    _add_changing(commands)
    _add_copying(commands)
    return parser


def _add_reading(commands: "argparse._SubParsersAction[_Parser]") -> None:
    _command(commands, "check", "reading", "say what a session file is, and list everything odd in it")
    tree = _command(commands, "tree", "reading", "show the tree of entries")
    tree.add_argument("--filter", choices=_FILTERS, default="default", help="which entries to show (not for --json)")
    context = _command(commands, "context", "reading", "show what the model would see")
    _add_leaf(context)
    context.add_argument("--full", action="store_true", help="show the whole texts")
    preview = _command(commands, "preview", "reading", "show what a compaction would do, without doing it")
    _add_leaf(preview)
    _add_cut(preview)
    _add_instructions(preview)
    preview.add_argument(
        "--rules", choices=tuple(PRESETS), default="branchwork", help="by whose rules: ours, or an agent's own"
    )
    preview.add_argument("--prompts", action="store_true", help="show the prompts in full (--json always has them)")


def _add_changing(commands: "argparse._SubParsersAction[_Parser]") -> None:
    navigate = _command(commands, "navigate", "changing", "go to another entry, with a summary of what is left")
    navigate.add_argument("target", metavar="TARGET", help="id of the entry to go to")
    navigate.add_argument("--summarize", action="store_true", help="write a summary of the branch that is left")
    _add_instructions(navigate)
    navigate.add_argument(
        "--replace-instructions",
        action=argparse.BooleanOptionalAction,
        help="whether the instructions take the place of the built-in prompt or follow it; as the agent does it",
    )
    navigate.add_argument("--label", metavar="TEXT", help="label the summary, or else the target")
    navigate.add_argument(
        "--set-resume-point", action="store_true", help="append an entry so that the agents resume there, too"
    )
    _add_summarizer(navigate)
    compact = _command(commands, "compact", "changing", "replace old history of the current branch by a summary")
    _add_instructions(compact)
    _add_cut(compact)
    _add_summarizer(compact)
    prune = _command(commands, "prune", "changing", "replace old tool outputs by a notice")
    prune.add_argument("--dry-run", action="store_true", help="only say what would be pruned")
    label = _command(commands, "label", "changing", "label an entry, or clear its label")
    label.add_argument("id", metavar="ID", help="id of the entry")
    label.add_argument("text", metavar="TEXT", nargs="?", help="the label; without it the label is cleared")


def _add_copying(commands: "argparse._SubParsersAction[_Parser]") -> None:
    branch = _command(commands, "branch", "copying", "save one branch as a session of its own")
    branch.add_argument("id", metavar="ID", help="id of the entry that the branch leads to")
    _add_out(branch)
    repair = _command(commands, "repair", "copying", "save a copy that both agents can open")
    _add_out(repair)
    export = _command(commands, "export", "copying", "save a session for reading")
    export.add_argument("--format", choices=("html", "md", "json"), required=True, help="kind of file")
    export.add_argument("--leaf", metavar="ID", help="only the branch to this entry; otherwise all branches")
    export.add_argument("--no-images", action="store_true", help="leave images out")
    _add_secrets(export, "the export")
    _add_out(export, "new file, or - for the standard output")


def _command(
    commands: "argparse._SubParsersAction[_Parser]", name: str, module: str, description: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=description, description=description.capitalize() + ".", allow_abbrev=False)
    parser.add_argument("file", metavar="FILE", type=Path, help="a session file (.jsonl)")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--dialect", choices=DIALECTS, help="whose session it is, where the file doesn't tell")
    parser.set_defaults(work=_subcommand(module, name))
    return parser


def _subcommand(module: str, name: str) -> "Work":
    """The function of a subcommand; its module is imported when it runs, so that usage and help come at once."""

    async def work(run: "Run") -> "Answer":
        function: Work = getattr(import_module(f"gui.command_line.{module}"), name)
        return await function(run)

    return work


def _add_leaf(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--leaf", metavar="ID", help="with the leaf at this entry; otherwise the last one of the file")


def _add_cut(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--keep", metavar="N", type=_tokens, help="recent tokens to keep; as in the settings")
    parser.add_argument(
        "--boundary", choices=_BOUNDARIES, default="auto", help="where the window starts; as in the settings"
    )


def _add_instructions(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--instructions", metavar="TEXT", help="what the summary should pay attention to")


def _add_summarizer(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--summarizer", metavar="NAME", help="who writes the summary (offline, model, remote); as in the settings"
    )
    parser.add_argument(
        "--write-beside",
        action="store_true",
        help="save the summary also when another program went on from the same place meanwhile, on a branch of its own",
    )
    _add_secrets(parser, "a prompt for another machine")


def _add_secrets(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument(
        "--secrets",
        choices=_SECRETS,
        default="stop",
        help=f"what to do about likely secrets in {what}: stop (the default), mask them, or keep them",
    )


def _add_out(parser: argparse.ArgumentParser, help: str = "new file") -> None:
    parser.add_argument("--out", metavar="FILE", type=Path, required=True, help=help)


def _tokens(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise argparse.ArgumentTypeError(f"{text!r} is no number of tokens")
    return int(text)
