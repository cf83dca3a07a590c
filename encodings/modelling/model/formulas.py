"""Expressions as formulas over bits: for each value that an expression may have, where it has it.

The formulas are literals of one and-inverter graph. An expression that reads few combinations of values is looked
at case by case, which is exact. A larger one is put together from its parts, sums part by part; then it may seem
to have values that it has in no position.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

from puzzlemc.encodings.modelling.language.expressions import (
    TRUTH,
    Constant,
    Expression,
    Fold,
    Junction,
    Not,
    Variable,
    test_of,
)
from puzzlemc.encodings.modelling.model.cases import FAULT, column, meaning
from puzzlemc.encodings.modelling.model.coding import Coding
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.model.formula import Formula, Gates, Signal
from puzzlemc.mc.proofs.circuit import FALSE, TRUE, Circuit

FEW_CASES = 512  # of an expression that is looked at case by case
MOST_CASES = 50_000  # combinations of the values of the parts of an expression

Row: TypeAlias = tuple[Hashable, ...]
Known: TypeAlias = Mapping[int, Sequence[Hashable]]  # the values that some variables can have


@dataclass(frozen=True)
class Where:
    """A value of an expression, and the literal of the graph that says where it has it."""

    value: Any
    literal: int


Values: TypeAlias = dict[Hashable, Where]  # by kind and value, since True equals 1 in Python


class Formulas:
    """The expressions of a system as literals of one graph over its bits.

    In all functions, `known` are the values that some variables can have where the result is used.
    """

    def __init__(self, coding: Coding) -> None:
        self.coding = coding
        self.bits = tuple(b for each in coding.variables for b in each.bits)
        self.circuit = Circuit([str(b) for b in self.bits])
        self._graph = Gates(self.bits, self.circuit.gates)
        self._found: dict[Hashable, Values] = {}
        self._kept: list[Expression] = []  # what `_found` names by its id must not be replaced by another one

    def formula(self, literal: int) -> Formula:
        """A literal of the graph as a formula; a cube if it is a bit or a constant."""
        if literal == TRUE:
            return {}
        if FALSE < literal >> 1 <= len(self.bits):
            return {self.bits[(literal >> 1) - 1]: not literal & 1}
        return Signal(self._graph, literal)

    def either(self, one: Formula, literal: int) -> Formula:
        """The disjunction of a formula and a literal of the graph."""
        return self.formula(self.circuit.disj([self.circuit.formula(one), literal]))

    def domain(self, variable: int, known: Known) -> Sequence[Hashable]:
        """The values that a variable can have."""
        return known[variable] if variable in known else self.coding.variables[variable].values

    def cases(self, reads: Collection[int], known: Known, most: int) -> int | None:
        """The number of combinations of values of some variables, None if there are more than `most`."""
        number = 1
        for variable in reads:
            number *= len(self.domain(variable, known))
            if number > most:
                return None
        return number

    def test(self, variable: int, value: Hashable) -> int:
        """The literal: a variable has a value of its domain."""
        return self.circuit.cube(self.coding.test(variable, self.coding.number[variable][value]))

    def has_value(self, variable: int) -> int:
        """The literal: the bits of a variable say a value of its domain."""
        circuit, each = self.circuit, self.coding.variables[variable]
        if len(each.values) == 1 << len(each.bits):
            return TRUE
        inputs = [circuit.input(b) for b in each.bits]
        if self.coding.is_one_hot(variable):
            return circuit.exactly(inputs, 1)
        held = TRUE  # of the bits so far, from the lowest: their number is at most that of the last value
        for one, largest in zip(inputs, each.codes[-1], strict=True):
            held = circuit.disj([one ^ 1, held]) if largest else circuit.conj([one ^ 1, held])
        return held

    def truth(self, expression: Expression, known: Known) -> tuple[int, int]:
        """Where an expression is true, and where it is no truth value or raises an exception."""
        return self.split(self.values(expression, known), lambda value: value is not True and value is not False)

    def split(self, values: Values, is_wrong: Callable[[Any], bool]) -> tuple[int, int]:
        """Where a value is true for Python, and where it is wrong or FAULT; there it is not true."""
        wrong = [each.literal for each in values.values() if each.value is FAULT or is_wrong(each.value)]
        true = [
            each.literal
            for each in values.values()
            if each.value is not FAULT and not is_wrong(each.value) and each.value
        ]
        return self.circuit.disj(true), self.circuit.disj(wrong)

    def values(self, expression: Expression, known: Known) -> Values:
        """The values of an expression. Raises ModelError if there are too many to be compared."""
        stack = [expression]
        while stack:
            top = stack[-1]
            key = self.key(top, known)
            if key in self._found:
                stack.pop()
                continue
            found = self._directly(top, known)
            if found is None:
                missing = [part for part in top.parts if self.key(part, known) not in self._found]
                stack += missing
                if missing:
                    continue
                found = self._combined(top, [self._found[self.key(part, known)] for part in top.parts])
            self._found[key] = found
            self._kept.append(top)
        return self._found[self.key(expression, known)]

    def key(self, expression: Expression, known: Known) -> Hashable:
        """What tells an expression from others, with what is known about its variables."""
        inside = expression.reads & known.keys()
        return id(expression), *((number, tuple(known[number])) for number in sorted(inside))

    def _directly(self, expression: Expression, known: Known) -> Values | None:
        """The values of an expression without those of its parts; None if they are needed."""
        if isinstance(expression, Constant):
            return self._collected([(expression.value, TRUE)])
        if isinstance(expression, Variable):
            number = expression.number
            possible = self.domain(number, known)
            literals = [TRUE] if len(possible) == 1 else [self.test(number, value) for value in possible]
            return self._collected(zip(possible, literals, strict=True))
        tested = test_of(expression)
        if tested is not None:
            variable, value = tested
            held = [each for each in self.domain(variable, known) if each == value]
            where = self.values_of(variable, held, known)
            return self._collected([(True, where), (False, where ^ 1)])
        if isinstance(expression, Junction | Not) and expression.kind == TRUTH:
            return None
        if self.cases(expression.reads, known, FEW_CASES) is None:
            return None
        reads, rows, values = self.by_cases(expression, known)
        tests = {n: {value: self.test(n, value) for value in self.domain(n, known)} for n in reads}
        literals_of_rows = (
            self.circuit.conj([tests[n][value] for n, value in zip(reads, row, strict=True)]) for row in rows
        )
        return self._collected(zip(values, literals_of_rows, strict=True))

    def by_cases(self, expression: Expression, known: Known) -> tuple[tuple[int, ...], list[Row], list[Any]]:
        """The variables of an expression that have several values, all rows of these, and its values there."""
        reads = tuple(n for n in sorted(expression.reads) if len(self.domain(n, known)) > 1)
        rows = list(product(*(self.domain(n, known) for n in reads)))
        columns: dict[int, Sequence[Hashable]] = dict(zip(reads, zip(*rows, strict=True), strict=False))
        columns |= {n: [known[n][0]] * len(rows) for n in expression.reads & known.keys() if n not in reads}
        columns |= {n: list(self.domain(n, known)) * len(rows) for n in expression.reads - columns.keys()}
        return reads, rows, column(expression, columns, len(rows))

    def values_of(self, variable: int, values: Sequence[Hashable], known: Known) -> int:
        """The literal: a variable has one of some values."""
        if len(values) == len(self.domain(variable, known)):
            return TRUE
        return self.circuit.disj([self.test(variable, value) for value in values])

    def _combined(self, expression: Expression, parts: Sequence[Values]) -> Values:
        """The values of an expression from those of its parts."""
        if isinstance(expression, Junction):
            plain = all(type(each.value) is bool for values in parts for each in values.values())
            if plain:
                return self._plainly(expression, parts)
        of = meaning(expression)
        if isinstance(expression, Fold | Junction) and len(parts) > 1:
            found = parts[0]
            for part in parts[1:]:
                found = self._product(expression, of, [found, part])
            return found
        return self._product(expression, of, parts)

    def _plainly(self, expression: Junction, parts: Sequence[Values]) -> Values:
        """The values of a conjunction or disjunction of truth values that are defined everywhere."""
        true = [self.split(values, lambda _: False)[0] for values in parts]
        held = self.circuit.conj(true) if expression.is_conjunction else self.circuit.disj(true)
        return self._collected([(True, held), (False, held ^ 1)])

    def _product(
        self, expression: Expression, of: Callable[[Sequence[Any]], Any], parts: Sequence[Values]
    ) -> Values:
        """The values of an expression for all combinations of values of its parts."""
        number = 1
        for part in parts:
            number *= len(part)
        if number > MOST_CASES:
            raise ModelError(
                f"found {number} combinations of values of {expression!r}, expected at most {MOST_CASES}: "
                "variables of fewer values, or sums of fewer parts"
            )
        chosen = [
            (of([each.value for each in combination]), self.circuit.conj([each.literal for each in combination]))
            for combination in product(*(part.values() for part in parts))
        ]
        return self._collected(chosen)

    def _collected(self, pairs: Iterable[tuple[Any, int]]) -> Values:
        """Pairs of values and literals as a mapping; the literals of equal values are put together."""
        found: dict[Hashable, tuple[Any, list[int]]] = {}
        for value, literal in pairs:
            if literal == FALSE:
                continue
            found.setdefault(_key(value), (value, []))[1].append(literal)
        if len(found) == 2:  # one holds where the other does not
            (one, literals), (other, others) = found.values()
            held = self.circuit.disj(literals) if len(literals) <= len(others) else self.circuit.disj(others) ^ 1
            pair = [(one, held), (other, held ^ 1)]
            return {_key(value): Where(value, literal) for value, literal in pair if literal != FALSE}
        return {key: Where(value, self.circuit.disj(literals)) for key, (value, literals) in found.items()}


def _key(value: Any) -> Hashable:
    """What tells a value from others: a value without a hash is like no other."""
    try:
        hash(value)
    except TypeError:
        return value.__class__, id(value)
    return value.__class__, value
