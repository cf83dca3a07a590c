"""Bounds on numbers of objects that no turn can mend: a position that breaks one of them is not won any more.

They follow from the win conditions, all of which have to hold at once, and from the tokens (see `tokens`):

all A on B   Cells that tokens of A cannot leave, and where no turn destroys one, have no more of them than places
             of B. Each cell that always has A needs a token of B that can come to it, if turns make none that can.
some A on B  A token of A can come to a cell that may have B, if turns make none that can.
no A on B    As for `all`, with the cells that do not always have B as places.
"""

from collections.abc import Iterator
from typing import NamedTuple

from puzzlemc.encodings.puzzlescript.planes.compilation import Compilation
from puzzlemc.encodings.puzzlescript.planes.tokens import Tokens, filled, tokens

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
        if subject and win.quantifier == "some":
            sources = _sources(subject, places)
            if not subject.appear & sources:
                found[Bound(win.subject, sources, 1, size)] = None
        elif subject:
            found |= dict.fromkeys(_crowded(made, subject, places))
        if win.quantifier == "all" and win.on and on_single:
            on = tokens(made, win.on)
            if on:
                found |= dict.fromkeys(_needed(on, sure, size))
    return sorted(found, key=lambda bound: bound.cells.bit_count())[:MOST_BOUNDS]


def _crowded(made: Compilation, subject: Tokens, places: int) -> Iterator[Bound]:
    """Yield that tokens which cannot leave some cells are no more than the places there."""
    count = sum(not subject.objects.isdisjoint(here) for here in made.level.cells)
    most = len(made.level.cells) if subject.appear else count
    (layer,) = {made.names.layer[name] for name in subject.objects}
    dead = dead_cells(subject, places) & ~filled(made, layer, subject.objects)
    # Other cells without room are among the dead ones.
    for cells in {dead, *(way for way in subject.ways if way & places)}:
        room = (cells & places).bit_count()
        if cells and not cells & subject.vanish and room < min(most, cells.bit_count()):
            yield Bound(subject.objects, cells, 0, room)


def dead_cells(subject: Tokens, places: int) -> int:
    """The cells from which a token can come to no place, and in no way to an end."""
    return sum(1 << cell for cell, way in enumerate(subject.ways) if not way & (places | subject.vanish))


def _needed(on: Tokens, targets: int, size: int) -> Iterator[Bound]:
    """Yield lower bounds on the tokens that can reach targets."""
    sources = {1 << cell: _sources(on, 1 << cell) for cell in range(size) if targets >> cell & 1}
    everything = 0
    for cells in sources.values():
        everything |= cells
    for cells in {everything, *sources.values()} if sources else ():
        if on.appear & cells:
            continue
        yield Bound(on.objects, cells, sum(not each & ~cells for each in sources.values()), size)


def _sources(tokens: Tokens, places: int) -> int:
    """The cells from which a token can come to one of some places."""
    return sum(1 << cell for cell, way in enumerate(tokens.ways) if way & places)
