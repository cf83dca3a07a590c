"""Two plain rules of one puzzle: the first difference is named, and found wherever it is."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.rules.alike import difference
from puzzlemc.mc.rules.plain import Step, Transition


def counting(
    kind: Callable[[int], Any], most: int = 3, name: str = "up", cost: int = 1, goal: int = 3
) -> Transition:
    """Rules that count up to 3, or back to 0, and whose positions are of some kind."""

    def steps(_: Any, position: Any) -> Iterator[Step]:
        number = int(position)
        if number < most:
            yield Step(name if number == 2 else "up", kind(number + 1), {"moves": cost if number == 2 else 1})
        if number:
            yield Step("reset", kind(0), {"moves": 1})

    return Transition(lambda _: kind(0), steps, lambda _, position: int(position) == goal)


def check() -> None:
    """Never stop."""


def test_rules_with_other_positions_may_be_alike() -> None:
    assert difference(counting(int), counting(str), None, check) is None


@pytest.mark.parametrize(
    ("other", "words"),
    [
        (counting(str, most=2), "after up up: the system allows up, and the rules do not"),
        (counting(str, most=4), "after up up up: the rules allow up, and the system does not"),
        (counting(str, name="rise"), "after up up: the system allows up, and the rules do not"),
        (counting(str, cost=2), "after up up: up costs {'moves': 1} in the system and {'moves': 2} in the rules"),
        (counting(str, goal=0), "at the start: the position is solved in the rules, and not in the system"),
        (counting(str, goal=4), "after up up up: the position is solved in the system, and not in the rules"),
    ],
)
def test_the_first_difference_is_named(other: Transition, words: str) -> None:
    assert difference(counting(int), other, None, check) == words


def test_a_limit_ends_the_walk() -> None:
    def stop() -> None:
        raise LimitReached("bound")

    with pytest.raises(LimitReached):
        difference(counting(int), counting(str), None, stop)
