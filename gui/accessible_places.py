"""Pictures that can be read aloud: what a painted widget shows is told to assistive technology place by place.

For it such a widget is a chart with a child for each place, made when it is asked for. The child of the current place
has the focus, so that it is read on each move of the keyboard.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import lru_cache, partial
from typing import Any

from PySide6.QtCore import QObject, QPoint, QRect, QTimer
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QAccessibleEvent,
    QAccessibleInterface,
    QColor,
    QWindow,
)
from PySide6.QtWidgets import QAccessibleWidget, QWidget
from shiboken6 import isValid

ATTRIBUTE = "accessible_places"  # of a widget


class AccessiblePlaces(ABC):
    """The places of one widget, in an order in which they can be read, numbered from 0.

    To be made first of all in the constructor of the widget: Qt asks for its interface once, and then keeps it.
    """

    def __init__(self, widget: QWidget) -> None:
        self.widget = widget
        self._said: tuple[int, str] | None = None
        setattr(widget, ATTRIBUTE, self)
        _install()

    @abstractmethod
    def count(self) -> int:
        """Return how many places there are."""

    @abstractmethod
    def current(self) -> int | None:
        """Return where the keyboard is, None when it is nowhere."""

    @abstractmethod
    def text(self, place: int) -> str:
        """Return in words what a place shows."""

    @abstractmethod
    def rect(self, place: int) -> QRect:
        """Return where on the screen a place is."""

    @abstractmethod
    def at(self, point: QPoint) -> int | None:
        """Return the place at a point of the screen."""

    def moved(self, note: str) -> None:
        """Have the current place read; where the keyboard only moved within it, `note` is read instead."""
        here, said = self.current(), self._said
        if here is None or not QAccessible.isActive() or not self.widget.hasFocus():
            self._said = None
            return
        self._said = (here, note)
        is_same = said is not None and said[0] == here
        if not is_same and isinstance(QAccessible.queryAccessibleInterface(self.widget), _Chart):
            event = QAccessibleEvent(self.widget, QAccessible.Event.Focus)
            event.setChild(here)
            QAccessible.updateAccessibility(event)
        elif said != self._said:
            text = note if is_same else self.text(here)
            QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self.widget, text))

    def focused(self, note: str) -> None:
        """The widget got the keyboard: have the current place read, once Qt has named the widget."""
        self._said = None
        QTimer.singleShot(0, self.widget, lambda: self.moved(note))

    def changed(self) -> None:
        """There are other places now."""
        if QAccessible.isActive():
            QAccessible.updateAccessibility(QAccessibleEvent(self.widget, QAccessible.Event.ObjectReorder))


class _Chart(QAccessibleWidget):
    """The interface of the widget. It keeps no reference to it: interfaces live on until the application ends."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, QAccessible.Role.Chart)
        self.children: dict[int, _Place] = {}

    @property
    def places(self) -> AccessiblePlaces | None:
        """What the widget shows, None when it is gone."""
        found = getattr(self.widget(), ATTRIBUTE, None) if isValid(self) else None
        return found if isinstance(found, AccessiblePlaces) and isValid(found.widget) else None

    def childCount(self) -> int:
        return 0 if (places := self.places) is None else places.count()

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        if not 0 <= index < self.childCount():
            return None
        if index not in self.children:
            self.children[index] = _Place(self, index)
        return self.children[index]

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return child.number if isinstance(child, _Place) else -1

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        places = self.places
        here = places.current() if places is not None and places.widget.hasFocus() else None
        return None if here is None else self.child(here)

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        here = None if (places := self.places) is None else places.at(QPoint(x, y))
        return None if here is None else self.child(here)


class _Place(QAccessibleInterface):
    """One place: what it is and says is looked up each time, so that it may change."""

    def __init__(self, chart: _Chart, number: int) -> None:
        super().__init__()
        self.number = number
        self._chart = chart

    @property
    def _places(self) -> AccessiblePlaces | None:
        places = self._chart.places
        return places if places is not None and self.number < places.count() else None

    def isValid(self) -> bool:
        return self._places is not None

    def object(self) -> QObject | None:  # type: ignore[override]
        return None

    def parent(self) -> QAccessibleInterface | None:  # type: ignore[override]
        return self._chart if isValid(self._chart) else None

    def window(self) -> QWindow | None:  # type: ignore[override]
        return self._chart.window() if isValid(self._chart) else None

    def childCount(self) -> int:
        return 0

    def child(self, index: int) -> QAccessibleInterface | None:  # type: ignore[override]
        return None

    def childAt(self, x: int, y: int) -> QAccessibleInterface | None:  # type: ignore[override]
        return None

    def focusChild(self) -> QAccessibleInterface | None:  # type: ignore[override]
        return None

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        return -1

    def relations(self, match: Any = None) -> list[Any]:
        return []

    def text(self, t: QAccessible.Text) -> str:
        places = self._places
        return places.text(self.number) if places is not None and t == QAccessible.Text.Name else ""

    def setText(self, t: QAccessible.Text, text: str) -> None:
        """Nothing can be changed here."""

    def rect(self) -> QRect:
        return QRect() if (places := self._places) is None else places.rect(self.number)

    def role(self) -> QAccessible.Role:
        return QAccessible.Role.StaticText  # nothing is read before its text, and no reader counts what is beside it

    def state(self) -> QAccessible.State:
        state = QAccessible.State()
        places = self._places
        is_current = places is not None and places.current() == self.number
        for name, value in (
            ("invalid", places is None),
            ("focusable", True),
            ("selectable", True),
            ("readOnly", True),
            ("selected", is_current),
            ("focused", is_current and places is not None and places.widget.hasFocus()),
        ):
            setattr(state, name, int(value))
        return state

    def foregroundColor(self) -> QColor:
        return QColor()

    def backgroundColor(self) -> QColor:
        return QColor()


_charts: list[_Chart] = []  # Qt owns them, and Python must not delete them before


@lru_cache(maxsize=1)  # once
def _install() -> None:
    """Have Qt ask for the interfaces of widgets with places."""
    QAccessible.installFactory(_interface)


def _interface(key: str, thing: QObject) -> QAccessibleInterface | None:
    """Return the interface of a widget with places; Qt asks for that of each object, with the name of each class."""
    if key != type(thing).__name__ or not isinstance(thing, QWidget) or not hasattr(thing, ATTRIBUTE):
        return None
    chart = _Chart(thing)
    _charts.append(chart)
    thing.destroyed.connect(partial(_forget, chart))
    return chart


def _forget(chart: _Chart, *_: object) -> None:
    """Delete the children of a widget that is gone: Qt keeps each that it gave a number, and would keep them."""
    for child in filter(isValid, chart.children.values()):
        QAccessible.deleteAccessibleInterface(QAccessible.uniqueId(child))
    chart.children.clear()
    _charts.remove(chart)
