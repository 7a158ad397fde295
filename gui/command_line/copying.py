"""The subcommands that write another file and leave the session alone: branch, repair, export."""

import asyncio
import errno
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from gui.command_line.exit_codes import UsageError
from gui.command_line.opening import opened_store
from gui.command_line.reading import problem_json, problem_lines
from gui.command_line.running import Answer, Run
from gui.command_line.text_layout import count_of, facts
from model.json_text import JsonObject
from model.records import Problem
from services.errors import ServiceError
from services.export import ExportOptions, export_chunks, survey_export, write_export
from services.export_secrets import ExportHeldBack
from services.session_files import save_branch
from services.session_store import SessionStore

STANDARD_OUTPUT: Final = "-"


async def branch(run: Run) -> Answer:
    """Save one branch as a session of its own."""
    out: Path = run.given.out
    async with opened_store(run) as store:
        with _written(out):
            save_branch(store, run.given.id, file=out, token=run.token)
    saved = await asyncio.to_thread(SessionStore.open, out)
    try:
        value: JsonObject = {
            "file": str(out),
            "sessionId": saved.session_id,
            "entries": saved.index.count,
            "leafId": saved.index.id_of(saved.index.count - 1),
            "parentSession": (saved.header or {}).get("parentSession"),
        }
    finally:
        saved.close()
    shown = [("Saved", out), ("Entries", value["entries"]), ("Resumes at", value["leafId"])]
    return Answer(lambda: value, lambda _width: facts(shown))


async def repair(run: Run) -> Answer:
    """Save a copy that both agents can open."""
    out: Path = run.given.out
    async with opened_store(run) as store:
        await asyncio.to_thread(store.measure, None, run.token)
        with _written(out):
            renamed = store.save_repaired_copy(out, run.token)
        found = store.problems
    copy = await asyncio.to_thread(SessionStore.open, out)
    try:
        await asyncio.to_thread(copy.measure)
        value: JsonObject = {
            "file": str(out),
            "entries": copy.index.count,
            "renamed": [{"id": id, "newId": new_id} for id, new_id in renamed],
            "mended": [problem_json(problem) for problem in found],
            "problems": [problem_json(problem) for problem in copy.problems],
        }
        left = copy.problems
    finally:
        copy.close()
    return Answer(lambda: value, lambda width: _repair_lines(value, found, left, width))


async def export(run: Run) -> Answer:
    """Save a session for reading."""
    given = run.given
    out: Path = given.out
    if given.json and str(out) == STANDARD_OUTPUT:
        raise UsageError("--json and --out - both want the standard output.")
    options = ExportOptions(
        given.format,
        leaf_id=given.leaf,
        all_branches=given.leaf is None,
        images=not given.no_images,
        secrets=given.secrets,
    )
    async with opened_store(run) as store:
        await asyncio.to_thread(store.measure, None, run.token)
        survey = await asyncio.to_thread(survey_export, store, options, run.token)
        with _option_named():
            if str(out) == STANDARD_OUTPUT:
                run.console.print_bytes(export_chunks(store, survey, options, run.token))
                return Answer(lambda: None, lambda _width: ())
            with _written(out):
                write_export(store, survey, options, out, run.token)
    value: JsonObject = {
        "file": str(out),
        "format": given.format,
        "entries": survey.plan.entry_count,
        "branches": len(survey.plan.branches),
        "secrets": len(survey.secrets) if given.secrets == "mask" else None,
    }
    shown = [
        ("Saved", out),
        ("Entries", value["entries"]),
        ("Branches", value["branches"]),
        ("Masked", count_of(len(survey.secrets), "likely secret") if survey.secrets else None),
    ]
    return Answer(lambda: value, lambda _width: facts(shown))


@contextmanager
def _option_named() -> Iterator[None]:
    """Say how to decide about secrets where they hold an export back."""
    try:
        yield
    except ExportHeldBack as error:
        raise ServiceError(f"{error} --secrets mask or --secrets keep decides about them.") from error


@contextmanager
def _written(out: Path) -> Iterator[None]:
    """Write a new file. Raises OSError that names it, whatever its name is while it's written.

    That is FileExistsError when something is there already: nothing is ever overwritten.
    """
    if out.exists() or out.is_symlink():
        raise FileExistsError(errno.EEXIST, "There is such a file already; nothing was written", str(out))
    if not out.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "No such folder; nothing was written", str(out))
    try:
        yield
    except OSError as error:
        if error.filename is not None and Path(error.filename).parent == out.parent:
            raise type(error)(error.errno, error.strerror, str(out)) from error
        raise


def _repair_lines(
    value: JsonObject, found: Sequence[Problem], left: Sequence[Problem], width: int | None
) -> Iterable[str]:
    yield from facts([("Saved", value["file"]), ("Entries", value["entries"])])
    yield ""
    yield f"{count_of(len(found), 'problem')} in the original, {count_of(len(left), 'problem')} in the copy."
    yield from problem_lines(found, width)
    if value["renamed"]:
        yield ""
        yield "Kept under a new id, since a later entry has the same:"
        yield from (f"  {each['id']} is {each['newId']}" for each in value["renamed"])
