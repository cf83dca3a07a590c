"""Wishes that a given solution is a best one, and the only one: the fewest closed cells that close all others.

The cells that the given solution uses stay free.
"""

import textwrap
from collections.abc import Callable, Sequence
from functools import partial

from puzzlemc.encodings.puzzle.design.changes import Change
from puzzlemc.encodings.puzzle.text import joined
from puzzlemc.mc.errors import LIMITS, Refuted, reason_of
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.solve.known import Known, known_moves
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.suggest.asked import Asked, by_kind, smallness
from puzzlemc.reports.suggest.closed import Closed, closing_of, least_cost, moves_of, smallest_sets
from puzzlemc.reports.suggest.request import INTENDED, ONLY
from puzzlemc.reports.suggest.suggestion import Suggestions
from puzzlemc.reports.suggest.words import Smallest, edits_in_words

SOURCES = {INTENDED: "the intended solution", ONLY: "your solution"}  # in errors
MOST_SHOWN = 200  # characters of a solution


def intended(asked: Asked) -> Suggestions:
    """The fewest closed cells after which no solution is cheaper than the given one.

    Raises LevelError if that is no solution.
    """
    moves, cost = _given(asked)
    words = counted(cost, asked.metric)
    return _kept(
        asked,
        moves,
        partial(_cheaper, asked, cost),
        (
            f"makes {words} the fewest",
            f"no solution has fewer than {words}: the intended one is a best one already",
            f"whether a solution has fewer than {words}",
        ),
    )


def only(asked: Asked) -> Suggestions:
    """The fewest closed cells after which the shortest solutions are the given one, and others with its steps.

    Their order, and steps that cost nothing, do not count. Raises LevelError if that is no solution.
    """
    moves, cost = _given(asked)
    another = closing_of(asked).another

    def other(change: Change) -> Sequence[str] | None:
        cheaper = _cheaper(asked, cost, change)
        if cheaper is not None:
            return cheaper
        found = another(change.level, moves, asked.budget)
        if found is not None and asked.entry.puzzle.replay(change.level, found).costs[asked.metric] != cost:
            raise Refuted(f"{edits_in_words(change.edits)}: a solution of other cost than the least was found")
        return found

    words = f"every solution of at most {counted(cost, asked.metric)} has your {asked.metric}, in whatever order"
    return _kept(
        asked,
        moves,
        other,
        (
            f"leaves only your {counted(cost, asked.metric)}, in whatever order",
            f"{words}, already",
            f"whether {words}",
        ),
    )


def _given(asked: Asked) -> tuple[list[str], int]:
    """The moves of the given solution, and its cost. Raises LevelError."""
    closing_of(asked)
    moves = known_moves(asked.entry, Known(asked.wish.text, SOURCES[asked.wish.name]))
    assert moves is not None
    return moves, asked.entry.puzzle.replay(asked.level, moves).costs[asked.metric]


def _cheaper(asked: Asked, cost: int, change: Change) -> Sequence[str] | None:
    """A solution of a changed level that is cheaper than the given one, which stays. Raises LimitReached."""
    found = asked.solved(change.level)
    if found.verdict == "unsolvable":
        raise Refuted(f"{edits_in_words(change.edits)}: unsolvable, but the given solution stays")
    return None if least_cost(asked, found, cost) >= cost else moves_of(asked, found)


def _kept(
    asked: Asked,
    moves: Sequence[str],
    fails: Callable[[Change], Sequence[str] | None],
    words: tuple[str, str, str],
) -> Suggestions:
    """The fewest closed cells, none used by these moves, after which no solution must go.

    fails  finds a solution of a changed level that must go
    words  what such a change does; that none must go already; and what is not known at a limit
    """
    closing, result = closing_of(asked), asked.solved(asked.level)
    does, already, unknown = words
    try:
        if fails(Change(asked.level, ())) is None:
            return asked.answer(result, reached=True, total=1, words=(already,))
    except LIMITS as limit:
        return asked.answer(result, reason=reason_of(limit), words=(f"it is not known {unknown}",))
    used = closing.used(asked.level, moves)
    cells = [cell for cell in closing.cells(asked.level) if cell not in used | asked.allowed.keep]

    return answered(asked, result, smallest_sets(asked, cells, fails), does)


def answered(asked: Asked, result: Result, found: Closed, does: str) -> Suggestions:
    """The answer with the smallest sets of closed cells; `does` is what each of them does, in words."""
    metric = asked.metric
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
    words = smallest.in_words(does)
    if found.stuck is not None:
        moves = joined(asked.entry.puzzle.text.write_moves(found.stuck))
        moves = textwrap.shorten(moves, MOST_SHOWN, placeholder=" …")
        words = f"no walls do: this solution must go, but it uses no cell that may become a wall: {moves}"
    return asked.answer(
        result,
        found=tuple(suggestions),
        least=found.least,
        total=count if found.complete else None,
        words=(words,),
        reason=found.reason,
    )
