"""Models of Tetravex with the tile of each cell: the games `put` and `swap`, and filling in reading order.

In `put`, a move puts an unplaced tile on an empty cell where it fits. In `swap`, a move exchanges the tiles of two
cells. A move of a game costs 1.
"""

from collections.abc import Sequence
from itertools import combinations

from puzzlemc.encodings.puzzle.encoded import Encoded, placed
from puzzlemc.encodings.tetravex.filling import named
from puzzlemc.encodings.tetravex.rules import MOVE, NOTHING, place, start
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.expressions import And, Or
from puzzlemc.mc.model.formula import TRUE, Bit, Expression, Formula, conjunction
from puzzlemc.mc.model.formula import State as Bits
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.restriction import narrowed
from puzzlemc.mc.model.variables import Variable, one_hot
from puzzlemc.screens.tetravex import EMPTY, SWAP, Board, Level


def board(level: Level) -> Encoded:
    """The model with the positions and steps of the plain rules."""
    if level.rules:
        return swapping(level) if level.rules == SWAP else putting(level)
    number = len(level.tiles)
    on = board_variables(level)
    actions = []
    for cell, tile in ((cell, tile) for cell in range(number) for tile in range(1, number + 1)):
        guard = on[cell].literals(EMPTY) | {variable.bits[tile - 1]: False for variable in on}
        guard |= beside(level, on, cell, tile, before=True)
        next_to_fill = Or(*on[cell - 1].bits) if cell else TRUE
        update = {on[cell].bits[tile - 1]: True}
        actions.append(Action(str(tile), narrowed(next_to_fill, guard), update, NOTHING))
    return played(level, on, actions)


def board_variables(level: Level) -> list[Variable]:
    """For each cell, the number of its tile or EMPTY, with one bit for each tile."""
    number = len(level.tiles)
    found = []
    for cell in range(number):
        held = one_hot(f"on{cell}", range(1, number + 1))
        codes = ((False,) * number, *held.codes)
        found.append(Variable(held.name, (EMPTY, *held.values), held.bits, codes))
    return found


def beside(level: Level, on: Sequence[Variable], cell: int, tile: int, *, before: bool = False) -> dict[Bit, bool]:
    """The cube for: all tiles on neighbouring cells fit a tile on this cell.

    With `before`, only neighbours that come earlier in reading order count.
    """
    side, kind = level.side, level.tiles[tile - 1]
    row, column = divmod(cell, side)
    cube: dict[Bit, bool] = {}
    for there, other, mine, theirs in [
        (row > 0, cell - side, kind.north, "south"),
        (column > 0, cell - 1, kind.west, "east"),
        (row < side - 1 and not before, cell + side, kind.south, "north"),
        (column < side - 1 and not before, cell + 1, kind.east, "west"),
    ]:
        if there:
            wrong = [i for i, beside in enumerate(level.tiles) if getattr(beside, theirs) != mine]
            cube |= {on[other].bits[i]: False for i in wrong}
    return cube


def _fitting(level: Level, on: Sequence[Variable]) -> Expression:
    """The formula for: all cells are full, and all edges agree."""
    parts = []
    for cell, variable in enumerate(on):
        options = [
            conjunction(variable.literals(tile) | beside(level, on, cell, tile, before=True))
            for tile in range(1, len(level.tiles) + 1)
        ]
        parts.append(Or(*options))
    found: Expression = And(*parts)
    return found


def initial(level: Level, on: Sequence[Variable]) -> dict[Bit, bool]:
    """The cube of the board that the level starts with."""
    cube: dict[Bit, bool] = {}
    for variable, tile in zip(on, start(level), strict=True):
        cube |= variable.literals(tile)
    return cube


def read(on: Sequence[Variable], state: Bits) -> Board:
    """The board of a state."""
    return tuple(int(str(variable.read(state))) for variable in on)


def played(level: Level, on: Sequence[Variable], actions: Sequence[Action]) -> Encoded:
    """The model of a game on the whole board."""
    goal = _fitting(level, on)
    atoms: dict[str, Formula] = {"solved": goal}
    cells = [divmod(cell, level.side) for cell in range(len(on))]
    places = {str(tile): placed(str(tile), cells) for tile in range(1, len(level.tiles) + 1)}
    for cell, variable in zip(cells, on, strict=True):
        atoms |= {places[str(tile)][cell]: b for tile, b in enumerate(variable.bits, 1)}
    counts = {"tiles_on_board": [b for variable in on for b in variable.bits]}
    model = Model(tuple(on), initial(level, on), tuple(actions), goal, atoms, counts=counts)
    return Encoded(model, lambda state: read(on, state), named, places)


def putting(level: Level) -> Encoded:
    """The model of `put` with the whole board."""
    number = len(level.tiles)
    on = board_variables(level)
    actions = []
    for cell, tile in ((cell, tile) for cell in range(number) for tile in range(1, number + 1)):
        if level.start[cell] == EMPTY and tile not in level.start:
            guard = on[cell].literals(EMPTY) | {variable.bits[tile - 1]: False for variable in on}
            guard |= beside(level, on, cell, tile)
            update = {on[cell].bits[tile - 1]: True}
            actions.append(Action(f"{tile}@{place(level, cell)}", guard, update, MOVE))
    return played(level, on, actions)


def swapping(level: Level) -> Encoded:
    """The model of `swap` with the whole board."""
    on = board_variables(level)
    actions = []
    for one, other in combinations(range(len(on)), 2):
        update: dict[Bit, bool | Formula] = {}
        for a, b in zip(on[one].bits, on[other].bits, strict=True):
            update |= {a: b, b: a}
        actions.append(Action(f"{place(level, one)}-{place(level, other)}", {}, update, MOVE))
    return played(level, on, actions)
