"""The page *Shortcuts*: every action with its keys, other keys for it, and what else has them."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QMainWindow,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gui.flow_layout import FlowLayout
from gui.fuzzy import folded
from gui.selected_rows import outline_selected_rows
from gui.settings_dialog.page import Page
from gui.shortcuts import Shortcuts, is_reserved, key_text, menu_places, plain_text, shortcut_text
from gui.side_by_side import SideBySide
from gui.stretched_column import StretchedColumn
from gui.widgets import label

ID_ROLE = Qt.ItemDataRole.UserRole
NAME, KEYS, NOTE = range(3)
LEAST_KEYS_WIDTH, LEAST_NAME = 14, 20  # characters


class ShortcutsPage(Page):
    """Shortcuts belong to the window, not to the settings files; they are kept at once."""

    def __init__(self, window: QMainWindow, shortcuts: Shortcuts, parent: QWidget | None = None) -> None:
        super().__init__(
            self.tr("Shortcuts"),
            self.tr("Choose a line and press the new keys. Esc, Enter, Tab and the arrows stay as they are."),
            parent,
        )
        self._window = window
        self._shortcuts = shortcuts
        self._actions: list[QAction] = []
        self._words = ""
        self._wanted: QKeySequence | None = None
        self.about.setText(
            self.tr("Choose a line and press the new keys. Esc, Enter, Tab and the arrows stay as they are.")
        )
        self.about.show()
        self.keys = QKeySequenceEdit()
        self.tree = QTreeWidget()
        outline_selected_rows(self.tree)
        self.tree.setHeaderLabels([self.tr("Command"), self.tr("Keys"), self.tr("Note")])
        self.tree.setRootIsDecorated(False)
        self.tree.setIndentation(14)
        self.tree.setAccessibleName(self.tr("Commands and their keys"))
        self.tree.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.tree.setObjectName("commands_table")
        self.tree.setMinimumHeight(self.fontMetrics().height() * 16)
        header = self.tree.header()
        header.setHighlightSections(False)
        header.setSectionResizeMode(KEYS, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(NOTE, QHeaderView.ResizeMode.ResizeToContents)
        StretchedColumn(self.tree, NAME, LEAST_NAME)
        self.tree.currentItemChanged.connect(self._show_current)
        self.tree.itemActivated.connect(lambda _item: self.keys.setFocus())
        self.keys.setMaximumSequenceLength(1)
        self.keys.setAccessibleName(self.tr("New keys for the command"))
        self.keys.keySequenceChanged.connect(self._take)
        self._chosen = label(wrap=True)
        self.remove = _button(self.tr("No keys"), self._remove)
        self.reset = _button(self.tr("Reset"), self._reset)
        self.reset_all = _button(self.tr("Reset all"), self._reset_all)
        self.problem = label(style="problem", wrap=True)
        self.take_over = _button(self.tr("Take it over"), self._take_over)
        self.column.addWidget(self.tree, 1)
        chosen, keys = QVBoxLayout(), QVBoxLayout()
        chosen.addWidget(self._chosen)
        keys.addWidget(self.keys)
        self.keys.setMinimumWidth(self.fontMetrics().averageCharWidth() * LEAST_KEYS_WIDTH)
        self.column.addLayout(SideBySide(chosen, keys, gap=6))
        buttons = FlowLayout(last_at_end=True)
        buttons.setSpacing(6)
        for widget in (self.remove, self.reset, self.reset_all):
            buttons.addWidget(widget)
        self.column.addLayout(buttons)
        conflict = QHBoxLayout()
        conflict.addWidget(self.problem, 1)
        conflict.addWidget(self.take_over)
        self.column.addLayout(conflict)
        self._show_problem("")
        self.plan(self._fill)

    def keep_matching(self, words: str) -> int:
        self._words = words
        counts: dict[QTreeWidgetItem, int] = {}
        for group, item in self._items():
            text = folded(f"{group.text(NAME)} {item.text(NAME)} {item.text(KEYS)}")
            matches = all(word in text for word in words.split())
            item.setHidden(not matches)
            counts[group] = counts.get(group, 0) + matches
        for group, count in counts.items():
            group.setHidden(not count)
        return sum(counts.values()) if words else 0

    def choose(self, action_id: str) -> None:
        """Select the line of an action."""
        for _group, item in self._items():
            if item.data(NAME, ID_ROLE) == action_id:
                self.tree.setCurrentItem(item)

    def _fill(self) -> None:
        chosen = self._current_id()
        self._actions = self._shortcuts.actions()
        conflicts = {action.objectName() for actions in self._shortcuts.conflicts().values() for action in actions}
        places = menu_places(self._window)
        with QSignalBlocker(self.tree):
            self.tree.clear()
            groups: dict[str, QTreeWidgetItem] = {}
            bold = self.tree.font()
            bold.setWeight(bold.Weight.DemiBold)
            for action in self._actions:
                place = places.get(action.objectName()) or self.tr("More")
                if place not in groups:
                    groups[place] = QTreeWidgetItem(self.tree, [place])
                    groups[place].setFlags(Qt.ItemFlag.ItemIsEnabled)
                    groups[place].setFirstColumnSpanned(True)
                    groups[place].setFont(NAME, bold)  # no colour: it would stay when the theme changes
                note = self.tr("changed") if self._shortcuts.is_changed(action) else ""
                if action.objectName() in conflicts:
                    note = self.tr("⚠ used twice")
                item = QTreeWidgetItem(groups[place], [plain_text(action), shortcut_text(action), note])
                item.setData(NAME, ID_ROLE, action.objectName())
            self.tree.expandAll()
        self.keep_matching(self._words)
        self.choose(chosen)
        self._show_current()

    def _items(self) -> list[tuple[QTreeWidgetItem, QTreeWidgetItem]]:
        found: list[tuple[QTreeWidgetItem, QTreeWidgetItem]] = []
        for number in range(self.tree.topLevelItemCount()):
            group = self.tree.topLevelItem(number)
            for place in range(group.childCount() if group is not None else 0):
                item = group.child(place) if group is not None else None
                if group is not None and item is not None:
                    found.append((group, item))
        return found

    def _current_id(self) -> str:
        item = self.tree.currentItem()
        return str(item.data(NAME, ID_ROLE) or "") if item is not None else ""

    def _current_action(self) -> QAction | None:
        name = self._current_id()
        return next((action for action in self._actions if action.objectName() == name), None)

    def _show_current(self, *_: object) -> None:
        action = self._current_action()
        self._chosen.setText(plain_text(action) if action is not None else self.tr("Nothing chosen"))
        with QSignalBlocker(self.keys):
            self.keys.setKeySequence(action.shortcut() if action is not None else QKeySequence())
        self.keys.setEnabled(action is not None)
        self.remove.setEnabled(action is not None and not action.shortcut().isEmpty())
        self.reset.setEnabled(action is not None and self._shortcuts.is_changed(action))
        self.reset_all.setEnabled(any(self._shortcuts.is_changed(each) for each in self._actions))
        self._show_problem("")

    def _take(self, sequence: QKeySequence) -> None:
        action = self._current_action()
        if action is None or sequence.isEmpty():
            return
        self._wanted = sequence
        others = self._shortcuts.users_of(sequence, but=action.objectName())
        if is_reserved(sequence):
            self._show_problem(self.tr("{0} is needed for moving about or for stopping.").format(key_text(sequence)))
        elif others:
            names = ", ".join(f"“{plain_text(other)}”" for other in others)
            text = self.tr("{0} already belongs to {1}.").format(key_text(sequence), names)
            self._show_problem(text, can_take_over=True)
        else:
            self._shortcuts.change(action.objectName(), [sequence])
            self._fill()

    def _take_over(self) -> None:
        action, sequence = self._current_action(), self._wanted
        if action is None or sequence is None:
            return
        for other in self._shortcuts.users_of(sequence, but=action.objectName()):
            self._shortcuts.change(other.objectName(), [each for each in other.shortcuts() if each != sequence])
        self._shortcuts.change(action.objectName(), [sequence])
        self._fill()

    def _remove(self) -> None:
        self._shortcuts.change(self._current_id(), [])
        self._fill()

    def _reset(self) -> None:
        self._shortcuts.reset(self._current_id())
        self._fill()

    def _reset_all(self) -> None:
        for action in self._actions:
            if self._shortcuts.is_changed(action):
                self._shortcuts.reset(action.objectName())
        self._fill()

    def _show_problem(self, sentence: str, *, can_take_over: bool = False) -> None:
        self.problem.setText(f"⚠ {sentence}" if sentence else "")
        self.problem.setVisible(bool(sentence))
        self.take_over.setVisible(can_take_over)


def _button(text: str, act: object) -> QPushButton:
    button = QPushButton(text)
    button.setAutoDefault(False)
    button.clicked.connect(act)
    return button
