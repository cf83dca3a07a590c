"""Expressions over the variables of a system, with the operators that Python has for numbers and truth values.

An expression is a tree that never changes. `a & b`, `a | b` and `~a` are the connectives, since Python keeps
`and`, `or` and `not` for values. Two readings of the tree are written apart: its value at a position
(`evaluation`), and its formula over bits (`formulas`).
"""

import operator
import sys
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any as Anything
from typing import TypeVar

from puzzlemc.encodings.modelling.language.slips import meant
from puzzlemc.mc.errors import LIMITS, ModelError
from puzzlemc.mc.nearest import nearest

TRUTH, NUMBER, OTHER = "a truth value", "a number", "a value"
MOST_VALUES = 4096  # combinations of values of which a function is asked, to learn what it may give

Key = TypeVar("Key", bound=Hashable)
T = TypeVar("T")


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Expression:
    """A function of some variables of a system. Authors combine expressions, and never call this class.

    parts  the expressions that it is made of
    kind   TRUTH, NUMBER or OTHER; None if that is not known
    """

    parts: "tuple[Expression, ...]" = ()
    kind: str | None = None

    __hash__ = object.__hash__

    @property
    def reads(self) -> frozenset[int]:
        """The numbers of the variables that it depends on."""
        return self._known("_reads", lambda part: part._variables())

    @property
    def owners(self) -> frozenset[object]:
        """The systems whose variables it reads, as tokens."""
        return self._known("_owners", lambda part: part._owned())

    @property
    def values(self) -> frozenset[Hashable] | None:
        """Values that contain all that it may have; None if they are too many to be computed."""
        return self._known("_values", lambda part: part._possible())

    def _known(self, name: str, compute: "Callable[[Expression], T]") -> T:
        """A value that is computed once for each part, after those of its own parts. Without recursion."""
        if name not in self.__dict__:
            for part in postorder(self):
                if name not in part.__dict__:
                    part.__dict__[name] = compute(part)
        found: T = self.__dict__[name]
        return found

    def _variables(self) -> frozenset[int]:
        return frozenset[int]().union(*(part.reads for part in self.parts))

    def _owned(self) -> frozenset[object]:
        return frozenset[object]().union(*(part.owners for part in self.parts))

    def _possible(self) -> frozenset[Hashable] | None:
        return frozenset((False, True)) if self.kind == TRUTH else None

    def _words(self, parts: Sequence[str]) -> str:
        return ", ".join(parts)

    def __repr__(self) -> str:
        return self._shown(4)

    def _shown(self, depth: int) -> str:
        """The expression for messages: what is deeper than that, or a late one of many parts, is left out."""
        if self.parts and not depth:
            return "…"
        shown = [part._shown(depth - 1) for part in self.parts[:6]]
        return self._words([*shown, "…"] if len(self.parts) > 6 else shown)

    def __bool__(self) -> bool:
        """Raise ModelError: Python asks for a truth value that only a position has."""
        raise ModelError(f"found an expression in the place of a truth value, expected {meant(sys._getframe(1))}")

    def __iter__(self) -> "Anything":
        """Raise ModelError: an expression is one value."""
        raise ModelError("found an expression in the place of a sequence, expected a list of expressions")

    def __add__(self, other: object) -> "Expression":
        return _sum(self, other)

    def __radd__(self, other: object) -> "Expression":
        return _sum(other, self)

    def __sub__(self, other: object) -> "Expression":
        return _arithmetic("-", operator.sub, self, other)

    def __rsub__(self, other: object) -> "Expression":
        return _arithmetic("-", operator.sub, other, self)

    def __mul__(self, other: object) -> "Expression":
        return _arithmetic("*", operator.mul, self, other)

    def __rmul__(self, other: object) -> "Expression":
        return _arithmetic("*", operator.mul, other, self)

    def __floordiv__(self, other: object) -> "Expression":
        return _arithmetic("//", operator.floordiv, self, other)

    def __rfloordiv__(self, other: object) -> "Expression":
        return _arithmetic("//", operator.floordiv, other, self)

    def __truediv__(self, other: object) -> "Expression":
        """Raise ModelError: values are whole numbers."""
        raise ModelError(f"found {self!r} / {other!r}, expected // since values are whole numbers")

    def __rtruediv__(self, other: object) -> "Expression":
        """Raise ModelError: values are whole numbers."""
        raise ModelError(f"found {other!r} / {self!r}, expected // since values are whole numbers")

    def __mod__(self, other: object) -> "Expression":
        return _arithmetic("%", operator.mod, self, other)

    def __rmod__(self, other: object) -> "Expression":
        return _arithmetic("%", operator.mod, other, self)

    def __neg__(self) -> "Expression":
        return _arithmetic("-", operator.sub, 0, self)

    def __abs__(self) -> "Expression":
        return Operation(abs, parts=(number("abs", self),), kind=NUMBER)

    def __eq__(self, other: object) -> "Expression":  # type: ignore[override]
        return _equality("==", operator.eq, self, other)

    def __ne__(self, other: object) -> "Expression":  # type: ignore[override]
        return _equality("!=", operator.ne, self, other)

    def __lt__(self, other: object) -> "Expression":
        return _order("<", operator.lt, self, other)

    def __le__(self, other: object) -> "Expression":
        return _order("<=", operator.le, self, other)

    def __gt__(self, other: object) -> "Expression":
        return _order(">", operator.gt, self, other)

    def __ge__(self, other: object) -> "Expression":
        return _order(">=", operator.ge, self, other)

    def __and__(self, other: object) -> "Expression":
        return _junction("&", True, (self, other))

    def __rand__(self, other: object) -> "Expression":
        return _junction("&", True, (other, self))

    def __or__(self, other: object) -> "Expression":
        return _junction("|", False, (self, other))

    def __ror__(self, other: object) -> "Expression":
        return _junction("|", False, (other, self))

    def __xor__(self, other: object) -> "Expression":
        return truth("^", self) != truth("^", other)

    def __rxor__(self, other: object) -> "Expression":
        return truth("^", other) != truth("^", self)

    def __invert__(self) -> "Expression":
        return Not(parts=(truth("~", self),), kind=TRUTH)


@dataclass(frozen=True, eq=False, repr=False)
class Constant(Expression):
    """A value that every position has."""

    value: Hashable

    def _possible(self) -> frozenset[Hashable]:
        return frozenset((self.value,))

    def _words(self, parts: Sequence[str]) -> str:
        return repr(self.value)


@dataclass(frozen=True, eq=False, repr=False)
class Variable(Expression):
    """A variable of a system.

    number  its place in positions
    name    for people: `jug 1`, `lamp (2,3)`
    domain  its values, in order
    family  the name without an index
    index   in the family; None for a variable by itself. Rows and columns of places count from 0
    owner   a token of its system
    """

    number: int
    name: str
    domain: Sequence[Hashable]
    family: str
    index: Hashable = None
    owner: object = None

    def _owned(self) -> frozenset[object]:
        return frozenset((self.owner,))

    def _variables(self) -> frozenset[int]:
        return frozenset((self.number,))

    def _possible(self) -> frozenset[Hashable]:
        return frozenset(self.domain)

    def _words(self, parts: Sequence[str]) -> str:
        return self.name


@dataclass(frozen=True, eq=False, repr=False)
class Operation(Expression):
    """A Python function of the values of its parts.

    function  may refuse some values by an exception
    sign  the sign of an operator that stands between two parts; empty for any other function
    """

    function: Callable[..., Anything]
    sign: str = ""

    def _possible(self) -> frozenset[Hashable] | None:
        if self.kind == TRUTH:
            return super()._possible()
        number, each = 1, list[frozenset[Hashable]]()
        for part in self.parts:
            if part.values is None or (number := number * len(part.values)) > MOST_VALUES:
                return None
            each.append(part.values)
        found = set[Hashable]()
        for chosen in product(*each):
            try:
                found.add(self.function(*chosen))
            except LIMITS:
                raise
            except Exception:  # an author's function may refuse values: none comes of them
                continue
        return frozenset(found)

    def _words(self, parts: Sequence[str]) -> str:
        if self.sign:
            return f"({parts[0]} {self.sign} {parts[1]})"
        return f"{getattr(self.function, '__name__', 'function')}({', '.join(parts)})"


@dataclass(frozen=True, eq=False, repr=False)
class Fold(Expression):
    """The sum, the least or the greatest of its parts, by an associative and commutative function of two."""

    word: str  # `sum`, `min` or `max`
    function: Callable[[Anything, Anything], Anything]

    def _possible(self) -> frozenset[Hashable] | None:
        found: set[Hashable] | None = None
        for part in self.parts:
            if part.values is None:
                return None
            if found is None:
                found = set(part.values)
            elif len(found) * len(part.values) > MOST_VALUES:
                return None
            else:
                found = {self.function(one, other) for one in found for other in part.values}
        return frozenset(found or ())

    def _words(self, parts: Sequence[str]) -> str:
        return f"({' + '.join(parts)})" if self.word == "sum" else f"{self.word}({', '.join(parts)})"


@dataclass(frozen=True, eq=False, repr=False)
class Not(Expression):
    """The negation of a truth value."""

    def _words(self, parts: Sequence[str]) -> str:
        return f"~{parts[0]}"


@dataclass(frozen=True, eq=False, repr=False)
class Junction(Expression):
    """A conjunction or a disjunction of truth values. They are looked at in their order, until one decides.

    Those that compare a variable with a constant come first, and then the others as the author has written them.
    """

    is_conjunction: bool

    def _words(self, parts: Sequence[str]) -> str:
        return f"{'All' if self.is_conjunction else 'Any'}({', '.join(parts)})"


@dataclass(frozen=True, eq=False, repr=False)
class Choice(Expression):
    """The second or the third part, by a truth value, the first. The other one is not looked at."""

    def _possible(self) -> frozenset[Hashable] | None:
        one, other = self.parts[1].values, self.parts[2].values
        return None if one is None or other is None else one | other

    def _words(self, parts: Sequence[str]) -> str:
        return f"If({', '.join(parts)})"


def kind_of(values: Iterable[Hashable]) -> str:
    """The kind of all these values: truth values, whole numbers, or others."""
    kinds = {TRUTH if isinstance(v, bool) else NUMBER if isinstance(v, int) else OTHER for v in values}
    return kinds.pop() if len(kinds) == 1 else OTHER


def postorder(expression: Expression) -> Iterator[Expression]:
    """Yield each part of an expression once, after its own parts, and the expression last."""
    seen, stack = set[int](), [(expression, False)]
    while stack:
        part, is_done = stack.pop()
        if is_done:
            yield part
        elif id(part) not in seen:
            seen.add(id(part))
            stack.append((part, True))
            stack += [(each, False) for each in reversed(part.parts)]


def lift(value: object) -> Expression:
    """An expression as it is, a value of Python as a constant. Raises ModelError for a value without a hash."""
    if isinstance(value, Expression):
        return value
    try:
        hash(value)
    except TypeError:
        raise ModelError(f"found {value!r} in an expression, expected a value with a hash") from None
    return Constant(value, kind=kind_of([value]))


def truth(what: str, value: object) -> Expression:
    """The expression of a truth value. Raises ModelError for one that is known to be something else."""
    found = lift(value)
    if found.kind not in (TRUTH, None):
        hint = "; comparisons beside & and | need parentheses" if what in ("&", "|") else ""
        raise ModelError(f"{what}: found {found!r}, {found.kind}, expected a truth value such as (x == 1){hint}")
    return found


def number(what: str, value: object) -> Expression:
    """The expression of a number. Raises ModelError for one that is known to be none."""
    found = lift(value)
    if found.kind == OTHER:
        raise ModelError(f"{what}: found {found!r}, which is no number, expected a number")
    return found


def _equality(sign: str, function: Callable[..., Anything], one: Expression, other: object) -> Expression:
    """The comparison of two values. Raises ModelError for a text that is no value of a choice among texts."""
    found = lift(other)
    for side, text in ((one, found), (found, one)):
        if isinstance(side, Variable) and isinstance(text, Constant) and text.value not in side.domain:
            texts = [value for value in side.domain if isinstance(value, str)]
            if isinstance(text.value, str):
                expected = ", ".join(map(repr, side.domain[:8])) if side.kind != NUMBER else "a number"
                near = nearest(text.value, texts) if texts else ""
                raise ModelError(f"found {text!r}, with which {side!r} is compared, expected {expected}{near}")
    return Operation(function, sign, parts=(one, found), kind=TRUTH)


def _arithmetic(sign: str, function: Callable[..., Anything], one: object, other: object) -> Expression:
    return Operation(function, sign, parts=(number(sign, one), number(sign, other)), kind=NUMBER)


def _sum(one: object, other: object) -> Expression:
    """A sum whose parts are no sums, since `sum` of Python adds one after the other."""
    found = list[Expression]()
    for each in (number("+", one), number("+", other)):
        if isinstance(each, Fold) and each.word == "sum":
            found += each.parts
        elif not isinstance(each, Constant) or each.value != 0:
            found.append(each)
    if len(found) == 1 and found[0].kind == NUMBER:
        return found[0]
    return Fold("sum", operator.add, parts=tuple(found) or (lift(0),), kind=NUMBER)


def _order(sign: str, function: Callable[..., Anything], one: object, other: object) -> Expression:
    return Operation(function, sign, parts=(number(sign, one), number(sign, other)), kind=TRUTH)


def flat(parts: tuple[object, ...]) -> list[Expression]:
    """The parts of a call: expressions one by one, or one collection of them."""
    if len(parts) == 1 and not isinstance(parts[0], Expression) and isinstance(parts[0], Iterable):
        one: Iterable[object] = parts[0].values() if isinstance(parts[0], Mapping) else parts[0]
        return [lift(part) for part in one]
    return [lift(part) for part in parts]


def _junction(what: str, is_conjunction: bool, parts: tuple[object, ...]) -> Expression:
    found = list[Expression]()
    for part in flat(parts):
        each = truth(what, part)
        if isinstance(each, Constant):
            if bool(each.value) is not is_conjunction:
                return each
        elif isinstance(each, Junction) and each.is_conjunction is is_conjunction:
            found += each.parts
        else:
            found.append(each)
    if len(found) == 1:
        return found[0]
    found.sort(key=lambda part: test_of(part) is None)
    return Junction(is_conjunction, parts=tuple(found), kind=TRUTH) if found else lift(is_conjunction)


def All(*parts: object) -> Expression:
    """All of these truth values hold, which are given one by one or as a collection; true for none."""
    return _junction("All", True, parts)


def AnyOf(*parts: object) -> Expression:
    """At least one of these truth values holds, which are given one by one or as a collection; false for none."""
    return _junction("Any", False, parts)


def If(condition: object, then: object, otherwise: object) -> Expression:
    """The value of `then` where the condition holds, and that of `otherwise` elsewhere."""
    found = truth("If", condition)
    if isinstance(found, Constant):
        return lift(then if found.value else otherwise)
    one, other = lift(then), lift(otherwise)
    return Choice(parts=(found, one, other), kind=one.kind if one.kind == other.kind else None)


def test_of(part: Expression) -> tuple[int, Hashable] | None:
    """The variable and the value that a truth value compares for equality; None if it is something else."""
    match part:
        case Variable(number):
            return number, True
        case Not(parts=(Variable(number),)):
            return number, False
        case Operation(sign="==", parts=(Variable(number), Constant(value))):
            return number, value
        case Operation(sign="==", parts=(Constant(value), Variable(number))):
            return number, value
    return None
