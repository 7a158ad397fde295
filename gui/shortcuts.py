"""The shortcuts of the window's actions: found by the actions' ids, changed by the user, kept in the window's settings.

Every action that a person can use has an `objectName`, which is its id, and a text. Actions that several sessions have
share an id.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from PySide6.QtCore import QObject, QSettings, Qt, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu

GROUP = "shortcuts"
SEPARATOR = "\n"
RESERVED_KEYS = frozenset(
    {
        Qt.Key.Key_Escape,
        Qt.Key.Key_Return,
        Qt.Key.Key_Enter,
        Qt.Key.Key_Tab,
        Qt.Key.Key_Backtab,
        Qt.Key.Key_Up,
        Qt.Key.Key_Down,
        Qt.Key.Key_Left,
        Qt.Key.Key_Right,
        Qt.Key.Key_Space,
        Qt.Key.Key_Backspace,
    }
)


class Shortcuts(QObject):
    """Signal: `changed` when an action has other shortcuts."""

    changed = Signal()

    def __init__(self, window: QMainWindow, settings: QSettings) -> None:
        super().__init__(window)
        self._window = window
        self._settings = settings
        self._defaults: dict[str, list[QKeySequence]] = {}
        self._adopted: list[QAction] = []

    def adopt(self) -> None:
        """Take in actions that are new in the window: remember their shortcuts and give them the user's."""
        for action in self._window.findChildren(QAction):  # through thousands of objects: not each time they are used
            action_id = action.objectName()
            if not is_command(action) or action.property("adopted"):
                continue
            action.setProperty("adopted", True)
            self._adopted.append(action)
            self._defaults.setdefault(action_id, action.shortcuts())
            if (saved := self._saved(action_id)) is not None:
                action.setShortcuts(saved)

    def actions(self) -> list[QAction]:
        """Return the actions, one for each id, in the order of the menus; those in no menu come last."""
        found: dict[str, QAction] = {}
        in_menus = [action for _place, action in menu_actions(self._window)]
        for action in [*in_menus, *self._adopted]:
            found.setdefault(action.objectName(), action)
        return list(found.values())

    def defaults(self, action_id: str) -> list[QKeySequence]:
        """Return the shortcuts that an action has as long as the user changes nothing."""
        return self._defaults.get(action_id, [])

    def is_changed(self, action: QAction) -> bool:
        """Whether the user gave the action other shortcuts, or took its own away."""
        return _texts(action.shortcuts()) != _texts(self.defaults(action.objectName()))

    def change(self, action_id: str, sequences: Sequence[QKeySequence]) -> None:
        """Give the actions with that id other shortcuts, and keep them."""
        if _texts(sequences) == _texts(self.defaults(action_id)):
            self._settings.remove(f"{GROUP}/{action_id}")
        else:
            self._settings.setValue(f"{GROUP}/{action_id}", SEPARATOR.join(_texts(sequences)))
        for action in self._adopted:
            if action.objectName() == action_id:
                action.setShortcuts(list(sequences))
        self.changed.emit()

    def reset(self, action_id: str) -> None:
        """Give an action its own shortcuts back."""
        self.change(action_id, self.defaults(action_id))

    def users_of(self, sequence: QKeySequence, but: str = "") -> list[QAction]:
        """Return the actions that `sequence` triggers, except the one with the id `but`."""
        wanted = sequence.toString(QKeySequence.SequenceFormat.PortableText)
        return [
            action for action in self.actions() if action.objectName() != but and wanted in _texts(action.shortcuts())
        ]

    def conflicts(self) -> dict[str, list[QAction]]:
        """Return the shortcuts (in their portable text form) that several actions have, with these actions."""
        users: dict[str, list[QAction]] = {}
        for action in self.actions():
            for text in _texts(action.shortcuts()):
                users.setdefault(text, []).append(action)
        return {text: actions for text, actions in users.items() if len(actions) > 1}

    def _saved(self, action_id: str) -> list[QKeySequence] | None:
        value = self._settings.value(f"{GROUP}/{action_id}")
        if not isinstance(value, str):
            return None
        return [QKeySequence(text, QKeySequence.SequenceFormat.PortableText) for text in value.split(SEPARATOR) if text]


def is_command(action: QAction) -> bool:
    """Whether an action is one that a person can use by name: it has an id and a text and opens no menu."""
    name = action.objectName()
    return bool(name) and not name.startswith("qt_") and bool(action.text()) and action.menu() is None


def plain_text(action: QAction) -> str:
    """Return the text of an action without the mark of its mnemonic."""
    return without_mnemonic(action.text())


def without_mnemonic(text: str) -> str:
    """Return a text of a menu without the mark of its mnemonic."""
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


def shortcut_text(action: QAction) -> str:
    """Return the shortcuts of an action as they are written on this system."""
    return ", ".join(key_text(sequence) for sequence in action.shortcuts())


def key_text(sequence: QKeySequence) -> str:
    """Return a key sequence as it is written on this system."""
    return sequence.toString(QKeySequence.SequenceFormat.NativeText)


def is_reserved(sequence: QKeySequence) -> bool:
    """Whether a key is needed for moving about or for stopping, so that no action may have it by itself."""
    if sequence.isEmpty():
        return False
    pressed = sequence[0]  # type: ignore[index]  # the stubs lack it
    plain = pressed.keyboardModifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier)
    return pressed.key() == Qt.Key.Key_Escape or (plain and pressed.key() in RESERVED_KEYS)


def menu_actions(window: QMainWindow) -> Iterator[tuple[str, QAction]]:
    """Yield every action of the menu bar that opens no menu, with the titles of the menus it is in."""
    waiting: list[tuple[str, QAction]] = [("", action) for action in reversed(window.menuBar().actions())]
    while waiting:
        place, action = waiting.pop()
        menu = action.menu()
        if isinstance(menu, QMenu):
            title = without_mnemonic(menu.title())
            inside = f"{place} › {title}" if place else title
            waiting += [(inside, child) for child in reversed(menu.actions())]
        elif is_command(action):
            yield place, action


def menu_places(window: QMainWindow) -> dict[str, str]:
    """Return for the id of each action in the menu bar the titles of the first menus that it is in."""
    places: dict[str, str] = {}
    for place, action in menu_actions(window):
        places.setdefault(action.objectName(), place)
    return places


def _texts(sequences: Sequence[QKeySequence]) -> list[str]:
    texts = [sequence.toString(QKeySequence.SequenceFormat.PortableText) for sequence in sequences]
    return [text for text in texts if text]
