"""Tetravex played with a pointer: a tile is dragged to a cell, or to the tile that it is swapped with.

Without a game, the tiles are put on any cells, as in the game `put`.
"""

from dataclasses import replace

from puzzlemc.encodings.puzzle.pointing import Place, Pointing
from puzzlemc.encodings.tetravex.rules import place, steps
from puzzlemc.screens.tetravex import EMPTY, PUT, SWAP, Board, Level
from puzzlemc.screens.tetravex.pictures import waiting


def moves(level: Level, position: Board, pressed: Place, released: Place) -> list[str]:
    """The move that a drag means, if it is legal: without a game, a tile goes to the next empty cell only."""
    if level.rules == SWAP:
        cells = [cell for cell in (_cell(level, pressed), _cell(level, released)) if cell is not None]
        move = f"{place(level, min(cells))}-{place(level, max(cells))}" if cells else ""
    else:
        tile, cell = _tile_and_cell(level, position, pressed, released)
        move = f"{tile}@{place(level, cell)}" if cell is not None else ""
        if not level.rules:
            move = str(tile) if cell is not None and position[:cell].count(EMPTY) == 0 else ""
    return [move] if move in {step.name for step in steps(level, position)} else []


def refusal(level: Level, position: Board, pressed: Place, released: Place) -> str:
    """Why a tile cannot be put on a cell: the sides that differ, or the tile that is there."""
    tile, cell = _tile_and_cell(level, position, pressed, released)
    if pressed == released or level.rules == SWAP:
        return ""
    if tile == EMPTY:
        lies = (at := _cell(level, pressed)) is not None and position[at] != EMPTY
        return "A tile that lies on the board stays; Undo takes it back" if lies else ""
    if cell is None:
        return ""
    where = place(level, cell)
    if position[cell] != EMPTY:
        return f"There is a tile on {where} already"
    if not level.rules and position.index(EMPTY) != cell:
        return f"The tiles are put in reading order; the next one goes to {place(level, position.index(EMPTY))}"
    (row, column), side = divmod(cell, level.side), level.side
    wrong = []
    for inside, other, own, beside in (
        (row > 0, cell - side, "north", "south"),
        (column < side - 1, cell + 1, "east", "west"),
        (row < side - 1, cell + side, "south", "north"),
        (column > 0, cell - 1, "west", "east"),
    ):
        if inside and position[other] != EMPTY:
            there = place(level, other)
            mine, its = getattr(level.tiles[tile - 1], own), getattr(level.tiles[position[other] - 1], beside)
            if mine != its:
                wrong.append(f"its {own} side is {mine}, and the {beside} side of the tile on {there} is {its}")
    return f"This tile does not fit on {where}: {'; '.join(wrong)}"


def playable(level: Level) -> Level:
    """A level without a game as the game `put`: its moves are in any order."""
    return level if level.rules else replace(level, rules=PUT, start=level.start or (EMPTY,) * len(level.tiles))


def _tile_and_cell(level: Level, position: Board, one: Place, other: Place) -> tuple[int, int | None]:
    """The tile that lies beside the board at one of two places, or EMPTY, and the cell at the other one."""
    beside = {place: number for number, place in waiting(level).items() if number not in position}
    if one not in beside and other in beside:  # the place first, then the tile
        one, other = other, one
    return beside.get(one, EMPTY), _cell(level, other)


def _cell(level: Level, at: Place) -> int | None:
    """The number of a cell of the board; None beside it."""
    row, column = at
    return row * level.side + column if 0 <= row < level.side and 0 <= column < level.side else None


WORDS = "drag a tile to its place, or tap the tile and the place; T chooses another tile"
POINTING = Pointing(moves, WORDS, refusal, taps=True, level=playable)
