"""Pairs of facts of a task that exclude each other (h², Haslum and Geffner 2000), forward and backward in turns.

Forward, pairs grow from the initial state: a pair that is never found holds in no reachable state. Backward, they
grow from the goal states, by reversed operators (Alcázar and Torralba 2015): a reachable state with a pair that is
never found is *dead*. The dead states are a trap: no operator leads out of them, and none is a goal state. An
operator that starts or ends only in dead states is in no plan. It is left out, and pairs grow anew among those
that are left, until none is lost. The task has no plan if two facts of each goal exclude each other, or if the
initial state is dead.

Derived variables are left out of pairs and of conditions: then more pairs are found, which is sound.
"""

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.passes.exclusions import Rows, matrix, rows_of, together
from puzzlemc.mc.passes.pairs import PairSystem, close
from puzzlemc.mc.tasks.task import Condition, Fact, Operator, State, Task

MOST_FACTS = 1 << 13  # a matrix then has 8 MiB
MOST_RULES = 1 << 20
MOST_EFFECTS = 24  # with conditions, of an operator that is looked at by pairs of them
SLICE = 1 << 23  # words between two pauses

Rule = tuple[list[int], list[int], list[int]]  # the facts that it reads, that may hold after it, and that it ends


@dataclass(frozen=True)
class Changes:
    """An operator without derived variables.

    certain   the values that variables have after it, unless a possible effect gives them others
    possible  effects with their conditions, as far as the precondition does not decide them
    """

    before: Condition
    certain: Condition
    possible: tuple[tuple[Fact, Condition], ...]

    @property
    def touched(self) -> frozenset[int]:
        """The variables that it may change."""
        return frozenset([*self.certain, *(fact[0] for fact, _ in self.possible)])

    @property
    def after(self) -> Condition:
        """What holds after it in any case."""
        touched, open_ = self.touched, {fact[0] for fact, _ in self.possible}
        kept = {v: value for v, value in self.before.items() if v not in touched}
        return kept | {v: value for v, value in self.certain.items() if v not in open_}

    @property
    def most_cases(self) -> int:
        """The number of cases, those included that contradict themselves."""
        effects = len(self.possible)
        return 1 + effects * (effects + 1) // 2 if effects <= MOST_EFFECTS else 2

    def cases(self) -> Iterator[tuple[Condition, list[Fact], frozenset[int]]]:
        """What holds before, what may hold after it, and the variables that have other values then, by cases.

        A case has up to two possible effects: each pair of facts after the operator is in one.
        """
        yield self.before, [*self.certain.items()], frozenset(self.certain)
        if len(self.possible) > MOST_EFFECTS:
            facts = [*self.certain.items(), *(fact for fact, _ in self.possible)]
            yield self.before, facts, frozenset(self.certain)
            return
        for size in (1, 2):
            for some in combinations(self.possible, size):
                given = _joined([self.before, *(condition for _, condition in some)])
                changed = frozenset(fact[0] for fact, _ in some)
                if given is not None and len(changed) == size:
                    kept = [(v, value) for v, value in self.certain.items() if v not in changed]
                    yield given, [*kept, *(fact for fact, _ in some)], changed.union(self.certain)


def changes_of(operator: Operator, derived: frozenset[int]) -> Changes:
    """What an operator changes."""
    certain: dict[int, int] = {}
    possible: list[tuple[Fact, Condition]] = []
    for effect in operator.effects:
        if any(operator.precondition.get(v, value) != value for v, value in effect.condition.items()):
            continue
        given = {v: value for v, value in effect.condition.items() if v not in operator.precondition}
        fact = (effect.variable, effect.value)
        if given:
            possible.append((fact, _without(given, derived)))
        else:  # the last one counts
            certain[effect.variable] = effect.value
            possible = [each for each in possible if each[0][0] != effect.variable]
    return Changes(_without(operator.precondition, derived), certain, tuple(possible))


class FactPairs:
    """The pairs of facts of a task, by rounds: forward and backward ones alternate.

    first     the first fact of each variable
    rounds    for each round that has ended, the pairs of facts that may hold together, as rows of bits
    is_shown  is it shown that the task has no plan?
    useful    the numbers of the operators that may be in a plan, as far as rounds have ended
    """

    def __init__(self, task: Task, goals: Sequence[Condition]) -> None:
        """Of a task whose goal states satisfy one of the conditions `goals`."""
        self._task, self._goals = task, goals
        self._derived = frozenset(task.derived)
        self.first = [0]
        for size in task.domains:
            self.first.append(self.first[-1] + size)
        self.rounds: list[Rows] = []
        self.is_shown = False
        self.useful: Sequence[int] = range(len(task.arrays))

    def turns(self, budget: Budget) -> Iterator[None]:
        """Find pairs until the task is shown to have no plan, or until no pair is lost. Pause after each SLICE.

        Raises LimitReached.
        """
        if self.first[-1] > MOST_FACTS:
            return
        operators = {
            number: changes_of(operator, self._derived) for number, operator in enumerate(self._task.operators)
        }
        if sum(each.most_cases for each in operators.values()) > MOST_RULES:
            return
        initial = self.facts(enumerate(self._task.initial))
        start = [sum(1 << q for q in initial) if p in initial else 0 for p in range(self.first[-1])]
        pairs = self.of_different_variables
        while True:
            rules = [self._rule(*case) for operator in operators.values() for case in operator.cases()]
            found = yield from self._closed(start, pairs, rules, budget)
            if not any(self._may_hold(goal, found) for goal in self._goals):
                self.is_shown = True
                return
            if len(self.rounds) > 1 and found == pairs:
                return
            operators = {n: each for n, each in operators.items() if self._may_hold(each.before, found)}
            self.useful = [*operators]
            rules = [self._reversed(operator, found) for operator in operators.values()]
            pairs = yield from self._closed(self._goal_pairs(found), found, rules, budget)
            if not together(initial, pairs):
                self.is_shown = True
                return
            if pairs == found:
                return
            operators = {
                n: each
                for n, each in operators.items()
                if self._may_hold(each.before, pairs) and self._may_hold(each.after, pairs)
            }
            self.useful = [*operators]

    @property
    def variables(self) -> int:
        """The number of variables of the task."""
        return len(self._task.variables)

    def holds(self, state: State) -> bool:
        """Is a state in the inductive invariant of a task that is shown to have no plan?

        No reachable state loses a pair in a forward round first. A state that does so in a backward round is dead.
        """
        facts = self.facts(enumerate(state))
        lost = (number for number, rows in enumerate(self.rounds) if not together(facts, rows))
        return next(lost, len(self.rounds)) % 2 == 1

    def facts(self, facts: Iterable[Fact]) -> list[int]:
        """The numbers of facts, without those of derived variables."""
        return [self.first[v] + value for v, value in facts if v not in self._derived]

    def _closed(
        self, start: Sequence[int], allowed: Sequence[int], rules: Sequence[Rule], budget: Budget
    ) -> Generator[None, None, Rows]:
        """The pairs that rules add, which make a round."""
        size = len(start)
        found = matrix(size, start)
        system = PairSystem(found, matrix(size, allowed), *([rule[part] for rule in rules] for part in range(3)))
        budget.check()
        while not close(system, SLICE):
            yield
            budget.check()
        self.rounds.append(rows_of(found))
        return self.rounds[-1]

    def _values(self, variables: Iterable[int]) -> list[int]:
        """All facts of some variables."""
        return [fact for v in variables for fact in range(self.first[v], self.first[v + 1])]

    def _rule(self, given: Condition, after: Sequence[Fact], changed: frozenset[int]) -> Rule:
        """The rule of a case of an operator."""
        return self.facts(given.items()), self.facts(after), self._values(changed)

    def _reversed(self, operator: Changes, reachable: Rows) -> Rule:
        """The rule from what holds after an operator to what held before it."""
        touched, beside = operator.touched, self._beside(operator.before, reachable)
        before = [fact for fact in self._values(touched) if beside >> fact & 1]
        return self.facts(operator.after.items()), before, self._values(touched)

    def _may_hold(self, condition: Condition, rows: Rows) -> bool:
        return together(self.facts(condition.items()), rows)

    @cached_property
    def of_different_variables(self) -> Rows:
        """All pairs but those of two values of one variable."""
        every = (1 << self.first[-1]) - 1
        rows = []
        for v, size in enumerate(self._task.domains):
            own = ((1 << size) - 1) << self.first[v]
            rows += [(every ^ own) | 1 << fact for fact in self._values([v])]
        return tuple(rows)

    def _goal_pairs(self, reachable: Rows) -> list[int]:
        """The pairs of facts that may hold together in a reachable goal state."""
        found = [0] * len(reachable)
        for goal in self._goals:
            fits = self._beside(goal, reachable)
            found = [
                row | may & fits if fits >> fact & 1 else row
                for fact, (row, may) in enumerate(zip(found, reachable, strict=True))
            ]
        return found

    def _beside(self, condition: Condition, rows: Rows) -> int:
        """The facts that may hold beside all facts of a condition, as bits."""
        found = (1 << len(rows)) - 1
        for fact in self.facts(condition.items()):
            found &= rows[fact]
        return found


def _joined(conditions: Iterable[Condition]) -> Condition | None:
    """All conditions at once; None if two contradict each other."""
    found: dict[int, int] = {}
    for condition in conditions:
        if any(found.setdefault(v, value) != value for v, value in condition.items()):
            return None
    return found


def _without(condition: Condition, variables: frozenset[int]) -> Condition:
    """The condition on all other variables."""
    return {v: value for v, value in condition.items() if v not in variables}
