"""Formulas over bits, and the basic operations on them.

Notation: a *bit* is a pyeda variable, a *literal* is a bit with a required value, a *cube* is a conjunction of
literals, stored as a mapping `{bit: value}`; a *state* is the frozenset of the true bits.

A formula is a pyeda expression, a cube, `Clauses`, or a `Signal`, which is a literal of a circuit. The functions
here accept all of them. Most guards are cubes, which are cheap to make and to read; pyeda takes long for an
expression of many literals.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar, cast
from weakref import WeakKeyDictionary

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.model.expressions import And, Not, One, Or, Zero, exprvar

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


@dataclass(frozen=True, eq=False)
class Gates:
    """An and-inverter graph over bits. Many formulas share one.

    A literal is twice a node's number, plus one where it is negated, as in the AIGER format (Biere 2007). Node 0
    is *false*, node i from 1 on is `inputs[i - 1]`, a bit or a constant, and the gates follow. `gates[i]` are the
    two literals, of earlier nodes, whose conjunction is gate i.
    """

    inputs: tuple["Bit | bool", ...]
    gates: Sequence[tuple[int, int]]

    def cone(self, literals: Iterable[int]) -> list[int]:
        """The nodes that the literals depend on, each one after its operands."""
        first = len(self.inputs) + 1
        found = set[int]()
        stack = [literal >> 1 for literal in literals]
        while stack:
            node = stack.pop()
            if node not in found:
                found.add(node)
                if node >= first:
                    stack += [literal >> 1 for literal in self.gates[node - first]]
        return sorted(found)


@dataclass(frozen=True)
class Signal:
    """A formula that is a literal of an and-inverter graph. It cannot be a part of an expression."""

    graph: Gates
    literal: int

    @property
    def support(self) -> frozenset[Bit]:
        """The bits that it depends on."""
        return support([self])


Cube: TypeAlias = Mapping[Bit, bool]
Formula: TypeAlias = Expression | Clauses | Cube | Signal
State: TypeAlias = frozenset[Bit]

TRUE: Expression = One
FALSE: Expression = Zero


@cache
def bit(name: str, *indices: int) -> Bit:
    """The bit with that name. The same name always gives the same bit."""
    return cast(Bit, exprvar(name, indices))


def is_formula(found: object) -> bool:
    """Is it one of the kinds of formulas?"""
    return isinstance(found, Mapping | Clauses | Signal) or hasattr(found, "to_nnf")


def expression(formula: Formula) -> Expression:
    """The formula as an expression. Meant for small circuits only."""
    if isinstance(formula, Signal):
        made: Expression = fold(
            formula, lambda b, value: b if value else ~b, lambda parts: And(*parts), lambda parts: Or(*parts)
        )
        return made
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


def negation(formula: Formula) -> Formula:
    """The negation of the formula."""
    if isinstance(formula, Signal):
        return Signal(formula.graph, formula.literal ^ 1)
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
    if isinstance(formula, Signal):
        return _literals_of_gates(formula)
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


def _literals_of_gates(signal: Signal) -> Cube | None:
    """The signal as a cube, or None, as `literals`."""
    inputs, gates = signal.graph.inputs, signal.graph.gates
    cube: dict[Bit, bool] = {}
    seen = set[int]()
    worklist = [signal.literal]
    while worklist:
        literal = worklist.pop()
        if literal in seen:
            continue
        seen.add(literal)
        node, value = literal >> 1, not literal & 1
        if node > len(inputs):
            if not value:
                return None
            worklist += gates[node - len(inputs) - 1][::-1]
            continue
        held = inputs[node - 1] if node else False
        if isinstance(held, bool):
            if held != value:
                return None
        elif cube.setdefault(held, value) != value:
            return None
    return cube


def disjuncts(formula: Formula) -> Sequence[Formula]:
    """The parts of a disjunction; of another formula the formula itself; of *false* none."""
    if isinstance(formula, Clauses | Mapping | Signal) or formula.ASTOP != "or":
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
    if isinstance(formula, Signal):
        return bool(formula.literal) if formula.literal <= 1 else None
    return True if formula.is_one() else False if formula.is_zero() else None


def fold(
    formula: Formula,
    literal: Callable[[Bit, bool], T],
    conj: Callable[[list[T]], T],
    disj: Callable[[list[T]], T],
    known: MutableMapping[Gates, dict[int, T]] | None = None,
) -> T:
    """Evaluate a formula bottom-up in any algebra with these operations.

    The empty conjunction is *true* and the empty disjunction is *false*. Shared parts are evaluated once, a gate
    once as it is and once negated. `known` keeps the values of the literals of circuits for the next formula.
    """
    if isinstance(formula, Signal):
        return _fold_gates(formula, literal, conj, disj, {} if known is None else known)
    if isinstance(formula, Clauses):
        bits = formula.written.bits
        values = {v: literal(bits[abs(v) - 1], v > 0) for v in {v for row in formula.rows for v in row}}
        return conj([disj([values[v] for v in row]) for row in formula.rows])
    if isinstance(formula, Mapping):
        return conj([literal(b, value) for b, value in formula.items()])
    if formula.ASTOP == "lit":
        return literal(_bit_of(formula), _is_positive(formula))
    nodes = _NODES.get(formula)
    if nodes is None:
        nodes = _NODES[formula] = _nodes(formula)
    # No recursive closure: the reference cycle would keep diagrams alive.
    folded = list[T]()
    for node in nodes:
        if node.literal is not None:
            folded.append(literal(*node.literal))
        else:
            folded.append((conj if node.is_conjunction else disj)([folded[part] for part in node.parts]))
    return folded[-1]


class _Node(NamedTuple):
    """A literal, or a conjunction or disjunction of earlier nodes."""

    literal: tuple[Bit, bool] | None
    is_conjunction: bool
    parts: tuple[int, ...]


# The same few expressions are evaluated again and again: for other states, in other algebras.
_NODES: WeakKeyDictionary[Expression, list[_Node]] = WeakKeyDictionary()


def _nodes(formula: Expression) -> list[_Node]:
    """The nodes of the negation normal form of an expression, each after its parts."""
    nnf = formula.to_nnf()  # must outlive the loop: the keys of `number` are addresses of its nodes
    nodes = list[_Node]()
    number: dict[int, int] = {}
    stack = [nnf]
    while stack:
        top = stack[-1]
        key = top.node.id()
        if key in number:
            stack.pop()
            continue
        parts = () if top.ASTOP == "lit" or top.is_one() or top.is_zero() else top.xs
        missing = [part for part in parts if part.node.id() not in number]
        stack += missing
        if not missing:
            number[key] = len(nodes)
            held = (_bit_of(top), _is_positive(top)) if top.ASTOP == "lit" else None
            is_conjunction = top.ASTOP == "and" or top.is_one()
            nodes.append(_Node(held, is_conjunction, tuple(number[part.node.id()] for part in parts)))
    return nodes


def _fold_gates(
    signal: Signal,
    literal: Callable[[Bit, bool], T],
    conj: Callable[[list[T]], T],
    disj: Callable[[list[T]], T],
    known: MutableMapping[Gates, dict[int, T]],
) -> T:
    inputs, gates = signal.graph.inputs, signal.graph.gates
    values = known.setdefault(signal.graph, {})
    stack = [signal.literal]
    while stack:
        top = stack[-1]
        node, negated = top >> 1, top & 1
        if top in values:
            stack.pop()
        elif node <= len(inputs):
            held = inputs[node - 1] if node else False
            if isinstance(held, bool):
                values[top] = (disj if held == bool(negated) else conj)([])
            else:
                values[top] = literal(held, not negated)
        else:
            parts = [part ^ negated for part in gates[node - len(inputs) - 1]]
            missing = [part for part in parts if part not in values]
            stack += missing
            if not missing:
                values[top] = (disj if negated else conj)([values[part] for part in parts])
    return values[signal.literal]


def _is_positive(literal: Expression) -> bool:
    return cast(Bit, literal).uniqid > 0


def _bit_of(literal: Expression) -> Bit:
    return cast(Bit, literal if _is_positive(literal) else ~literal)


def holds(formula: Formula, state: State, known: MutableMapping[Gates, dict[int, bool]] | None = None) -> bool:
    """Does the formula hold in the state? `known` keeps values of circuits in it for the next formula."""
    if type(formula) is dict or isinstance(formula, Mapping):  # most are dicts: the other test takes long
        for b, value in formula.items():  # noqa: SIM110  `all` takes twice as long
            if (b in state) != value:
                return False
        return True
    if isinstance(formula, Clauses):
        true = {i if b in state else -i for i, b in enumerate(formula.bits, 1)}
        if any(true.isdisjoint(row) for row in formula.rows):
            return False
        return formula.violated is None or not formula.violated(true.__contains__)
    if isinstance(formula, Signal):
        return fold(formula, lambda b, value: (b in state) == value, all, any, known)
    if formula.ASTOP == "lit":
        return (_bit_of(formula) in state) == _is_positive(formula)
    steps = _STEPS.get(formula)
    if steps is None:
        steps = _STEPS[formula] = _steps(formula)
    values = list[bool]()
    for step in steps:
        if step.is_conjunction:
            value = step.true <= state and step.false.isdisjoint(state) and all(values[n] for n in step.earlier)
        else:
            value = (
                not step.true.isdisjoint(state) or not step.false <= state or any(values[n] for n in step.earlier)
            )
        values.append(value)
    return values[-1]


class _Step(NamedTuple):
    """A conjunction or disjunction of bits, of negated bits, and of the values of earlier steps."""

    is_conjunction: bool
    true: frozenset[Bit]
    false: frozenset[Bit]
    earlier: tuple[int, ...]


# Searches in Python evaluate the same few expressions in thousands of states.
_STEPS: WeakKeyDictionary[Expression, list[_Step]] = WeakKeyDictionary()


def _steps(formula: Expression) -> list[_Step]:
    """The evaluation of an expression that is no literal. The value of the last step is that of the expression."""
    steps = list[_Step]()

    def add(is_conjunction: bool, parts: list[tuple[Bit, bool] | int]) -> int:
        bits = [part for part in parts if isinstance(part, tuple)]
        true, false = frozenset(b for b, value in bits if value), frozenset(b for b, value in bits if not value)
        steps.append(_Step(is_conjunction, true, false, tuple(part for part in parts if isinstance(part, int))))
        return len(steps) - 1

    last = fold(formula, _literal, partial(add, True), partial(add, False))
    if isinstance(last, tuple):
        add(True, [last])
    return steps


def _literal(b: Bit, value: bool) -> tuple[Bit, bool] | int:
    return b, value


def support(formulas: Iterable[Formula]) -> frozenset[Bit]:
    """The bits in the formulas."""
    found: set[Bit] = set()
    signals: dict[Gates, list[int]] = {}
    for formula in formulas:
        if isinstance(formula, Signal):
            signals.setdefault(formula.graph, []).append(formula.literal)
        else:
            found.update(formula if isinstance(formula, Mapping) else formula.support)
    for graph, wanted in signals.items():
        inputs = [graph.inputs[node - 1] for node in graph.cone(wanted) if 0 < node <= len(graph.inputs)]
        found.update(held for held in inputs if not isinstance(held, bool))
    return frozenset(found)
