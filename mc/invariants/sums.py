"""Sums over facts: a *sum* gives each state the total weight of the facts and of the pairs of facts that hold in
it.

It is a number modulo a prime that no operator changes, or a *potential*: a whole number that no operator raises.

Variables of one *kind* play the same part in all operators, and share their weights. So a weight has a key: kind
and value of one fact, or those of two facts of different variables. Of two facts of one kind, the one of the
variable with the smaller number comes first, else the one with the smaller kind.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from puzzlemc.mc.tasks.task import Condition, Fact, State, Task

# Preconditions, and effects with their conditions, without an order.
Form: TypeAlias = tuple[frozenset[Fact], frozenset[tuple[int, int, frozenset[Fact]]]]
POTENTIAL = 0  # in place of a prime
Key: TypeAlias = tuple[int, ...]  # kind, value; or kind, value, kind, value


@dataclass(frozen=True)
class Sum:
    """Weights by key, from 1 to `prime` - 1; others are 0. `kinds` has the kind of each variable.

    The weights of a potential are whole numbers, and its `prime` is POTENTIAL.
    """

    prime: int
    kinds: Sequence[int]
    weights: Mapping[Key, int]

    @property
    def degree(self) -> int:
        """2 if pairs of facts have weights, else 1."""
        return max((len(key) // 2 for key in self.weights), default=1)

    def value(self, state: State) -> int:
        """The value of a state."""
        facts = list(enumerate(state))
        total = sum(self.weights.get(key_of(self.kinds, fact), 0) for fact in facts)
        if self.degree == 2:
            for number, fact in enumerate(facts):
                total += sum(self.weights.get(key_of(self.kinds, other, fact), 0) for other in facts[:number])
        return total % self.prime if self.prime else total


def key_of(kinds: Sequence[int], *facts: Fact) -> Key:
    """The key of one fact, or of two facts of different variables."""
    if len(facts) == 1:
        ((variable, value),) = facts
        return kinds[variable], value
    one, other = facts
    if (kinds[one[0]], one[0]) > (kinds[other[0]], other[0]):
        one, other = other, one
    return kinds[one[0]], one[1], kinds[other[0]], other[1]


def without_constants(
    weights: Mapping[Key, int], prime: int, task: Task, kinds: Sequence[int]
) -> Mapping[Key, int]:
    """The weights of single facts less one number for each kind, so that few are left.

    Each variable has a value, so the sum changes by the same in every state. Of two values, the first has no
    weight.
    """
    if any(len(key) > 2 for key in weights):
        return weights
    found: dict[Key, int] = {}
    for kind in sorted({key[0] for key in weights}):
        size = task.domains[kinds.index(kind)]
        held = [weights.get((kind, value), 0) for value in range(size)]
        most = held[0] if size == 2 else max(held, key=held.count)
        left = ((value, weight - most) for value, weight in enumerate(held) if weight != most)
        found |= {(kind, value): weight % prime if prime else weight for value, weight in left}
    return found


def kinds_of(task: Task, values: Sequence[object]) -> tuple[int, ...]:
    """The kind of each variable, where `values` says what the values of a variable stand for.

    Two variables are of one kind if their values stand for the same, and if exchanging them in all operators gives
    the same operators. Kinds only save work: whatever they are, a sum that satisfies the equations is an
    invariant.
    """
    touching: list[set[Form]] = [set() for _ in task.variables]
    beside: list[set[int]] = [set() for _ in task.variables]  # the variables in the same operators
    for operator in task.operators:
        parts = [operator.precondition, *(effect.condition for effect in operator.effects)]
        named = {variable for part in parts for variable in part} | {
            effect.variable for effect in operator.effects
        }
        effects = tuple((e.variable, e.value, frozenset(e.condition.items())) for e in operator.effects)
        for variable in named:
            touching[variable].add((frozenset(operator.precondition.items()), frozenset(effects)))
            beside[variable] |= named
    kinds: list[int] = []
    first: dict[int, int] = {}  # kind -> its first variable
    for variable in range(len(task.variables)):
        found = next(
            (
                kind
                for kind, other in first.items()
                if values[variable] == values[other]
                and len(touching[variable]) == len(touching[other])
                and beside[variable] - {other, variable} == beside[other] - {other, variable}
                and _are_alike(touching[other], touching[variable], other, variable)
            ),
            len(first),
        )
        first.setdefault(found, variable)
        kinds.append(found)
    return tuple(kinds)


def _are_alike(of_one: set[Form], of_other: set[Form], one: int, other: int) -> bool:
    """Are the operators of two variables the same if the variables are exchanged? There are as many of both."""
    names = {one: other, other: one}

    def exchanged(condition: frozenset[Fact]) -> frozenset[Fact]:
        return frozenset((names.get(variable, variable), value) for variable, value in condition)

    def renamed(operator: Form) -> Form:
        effects = ((names.get(v, v), value, exchanged(condition)) for v, value, condition in operator[1])
        return exchanged(operator[0]), frozenset(effects)

    return all(renamed(operator) in of_other for operator in of_one)


def most_pairs(task: Task, kinds: Sequence[int]) -> int:
    """The number of pairs of facts of different variables, without counting alike ones twice."""
    sizes = {kind: task.domains[variable] for variable, kind in enumerate(kinds)}
    several = [kind for kind, number in Counter(kinds).items() if number > 1]
    total = sum(sizes.values())
    apart = (total * total - sum(size * size for size in sizes.values())) // 2
    return apart + sum(sizes[kind] ** 2 for kind in several)


def completed(task: Task, condition: Condition, beside: "Beside | None" = None) -> dict[int, list[int]]:
    """The values that each variable may have where a condition holds, by the exclusions of the task."""
    beside = Beside(task) if beside is None else beside
    known = dict(condition)
    while True:
        excluded = beside.excluded(known)
        left = {v: beside.left(known, excluded, v) for v in range(len(task.variables))}
        new = {variable: values[0] for variable, values in left.items() if len(values) == 1}
        if new.keys() <= known.keys():
            return left
        known |= new


class Beside:
    """Which facts may hold beside others, by the exclusions of a task. Facts are sets of values, as bits of a
    number, by variable."""

    def __init__(self, task: Task) -> None:
        self._domains = task.domains
        self._groups: dict[Fact, list[tuple[Fact, ...]]] = {}
        self._known: dict[Fact, dict[int, int]] = {}
        for group in task.mutexes:
            for fact in group:
                self._groups.setdefault(fact, []).append(group)

    def excluded(self, facts: Condition) -> dict[int, int]:
        """The facts that one of `facts` excludes."""
        found: dict[int, int] = {}
        for fact in facts.items():
            for variable, values in self._excluded_by(fact).items():
                found[variable] = found.get(variable, 0) | values
        return found

    def left(self, facts: Condition, excluded: Mapping[int, int], variable: int) -> list[int]:
        """The values of a variable that may hold beside the facts."""
        some = [facts[variable]] if variable in facts else range(self._domains[variable])
        without = excluded.get(variable, 0)
        return [value for value in some if not without >> value & 1] if without else list(some)

    def values(self, facts: Condition, variable: int) -> list[int]:
        """The values of a variable that may hold beside the facts."""
        return self.left(facts, self.excluded(facts), variable)

    def _excluded_by(self, fact: Fact) -> dict[int, int]:
        """The facts that are never beside this one."""
        if fact not in self._known:
            found: dict[int, int] = {}
            for group in self._groups.get(fact, ()):
                for other in group:
                    if other != fact:
                        found[other[0]] = found.get(other[0], 0) | 1 << other[1]
            self._known[fact] = found
        return self._known[fact]
