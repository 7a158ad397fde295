"""Where the library looks: the folders of both agents, and those that the user added.

Source: session-format spec, SF-13; settings spec, ST-4 (`sessions.folders`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from model.sentences import Sentence
from services.errors import ServiceError
from services.session_folders import default_folders

if TYPE_CHECKING:
    from services.settings_files import SettingsFiles

_KEY = ("sessions", "folders")


@dataclass(frozen=True, slots=True)
class LibraryFolders:
    """The agents' folders, which may not exist, and the added ones."""

    agents: tuple[Path, ...]
    added: tuple[Path, ...]

    @property
    def all(self) -> tuple[Path, ...]:
        """All folders, each once."""
        return tuple(dict.fromkeys((*self.agents, *self.added)))


def library_folders(settings: SettingsFiles | None = None) -> LibraryFolders:
    """Return the folders as the settings name them now. Blocking; never raises: odd settings count as none."""
    values = _settings(settings).resolve("pi").values
    agents = [folder.absolute() for folder in default_folders(values.session_dir)]
    added = [Path(folder).expanduser().absolute() for folder in values.sessions.folders]
    return LibraryFolders(tuple(agents), tuple(folder for folder in dict.fromkeys(added) if folder not in agents))


def add_folder(folder: Path, settings: SettingsFiles | None = None) -> LibraryFolders:
    """Add a folder of sessions, if it is not one yet. Raises ServiceError; then nothing was changed."""
    folder = folder.expanduser().absolute()
    if not folder.is_dir():
        raise ServiceError(Sentence("{0} is no folder.", str(folder)))
    files = _settings(settings)
    known = library_folders(files)
    if folder in known.all:
        return known
    files.change(_KEY, [*map(str, known.added), str(folder)])
    return library_folders(files)


def remove_folder(folder: Path, settings: SettingsFiles | None = None) -> LibraryFolders:
    """Take a folder out of the added ones; nothing in it is touched. Raises ServiceError."""
    files = _settings(settings)
    kept = [str(each) for each in library_folders(files).added if each != folder]
    files.change(_KEY, kept or None)
    return library_folders(files)


def _settings(settings: SettingsFiles | None) -> SettingsFiles:
    from services.settings_files import SettingsFiles

    return settings or SettingsFiles()
