"""Formulas over bits, and the basic operations on them.

Notation: a *bit* is a pyeda variable, a *literal* is a bit with a required value, a *cube* is a conjunction of
literals, stored as a mapping `{bit: value}`; a *state* is the frozenset of the true bits.

A formula is a pyeda expression, a cube, or `Clauses`. The functions here accept all three. Most guards are cubes,
which are cheap to make and to read; pyeda takes long for an expression of many literals.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, TypeAlias, TypeVar, cast

from pyeda.boolalg.expr import And, Not, One, Or, Zero, exprvar

from puzzlemc.mc.errors import ModelError

T = TypeVar("T")


class Expression(Protocol):
    """The part of pyeda's `Expression` that is used here; pyeda has no type hints."""

    ASTOP: str  # the operator: `lit`, `and`, `or`, …
    node: Any  # the C object that the expression stands for

    @property
    def xs(self) -> tuple["Expression", ...]:
        """The operands of an operator."""

    @property
    def support(self) -> frozenset["Bit"]:
        """The bits in it."""

    def __and__(self, other: "Expression", /) -> "Expression": ...

    def __or__(self, other: "Expression", /) -> "Expression": ...

    def __invert__(self) -> "Expression": ...

    def is_one(self) -> bool:
        """Is it the constant *true*?"""

    def is_zero(self) -> bool:
        """Is it the constant *false*?"""

    def to_nnf(self) -> "Expression":
        """Its negation normal form: conjunctions and disjunctions of literals."""

    def restrict(self, point: Mapping["Bit", int], /) -> "Expression":
        """The expression with these values substituted for bits."""

    def satisfy_all(self) -> Iterator[Mapping["Bit", int]]:
        """The points that satisfy it; a bit that is not in a point may have any value."""


class Bit(Expression, Protocol):
    """The part of pyeda's `Variable` that is used here. Compared and hashed by identity: a name has one bit."""

    uniqid: int
    name: str
    indices: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Clauses:
    """A formula in conjunctive normal form, for constraints that are too large for an expression.

    A clause is a disjunction of literals: number i, from 1, is `bits[i - 1]`, and -i its negation. It cannot be a
    part of an expression.

    With `violated`, the formula has *lazy constraints* besides its clauses. The argument of `violated` says which
    numbers hold at a point that satisfies all clauses. The result is clauses that follow from the lazy
    constraints and that this point violates; none if the point satisfies the formula. SAT adds them on demand
    (`mc/sat/refinement.py`); no other form of the formula exists before that.
    """

    bits: tuple[Bit, ...]
    rows: Sequence[Sequence[int]]
    violated: Callable[[Callable[[int], bool]], Sequence[Sequence[int]]] | None = None

    @property
    def written(self) -> "Clauses":
        """The formula itself. Raises ModelError if it has lazy constraints."""
        if self.violated is not None:
            raise ModelError("the formula has lazy constraints, which have to be written as clauses first")
        return self

    @cached_property
    def support(self) -> frozenset[Bit]:
        """The bits in the clauses."""
        return frozenset(self.bits[number - 1] for number in {abs(v) for row in self.rows for v in row})


Cube: TypeAlias = Mapping[Bit, bool]
Formula: TypeAlias = Expression | Clauses | Cube
State: TypeAlias = frozenset[Bit]

TRUE: Expression = One
FALSE: Expression = Zero


def bit(name: str, *indices: int) -> Bit:
    """The bit with that name. The same name always gives the same bit."""
    return cast(Bit, exprvar(name, indices))


def expression(formula: Formula) -> Expression:
    """The formula as an expression."""
    if isinstance(formula, Clauses):
        bits = formula.written.bits
        clauses = [Or(*[bits[v - 1] if v > 0 else ~bits[-v - 1] for v in row]) for row in formula.rows]
        found: Expression = And(*clauses)
        return found
    return conjunction(formula) if isinstance(formula, Mapping) else formula


def conjunction(cube: Cube) -> Expression:
    """The expression of a cube."""
    found: Expression = And(*[b if value else ~b for b, value in cube.items()])
    return found


def negation(formula: Formula) -> Expression:
    """The negation of the formula, as an expression."""
    found: Expression = Not(expression(formula))
    return found


def literals(formula: Formula) -> Cube | None:
    """The formula as a cube, or None if it is not a plain, consistent conjunction of literals."""
    if isinstance(formula, Mapping):
        return formula
    cube: dict[Bit, bool] = {}
    if isinstance(formula, Clauses):
        if formula.violated is not None or any(len(row) != 1 for row in formula.rows):
            return None
        consistent = all(cube.setdefault(formula.bits[abs(v) - 1], v > 0) == (v > 0) for (v,) in formula.rows)
        return cube if consistent else None
    worklist = [formula]
    while worklist:
        part = worklist.pop()
        if part.ASTOP == "lit":
            positive = _is_positive(part)
            if cube.setdefault(_bit_of(part), positive) != positive:
                return None  # x and not x: let the general path find that it is false
        elif part.ASTOP == "and":
            worklist += part.xs[::-1]
        elif not part.is_one():
            return None
    return cube


def disjuncts(formula: Formula) -> Sequence[Formula]:
    """The parts of a disjunction; of another formula the formula itself; of *false* none."""
    if isinstance(formula, Clauses | Mapping) or formula.ASTOP != "or":
        return [] if constant(formula) is False else [formula]
    return formula.xs


def constant(formula: Formula) -> bool | None:
    """The truth value if the formula is syntactically a constant, else None. Does not test satisfiability."""
    if isinstance(formula, Mapping):
        return None if formula else True
    if isinstance(formula, Clauses):
        if not all(formula.rows):
            return False
        return None if formula.rows or formula.violated is not None else True
    return True if formula.is_one() else False if formula.is_zero() else None


def fold(
    formula: Formula,
    literal: Callable[[Bit, bool], T],
    conj: Callable[[list[T]], T],
    disj: Callable[[list[T]], T],
) -> T:
    """Evaluate a formula bottom-up in any algebra with these operations.

    The empty conjunction is *true* and the empty disjunction is *false*. Shared parts are evaluated once.
    """
    if isinstance(formula, Clauses):
        bits = formula.written.bits
        values = {v: literal(bits[abs(v) - 1], v > 0) for v in {v for row in formula.rows for v in row}}
        return conj([disj([values[v] for v in row]) for row in formula.rows])
    if isinstance(formula, Mapping):
        return conj([literal(b, value) for b, value in formula.items()])
    # Depth-first, each node after its parts. `nnf` must outlive the loop: the keys of `known` are addresses of its
    # nodes. No recursive closure: the reference cycle would keep diagrams alive.
    nnf = formula.to_nnf()
    known: dict[int, T] = {}
    stack = [nnf]
    while stack:
        node = stack[-1]
        key = node.node.id()
        if key in known:
            stack.pop()
        elif node.ASTOP == "lit":
            known[key] = literal(_bit_of(node), _is_positive(node))
        elif node.is_one():
            known[key] = conj([])
        elif node.is_zero():
            known[key] = disj([])
        else:
            parts = node.xs
            missing = [part for part in parts if part.node.id() not in known]
            stack += missing
            if not missing:
                known[key] = (conj if node.ASTOP == "and" else disj)([known[part.node.id()] for part in parts])
    return known[nnf.node.id()]


def _is_positive(literal: Expression) -> bool:
    return cast(Bit, literal).uniqid > 0


def _bit_of(literal: Expression) -> Bit:
    return cast(Bit, literal if _is_positive(literal) else ~literal)


def holds(formula: Formula, state: State) -> bool:
    """Does the formula hold in the state?"""
    if isinstance(formula, Mapping):
        return all((b in state) == value for b, value in formula.items())
    if isinstance(formula, Clauses):
        true = {i if b in state else -i for i, b in enumerate(formula.bits, 1)}
        if any(true.isdisjoint(row) for row in formula.rows):
            return False
        return formula.violated is None or not formula.violated(true.__contains__)
    return fold(formula, lambda b, value: (b in state) == value, all, any)


def restricted(formula: Formula, point: Cube) -> Formula:
    """The formula with these values substituted for bits (its cofactor)."""
    if isinstance(formula, Mapping):
        if any(point.get(b, value) != value for b, value in formula.items()):
            return FALSE
        return {b: value for b, value in formula.items() if b not in point}
    if isinstance(formula, Clauses):
        values = {i: point[b] for i, b in enumerate(formula.written.bits, 1) if b in point}
        open_rows = [row for row in formula.rows if not any(values.get(abs(v)) == (v > 0) for v in row)]
        return Clauses(formula.bits, [[v for v in row if abs(v) not in values] for row in open_rows])
    return formula.restrict({b: int(value) for b, value in point.items()})


def narrowed(formula: Formula, cube: Cube) -> Formula:
    """The conjunction of the formula and a cube."""
    if isinstance(formula, Mapping):
        clash = any(formula.get(b, value) != value for b, value in cube.items())
        return FALSE if clash else {**formula, **cube}
    if isinstance(formula, Clauses):
        bits = (*formula.written.bits, *cube)
        units = [[n if value else -n] for n, value in enumerate(cube.values(), len(formula.bits) + 1)]
        return Clauses(bits, [*formula.rows, *units])
    found: Expression = And(formula, conjunction(cube))
    return found


def support(formulas: Iterable[Formula]) -> frozenset[Bit]:
    """The bits in the formulas."""

    found: set[Bit] = set()
    for formula in formulas:
        found.update(formula if isinstance(formula, Mapping) else formula.support)
    return frozenset(found)
