"""Folding Blocks: plain rules, and the encodings `compact` and `tiles`.

tiles     the colour of each cell that starts empty, a few bits a cell; a fold mirrors cells by formula. It has the
          positions and steps of the plain rules.
compact   the colours are folded one after another. The state is the *pen*, which is the colour being folded with
          the shape that its block has now, and a bit for each cell that starts empty: is it in a finished block?

Why `compact` is exact about solvability and least cost: blocks only grow, so in the last position of a run they
are disjoint, and so is every part of one from every other. Sorted by colour, the folds of a run are still legal
and lead to the same position. The state graph is another one than the puzzle's; `tiles` has that.

To finish a colour costs nothing and is no move. It is allowed where all cells are covered that no later colour can
reach, which cuts off most of what would fail.
"""

from collections.abc import Hashable, Iterator
from typing import NamedTuple

from pyeda.boolalg.expr import And, Not, One, Or, Zero

from puzzlemc.encodings.puzzles import Encoded, Puzzle, Step
from puzzlemc.mc.formula import Bit, Formula, bit, conjunction
from puzzlemc.mc.formula import State as Bits
from puzzlemc.mc.model import Action, Hints, Model, Variable, binary
from puzzlemc.mc.verdict import Trace
from puzzlemc.screens.folding import EMPTY, NO_CELL, Level, Matrix

Cell = tuple[int, int]  # (row, column) from 0
Shape = frozenset[Cell]

METRICS = ("moves",)
FOLD = {"moves": 1}
NOTHING = {"moves": 0}

# Plain rules.


def start(level: Level) -> Matrix:
    """The position that the level starts with."""
    return level.rows


def steps(level: Level, position: Matrix) -> Iterator[Step]:
    """All legal folds, called by the colour and the direction: `3L` folds the block of colour 3 to the left."""
    for colour in sorted({value for row in position for value in row if value > EMPTY}):
        block = [(r, c) for r, row in enumerate(position) for c, value in enumerate(row) if value == colour]
        top, bottom = min(r for r, _ in block), max(r for r, _ in block)
        left, right = min(c for _, c in block), max(c for _, c in block)
        for name, images in {
            "U": [(2 * top - r - 1, c) for r, c in block],
            "D": [(2 * bottom - r + 1, c) for r, c in block],
            "L": [(r, 2 * left - c - 1) for r, c in block],
            "R": [(r, 2 * right - c + 1) for r, c in block],
        }.items():
            if all(_at(position, cell) == EMPTY for cell in images):
                new = [list(row) for row in position]
                for r, c in images:
                    new[r][c] = colour
                yield Step(f"{colour}{name}", tuple(map(tuple, new)), FOLD)


def solved(level: Level, position: Matrix) -> bool:
    """Is no cell empty?"""
    return not any(EMPTY in row for row in position)


def _at(position: Matrix, cell: Cell) -> int:
    """What is at a place, which may lie off the board."""
    row, column = cell
    if 0 <= row < len(position) and 0 <= column < len(position[0]):
        return position[row][column]
    return NO_CELL


# The shapes of a block.


class Fold(NamedTuple):
    """A fold of one block: its shape before, the direction, its shape after."""

    before: Shape
    direction: str
    after: Shape


class Block(NamedTuple):
    """The block of a colour, were it alone on the board: the shapes it can get, its own first, and the folds."""

    colour: int
    shapes: tuple[Shape, ...]
    folds: tuple[Fold, ...]


def empty_cells(level: Level) -> tuple[Cell, ...]:
    """The cells that start empty, row by row."""
    return tuple((r, c) for r, row in enumerate(level.rows) for c, value in enumerate(row) if value == EMPTY)


def blocks(level: Level) -> tuple[Block, ...]:
    """The blocks of a level, by colour. A fold doubles a block, so shapes are few."""
    room = frozenset(empty_cells(level))
    own: dict[int, set[Cell]] = {}
    for r, row in enumerate(level.rows):
        for c, value in enumerate(row):
            if value > EMPTY:
                own.setdefault(value, set()).add((r, c))
    return tuple(_block(colour, frozenset(own[colour]), room) for colour in sorted(own))


def _block(colour: int, own: Shape, room: Shape) -> Block:
    shapes = [own]
    seen = {own}
    folds = []
    for shape in shapes:
        rows, columns = [r for r, _ in shape], [c for _, c in shape]
        for direction, across, side, step in [
            ("U", 0, min(rows), -1),
            ("D", 0, max(rows), 1),
            ("L", 1, min(columns), -1),
            ("R", 1, max(columns), 1),
        ]:
            images = frozenset(_image(cell, across, 2 * side + step) for cell in shape)
            if images <= room:  # the old cells of a block never are in the way: all images lie beyond them
                after = shape | images
                folds.append(Fold(shape, direction, after))
                if after not in seen:
                    seen.add(after)
                    shapes.append(after)
    return Block(colour, tuple(shapes), tuple(folds))


# The encoding `compact`.

DONE = "done"


def compact(level: Level) -> Encoded:
    """The model that folds one colour after another, with the pen as location."""
    cells = empty_cells(level)
    order = in_order(blocks(level))
    last = {cell: number for number, block in enumerate(order) for shape in block.shapes for cell in shape}
    filled = {cell: bit("filled", *cell) for cell in cells}
    pen = binary("pen", [*((block.colour, shape) for block in order for shape in block.shapes), DONE])
    at = {value: pen.literals(value) for value in pen.values}

    actions = []
    for number, block in enumerate(order):
        onward = at[(order[number + 1].colour, order[number + 1].shapes[0])] if order[number + 1 :] else at[DONE]
        for fold in block.folds:
            free = dict.fromkeys((filled[cell] for cell in fold.after - fold.before), False)
            guard = conjunction(at[block.colour, fold.before] | free)
            actions.append(Action(f"{block.colour}{fold.direction}", guard, at[block.colour, fold.after], FOLD))
        for shape in block.shapes:
            covered = [filled[cell] for cell in sorted(shape) if cell in filled]
            missing = [filled[cell] for cell in cells if last.get(cell) == number and cell not in shape]
            # That these cells are free is known forward; it keeps backward search out of what cannot be.
            guard = conjunction(
                at[block.colour, shape] | dict.fromkeys(covered, False) | dict.fromkeys(missing, True)
            )
            actions.append(Action("", guard, onward | dict.fromkeys(covered, True), NOTHING))

    first = at[order[0].colour, order[0].shapes[0]] if order else at[DONE]
    initial = conjunction(first | dict.fromkeys(filled.values(), False))
    full = conjunction(at[DONE] | dict.fromkeys(filled.values(), True))
    goal = full if all(cell in last for cell in cells) else Zero
    model = Model(
        (
            pen,
            *(Variable(f"filled{cell}", (False, True), (b,), ((False,), (True,))) for cell, b in filled.items()),
        ),
        initial,
        tuple(actions),
        goal,
        {"solved": goal},
        Hints(location=pen, potential={(b, False): 1 for b in filled.values()}),
    )

    def decode(state: Bits) -> tuple[Hashable, Shape]:
        return pen.read(state), frozenset(cell for cell, b in filled.items() if b in state)

    return Encoded(model, decode, _moves)


def in_order(found: tuple[Block, ...]) -> list[Block]:
    """The blocks in the order of folding: next is the one that decides the most cells for its number of shapes."""
    reach = {block.colour: frozenset().union(*block.shapes) for block in found}
    left = list(found)
    order = []

    def worth(block: Block) -> tuple[float, int]:
        others: Shape = frozenset().union(*(reach[other.colour] for other in left if other is not block))
        return len(reach[block.colour] - others) / len(block.shapes), -len(block.shapes)

    while left:
        order.append(max(left, key=worth))
        left.remove(order[-1])
    return order


def _moves(trace: Trace) -> list[str]:
    """The folds of a trace. In `compact`, an action without a name finishes a colour, which is no move."""
    return [action.name.partition(" ")[0] for action in trace.actions if action.name]


# The encoding `tiles`.


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
                images = {cell: _image(cell, axis, 2 * side + step) for cell in board}
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
                    actions.append(Action(f"{colour}{direction} {side}", guard, update, FOLD))

    goal = And(*[Not(variable.equals(EMPTY)) for variable in tile.values()])
    atoms = {"solved": goal}
    atoms |= {f"filled@{_place(cell)}": Not(variable.equals(EMPTY)) for cell, variable in tile.items()}
    for colour in colours:
        atoms |= {f"{colour}@{_place(cell)}": variable.equals(colour) for cell, variable in tile.items()}
    initial: dict[Bit, bool] = {}
    for variable in tile.values():
        initial |= variable.literals(EMPTY)
    model = Model(tuple(tile.values()), conjunction(initial), tuple(actions), goal, atoms)

    def decode(state: Bits) -> Matrix:
        rows = [list(row) for row in level.rows]
        for (r, c), variable in tile.items():
            value = variable.read(state)
            assert isinstance(value, int)
            rows[r][c] = value
        return tuple(map(tuple, rows))

    return Encoded(model, decode, _moves)


def _has(tile: dict[Cell, Variable], fixed: dict[Cell, int], cell: Cell, value: int) -> Formula:
    """That a cell has a value, which no place off the board has."""
    if cell in tile:
        return tile[cell].equals(value)
    return One if fixed.get(cell) == value else Zero


def _image(cell: Cell, axis: int, total: int) -> Cell:
    """The cell whose coordinate along the axis (0 row, 1 column) adds up to the total with that of this one."""
    return (total - cell[0], cell[1]) if axis == 0 else (cell[0], total - cell[1])


def _place(cell: Cell) -> str:
    return f"({cell[0]},{cell[1]})"


def constants(level: Level) -> dict[str, bool]:
    """The atoms of places that are no cells, and of cells that start with a colour, which they keep."""
    colours = sorted({value for row in level.rows for value in row if value > EMPTY})
    found = {}
    for r, row in enumerate(level.rows):
        for c, value in enumerate(row):
            if value != EMPTY:
                found[f"filled@{_place((r, c))}"] = value > EMPTY
                found |= {f"{colour}@{_place((r, c))}": value == colour for colour in colours}
    return found


PUZZLE = Puzzle(
    name="folding",
    metrics=METRICS,
    encodings={"compact": compact, "tiles": tiles},
    start=start,
    steps=steps,
    solved=solved,
    write_trace=list,
    faithful="tiles",
    atoms={
        "solved": "no cell is empty",
        "filled@(r,c)": "the cell in row r, column c, both from 0, is not empty",
        "N@(r,c)": "the cell has colour N",
    },
    constants=constants,
)
