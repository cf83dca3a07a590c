"""Positions from which no turn leads to a win any more: numbers of objects that break a bound.

Each win condition has to hold at the end. Tokens (see `ways`) that no turn destroys need a place each, and places
that have to be filled need a token each, of those that can come there. Turns never mend a broken bound, since all
cells that a token can come to from a cell of the bound are cells of it, or all from which one can come to it are.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from puzzlemc.encodings.puzzlescript.cells.compilation import restart_wins
from puzzlemc.encodings.puzzlescript.cells.ways import Facts, Ways, facts, ways_of
from puzzlemc.encodings.puzzlescript.domain.position import Cells
from puzzlemc.screens.puzzlescript.game import Level, Win

MOST_CELLS = 640  # of a level that has bounds


class Bound(NamedTuple):
    """Of these cells (bits of a number), at least `least` and at most `most` have one of the objects."""

    objects: frozenset[str]
    cells: int
    least: int
    most: int

    @property
    def places(self) -> list[int]:
        """The numbers of the cells."""
        return [cell for cell in range(self.cells.bit_length()) if self.cells >> cell & 1]

    def is_broken(self, position: Cells) -> bool:
        """Do too few of the cells have one of the objects, or too many?"""
        count = sum(
            self.cells >> cell & 1 and not self.objects.isdisjoint(here) for cell, here in enumerate(position)
        )
        return not self.least <= count <= self.most


@lru_cache(maxsize=16)
def bounds(level: Level, start: Cells) -> tuple[Bound, ...]:
    """The bounds of a level. A position that breaks one comes before no win."""
    found = facts(level, start) if len(level.cells) <= MOST_CELLS else None
    if found is None or restart_wins(level) or any("win" in rule.commands for rule, _ in found.rules):
        return ()
    made = dict.fromkeys(bound for win in level.game.wins for bound in _bounds_of(win, found, start))
    return tuple(sorted(made, key=lambda bound: bound.cells.bit_count()))


def _bounds_of(win: Win, found: Facts, start: Cells) -> Iterator[Bound]:
    mask = found.made.names.mask
    has_subject, has_on = not win.subject_all or len(win.subject) == 1, not win.on_all or len(win.on or ()) == 1
    subject = ways_of(found, mask(win.subject)) if has_subject else None
    places = sometimes(found, win)
    if win.quantifier == "some":
        if subject is not None and not subject.come & ahead_of(subject, places):
            yield Bound(win.subject, ahead_of(subject, places), 1, len(start))
        return
    if subject is not None:
        count = sum(not win.subject.isdisjoint(here) for here in start)
        (layer,) = [layer for layer in found.made.names.layers if layer & mask(win.subject)]
        hopeless = hopeless_cells(subject, places) & ~found.filled(layer & ~mask(win.subject))
        for cells in (hopeless, *(way for way in subject.ways if way & places)):
            room = (cells & places).bit_count()
            if room < cells.bit_count() and not subject.go & cells and (subject.come or room < count):
                yield Bound(win.subject, cells, 0, room)
    if win.quantifier == "all" and win.on and has_on and has_subject:
        on = ways_of(found, mask(win.on))
        if on is not None:
            always = found.filled(mask(win.subject))
            ahead = [ahead_of(on, 1 << cell) for cell in range(len(start)) if always >> cell & 1]
            everywhere = 0
            for cells in ahead:
                everywhere |= cells
            for cells in (everywhere, *ahead) if ahead else ():
                if on.come & cells:
                    continue
                yield Bound(win.on, cells, sum(not each & ~cells for each in ahead), len(start))


def sometimes(found: Facts, win: Win) -> int:
    """The cells that keep no subject from holding: where `on` may be, or for `no` where it may be missing."""
    everywhere = found.all_cells
    if win.on is None:
        return 0 if win.quantifier == "no" else everywhere
    sides = [
        everywhere
        if not found.stays(found.made.names.mask((name,)))
        else found.filled(found.made.names.mask((name,)))
        for name in win.on
    ]
    always = [found.filled(found.made.names.mask((name,))) for name in win.on]
    if win.quantifier == "no":
        return everywhere & ~_combined(always, win.on_all)
    return _combined(sides, win.on_all)


def _combined(sides: list[int], whole: bool) -> int:
    """The cells that all sides have, or any of them."""
    cells = sides[0]
    for side in sides[1:]:
        cells = cells & side if whole else cells | side
    return cells


def hopeless_cells(tokens: Ways, places: int) -> int:
    """The cells from which a token comes to none of the places, nor where it may be destroyed."""
    return sum(1 << cell for cell, way in enumerate(tokens.ways) if not way & (places | tokens.go))


def ahead_of(tokens: Ways, places: int) -> int:
    """The cells from which a token can come to one of the places."""
    return sum(1 << cell for cell, way in enumerate(tokens.ways) if way & places)
