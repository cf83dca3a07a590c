"""The wish that a level is solvable: the smallest sets of edits after which it is.

The puzzle's own search finds them, with proofs that no smaller set does; of a puzzle without one, levels are
solved edit by edit. Each suggested level is then solved by an engine: an engine that contradicts the search
refutes it.
"""

from puzzlemc.encodings.puzzle.design.changes import Change, Repairs
from puzzlemc.mc.errors import Refuted
from puzzlemc.reports.output.words import number
from puzzlemc.reports.suggest import one_by_one
from puzzlemc.reports.suggest.asked import Asked, by_kind, smallness
from puzzlemc.reports.suggest.suggestion import Suggestion, Suggestions
from puzzlemc.reports.suggest.words import changed, edits_in_words, none_of, sets_of

AS_IT_IS = 1 / 3  # of the time, for the verdict on the level as it is


def solvable(asked: Asked) -> Suggestions:
    """The smallest changes after which the level is solvable."""
    left = asked.budget.left
    result = asked.solved(asked.level, None if left is None else AS_IT_IS * left)
    if result.verdict == "solvable":
        costs = f": {result.costs_in_words}" if result.costs_in_words else ""
        return asked.answer(result, reached=True, total=1, words=(f"it is solvable already{costs}",))
    search = asked.changes.repairs
    budget = asked.budget.rest()
    if search is None:
        repairs = one_by_one.repairs(asked.entry, asked.allowed, budget)
    else:
        repairs = search(asked.level, asked.allowed, budget)
    asked.tried += repairs.tried
    found, unsolved = _solved(asked, repairs)
    least = max(repairs.least, int(result.verdict == "unsolvable"))
    total = len(repairs.changes) if repairs.complete else None
    words = [_in_words(asked, repairs, least)]
    if result.verdict == "unknown":
        words.append(f"it is not known whether the level is solvable as it is: {result.reason}")
    if unsolved:
        words.append(f"{number(unsolved)} of them could not be solved again within the limits, and are not shown")
    return asked.answer(
        result,
        found=tuple(found),
        least=least,
        total=total,
        words=tuple(words),
        reason=repairs.reason or result.limit or None,
        cores=repairs.cores,
    )


def _solved(asked: Asked, repairs: Repairs) -> tuple[list[Suggestion], int]:
    """The suggestions among repairs, and how many of the best ones an engine could not solve within the limits.

    Raises Refuted if an engine finds that one is none.
    """
    found: list[Suggestion] = []
    unsolved = 0
    for change in by_kind(repairs.changes, smallness)[: asked.request.count]:
        result = asked.solved(change.level)
        if result.verdict == "unsolvable":
            raise Refuted(f"{edits_in_words(change.edits)}: found as a repair, but the level is unsolvable then")
        if result.verdict == "unknown":
            unsolved += 1
            continue
        found.append(asked.suggestion(change, result, after=result.costs, best=_is_least(repairs, change)))
    return found, unsolved


def _is_least(repairs: Repairs, change: Change) -> bool:
    """Is it proved that no smaller change is a repair?"""
    return len(change.edits) <= repairs.least


def _in_words(asked: Asked, repairs: Repairs, least: int) -> str:
    """What is known of the smallest repairs, and how it is proved."""
    size = min((len(change.edits) for change in repairs.changes), default=None)
    proofs = len(repairs.cores)
    proved = f" ({number(proofs)} {'proof' if proofs == 1 else 'proofs'})" if proofs else ""
    smaller = none_of(least - 1)
    if size is None:
        if least > asked.allowed.most:
            return f"{none_of(asked.allowed.most)} makes it solvable{proved}"
        limit = repairs.reason or "not all were tried"
        return f"{f'{smaller} makes it solvable{proved}; ' if smaller else ''}larger ones are not known: {limit}"
    many = number(len(repairs.changes))
    count = f"{'' if repairs.complete else 'at least '}{many} {sets_of(size, len(repairs.changes))}"
    found = f"{count} {changed(len(repairs.changes))} it solvable"
    if size > least:
        return f"{found}, the fewest edits found; at least {least} must be made{proved}"
    return f"{smaller} makes it solvable{proved}; {found}" if smaller else found
