"""The key of the provider: where it comes from, and putting one into the system keyring. It is never shown."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from gui.flow_layout import FlowLayout
from gui.latest_job import LatestJob
from gui.settings_dialog.setting_row import titled_row
from gui.side_by_side import SideBySide
from gui.translation import shown
from gui.widgets import label
from model.settings import ModelSettings
from services.configured_model import base_url_of, key_of, provider_of
from services.keys import Key, KeyStore
from services.model_catalog import host_of


class KeyRow(QWidget):
    """The key for the address that is configured. The keyring may ask the user something, so it is used on workers.

    Signal: `said` (sentence).
    """

    said = Signal(str)

    def __init__(self, keys: KeyStore, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keys = keys
        self._model = ModelSettings()
        self._place: tuple[str, str | None] | None = None  # what was looked up last: host and variable
        self._lookups = LatestJob(self)
        self._changes = LatestJob(self)
        self.line = QLineEdit()
        self.line.setEchoMode(QLineEdit.EchoMode.Password)
        self.line.setPlaceholderText(self.tr("paste a key"))
        hint = self.fontMetrics().horizontalAdvance(self.line.placeholderText())
        self.line.setMinimumWidth(hint + 3 * self.fontMetrics().averageCharWidth())
        self.line.returnPressed.connect(self.save_key)
        self.line.textChanged.connect(self._show_buttons)
        self.save = QPushButton(self.tr("Keep in the keyring"))
        self.save.setAutoDefault(False)
        self.save.clicked.connect(self.save_key)
        self.remove = QPushButton(self.tr("Remove"))
        self.remove.setAccessibleName(self.tr("Remove the key"))
        self.remove.setAutoDefault(False)
        self.remove.clicked.connect(self.remove_key)
        self.state = label(style="muted", wrap=True)
        self.problem = label(style="problem", wrap=True)
        self.hold = QPushButton(self.tr("Use it until the program ends"))
        self.hold.setAutoDefault(False)
        self.hold.clicked.connect(self.hold_key)
        self.hold_text = label(
            self.tr("It would be in memory only: written nowhere, and to be entered again next time."),
            style="muted",
            wrap=True,
        )
        self.hold_box = QWidget()
        held = QHBoxLayout(self.hold_box)
        held.setContentsMargins(0, 0, 0, 0)
        held.addWidget(self.hold)
        held.addWidget(self.hold_text, 1)
        self.problem.hide()
        self.hold_box.hide()
        field, actions = QHBoxLayout(), FlowLayout()
        field.addWidget(self.line)
        actions.setSpacing(6)
        actions.addWidget(self.save)
        actions.addWidget(self.remove)
        buttons = SideBySide(field, actions, gap=6, least_characters=10)
        titled_row(
            self.tr("Key"),
            self.tr("Kept in the system keyring, never in a settings file. It cannot be shown again."),
            self.line,
            self,
            [buttons, self.state, self.problem, self.hold_box],
        )
        self._show_buttons()

    def typed(self) -> str:
        """Return the key in the field, which is not kept anywhere yet."""
        return self.line.text().strip()

    def keep_typed(self) -> str:
        """Return the key in the field for use at once, and keep it: who uses a key wants to use it again."""
        key = self.typed()
        self.save_key()
        return key

    def show_model(self, model: ModelSettings) -> None:
        """Show whether there is a key for the address of `model`."""
        self._model = model
        if model.provider is None:
            return
        place = (host_of(base_url_of(model)), model.api_key_env)
        if self._place is not None and place[0] != self._place[0]:
            self.line.clear()  # a key that was typed for one host must not go to another
        if place != self._place:
            self._look(place)

    def save_key(self) -> None:
        """Put the typed key into the system keyring."""
        text = self.typed()
        if text and self._model.provider is not None:
            host = host_of(base_url_of(self._model))
            self._changes.run(lambda _token: self._keys.save(host, text), self._finish_saving, self._show_unkept)

    def hold_key(self) -> None:
        """Keep the typed key in memory, where there is no keyring to keep it in."""
        if (text := self.typed()) and self._model.provider is not None:
            self._keys.hold(host_of(base_url_of(self._model)), text)
            self._show_kept(self.tr("The key is used until the program ends. It is written nowhere."))
            self.line.setFocus(Qt.FocusReason.OtherFocusReason)  # the button that had the keyboard is gone

    def remove_key(self) -> None:
        """Take away the key for the configured host: out of the memory, or out of the system keyring."""
        host = host_of(base_url_of(self._model))
        self._changes.run(lambda _token: self._keys.delete(host), self._finish_removing, self._show_failure)

    def close_row(self) -> None:
        """Stop looking for keys."""
        self._lookups.close()
        self._changes.close()

    def _look(self, place: tuple[str, str | None]) -> None:
        self._place = place
        model = self._model
        self.state.setText(self.tr("Looking for a key for {0}…").format(place[0]))
        self.remove.hide()
        self.problem.hide()
        self.hold_box.hide()
        self._lookups.run(lambda _token: key_of(model, self._keys), self._show_key)

    def _show_key(self, key: Key | None) -> None:
        host = self._place[0] if self._place is not None else ""
        provider = provider_of(self._model)
        if key is not None:
            text = self.tr("There is a key for {0}, from the {1}.").format(host, shown(key.source))
        elif provider is not None and provider.key_variables:
            names = self.tr(" or ").join(provider.key_variables)
            text = self.tr("No key for {0} yet. The environment variable {1} would do as well.").format(host, names)
        else:
            text = self.tr("No key for {0} yet; many servers of your own need none.").format(host)
        self.state.setText(text)
        self.remove.setVisible(key is not None and key.is_removable)

    def _show_buttons(self, *_: object) -> None:
        self.save.setEnabled(bool(self.typed()))
        self.hold.setEnabled(bool(self.typed()))

    def _finish_saving(self, _nothing: object) -> None:
        self._show_kept(self.tr("The key is in the system keyring."))

    def _show_kept(self, sentence: str) -> None:
        self.line.clear()
        self._look((host_of(base_url_of(self._model)), self._model.api_key_env))
        self.said.emit(sentence)

    def _finish_removing(self, _nothing: object) -> None:
        self._look((host_of(base_url_of(self._model)), self._model.api_key_env))
        self.said.emit(self.tr("The key is taken away."))

    def _show_unkept(self, sentence: str) -> None:
        self._show_failure(sentence)
        self.hold_box.show()

    def _show_failure(self, sentence: str) -> None:
        self.problem.setText(f"⚠ {sentence}")
        self.problem.show()
