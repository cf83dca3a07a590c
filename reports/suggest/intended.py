"""The wish that a given solution is a best one: the fewest closed cells after which none is cheaper."""

from puzzlemc.encodings.puzzle.design.changes import Cell, Change
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.solve.known import Known, known_moves
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.suggest.asked import Asked, by_kind, smallness
from puzzlemc.reports.suggest.closed import Closed, closing_of, least_cost, moves_of, smallest_sets
from puzzlemc.reports.suggest.suggestion import Suggestions
from puzzlemc.reports.suggest.words import Smallest, edits_in_words

SOURCE = "the intended solution"


def intended(asked: Asked) -> Suggestions:
    """The fewest closed cells after which no solution is cheaper than the given one.

    Raises LevelError if that is no solution.
    """
    closing = closing_of(asked)
    metric = asked.entry.puzzle.metrics[0]
    moves = known_moves(asked.entry, Known(asked.wish.text, SOURCE))
    assert moves is not None
    cost = asked.entry.puzzle.replay(asked.level, moves).costs[metric]
    result = asked.solved(asked.level)
    try:
        if least_cost(asked, result, cost) >= cost:
            words = f"no solution has fewer than {counted(cost, metric)}: the intended one is a best one already"
            return asked.answer(result, reached=True, total=1, words=(words,))
    except LimitReached as limit:
        words = f"it is not known whether a solution has fewer than {counted(cost, metric)}"
        return asked.answer(result, reason=limit.reason, words=(words,))
    used = closing.used(asked.level, moves)
    cells = [cell for cell in closing.cells(asked.level) if cell not in used | asked.allowed.keep]

    def cheaper(change: Change) -> frozenset[Cell] | None:
        found = asked.solved(change.level)
        if found.verdict == "unsolvable":
            raise Refuted(f"{edits_in_words(change.edits)}: unsolvable, but the intended solution stays")
        if least_cost(asked, found, cost) >= cost:
            return None
        return closing.used(change.level, moves_of(asked, found))

    found = smallest_sets(asked, cells, cheaper)
    return answered(asked, result, found, f"makes {counted(cost, metric)} the fewest")


def answered(asked: Asked, result: Result, found: Closed, does: str) -> Suggestions:
    """The answer with the smallest sets of closed cells; `does` is what each of them does, in words."""
    metric = asked.entry.puzzle.metrics[0]
    suggestions = [
        asked.suggestion(
            change, solved, {metric: result.costs.get(metric)}, {metric: solved.costs.get(metric)}, best=True
        )
        for change in by_kind(found.changes, smallness)[: asked.request.count]
        for solved in [asked.solved(change.level)]
    ]
    count, hit = len(found.changes), found.hit
    size = len(found.changes[0].edits) if found.changes else None
    proof = f"{counted(hit, 'solutions')} to close" if hit else ""
    smallest = Smallest(size, count, found.complete, found.least, asked.allowed.most, proof, found.reason)
    return asked.answer(
        result,
        found=tuple(suggestions),
        least=found.least,
        total=count if found.complete else None,
        words=(smallest.in_words(does),),
        reason=found.reason,
    )
