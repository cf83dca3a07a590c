"""What is sure of a level for all its turns: rules without a match, objects that stay, and the ways of objects.

A *token* is a cell that has one of some objects of a layer. By a rule, the tokens of a match may stay, go, come,
or *jump* from cells that have one to cells whose layer is empty. By a movement, a token comes to the next cell if
no object that stays is there. Movements end with the round. One without an object could move what comes to its
cell, so nothing is said of layers where a rule may leave such a movement.

All of this needs that a cell has at most one object of each layer, at the start and on right sides.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from puzzlemc.encodings.puzzlescript.cells.compilation import (
    Change,
    Compilation,
    Row,
    compilation,
    movement,
    movements,
)
from puzzlemc.encodings.puzzlescript.domain.position import MOVES, Cells
from puzzlemc.screens.puzzlescript.game import Level, Rule


@dataclass
class Facts:
    """What is sure of a level. Cells are bits of a number.

    possible  the mask of the objects that may be somewhere
    starts    the mask of the movements that may be somewhere
    rules     the rules that may match, with their rows
    staying   by number of an object that stays, its cells
    ways      by mask of objects, what `ways_of` has found
    """

    level: Level
    made: Compilation
    possible: int = 0
    starts: int = 0
    rules: list[tuple[Rule, list[Row]]] = field(default_factory=list)
    staying: dict[int, int] = field(default_factory=dict)
    ways: dict[int, "Ways | None"] = field(default_factory=dict)

    @property
    def all_cells(self) -> int:
        """All cells of the level."""
        return (1 << len(self.level.cells)) - 1

    def filled(self, mask: int) -> int:
        """The cells that always have one of the objects of a mask."""
        return _union(cells for number, cells in self.staying.items() if mask >> number & 1)

    def stays(self, mask: int) -> bool:
        """Do all objects of a mask stay, as far as there are any?"""
        return all(number in self.staying for number in _bits(mask & self.possible))

    def matches(self, row: Row, part: list[Change]) -> int:
        """The first cells from which a part of a row may match."""
        cells = _with_room(self.level.width, self.level.height, row.direction, len(part) - 1)
        for number, cell in enumerate(part):
            cells &= moved(self._fitting(cell), -number * self.step(row))
        return cells

    def step(self, row: Row) -> int:
        """The difference between the numbers of a cell of a part and of the next one."""
        return {"up": -self.level.width, "down": self.level.width, "left": -1, "right": 1}[row.direction]

    def _fitting(self, cell: Change) -> int:
        """The cells in which the objects that stay are as a cell of a rule asks for."""
        cells = self.all_cells & ~self.filled(cell.lacks)
        for asked in [*(1 << number for number in _bits(cell.has)), *cell.some]:
            if self.stays(asked):
                cells &= self.filled(asked)
            for layer in self.made.names.layers:
                if not asked & ~layer:
                    cells &= ~self.filled(layer & ~asked)
        return cells


@lru_cache(maxsize=64)
def _with_room(width: int, height: int, direction: str, count: int) -> int:
    """The cells with at least `count` more cells ahead of them on the board."""
    cells = 0
    down, across = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}[direction]
    for first in range(width * height):
        y, x = divmod(first, width)
        y, x = y + down * count, x + across * count
        if 0 <= y < height and 0 <= x < width:
            cells |= 1 << first
    return cells


@lru_cache(maxsize=16)
def facts(level: Level, start: Cells) -> Facts | None:
    """What is sure of a level from a start. None if a cell may have two objects of a layer, or a rule may draw."""
    made = compilation(level.game)
    if not _has_single_objects(made, start):
        return None
    found = Facts(level, made)
    names, rules = made.names, list(zip(level.game.rules, made.rows, strict=True))
    before = -1
    while before != len(rules):
        before = len(rules)
        rules = _possible(found, rules, start)
        cells = [cell for rule, rows in rules if rule.right for row in rows for part in row.parts for cell in part]
        found.staying = {
            number: sum(1 << place for place, here in enumerate(start) if name in here)
            for name, number in names.objects.items()
            if name not in level.game.players
            and found.possible >> number & 1
            and not any(_touches(cell, 1 << number, names.layer[name], names.layers) for cell in cells)
        }
        rules = [
            (rule, rows)
            for rule, rows in rules
            if all(found.matches(row, part) for row in rows for part in row.parts)
        ]
    found.rules = rules
    drawing = {id(rule) for rule, draws in zip(level.game.rules, made.draws, strict=True) if draws}
    # Until a rule that draws applies for the first time, all facts hold; so such a rule is among these.
    return None if any(id(rule) in drawing for rule, _ in rules) else found


def _possible(found: Facts, rules: list[tuple[Rule, list[Row]]], start: Cells) -> list[tuple[Rule, list[Row]]]:
    """Find the objects and movements that may be somewhere. Returns the rules that have all that they ask for.

    In a round, the players have one movement or none; so a rule may have the movements that come from one of them.
    """
    names, layers = found.made.names, {found.made.names.layer[name] for name in found.level.game.players}
    found.possible, found.starts, before = names.mask(frozenset().union(*start)), 0, -1
    able = set[int]()
    while before != found.possible:
        before = found.possible
        for way in MOVES:
            starts, known = _union(movement(layer, way) for layer in layers), (-1, -1)
            while known != (found.possible, starts):
                known = (found.possible, starts)
                for number, (_, rows) in enumerate(rules):
                    if _may_apply(found.possible, starts, rows):
                        able.add(number)
                        for cell in cells_of_rows(rows):
                            found.possible |= cell.adds
                            starts |= cell.starts
            found.starts |= starts
    return [rules[number] for number in sorted(able)]


def _may_apply(possible: int, starts: int, rows: list[Row]) -> bool:
    return all(
        not cell.has & ~possible and not cell.moving & ~starts and all(mask & possible for mask in cell.some)
        for cell in cells_of_rows(rows)
    )


def _has_single_objects(made: Compilation, start: Cells) -> bool:
    """Does each cell have at most one object of a layer, at the start and on right sides?"""
    layer = made.names.layer
    if any(len({layer[name] for name in here}) < len(here) for here in set(start)):
        return False
    added = (cell.adds for rows in made.rows for row in rows for part in row.parts for cell in part)
    return all((adds & mask).bit_count() <= 1 for adds in added for mask in made.names.layers)


def _touches(cell: Change, thing: int, layer: int, layers: Sequence[int]) -> bool:
    """May a rule add, remove or move the object of a mask, which is of this layer, in a cell?"""
    mask, ways = layers[layer], movements(layer)
    may_be_here = bool(cell.has & thing) or not (
        cell.has & mask or cell.lacks & thing or any(some & mask and not some & thing for some in cell.some)
    )
    if cell.adds & thing and not cell.has & thing:
        return True
    if may_be_here and cell.removes & thing and not cell.adds & thing:
        return True
    moving = cell.moving & ways
    is_moved = cell.starts & ways and (not moving or (moving & ~cell.stops | cell.starts & ways) != moving)
    return bool(is_moved) and may_be_here


@dataclass
class Ways:
    """The cells where turns may make a token, and may destroy one; by cell, the cells that one can come to."""

    come: int
    go: int
    ways: list[int]


class _Fate:
    """What a rule does to the tokens of a cell of a match.

    may_be_there, is_there  before
    comes                   whether the cell has one after, made or kept
    may_go, goes            whether one that is there may be gone after, and whether it is
    """

    def __init__(self, found: Facts, cell: Change, tokens: int, layer: int) -> None:
        here = tokens & found.possible & ~cell.lacks
        for asked in [*(1 << number for number in _bits(cell.has)), *cell.some]:
            if not asked & ~layer:
                here &= asked
        asked_for = [cell.has & tokens, *(mask & found.possible for mask in cell.some)]
        self.is_there = any(mask and not mask & ~tokens for mask in asked_for)
        self.comes = bool(cell.adds & tokens)
        self.may_go = not self.comes and bool(here & cell.removes)
        self.goes = self.is_there and not self.comes and not here & ~cell.removes
        self.may_be_there = bool(here)


def ways_of(found: Facts, tokens: int) -> Ways | None:
    """The ways of tokens. None if nothing is known of them: objects of several layers, or a movement alone."""
    if tokens not in found.ways:
        found.ways[tokens] = _ways_of(found, tokens)
    return found.ways[tokens]


def _ways_of(found: Facts, tokens: int) -> Ways | None:
    layers = [(number, mask) for number, mask in enumerate(found.made.names.layers) if mask & tokens]
    if len(layers) != 1:
        return None
    ((number, layer),) = layers
    rules = [(rule, rows) for rule, rows in found.rules if rule.right]
    if any(_leaves_movement(found, rows, number, layer) for rule, rows in rules if not rule.late):
        return None
    made = Ways(0, 0, [1 << cell for cell in range(len(found.level.cells))])
    for _, rows in rules:
        fates = [_Fate(found, cell, tokens, layer) for cell in cells_of_rows(rows)]
        jumps = list(_jumps(found, rows, fates, layer))
        for source, target in jumps:
            made.ways[source] |= 1 << target
        if not jumps:
            for fate, cells in zip(fates, _cells_of_matches(found, rows), strict=True):
                made.come |= cells if fate.comes and not fate.is_there else 0
                made.go |= cells if fate.may_go else 0
    for source, target in _steps(found, [rows for rule, rows in rules if not rule.late], tokens, (number, layer)):
        made.ways[source] |= 1 << target
    made.ways = [_reached(made.ways, cell) for cell in range(len(made.ways))]
    return made


def _cells_of_matches(found: Facts, rows: list[Row]) -> Iterator[int]:
    """Yield for each cell of a rule, in order, where it may be."""
    for row in rows:
        for part in row.parts:
            starts = found.matches(row, part)
            yield from (moved(starts, number * found.step(row)) for number in range(len(part)))


def _reached(ways: list[int], start: int) -> int:
    """All cells that can be reached from a cell, itself included."""
    reached, waiting = 1 << start, [start]
    while waiting:
        for cell in _bits(ways[waiting.pop()] & ~reached):
            reached |= 1 << cell
            waiting.append(cell)
    return reached


def _jumps(found: Facts, rows: list[Row], fates: list[_Fate], layer: int) -> Iterator[tuple[int, int]]:
    """Yield cells that lose a token and cells that get it, if a rule moves all that it touches."""
    if len(rows) != 1 or len(rows[0].parts) != 1:
        return
    part = rows[0].parts[0]
    losing = [number for number, fate in enumerate(fates) if fate.may_go]
    getting = [number for number, fate in enumerate(fates) if fate.comes and not fate.is_there]
    are_empty = all(not layer & found.possible & ~part[number].lacks for number in getting)
    if len(losing) == len(getting) and are_empty and all(fates[number].goes for number in losing):
        step = found.step(rows[0])
        for first in _bits(found.matches(rows[0], part)):
            for source in losing:
                for target in getting:
                    yield first + source * step, first + target * step


def _leaves_movement(found: Facts, rows: list[Row], number: int, layer: int) -> bool:
    """May a rule leave a movement of a layer in a cell without an object of it?"""
    cells = list(cells_of_rows(rows))
    fates = [_Fate(found, cell, layer, layer) for cell in cells]
    may_share = len(rows) > 1 and any(fate.may_go for fate in fates)  # two rows may match in one cell
    for cell, fate in zip(cells, fates, strict=True):
        ways = movements(number) & found.starts & ~cell.still
        ways = ways & cell.moving or ways
        is_sure = fate.comes or (fate.is_there and not fate.may_go and not may_share)
        if (fate.may_go and ways & ~cell.stops) or (cell.starts & movements(number) and not is_sure):
            return True
    return False


def _steps(found: Facts, rules: list[list[Row]], tokens: int, at: tuple[int, int]) -> Iterator[tuple[int, int]]:
    """Yield cells and next cells between which a token may move."""
    number, layer = at
    moving = dict.fromkeys(MOVES[:4], 0)
    if tokens & found.made.names.mask(found.level.game.players):
        moving = dict.fromkeys(moving, found.all_cells)
    for row in (row for rows in rules for row in rows):
        for part in row.parts:
            for place, cell in enumerate(part):
                fate = _Fate(found, cell, tokens, layer)
                ways = [way for way in moving if cell.starts & movement(number, way)]
                if ways and (fate.may_be_there or fate.comes):
                    cells = moved(found.matches(row, part), place * found.step(row))
                    for way in ways:
                        moving[way] |= cells
    free = found.all_cells & ~found.filled(layer)
    for way, (down, across) in zip(MOVES, ((-1, 0), (0, -1), (1, 0), (0, 1)), strict=False):
        for source in _bits(moving[way]):
            y, x = source // found.level.width + down, source % found.level.width + across
            target = y * found.level.width + x
            if 0 <= y < found.level.height and 0 <= x < found.level.width and free >> target & 1:
                yield source, target


def moved(cells: int, step: int) -> int:
    """Cells, each moved on by a number of cells."""
    return cells << step if step >= 0 else cells >> -step


def cells_of_rows(rows: list[Row]) -> Iterator[Change]:
    """Yield the cells of all rows of a rule."""
    return (cell for row in rows for part in row.parts for cell in part)


def _union(masks: Iterator[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


def _bits(mask: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set."""
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1
