"""Where the user has been: selected entry and leaf together, to go back to and forward again."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

MOST_PLACES = 200


class Place(NamedTuple):
    """A selected entry and the leaf of then, both by id; None: nothing selected, or before the first entry."""

    entry_id: str | None
    leaf_id: str | None


class VisitedPlaces:
    """The places of one session in the order of the visits, one of which is where the user is."""

    def __init__(self) -> None:
        self._places: list[Place] = []
        self._at = -1

    @property
    def current(self) -> Place | None:
        """Where the user is, None before the first visit."""
        return self._places[self._at] if self._places else None

    def visit(self, place: Place) -> None:
        """Go to a place. What lay ahead is forgotten; staying where one is is no visit."""
        if place != self.current:
            del self._places[self._at + 1 :]
            self._places.append(place)
            del self._places[:-MOST_PLACES]
            self._at = len(self._places) - 1

    def follow_leaf(self, old_id: str | None, new_id: str | None) -> None:
        """The session went on from one leaf to another: so did all places where that was the leaf."""
        self._places = [place._replace(leaf_id=new_id) if place.leaf_id == old_id else place for place in self._places]

    def drift(self, place: Place) -> None:
        """Move on from the current place without leaving it, as by a step to the next row."""
        if self._places:
            self._places[self._at] = place
        else:
            self.visit(place)

    def steps(self, direction: int, is_there: Callable[[Place], bool]) -> int:
        """Return how far it is back (-1) or forward (1) to the nearest other place that `is_there` still; 0: none."""
        at = self._at + direction
        while 0 <= at < len(self._places):
            if self._places[at] != self.current and is_there(self._places[at]):
                return at - self._at
            at += direction
        return 0

    def place(self, steps: int) -> Place:
        """Return the place that is so many steps away."""
        return self._places[self._at + steps]

    def go(self, steps: int) -> None:
        """Be so many steps away."""
        self._at += steps
