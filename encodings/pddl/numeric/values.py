"""The values of functions in the plain rules: read from positions, and changed by effects.

A value that a position keeps is a fact of it, `fuel(t1)=5`. Several effects on one function in one action:
increases and decreases add up, and other changes must all give one value; else the action is not applicable (Fox
and Long 2003 forbid such actions altogether).
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from puzzlemc.screens.pddl.conditions import fact
from puzzlemc.screens.pddl.level import Level
from puzzlemc.screens.pddl.numbers import Value, changed, show_number, shown_value

EQUALS = "="  # no name contains it
SUMS = ("increase", "decrease")


def valued(function: str, value: Value) -> str:
    """The fact that a function has a value."""
    return f"{function}{EQUALS}{show_number(value)}"


def values_in(position: Iterable[str]) -> dict[str, Value]:
    """The values that a position keeps, by the names of the functions with their objects."""
    split = (each.partition(EQUALS) for each in position if EQUALS in each)
    return {function: shown_value(number) for function, _, number in split}


@lru_cache(maxsize=8)
def fixed_values(level: Level) -> Mapping[str, Value]:
    """The values of the functions that no action changes."""
    return {name: value for name, value in level.values.items() if head(name) not in level.domain.varying}


@lru_cache(maxsize=8)
def start_values(level: Level) -> frozenset[str]:
    """The facts about values in the first position."""
    return frozenset(valued(name, value) for name, value in level.values.items() if head(name) in level.tracked)


def head(name: str) -> str:
    """The function of `fuel(t1)`, without the objects."""
    return name.partition("(")[0]


def named(name: str, terms: Iterable[str], binding: Mapping[str, str]) -> str:
    """The name of a function with objects in the places of variables."""
    return fact(name, tuple(binding.get(term, term) for term in terms))


def joined(before: Value | None, changes: Iterable[tuple[str, Value | None]]) -> Value | None:
    """The value after all changes of one function; None if it has none, or if they contradict each other."""
    after, results = before, set[Value | None]()
    kinds = set[bool]()
    for change, amount in changes:
        kinds.add(change in SUMS)
        if change in SUMS:
            after = changed(change, after, amount)
            if after is None:
                return None
        else:
            results.add(changed(change, before, amount))
    if len(kinds) > 1 or len(results) > 1:
        return None
    return results.pop() if results else after


def within(level: Level, function: str, value: Value) -> bool:
    """Is a value one that its function may have?"""
    least, largest = level.domain.bounds.get(head(function), (None, None))
    return (least is None or least <= value) and (largest is None or value <= largest)
