"""The page *Extensions*: that they are trusted code, what there is and from where, what is loaded, what went wrong."""

from __future__ import annotations

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gui.latest_job import LatestJob
from gui.settings_dialog.page import Section, SettingsPage
from gui.settings_dialog.setting_row import short_path
from gui.translation import shown
from gui.widgets import label, rule
from services.session_extensions import (
    ExtensionsListing,
    ExtensionsWanted,
    ListedExtension,
    extensions_wanted,
    list_extensions,
    load_wanted,
)
from services.settings_files import SettingsFiles
from services.settings_survey import SettingsSurvey
from services.system_errors import os_reason


class ExtensionsPage(SettingsPage):
    """Extensions are listed without running them; the button runs them, as the first operation of a session does."""

    def __init__(self, files: SettingsFiles, parent: QWidget | None = None) -> None:
        super().__init__(
            self.tr("Extensions"),
            self.tr(
                "Extensions take part in compactions and navigation. They are trusted code: they run in this program "
                "and may do whatever you may do. Those of a project run only once you trust the project."
            ),
            [],
            parent,
        )
        self._files = files
        self._wanted: ExtensionsWanted | None = None
        self._listings = LatestJob(self)
        self.list = QWidget()
        self._lines = QVBoxLayout(self.list)
        self._lines.setContentsMargins(0, 0, 0, 0)
        self._lines.setSpacing(8)
        self.load = QPushButton(self.tr("Load and check"))
        self.load.setAutoDefault(False)
        self.load.setToolTip(self.tr("Runs them now; otherwise the first operation of a session does"))
        self.load.clicked.connect(self._load)
        self.folder = QPushButton(self.tr("Open the folder"))
        self.folder.setAutoDefault(False)
        self.folder.clicked.connect(self._open_folder)
        self.state = label(style="muted", wrap=True)
        buttons = QHBoxLayout()
        buttons.addWidget(self.load)
        buttons.addWidget(self.folder)
        buttons.addWidget(self.state, 1)
        self.column.addWidget(self.list)
        self.column.addLayout(buttons)
        self.add_section(Section(self.tr("SETTINGS"), ("extensions",)))
        self.end()

    def show_all(self, survey: SettingsSurvey) -> None:
        super().show_all(survey)
        dialect, cwd = survey.dialect, survey.cwd

        def look(_token: object) -> tuple[ExtensionsWanted, ExtensionsListing]:
            wanted = extensions_wanted(self._files, dialect, cwd)
            return wanted, list_extensions(wanted)

        self._listings.start(look, self._show)

    def close_page(self) -> None:
        self._listings.close()

    @property
    def is_computing(self) -> bool:
        """Whether a list is still to come."""
        return self._listings.running

    def texts(self) -> list[str]:
        """Return the lines of the list, from top to bottom."""
        items = [self._lines.itemAt(place) for place in range(self._lines.count())]
        parts = [item.widget() for item in items if item is not None]
        return [part.text() for part in parts if isinstance(part, QLabel)]

    def _load(self) -> None:
        wanted = self._wanted
        if wanted is None:
            return

        def load(_token: object) -> tuple[ExtensionsWanted, ExtensionsListing]:
            load_wanted(wanted)
            return wanted, list_extensions(wanted)

        self.load.setEnabled(False)
        self.state.setText(self.tr("Loading…"))
        self._listings.start(load, self._show, self.state.setText)

    def _open_folder(self) -> None:
        if self._wanted is not None:
            folder = self._wanted.folder
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                self.state.setText(self.tr("The folder could not be made: {0}.").format(shown(os_reason(error))))
                return
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))

    def _show(self, found: tuple[ExtensionsWanted, ExtensionsListing]) -> None:
        self._wanted, listing = found
        while (item := self._lines.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        for extension in listing.found:
            self._add_extension(extension)
        for problem in listing.problems:
            line = label(f"⚠ {shown(problem.message)}", style="problem", wrap=True)
            line.setToolTip(problem.details)
            self._lines.addWidget(line)
        if not listing.found:
            place = short_path(listing.folder)
            self._lines.addWidget(
                label(self.tr("None yet. Python files in {0} are found.").format(place), style="muted", wrap=True)
            )
        self.load.setVisible(bool(listing.found))
        self.load.setEnabled(not listing.is_loaded)
        self.state.setText(self._state_text(listing))

    def _state_text(self, listing: ExtensionsListing) -> str:
        if not listing.found:
            return ""
        if listing.is_loaded:
            return self.tr("Loaded. Changed files count at the next start.")
        return self.tr("Not loaded yet: the first operation of a session does that.")

    def _add_extension(self, extension: ListedExtension) -> None:
        origins = {
            "installed": self.tr("installed package"),
            "folder": self.tr("extensions folder"),
            "settings": self.tr("your settings"),
            "project": self.tr("the project"),
        }
        state = self.tr("not loaded")
        if extension.is_loaded:
            state = self.tr("loaded · {0}").format(", ".join(extension.hooks) or self.tr("no hooks"))
        title = label(extension.title, wrap=True)
        about = label(f"{origins[extension.origin]} · {extension.source} · {state}", style="muted", wrap=True)
        for part in (title, about, rule()):
            self._lines.addWidget(part)
