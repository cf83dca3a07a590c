"""How an object can leave its cell, what keeps it there, and what is lost if too many never leave theirs.

An object leaves its cell if a rule removes it, or gives it a movement to a cell in reach. A rule applies nowhere
where an object is that it does not allow, and nothing moves to a cell that has an object of its layer. So each
*escape* has blockers, objects in cells: if they are frozen, it never happens (see `mc/steps/frozen.py`).

Objects in cells are bits of numbers: bit `place(name, cell)`. Which other objects come and go is left out of
account, as are the movements that a rule asks for: so the escapes found here are at least those of the game.
Players have none here, and count as free.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from puzzlemc.encodings.puzzlescript.patterns.rules import Part, Rule
from puzzlemc.encodings.puzzlescript.planes.bounds import dead_cells
from puzzlemc.encodings.puzzlescript.planes.compilation import Compilation
from puzzlemc.encodings.puzzlescript.planes.independence import known
from puzzlemc.encodings.puzzlescript.planes.tokens import bits_of, filled, next_cell, shifted, tokens, where
from puzzlemc.mc.steps.frozen import Demand, Escape, FrozenBits
from puzzlemc.screens.puzzlescript.game import DIRECTIONS, Game, Win

MOST_ESCAPES = 40_000  # of a level
MOST_DEMANDS = 64
GONE = -1  # the target of an escape by a rule


class Way(NamedTuple):
    """The objects that block an escape, as bits, and the cell that the object comes to, or GONE."""

    blockers: int
    target: int


class CellDemand(NamedTuple):
    """What the objects of a side of a win condition have to do. Sets of cells are bits of a number.

    At least `least` of the cells `counted` have one of the objects, without those that are frozen in `useless`
    cells; `forbidden` cells have none.
    """

    objects: frozenset[str]
    counted: int
    least: int
    useless: int
    forbidden: int


Ways: TypeAlias = Mapping[str, tuple[frozenset[Way], ...]]  # of each object, by cell


def place(game: Game, size: int, name: str, cell: int) -> int:
    """The number of the bit of an object in a cell of a level with `size` cells."""
    return game.objects.index(name) * size + cell


def demands(made: Compilation) -> list[CellDemand]:
    """What each win condition demands, as far as it is about frozen objects."""
    if made.wins_without_conditions:
        return []
    moving = frozenset(made.contents.objects) - made.level.game.players
    found = [demand for win in made.wins for demand in _demands_of(made, win)]
    return [demand for demand in found if demand.useless and demand.objects & moving][:MOST_DEMANDS]


def _demands_of(made: Compilation, win: Win) -> Iterator[CellDemand]:
    if win.quantifier == "some":
        return
    on_sure, on_may = made.side(win.on, win.on_all)
    if not win.subject_all or len(win.subject) == 1:
        places = made.whole & ~on_sure if win.quantifier == "no" else on_may
        subject = tokens(made, win.subject)
        forbidden = 0 if subject is None else dead_cells(subject, places)
        yield CellDemand(win.subject, 0, 0, made.whole & ~places, forbidden)
    if win.quantifier == "all" and win.on and (not win.on_all or len(win.on) == 1):
        targets, _ = made.side(win.subject, win.subject_all)
        on = tokens(made, win.on)
        counted = 0 if on is None else sum(1 << cell for cell, way in enumerate(on.ways) if way & targets)
        if on is not None and counted and not on.appear & counted:
            yield CellDemand(win.on, counted, targets.bit_count(), counted & ~targets, 0)


def escapes(made: Compilation) -> Ways:
    """The escapes of the objects that change, without players. No object has any if there are too many."""
    size = len(made.level.cells)
    objects = [name for name in made.contents.objects if name not in made.level.game.players]
    found: dict[str, list[set[Way]]] = {name: [set() for _ in range(size)] for name in objects}
    count = 0
    for number in made.used:
        rule = made.rules[number]
        for part in (part for row in rule.rows for part in row if rule.replaces):
            for name, cell, escape in _escapes_by(made, rule, part, objects):
                found[name][cell].add(escape)
                count += 1
                if count > MOST_ESCAPES:
                    return {}
    return {name: tuple(map(_least, cells)) for name, cells in found.items()}


def _least(escapes: set[Way]) -> frozenset[Way]:
    """The escapes but those with all blockers of another one to the same cell, which are blocked before it."""
    kept = list[Way]()
    for escape in sorted(escapes, key=lambda each: each.blockers.bit_count()):
        if not any(each.target == escape.target and not each.blockers & ~escape.blockers for each in kept):
            kept.append(escape)
    return frozenset(kept)


def _escapes_by(made: Compilation, rule: Rule, part: Part, objects: list[str]) -> Iterator[tuple[str, int, Way]]:
    """Yield the escapes by a part of a rule: objects, their cells, and the escapes."""
    game, size, step = made.level.game, len(made.level.cells), made.step(rule)
    starts = where(made, rule, part)
    before = [known(cell, made.names, made.possible) for cell in part]
    offset = len(part) * abs(step)  # so that cells behind the first one have bits, too
    blocking = 0  # what blocks a match that begins in cell 0
    for number, each in enumerate(before):
        for name in each.lacks.intersection(objects):
            blocking |= 1 << place(game, size, str(name), number * step) + offset
    for number, (cell, each) in enumerate(zip(part, before, strict=True)):
        for name in objects:
            layer = made.names.layer[name]
            ways = [way for way in DIRECTIONS if not rule.late and cell.changes.get((layer, way))]
            goes = cell.changes.get(name) is False
            if name in each.lacks or not (ways or goes):
                continue
            full = filled(made, layer)
            rivals = sum(1 << place(game, size, each, 0) for each in objects if made.names.layer[each] == layer)
            for first in bits_of(starts & ~shifted(full, -number * step)):
                here = first + number * step
                blockers = blocking << first >> offset
                if goes:
                    yield name, here, Way(blockers, GONE)
                for way in ways:
                    target = next_cell(made.level, here, way)
                    if target is not None and not full >> target & 1:
                        yield name, here, Way(blockers | rivals << target, target)


def frozen_bits(made: Compilation, ways: Ways, asked: Sequence[CellDemand], words: int) -> FrozenBits:
    """The escapes of bits of packed states of `words` words, of those that may freeze at all, and the demands."""
    size = len(made.level.cells)
    live = _live(made, ways, asked)
    if not _are_useless(made, live, asked):
        return FrozenBits(words)
    planes = {made.level.game.objects.index(name): number for number, name in enumerate(made.contents.objects)}
    bit = {each: planes[each // size] * size + each % size for each in live}
    escapes = {
        bit[each]: [
            Escape(frozenset(bit[other] for other in bits_of(blockers) if other in live), ruined)
            for blockers, ruined in leading
        ]
        for each, leading in live.items()
    }
    return FrozenBits(words, escapes, [_demand(made, each) for each in asked])


def may_lose(made: Compilation, ways: Ways, asked: Sequence[CellDemand]) -> bool:
    """May an object freeze where a demand cannot use it?"""
    return _are_useless(made, _live(made, ways, asked), asked)


def _live(
    made: Compilation, ways: Ways, asked: Sequence[CellDemand]
) -> dict[int, list[tuple[int, frozenset[int]]]]:
    """The bits that may freeze, with the blockers of their escapes, and the demands for which each is ruinous."""
    game, size = made.level.game, len(made.level.cells)
    escapes = {
        place(game, size, name, cell): [(way.blockers, _ruined(asked, name, cell, way)) for way in leading]
        for name, cells in ways.items()
        for cell, leading in enumerate(cells)
    }
    live, before = sum(1 << each for each in escapes), -1
    while live != before:
        before = live
        for each in bits_of(live):
            if any(not blockers & live and not ruined for blockers, ruined in escapes[each]):
                live ^= 1 << each
    return {each: escapes[each] for each in bits_of(live)}


def _are_useless(made: Compilation, bits: Iterable[int], asked: Sequence[CellDemand]) -> bool:
    """Is one of these bits an object in a cell where a demand cannot use it?"""
    game, size = made.level.game, len(made.level.cells)
    return any(
        game.objects[each // size] in demand.objects and demand.useless >> each % size & 1
        for each in bits
        for demand in asked
    )


def _demand(made: Compilation, demand: CellDemand) -> Demand:
    """A demand on the bits of packed states, which have no objects that never change."""
    size = len(made.level.cells)
    planes = [number for number, name in enumerate(made.contents.objects) if name in demand.objects]
    counted, useless, forbidden = (
        frozenset(number * size + cell for number in planes for cell in bits_of(cells))
        for cells in (demand.counted, demand.useless, demand.forbidden)
    )
    fixed = 0
    for name in demand.objects:
        fixed |= demand.counted & made.contents.constant.get(name, 0)
    return Demand(counted, demand.least - fixed.bit_count(), useless, forbidden)


def _ruined(asked: Sequence[CellDemand], name: str, cell: int, way: Way) -> frozenset[int]:
    """The demands that break by a move if nothing is to spare."""
    return frozenset(
        number
        for number, demand in enumerate(asked)
        if name in demand.objects
        and way.target != GONE
        and (
            (demand.counted >> cell & 1 and not demand.counted >> way.target & 1)
            or demand.forbidden >> way.target & 1
        )
    )
