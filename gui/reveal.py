"""Showing a file in the file manager of the desktop, selected where the desktop can do that."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QProcess, QUrl
from PySide6.QtGui import QDesktopServices

_SERVICE = "org.freedesktop.FileManager1"


def reveal(path: Path) -> None:
    """Show `path` in the file manager; at least its folder."""
    if sys.platform == "darwin":
        QProcess.startDetached("open", ["-R", str(path)])
    elif sys.platform == "win32":
        QProcess.startDetached("explorer", [f"/select,{path}"])
    elif not _ask_file_manager(path):
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(path.parent)))


def _ask_file_manager(path: Path) -> bool:
    """Ask by D-Bus, as desktops on Linux offer it; False when nobody can be asked."""
    from PySide6.QtDBus import QDBusConnection, QDBusMessage

    bus = QDBusConnection.sessionBus()
    interface = bus.interface() if bus.isConnected() else None
    if interface is None or not interface.isServiceRegistered(_SERVICE).value():
        return False
    message = QDBusMessage.createMethodCall(_SERVICE, "/org/freedesktop/FileManager1", _SERVICE, "ShowItems")
    message.setArguments([[QUrl.fromLocalFile(str(path)).toString()], ""])
    return bool(bus.send(message))
