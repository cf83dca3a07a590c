"""Empty rooms that look made: templates stitched together, or chambers carved out and joined.

Templates as by Taylor and Parberry (Procedural Generation of Sokoban Levels, 2011): pieces of 3×3 cells, each with
what it asks of the ring of 16 cells around it, are turned and mirrored at random and laid side by side where
what they ask fits. Some cells are changed at random. What comes out is accepted where it is one piece as large as
it shall be, with room to move, and neither a hall nor a tunnel.
"""

import random
from collections.abc import Iterable

from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead
from puzzlemc.screens.sokoban import Cell

FLOOR, WALL, ANY = " ", "#", "?"

# Inside is the piece, around it what it asks of its neighbours.
TEMPLATES = tuple(
    tuple(drawing.split("|"))
    for drawing in (
        "?????|?   ?|?   ?|?   ?|?????",
        "?????|?#  ?|?   ?|?   ?|?????",
        "??? ?|?## ?|?#  ?|?   ?|?????",
        "?????|?###?|?   ?|?   ?|?????",
        "? ? ?|? # ?|?   ?|?   ?|?????",
        "?????|?#  ?|?   ?|?  #?|?????",
        "?? ??|?# #?|     |?# #?|?? ??",
        "?? ??|?# #?|?#   |?###?|?????",
        "?? ??|?# #?|?# #?|?# #?|?? ??",
        "?? ??|?# #?|     |?###?|?????",
        "?????|?# #?|?#  ?|?#  ?|?????",
        "?????|?   ?|? # ?|?   ?|?????",
        "?????|?   ?|?## ?|?   ?|?????",
        "?????|?###?|?## ?|?#  ?|??  ?",
        "?????|?###?|?###?|?###?|?????",
        "? ???|? ##?|?  #?|?#  ?|??? ?",
        "?????|?# #?|?    |?   ?|?????",
    )
)
BRUSHES = ((1, 2), (1, 3), (2, 2), (2, 2), (2, 3), (2, 3), (2, 4), (3, 3))
TRIES = 12  # to lay a piece
CHANGED = 12  # of so many cells, one is turned from floor to wall or back, at most
LEAST_FLOOR, MOST_FLOOR = 0.34, 0.72  # share of the inside of the walls
LEAST_ROOMY = 0.55  # share of the floor that is part of a square of 2×2
HALL = (3, 4)  # the sides of a free rectangle that is too large


def empty_room(width: int, height: int, chance: random.Random) -> frozenset[Cell] | None:
    """The floor of a room with walls around it, so wide and so high with them; None where it is no good.

    The floor is connected and touches the outer walls on all four sides.
    """
    make = chance.choice((_stitched, _carved, _brushed))
    floor = make(width - 2, height - 2, chance)
    if not floor:
        return None
    floor ^= {
        (chance.randint(1, height - 2), chance.randint(1, width - 2))
        for _ in range(chance.randint(0, width * height // CHANGED))
    }
    floor = _largest_part(floor)
    return floor if fills(floor, width, height) and is_good(floor, width, height) else None


def fills(floor: frozenset[Cell], width: int, height: int) -> bool:
    """Does the floor touch the outer walls on all four sides?"""
    rows, columns = {row for row, _ in floor}, {column for _, column in floor}
    return {1, height - 2} <= rows and {1, width - 2} <= columns


def is_good(floor: frozenset[Cell], width: int, height: int) -> bool:
    """Is there floor enough and not too much, no hall, and not all of it a tunnel?"""
    inside = (width - 2) * (height - 2)
    if not LEAST_FLOOR * inside <= len(floor) <= MOST_FLOOR * inside:
        return False
    return not has_hall(floor) and roomy(floor) >= LEAST_ROOMY * len(floor)


def has_hall(floor: frozenset[Cell]) -> bool:
    """Is there a free rectangle of 3×4 cells?"""
    return any(
        all((row + down, column + right) in floor for down in range(high) for right in range(wide))
        for high, wide in (HALL, HALL[::-1])
        for row, column in floor
    )


def roomy(floor: frozenset[Cell]) -> int:
    """How many cells are part of a free square of 2×2 cells."""
    found = set[Cell]()
    for row, column in floor:
        square = {(row, column), (row + 1, column), (row, column + 1), (row + 1, column + 1)}
        if square <= floor:
            found |= square
    return len(found)


def without_dead_ends(floor: frozenset[Cell], kept: Iterable[Cell] = ()) -> frozenset[Cell]:
    """The floor without cells that have one neighbour or none, again and again; but what is kept stays."""
    left, stay = set(floor), frozenset(kept)
    waiting = list(floor - stay)
    while waiting:
        cell = waiting.pop()
        if cell in left and cell not in stay:
            around = [other for other in _around(cell) if other in left]
            if len(around) < 2:
                left.remove(cell)
                waiting += around
    return frozenset(left)


def _around(cell: Cell) -> list[Cell]:
    return [ahead(cell, direction) for direction in DIRECTIONS.values()]


def _largest_part(floor: frozenset[Cell]) -> frozenset[Cell]:
    parts, left = [], set(floor)
    while left:
        part, waiting = set[Cell](), [min(left)]
        while waiting:
            cell = waiting.pop()
            if cell in left:
                left.remove(cell)
                part.add(cell)
                waiting += _around(cell)
        parts.append(frozenset(part))
    return max(parts, key=len, default=frozenset())


def _stitched(width: int, height: int, chance: random.Random) -> frozenset[Cell]:
    """Templates side by side, cut to that size from anywhere in what they cover."""
    across, down = -(-width // 3), -(-height // 3)
    asked: dict[Cell, str] = {}
    for row in range(0, 3 * down, 3):
        for column in range(0, 3 * across, 3):
            for _ in range(TRIES):
                piece = _turned(chance.choice(TEMPLATES), chance)
                cells = {
                    (row + r, column + c): letter
                    for r, line in enumerate(piece, -1)
                    for c, letter in enumerate(line, -1)
                    if letter != ANY and 0 <= row + r < 3 * down and 0 <= column + c < 3 * across
                }
                if all(asked.get(cell, letter) == letter for cell, letter in cells.items()):
                    asked |= cells
                    break
            else:
                return frozenset()
    top, left = chance.randint(0, 3 * down - height), chance.randint(0, 3 * across - width)
    return frozenset(
        (row - top + 1, column - left + 1)
        for (row, column), letter in asked.items()
        if letter == FLOOR and top <= row < top + height and left <= column < left + width
    )


def _turned(piece: tuple[str, ...], chance: random.Random) -> tuple[str, ...]:
    turn = chance.randrange(8)
    if turn & 1:
        piece = piece[::-1]
    if turn & 2:
        piece = tuple(line[::-1] for line in piece)
    if turn & 4:
        piece = tuple("".join(column) for column in zip(*piece, strict=True))
    return piece


def _carved(width: int, height: int, chance: random.Random) -> frozenset[Cell]:
    """Chambers, each joined to the next by a passage with one corner; then pillars in what is too large."""
    floor = set[Cell]()
    before: Cell | None = None
    for _ in range(max(2, round(width * height / 14))):
        high, wide = chance.randint(2, min(4, height)), chance.randint(2, min(4, width))
        row, column = chance.randint(1, height - high + 1), chance.randint(1, width - wide + 1)
        floor |= {(row + r, column + c) for r in range(high) for c in range(wide)}
        middle = row + chance.randrange(high), column + chance.randrange(wide)
        if before is not None:
            corner = (before[0], middle[1]) if chance.random() < 0.5 else (middle[0], before[1])
            floor |= _line(before, corner) | _line(corner, middle)
        before = middle
    for cell in chance.sample(sorted(floor), len(floor)):
        around = {(cell[0] + r, cell[1] + c) for r in (-1, 0, 1) for c in (-1, 0, 1)}
        if around <= floor and chance.random() < 0.8:
            floor.remove(cell)
    return frozenset(floor)


def _brushed(width: int, height: int, chance: random.Random) -> frozenset[Cell]:
    """Small rectangles that overlap or touch, until there is enough floor, and all four walls are reached."""
    wanted = chance.uniform(LEAST_FLOOR, MOST_FLOOR) * width * height
    floor = set[Cell]()
    while len(floor) < wanted or not fills(frozenset(floor), width + 2, height + 2):
        high, wide = chance.choice(BRUSHES)
        if chance.random() < 0.5:
            high, wide = wide, high
        if min(width - wide, height - high) < 0:
            continue
        row, column = chance.randint(1, height - high + 1), chance.randint(1, width - wide + 1)
        stroke = {(row + r, column + c) for r in range(high) for c in range(wide)}
        if not floor or any(beside in floor for cell in stroke for beside in _around(cell)):
            floor |= stroke
    return frozenset(floor)


def _line(one: Cell, other: Cell) -> set[Cell]:
    rows = range(min(one[0], other[0]), max(one[0], other[0]) + 1)
    columns = range(min(one[1], other[1]), max(one[1], other[1]) + 1)
    return {(row, column) for row in rows for column in columns}
