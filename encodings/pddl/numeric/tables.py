"""Conditions on numbers as tables of numbers, which are facts that never change."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from math import prod

from puzzlemc.encodings.pddl.numeric.grounding import Grounding, is_ground, name_of
from puzzlemc.encodings.pddl.numeric.names import COST, NUMBER, TABLE, THING, number_name, value_atom, variable
from puzzlemc.encodings.pddl.numeric.reach import Reach
from puzzlemc.encodings.pddl.numeric.values import head
from puzzlemc.mc.errors import ModelError
from puzzlemc.screens.pddl.conditions import (
    FALSE,
    TRUE,
    And,
    Atom,
    Comparison,
    Condition,
    Equal,
    Not,
    Or,
    Parameters,
    Quantified,
    fact,
)
from puzzlemc.screens.pddl.level import OBJECT
from puzzlemc.screens.pddl.numbers import Fluent, Numeric, Value, compared, computed, fluents

MOST_ROWS = 250_000  # of all tables
Row = tuple[Value, ...]


class Tables:
    """The tables of a task, and the values that occur in it."""

    def __init__(self, grounding: Grounding, reach: Reach) -> None:
        self.grounding, self.reach = grounding, reach
        self.fixed = set[str]()  # functions that never change and whose values are read as facts
        self.costs: dict[str, tuple[int, dict[str, int]]] = {}  # arity and values of functions for costs
        self.tables: dict[frozenset[Row], tuple[str, int]] = {}
        self._rows = self._variables = 0
        self._of_function: dict[str, list[Value]] = {}

    def fresh(self) -> str:
        """A variable of no other condition."""
        self._variables += 1
        return variable(self._variables)

    def table(self, rows: frozenset[Row], terms: Sequence[str]) -> Condition:
        """The condition that the terms are a row. Raises ModelError for too many rows."""
        if not rows:
            return FALSE
        if not terms:
            return TRUE
        if rows not in self.tables:
            self.tables[rows] = f"{TABLE}{len(self.tables)}", len(terms)
            self.count(len(rows))
        return Atom(self.tables[rows][0], tuple(terms))

    def count(self, rows: int) -> None:
        """Count rows of tables and effects that are written. Raises ModelError for too many."""
        self._rows += rows
        if self._rows > MOST_ROWS:
            raise ModelError(
                f"found more than {MOST_ROWS} combinations of values in conditions and effects, "
                "expected at most that"
            )

    def facts(self) -> Iterator[Atom]:
        """Yield the rows of all tables."""
        for rows, (name, _) in self.tables.items():
            for row in rows:
                yield Atom(name, tuple(map(number_name, row)))

    def cost(self, values: Mapping[Row, int], terms: Sequence[str]) -> Fluent:
        """A function with these values, of the terms."""
        name = f"{COST}{len(self.costs)}"
        self.count(len(values))
        found = {fact(name, tuple(map(number_name, row))): value for row, value in values.items()}
        self.costs[name] = len(terms), found
        return Fluent(name, tuple(terms))

    def values_of(self, function: Fluent) -> Sequence[Value]:
        """The values that a function may have."""
        fixed = self.grounding.is_fixed(function)
        if is_ground(function):
            name = name_of(function)
            return (
                self.reach.of(name)
                if not fixed
                else [self.grounding.level.values[name]] * (name in self.grounding.level.values)
            )
        if function.name not in self._of_function:
            found = dict[Value, None]()
            if fixed:
                values = self.grounding.level.values
                found = {value: None for name, value in values.items() if head(name) == function.name}
            else:
                for name in self.reach.values:
                    if head(name) == function.name:
                        found |= dict.fromkeys(self.reach.of(name))
            self._of_function[function.name] = list(found)
        return self._of_function[function.name]

    def rows(
        self, functions: Sequence[Fluent], where: str, holds: Callable[[Mapping[Fluent, Value]], bool]
    ) -> Iterator[Row]:
        """Yield the values of functions for which something holds. Raises ModelError for too many values."""
        sets = [self.values_of(each) for each in functions]
        if prod(map(len, sets)) > MOST_ROWS:
            raise ModelError(f"{where}: found more than {MOST_ROWS} combinations of values, expected at most that")
        for row in product(*sets):
            if holds(dict(zip(functions, row, strict=True))):
                yield row

    def condition(self, item: Condition, known: Mapping[str, str]) -> Condition:
        """A condition without numbers. `known` are variables that have the values of functions."""
        match item:
            case Comparison():
                return self._comparison(item, known)
            case Not(part):
                return Not(self.condition(part, known))
            case And(parts):
                return And(tuple(self.condition(part, known) for part in parts))
            case Or(parts):
                return Or(tuple(self.condition(part, known) for part in parts))
            case Quantified(for_all, variables, part):
                return Quantified(for_all, things(variables), self.condition(part, known))
            case Atom() | Equal():
                return item

    def _comparison(self, item: Comparison, known: Mapping[str, str]) -> Condition:
        read = dict.fromkeys((*fluents(item.one), *fluents(item.other)))
        functions = [each for each in read if not (is_ground(each) and self.grounding.is_fixed(each))]

        def holds(values: Mapping[Fluent, Value]) -> bool:
            one, other = self.computed(item.one, values), self.computed(item.other, values)
            return one is not None and other is not None and compared(item.sign, one, other)

        rows = frozenset(self.rows(functions, "a comparison", holds))
        if not rows:
            return FALSE
        terms = [known[name_of(each)] if name_of(each) in known else self.fresh() for each in functions]
        own = [(each, term) for each, term in zip(functions, terms, strict=True) if name_of(each) not in known]
        for each, _ in own:
            if self.grounding.is_fixed(each):
                self.fixed.add(each.name)
        parts = (*(value_atom(each, term) for each, term in own), self.table(rows, terms))
        return Quantified(False, tuple((term, NUMBER) for _, term in own), And(parts)) if own else parts[-1]

    def computed(self, expression: Numeric, values: Mapping[Fluent, Value]) -> Value | None:
        """The value of an expression with these values; other functions never change."""
        fixed = self.grounding.level.values
        return computed(expression, lambda each: values[each] if each in values else fixed.get(name_of(each)))


def thing(kind: str) -> str:
    """The type of objects, which numbers are not of."""
    return THING if kind == OBJECT else kind


def things(parameters: Parameters) -> Parameters:
    """The variables, none of which stands for a number."""
    return tuple((name, thing(kind)) for name, kind in parameters)
