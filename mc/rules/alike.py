"""Two plain rules of one puzzle that are written apart: do they allow the same moves?"""

from collections.abc import Callable
from typing import Any

from puzzlemc.mc.rules.plain import Step, Transition


def difference(one: Transition, other: Transition, level: Any, check: Callable[[], None]) -> str | None:
    """The first difference that a walk from both starts meets, in words; None if there is none.

    The walk is breadth-first over pairs of positions that the same moves lead to. The positions themselves may be
    of different kinds. `one` is called the system and `other` the rules. `check` is called for each pair; what it
    raises ends the walk.
    """
    start = one.start(level), other.start(level)
    trails: dict[tuple[Any, Any], tuple[str, ...]] = {start: ()}
    queue = [start]
    for pair in queue:  # the list grows in the loop
        check()
        trail = trails[pair]
        found = _compared(one, other, level, pair)
        if isinstance(found, str):
            return f"after {' '.join(trail)}: {found}" if trail else f"at the start: {found}"
        for name, after in found.items():
            if after not in trails:
                trails[after] = (*trail, name)
                queue.append(after)
    return None


def _compared(one: Transition, other: Transition, level: Any, pair: tuple[Any, Any]) -> str | dict[str, Any]:
    """A difference at two positions in words, or the pairs after each move by its name."""
    steps = [_by_name(rules, level, position) for rules, position in zip((one, other), pair, strict=True)]
    for here, there, allows, forbids in ((0, 1, "system", "rules"), (1, 0, "rules", "system")):
        only = sorted(steps[here].keys() - steps[there].keys())
        if only:
            return f"the {allows} allow{'s' * (not here)} {only[0]}, and the {forbids} do{'es' * here} not"
    for name, step in steps[0].items():
        costs = dict(step.costs), dict(steps[1][name].costs)
        if costs[0] != costs[1]:
            return f"{name} costs {costs[0]} in the system and {costs[1]} in the rules"
    solved = one.solved(level, pair[0]), other.solved(level, pair[1])
    if solved[0] != solved[1]:
        where = ("system", "rules") if solved[0] else ("rules", "system")
        return f"the position is solved in the {where[0]}, and not in the {where[1]}"
    return {name: (step.position, steps[1][name].position) for name, step in steps[0].items()}


def _by_name(rules: Transition, level: Any, position: Any) -> dict[str, Step]:
    return {step.name: step for step in rules.steps(level, position)}
