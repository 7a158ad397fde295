"""The explicit yes to an address that is reached without encryption."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gui.check_box import CheckBox
from gui.widgets import breakable, label
from services.configured_model import needs_consent
from services.model_catalog import host_of


class ConsentBox(QWidget):
    """A box to tick with a text that wraps. Shown only for an address that needs it.

    Signal: `hosts_changed` (list of all hosts with consent or None, sentence).
    """

    hosts_changed = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._host = ""
        self._hosts: tuple[str, ...] = ()
        self.box = CheckBox()
        self.box.clicked.connect(self._take)
        self._text = label(wrap=True)
        self._text.installEventFilter(self)
        self.setFocusProxy(self.box)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.box, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._text, 1)
        self.hide()

    def show_address(self, url: str | None, hosts: tuple[str, ...]) -> None:
        """Show whether the host of `url` is among the `hosts` with consent."""
        self._host, self._hosts = host_of(url or ""), hosts
        self.setVisible(bool(url) and needs_consent(url or ""))
        text = self.tr("Reach {0} without encryption: anybody on the way can read the session")
        self._text.setText(text.format(breakable(self._host)))
        self.box.setAccessibleName(text.format(self._host))
        self.box.setChecked(self._host in hosts)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """A click on the text is one on the box."""
        if isinstance(event, QMouseEvent) and event.type() == QEvent.Type.MouseButtonRelease:
            if event.button() == Qt.MouseButton.LeftButton:
                self.box.click()
            return True
        return super().eventFilter(watched, event)

    def _take(self, given: bool) -> None:
        hosts = [each for each in self._hosts if each != self._host] + ([self._host] if given else [])
        text = self.tr("{0} may be reached without encryption.") if given else self.tr("{0} needs encryption again.")
        self.hosts_changed.emit(hosts or None, text.format(self._host))
