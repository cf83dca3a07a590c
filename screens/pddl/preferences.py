"""Reads soft goals: `(preference p CONDITION)` in a goal, and the metric, the costs of violations.

They are the simple preferences of PDDL3 (Gerevini and Long 2005). Several preferences may have one name, and one
in a `forall` is one for each object: a name counts how many of its preferences are violated.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import lcm, prod
from typing import NamedTuple

from puzzlemc.screens.pddl.conditions import TRUE, And, Condition, Parameters, Quantified, substituted
from puzzlemc.screens.pddl.expressions import Block, Expression, Source, Word, shown
from puzzlemc.screens.pddl.level import Preference, Remark
from puzzlemc.screens.pddl.scope import TOTAL_COST, Scope

PREFERENCE, VIOLATED = "preference", "is-violated"
TOTAL_TIME = "total-time"  # of a plan: without durations, its number of steps
MOST_PREFERENCES = 1000
MOST_PENALTY = 999_999_999
_LARGEST = 10**18  # of numerators and denominators
_NUMBER = re.compile(r"([0-9]{1,9})(\.[0-9]{1,9})?", re.ASCII)
_CONSTANT = ""  # the key of what a linear sum has beside its terms

Sum = dict[str, Fraction]  # a linear sum: the factor of each term


class Declared(NamedTuple):
    """A preference of a goal, for all objects in the places of the variables; its name is empty if it has none."""

    name: str
    bound: Parameters
    condition: Condition
    at: Block


class Metric(NamedTuple):
    """A metric with preferences.

    has_costs  does the cost of a plan contain the costs of its actions?
    factor     times that cost, or times the number of actions
    penalties  of one violation, by the name of the preference
    """

    has_costs: bool
    factor: int
    penalties: Mapping[str, int]
    warnings: tuple[Remark, ...]


def goal(scope: Scope, item: Expression) -> tuple[Condition, list[Declared]]:
    """Read a goal: what must hold, and its preferences. Raises LevelError."""
    found: list[Declared] = []
    return _required(scope, item, (), found), found


def _required(scope: Scope, item: Expression, bound: Parameters, found: list[Declared]) -> Condition:
    if isinstance(item, Word) or not _has(item, PREFERENCE):
        return scope.condition(item)
    match item.head:
        case "preference":
            *names, condition = item.items[1:] or (item,)
            if condition is item or len(names) > 1:
                raise scope.source.error(item, f"found {shown(item)}, expected (preference NAME CONDITION)")
            name = scope.source.name_of(names[0], "the name of a preference") if names else ""
            found.append(Declared(name, bound, scope.condition(condition), item))
            return TRUE
        case "and":
            return And(tuple(_required(scope, part, bound, found) for part in item.items[1:]))
        case "forall" if len(item.items) == 3:
            variables = scope.parameters(item.items[1])
            inner = scope.with_variables(variables)
            return Quantified(True, variables, _required(inner, item.items[2], (*bound, *variables), found))
    message = "expected preferences only in the goal itself, and there in `and` and `forall`"
    raise scope.source.error(item, f"found {shown(item)}, {message}")


def _has(item: Expression, head: str) -> bool:
    """Is there an expression with that head in this one?"""
    return isinstance(item, Block) and (item.head == head or any(_has(each, head) for each in item.items))


def has_violations(section: Block) -> bool:
    """Does a metric count violations of preferences?"""
    return _has(section, VIOLATED)


def preferences(
    source: Source,
    declared: Sequence[Declared],
    penalties: Mapping[str, int],
    of_type: Mapping[str, Sequence[str]],
) -> tuple[Preference, ...]:
    """The preferences whose violation costs something, one for each object. Raises LevelError for too many."""
    found: list[Preference] = []
    known = set[tuple[str, ...]]()
    for each in declared:
        penalty = penalties.get(each.name, 0)
        if not each.name or not penalty:
            continue
        if len(found) + prod(len(of_type[kind]) for _, kind in each.bound) > MOST_PREFERENCES:
            message = f"found more than {MOST_PREFERENCES} preferences with it, expected at most that"
            raise source.error(each.at, message)
        names = [name for name, _ in each.bound]
        for objects in product(*(of_type[kind] for _, kind in each.bound)):
            condition = substituted(each.condition, dict(zip(names, objects, strict=True)))
            terms = next(label for label in _labels(each.name, objects) if label not in known)
            known.add(terms)
            found.append(Preference(terms, condition, penalty))
    return tuple(found)


def _labels(name: str, objects: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """Yield the names that a preference may have: its own one, and that with a number behind it."""
    yield (name, *objects)
    number = 2
    while True:
        yield (f"{name}_{number}", *objects)
        number += 1


def unread(source: Source, declared: Sequence[Declared], penalties: Mapping[str, int]) -> Iterator[Remark]:
    """Yield a warning for each name of preferences that the metric does not mention."""
    for name in dict.fromkeys(each.name for each in declared if each.name not in penalties):
        first = next(each for each in declared if each.name == name)
        words = f"found preference {name!r}" if name else "found a preference without a name"
        yield (*source.place(first.at), f"{words}, which the metric does not mention: its violation costs nothing")


def metric(scope: Scope, section: Block, declared: Sequence[Declared]) -> Metric:
    """Read a metric that counts violations. Raises LevelError."""
    source = scope.source
    direction = section.items[1].text if len(section.items) == 3 and isinstance(section.items[1], Word) else ""
    if direction not in ("minimize", "maximize"):
        message = f"found {shown(section)}, expected (:metric minimize …) or (:metric maximize …)"
        raise source.error(section, message)
    reader = _Reader(scope, frozenset(each.name for each in declared if each.name))
    sign = -1 if direction == "maximize" else 1
    found = {key: sign * factor for key, factor in reader.sum(section.items[2]).items()}
    scale = lcm(*(factor.denominator for factor in found.values()))
    warnings: list[Remark] = []
    place = source.place(section.items[2])
    if found.pop(_CONSTANT, None):
        warnings.append((*place, "found a constant in the metric: costs of plans are without it"))
    if scale > 1:
        warnings.append((*place, f"found fractions in the metric: costs of plans are {scale} times its values"))
    whole = {key: int(factor * scale) for key, factor in found.items()}
    for key, factor in whole.items():
        if not 0 <= factor <= MOST_PENALTY:
            message = f"found {factor} times {key}, expected a factor from 0 to {MOST_PENALTY} if it is minimized"
            raise source.error(reader.places[key], message)
    cost, time = whole.pop(f"({TOTAL_COST})", 0), whole.pop(f"({TOTAL_TIME})", 0)
    if cost and time:
        raise source.error(section, f"found ({TOTAL_COST}) and ({TOTAL_TIME}), expected one of them")
    penalties = {key.removeprefix(f"({VIOLATED} ").removesuffix(")"): factor for key, factor in whole.items()}
    return Metric(cost > 0, cost or time, penalties, tuple(warnings))


class _Reader:
    """Reads linear sums of the cost of a plan, and of violations."""

    def __init__(self, scope: Scope, names: frozenset[str]) -> None:
        self._scope, self._source, self._names = scope, scope.source, names
        self.places: dict[str, Expression] = {}  # where each term is first

    def sum(self, item: Expression) -> Sum:
        """Read a sum. Raises LevelError."""
        if isinstance(item, Word):
            return {_CONSTANT: self._number(item)}
        match item.head, len(item.items) - 1:
            case ("total-cost" | "total-time" as head, 0):
                if head == TOTAL_COST:
                    self._scope.function(item)
                return self._term(item, f"({head})")
            case ("is-violated", 1):
                name = self._source.word(item.items[1], "the name of a preference")
                if name not in self._names:
                    message = f"found {name!r}, expected the name of a preference of the goal"
                    raise self._source.error(item.items[1], message)
                return self._term(item, f"({VIOLATED} {name})")
            case ("+" | "*" | "-" | "/" as head, count) if count and (head not in "-/" or count <= 2):
                return self._operation(item, head, [self.sum(part) for part in item.items[1:]])
        message = f"expected numbers, ({TOTAL_COST}), ({TOTAL_TIME}), ({VIOLATED} NAME), and + - * / of them"
        raise self._source.error(item, f"found {shown(item)}, {message}")

    def _number(self, item: Word) -> Fraction:
        if not _NUMBER.fullmatch(item.text):
            message = (
                f"found {shown(item)}, expected a number from 0, with at most 9 digits on each side of a point"
            )
            raise self._source.error(item, message)
        return Fraction(item.text)

    def _term(self, item: Block, key: str) -> Sum:
        self.places.setdefault(key, item)
        return {key: Fraction(1)}

    def _operation(self, item: Block, head: str, parts: Sequence[Sum]) -> Sum:
        found = parts[0]
        if head == "-" and len(parts) == 1:
            found = _times(found, Fraction(-1))
        if head == "/" and len(parts) == 1:
            raise self._source.error(item, f"found {shown(item)}, expected two parts of '/'")
        for part in parts[1:]:
            if head in "+-":
                found = _plus(found, part if head == "+" else _times(part, Fraction(-1)))
                continue
            if head == "*" and not found.keys() - {_CONSTANT}:
                found, part = part, found
            factor = part.get(_CONSTANT, Fraction())
            if part.keys() - {_CONSTANT} or (head == "/" and not factor):
                expected = "a number other than 0 below it" if head == "/" else "a number in all parts but one"
                raise self._source.error(item, f"found {shown(item)}, expected {expected}")
            found = _times(found, 1 / factor if head == "/" else factor)
        if any(max(abs(each.numerator), each.denominator) > _LARGEST for each in found.values()):
            raise self._source.error(item, f"found {shown(item)}, expected smaller numbers")
        return found


def _times(one: Sum, factor: Fraction) -> Sum:
    return {key: each * factor for key, each in one.items()}


def _plus(one: Sum, other: Sum) -> Sum:
    return {key: one.get(key, Fraction()) + other.get(key, Fraction()) for key in {**one, **other}}
