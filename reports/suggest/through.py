"""The wish that every solution passes a cell: the fewest closed cells after which none avoids it."""

from collections.abc import Sequence

from puzzlemc.encodings.puzzle.design.changes import Change
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.reports.suggest.asked import Asked
from puzzlemc.reports.suggest.closed import closing_of, moves_of, smallest_sets
from puzzlemc.reports.suggest.intended import answered
from puzzlemc.reports.suggest.suggestion import Suggestions


def through(asked: Asked) -> Suggestions:
    """The fewest closed cells after which the level is solvable, and each solution uses the cell.

    Raises ModelError if the cell is no floor, or if the level is unsolvable.
    """
    closing = closing_of(asked)
    row, column = cell = asked.wish.cell
    place = f"row {row + 1}, column {column + 1}"
    result = asked.solved(asked.level)
    if result.verdict == "unsolvable":
        raise ModelError(f"{asked.entry.id} is unsolvable, expected a solvable level; --want solvable changes it")
    if closing.avoiding(asked.level, frozenset([cell])) == asked.level:
        raise ModelError(f"found {place}, expected a cell of the floor")

    def avoids(change: Change) -> Sequence[str] | None:
        level = closing.avoiding(change.level, frozenset([cell]))
        if level is None:
            return None
        found = asked.solved(level)
        if found.verdict == "unknown":
            raise LimitReached(found.limit)
        return None if found.verdict == "unsolvable" else moves_of(asked, found)

    try:
        if avoids(Change(asked.level, ())) is None:
            words = [f"every solution passes {place} already"]
            if result.verdict == "unknown":
                words.append(f"it is not known whether the level is solvable: {result.reason}")
            return asked.answer(result, reached=True, total=1, words=tuple(words))
    except LimitReached as limit:
        return asked.answer(
            result, reason=limit.reason, words=(f"it is not known whether a solution avoids {place}",)
        )
    cells = [each for each in closing.cells(asked.level) if each != cell and each not in asked.allowed.keep]
    return answered(asked, result, smallest_sets(asked, cells, avoids), f"makes every solution pass {place}")
