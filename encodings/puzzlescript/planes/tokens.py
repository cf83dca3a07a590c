"""Where turns can make and destroy objects, and the cells that each of them can come to.

A *token* is a cell that has one of some objects of a layer. The rules say of each cell of a match whether it has a
token before and after. If each rule leaves its tokens where they are, or moves as many as it takes to cells that
have none, their number never changes, and each has a way of its own. A token moves with a movement that a rule
gives it, if no constant object is ahead: which other objects are in its way is left out of account. So the ways
found here are at least those of the game.

A movement without an object would take along what comes to its cell. Layers in which that can happen have no
tokens.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from puzzlemc.encodings.puzzlescript.patterns.rules import MOVEMENTS, Cell, Part, Planes, Rule
from puzzlemc.encodings.puzzlescript.planes.compilation import Compilation
from puzzlemc.encodings.puzzlescript.planes.independence import Known, known
from puzzlemc.screens.puzzlescript.game import DIRECTIONS, Level


class Tokens(NamedTuple):
    """The tokens of some objects.

    objects   their objects
    appear    the cells where a turn may make one, as the bits of a number
    vanish    the cells where a turn may destroy one, likewise
    ways      by cell, the cells that a token there can come to, as the bits of a number; its own is one of them
    """

    objects: frozenset[str]
    appear: int
    vanish: int
    ways: tuple[int, ...]


class _Fate(NamedTuple):
    """What a rule does to the tokens of a cell of a match.

    may, must  whether the cell can have a token before, and whether it has one
    comes      whether it has one after, made or kept by the rule
    goes       whether one that it has may be gone after, and `leaves` whether it is
    """

    may: bool
    must: bool
    comes: bool
    goes: bool
    leaves: bool


@lru_cache(maxsize=16)
def tokens(made: Compilation, objects: frozenset[str]) -> Tokens | None:
    """The tokens of objects of one layer. None if they are of several, or if movements without objects may be."""
    layers = {made.names.layer[name] for name in objects}
    if len(layers) != 1:
        return None
    (layer,) = layers
    rules = [made.rules[number] for number in made.used if made.rules[number].replaces]
    if any(_is_loose(made, rule, layer) for rule in rules if not rule.late):
        return None
    ways = [1 << cell for cell in range(len(made.level.cells))]
    appear = vanish = 0
    for rule in rules:
        parts = [part for row in rule.rows for part in row]
        fates = [[_fate(made, cell, objects) for cell in part] for part in parts]
        jumps = _jumps(made, rule, [fate for each in fates for fate in each], layer)
        for fitting, source, target in jumps:
            for cell in bits_of(fitting):
                ways[cell + source] |= 1 << cell + target
        for part, fates_of_part in zip(parts, fates, strict=True) if not jumps else ():
            cells = where(made, rule, part)
            for number, fate in enumerate(fates_of_part):
                at = shifted(cells, number * made.step(rule))
                appear |= at if fate.comes and not fate.must else 0
                vanish |= at if fate.goes else 0
    for cell, target in _steps(made, [rule for rule in rules if not rule.late], objects, layer):
        ways[cell] |= 1 << target
    return Tokens(objects, appear, vanish, closed(ways))


def _fate(made: Compilation, cell: Cell, objects: frozenset[str]) -> _Fate:
    before = known(cell, made.names, made.possible)
    alive = {name for name in objects if name in made.possible} - before.lacks
    must = any(planes <= objects for planes in before.some) or not objects.isdisjoint(before.has)
    comes = any(cell.changes.get(name) is True for name in objects)
    gone = [cell.changes.get(name) is False for name in alive]
    return _Fate(must or bool(alive), must, comes, not comes and any(gone), not comes and all(gone))


def _jumps(made: Compilation, rule: Rule, fates: list[_Fate], layer: int) -> list[tuple[int, int, int]]:
    """Moves of tokens within matches: the first cells of matches, and the ways from them to both cells.

    None if the rule leaves tokens where they are, or if it may change their number.
    """
    if len(rule.rows) > 1 or len(rule.rows[0]) > 1:
        return []  # a cell may be in two rows of a match
    (part,) = rule.rows[0]
    sources = [number for number, fate in enumerate(fates) if fate.goes]
    targets = [number for number, fate in enumerate(fates) if fate.comes and not fate.must]
    rivals = made.names.objects[layer]
    are_free = all(rivals & made.possible <= known(part[n], made.names, made.possible).lacks for n in targets)
    if len(sources) != len(targets) or not are_free or not all(fates[n].must and fates[n].leaves for n in sources):
        return []
    step = made.step(rule)
    return [(where(made, rule, part), source * step, target * step) for source in sources for target in targets]


def _is_loose(made: Compilation, rule: Rule, layer: int) -> bool:
    """May a rule leave a movement of a layer in a cell without an object of it?"""
    rivals = frozenset(name for name in made.names.layer if made.names.layer[name] == layer)
    cells = [cell for row in rule.rows for part in row for cell in part]
    fates = [_fate(made, cell, rivals) for cell in cells]
    may_overlap = len(rule.rows) > 1 and any(fate.goes for fate in fates)
    for cell, fate in zip(cells, fates, strict=True):
        before = known(cell, made.names, made.possible)
        is_sure = fate.comes or (fate.must and not fate.goes and not may_overlap)
        for movement in MOVEMENTS:
            plane = (layer, movement)
            stays = plane not in cell.changes and plane in made.possible and plane not in before.lacks
            if (fate.goes and stays) or (cell.changes.get(plane) and not is_sure):
                return True
    return False


def _steps(made: Compilation, rules: list[Rule], objects: frozenset[str], layer: int) -> Iterator[tuple[int, int]]:
    """Yield the cells from which a token may move, and those next to them to which it may."""
    able = dict.fromkeys(DIRECTIONS, made.whole if objects & made.level.game.players else 0)
    tokens = [Known(frozenset((name,)), made.names.others(name), ()) for name in objects & made.possible]
    for rule in rules:
        for row in rule.rows:
            for part in row:
                for number, cell in enumerate(part):
                    before, shift = known(cell, made.names, made.possible), number * made.step(rule)
                    comes = any(cell.changes.get(name) for name in objects)
                    if comes or not all(token.excludes(before) for token in tokens):
                        for direction in DIRECTIONS:
                            if cell.changes.get((layer, direction)):
                                able[direction] |= shifted(where(made, rule, part), shift)
    free = made.whole & ~filled(made, layer)
    for direction, cells in able.items():
        for source in bits_of(cells):
            target = next_cell(made.level, source, direction)
            if target is not None and free >> target & 1:
                yield source, target


def next_cell(level: Level, cell: int, direction: str) -> int | None:
    """The number of the cell next to one, None at the border."""
    y, x = divmod(cell, level.width)
    y += (direction == "down") - (direction == "up")
    x += (direction == "right") - (direction == "left")
    return y * level.width + x if 0 <= y < level.height and 0 <= x < level.width else None


def where(made: Compilation, rule: Rule, part: Part) -> int:
    """The first cells from which a part may match, as bits. Constant objects take up their layers."""
    cells = made.fits(rule, part)
    for number, cell in enumerate(part):
        for planes, holds in cell.terms:
            layers = {made.names.layer[plane] for plane in planes if isinstance(plane, str)}
            if holds and len(layers) == 1:
                full = filled(made, min(layers), planes)
                cells &= ~shifted(full, -number * made.step(rule))
    return cells


def filled(made: Compilation, layer: int, without: Planes = frozenset()) -> int:
    """The cells that always have an object of a layer, other than these."""
    cells = 0
    for name, fixed in made.contents.constant.items():
        if made.names.layer[name] == layer and name not in without:
            cells |= fixed
    return cells


def shifted(cells: int, shift: int) -> int:
    """Cells, each moved on by a number of cells."""
    return cells << shift if shift >= 0 else cells >> -shift


def bits_of(number: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set."""
    while number:
        yield (number & -number).bit_length() - 1
        number &= number - 1


def closed(ways: list[int]) -> tuple[int, ...]:
    """For each cell, all that can be reached from it, if `ways` has what can be reached from each by one step.

    What can be reached from an earlier cell is known as a whole: where all cells reach each other, only the first
    of them is a search.
    """
    known = [0] * len(ways)  # 0: not yet
    for start, reached in enumerate(ways):
        waiting = reached
        while waiting:
            cell = (waiting & -waiting).bit_length() - 1
            waiting &= waiting - 1
            if known[cell]:
                reached |= known[cell]
                waiting &= ~known[cell]
            else:
                waiting |= ways[cell] & ~reached
                reached |= ways[cell]
        known[start] = reached
    return tuple(known)
