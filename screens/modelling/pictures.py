"""Positions of boards, as text and as pictures.

A position gives *things*: words of the legend, and the places where each of them is now. All other words stay
where they are in the level.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import TypeAlias

from puzzlemc.mc.errors import ModelError
from puzzlemc.screens.base.picture import Moved, Shape
from puzzlemc.screens.modelling.board import Grid, Place
from puzzlemc.screens.modelling.legend import BLANK, EMPTY_ROW, Legend
from puzzlemc.screens.modelling.look import Shapes, filled, placed

Things: TypeAlias = Mapping[str, Collection[Place]]

_GROUND = filled("floor")  # of cells without another


def cell(legend: Legend, looks: Mapping[str, Shapes], words: Collection[str]) -> Shapes:
    """Return the shapes of a cell with these words, in the upper left corner."""
    ground = _GROUND if legend.grounds.isdisjoint(words) else ()
    return (*ground, *(shape for word in legend.order if word in words for shape in looks[word]))


def drawn(level: Grid, legend: Legend, things: Things) -> str:
    """Return a position as rows of signs; where no sign fits, it is the nearest one. Raises ModelError."""
    there = _by_place(level, legend, things)
    rows = [[level.sign((row, column)) or BLANK for column in range(level.columns)] for row in range(level.rows)]
    left = {place for word in things for place in level.find(word)}
    for place in left | there.keys():
        words = (level.names(place) - things.keys()) | there.get(place, set())
        rows[place[0]][place[1]] = legend.nearest_sign(words)
    return "\n".join("".join(row).rstrip() or EMPTY_ROW for row in rows)


def board(level: Grid, legend: Legend, looks: Mapping[str, Shapes], moving: Collection[str]) -> tuple[Shape, ...]:
    """Return the shapes of all words but those that move, and of a ground in cells without one."""
    stay = [word for word in legend.order if word not in moving]
    found: list[Shape] = []
    for place in level.cells:
        words = level.names(place)
        if legend.grounds.isdisjoint(words.difference(moving)):
            found += placed(_GROUND, *place)
        for word in stay:
            if word in words:
                found += placed(looks[word], *place)
    return tuple(found)


def pieces(level: Grid, legend: Legend, looks: Mapping[str, Shapes], things: Things) -> tuple[Shape, ...]:
    """Return the shapes of things at their places, which lie on each other like words. Raises ModelError."""
    _by_place(level, legend, things)
    found: list[Shape] = []
    for word in legend.order:
        for place in sorted(things.get(word, ())):
            found += placed(looks[word], *place)
    return tuple(found)


def moved(before: Things, after: Things) -> Moved:
    """Return the cells that things have left, and those to which things have come."""
    left, come = set[Place](), set[Place]()
    for word in before.keys() | after.keys():
        left |= {*before.get(word, ())} - {*after.get(word, ())}
        come |= {*after.get(word, ())} - {*before.get(word, ())}
    return Moved(tuple(sorted(left)), tuple(sorted(come)))


def _by_place(level: Grid, legend: Legend, things: Things) -> dict[Place, set[str]]:
    """Return the words at each place. Raises ModelError for an unknown word, and for a place that is no cell."""
    there = defaultdict[Place, set[str]](set)
    for word, places in things.items():
        legend.check(word, "a position")
        for place in places:
            if place not in level:
                found = f"found {word!r} at {place!r}"
                raise ModelError(f"a position: {found}, expected the row and the column of a cell, from 0")
            there[place].add(word)
    return there
