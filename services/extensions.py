"""Finding and loading extensions (HK-1): installed ones, those in the folder, those named in the settings.

They are trusted code in this process. One that can't be loaded is reported and left out; the others load all the same.
"""

import importlib
import importlib.util
import logging
import sys
import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Final, Literal, get_args

from model.hook_events import HookName
from model.sentences import Sentence, told
from services.hooks import PROJECT, Hooks, new_plugin_manager

log = logging.getLogger(__name__)

ENTRY_POINT_GROUP: Final = "branchwork.extensions"
HOOK_NAMES: Final[tuple[str, ...]] = get_args(HookName)

Origin = Literal["installed", "folder", "settings", "project"]


@dataclass(frozen=True, slots=True)
class LoadedExtension:
    """An extension and where it comes from: a module or entry-point name, or the path of a file."""

    name: str
    origin: Origin
    source: str
    hooks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ExtensionProblem:
    """An extension that was not loaded, or one that was and has a mistake. `message` is for the user."""

    source: str
    message: Sentence
    details: str = ""


@dataclass(frozen=True, slots=True)
class Extensions:
    """What was loaded, and what went wrong."""

    hooks: Hooks
    loaded: tuple[LoadedExtension, ...]
    problems: tuple[ExtensionProblem, ...]


def load_extensions(
    folder: Path | None = None, named: Iterable[str] = (), project_folder: Path | None = None
) -> Extensions:
    """Return all extensions, loaded in this order: installed, `folder`, `named` in the settings, `project_folder`.

    `named` are paths of Python files or names of modules. Pass a `project_folder` only when the project is trusted.
    """
    manager = new_plugin_manager()
    loaded: list[LoadedExtension] = []
    problems: list[ExtensionProblem] = []
    for origin, source, found in _candidates(folder, named, project_folder):
        try:
            extension = found()
            name = manager.register(extension, f"{origin}:{source}")
        except (Exception, SystemExit) as error:  # an extension may raise whatever it likes while it's imported
            log.warning("extension %s was not loaded\n%s", source, traceback.format_exc())
            message = Sentence("{0} was not loaded: {1}", source, told(error))
            problems.append(ExtensionProblem(source, message, traceback.format_exc()))
            continue
        hooks = tuple(caller.name for caller in manager.get_hookcallers(extension) or [])
        problems += _misspelt(source, extension, hooks)
        if name:
            loaded.append(LoadedExtension(_title(extension, source), origin, source, hooks))
    return Extensions(Hooks(manager), tuple(loaded), tuple(problems))


def find_extensions(
    folder: Path | None = None, named: Iterable[str] = (), project_folder: Path | None = None
) -> list[tuple[Origin, str]]:
    """Return origin and source of everything that `load_extensions` would load, without running any of it."""
    return [(origin, source) for origin, source, _loader in _candidates(folder, named, project_folder)]


def _candidates(
    folder: Path | None, named: Iterable[str], project_folder: Path | None
) -> Iterator[tuple[Origin, str, "Loader"]]:
    for entry_point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name):
        yield "installed", entry_point.value, Loader(entry_point=entry_point)
    for path in _files_in(folder):
        yield "folder", str(path), Loader(path=path)
    for name in named:
        is_file = name.endswith(".py") or "/" in name or "\\" in name
        yield "settings", name, Loader(path=Path(name).expanduser()) if is_file else Loader(module=name)
    for path in _files_in(project_folder):
        yield "project", str(path), Loader(path=path)


@dataclass(frozen=True, slots=True)
class Loader:
    """Imports one extension when it's called."""

    path: Path | None = None
    module: str = ""
    entry_point: Any = None

    def __call__(self) -> Any:
        """Return the module or object that implements the hooks."""
        if self.entry_point is not None:
            return self.entry_point.load()
        return _import_file(self.path) if self.path else importlib.import_module(self.module)


def _files_in(folder: Path | None) -> list[Path]:
    """The Python files of a folder, and its packages, by name; names that begin with `_` or `.` are not extensions."""
    if folder is None or not folder.is_dir():
        return []
    files = [path for path in folder.glob("*.py") if path.name[0] not in "_."]
    packages = [path / "__init__.py" for path in folder.iterdir() if (path / "__init__.py").is_file()]
    return sorted(files + [path for path in packages if path.parent.name[0] not in "_."])


def _import_file(path: Path) -> ModuleType:
    path = path / "__init__.py" if path.is_dir() else path
    if not path.is_file():
        raise FileNotFoundError(Sentence("there is no file {0}", str(path)))
    name = f"branchwork_extension_{path.parent.name if path.name == '__init__.py' else path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(Sentence("{0} is no Python file", str(path)))
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def _misspelt(source: str, extension: Any, hooks: tuple[str, ...]) -> Iterator[ExtensionProblem]:
    """Marked functions that are no hook, and an extension without any."""
    marked = [name for name in dir(extension) if hasattr(getattr(extension, name, None), f"{PROJECT}_impl")]
    for name in marked:
        if name not in HOOK_NAMES:
            message = Sentence("{0} implements {1}, but there is no hook of that name.", source, name)
            yield ExtensionProblem(source, message)
    if not hooks and not marked:
        message = Sentence("{0} implements no hook: mark its functions with @hookimpl.", source)
        yield ExtensionProblem(source, message)


def _title(extension: Any, source: str) -> str:
    doc = getattr(extension, "__doc__", None)
    return doc.strip().split("\n")[0].rstrip(".") if isinstance(doc, str) and doc.strip() else source
