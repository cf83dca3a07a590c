"""Infeasible parts of a Folding Blocks level: a few empty cells that no folds cover together.

A set of empty cells is feasible if folds of all blocks can cover it; they may cover other cells, too. Blocks only
grow. So at the end of a run each block has one of the shapes that it can reach alone, and no two shapes share a
cell. Conversely, any such shapes can be folded, one block after another. So the model has no actions: it chooses a
shape for each block.

*Theorem.* If a part is infeasible, so are its supersets, and the level has no solution. *Proof.* A solution covers
all empty cells, so it covers the part; and folds that cover a superset cover the part. ∎

Parts that leave out blocks would prove nothing: a board may be harder without one of its blocks.
"""

from dataclasses import replace
from itertools import combinations
from typing import Any

from puzzlemc.encodings.folding.blocks import Shape, blocks, empty_cells
from puzzlemc.encodings.folding.rules import Cell
from puzzlemc.encodings.puzzle.explanation import Drawn, Part, Parts, listed, name_of, place_of, places
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Bit, Clauses, State, bit
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.screens.base.picture import Picture, frame
from puzzlemc.screens.folding import Level, picture

HERE = "?"  # the drawing of the cells of a part


def _objects(level: Level) -> tuple[str, ...]:
    return tuple(map(name_of, empty_cells(level)))


def _cells(part: Part) -> list[Cell]:
    return sorted(map(place_of, part))


def _model(level: Level, part: Part) -> Model:
    """The model that chooses a shape for each block, by clauses: no two share a cell, and they cover the part."""
    wanted = _cells(part)
    found = blocks(level)
    names: list[tuple[Any, ...]] = [
        ("shape", block.colour, n) for block in found for n in range(len(block.shapes))
    ]
    names += [("code", block.colour, n) for block in found for n in range(len(block.shapes).bit_length())]
    taken = {
        cell: [b.colour for b in found if any(cell in shape for shape in b.shapes)] for cell in empty_cells(level)
    }
    names += [("taken", colour, *cell) for cell, colours in taken.items() for colour in colours]
    bits = tuple(bit(*name) for name in names)
    number: dict[Bit, int] = {b: n for n, b in enumerate(bits, 1)}
    covering: dict[Cell, list[int]] = {cell: [] for cell in wanted}
    rows: list[list[int]] = []
    for block in found:
        for n, shape in enumerate(block.shapes):
            chosen = number[bit("shape", block.colour, n)]
            # The number of the chosen shape in binary, so that a block has at most one shape.
            for place in range(len(block.shapes).bit_length()):
                code = number[bit("code", block.colour, place)]
                rows.append([-chosen, code if n >> place & 1 else -code])
            for cell in sorted(shape):
                if cell in taken:
                    rows.append([-chosen, number[bit("taken", block.colour, *cell)]])
                if cell in covering:
                    covering[cell].append(chosen)
    for cell, colours in taken.items():
        by = [number[bit("taken", colour, *cell)] for colour in colours]
        rows += [[-one, -other] for one, other in combinations(by, 2)]
    goal = Clauses(bits, rows + [covering[cell] for cell in wanted])
    return Model(tuple(boolean(*name) for name in names), {}, (), goal, {"solved": goal})


def _satisfied(level: Level, part: Part, state: State) -> Part:
    """All cells that are covered after each block, in turn, has grown to its largest shape that is possible."""
    shapes: dict[int, Shape] = {}
    found = blocks(level)
    for block in found:
        chosen = [shape for n, shape in enumerate(block.shapes) if bit("shape", block.colour, n) in state]
        shapes[block.colour] = chosen[0] if chosen else block.shapes[0]
    for block in found:
        others: Shape = frozenset().union(*(shape for colour, shape in shapes.items() if colour != block.colour))
        fitting = [s for s in block.shapes if s >= shapes[block.colour] and s.isdisjoint(others)]
        shapes[block.colour] = max(fitting, key=len)
    covered: Shape = frozenset().union(*shapes.values())
    return part | {name_of(cell) for cell in empty_cells(level) if cell in covered}


def _words(level: Level, part: Part, budget: Budget) -> str:
    """Why these cells cannot all be covered, in a sentence."""
    cells = _cells(part)
    shapes = {block.colour: block.shapes for block in blocks(level)}
    budget.check()
    if len(cells) == 1:
        if not shapes:
            return f"nothing ever covers this cell, {places(cells)}: there is no block"
        return f"no block ever reaches this cell, {places(cells)}"
    both = "both" if len(cells) == 2 else "all"
    claim = f"these {len(cells)} cells, {places(cells)}, cannot {both} be covered: "
    able = [colour for colour in shapes if any(not shape.isdisjoint(cells) for shape in shapes[colour])]
    if len(able) == 1:
        return f"{claim}only colour {able[0]} reaches them, and never {both} of them"
    colours = listed([str(colour) for colour in able])
    return f"{claim}colours {colours} reach them, and a block that covers one obstructs those that cover others"


def _draw(level: Level, part: Part) -> Drawn:
    """The board, with a sign for each cell of the part."""
    cells = frozenset(_cells(part))
    width = max(len(str(value)) for row in level.rows for value in row)
    lines = [
        " ".join(f"{HERE if (r, c) in cells else value:>{width}}" for c, value in enumerate(row))
        for r, row in enumerate(level.rows)
    ]
    text = "\n".join(lines)
    return Drawn(text, text, frozenset((r, c * (width + 1) + width - 1) for r, c in cells))


def _picture(level: Level, part: Part) -> Picture:
    """The board with a frame around each cell of the part."""
    shown = picture(level, level.rows)
    marks = [side for cell in _cells(part) for side in frame(*cell)]
    return replace(shown, pieces=(*shown.pieces, *marks))


PARTS = (Parts("cells", "cell", _objects, _model, _words, _draw, _picture, _satisfied),)
