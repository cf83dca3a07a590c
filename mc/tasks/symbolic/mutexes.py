"""States that respect the mutex groups of a task: reachable states do, so all others are left out backward.

A search backward from such states needs the groups only where an operator changes a fact of them (e-deletion;
Torralba and Alcázar 2013): a fact that was false after the operator may have been true before it.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import reduce

from puzzlemc.mc.tasks.symbolic.coding import Coding, StateSet
from puzzlemc.mc.tasks.task import Condition, Fact, Task


@dataclass(frozen=True)
class _Group:
    """Facts of several variables, and the states in which at most one of them holds."""

    facts: frozenset[Fact]
    allowed: StateSet


class Exclusions:
    """The mutex groups of a task. Groups with facts of derived variables are ignored."""

    def __init__(self, task: Task, coding: Coding) -> None:
        self._groups_of: dict[int, list[_Group]] = defaultdict(list)
        self._groups = []
        for facts in task.mutexes:
            variables = {variable for variable, _ in facts}
            if len(variables) > 1 and variables <= coding.current.keys():
                group = _Group(frozenset(facts), _at_most_one(coding, facts))
                self._groups.append(group)
                for variable in sorted(variables):
                    self._groups_of[variable].append(group)

    def __bool__(self) -> bool:
        """Is there a group?"""
        return bool(self._groups)

    def within(self, states: StateSet) -> StateSet:
        """Those of the states that respect all groups."""
        return reduce(lambda f, group: f & group.allowed, self._groups, states)

    def before(self, states: StateSet, precondition: Condition, changed: Iterable[int]) -> StateSet:
        """Those that respect the groups which may be violated before an operator though they are not after it."""
        for variable in changed:
            for group in self._groups_of[variable]:
                if variable not in precondition or (variable, precondition[variable]) in group.facts:
                    states &= group.allowed
        return states


def _at_most_one(coding: Coding, group: Iterable[Fact]) -> StateSet:
    by_variable: dict[int, list[Fact]] = defaultdict(list)
    for fact in group:
        by_variable[fact[0]].append(fact)
    none, one = coding.universe, coding.empty
    for variable in sorted(by_variable, key=coding.order.index, reverse=True):
        some = coding.union(coding.condition({variable: value}) for _, value in by_variable[variable])
        one = (one & ~some) | (none & some)
        none &= ~some
    return none | one
