"""Boolean expressions in Python, for installations without `pyeda`, whose modules need a C compiler.

An expression is in negation normal form from the start: a constant, a literal, or a conjunction or disjunction of
two or more different expressions. No operand is a constant, an operator of the same kind, or the negation of
another operand. Parts may be shared; the functions here visit a shared part once. Names and attributes are those
of `pyeda`.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TypeAlias

Point: TypeAlias = Mapping["Variable", int]


class Expression:
    """A constant, a literal or an operator. Compared and hashed by identity."""

    ASTOP = "const"  # the operator: `const`, `lit`, `and`, `or`

    @property
    def node(self) -> "Expression":
        """The expression itself: `pyeda` has an object of C here."""
        return self

    def id(self) -> int:
        """The number of the expression, while it is in use."""
        return id(self)

    @property
    def xs(self) -> tuple["Expression", ...]:
        """The operands of an operator."""
        return ()

    @cached_property
    def support(self) -> frozenset["Variable"]:
        """The variables in it."""
        return frozenset(part.variable for part in _parts(self) if isinstance(part, Literal))

    def __and__(self, other: "Expression", /) -> "Expression":
        return And(self, other)

    def __or__(self, other: "Expression", /) -> "Expression":
        return Or(self, other)

    def __invert__(self) -> "Expression":
        raise NotImplementedError

    def __bool__(self) -> bool:
        # `not x` and `x and y` would be wrong in silence.
        raise TypeError(f"{self} has no truth value: write & | ~ in place of and, or, not")

    def is_one(self) -> bool:
        """Is it the constant *true*?"""
        return self is One

    def is_zero(self) -> bool:
        """Is it the constant *false*?"""
        return self is Zero

    def to_nnf(self) -> "Expression":
        """The expression itself, which is in negation normal form."""
        return self

    def restrict(self, point: Point, /) -> "Expression":
        """The expression with these values substituted for variables."""
        found = dict[Expression, Expression]()
        for part in _parts(self):
            if isinstance(part, Operator):
                found[part] = _operator(part.ASTOP, [found[each] for each in part.xs])
            elif isinstance(part, Literal) and part.variable in point:
                found[part] = One if bool(point[part.variable]) == (part.uniqid > 0) else Zero
            else:
                found[part] = part
        return found[self]

    def satisfy_all(self) -> Iterator[Point]:
        """The points that satisfy it, no two of which agree; a variable that is not in a point may have any value.

        By cases of one variable, after all literals that must hold (Davis, Logemann and Loveland 1962).
        """
        stack: list[tuple[Expression, Point]] = [(self, {})]
        while stack:
            formula, point = stack.pop()
            while units := _units(formula):
                formula, point = formula.restrict(units), {**point, **units}
            if formula is One:
                yield point
            elif formula is not Zero:
                variable = next(part.variable for part in _parts(formula) if isinstance(part, Literal))
                stack += [(formula.restrict({variable: value}), {**point, variable: value}) for value in (1, 0)]


class _Constant(Expression):
    def __init__(self, value: bool) -> None:
        self._value = value

    def __invert__(self) -> Expression:
        return Zero if self._value else One

    def __bool__(self) -> bool:
        return self._value

    def __repr__(self) -> str:
        return str(int(self._value))


class Literal(Expression):
    """A variable or its complement. `uniqid` is the number of the variable, negative for a complement."""

    ASTOP = "lit"
    uniqid: int
    variable: "Variable"


class Variable(Literal):
    """A variable: for each name with its indices there is one."""

    def __init__(self, name: str, indices: tuple[int, ...], uniqid: int) -> None:
        self.name = name
        self.indices = indices
        self.uniqid = uniqid
        self.variable = self
        self._complement = _Complement(self)

    def __invert__(self) -> Expression:
        return self._complement

    def __lt__(self, other: "Variable") -> bool:
        return (self.name, self.indices) < (other.name, other.indices)

    def __repr__(self) -> str:
        return f"{self.name}[{','.join(map(str, self.indices))}]" if self.indices else self.name


class _Complement(Literal):
    def __init__(self, variable: Variable) -> None:
        self.variable = variable
        self.uniqid = -variable.uniqid

    def __invert__(self) -> Expression:
        return self.variable

    def __repr__(self) -> str:
        return f"~{self.variable}"


class Operator(Expression):
    """A conjunction or a disjunction."""

    def __init__(self, kind: str, parts: tuple[Expression, ...]) -> None:
        self.ASTOP = kind
        self._parts = parts
        self._negation: Operator | None = None

    @property
    def xs(self) -> tuple[Expression, ...]:
        """The operands."""
        return self._parts

    def __invert__(self) -> Expression:
        stack = [self]
        while stack:  # from the bottom up, so that no depth is too much
            top = stack[-1]
            missing = [part for part in top.xs if isinstance(part, Operator) and part._negation is None]
            stack += missing
            if not missing:
                stack.pop()
                if top._negation is None:
                    negation = Operator(_OTHER[top.ASTOP], tuple(~part for part in top.xs))
                    top._negation, negation._negation = negation, top
        assert self._negation is not None
        return self._negation

    def __repr__(self) -> str:
        return f"{self.ASTOP.capitalize()}({', '.join(map(repr, self._parts))})"


One, Zero = _Constant(True), _Constant(False)
_OTHER = {"and": "or", "or": "and"}
_VARIABLES: dict[tuple[str, tuple[int, ...]], Variable] = {}


def exprvar(name: str, index: int | tuple[int, ...] = ()) -> Variable:
    """The variable of this name with these indices, always the same object."""
    key = name, (index,) if isinstance(index, int) else tuple(index)
    found = _VARIABLES.get(key)
    if found is None:
        found = _VARIABLES[key] = Variable(*key, len(_VARIABLES) + 1)
    return found


def And(*xs: Expression) -> Expression:
    """The conjunction of all; *true* without any."""
    return _operator("and", xs)


def Or(*xs: Expression) -> Expression:
    """The disjunction of all; *false* without any."""
    return _operator("or", xs)


def Not(x: Expression) -> Expression:
    """The negation."""
    return ~x


def _operator(kind: str, xs: "tuple[Expression, ...] | list[Expression]") -> Expression:
    """The operands under an operator, simplified."""
    neutral, final = (One, Zero) if kind == "and" else (Zero, One)
    parts = dict[Expression, None]()
    for x in xs:
        if not isinstance(x, Expression):
            raise TypeError(f"found {x!r} under {kind!r}, expected an expression")
        if kind == x.ASTOP:
            parts.update(dict.fromkeys(x.xs))
        elif x is final:
            return final
        elif x is not neutral:
            parts[x] = None
    for part in parts:
        # A literal has its complement at hand. An operator is the negation of another one only if it was made so.
        other = part._negation if isinstance(part, Operator) else ~part
        if other in parts:
            return final
    if len(parts) <= 1:
        return next(iter(parts), neutral)
    return Operator(kind, tuple(parts))


def _parts(formula: Expression) -> list[Expression]:
    """All parts of an expression, each once, and after its own operands."""
    found = dict[Expression, None]()
    stack = [formula]
    while stack:
        top = stack[-1]
        missing = [part for part in top.xs if part not in found] if top not in found else []
        if missing:
            stack += missing
        else:
            found[top] = None
            stack.pop()
    return list(found)


def _units(formula: Expression) -> Point:
    """The values of the literals that must hold: those of a conjunction, or the formula itself."""
    parts = formula.xs if formula.ASTOP == "and" else (formula,)
    return {part.variable: int(part.uniqid > 0) for part in parts if isinstance(part, Literal)}
