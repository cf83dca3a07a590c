"""What objects need to leave their cells, and what is lost if they never do, for the check of positions left out.

An object leaves its cell when a rule removes or displaces it, or when it moves to the next one. A rule has no
match where a cell has an object that it does not allow; a movement ends at an object of its layer. So objects hold
each other in place. The greatest set of objects that do so stays for ever: the first of them to leave its cell
would have to leave it while all others are in theirs. What a match asks for otherwise is taken to be there.

A place is an object in a cell, with the number `object × cells + cell`; sets of places are bits of a number.
"""

from collections.abc import Iterator
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from puzzlemc.encodings.puzzlescript.cells.bounds import MOST_CELLS, ahead_of, hopeless_cells, sometimes
from puzzlemc.encodings.puzzlescript.cells.compilation import Change, Row, movement, restart_wins
from puzzlemc.encodings.puzzlescript.cells.frozen import FrozenObjects
from puzzlemc.encodings.puzzlescript.cells.ways import Facts, facts, ways_of
from puzzlemc.encodings.puzzlescript.domain.position import MOVES, Cells
from puzzlemc.screens.puzzlescript.game import Level, Win

MOST_WAYS_OUT = 100_000  # of a level
MOST_NEEDS = 64
REMOVED = -1
STEPS = ((-1, 0), (0, -1), (1, 0), (0, 1))  # down and across, by movement


class WayOut(NamedTuple):
    """Places that keep it shut while they have their objects, and the cell where it leads, or REMOVED."""

    blockers: int
    target: int


class Need(NamedTuple):
    """What a win condition needs of objects; all but `objects` and `least` are cells, bits of a number.

    At least `least` of the cells `counted` have one of the objects, where those that stay in `useless` cells for
    ever do not count. No cell of `forbidden` has one.
    """

    objects: frozenset[str]
    counted: int
    least: int
    useless: int
    forbidden: int


class Escapes(NamedTuple):
    """The ways out of places, by name of the object and by cell, and the needs of the win conditions."""

    ways: dict[str, tuple[frozenset[WayOut], ...]]
    needs: tuple[Need, ...]


@lru_cache(maxsize=16)
def escapes(level: Level, start: Cells) -> Escapes:
    """The ways out of the objects that may change, without players, and the needs. Empty if nothing is sure."""
    found = facts(level, start) if len(level.cells) <= MOST_CELLS else None
    if found is None or restart_wins(level) or any("win" in rule.commands for rule, _ in found.rules):
        return Escapes({}, ())
    needs = tuple(need for win in level.game.wins for need in _needs_of(win, found) if need.useless)[:MOST_NEEDS]
    return Escapes(_all_ways_out(found) if needs else {}, needs)


def _needs_of(win: Win, found: Facts) -> Iterator[Need]:
    mask = found.made.names.mask
    if win.quantifier == "some":
        return
    if not win.subject_all or len(win.subject) == 1:
        places, subject = sometimes(found, win), ways_of(found, mask(win.subject))
        forbidden = 0 if subject is None else hopeless_cells(subject, places)
        yield Need(win.subject, 0, 0, found.all_cells & ~places, forbidden)
        if win.quantifier == "all" and win.on and (not win.on_all or len(win.on) == 1):
            on, targets = ways_of(found, mask(win.on)), found.filled(mask(win.subject))
            counted = 0 if on is None else ahead_of(on, targets)
            if on is not None and counted and not on.come & counted:
                yield Need(win.on, counted, targets.bit_count(), counted & ~targets, 0)


def _all_ways_out(found: Facts) -> dict[str, tuple[frozenset[WayOut], ...]]:
    names, size = found.made.names, len(found.level.cells)
    moving = {
        name: number
        for name, number in names.objects.items()
        if found.possible >> number & 1 and number not in found.staying and name not in found.level.game.players
    }
    made: dict[str, list[set[WayOut]]] = {name: [set() for _ in range(size)] for name in moving}
    count = 0
    for rule, rows in found.rules:
        for row in rows if rule.right else []:
            for part in row.parts:
                for name, cell, way in _ways_out(found, (rule.late, row), part, moving):
                    made[name][cell].add(way)
                    count += 1
                    if count > MOST_WAYS_OUT:
                        return {}
    return {name: tuple(map(frozenset, cells)) for name, cells in made.items()}


def _ways_out(
    found: Facts, of: tuple[bool, Row], part: list[Change], moving: dict[str, int]
) -> Iterator[tuple[str, int, WayOut]]:
    """Yield objects, their cells and ways out by a part of a rule: `of` says whether it is late, and its row."""
    (is_late, row), names, size = of, found.made.names, len(found.level.cells)
    step, starts = found.step(row), found.matches(row, part)
    barred = [_barred(found, cell) for cell in part]
    shutting = [
        other * size + number * step
        for number, mask in enumerate(barred)
        for other in moving.values()
        if mask >> other & 1
    ]
    for number, (cell, mask) in enumerate(zip(part, barred, strict=True)):
        for name, thing in moving.items():
            layer = names.layers[names.layer[name]]
            goes = cell.removes & ~cell.adds & 1 << thing
            moves = [] if is_late else [way for way in MOVES[:4] if cell.starts & movement(names.layer[name], way)]
            if mask >> thing & 1 or not (goes or moves):
                continue
            filled, rivals = found.filled(layer), [other for other in moving.values() if layer >> other & 1]
            for first in (cell for cell in range(size) if starts >> cell & 1):
                here = first + number * step
                if filled >> here & 1:
                    continue
                shut = _places(first + offset for offset in shutting)
                if goes:
                    yield name, here, WayOut(shut, REMOVED)
                for target in _targets(found.level, here, moves):
                    if not filled >> target & 1:
                        yield name, here, WayOut(shut | _places(n * size + target for n in rivals), target)


def _targets(level: Level, cell: int, moves: list[str]) -> Iterator[int]:
    """Yield the cells next to one by these movements."""
    for way in moves:
        down, across = STEPS[MOVES.index(way)]
        y, x = cell // level.width + down, cell % level.width + across
        if 0 <= y < level.height and 0 <= x < level.width:
            yield y * level.width + x


def _places(numbers: Iterator[int]) -> int:
    """A set of places."""
    return sum(1 << number for number in set(numbers))


def _barred(found: Facts, cell: Change) -> int:
    """The mask of the objects that are not in a cell of a match."""
    mask = cell.lacks
    for asked in [*(1 << number for number in _bits(cell.has)), *cell.some]:
        alive = asked & found.possible
        for layer in found.made.names.layers:
            if not asked & ~layer or (alive & layer and alive & (alive - 1) == 0):
                mask |= layer & ~asked
    return mask


def frozen_objects(level: Level, start: Cells) -> FrozenObjects:
    """The ways out and the needs of a level, for the check of boards."""
    found, size, objects = escapes(level, start), len(level.cells), level.game.objects
    known = np.zeros(len(objects) * size, np.uint8)
    rows = list[tuple[int, int, list[int]]]()
    for name, cells in found.ways.items():
        for cell, ways in enumerate(cells):
            place = objects.index(name) * size + cell
            known[place] = 1
            rows += [(place, _ruined(found.needs, name, cell, way), list(_bits(way.blockers))) for way in ways]
    needs = np.zeros((3, len(found.needs), len(known)), np.uint8)
    for number, need in enumerate(found.needs):
        for kind, some in enumerate((need.counted, need.useless, need.forbidden)):
            for name in need.objects:
                needs[kind, number, [objects.index(name) * size + cell for cell in _bits(some)]] = 1
    least, (counted, useless, forbidden) = [need.least for need in found.needs], needs
    rows.sort(key=itemgetter(0))
    return FrozenObjects((len(objects), size), rows, known, least, (counted, useless, forbidden))


def _ruined(needs: tuple[Need, ...], name: str, cell: int, way: WayOut) -> int:
    """The needs that break if an object takes a way out while none is to spare, as bits."""
    ruined = 0
    for number, need in enumerate(needs):
        if name in need.objects and way.target != REMOVED:
            leaves = need.counted >> cell & 1 and not need.counted >> way.target & 1
            if leaves or need.forbidden >> way.target & 1:
                ruined |= 1 << number
    return ruined


def _bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1
