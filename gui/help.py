"""The help page: what the window is for in a few sentences, and every key."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from PySide6.QtCore import QCoreApplication, QLocale, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMainWindow,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gui.fuzzy import folded
from gui.shortcuts import Shortcuts, key_text, menu_places, plain_text
from gui.side_by_side import SideBySide
from gui.turns import Turns
from gui.widgets import label, make_clearable

LEAST_CHARACTERS = 30  # of a column, where two stand beside each other
Line = tuple[str, tuple[str, ...]]


class HelpDialog(QDialog):
    """Signal: `shortcuts_wanted` when the user wants to change shortcuts."""

    shortcuts_wanted = Signal()

    def __init__(self, window: QMainWindow, shortcuts: Shortcuts) -> None:
        super().__init__(window)
        self.setWindowTitle(self.tr("Help"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._lines: list[tuple[str, QWidget, QWidget, QWidget]] = []  # what is found; name, keys, group
        self.search = QLineEdit(self)
        self.search.setPlaceholderText(self.tr("Find a key or what it does"))
        self.search.setAccessibleName(self.tr("Find"))
        make_clearable(self.search)
        self.search.textChanged.connect(self._filter)
        self.change = QPushButton(self.tr("Change shortcuts…"))
        self.change.setAutoDefault(False)
        self.change.clicked.connect(self._change_shortcuts)
        close = QPushButton(self.tr("Close"))
        close.setAutoDefault(False)
        close.clicked.connect(self.accept)

        self._body = QWidget()
        self._scroll = QScrollArea(self)
        self._scroll.setWidget(self._body)
        column = QVBoxLayout(self._body)
        column.setContentsMargins(22, 16, 22, 16)
        column.setSpacing(8)
        self._about = self._make_about()
        column.addWidget(self._about)
        self._nothing = label(style="muted", wrap=True)
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._nothing.hide()
        column.addWidget(self._nothing)
        groups = [*self._fixed_groups(), *_groups(window, shortcuts)]
        sides: list[QVBoxLayout] = []
        self._steps: deque[Callable[[], None]] = deque()
        for half in _halves(groups):
            side = QVBoxLayout()
            side.setSpacing(18)
            half_widget = QVBoxLayout()
            half_widget.addLayout(side)
            half_widget.addStretch(1)
            sides.append(half_widget)
            for title, lines in half:
                self._steps.append(partial(self._add_group, side, title, lines))
        column.addLayout(SideBySide(sides[0], sides[1], share=0.5, gap=44, least_characters=LEAST_CHARACTERS))
        column.addStretch(1)
        self._scroll.setWidgetResizable(True)
        self._scroll.setFrameShape(QFrame.Shape.NoFrame)
        self._scroll.setAccessibleName(self.tr("All keys"))
        self._scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the arrow keys scroll it, wherever the keyboard is
        top = QHBoxLayout()
        top.setContentsMargins(22, 14, 22, 0)
        top.addWidget(self.search, 1)
        foot = QWidget(self)
        foot.setProperty("footer", True)
        foot.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        buttons = QHBoxLayout(foot)
        buttons.setContentsMargins(14, 10, 14, 10)
        buttons.addWidget(self.change)
        buttons.addStretch(1)
        buttons.addWidget(close)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addLayout(top)
        outer.addWidget(self._scroll, 1)
        outer.addWidget(foot)
        unit = self.fontMetrics().averageCharWidth()
        self.resize(min(unit * 128, window.width() - 40), min(unit * 98, window.height() - 40))
        self.search.setFocus()
        Turns(self._remaining_steps(), self).start()

    def build(self) -> None:
        """Make all groups at once; otherwise one is made in each turn of the event loop."""
        while self._steps:
            self._steps.popleft()()

    def shown_lines(self) -> list[str]:
        """Return what the lines that are shown say: what a key does, and the key."""
        self.build()
        return [text for text, name, _keys, _group in self._lines if not name.isHidden()]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self._scroll.verticalScrollBar()
        steps = {
            Qt.Key.Key_Down: bar.singleStep(),
            Qt.Key.Key_Up: -bar.singleStep(),
            Qt.Key.Key_PageDown: bar.pageStep(),
            Qt.Key.Key_PageUp: -bar.pageStep(),
        }
        if event.key() in steps:
            bar.setValue(bar.value() + steps[Qt.Key(event.key())])
        else:
            super().keyPressEvent(event)

    def _make_about(self) -> QWidget:
        about = QWidget(self._body)
        column = QVBoxLayout(about)
        column.setContentsMargins(0, 0, 0, 8)
        column.setSpacing(6)
        column.addWidget(label(self.tr("A session is a tree"), style="title"))
        sentences = (
            self.tr("Looking changes nothing: opening and browsing never write to the file."),
            self.tr("Enter on an entry goes there, and asks whether to summarise the branch that you leave."),
            self.tr("Compaction shows the cut before it is made; what it writes is one entry at the end of the file."),
            self.tr("Esc stops what runs, wherever you are: nothing is written, and you stay where you were."),
        )
        for sentence in sentences:
            column.addWidget(label(sentence, style="muted", wrap=True))
        return about

    def _fixed_groups(self) -> list[tuple[str, list[Line]]]:
        """Keys that belong to a place in the window and cannot be changed."""
        inwards = (_key("Left"), _key("Right")) if self.isRightToLeft() else (_key("Right"), _key("Left"))
        return [
            (
                self.tr("Everywhere"),
                [
                    (self.tr("Stop what runs; else back, or close"), (_key("Esc"),)),
                    (self.tr("To the next part of the window"), (_key("Tab"),)),
                ],
            ),
            (
                self.tr("In the tree"),
                [
                    (self.tr("Entry before, entry after"), (_key("Up"), _key("Down"))),
                    (self.tr("Unfold, fold or to the entry it hangs on"), inwards),
                    (self.tr("Go there, asking about a summary"), (_key("Return"),)),
                    (self.tr("Go there without a summary or a question"), (_key("Ctrl+Return"),)),
                ],
            ),
            (
                self.tr("In the composer"),
                [
                    (self.tr("Compact, with instructions"), ("/compact …",)),
                    (self.tr("To the tree"), ("/tree",)),
                    (self.tr("New line"), (_key("Shift+Return"),)),
                ],
            ),
        ]

    def _remaining_steps(self) -> Iterator[Callable[[], None]]:
        while self._steps:
            yield self._steps.popleft()

    def _add_group(self, side: QVBoxLayout, title: str, lines: Sequence[Line]) -> None:
        side.addWidget(self._make_group(title, lines))
        if not self._steps and self.search.text():
            self._filter(self.search.text())

    def _make_group(self, title: str, lines: Sequence[Line]) -> QWidget:
        group = QWidget(self._body)
        grid = QGridLayout(group)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(5)
        grid.setHorizontalSpacing(16)
        grid.setColumnStretch(0, 1)
        heading = label(QLocale().toUpper(title), style="caption")
        grid.addWidget(heading, 0, 0, 1, 2)
        for number, (text, keys) in enumerate(lines, start=1):
            name = label(text, wrap=True)
            caps = QWidget(group)
            row = QHBoxLayout(caps)
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(5)
            row.addStretch(1)
            for key in keys:
                row.addWidget(_key_cap(key))
            if not keys:
                row.addWidget(label(self.tr("no key"), style="muted"))
            name.setMinimumHeight(
                round(self.fontMetrics().height() * 1.5)
            )  # the row's own would stay when it is hidden
            grid.addWidget(name, number, 0)
            grid.addWidget(caps, number, 1, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            name.setAccessibleName(f"{text}: {', '.join(keys) or self.tr('no key')}")
            self._lines.append((f"{text} {' '.join(keys)}", name, caps, group))
        return group

    def _filter(self, text: str) -> None:
        words = folded(text).split()
        self._about.setVisible(not words)
        groups: dict[QWidget, bool] = {}
        for line, name, keys, group in self._lines:
            matches = all(word in folded(line) for word in words)
            name.setVisible(matches)
            keys.setVisible(matches)
            groups[group] = groups.get(group, False) or matches
        for group, has_some in groups.items():
            group.setVisible(has_some)
        finds_nothing = not any(groups.values()) and not self._steps
        self._nothing.setText(self.tr("No key is about “{0}”.").format(text.strip()) if finds_nothing else "")
        self._nothing.setVisible(finds_nothing)

    def _change_shortcuts(self) -> None:
        self.accept()
        self.shortcuts_wanted.emit()


def _groups(window: QMainWindow, shortcuts: Shortcuts) -> list[tuple[str, list[Line]]]:
    """The actions by their menus; those in no menu come last."""
    places = menu_places(window)
    groups: dict[str, list[Line]] = {}
    for action in shortcuts.actions():
        place = places.get(action.objectName()) or QCoreApplication.translate("HelpDialog", "More")
        keys = tuple(key_text(sequence) for sequence in action.shortcuts())
        groups.setdefault(place, []).append((plain_text(action), keys))
    return list(groups.items())


def _halves(
    groups: Sequence[tuple[str, list[Line]]],
) -> tuple[list[tuple[str, list[Line]]], list[tuple[str, list[Line]]]]:
    """The groups in two columns of about the same height, in order."""
    sizes = [len(lines) + 2 for _title, lines in groups]
    total, so_far, count = sum(sizes), 0, 0
    while count < len(sizes) and so_far + sizes[count] / 2 < total / 2:
        so_far += sizes[count]
        count += 1
    return list(groups[:count]), list(groups[count:])


def _key(text: str) -> str:
    return key_text(QKeySequence(text))


def _key_cap(text: str) -> QLabel:
    cap = label(text)
    cap.setObjectName("key_cap")
    cap.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # "Ctrl+," stays as it is on the keys
    return cap
