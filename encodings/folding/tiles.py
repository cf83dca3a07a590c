"""The encoding `tiles` of Folding Blocks: a binary variable for the colour of each cell that starts empty.

The updates of a fold are formulas. The model has the positions and steps of the plain rules.
"""

from puzzlemc.encodings.folding.blocks import empty_cells, image
from puzzlemc.encodings.folding.compact import _moves
from puzzlemc.encodings.folding.rules import FOLD, Cell
from puzzlemc.encodings.puzzle.encoded import Encoded, placed
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.expressions import And, Not, Or
from puzzlemc.mc.model.formula import FALSE, TRUE, Bit, Expression, Formula
from puzzlemc.mc.model.formula import State as Bits
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import Variable, binary
from puzzlemc.screens.folding import EMPTY, Level, Matrix


def tiles(level: Level) -> Encoded:
    """The model with the colour of each cell that starts empty, as a binary number; 0 is empty."""
    fixed = {(r, c): value for r, row in enumerate(level.rows) for c, value in enumerate(row) if value > EMPTY}
    colours = sorted(set(fixed.values()))
    tile = {cell: binary("tile", (EMPTY, *colours), *cell) for cell in empty_cells(level)}
    board = sorted({*fixed, *tile})

    actions = []
    for colour in colours:
        has = {cell: _has(tile, fixed, cell, colour) for cell in board}
        for direction, axis, step in [("U", 0, -1), ("D", 0, 1), ("L", 1, -1), ("R", 1, 1)]:
            for side in sorted({cell[axis] for cell in board}):
                # The block has a cell on the side's line and none beyond, and its images are on empty cells.
                images = {cell: image(cell, axis, 2 * side + step) for cell in board}
                behind = [cell for cell in board if (cell[axis] - side) * step <= 0]
                guard = And(
                    Or(*[has[cell] for cell in behind if cell[axis] == side]),
                    *[Not(has[cell]) for cell in board if cell not in behind],
                    *[Or(Not(has[cell]), _has(tile, fixed, images[cell], EMPTY)) for cell in behind],
                )
                update: dict[Bit, bool | Formula] = {}
                for cell in behind:
                    if images[cell] in tile:
                        for b, new in tile[images[cell]].literals(colour).items():
                            if new:  # an empty cell has no bit set
                                update[b] = Or(b, has[cell])
                if not guard.is_zero():
                    actions.append(Action(f"{colour}{direction} {side + 1}", guard, update, FOLD))

    goal: Formula = And(*[Not(variable.equals(EMPTY)) for variable in tile.values()])
    atoms = {"solved": goal}
    places = {what: placed(what, tile) for what in ("filled", *map(str, colours))}
    atoms |= {name: Not(tile[cell].equals(EMPTY)) for cell, name in places["filled"].items()}
    for colour in colours:
        atoms |= {name: tile[cell].equals(colour) for cell, name in places[str(colour)].items()}
    initial: dict[Bit, bool] = {}
    for variable in tile.values():
        initial |= variable.literals(EMPTY)
    counts: dict[str, list[Formula]] = {"empty": [variable.equals(EMPTY) for variable in tile.values()]}
    for colour in colours:
        kept = sum(value == colour for value in fixed.values())
        counts[f"cells_{colour}"] = [*(variable.equals(colour) for variable in tile.values()), *[TRUE] * kept]
    model = Model(tuple(tile.values()), initial, tuple(actions), goal, atoms, counts=counts)

    def decode(state: Bits) -> Matrix:
        rows = [list(row) for row in level.rows]
        for (r, c), variable in tile.items():
            value = variable.read(state)
            assert isinstance(value, int)
            rows[r][c] = value
        return tuple(map(tuple, rows))

    return Encoded(model, decode, _moves, places)


def _has(tile: dict[Cell, Variable], fixed: dict[Cell, int], cell: Cell, value: int) -> Expression:
    """The formula for: the cell has this value. Places outside the board have no value."""
    if cell in tile:
        return tile[cell].equals(value)
    return TRUE if fixed.get(cell) == value else FALSE


def constants(level: Level) -> dict[str, bool]:
    """The constant atoms: those of places that are not cells, and of cells that have a colour at the start."""
    colours = sorted({value for row in level.rows for value in row if value > EMPTY})
    always: dict[str, bool] = {}
    for r, row in enumerate(level.rows):
        for c, value in enumerate(row):
            if value != EMPTY:
                always |= dict.fromkeys(placed("filled", [(r, c)]).values(), value > EMPTY)
                for colour in colours:
                    always |= dict.fromkeys(placed(str(colour), [(r, c)]).values(), value == colour)
    return always
