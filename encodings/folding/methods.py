"""The methods of search that people have tried on Folding Blocks, over its plain rules.

Two heuristics weigh the steps out of a position, the less the better:

simple fill    the cells that are empty after it
unique-first   the sum, over the cells that it fills, of how many colours could fill that cell by one fold: a cell
               that one colour alone can fill is best filled by it

Greedy search is depth first, the best step first; steps that tie are told apart by their best next steps. Uniform
cost sums unique-first along the way, and A* adds simple fill to that sum. Only breadth-first search and iterative
deepening are sure to find a shortest solution.
"""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import cast

from puzzlemc.encodings.folding.rules import Cell
from puzzlemc.encodings.folding.rules import steps as steps_from
from puzzlemc.mc.rules.plain import Step
from puzzlemc.mc.rules.textbook import METHODS as PLAIN
from puzzlemc.mc.rules.textbook import Method, best_first, depth_first
from puzzlemc.screens.folding import EMPTY, Level, Matrix

LOOKAHEAD = 1  # steps by which unique-first breaks ties; more steps cost more than they save


def simple_fill(level: Level, position: Matrix, steps: Sequence[Step]) -> list[int]:
    """For each step, the number of cells that are empty after it."""
    return [sum(row.count(EMPTY) for row in _after(step)) for step in steps]


def unique_first(level: Level, position: Matrix, steps: Sequence[Step]) -> list[int]:
    """For each step, the sum over the cells that it fills of how many colours could fill them by one fold."""
    filled = [_filled(position, step) for step in steps]
    reach: dict[int, set[Cell]] = {}
    for cells in filled:
        for cell, colour in cells.items():
            reach.setdefault(colour, set()).add(cell)
    claims = Counter(cell for cells in reach.values() for cell in cells)
    return [sum(claims[cell] for cell in cells) for cells in filled]


def unique_first_ahead(level: Level, position: Matrix, steps: Sequence[Step]) -> list[tuple[int, ...]]:
    """The same; the best next steps break ties."""
    return _ahead(level, position, steps, LOOKAHEAD)


def _ahead(level: Level, position: Matrix, steps: Sequence[Step], depth: int) -> list[tuple[int, ...]]:
    weights = unique_first(level, position, steps)
    keys: list[tuple[int, ...]] = []
    for step, weight in zip(steps, weights, strict=True):
        best: tuple[int, ...] = ()
        if depth and weights.count(weight) > 1:
            after = _after(step)
            best = min(_ahead(level, after, list(steps_from(level, after)), depth - 1), default=())
        keys.append((weight, *best))
    return keys


def _after(step: Step) -> Matrix:
    return cast(Matrix, step.position)


def _filled(position: Matrix, step: Step) -> dict[Cell, int]:
    """The cells that a step fills, with their colour."""
    return {
        (r, c): new
        for r, (row, row_after) in enumerate(zip(position, _after(step), strict=True))
        for c, (old, new) in enumerate(zip(row, row_after, strict=True))
        if old != new
    }


METHODS: dict[str, Method] = PLAIN | {
    "greedy, simple fill": partial(depth_first, order=simple_fill),
    "greedy, unique-first": partial(depth_first, order=unique_first_ahead),
    "uniform cost": partial(best_first, weigh=unique_first),
    "A*": partial(best_first, weigh=unique_first, estimate=simple_fill),
}
