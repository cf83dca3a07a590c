"""Facts that exclude each other as sets of states (Torralba, Alcázar, Kissmann and Edelkamp 2017).

A search from the goal meets states that nothing leads to: without them, its sets are smaller, and there are fewer
of them. The set of all states without facts that exclude each other may be large, so it is the intersection of
several ones. A set that would make others too large is left out: each of them only saves work.
"""

from collections.abc import Generator, Iterator, Sequence

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.tasks.mutexes import inductive_groups
from puzzlemc.mc.tasks.operators import starts
from puzzlemc.mc.tasks.symbolic.coding import Coding, StateSet
from puzzlemc.mc.tasks.task import Task

MOST_NODES = 20_000  # of each of the sets
MOST_PRODUCT = 1 << 23  # of the nodes of one of them and of the goal states
PAIR_NODES, NODES = 2, 8  # a pair of facts takes as long as some nodes of an image, and so do nodes of these sets


def constraints(
    task: Task, coding: Coding, budget: Budget, together: Sequence[int] | None = None
) -> Generator[int, None, list[StateSet]]:
    """Sets of states, each of which has all states on plans, by the mutex groups of a task that are inductive.

    together  for each fact those that may hold with it in a state on a plan, as bits

    Yields after each step the nodes of images that take as long. Raises LimitReached.
    """
    found: list[StateSet] = []
    last = coding.universe
    for each, pairs in _each(task, coding, together):
        budget.check()
        both = last & each
        yield PAIR_NODES * pairs + len(both) // NODES
        if len(both) <= MOST_NODES:
            last = both
        else:
            found.append(last)
            last = each
    return [each for each in (*found, last) if each != coding.universe]


def within(goal: StateSet, constraints: Sequence[StateSet]) -> tuple[StateSet, list[StateSet]]:
    """The goal states that are in all of these sets but those that may need many nodes; and the other sets."""
    used = []
    for constraint in constraints:
        if len(goal) * len(constraint) <= MOST_PRODUCT and len(both := goal & constraint) <= MOST_NODES:
            goal = both
            used.append(constraint)
    return goal, used


def _each(task: Task, coding: Coding, together: Sequence[int] | None) -> Iterator[tuple[StateSet, int]]:
    """For each group, the states with at most one of its facts; for each fact, those without a pair of it.

    With the number of facts, or of pairs.
    """
    place = {variable: number for number, variable in enumerate(coding.order)}
    for group in inductive_groups(task):
        facts = sorted(((v, value) for v, value in group), key=lambda fact: -place[fact[0]])
        none, one = coding.universe, coding.universe  # of the facts so far, no one holds; at most one does
        for variable, value in facts:
            fact = coding.condition({variable: value})
            none, one = none & ~fact, (one & ~fact) | (none & fact)
        yield one, len(facts)
    if together is None:
        return
    first = starts(task.domains).tolist()
    for variable in reversed(coding.order):
        for value in range(task.domains[variable]):
            row = together[first[variable] + value]
            others = [
                coding.condition({other: number})
                for other in coding.order
                if place[other] > place[variable]
                for number in range(task.domains[other])
                if not row >> first[other] + number & 1
            ]
            if others:
                yield ~(coding.condition({variable: value}) & coding.union(others)), len(others)
