"""An action with numbers as actions without numbers, in one of three forms.

Tables     if nothing that happens depends on a condition: a parameter for each value, and tables of values that
           belong together
Cases      else an action for each combination of values, and of truth values of the conditions of changes, so no
           comparison is left in it
Lists      if there are too many combinations, as for a change of each of many functions: a conditional effect for
           each value of each function. The action must be applicable whatever these effects do
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from puzzlemc.encodings.pddl.numeric.grounding import (
    MOST_CONDITIONAL,
    Change,
    Grounding,
    Instance,
    Values,
    name_of,
)
from puzzlemc.encodings.pddl.numeric.names import number_name, value_atom
from puzzlemc.encodings.pddl.numeric.reach import Reach
from puzzlemc.encodings.pddl.numeric.tables import Row, Tables
from puzzlemc.mc.errors import ModelError
from puzzlemc.screens.pddl.conditions import FALSE, TRUE, And, Condition, Effect, Not, compares
from puzzlemc.screens.pddl.numbers import Fluent, Number, Numeric, Value, fluents, show_number

MOST_OPERATORS = 50_000  # of one action with tables: combinations of the values that are parameters
MOST_CASES = 3_000  # of one action


@dataclass(frozen=True, eq=False)
class Written:
    """An action without numbers: variables that stand for numbers, conditions, effects and cost."""

    numbers: Sequence[str]
    precondition: Condition
    effects: Sequence[Effect]
    cost: Numeric


def instance_actions(grounding: Grounding, reach: Reach, tables: Tables, instance: Instance) -> Iterator[Written]:
    """Yield the actions of an instance. Raises ModelError for too many combinations of values."""
    writer = _Writer(grounding, reach, tables, instance)
    if writer.is_simple and writer.count(writer.reads) <= MOST_OPERATORS:
        yield writer.with_tables()
    elif writer.count(writer.reads) <= MOST_CASES:
        yield from writer.cases()
    else:
        yield writer.with_lists()


class _Writer:
    def __init__(self, grounding: Grounding, reach: Reach, tables: Tables, instance: Instance) -> None:
        self._grounding, self._reach, self._tables, self._instance = grounding, reach, tables, instance
        self._has_own_cost = grounding.level.has_costs and not grounding.is_plain_cost(instance.action.cost)
        self._priced = [name_of(each) for each in fluents(instance.cost) if self._has_own_cost]
        self._priced = [name for name in self._priced if not self._is_fixed(name)]
        effects = [each.condition for each in instance.effects]
        changes = [effect.condition for change in instance.changes for effect in change.effects]
        found = [*grounding.compared_in([*instance.comparing, *effects, *changes]), *self._priced]
        for change in instance.changes:
            found += [change.name, *grounding.reads(change, change.effects)]
        self.reads = list(dict.fromkeys(found))
        self.is_simple = (
            all(map(grounding.is_always_defined, self.reads))
            and not any(change.conditional for change in instance.changes)
            and not any(map(compares, effects))
        )

    def _is_fixed(self, name: str) -> bool:
        return self._grounding.is_fixed(_function(name))

    def _options(self, name: str) -> Sequence[Value | None]:
        """The values of a function; None if it may have none."""
        return [*self._reach.of(name), *([] if self._grounding.is_always_defined(name) else [None])]

    def count(self, names: Iterable[str]) -> int:
        """The number of combinations of values."""
        return prod(len(self._options(name)) for name in names)

    def _combinations(
        self, names: Sequence[str], conditions: Sequence[Condition]
    ) -> Iterator[dict[str, Value | None]]:
        """Yield the values of functions with which the conditions may hold."""
        self._tables.count(self.count(names))
        for row in product(*map(self._options, names)):
            values = dict(zip(names, row, strict=True))
            if not any(self._grounding.truth(part, values) is False for part in conditions):
                yield values

    def with_tables(self) -> Written:
        """The action with values as parameters."""
        instance, tables = self._instance, self._tables
        known = {name: tables.fresh() for name in self.reads}
        parts: list[Condition] = [value_atom(_function(name), term) for name, term in known.items()]
        numbers, effects = list(known.values()), list(instance.effects)
        for change in instance.changes:
            names = list(dict.fromkeys((change.name, *self._grounding.reads(change, change.effects))))
            rows = set[Row]()
            for values in self._combinations(names, instance.comparing):
                after = self._grounding.result(change, change.effects, values)
                if after is not None and after in self._reach.values[change.name]:
                    rows.add((*_defined(values), after))
            term = tables.fresh()
            numbers.append(term)
            parts.append(tables.table(frozenset(rows), [*(known[name] for name in names), term]))
            effects.append(Effect((), TRUE, value_atom(change.target, known[change.name]), False))
            effects.append(Effect((), TRUE, value_atom(change.target, term), True))
        cost = instance.cost
        if self._has_own_cost:
            cost = self._table_of_costs(known, parts)
        parts.append(tables.condition(instance.precondition, known))
        return Written(numbers, And(tuple(parts)), effects, cost)

    def _table_of_costs(self, known: Mapping[str, str], parts: list[Condition]) -> Numeric:
        names = list(dict.fromkeys(self._priced))
        found: dict[Row, int] = {}
        for values in self._combinations(names, self._instance.comparing):
            cost = self._cost(values)
            if cost is not None:
                found[_defined(values)] = cost
        terms = [known[name] for name in names]
        parts.append(self._tables.table(frozenset(found), terms))
        return self._tables.cost(found, terms) if terms and found else Number(found.get((), 0))

    def _cost(self, values: Values) -> int | None:
        """The cost; None without one. Raises ModelError for one that is no whole number from 0."""
        value = self._grounding.value(self._instance.cost, values)
        if value is not None and (not isinstance(value, int) or value < 0):
            name = self._instance.action.name
            raise ModelError(
                f"action {name!r}: found a cost of {show_number(value)}, expected whole numbers from 0"
            )
        return value

    def cases(self) -> Iterator[Written]:
        """Yield an action for each combination of values, and of truth values of the conditions of changes."""
        grounding, instance = self._grounding, self._instance
        for values in self._combinations(self.reads, instance.comparing):
            cost = self._cost(values) if self._has_own_cost else 0
            if cost is None:
                continue
            own = Number(cost) if self._has_own_cost else instance.cost
            has = [each for name, value in values.items() for each in self._has(name, value)]
            has.append(grounding.simplified(instance.precondition, values))
            effects = [
                replace(each, condition=grounding.simplified(each.condition, values)) for each in instance.effects
            ]
            conditions = {
                effect.condition: grounding.simplified(effect.condition, values)
                for change in instance.changes
                for effect in change.effects
            }
            open_ones = dict.fromkeys(each for each in conditions.values() if each not in (TRUE, FALSE))
            if len(open_ones) > MOST_CONDITIONAL:
                raise self._too_many(f"{len(open_ones)} conditions of effects", MOST_CONDITIONAL)
            for choice in product((True, False), repeat=len(open_ones)):
                truths = {TRUE: True, FALSE: False, **dict(zip(open_ones, choice, strict=True))}
                happening = {condition for condition, simple in conditions.items() if truths[simple]}
                changed = self._changed(happening, values)
                if changed is not None:
                    parts = (each if truths[each] else Not(each) for each in open_ones)
                    yield Written([], And((*has, *parts)), [*effects, *changed], own)

    def _changed(self, happening: Container[Condition], values: Values) -> list[Effect] | None:
        """The effects on functions under the conditions; None if the action is not applicable."""
        found: list[Effect] = []
        for change in self._instance.changes:
            happen = [effect for effect in change.effects if effect.condition in happening]
            if happen:
                after = self._grounding.result(change, happen, values)
                if after is None or after not in self._reach.values[change.name]:
                    return None
                found += self._set(change, values, after, TRUE)
        return found

    def _set(self, change: Change, values: Values, after: Value, condition: Condition) -> Iterator[Effect]:
        """Yield the effects that give a function a value."""
        before = values[change.name]
        if before == after:
            return
        if before is not None:
            yield Effect((), condition, value_atom(change.target, number_name(before)), False)
        yield Effect((), condition, value_atom(change.target, number_name(after)), True)

    def _has(self, name: str, value: Value | None) -> Iterator[Condition]:
        """Yield the conditions: a function has the value, or has none."""
        if value is not None:
            yield value_atom(_function(name), number_name(value))
            return
        for each in self._reach.of(name):
            yield Not(value_atom(_function(name), number_name(each)))

    def with_lists(self) -> Written:
        """The action with a conditional effect for each value. Raises ModelError if it cannot be written so."""
        grounding, instance = self._grounding, self._instance
        effects = list(instance.effects)
        if self._has_own_cost or any(compares(each.condition) for each in effects):
            raise self._too_many()
        for change in instance.changes:
            for happen, condition in change.subsets():
                read = (change.name, *grounding.reads(change, happen), *grounding.compared_in([condition]))
                names = list(dict.fromkeys(read))
                if grounding.may_fail(change, happen) or not all(map(grounding.is_always_defined, names)):
                    raise self._too_many()
                for values in self._combinations(names, [*instance.comparing, condition]):
                    own = [each for name, value in values.items() for each in self._has(name, value)]
                    both = And((*own, grounding.simplified(condition, values)))
                    after = grounding.result(change, happen, values)
                    if after is not None and after in self._reach.values[change.name]:
                        effects += self._set(change, values, after, both)
        return Written([], self._tables.condition(instance.precondition, {}), effects, instance.cost)

    def _too_many(self, found: str = "", most: int = MOST_CASES) -> ModelError:
        found = found or f"{self.count(self.reads)} combinations of values of {', '.join(self.reads)}"
        return ModelError(f"action {self._instance.action.name!r}: found {found}, expected at most {most}")


def _function(name: str) -> Fluent:
    """A function by its name with objects."""
    function, _, rest = name.partition("(")
    return Fluent(function, tuple(rest.removesuffix(")").split(",")) if rest else ())


def _defined(values: Values) -> Row:
    return tuple(value for value in values.values() if value is not None)
