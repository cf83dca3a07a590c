"""How many solutions a Folding Blocks level has, counted over covers of the board and not over runs.

In the last position each colour has one of its shapes, and together they cover the board: a *cover*. A run to a
cover folds each colour along some way to its shape, and the folds of different colours may be mixed in any
order (for the reason see `compact` in `encodings.folding`). A fold doubles a block, so the folds to a shape are
always as many. If a cover takes a, b, … folds, in v, w, … ways, then v w … (a + b + …)! / (a! b! …) runs lead
to it. The sum over all covers is made colour by colour, over the sets of cells that are covered so far.
"""

from fractions import Fraction
from math import factorial
from typing import NamedTuple

from puzzlemc.encodings.folding.blocks import Block, Shape, blocks, empty_cells
from puzzlemc.encodings.folding.compact import in_order
from puzzlemc.encodings.folding.rules import Cell
from puzzlemc.encodings.puzzle.counting import Counting
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.folding import Level


class Counts(NamedTuple):
    """The least number of folds (None: no solution), the runs of that length, the last positions of all runs."""

    folds: int | None
    runs: int
    pictures: int


class _Sum(NamedTuple):
    """Over the covers of a set of cells by some colours: least folds, sum of v w … / (a! b! …), number."""

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
    """For each shape, how many sequences of folds lead to it. Folds are listed by rising size of the shape."""
    ways = dict.fromkeys(block.shapes, 0)
    ways[block.shapes[0]] = 1
    for fold in block.folds:
        ways[fold.after] += ways[fold.before]
    return ways


def _mask(cells: dict[Cell, int], shape: Shape) -> int:
    return sum(cells[cell] for cell in shape if cell in cells)


def _pictures(level: Level, budget: Budget) -> int:
    """A solution is a picture: the last position, however it is folded."""
    return solutions(level, budget).pictures


COUNTING = Counting("final positions, in whatever order they are folded", _pictures)
