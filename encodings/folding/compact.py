"""The encoding `compact` of Folding Blocks: the colours are folded one after another.

The state is the *pen*, and a bit for each cell that starts empty: is the cell in a finished block? The pen is the
colour that is being folded, and the current shape of its block.

Solvability and least cost are those of the puzzle: blocks only grow and are disjoint at the end of a run, so all
their earlier shapes are disjoint, too. Thus the folds of a run, sorted by colour, are legal and lead to the same
position. The state graph differs from that of the puzzle, which `tiles` has.

Finishing a colour is free, and is not a move. It requires that all cells that no later colour can reach are
covered; this prunes most runs that would fail.
"""

from collections.abc import Hashable

from puzzlemc.encodings.folding.blocks import Block, Shape, blocks, empty_cells
from puzzlemc.encodings.folding.rules import FOLD
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import FALSE, bit
from puzzlemc.mc.model.formula import State as Bits
from puzzlemc.mc.model.hints import Hints
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.model.variables import Variable, binary
from puzzlemc.screens.folding import Level

NOTHING = {"moves": 0}
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
            guard = at[block.colour, fold.before] | free
            actions.append(Action(f"{block.colour}{fold.direction}", guard, at[block.colour, fold.after], FOLD))
        for shape in block.shapes:
            covered = [filled[cell] for cell in sorted(shape) if cell in filled]
            missing = [filled[cell] for cell in cells if last.get(cell) == number and cell not in shape]
            # Forward, these cells are always free. The guard says so to keep backward search out of unreachable
            # states.
            guard = at[block.colour, shape] | dict.fromkeys(covered, False) | dict.fromkeys(missing, True)
            actions.append(Action("", guard, onward | dict.fromkeys(covered, True), NOTHING))

    first = at[order[0].colour, order[0].shapes[0]] if order else at[DONE]
    initial = first | dict.fromkeys(filled.values(), False)
    full = at[DONE] | dict.fromkeys(filled.values(), True)
    goal = full if all(cell in last for cell in cells) else FALSE
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
    """The blocks in the order of folding.

    The next one has the most cells that no other remaining block can reach, relative to its number of shapes.
    """
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
    """The folds of a trace. In `compact`, an action without a name finishes a colour; it is not a move."""
    return [action.name.partition(" ")[0] for action in trace.actions if action.name]
