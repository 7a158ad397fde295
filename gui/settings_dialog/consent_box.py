"""The explicit yes to an address that is reached without encryption."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from gui.check_box import CheckBox
from services.configured_model import needs_consent
from services.model_catalog import host_of


class ConsentBox(CheckBox):
    """Shown only for an address that needs it.

    Signal: `hosts_changed` (list of all hosts with consent or None, sentence).
    """

    hosts_changed = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._host = ""
        self._hosts: tuple[str, ...] = ()
        self.clicked.connect(self._take)
        self.hide()

    def show_address(self, url: str | None, hosts: tuple[str, ...]) -> None:
        """Show whether the host of `url` is among the `hosts` with consent."""
        self._host, self._hosts = host_of(url or ""), hosts
        self.setVisible(bool(url) and needs_consent(url or ""))
        self.setText(
            self.tr("Reach {0} without encryption: anybody on the way can read the session").format(self._host)
        )
        self.setChecked(self._host in hosts)

    def _take(self, given: bool) -> None:
        hosts = [each for each in self._hosts if each != self._host] + ([self._host] if given else [])
        text = self.tr("{0} may be reached without encryption.") if given else self.tr("{0} needs encryption again.")
        self.hosts_changed.emit(hosts or None, text.format(self._host))
