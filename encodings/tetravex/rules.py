"""The plain rules of Tetravex, which share nothing with the encodings."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.rules.plain import Constraint, Step, Transition
from puzzlemc.screens.tetravex import EMPTY, PUT, SWAP, Board, Level, Tile

METRICS = ("moves",)
MOVE = {"moves": 1}
NOTHING = {"moves": 0}


def start(level: Level) -> Board:
    """The position that the level starts with."""
    return level.start or (EMPTY,) * len(level.tiles)


def steps(level: Level, position: Board) -> Iterator[Step]:
    """All legal steps.

    `5` puts tile 5 on the next cell in reading order, `5@2,3` on the cell in row 2 and column 3, and `1,2-3,1`
    swaps two cells.
    """
    cells = range(len(position))
    if level.rules == SWAP:
        for one, other in combinations(cells, 2):
            board = list(position)
            board[one], board[other] = board[other], board[one]
            yield Step(f"{place(level, one)}-{place(level, other)}", tuple(board), MOVE)
        return
    empty = [cell for cell in cells if position[cell] == EMPTY]
    for number in sorted(set(range(1, len(level.tiles) + 1)) - set(position)):
        for cell in empty if level.rules == PUT else empty[:1]:
            board = list(position)
            board[cell] = number
            if fits(level, board, cell):
                if level.rules == PUT:
                    yield Step(f"{number}@{place(level, cell)}", tuple(board), MOVE)
                else:
                    yield Step(str(number), tuple(board), NOTHING)


def at(level: Level, position: Board) -> Level:
    """The level that starts in that position; without a game, its tiles are fixed."""
    return replace(level, start=position)


def solved(level: Level, position: Board) -> bool:
    """Is every cell full, and do the edges agree?"""
    return EMPTY not in position and all(fits(level, position, cell) for cell in range(len(position)))


def fits(level: Level, board: Sequence[int], cell: int) -> bool:
    """Does the tile on a cell agree with the tiles beside it?"""
    tile, side = level.tiles[board[cell] - 1], level.side

    def beside(there: bool, other: int) -> Tile | None:
        return level.tiles[board[other] - 1] if there and board[other] != EMPTY else None

    row, column = divmod(cell, side)
    north, south = beside(row > 0, cell - side), beside(row < side - 1, cell + side)
    west, east = beside(column > 0, cell - 1), beside(column < side - 1, cell + 1)
    return (
        (north is None or north.south == tile.north)
        and (south is None or south.north == tile.south)
        and (west is None or west.east == tile.west)
        and (east is None or east.west == tile.east)
    )


def place(level: Level, cell: int) -> str:
    """A cell by row and column, from 1."""
    row, column = divmod(cell, level.side)
    return f"{row + 1},{column + 1}"


RULES = Transition(start, steps, solved)


# A level without a game: tiles to be arranged.


def read(level: Level, moves: Sequence[str]) -> Board:
    """The board with a list of tiles in reading order. Raises Refuted if the moves are not such a list."""
    numbers = [int(move) if move.isascii() and move.isdigit() and len(move) < 10 else 0 for move in moves]
    if sorted(numbers) != list(range(1, len(level.tiles) + 1)):
        raise Refuted(f"found {' '.join(moves)[:80]!r}, expected each tile once, from 1 to {len(level.tiles)}")
    return tuple(numbers)


def check(level: Level, board: Board) -> None:
    """Raise Refuted unless all edges agree, and each tile that the level has placed is in its place."""
    for cell, tile in enumerate(level.start):
        if tile not in (EMPTY, board[cell]):
            raise Refuted(f"cell {place(level, cell)} has tile {board[cell]}, and in the level tile {tile}")
    for cell in range(len(board)):
        if not fits(level, board, cell):
            raise Refuted(f"tile {board[cell]} on cell {place(level, cell)} does not fit the tiles beside it")


def arranging(level: Level) -> Constraint | None:
    """The constraint of a level without a game; None for a game."""
    return None if level.rules else Constraint(read, check)
