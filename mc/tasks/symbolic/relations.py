"""Transition relations: for each cost the pairs of states before and after an operator, in few diagrams.

The relation of an operator has next bits only of the variables that it changes. Relations of equal cost are merged
by disjunction while their diagrams stay small, because an image takes one operation for each relation (Torralba,
Alcázar, Kissmann and Edelkamp 2017).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.tasks.symbolic.coding import Coding, StateSet
from puzzlemc.mc.tasks.symbolic.mutexes import Exclusions
from puzzlemc.mc.tasks.task import Effect, Operator, Task

MERGED_NODES = 100_000  # of a merged relation


class Pairs(NamedTuple):
    """Pairs of states. They may differ in the variables `changed`; all others are equal, and have no next bits."""

    states: StateSet
    changed: frozenset[int]


class Relation:
    """A transition relation, with what its images need."""

    def __init__(self, coding: Coding, pairs: Pairs) -> None:
        self._coding = coding
        self._pairs, changed = pairs
        self._before = {name for variable in changed for name in coding.current[variable]}
        self._after = {name for variable in changed for name in coding.next[variable]}
        self._forth, self._back = coding.renaming(changed, forth=True), coding.renaming(changed, forth=False)

    def image(self, states: StateSet) -> StateSet:
        """The states after an operator."""
        coding = self._coding
        return coding.renamed(coding.and_exists(states, self._pairs, self._before), self._back)

    def preimage(self, states: StateSet) -> StateSet:
        """The states before an operator."""
        coding = self._coding
        return coding.and_exists(coding.renamed(states, self._forth), self._pairs, self._after)


Step: TypeAlias = Callable[[Relation, StateSet], StateSet]  # Relation.image or Relation.preimage


def transition_relations(
    task: Task, coding: Coding, exclusions: Exclusions, budget: Budget
) -> Mapping[int, Sequence[Relation]]:
    """The merged relations of each cost, in the order of costs. Raises LimitReached.

    Operators that change nothing have none. The preimage of states that respect the mutex groups respects them.
    """
    by_cost: dict[int, list[Pairs]] = defaultdict(list)
    for number, operator in enumerate(task.operators):
        pairs = _operator_pairs(coding, exclusions, operator)
        if pairs.changed and pairs.states != coding.empty:
            by_cost[operator.cost].append(pairs)
        if number % 256 == 0:
            budget.check()
    return {
        cost: [Relation(coding, pairs) for pairs in _merged(coding, by_cost[cost], budget)]
        for cost in sorted(by_cost)
    }


def _operator_pairs(coding: Coding, exclusions: Exclusions, operator: Operator) -> Pairs:
    """The pairs of states before and after the operator that respect the mutex groups, if the states after do."""
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
    changed = frozenset(constants.keys() | conditional)
    return Pairs(exclusions.before(pairs, before, sorted(changed)), changed)


def _conditional(coding: Coding, variable: int, effects: Sequence[Effect]) -> StateSet:
    """The pairs in which the variable is changed by the last effect whose condition holds, or by none."""
    changes, rest = coding.empty, coding.universe  # rest: the states in which no effect so far fires
    for effect in reversed(effects):
        fires = coding.condition(effect.condition)
        changes |= rest & fires & coding.condition({}, {variable: effect.value})
        rest &= ~fires
    return changes | (rest & coding.unchanged[variable])


def _merged(coding: Coding, pairs: Iterable[Pairs], budget: Budget) -> Sequence[Pairs]:
    """The same pairs in fewer sets, each of at most MERGED_NODES nodes, unless it was larger before.

    Neighbours are united, in rounds. Those that change the same variables are neighbours at first.
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
            both = _union(coding, waiting, some)
            if len(both.states) <= MERGED_NODES:
                united.append(both)
                waiting = None
            else:
                united.append(waiting)
                waiting = some
            budget.check()
        if waiting is not None:
            united.append(waiting)
        if len(united) == len(row):
            return united
        row = united


def _union(coding: Coding, f: Pairs, g: Pairs) -> Pairs:
    changed = f.changed | g.changed
    return Pairs(_widened(coding, f, changed) | _widened(coding, g, changed), changed)


def _widened(coding: Coding, pairs: Pairs, changed: frozenset[int]) -> StateSet:
    """The same pairs with next bits of more variables."""
    states = pairs.states
    for variable in sorted(changed - pairs.changed, key=coding.order.index, reverse=True):
        states &= coding.unchanged[variable]
    return states
