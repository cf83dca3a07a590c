"""Transition relations: for each cost the pairs of states before and after an operator, in few diagrams.

The relation of an operator has next bits only of the variables that it changes. Relations of equal cost are merged
by disjunction while their diagrams stay small, because an image takes one operation for each relation (Torralba,
Alcázar, Kissmann and Edelkamp 2017).
"""

from collections import defaultdict
from collections.abc import Generator, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.tasks.symbolic.coding import Coding, StateSet
from puzzlemc.mc.tasks.task import Effect, Operator, Task

MERGED_NODES = 100_000  # of a merged relation
MOST_NODES = 1 << 19  # of the relation of an operator: images with a larger one would take minutes
MOST_PRODUCT = 1 << 28  # of the nodes of a set and those of a merged relation in one operation: about a second


class Pairs(NamedTuple):
    """Pairs of states. They may differ in the variables `changed`; all others are equal, and have no next bits.

    halves  two sets of which they are the union, or none
    growth  the nodes of their diagram for each node of the halves
    """

    states: StateSet
    changed: frozenset[int]
    halves: "tuple[Pairs, ...]" = ()
    growth: float = 1.0


class Relation:
    """A transition relation, with what its images need. Images raise LimitReached."""

    def __init__(self, coding: Coding, pairs: Pairs) -> None:
        self._coding = coding
        self._pairs = pairs
        self._before = {name for variable in pairs.changed for name in coding.current[variable]}
        self._after = {name for variable in pairs.changed for name in coding.next[variable]}
        self._forth = coding.renaming(pairs.changed, forth=True)
        self._back = coding.renaming(pairs.changed, forth=False)

    def image(self, states: StateSet) -> StateSet:
        """The states after an operator."""
        if self._is_large(states):
            return self._coding.union([half.image(states) for half in self._halves])
        coding = self._coding
        return coding.renamed(coding.and_exists(states, self._pairs.states, self._before), self._back)

    def preimage(self, states: StateSet) -> StateSet:
        """The states before an operator."""
        if self._is_large(states):
            return self._coding.union([half.preimage(states) for half in self._halves])
        coding = self._coding
        return coding.and_exists(coding.renamed(states, self._forth), self._pairs.states, self._after)

    def _is_large(self, states: StateSet) -> bool:
        """Is the relation merged, and would one operation with it and this set take long?"""
        return bool(self._pairs.halves) and len(states) * len(self._pairs.states) > MOST_PRODUCT

    @cached_property
    def _halves(self) -> "Sequence[Relation]":
        return [Relation(self._coding, half) for half in self._pairs.halves]


def transition_relations(
    task: Task, coding: Coding, budget: Budget
) -> Generator[int, None, Mapping[int, Sequence[Relation]]]:
    """Make the merged relations by cost, in order. Operators that change nothing have none.

    Yield the nodes of each diagram that is made. Raises LimitReached.
    """
    by_cost: dict[int, list[Pairs]] = defaultdict(list)
    for number, operator in enumerate(task.operators):
        pairs = _operator_pairs(coding, operator)
        if pairs.changed and pairs.states != coding.empty:
            by_cost[operator.cost].append(pairs)
        yield len(pairs.states)
        if number % 256 == 0:
            budget.check()
    found = {}
    for cost, some in sorted(by_cost.items()):
        merged = yield from _merged(coding, some, budget)
        found[cost] = [Relation(coding, part) for part in merged]
    return found


def _operator_pairs(coding: Coding, operator: Operator) -> Pairs:
    """The pairs of states before and after the operator. Raises LimitReached if their diagram is too large."""
    before = operator.precondition
    effects: dict[int, list[Effect]] = defaultdict(list)
    for effect in operator.effects:
        effects[effect.variable].append(effect)
    constants = {variable: row[-1].value for variable, row in effects.items() if not row[-1].condition}
    constants = {variable: value for variable, value in constants.items() if before.get(variable) != value}
    kept = {variable for variable in effects if variable not in constants and not effects[variable][-1].condition}
    pairs = coding.condition(before, constants)
    for variable in constants.keys() - before.keys():
        pairs &= coding.domains[variable]
    conditional = effects.keys() - constants.keys() - kept
    for variable in sorted(conditional):
        pairs &= _conditional(coding, variable, effects[variable])
        if variable not in before:
            pairs &= coding.domains[variable]
        if len(pairs) > MOST_NODES:
            raise LimitReached("memory")
    return Pairs(pairs, frozenset(constants.keys() | conditional))


def _conditional(coding: Coding, variable: int, effects: Sequence[Effect]) -> StateSet:
    """The pairs in which the variable is changed by the last effect whose condition holds, or by none."""
    changes, rest = coding.empty, coding.universe  # rest: the states in which no effect so far fires
    for effect in reversed(effects):
        fires = coding.condition(effect.condition)
        changes |= rest & fires & coding.condition({}, {variable: effect.value})
        rest &= ~fires
    return changes | (rest & coding.unchanged[variable])


def _merged(coding: Coding, pairs: Iterable[Pairs], budget: Budget) -> Generator[int, None, Sequence[Pairs]]:
    """The pairs in fewer sets, each of at most MERGED_NODES nodes, unless it was larger before.

    Neighbours are united, in rounds. Those that change the same variables are neighbours at first. Two sets are
    not united if their union, growing as they did, would have too many nodes: a diagram of millions of nodes would
    be made for nothing. Yields the nodes of each diagram.
    """
    level = {variable: number for number, variable in enumerate(coding.order)}
    row = sorted(pairs, key=lambda some: sorted(level[variable] for variable in some.changed))
    while True:
        united: list[Pairs] = []
        waiting: Pairs | None = None
        for some in row:
            if waiting is None:
                waiting = some
                continue
            size = len(waiting.states) + len(some.states)
            if max(waiting.growth, some.growth) * size <= MERGED_NODES:
                both = _union(coding, waiting, some)
                nodes = len(both.states)
                yield nodes
                budget.check()
                if nodes <= MERGED_NODES:
                    united.append(both._replace(growth=nodes / size))
                    waiting = None
                    continue
            united.append(waiting)
            waiting = some
        if waiting is not None:
            united.append(waiting)
        if len(united) == len(row):
            return united
        row = united


def _union(coding: Coding, f: Pairs, g: Pairs) -> Pairs:
    changed = f.changed | g.changed
    return Pairs(_widened(coding, f, changed) | _widened(coding, g, changed), changed, (f, g))


def _widened(coding: Coding, pairs: Pairs, changed: frozenset[int]) -> StateSet:
    """The pairs with next bits of more variables."""
    states = pairs.states
    for variable in sorted(changed - pairs.changed, key=coding.order.index, reverse=True):
        states &= coding.unchanged[variable]
    return states
