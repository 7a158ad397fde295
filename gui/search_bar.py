"""The bar over the tree in which a search is typed, with what it found."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QKeySequence, QPainter, QPaintEvent, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QSizePolicy, QToolButton, QWidget

from gui.icons import icon
from gui.number_text import full_count
from gui.row_content import matches_text
from gui.theme import current_theme


class _State(QWidget):
    """A line of text of constant size.

    A label asks for another size with each text: ten times a second all of the window would be laid out and painted.
    """

    def __init__(self) -> None:
        super().__init__()
        self._text = ""
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def text(self) -> str:
        """Return what is shown."""
        return self._text

    def show_text(self, text: str) -> None:
        """Show `text`, shortened at its end where there is no room; the tool tip has all of it."""
        if text != self._text:
            self._text = text
            self.setAccessibleName(text)
            self.setToolTip(text)
            self.update()

    def sizeHint(self) -> QSize:
        widest = full_count(99_999)
        text = self.tr("{0} of {1}").format(widest, matches_text(99_999)) + " · 99 %"
        return QSize(self.fontMetrics().horizontalAdvance(text), self.fontMetrics().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 8, self.fontMetrics().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(QColor(current_theme().muted))
        text = self.fontMetrics().elidedText(self._text, Qt.TextElideMode.ElideRight, self.width())
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter), text)


class SearchBar(QWidget):
    """Hidden until it is opened.

    Signals: `changed` (text) while it is typed; `step_wanted` (1: next, -1: previous); `left` when it was closed;
    `hidden_wanted` when the user wants to see the matches that the filter hides; `tree_wanted` when the keyboard should
    go to the tree.
    """

    changed = Signal(str)
    step_wanted = Signal(int)
    left = Signal()
    hidden_wanted = Signal()
    tree_wanted = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("banner", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.text = QLineEdit()
        self.text.setPlaceholderText(self.tr("Find in all text, tool output too"))
        self.text.setAccessibleName(self.tr("Search in this session"))
        self.text.setAccessibleDescription(self.tr("All words must occur, in any order. Enter goes to the next match."))
        self.text.setClearButtonEnabled(True)
        for clear in self.text.findChildren(QToolButton):
            clear.setAccessibleName(self.tr("Clear"))
        self.text.setMinimumWidth(self.fontMetrics().averageCharWidth() * 6)
        self.text.setMaximumWidth(self.fontMetrics().averageCharWidth() * 60)
        self.text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.text.installEventFilter(self)
        self.text.textChanged.connect(self.changed)
        self.state = _State()
        self.hidden = QPushButton(self.tr("Hidden by the filter"))
        self._hidden_texts = (self.hidden.text(), self.hidden.text())
        self._hidden_count = 0
        self._shown: tuple[str, int, bool] | None = None
        self.hidden.setProperty("link", True)
        self.hidden.setToolTip(self.tr("The filter hides them; show all entries"))
        self.hidden.clicked.connect(self.hidden_wanted)
        self.hidden.hide()
        self.previous = self._button("up", self.tr("Previous match"), lambda: self.step_wanted.emit(-1))
        self.next = self._button("down", self.tr("Next match"), lambda: self.step_wanted.emit(1))
        close = self._button("close", self.tr("Close the search"), self.leave)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(10, 6, 10, 6)
        row.addWidget(self.text, 1)
        row.addWidget(self.state)
        row.addWidget(self.hidden)
        row.addStretch()
        for button in (self.previous, self.next, close):
            row.addWidget(button)
        # Escape leaves the search from the tree as well, but not from the inspector, where it means something else.
        escape = QShortcut(
            QKeySequence(Qt.Key.Key_Escape), parent, context=Qt.ShortcutContext.WidgetWithChildrenShortcut
        )
        escape.activated.connect(self.leave)
        escape.setEnabled(False)
        self._escape = escape
        self.hide()
        self.show_nothing()

    def open(self) -> None:
        """Show the bar and give its field the keyboard; what it holds is selected."""
        self.show()
        self._escape.setEnabled(True)
        self.text.setFocus()
        self.text.selectAll()

    def leave(self) -> None:
        """Close the bar; nothing is searched for any more."""
        if self.isVisible():
            self._escape.setEnabled(False)
            self.hide()
            self.left.emit()

    def show_nothing(self) -> None:
        """Say nothing: there is no search."""
        self._show("", 0, can_step=False)

    def show_found(self, place: int | None, shown: int, hidden: int, percent: int | None) -> None:
        """Say how many matches can be seen and how many the filter hides.

        `place` is the number of the selected match among those that can be seen, from 1. `percent` tells how far the
        search is, None when it is through.
        """
        if shown and place is not None:
            text = self.tr("{0} of {1}").format(full_count(place), matches_text(shown))
        elif shown or hidden or percent is not None:
            text = matches_text(shown)
        else:
            text = self.tr("No match")
        if percent is not None:
            text = self.tr("{0} · {1} %").format(text, percent)
        self._show(text, hidden if percent is None else 0, can_step=shown > 0)

    def show_failure(self, sentence: str) -> None:
        """Say why the search ended early."""
        self._show(sentence, 0, can_step=False)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Enter and Shift+Enter step through the matches; Down goes on to the tree."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            shift = Qt.KeyboardModifier.ShiftModifier
            modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not modifiers & ~shift:
                self.step_wanted.emit(-1 if modifiers & shift else 1)
                return True
            if event.key() == Qt.Key.Key_Down:
                self.tree_wanted.emit()
                return True
        return super().eventFilter(watched, event)

    def _show(self, text: str, hidden: int, *, can_step: bool) -> None:
        if (shown := (text, hidden, can_step)) == self._shown:
            return
        self._shown = shown
        self.state.show_text(text)
        if hidden != self._hidden_count:
            self._hidden_count = hidden
            count = full_count(hidden)
            self._hidden_texts = (
                self.tr("{0} hidden by the filter").format(count),
                self.tr("{0} hidden").format(count),
            )
            self._fit()
        self.previous.setEnabled(can_step)
        self.next.setEnabled(can_step)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        """Without the link: it gives way, so that what is found does not widen the window."""
        size = super().minimumSizeHint()
        if not self.hidden.isHidden():
            size.setWidth(size.width() - self.hidden.minimumWidth() - self._row.spacing())
        return size

    def _fit(self) -> None:
        """Say in short how many are hidden where there is no room to say why, and nothing where there is none."""
        metrics = self.fontMetrics()
        long, short = self._hidden_texts
        least = metrics.horizontalAdvance(short) + metrics.averageCharWidth()
        self.hidden.setMinimumWidth(least)
        room = self.width() - self.minimumSizeHint().width() - self._row.spacing()
        self.hidden.setText(long)
        self.hidden.setVisible(self._hidden_count > 0 and room >= least)
        if self._row.sizeHint().width() > self.width():  # the words on the left would take from it
            self.hidden.setText(short)

    def _button(self, name: str, text: str, act: object) -> QToolButton:
        button = QToolButton()
        button.setIcon(icon(name))
        button.setAccessibleName(text)
        button.setToolTip(text)
        button.setAutoRaise(True)
        button.clicked.connect(act)
        return button
