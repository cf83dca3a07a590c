"""Disjunctive normal forms of formulas, up to a size.

A *literal* is a number: 2 * i says that bit number i is false, 2 * i + 1 that it is true; so `p ^ 1` is the
negation of p. A *term* is a consistent conjunction of literals, stored as a frozenset. A list of terms is their
disjunction.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from puzzlemc.mc.model.formula import Bit, Formula, State, fold

Term: TypeAlias = frozenset[int]
Terms: TypeAlias = Sequence[Term]

TRUE: Terms = (frozenset(),)
FALSE: Terms = ()


class TooLarge(Exception):
    """A normal form has more terms than allowed."""


def term(cube: Mapping[Bit, bool], number: Mapping[Bit, int]) -> Term:
    """A cube as a term."""
    return frozenset(2 * number[b] + value for b, value in cube.items())


def disjunction(formula: Formula, number: Mapping[Bit, int], most: int) -> Terms:
    """The terms of a formula. Raises TooLarge if it takes more than `most`."""
    if isinstance(formula, Mapping):
        return [term(formula, number)]
    found: Terms = fold(
        formula,
        lambda b, value: [frozenset([2 * number[b] + value])],
        lambda parts: product(parts, most),
        lambda parts: _limited((t for part in parts for t in part), most),
    )
    return found


def product(parts: Iterable[Terms], most: int) -> Terms:
    """The conjunction of disjunctions. Raises TooLarge if it takes more than `most` terms."""
    found: Terms = TRUE
    for part in sorted(parts, key=len):
        joined = (one | other for one in found for other in part)
        found = _limited((t for t in joined if is_consistent(t)), most)
    return found


def is_consistent(literals: Term) -> bool:
    """Is there no literal together with its negation?"""
    return not any(p ^ 1 in literals for p in literals)


def restricted(terms: Terms, known: Term) -> Terms:
    """The terms where the literals `known` hold."""
    return _shortest(t - known for t in terms if not any(p ^ 1 in known for p in t))


def literals_of(state: State, bits: Sequence[Bit]) -> Term:
    """All literals that hold in a state."""
    return frozenset(2 * i + (b in state) for i, b in enumerate(bits))


def _limited(terms: Iterable[Term], most: int) -> Terms:
    found: dict[Term, None] = {}
    for each in terms:
        found[each] = None
        if len(found) > 4 * most:
            found = dict.fromkeys(_shortest(found))
            if len(found) > most:
                raise TooLarge
    shortest = _shortest(found)
    if len(shortest) > most:
        raise TooLarge
    return shortest


def _shortest(terms: Iterable[Term]) -> Terms:
    """The disjunction without terms that imply others."""
    kept: list[Term] = []
    for each in sorted(dict.fromkeys(terms), key=len):
        if not any(other <= each for other in kept):
            kept.append(each)
    return kept
