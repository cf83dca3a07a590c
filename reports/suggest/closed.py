"""The smallest sets of closed cells that do what is wished, by implicit hitting sets.

A set of closed cells fails if a solution that must go uses none of them. So each such solution that is found is
one more set of cells to hit (Moreno-Centeno and Karp 2013). Closed cells never add a solution. So of the sets that
hit all known solutions, one that fails yields a new one; if no set is left, none of this size reaches the wish.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from puzzlemc.encodings.puzzle.design.changes import Cell, Change, Closing
from puzzlemc.encodings.puzzle.text import joined
from puzzlemc.mc.errors import LIMITS, LimitReached, ModelError, reason_of
from puzzlemc.mc.sat.hitting import hitting_sets
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.suggest.asked import Asked

MOST_FOUND = 200  # sets of closed cells that are counted


@dataclass
class Closed:
    """The smallest sets of closed cells.

    changes   those of the smallest size for which there is one
    least     no smaller set does
    complete  are these all of that size?
    hit       the number of solutions that each set must hit
    stuck     the moves of one of them that uses no cell that can be closed: no set of any size closes it
    reason    the limit that came first
    """

    changes: list[Change] = field(default_factory=list)
    least: int = 1
    complete: bool = False
    hit: int = 0
    stuck: Sequence[str] | None = None
    reason: str | None = None


def closing_of(asked: Asked) -> Closing:
    """How cells are closed. Raises ModelError if they cannot be."""
    if asked.changes.closing is None:
        name = asked.entry.puzzle.name
        raise ModelError(f"{asked.wish.name}: no cells of {name} can be closed, so no wall can be put there")
    return asked.changes.closing


def smallest_sets(asked: Asked, cells: Sequence[Cell], fails: Callable[[Change], Sequence[str] | None]) -> Closed:
    """The smallest sets of at most `asked.allowed.most` of these cells that can be closed and do not fail.

    The level stays solvable.

    fails  of a level with closed cells: the moves of a solution of that level that must go; None if there is none.
           It raises LimitReached
    """
    closing = closing_of(asked)
    found = Closed()
    choices = [1 << number for number in range(len(cells))]
    missed: list[tuple[int, int]] = []  # for each solution, the cells that it does not use
    try:
        for size in range(asked.allowed.most + 1):
            for chosen in hitting_sets(choices, missed, size):
                asked.budget.check()
                closed = frozenset(cells[number] for number in chosen)
                change = closing.change(asked.level, closed, frozenset())
                if change is None:
                    continue
                moves = fails(change)
                if moves is not None:
                    used = closing.used(change.level, moves)
                    unused = sum(bit for bit, cell in zip(choices, cells, strict=True) if cell not in used)
                    missed.append((unused, 0))
                    if used.isdisjoint(cells):
                        found.stuck, found.least = moves, asked.allowed.most + 1
                        return found
                elif _is_solvable(asked, change):
                    found.changes.append(change)
                if len(found.changes) == MOST_FOUND:
                    found.reason = "bound"
                    return found
            if found.changes:
                found.complete = True
                break
            found.least = size + 1
    except LIMITS as limit:
        found.reason = reason_of(limit)
    finally:
        found.hit = len(missed)
    return found


def _is_solvable(asked: Asked, change: Change) -> bool:
    """Is the changed level solvable? Raises LimitReached."""
    found = asked.solved(change.level)
    if found.verdict == "unknown":
        raise LimitReached(found.limit)
    return found.verdict == "solvable"


def moves_of(asked: Asked, result: Result) -> list[str]:
    """The moves of a solution."""
    assert result.trace is not None
    if not isinstance(result.trace, str):
        return result.trace
    return [move.name for move in asked.entry.puzzle.text.read_moves(joined(result.trace), "a trace", 1)]


def least_cost(asked: Asked, result: Result, wanted: int) -> int:
    """The least cost of a level with a solution, or any cost below `wanted`. Raises LimitReached."""
    metric = asked.entry.puzzle.metrics[0]
    cost = result.costs.get(metric)
    if result.verdict != "solvable" or cost is None or (not result.optimal and cost >= wanted):
        raise LimitReached(result.limit or "timeout")
    return cost
