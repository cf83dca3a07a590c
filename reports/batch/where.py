"""Conditions on rows, as users type them: `pushes > 100 and not title ~ tutorial`.

A condition compares fields of a row with numbers or texts. The operators are = (or ==) != < <= > >= and ~, which
means "contains" and ignores case. A boolean field may stand alone: `not optimal`. A comparison with a missing
field is false. A value that the field can never have is an error. A condition is parsed and evaluated here; no
part of it reaches the database.
"""

import operator
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeAlias

from lark import Lark, Token, Transformer, UnexpectedInput, UnexpectedToken, v_args
from lark.exceptions import VisitError

from puzzlemc.mc.errors import FormulaError
from puzzlemc.reports.batch.tables import kind
from puzzlemc.reports.output.terminal import STYLES

Condition: TypeAlias = Callable[[Mapping[str, Any]], bool]

_DEEP = "found a condition that nests too deep, expected a simpler one"
MOST = 10_000  # characters in a condition
_GRAMMAR = r"""
?either: both (_OR both)*
?both: not (_AND not)*
?not: _NOT not -> negated | comparison | "(" either ")"
comparison: FIELD OPERATOR value | FIELD
?value: NUMBER | QUOTED | WORD
_OR.3: /or\b/i
_AND.3: /and\b/i
_NOT.3: /not\b/i
FIELD: /(?!(and|or|not)\b)[A-Za-z_][A-Za-z0-9_]*/i
OPERATOR: "<=" | ">=" | "!=" | "==" | "=" | "<" | ">" | "~"
NUMBER.2: /-?[0-9]+(\.[0-9]+)?(?![^\s()])/
QUOTED: /"[^"]*"|'[^']*'/
WORD.1: /[^\s()<>=!~"']+/
%ignore /\s+/
"""
_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}
_parser = Lark(_GRAMMAR, start="either", parser="lalr", lexer="contextual")


def condition(text: str, fields: Collection[str]) -> Condition:
    """Parse a condition on rows with these fields. Raises FormulaError."""
    if len(text) > MOST:
        raise FormulaError(f"found {len(text)} characters, expected at most {MOST}", 1)
    try:
        found: Condition = _Builder(fields).transform(_parser.parse(text))
    except UnexpectedInput as error:
        ended = isinstance(error, UnexpectedToken) and error.token.type == "$END"
        place = len(text) + 1 if ended else error.column
        found_there = repr(text[place - 1 : place + 9]) if place <= len(text) else "the end"
        message = f"found {found_there}, expected a comparison such as seconds > 1, joined by and, or, not"
        raise FormulaError(message, place) from None
    except VisitError as error:
        if isinstance(error.orig_exc, RecursionError):
            raise FormulaError(_DEEP, 1) from None
        raise error.orig_exc from None
    except RecursionError:
        raise FormulaError(_DEEP, 1) from None
    return found


@v_args(inline=True)
class _Builder(Transformer[Token, Condition]):
    """Turns a parse tree into a predicate."""

    def __init__(self, fields: Collection[str]) -> None:
        super().__init__()
        self._fields = fields

    def comparison(self, field: Token, sign: Token | None = None, operand: Token | None = None) -> Condition:
        name = str(field)
        if name not in self._fields:
            message = f"found {name!r}, expected one of {', '.join(sorted(self._fields))}"
            raise FormulaError(message, field.column or 1)
        if sign is None or operand is None:
            if kind(name) != "truth":
                raise FormulaError(
                    f"found {name!r} alone, expected a comparison such as seconds > 1", field.column or 1
                )
            return lambda row: bool(row.get(name))
        value = _value(operand)
        if sign == "~":
            part = str(int(value) if isinstance(value, float) and value.is_integer() else value).casefold()
            return lambda row: part in _text(row.get(name)).casefold()
        _require_kind(name, sign, operand)
        compare = _COMPARE[str(sign)]
        return lambda row: _compared(compare, row.get(name), value)

    def either(self, *parts: Condition) -> Condition:
        return lambda row: any(part(row) for part in parts)

    def both(self, *parts: Condition) -> Condition:
        return lambda row: all(part(row) for part in parts)

    def negated(self, one: Condition) -> Condition:
        return lambda row: not one(row)


def _value(token: Token) -> float | str:
    """The value that a field is compared with."""
    if token.type == "NUMBER":
        return float(token)
    return str(token)[1:-1] if token.type == "QUOTED" else str(token)


def _require_kind(name: str, sign: Token, operand: Token) -> None:
    """Raise FormulaError if the field cannot be compared with the operand."""
    value = _value(operand)
    if kind(name) == "truth" and sign not in ("=", "==", "!="):
        raise FormulaError(f"found {str(sign)!r}, expected one of =, !=, ~", sign.column or 1)
    expected = ""
    if kind(name) in ("number", "real"):
        expected = "" if isinstance(value, float) else "a number"
    elif kind(name) == "truth":
        expected = "" if str(value).lower() in _TRUTHS else f"one of {', '.join(_TRUTHS)}"
    elif name == "verdict":
        expected = "" if value in STYLES else f"one of {', '.join(STYLES)}"
    if expected:
        found = str(operand) if isinstance(value, float) else value
        raise FormulaError(f"found {found!r}, expected {expected}", operand.column or 1)


def _text(value: object) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value)


def _compared(compare: Callable[[Any, Any], bool], found: object, value: float | str) -> bool:
    """Compare a field with a value; between values of different types, only "differs" holds."""
    if found is None:
        return False
    if isinstance(found, bool):
        wanted = _TRUTHS.get(str(value).lower())
        return wanted is not None and compare in (operator.eq, operator.ne) and compare(found, wanted)
    if isinstance(found, int | float):
        return compare(found, value) if isinstance(value, float) else compare is operator.ne
    written = str(int(value) if isinstance(value, float) and value.is_integer() else value)
    return compare(_text(found), written)
