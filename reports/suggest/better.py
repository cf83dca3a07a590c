"""The wishes for another solvable level: one with a single shortest solution, a harder, longer or shorter one.

`unique`, `longer=N` and `shorter=N` are reached or not, by as few edits as possible. The others ask for the best
number: the suggestions are better than the level as it is, and than all suggestions with fewer edits.
"""

from collections.abc import Callable, Sequence

from puzzlemc.encodings.puzzle.design.changes import Change
from puzzlemc.mc.errors import LIMITS, Refuted, reason_of
from puzzlemc.reports.output.words import counted, number
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.suggest.asked import AS_IT_IS, SOLUTIONS, Asked, by_kind, smallness
from puzzlemc.reports.suggest.layers import Aim, Known, Layers, layers
from puzzlemc.reports.suggest.request import CHANGES, LOST
from puzzlemc.reports.suggest.suggestion import PLACED, Suggestion, Suggestions
from puzzlemc.reports.suggest.words import (
    Smallest,
    edits_in_words,
    measure_in_words,
    none_of,
    not_solved_again,
    single_or_sets,
)

SETS, BOX_CHANGES, LOST_SHARE = "solution_sets", "box_changes", "lost_share"
IN_ORDER = "edits were made one after the other: those that are legal only together were not tried"


def unique(asked: Asked) -> Suggestions:
    """The fewest edits after which one solution is left: of all, where they are counted, or of the shortest ones.

    Shortest ones are counted as `solution_sets` counts them. Raises ModelError.
    """
    counting = asked.entry.puzzle.counting
    if not asked.known(SETS) and counting is not None and counting.can(asked.level):
        only = Aim(
            (SOLUTIONS, PLACED),
            lambda numbers: (-value(numbers, SOLUTIONS),),
            lambda numbers: numbers[SOLUTIONS] == 1,
        )
        return _reached(asked, only, "leaves one solution", "it has one solution already")
    metric = asked.need(SETS)
    aim = Aim(
        (metric, SETS, *asked.known(BOX_CHANGES), PLACED),
        lambda numbers: (-value(numbers, SETS), value(numbers, BOX_CHANGES), value(numbers, metric)),
        lambda numbers: numbers[SETS] == 1 and value(numbers, metric) > 0,
    )
    one = f"one shortest set of {metric}"
    return _reached(asked, aim, f"leaves {one}", f"it has {one} already")


def longer(asked: Asked) -> Suggestions:
    """Changes after which a shortest solution costs more: at least N, or as much as possible."""
    metric, wanted = asked.need(), asked.wish.number
    names = (metric, *asked.known(BOX_CHANGES), PLACED)
    if wanted is None:
        return _best(
            asked, Aim(names, lambda numbers: (value(numbers, metric), value(numbers, BOX_CHANGES))), metric
        )
    aim = Aim(
        names,
        lambda numbers: (min(value(numbers, metric), wanted), -value(numbers, metric)),
        lambda numbers: value(numbers, metric) >= wanted,
    )
    needs = f"{counted(wanted, metric)} or more"
    return _reached(asked, aim, f"makes the least cost {needs}", f"every solution has {needs} already")


def shorter(asked: Asked) -> Suggestions:
    """Changes after which a shortest solution costs less: at most N, or as little as possible, but not nothing."""
    metric, wanted = asked.need(), asked.wish.number
    names = (metric, *asked.known(BOX_CHANGES), PLACED)
    if wanted is None:
        return _best(asked, Aim(names, lambda numbers: (-value(numbers, metric),), ceiling=-1), metric)
    aim = Aim(
        names,
        lambda numbers: (-max(value(numbers, metric), wanted), value(numbers, metric)),
        lambda numbers: 0 < value(numbers, metric) <= wanted,
    )
    needs = f"{counted(wanted, metric)} or fewer"
    return _reached(asked, aim, f"makes the least cost {needs}", f"a solution has {needs} already")


def harder(asked: Asked) -> Suggestions:
    """Changes after which the level is harder by a number: changes of the pushed box, cost, or lost positions."""
    by = {CHANGES: BOX_CHANGES, LOST: LOST_SHARE}.get(asked.request.by, "")
    metric = asked.need(*([by] if by else []))
    first, second = (by, metric) if by else (metric, BOX_CHANGES)
    names = tuple(dict.fromkeys((metric, first, *asked.known(BOX_CHANGES), PLACED)))
    aim = Aim(names, lambda numbers: (value(numbers, first), value(numbers, second)), floor=0)
    return _best(asked, aim, first, keeps_cost=asked.request.by == LOST)


def value(numbers: Known, name: str) -> float:
    """A number as it is compared; 0 if it is absent."""
    return float(numbers.get(name) or 0)


def _reached(asked: Asked, aim: Aim, does: str, already: str) -> Suggestions:
    """The changes with the fewest edits that reach a wish; `does` and `already` are words."""
    assert aim.reached is not None
    result, before, reason = _as_it_is(asked, aim)
    if before is not None and aim.reached(before):
        return asked.answer(result, reached=True, total=1, words=(already,))
    found = layers(asked, aim)
    asked.tried += found.tried
    least, size = 1, None
    hits: list[tuple[Change, Known]] = []
    for edits, layer in enumerate(found.layers, 1):
        hits = [each for each in layer.found if aim.reached(each[1])]
        if hits:
            size = edits
            break
        least += layer.complete
    complete = size == least and found.layers[least - 1].complete
    if reason is not None:  # the level as it is may reach the wish
        least, complete = 0, False
    reason = found.reason or reason
    smallest = Smallest(
        size, len(hits), complete, least, asked.allowed.most, f"{number(found.tried)} tried", reason
    )
    order = _order(before, aim)
    suggestions, unsolved = _suggested(asked, hits, before, order, lambda change, _: len(change.edits) == least)
    return asked.answer(
        result,
        found=suggestions,
        least=least,
        total=len(hits) if complete else None,
        words=(smallest.in_words(does), *_not_tried(found), *unsolved),
        reason=reason,
    )


def _best(asked: Asked, aim: Aim, name: str, *, keeps_cost: bool = False) -> Suggestions:
    """The changes that make a number best, better than with fewer edits.

    name        the name of the number
    keeps_cost  only changes count after which the least cost is not lower
    """
    result, before, reason = _as_it_is(asked, aim)
    least_cost = max(1.0, value(before or {}, asked.metric) if keeps_cost else 0.0)
    best = aim.floor if before is None else aim.score(before)[0]
    if best is not None and best == aim.ceiling:
        return asked.answer(
            result, least=asked.allowed.most + 1, words=(f"{none_of(asked.allowed.most)} does better",)
        )
    found = layers(asked, aim)
    asked.tried += found.tried
    offered: list[tuple[Change, Known]] = []
    tops: dict[int, float] = {}
    words = []
    for edits, layer in enumerate(found.layers, 1):
        good = [
            each
            for each in layer.found
            if value(each[1], asked.metric) >= least_cost and (best is None or aim.score(each[1])[0] > best)
        ]
        if good:
            best = tops[edits] = max(aim.score(numbers)[0] for _, numbers in good)
            top = next(numbers for _, numbers in good if aim.score(numbers)[0] == best)
            proved = "" if layer.complete or best == aim.ceiling else ", the best found"
            words.append(f"with {single_or_sets(edits)}: {measure_in_words(top[name], name)}{proved}")
            offered += good
        elif layer.complete or best == aim.ceiling:
            words.append(f"with {single_or_sets(edits)}: no better")
        else:
            words.append(f"with {single_or_sets(edits)}: none better was found")
    complete = len(found.layers) == asked.allowed.most and all(layer.complete for layer in found.layers)
    if not offered and complete:
        words = [f"{none_of(asked.allowed.most)} does better ({number(found.tried)} tried)"]
    order = _order(before, aim)
    proved_sizes = {edits for edits, layer in enumerate(found.layers, 1) if layer.complete}

    def is_top(change: Change, numbers: Known) -> bool:
        return aim.score(numbers)[0] == tops[len(change.edits)]

    def is_best(change: Change, numbers: Known) -> bool:
        size = len(change.edits)
        return (size in proved_sizes or tops[size] == aim.ceiling) and is_top(change, numbers)

    suggestions, unsolved = _suggested(asked, offered, before, order, is_best, is_top)
    return asked.answer(
        result,
        found=suggestions,
        least=1
        + next(
            (size for size, layer in enumerate(found.layers) if not layer.complete or size + 1 in tops),
            len(found.layers),
        ),
        words=(
            "; ".join(words) + (f" ({found.reason})" if found.reason else ""),
            *(() if best is not None and best == aim.ceiling else _not_tried(found)),
            *unsolved,
        ),
        reason=found.reason or reason,
    )


def _as_it_is(asked: Asked, aim: Aim) -> tuple[Result, Known | None, str | None]:
    """The verdict on the level as it is, its numbers if it is solvable and they are known, and the limit."""
    left = asked.budget.left
    result = asked.solved(asked.level, None if left is None else AS_IT_IS * left)
    try:
        return result, asked.numbers(asked.level, asked.budget, aim.names), None
    except LIMITS as limit:
        return result, None, reason_of(limit)


def _not_tried(found: Layers) -> tuple[str, ...]:
    """A sentence about the sets of edits that are never tried, if more than one edit was."""
    return (IN_ORDER,) if len(found.layers) > 1 else ()


def _order(before: Known | None, aim: Aim) -> Callable[[Change, Known], tuple[float, ...]]:
    """The order of suggestions: of those that do as well, the ones that place more objects come last."""
    placed = 0.0 if before is None else value(before, PLACED)

    def order(change: Change, numbers: Known) -> tuple[float, ...]:
        *few, distance = smallness(change)
        nearer = tuple(-each for each in aim.score(numbers))
        if aim.reached is None:
            return (nearer[0], value(numbers, PLACED) > placed, *nearer[1:], *few, distance)
        return (value(numbers, PLACED) > placed, *few, distance, *nearer[1:])

    return order


def _suggested(
    asked: Asked,
    changes: Sequence[tuple[Change, Known]],
    before: Known | None,
    order: Callable[[Change, Known], tuple[float, ...]],
    is_best: Callable[[Change, Known], bool],
    is_top: Callable[[Change, Known], bool] = lambda *_: False,
) -> tuple[tuple[Suggestion, ...], tuple[str, ...]]:
    """The suggestions, each solved by an engine, and a sentence if some could not be solved within the limits.

    The best of each number of edits comes first.

    Raises Refuted if an engine contradicts the numbers.
    """
    numbers = {id(change): known for change, known in changes}

    def key(change: Change) -> tuple[float, ...]:
        return order(change, numbers[id(change)])

    ranked = by_kind((change for change, _ in changes), key)
    sizes = sorted({len(change.edits) for change in ranked})
    heads = [min((each for each in ranked if len(each.edits) == size), key=key) for size in sizes]
    others = [change for change in ranked if all(change is not head for head in heads)]
    found: list[Suggestion] = []
    unsolved = 0
    for change in (*heads, *others):
        known = numbers[id(change)]
        if len(found) == asked.request.count:
            break
        result = asked.solved(change.level)
        cost = result.costs.get(asked.metric)
        if result.verdict == "unknown":
            unsolved += 1
            continue
        claimed = known.get(asked.metric, cost)
        is_cheaper = cost is not None and claimed is not None and cost < claimed
        if result.verdict == "unsolvable" or is_cheaper or (result.optimal and cost != claimed):
            raise Refuted(f"{edits_in_words(change.edits)}: {cost} {asked.metric}, but {claimed} found")
        best, top = is_best(change, known), is_top(change, known)
        found.append(asked.suggestion(change, result, before, known, best=best, top=top))
    return tuple(found), (not_solved_again(unsolved),) if unsolved else ()
