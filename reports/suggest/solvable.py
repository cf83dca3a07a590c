"""The wish that a level is solvable: the smallest sets of edits after which it is.

The puzzle's own search finds them, with proofs that no smaller set does; of a puzzle without one, levels are
solved edit by edit. Each suggested level is then solved by an engine: an engine that contradicts the search
refutes it.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from puzzlemc.encodings.puzzle.design.changes import Change, Repairs
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.suggest import one_by_one
from puzzlemc.reports.suggest.asked import AS_IT_IS, Asked, by_kind, smallness
from puzzlemc.reports.suggest.suggestion import PLACED, Suggestion, Suggestions
from puzzlemc.reports.suggest.words import Smallest, edits_in_words, not_solved_again


def solvable(asked: Asked) -> Suggestions:
    """The smallest changes after which the level is solvable."""
    left = asked.budget.left
    result = asked.solved(asked.level, None if left is None else AS_IT_IS * left)
    if result.verdict == "solvable":
        costs = f": {result.costs_in_words}" if result.costs_in_words else ""
        return asked.answer(result, reached=True, total=1, words=(f"it is solvable already{costs}",))
    search = asked.changes.repairs
    budget = asked.search_budget
    if search is None:
        repairs = one_by_one.repairs(asked.entry, asked.allowed, budget)
        if result.verdict == "unknown":  # it takes the level for unsolvable
            repairs = replace(repairs, least=0)
    else:
        repairs = search(asked.level, asked.allowed, _half(budget))
        if repairs.reason is not None and not repairs.changes:
            repairs = _edit_by_edit(asked, repairs, budget)
    asked.tried += repairs.tried
    if any(not change.edits for change in repairs.changes):
        said = "it is solvable already, as the search for repairs has found"
        return asked.answer(asked.solved(asked.level), reached=True, total=1, words=(said,))
    found, unsolved = _solved(asked, repairs)
    least = max(repairs.least, int(result.verdict == "unsolvable"))
    size = min((len(change.edits) for change in repairs.changes), default=None)
    are_all = repairs.complete and (size is None or size <= least)  # of the changes with the fewest edits
    total = len(repairs.changes) if are_all else None
    proofs = counted(len(repairs.cores), "proofs") if repairs.cores else ""
    smallest = Smallest(
        size, len(repairs.changes), repairs.complete, least, asked.allowed.most, proofs, repairs.reason
    )
    words = [smallest.in_words("makes it solvable")]
    if result.verdict == "unknown" and not least:
        words.append(f"it is not known whether the level is solvable as it is: {result.reason}")
    if unsolved:
        words.append(not_solved_again(unsolved))
    return asked.answer(
        result,
        found=tuple(found),
        least=least,
        total=total,
        words=tuple(words),
        reason=repairs.reason or result.limit or None,
        cores=repairs.cores,
    )


def _half(budget: Budget) -> Budget:
    """A budget of half the time."""
    left, limits = budget.left, budget.limits
    return budget.part(limits if left is None else replace(limits, seconds=left / 2))


def _edit_by_edit(asked: Asked, known: Repairs, budget: Budget) -> Repairs:
    """The repairs of a level that is too large for the puzzle's own search, which knows proofs of single edits.

    One edit after the other does not make all sets of edits: two things cannot change places so.
    """
    found = one_by_one.repairs(asked.entry, asked.allowed, budget, known.cores)
    least = max(known.least, min(found.least, 2)) if known.least else 0
    are_single = all(len(change.edits) == 1 for change in found.changes)
    return replace(
        found,
        least=least,
        complete=found.complete and are_single and least > 0,
        tried=known.tried + found.tried,
        cores=known.cores if least == known.least else (),
    )


def _solved(asked: Asked, repairs: Repairs) -> tuple[list[Suggestion], int]:
    """The suggestions among repairs, and how many of the best ones an engine could not solve within the limits.

    Raises Refuted if an engine finds that one is none.
    """
    found: list[Suggestion] = []
    unsolved = 0
    for change in by_kind(repairs.changes, _order(asked))[: asked.request.count]:
        result = asked.solved(change.level)
        if result.verdict == "unsolvable":
            raise Refuted(f"{edits_in_words(change.edits)}: found as a repair, but the level is unsolvable then")
        if result.verdict == "unknown":
            unsolved += 1
            continue
        found.append(asked.suggestion(change, result, after=result.costs, best=_is_least(repairs, change)))
    return found, unsolved


def _order(asked: Asked) -> Callable[[Change], tuple[float, ...]]:
    """The order of repairs: those that are solved at their start come last.

    Of those that change as few cells, the ones that place more objects come later.
    """

    def placed(level: Any) -> float:
        if asked.changes.numbers is None:
            return 0
        found = asked.numbers(level, Budget(), [PLACED])
        return float((found or {}).get(PLACED) or 0)

    before, rules = placed(asked.level), asked.entry.puzzle.rules

    def order(change: Change) -> tuple[float, ...]:
        size, border, cells, distance = smallness(change)
        solved = rules.solved(change.level, rules.start(change.level))
        return size, solved, border, cells, placed(change.level) > before, distance

    return order


def _is_least(repairs: Repairs, change: Change) -> bool:
    """Is it proved that no smaller change is a repair?"""
    return len(change.edits) <= repairs.least
