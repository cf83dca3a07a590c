"""Bounds on numbers of objects that no turn can mend: a position that breaks one of them is not won any more.

They follow from the win conditions, all of which have to hold at once, and from the tokens (see `tokens`):

all A on B   Cells that tokens of A cannot leave have no more of them than places of B. Each cell that always has A
             needs a token of B that can come to it.
some A on B  A token of A can come to a cell that may have B.
no A on B    Likewise, with the cells that do not always have B as places.
"""

from collections.abc import Iterator
from typing import NamedTuple

from puzzlemc.encodings.puzzlescript.planes.compilation import Compilation
from puzzlemc.encodings.puzzlescript.planes.tokens import Tokens, tokens

MOST_CELLS = 640  # of a level with bounds
MOST_BOUNDS = 48  # of a level


class Bound(NamedTuple):
    """At least `least` and at most `most` of these cells (the bits of a number) have one of the objects."""

    objects: frozenset[str]
    cells: int
    least: int
    most: int


def bounds(made: Compilation) -> list[Bound]:
    """The bounds of a level, the smallest sets of cells first."""
    size = len(made.level.cells)
    if size > MOST_CELLS or made.wins_without_conditions:
        return []
    found = dict[Bound, None]()
    for win in made.wins:
        sure, _ = made.side(win.subject, win.subject_all)
        on_sure, on_may = made.side(win.on, win.on_all)
        single, on_single = not win.subject_all or len(win.subject) == 1, not win.on_all or len(win.on or ()) == 1
        subject = tokens(made, win.subject) if single else None
        places = made.whole & ~on_sure if win.quantifier == "no" else on_may
        if subject and win.quantifier == "some" and not subject.appear:
            found[Bound(win.subject, _sources(subject, places), 1, size)] = None
        elif subject and win.quantifier != "some" and not subject.vanish:
            found |= dict.fromkeys(_crowded(made, subject, places))
        if win.quantifier == "all" and win.on and on_single:
            on = tokens(made, win.on)
            if on and not on.appear:
                found |= dict.fromkeys(_needed(on, sure, size))
    return sorted(found, key=lambda bound: bound.cells.bit_count())[:MOST_BOUNDS]


def _crowded(made: Compilation, subject: Tokens, places: int) -> Iterator[Bound]:
    """Yield that tokens which cannot leave some cells are no more than the places there."""
    count = sum(not subject.objects.isdisjoint(here) for here in made.level.cells)
    most = len(made.level.cells) if subject.appear else count
    dead = sum(1 << cell for cell, way in enumerate(subject.ways) if not way & places)
    for cells in {dead, *subject.ways}:
        room = (cells & places).bit_count()
        if cells and room < min(most, cells.bit_count()):
            yield Bound(subject.objects, cells, 0, room)


def _needed(on: Tokens, targets: int, size: int) -> Iterator[Bound]:
    """Yield lower bounds on the tokens that can reach targets."""
    sources = {1 << cell: _sources(on, 1 << cell) for cell in range(size) if targets >> cell & 1}
    everything = 0
    for cells in sources.values():
        everything |= cells
    for cells in {everything, *sources.values()} if sources else ():
        yield Bound(on.objects, cells, sum(not each & ~cells for each in sources.values()), size)


def _sources(tokens: Tokens, places: int) -> int:
    """The cells from which a token can come to one of some places."""
    return sum(1 << cell for cell, way in enumerate(tokens.ways) if way & places)
