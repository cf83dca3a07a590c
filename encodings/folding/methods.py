"""Textbook searches for Folding Blocks, over its plain rules.

Two heuristics give each step from a position a weight; steps with a smaller weight come first:

simple fill    the number of empty cells after the step
unique-first   the sum, over the cells that the step fills, of the number of colours that could fill the cell by
               one fold; so a cell that only one colour can fill is filled early

Greedy search is depth-first and takes the steps in the order of their weights; the weights of the best next steps
break ties. Uniform-cost search sums unique-first along the path, and A* adds simple fill to this sum. Only
breadth-first search and iterative deepening guarantee a shortest solution.
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

LOOKAHEAD = 1  # the depth to which unique-first breaks ties; a larger one costs more than it saves


def simple_fill(level: Level, position: Matrix, steps: Sequence[Step]) -> list[int]:
    """For each step, the number of empty cells after it."""
    return [sum(row.count(EMPTY) for row in _after(step)) for step in steps]


def unique_first(level: Level, position: Matrix, steps: Sequence[Step]) -> list[int]:
    """For each step, the sum over its filled cells of the number of colours that can fill the cell by one fold."""
    filled = [_filled(position, step) for step in steps]
    reach: dict[int, set[Cell]] = {}
    for cells in filled:
        for cell, colour in cells.items():
            reach.setdefault(colour, set()).add(cell)
    claims = Counter(cell for cells in reach.values() for cell in cells)
    return [sum(claims[cell] for cell in cells) for cells in filled]


def unique_first_ahead(level: Level, position: Matrix, steps: Sequence[Step]) -> list[tuple[int, ...]]:
    """The weights of `unique_first`, followed by those of the best next steps if weights are equal."""
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
