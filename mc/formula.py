"""Formulas over bits: `pyeda` expressions, and the few things that every engine asks of them.

Notation: a *bit* is a pyeda variable, a *literal* a bit with the value that it must have, a *cube* a
conjunction of literals, kept as a dict `{bit: value}`; a *state* is the frozenset of the bits that hold.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias, TypeVar

from pyeda.boolalg.expr import And, Not, exprvar

Formula: TypeAlias = Any  # pyeda has no types: pyeda.boolalg.expr.Expression; or Clauses
Bit: TypeAlias = Any  # pyeda.boolalg.expr.Variable
State: TypeAlias = frozenset[Bit]
T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Clauses:
    """A formula as clauses, for constraints too large to be written as an expression in good time.

    A clause is a disjunction of literals: number i, from 1, is `bits[i - 1]`, and -i its negation. The functions
    here take it as any formula; it cannot be a part of one.
    """

    bits: tuple[Bit, ...]
    rows: Sequence[Sequence[int]]

    @cached_property
    def support(self) -> frozenset[Bit]:
        """The bits that some clause speaks of."""
        return frozenset(self.bits[number - 1] for number in {abs(v) for row in self.rows for v in row})


def bit(name: str, *indices: int) -> Bit:
    """The bit of that name; the same name gives the same bit."""
    return exprvar(name, indices)


def conjunction(literals: Mapping[Bit, bool]) -> Formula:
    """The formula of a cube."""
    return And(*[b if value else ~b for b, value in literals.items()])


def negation(formula: Formula) -> Formula:
    """The formula that holds where `formula` does not."""
    return Not(formula)


def literals(formula: Formula) -> dict[Bit, bool] | None:
    """The cube that `formula` is, or None where it is no plain conjunction of literals."""
    if isinstance(formula, Clauses):
        return None
    cube: dict[Bit, bool] = {}
    waiting = [formula]
    while waiting:
        part = waiting.pop()
        if part.ASTOP == "lit":
            value = part.uniqid > 0
            if cube.setdefault(part if value else ~part, value) != value:
                return None  # x and not x: let the general path find that it is false
        elif part.ASTOP == "and":
            waiting += part.xs[::-1]
        elif not part.is_one():
            return None
    return cube


def fold(
    formula: Formula,
    literal: Callable[[Bit, bool], T],
    conj: Callable[[list[T]], T],
    disj: Callable[[list[T]], T],
) -> T:
    """The value of a formula in some algebra, from the values of its literals upward.

    The empty conjunction is *true* and the empty disjunction *false*. Shared parts are evaluated once.
    """
    if isinstance(formula, Clauses):
        bits = formula.bits
        values = {v: literal(bits[abs(v) - 1], v > 0) for v in {v for row in formula.rows for v in row}}
        return conj([disj([values[v] for v in row]) for row in formula.rows])
    # Nodes in an order in which each stands behind its parts. `nnf` must outlive the loop: the keys of
    # `known` are addresses of its nodes. No recursive closure: the cycle would keep diagrams alive.
    nnf = formula.to_nnf()
    known: dict[int, T] = {}
    stack = [nnf]
    while stack:
        node = stack[-1]
        key = node.node.id()
        if key in known:
            stack.pop()
        elif node.ASTOP == "lit":
            positive = node.uniqid > 0
            known[key] = literal(node if positive else ~node, positive)
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


def holds(formula: Formula, state: State) -> bool:
    """Does the formula hold in the state?"""
    if isinstance(formula, Clauses):
        true = {i if b in state else -i for i, b in enumerate(formula.bits, 1)}
        return all(not true.isdisjoint(row) for row in formula.rows)
    return fold(formula, lambda b, value: (b in state) == value, all, any)


def support(formulas: Iterable[Formula]) -> frozenset[Bit]:
    """The bits that the formulas speak of."""
    found: frozenset[Bit] = frozenset()
    for formula in formulas:
        found |= formula.support
    return found
