"""The extensions of a session: which there are, and those that are loaded. Each set is loaded once a program run."""

import threading
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from model.dialects import Dialect
from services.app_folders import data_folder
from services.settings_files import SettingsFiles

if TYPE_CHECKING:
    from services.extensions import ExtensionProblem, Extensions, Origin

_loaded: "dict[ExtensionsWanted, Extensions]" = {}
_loading = threading.Lock()


@dataclass(frozen=True, slots=True)
class ExtensionsWanted:
    """Where a session's extensions come from, besides the installed ones. `project_folder` is set for trusted ones."""

    folder: Path
    named: tuple[str, ...]
    project_folder: Path | None


@dataclass(frozen=True, slots=True)
class ListedExtension:
    """An extension that was found. `hooks` are known once it is loaded, `title` then too."""

    title: str
    origin: "Origin"
    source: str
    hooks: tuple[str, ...] = ()
    is_loaded: bool = False


@dataclass(frozen=True, slots=True)
class ExtensionsListing:
    """What there is for a session, and what is wrong with what was loaded."""

    folder: Path
    found: tuple[ListedExtension, ...]
    problems: "tuple[ExtensionProblem, ...]" = ()
    is_loaded: bool = False


def extensions_wanted(files: SettingsFiles, dialect: Dialect, cwd: str | None) -> ExtensionsWanted:
    """Return where the extensions of a session of `dialect` in the folder `cwd` come from. Reads the settings."""
    project = Path(cwd) / ".branchwork" / "extensions" if cwd and files.trust.is_trusted(cwd) else None
    return ExtensionsWanted(data_folder() / "extensions", files.resolve(dialect, cwd).values.extensions, project)


def load_wanted(wanted: ExtensionsWanted) -> "Extensions":
    """Return the extensions, loading them at the first call: their modules run."""
    from services.extensions import load_extensions

    with _loading:
        if wanted not in _loaded:
            _loaded[wanted] = load_extensions(wanted.folder, wanted.named, wanted.project_folder)
        return _loaded[wanted]


def list_extensions(wanted: ExtensionsWanted) -> ExtensionsListing:
    """Return what is found, without running any of it; what is loaded already is described by itself."""
    from services.extensions import find_extensions

    loaded = _loaded.get(wanted)
    known = {(each.origin, each.source): each for each in loaded.loaded} if loaded is not None else {}
    found: list[ListedExtension] = []
    for origin, source in find_extensions(wanted.folder, wanted.named, wanted.project_folder):
        extension = known.get((origin, source))
        if extension is not None:
            found.append(ListedExtension(extension.name, origin, source, extension.hooks, is_loaded=True))
        else:
            found.append(ListedExtension(Path(source).stem if origin != "installed" else source, origin, source))
    return ExtensionsListing(
        wanted.folder, tuple(found), loaded.problems if loaded is not None else (), loaded is not None
    )
