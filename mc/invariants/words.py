"""Sums in words, for people: what stays the same, and what it would have to be at the goal."""

from collections.abc import Sequence

from puzzlemc.mc.invariants.sums import POTENTIAL, Sum, completed
from puzzlemc.mc.tasks.task import Condition, Task

NAMED = 12  # facts that a sentence lists


def in_words(task: Task, found: Sum, goal: Condition) -> str:
    """A sentence on a sum that is another one in the states of a goal than in the initial state."""
    left = completed(task, goal)
    # A potential is at least this large in the goal; any other sum is the same in all its states.
    state = []
    for variable in sorted(left):
        kind = found.kinds[variable]
        state.append(min((found.weights.get((kind, value), 0), value) for value in left[variable])[1])
    here, there = found.value(task.initial), found.value(tuple(state))
    if found.prime == POTENTIAL:
        weights = sorted(set(found.weights.values()))
        parts = (f"{weight} for {_listed(_names(task, found, weight))}" for weight in weights)
        return f"a sum is never more than {here}, and at least {there} in the goal: {'; '.join(parts)}"
    if found.degree == 2:
        return (
            f"a sum over {len(found.weights)} kinds of pairs of facts is {here} modulo {found.prime} in every"
            f" reachable state, and {there} in the goal"
        )
    names = {weight: _names(task, found, weight) for weight in range(1, found.prime)}
    if found.prime == 2:
        parity = ("an even number", "an odd number")
        sentence = f"in every reachable state {parity[here]} of these hold, in the goal {parity[there]}"
        return f"{sentence}: {_listed(names[1])}"
    parts = (f"{weight} for {_listed(some)}" for weight, some in names.items() if some)
    sentence = f"a sum is {here} modulo {found.prime} in every reachable state, and {there} in the goal"
    return f"{sentence}: {'; '.join(parts)}"


def always_in_words(task: Task, found: Sum) -> str:
    """A sentence on a sum of facts that no operator changes."""
    here = found.value(task.initial)
    if found.degree == 2:
        return f"a sum over {len(found.weights)} kinds of pairs of facts is always {here} modulo {found.prime}"
    some = sorted(set(found.weights.values()))
    if some == [1]:
        number = ("an even number", "an odd number")[here] if found.prime == 2 else f"exactly {here}"
        modulo = f" modulo {found.prime}" if found.prime > 2 else ""
        return f"always {number}{modulo} of these: {_listed(_names(task, found, 1))}"
    parts = "; ".join(f"{weight} for {_listed(_names(task, found, weight))}" for weight in some)
    modulo = f" modulo {found.prime}" if found.prime else ""
    return f"a sum is always {here}{modulo}: {parts}"


def named_weights(task: Task, found: Sum) -> list[tuple[str, int]]:
    """The facts of a sum over single facts by their names, with their weights."""
    return [
        (task.variables[variable].values[value], found.weights[kind, value])
        for variable, kind in enumerate(found.kinds)
        for value in range(task.domains[variable])
        if (kind, value) in found.weights
    ]


def _names(task: Task, found: Sum, weight: int) -> list[str]:
    """The names of the facts of a weight."""
    return [name for name, held in named_weights(task, found) if held == weight]


def _listed(names: Sequence[str]) -> str:
    """Names, the first of many."""
    more = len(names) - NAMED
    return ", ".join(names[:NAMED]) + (f" and {more} more" if more > 0 else "")
