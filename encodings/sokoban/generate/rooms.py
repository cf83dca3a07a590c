"""Random empty rooms: templates side by side, chambers joined by passages, or overlapping rectangles.

The templates are those of Taylor and Parberry (Procedural Generation of Sokoban Levels, 2011): pieces of 3×3
cells, each with requirements on the 16 cells around it. They are rotated and mirrored at random, and laid side by
side if all requirements hold. Then a few random cells are changed. A room is accepted if it is connected, has the
requested size and enough space to move in, and has no large empty rectangle.
"""

import random
from collections.abc import Iterable

from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead
from puzzlemc.screens.sokoban import Cell

FLOOR, WALL, ANY = " ", "#", "?"

# Five rows of five cells: the piece in the middle, and around it the cells that it requires.
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
TRIES = 12  # templates tried for one place
CELLS_PER_CHANGE = 12  # at most one random change for this number of cells
LEAST_FLOOR, MOST_FLOOR = 0.34, 0.72  # floor as a share of the cells inside the outer walls
LEAST_ROOMY = 0.55  # the share of the floor in empty squares of 2×2 cells
HALL = (3, 4)  # an empty rectangle with these sides is too large


def empty_room(width: int, height: int, rng: random.Random) -> frozenset[Cell] | None:
    """The floor of a random room; None if the attempt is not accepted.

    Width and height include the outer walls. The floor is connected and touches all four outer walls.
    """
    make = rng.choice((_stitched, _carved, _brushed))
    floor = make(width - 2, height - 2, rng)
    if not floor:
        return None
    floor ^= {
        (rng.randint(1, height - 2), rng.randint(1, width - 2))
        for _ in range(rng.randint(0, width * height // CELLS_PER_CHANGE))
    }
    floor = _largest_component(floor)
    return floor if fills(floor, width, height) and is_good(floor, width, height) else None


def fills(floor: frozenset[Cell], width: int, height: int) -> bool:
    """Does the floor touch all four outer walls?"""
    rows, columns = {row for row, _ in floor}, {column for _, column in floor}
    return {1, height - 2} <= rows and {1, width - 2} <= columns


def is_good(floor: frozenset[Cell], width: int, height: int) -> bool:
    """Is the floor neither too small nor too large, without a large empty rectangle, and not mainly tunnels?"""
    inside = (width - 2) * (height - 2)
    if not LEAST_FLOOR * inside <= len(floor) <= MOST_FLOOR * inside:
        return False
    return not has_hall(floor) and roomy(floor) >= LEAST_ROOMY * len(floor)


def has_hall(floor: frozenset[Cell]) -> bool:
    """Is there an empty rectangle of 3×4 or 4×3 cells?"""
    return any(
        all((row + down, column + right) in floor for down in range(high) for right in range(wide))
        for high, wide in (HALL, HALL[::-1])
        for row, column in floor
    )


def roomy(floor: frozenset[Cell]) -> int:
    """The number of cells that are part of an empty square of 2×2 cells."""
    found = set[Cell]()
    for row, column in floor:
        square = {(row, column), (row + 1, column), (row, column + 1), (row + 1, column + 1)}
        if square <= floor:
            found |= square
    return len(found)


def without_dead_ends(floor: frozenset[Cell], kept: Iterable[Cell] = ()) -> frozenset[Cell]:
    """The floor after repeatedly removing cells with fewer than two neighbours, except the `kept` cells."""
    left, stay = set(floor), frozenset(kept)
    stack = list(floor - stay)
    while stack:
        cell = stack.pop()
        if cell in left and cell not in stay:
            around = [other for other in _neighbours(cell) if other in left]
            if len(around) < 2:
                left.remove(cell)
                stack += around
    return frozenset(left)


def _neighbours(cell: Cell) -> list[Cell]:
    return [ahead(cell, direction) for direction in DIRECTIONS.values()]


def component(cells: frozenset[Cell], start: Cell) -> frozenset[Cell]:
    """The connected component of the cells that contains the start cell."""
    found, stack = set[Cell](), [start]
    while stack:
        cell = stack.pop()
        if cell in cells and cell not in found:
            found.add(cell)
            stack += _neighbours(cell)
    return frozenset(found)


def _largest_component(floor: frozenset[Cell]) -> frozenset[Cell]:
    components = []
    while floor:
        components.append(component(floor, min(floor)))
        floor -= components[-1]
    return max(components, key=len, default=frozenset())


def _stitched(width: int, height: int, rng: random.Random) -> frozenset[Cell]:
    """Templates side by side, cut to the size at a random place; empty if no template fits at some place."""
    across, down = -(-width // 3), -(-height // 3)
    asked: dict[Cell, str] = {}
    for row in range(0, 3 * down, 3):
        for column in range(0, 3 * across, 3):
            for _ in range(TRIES):
                piece = _rotated(rng.choice(TEMPLATES), rng)
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
    top, left = rng.randint(0, 3 * down - height), rng.randint(0, 3 * across - width)
    return frozenset(
        (row - top + 1, column - left + 1)
        for (row, column), letter in asked.items()
        if letter == FLOOR and top <= row < top + height and left <= column < left + width
    )


def _rotated(piece: tuple[str, ...], rng: random.Random) -> tuple[str, ...]:
    """The piece, rotated and mirrored at random."""
    turn = rng.randrange(8)
    if turn & 1:
        piece = piece[::-1]
    if turn & 2:
        piece = tuple(line[::-1] for line in piece)
    if turn & 4:
        piece = tuple("".join(column) for column in zip(*piece, strict=True))
    return piece


def _carved(width: int, height: int, rng: random.Random) -> frozenset[Cell]:
    """Chambers, each joined to the next by a passage with one corner; then pillars in large empty squares."""
    floor = set[Cell]()
    before: Cell | None = None
    for _ in range(max(2, round(width * height / 14))):
        high, wide = rng.randint(2, min(4, height)), rng.randint(2, min(4, width))
        row, column = rng.randint(1, height - high + 1), rng.randint(1, width - wide + 1)
        floor |= {(row + r, column + c) for r in range(high) for c in range(wide)}
        middle = row + rng.randrange(high), column + rng.randrange(wide)
        if before is not None:
            corner = (before[0], middle[1]) if rng.random() < 0.5 else (middle[0], before[1])
            floor |= _line(before, corner) | _line(corner, middle)
        before = middle
    for cell in rng.sample(sorted(floor), len(floor)):
        around = {(cell[0] + r, cell[1] + c) for r in (-1, 0, 1) for c in (-1, 0, 1)}
        if around <= floor and rng.random() < 0.8:
            floor.remove(cell)
    return frozenset(floor)


def _brushed(width: int, height: int, rng: random.Random) -> frozenset[Cell]:
    """Small rectangles that overlap or touch, added until the floor is large enough and touches all four walls."""
    wanted = rng.uniform(LEAST_FLOOR, MOST_FLOOR) * width * height
    floor = set[Cell]()
    while len(floor) < wanted or not fills(frozenset(floor), width + 2, height + 2):
        high, wide = rng.choice(BRUSHES)
        if rng.random() < 0.5:
            high, wide = wide, high
        if min(width - wide, height - high) < 0:
            continue
        row, column = rng.randint(1, height - high + 1), rng.randint(1, width - wide + 1)
        stroke = {(row + r, column + c) for r in range(high) for c in range(wide)}
        if not floor or any(beside in floor for cell in stroke for beside in _neighbours(cell)):
            floor |= stroke
    return frozenset(floor)


def _line(one: Cell, other: Cell) -> set[Cell]:
    """The cells of a straight line, both ends included."""
    rows = range(min(one[0], other[0]), max(one[0], other[0]) + 1)
    columns = range(min(one[1], other[1]), max(one[1], other[1]) + 1)
    return {(row, column) for row in rows for column in columns}
