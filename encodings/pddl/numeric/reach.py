"""The values that functions can have: a fixpoint over sets of values, one set for each function.

An action gives a function a new value if its comparisons hold for values in the sets; what facts hold is left
open. So each reachable value is found, and perhaps others.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod

from puzzlemc.encodings.pddl.numeric.grounding import Change, Grounding, Instance
from puzzlemc.encodings.pddl.numeric.values import head
from puzzlemc.mc.errors import ModelError
from puzzlemc.screens.pddl.conditions import Condition, NumericEffect
from puzzlemc.screens.pddl.numbers import Value

MOST_VALUES = 1_000  # of one function
MOST_ALL = 100_000  # of all functions
MOST_COMBINATIONS = 250_000  # of values that one effect reads
MOST_WORK = 5_000_000  # combinations in all


class Reach:
    """The values of each function, in the order in which they are found."""

    def __init__(self, grounding: Grounding) -> None:
        """Find them. Raises ModelError if there are too many."""
        self._grounding = grounding
        level = grounding.level
        self.values: dict[str, dict[Value, None]] = {
            name: {value: None} for name, value in level.values.items() if head(name) in level.tracked
        }
        self._work = 0
        tasks = [
            _Task(grounding, instance, change, happen, condition)
            for instance in grounding.instances
            for change in instance.changes
            for happen, condition in change.subsets()
        ]
        while sum(self._run(task) for task in tasks):
            pass

    def of(self, name: str) -> Sequence[Value]:
        """The values of a function; none if it never has one."""
        return list(self.values.get(name, ()))

    def _run(self, task: "_Task") -> bool:
        """Apply the effects to the values that are new since the last time. Has a value been found?"""
        sets = [self.of(name) for name in task.reads(self)]
        before, task.seen = task.seen, [len(each) for each in sets]
        if before == task.seen:
            return False
        found = False
        for values in _new(sets, before if len(before) == len(sets) else []):
            self._work += 1
            if self._work > MOST_WORK:
                raise ModelError(f"{task.change.place}: found more than {MOST_WORK} combinations of values")
            value = task.result(dict(zip(task.names, values, strict=True)))
            found |= value is not None and self._add(task.change, value)
        return found

    def _add(self, change: Change, value: Value) -> bool:
        known = self.values.setdefault(change.name, {})
        if value in known:
            return False
        known[value] = None
        if len(known) > MOST_VALUES or sum(map(len, self.values.values())) > MOST_ALL:
            name = change.target.name
            message = f"found more than {MOST_VALUES} values of {change.name}"
            if len(known) <= MOST_VALUES:
                message = f"found more than {MOST_ALL} values of functions, {change.name} among them"
            raise ModelError(
                f"{change.place}: {message}, expected finitely many: preconditions that limit it, "
                f"or bounds in the domain, (:bounds ({name} LEAST LARGEST))"
            )
        return True


class _Task:
    """Effects of an instance on one function that happen together, under a condition."""

    def __init__(
        self,
        grounding: Grounding,
        instance: Instance,
        change: Change,
        happen: Sequence[NumericEffect],
        condition: Condition,
    ) -> None:
        self.change, self.seen = change, [-1]
        self.names: Sequence[str] = ()
        self._grounding, self._happen = grounding, happen
        self._conditions = [*instance.comparing, condition]
        self._read = grounding.reads(change, happen)
        compared = filter(grounding.is_always_defined, grounding.compared_in(self._conditions))
        self._all = list(dict.fromkeys((*self._read, *compared)))

    def reads(self, reach: Reach) -> Sequence[str]:
        """The functions whose values are combined. Those that are only compared are left out of too many."""
        self.names = self._all
        if prod(len(reach.of(name)) for name in self.names) > MOST_COMBINATIONS:
            self.names = self._read
            if prod(len(reach.of(name)) for name in self.names) > MOST_COMBINATIONS:
                raise ModelError(
                    f"{self.change.place}: found more than {MOST_COMBINATIONS} combinations of values for "
                    f"{self.change.name}, expected at most that"
                )
        return self.names

    def result(self, values: Mapping[str, Value]) -> Value | None:
        """The value after the effects; None if they do not happen."""
        if any(self._grounding.truth(part, values) is False for part in self._conditions):
            return None
        return self._grounding.result(self.change, self._happen, values)


def _new(sets: Sequence[Sequence[Value]], before: Sequence[int]) -> Iterator[tuple[Value, ...]]:
    """Yield the combinations that contain a new value. `before` are the earlier sizes of the sets, if known."""
    if not before or -1 in before:
        yield from product(*sets)
        return
    for number in range(len(sets)):
        old = (each[:count] for each, count in zip(sets[:number], before, strict=False))
        yield from product(*old, sets[number][before[number] :], *sets[number + 1 :])
