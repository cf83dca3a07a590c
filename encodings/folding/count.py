"""The number of solutions of a Folding Blocks level, counted over covers of the board instead of runs.

In a solved position each colour has one of its shapes, and the shapes partition the board: a *cover*. A run to a
cover folds each colour to its shape, and may mix the folds of different colours in any order (`compact.py` gives
the reason). A fold doubles a block, so all ways to a shape have the same number of folds. If the shapes of a cover
take a, b, … folds and can be reached in v, w, … ways, then v w … (a + b + …)! / (a! b! …) runs lead to the cover.
The sum over all covers is computed colour by colour, for each set of cells that is covered so far.
"""

from fractions import Fraction
from math import factorial
from typing import NamedTuple

from puzzlemc.encodings.folding.blocks import Block, Shape, blocks, empty_cells
from puzzlemc.encodings.folding.compact import in_order
from puzzlemc.encodings.folding.rules import Cell
from puzzlemc.encodings.puzzle.questions import Counting
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.folding import Level


class Counts(NamedTuple):
    """The least number of folds (None: no solution), the number of runs of that length, and of final positions."""

    folds: int | None
    runs: int
    pictures: int


class _Sum(NamedTuple):
    """For the covers of a set of cells by the colours so far: the least number of folds, weight, and number.

    The weight is the sum of v w … / (a! b! …) over the covers with the least number of folds.
    """

    folds: int
    weight: Fraction
    covers: int


def solutions(level: Level, budget: Budget) -> Counts:
    """Count the solutions of a level exactly. Raises LimitReached."""
    cells = {cell: 1 << number for number, cell in enumerate(empty_cells(level))}
    order = in_order(blocks(level))
    later = [
        _mask(cells, frozenset().union(*(s for b in order[n:] for s in b.shapes))) for n in range(len(order) + 1)
    ]
    everything = (1 << len(cells)) - 1
    sums = {0: _Sum(0, Fraction(1), 1)}
    for number, block in enumerate(order):
        ways = _ways(block)
        choices = []
        for shape in block.shapes:
            folds = (len(shape) // len(block.shapes[0])).bit_length() - 1
            choices.append((_mask(cells, shape), folds, Fraction(ways[shape], factorial(folds))))
        must = everything & ~later[number + 1]
        grown: dict[int, _Sum] = {}
        for covered, found in sums.items():
            budget.check()
            for mask, folds, weight in choices:
                if covered & mask or (covered | mask) & must != must:
                    continue
                new = _Sum(found.folds + folds, found.weight * weight, found.covers)
                grown[covered | mask] = _joined(new, grown.get(covered | mask))
        sums = grown
    if everything not in sums:
        return Counts(None, 0, 0)
    total = sums[everything]
    runs = total.weight * factorial(total.folds)
    assert runs.denominator == 1
    return Counts(total.folds, int(runs), total.covers)


def _joined(new: _Sum, old: _Sum | None) -> _Sum:
    if old is None:
        return new
    folds = min(new.folds, old.folds)
    weight = sum((one.weight for one in (new, old) if one.folds == folds), Fraction())
    return _Sum(folds, weight, new.covers + old.covers)


def _ways(block: Block) -> dict[Shape, int]:
    """For each shape, the number of sequences of folds that lead to it.

    `block.folds` lists smaller shapes first, so one pass is enough.
    """
    ways = dict.fromkeys(block.shapes, 0)
    ways[block.shapes[0]] = 1
    for fold in block.folds:
        ways[fold.after] += ways[fold.before]
    return ways


def _mask(cells: dict[Cell, int], shape: Shape) -> int:
    return sum(cells[cell] for cell in shape if cell in cells)


def _pictures(level: Level, budget: Budget) -> int:
    """The number of solutions: final positions, in whatever order they are folded."""
    return solutions(level, budget).pictures


COUNTING = Counting("final positions, in whatever order they are folded", _pictures)
