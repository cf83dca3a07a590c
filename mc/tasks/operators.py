"""The operators of a task: as objects, and as arrays for compiled code.

A file may have a million operators, of which a search asks for those of a plan alone. So `ArrayOperators` has them
in arrays, and makes an object when somebody asks for it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias, overload

import numpy as np
import numpy.typing as npt

Fact: TypeAlias = tuple[int, int]
Condition: TypeAlias = Mapping[int, int]
Integers: TypeAlias = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Effect:
    """If `condition` holds before the operator, `variable` has `value` after it."""

    variable: int
    value: int
    condition: Condition = field(default_factory=dict)


@dataclass(frozen=True)
class Operator:
    """An action of a task: applicable where `precondition` holds, with effects at once, and a cost from 0.

    All conditions are read in the state before. If several effects on one variable fire together, the last one
    counts.
    """

    name: str
    precondition: Condition
    effects: tuple[Effect, ...]
    cost: int = 1

    @cached_property
    def is_plain(self) -> bool:
        """Does no effect have a condition?"""
        return not any(effect.condition for effect in self.effects)


@dataclass(frozen=True, eq=False)
class OperatorArrays:
    """Operators by number. A fact is a row of two numbers, a variable and a value.

    precondition_first  (operators + 1,): the facts of operator o are those from `precondition_first[o]` to before
                        `precondition_first[o + 1]`
    precondition        (facts, 2)
    effect_first        (operators + 1,): likewise for effects
    effect              (effects, 2): the fact that an effect makes true
    condition_first     (effects + 1,): likewise for the condition of each effect
    condition           (facts, 2)
    costs               (operators,)
    """

    precondition_first: Integers
    precondition: Integers
    effect_first: Integers
    effect: Integers
    condition_first: Integers
    condition: Integers
    costs: Integers

    def __len__(self) -> int:
        return len(self.costs)

    @property
    def effect_owner(self) -> Integers:
        """The operator of each effect."""
        return np.repeat(np.arange(len(self)), np.diff(self.effect_first))


class ArrayOperators(Sequence[Operator]):
    """Operators in arrays; an operator becomes an object when it is asked for. Equal to any sequence of the same.

    names       the names, one after the other, in UTF-8
    name_first  (operators + 1,): where each starts
    """

    def __init__(self, arrays: OperatorArrays, names: bytes, name_first: Integers) -> None:
        self.arrays, self._names, self._name_first = arrays, names, name_first
        self._alone: dict[int, Operator] = {}  # those that were asked for one by one: an object lives on

    def __len__(self) -> int:
        return len(self.arrays)

    @overload
    def __getitem__(self, number: int) -> Operator: ...
    @overload
    def __getitem__(self, number: slice) -> Sequence[Operator]: ...
    def __getitem__(self, number: int | slice) -> Operator | Sequence[Operator]:
        if isinstance(number, slice):
            return self._objects[number]
        number = range(len(self))[number]
        if number not in self._alone:
            self._alone[number] = next(self._made(number, number + 1))
        return self._alone[number]

    def __iter__(self) -> Iterator[Operator]:
        return iter(self._objects)

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, Sequence) and len(self) == len(other) and self._objects == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # operators have none

    def with_costs(self, costs: Iterable[int]) -> "ArrayOperators":
        """The operators with other costs, one for each."""
        values = np.fromiter(costs, np.int64)
        if len(values) != len(self):
            raise ValueError(f"{len(values)} costs do not fit {len(self)} operators")
        return ArrayOperators(replace(self.arrays, costs=values), self._names, self._name_first)

    @cached_property
    def _objects(self) -> tuple[Operator, ...]:
        """All operators, made once if somebody asks for all."""
        return tuple(self._made(0, len(self)))

    def _made(self, first: int, last: int) -> Iterator[Operator]:
        """Make the operators from `first` to before `last`."""
        arrays = self.arrays
        start, end = arrays.effect_first[first], arrays.effect_first[last]
        conditions = _conditions(arrays.condition, arrays.condition_first[start : end + 1])
        effects = [
            Effect(variable, value, condition)
            for (variable, value), condition in zip(arrays.effect[start:end].tolist(), conditions, strict=True)
        ]
        preconditions = _conditions(arrays.precondition, arrays.precondition_first[first : last + 1])
        effect_first = (arrays.effect_first[first : last + 1] - start).tolist()
        name_first = self._name_first[first : last + 1].tolist()
        costs = arrays.costs[first:last].tolist()
        for number, (precondition, cost) in enumerate(zip(preconditions, costs, strict=True)):
            name = self._names[name_first[number] : name_first[number + 1]].decode("utf-8", "surrogatepass")
            own = effects[effect_first[number] : effect_first[number + 1]]
            yield Operator(name, precondition, tuple(own), cost)


def arrays_of(operators: Sequence[Operator]) -> OperatorArrays:
    """The arrays of operators."""
    if isinstance(operators, ArrayOperators):
        return operators.arrays
    effects = [effect for operator in operators for effect in operator.effects]
    return OperatorArrays(
        starts(len(operator.precondition) for operator in operators),
        facts([fact for operator in operators for fact in operator.precondition.items()]),
        starts(len(operator.effects) for operator in operators),
        facts([(effect.variable, effect.value) for effect in effects]),
        starts(len(effect.condition) for effect in effects),
        facts([fact for effect in effects for fact in effect.condition.items()]),
        np.array([operator.cost for operator in operators], np.int64),
    )


def starts(lengths: Iterable[int] | Integers) -> Integers:
    """Where each of several lists starts that are written one after the other; last, where they end."""
    numbers = lengths if isinstance(lengths, np.ndarray) else np.fromiter(lengths, np.int64)
    return np.append(0, numbers).cumsum(dtype=np.int64)


def facts(pairs: Sequence[Fact]) -> Integers:
    """Facts as rows."""
    return np.array(pairs, np.int64).reshape(-1, 2)


def _conditions(rows: Integers, first: Integers) -> list[dict[int, int]]:
    """The conditions that start at these places in rows of facts."""
    pairs = rows[first[0] : first[-1]].tolist()
    places = (first - first[0]).tolist()
    return [dict(pairs[begin:end]) for begin, end in pairwise(places)]
