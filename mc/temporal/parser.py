"""CTL formulas as text, to `Property`; `str` goes back.

    AG EF solved        E[!red@(1,2) U solved]        EF (stuck & !solved)        AG (full >= 2 => !dead)

From the loosest: `<->` or `<=>`, `->` or `=>` (to the right), `|` or `or`, `&` or `and`; then `!` or `not` and
EX EF EG AX AF AG, which take the shortest formula behind them. `E[p U q]` and `A[p U q]` bring their own brackets.
What is counted is compared with a number: `full >= 2`. An atom may have arguments: `at(a,b)`.
"""

import difflib
import re
from collections.abc import Collection
from functools import cache
from typing import cast

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from puzzlemc.mc.errors import FormulaError
from puzzlemc.mc.temporal.property import TRUE, Property

DEEPEST = 100  # the largest nesting depth of a formula
# Operators of LTL, as in `G F p`, `p U q`, `[] <> p`. Within E[ ] and A[ ], U is one of CTL.
_LINEAR = re.compile(r"(?<![EA]\s)\b[GFXRW]\b(?!\s*@)|\[\]|<>(?!\w)|^(?!.*[EA]\s*\[).*\b(?P<until>U)\b")
_PLACE = re.compile(r"@\((\d{1,9}),(\d{1,9})\)")

GRAMMAR = r"""
    ?start: iff
    ?iff: implies | iff _IFF implies
    ?implies: disjunction | disjunction _IMPLIES implies
    ?disjunction: conjunction | disjunction _OR conjunction
    ?conjunction: unary | conjunction _AND unary
    ?unary: _NOT unary -> negation
        | PATH unary -> path
        | QUANTIFIER "[" iff _U iff "]" -> until
        | _TRUE -> true
        | _FALSE -> false
        | ATOM -> atom
        | ATOM COMPARED NUMBER -> count
        | "(" iff ")"
    _IFF: /<->|<=>/
    _IMPLIES: /->|=>/
    COMPARED: /==|!=|>=|>|<=(?!>)|<(?!->|=)/
    NUMBER: /[0-9]{1,9}\b/
    _OR.2: /\|\|?|or\b/
    _AND.2: /&&?|and\b/
    _NOT.2: /!|not\b/
    PATH.2: /[EA]\s*[XFG]\b(?!\s*@)/
    QUANTIFIER.2: /[EA]\b/
    _U.2: /U\b/
    _TRUE.2: /true\b/
    _FALSE.2: /false\b/
    ATOM: /[A-Za-z0-9_]+(-[A-Za-z0-9_]+)*(\s*@\s*\([^()\[\]]*\)|(?<!\b[A-Z])\([A-Za-z0-9_, -]*\))?/
    %ignore /\s+/
"""

# The names of the terminals in messages, in the order of the messages.
NAMES = {
    "ATOM": "an atom",
    "_TRUE": "true",
    "_FALSE": "false",
    "_NOT": "!",
    "PATH": "EX, EF, EG, AX, AF, AG",
    "QUANTIFIER": "E[, A[",
    "LPAR": "(",
    "LSQB": "[",
    "_AND": "&",
    "_OR": "|",
    "_IMPLIES": "->",
    "_IFF": "<->",
    "_U": "U",
    "COMPARED": "== != < <= > >=",
    "NUMBER": "a number",
    "RPAR": ")",
    "RSQB": "]",
    "$END": "the end",
}


@v_args(inline=True)
class _Properties(Transformer[Token, Property]):
    """Builds the formula during parsing."""

    def iff(self, a: Property, b: Property) -> Property:
        return Property("iff", (a, b))

    def implies(self, a: Property, b: Property) -> Property:
        return Property("implies", (a, b))

    def disjunction(self, a: Property, b: Property) -> Property:
        return Property("or", (a, b))

    def conjunction(self, a: Property, b: Property) -> Property:
        return Property("and", (a, b))

    def negation(self, a: Property) -> Property:
        return Property("not", (a,))

    def path(self, operator: Token, a: Property) -> Property:
        return Property("".join(operator.split()), (a,))

    def until(self, quantifier: Token, a: Property, b: Property) -> Property:
        return Property(f"{quantifier}U", (a, b))

    def true(self) -> Property:
        return TRUE

    def false(self) -> Property:
        return Property("false")

    def atom(self, name: Token) -> Property:
        return Property("atom", name="".join(name.split()), column=(name.start_pos or 0) + 1)

    def count(self, name: Token, sign: Token, number: Token) -> Property:
        comparison = f"{''.join(name.split())} {sign} {int(number)}"
        return Property("count", name=comparison, column=(name.start_pos or 0) + 1)


@cache
def _parser() -> Lark:
    return Lark(GRAMMAR, parser="lalr", transformer=_Properties())


def parse(text: str) -> Property:
    """Read a formula. Raises FormulaError with what was found where, and what was expected."""
    try:
        formula = _parsed(text)
    except FormulaError:
        if (linear := _LINEAR.search(text)) is not None:
            at = "until" if linear["until"] else 0
            message = (
                f"found {linear[at]!r}: LTL is not supported: CTL only, expected A or E before it, as in AG EF p"
            )
            raise FormulaError(message, linear.start(at) + 1) from None
        raise
    if (depth := _depth(formula)) > DEEPEST:
        raise FormulaError(f"found formulas {depth} deep in each other, expected at most {DEEPEST}", 1)
    return formula


def _parsed(text: str) -> Property:
    try:
        return cast(Property, _parser().parse(text))  # the transformer makes it one
    except UnexpectedToken as error:
        expected = error.accepts or error.expected
        if error.token.type == "$END":
            raise FormulaError(f"found the end, expected {_words(expected)}", len(text) + 1) from None
        message = f"found {str(error.token)!r}, expected {_words(expected)}"
        raise FormulaError(message, (error.token.start_pos or 0) + 1) from None
    except UnexpectedCharacters as error:
        at = error.pos_in_stream or 0
        raise FormulaError(f"found {text[at]!r}, expected {_words(error.allowed or ())}", at + 1) from None


def check_atoms(p: Property, known: Collection[str], numbers: Collection[str] = ()) -> None:
    """Raise FormulaError for the first unknown atom, with similar names and one name of each kind.

    Also raise it for a comparison whose count is not in `numbers`.
    """
    for count in p.counts():
        if count.counted not in numbers:
            some = (
                f"one of the numbers of this level: {', '.join(numbers)}"
                if numbers
                else "no numbers in this level"
            )
            raise FormulaError(f"found the number {count.counted!r}, expected {some}", count.column)
    for atom in p.atoms():
        if atom.name in numbers:
            message = f"found the number {atom.name!r}, expected a comparison, such as {atom.name} >= 1"
            raise FormulaError(message, atom.column)
    first: dict[str, str] = {}
    for name in known:
        first.setdefault(_kind(name), name)
    for atom in p.atoms():
        if atom.name in known:
            continue
        kind = _kind(atom.name)
        if kind in first:
            near = difflib.get_close_matches(atom.name, [n for n in known if _kind(n) == kind], cutoff=0)
        else:
            near = [first[name] for name in difflib.get_close_matches(kind, first)]
        where = _outside(atom.name, known)
        message = (
            f"found the atom {atom.name!r}{where}, expected one of this level, such as {', '.join(first.values())}"
        )
        raise FormulaError(message + (f"; nearest: {', '.join(near)}" if near else ""), atom.column)


def _kind(name: str) -> str:
    """The name of an atom without its place or arguments."""
    return re.split("[@(]", name, maxsplit=1)[0]


def _outside(name: str, known: Collection[str]) -> str:
    """A phrase that the place of an atom is outside the level; empty if it is inside, or the atom has no place."""
    place = _PLACE.search(name)
    places = [(int(each[1]), int(each[2])) for one in known if (each := _PLACE.search(one))]
    if place is None or not places:
        return ""
    rows, columns = sorted(row for row, _ in places), sorted(column for _, column in places)
    if rows[0] <= int(place[1]) <= rows[-1] and columns[0] <= int(place[2]) <= columns[-1]:
        return ""
    return f", outside of rows {rows[0]} to {rows[-1]} and columns {columns[0]} to {columns[-1]}"


def _depth(p: Property) -> int:
    """The nesting depth of the formula; without recursion, whose depth Python limits."""
    deepest = 0
    waiting = [(p, 1)]
    while waiting:
        part, depth = waiting.pop()
        deepest = max(deepest, depth)
        waiting += [(inner, depth + 1) for inner in part.parts]
    return deepest


def _words(terminals: Collection[str]) -> str:
    return ", ".join(name for terminal, name in NAMES.items() if terminal in terminals)
