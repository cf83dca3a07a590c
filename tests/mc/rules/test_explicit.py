"""Explicit search over the functions of an author: its costs are least, limits hold, mistakes are named."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from threading import Event
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.mc.rules.alone import MOST_COST, Rules
from puzzlemc.mc.rules.explicit import CHECKED, Found, search

METRICS = ("steps", "coins")
Cost = int | Mapping[str, int] | None
Edge = tuple[int, int, Cost]  # from, to, and what the move costs; None: nothing is said


def costs_of(cost: Cost) -> list[int]:
    """The cost of a move by each of METRICS."""
    return [cost[name] for name in METRICS] if isinstance(cost, Mapping) else [1 if cost is None else cost] * 2


def rules_of(edges: Sequence[Edge], solved: frozenset[int]) -> Rules:
    """The rules of a graph: its positions are numbers, and a move has the number of its edge as its name."""

    def moves(_: Any, position: int) -> Iterator[tuple[Any, ...]]:
        for number, (source, target, cost) in enumerate(edges):
            if source == position:
                yield (f"e{number}", target) if cost is None else (f"e{number}", target, cost)

    return Rules(lambda _: 0, moves, lambda _, position: position in solved)


def least(edges: Sequence[Edge], solved: frozenset[int], price: Callable[[list[int]], Any], zero: Any) -> Any:
    """The least cost from 0 to a solved position, by relaxing all edges again and again; None without one."""
    best = {0: zero}
    changed = True
    while changed:
        changed = False
        for source, target, cost in edges:
            if source in best:
                total = tuple(map(sum, zip(best[source], price(costs_of(cost)), strict=True)))
                if target not in best or total < best[target]:
                    best[target], changed = total, True
    return min((best[end] for end in solved if end in best), default=None)


def follow(found: Found, edges: Sequence[Edge], solved: frozenset[int]) -> list[int]:
    """The costs of a solution by each of METRICS, followed move by move."""
    position, total = 0, [0, 0]
    for name in found.moves or ():
        source, position_after, cost = edges[int(name[1:])]
        assert source == position
        position = position_after
        total = [one + other for one, other in zip(total, costs_of(cost), strict=True)]
    assert position in solved
    return total


PRICES = [None, None, None, 0, 1, 3, {"steps": 1, "coins": 0}, {"steps": 0, "coins": 2}, {"steps": 2, "coins": 1}]
NUMBERS = st.integers(0, 5)
EDGES = st.lists(st.tuples(NUMBERS, NUMBERS, st.sampled_from(PRICES)), min_size=6, max_size=16)
UNIT_EDGES = st.lists(st.tuples(NUMBERS, NUMBERS, st.none()), max_size=14)
ASKED = [("steps",), ("coins",), ("steps", "coins"), ("coins", "steps")]


@pytest.mark.parametrize("checked", [CHECKED, 0])
@settings(max_examples=examples(150, 2000))
@given(edges=EDGES | UNIT_EDGES, solved=st.frozensets(NUMBERS, max_size=2))
def test_costs_are_least(checked: int, edges: list[Edge], solved: frozenset[int]) -> None:
    rules = rules_of(edges, solved)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("puzzlemc.mc.rules.explicit.CHECKED", checked)
        for asked in ASKED:
            places = [METRICS.index(name) for name in asked]
            budget = Budget()
            found = search(rules, None, 0, METRICS, asked, budget)
            expected = least(edges, solved, lambda costs, at=places: [costs[i] for i in at], (0,) * len(asked))
            assert (found.moves is None, found.reason) == (expected is None, None)
            if expected is not None:
                costs = follow(found, edges, solved)
                assert tuple(costs[i] for i in places) == expected
                assert found.cost == expected[0] >= budget.bound
        found = search(rules, None, 0, METRICS, (), Budget())
        fewest = least(edges, solved, lambda _: [1], (0,))
        assert fewest == (None if found.moves is None else (len(found.moves),))


def tree(_: Any, position: int) -> Iterator[tuple[str, int]]:
    """The moves of an endless tree."""
    yield "left", 2 * position + 1
    yield "right", 2 * position + 2


ENDLESS = Rules(lambda _: 0, tree, lambda _, position: False)
UNITS = ("steps",)


def test_a_time_limit_leaves_the_proved_bound() -> None:
    budget = Budget(Limits(0.2))
    found = search(ENDLESS, None, 0, UNITS, UNITS, budget)
    assert (found.moves, found.reason) == (None, "timeout")
    assert 2 ** (budget.bound + 1) - 1 <= found.positions < 2 ** (budget.bound + 3)


def test_slow_moves_do_not_delay_the_end() -> None:
    def slow(_: Any, position: int) -> Iterator[tuple[str, int]]:
        time.sleep(0.02)
        return tree(_, position)

    began = time.monotonic()
    found = search(Rules(lambda _: 0, slow, lambda _, position: False), None, 0, UNITS, UNITS, Budget(Limits(0.2)))
    assert found.reason == "timeout"
    assert time.monotonic() - began < 2


def test_many_positions_before_slow_moves_do_not_delay_the_end() -> None:
    """A depth of thousands of positions is looked through at once; their moves then take long."""

    def moves(_: Any, position: int) -> Iterator[tuple[str, int]]:
        if position:
            time.sleep(0.002)
            yield "on", position + 5000
        else:
            yield from ((str(number), number) for number in range(1, 5000))

    began = time.monotonic()
    rules = Rules(lambda _: 0, moves, lambda _, position: False)
    assert search(rules, None, 0, UNITS, UNITS, Budget(Limits(0.2))).reason == "timeout"
    assert time.monotonic() - began < 2


@pytest.mark.parametrize("cost", [(), (2,)])
def test_a_memory_limit_ends_the_search(cost: tuple[int, ...]) -> None:
    def wide(_: Any, position: tuple[int, ...]) -> Iterator[tuple[Any, ...]]:
        for way in range(4):
            yield (f"{way}", (*position, way), *cost)

    budget = Budget(Limits(30, GIB // 32))
    found = search(Rules(lambda _: (), wide, lambda _, position: False), None, (), UNITS, UNITS, budget)
    assert found.reason == "memory"
    assert 10_000 < found.positions < GIB // 32 // 56  # a tuple takes at least 56 bytes


def test_a_search_can_be_cancelled() -> None:
    wanted = Event()
    wanted.set()
    assert search(ENDLESS, None, 0, UNITS, UNITS, Budget(_cancelled=wanted)).reason == "cancelled"


def moved(*moves: Any) -> Callable[[Any, Any], Any]:
    """A function of moves that are always the same."""
    return lambda level, position: moves


MISTAKES = [
    (lambda level, position: None, "found None, expected moves, each (name, position) or (name, position, cost)"),
    (lambda level, position: "left", "found 'left', expected moves"),
    (moved("a"), "found the move 'a', expected (name, position)"),
    (moved(("a", 1, 1, 1)), "found the move ('a', 1, 1, 1), expected (name, position)"),
    (moved((1, 1)), "found 1 as the name of a move, expected a text"),
    (moved((" ", 1)), "found ' ' as the name of a move, expected a text"),
    (moved(("a; b", 1)), "found 'a; b' as the name of a move, expected a text without semicolons"),
    (moved(("a", 1), ("a", 2)), "found two moves called 'a', expected a name for each"),
    (moved(("a", [1])), "found a position of unhashable type: 'list', expected tuples and frozensets"),
    (moved(("a", 1, -1)), "a: found the cost -1, expected a whole number from 0 on, or {'steps': number, 'coins'"),
    (moved(("a", 1, 0.5)), "a: found the cost 0.5, expected a whole number"),
    (moved(("a", 1, {"steps": 1})), "a: found the cost {'steps': 1}, expected a whole number"),
    (moved(("a", 1, MOST_COST + 1)), f"a: found the cost {MOST_COST + 1}, expected a whole number"),
]


@pytest.mark.parametrize(("moves", "message"), MISTAKES)
@pytest.mark.parametrize("late", [False, True])
def test_a_mistake_names_function_and_position(moves: Callable[..., Any], message: str, late: bool) -> None:
    """Late mistakes are noticed if they would change the answer; a name does not before it is in a solution."""
    wrong_at = 3 * CHECKED if late else 0

    def steps(level: Any, position: int) -> Any:
        return moves(level, position) if position == wrong_at else [("on", position + 1)]

    if late and ("name" in message or "called" in message or "('a', 1, 1, 1)" in message):
        return
    rules = Rules(lambda _: 0, steps, lambda _, position: position > 3 * CHECKED)
    with pytest.raises(ModelError) as raised:
        search(rules, None, 0, METRICS, UNITS, Budget())
    assert str(raised.value).startswith(f"{__file__}:")
    assert f" steps: {message}" in str(raised.value)
    assert str(raised.value).endswith(f" in position {wrong_at}")


def test_solved_must_be_a_truth_value() -> None:
    with pytest.raises(ModelError, match="found None, expected True or False in position 0"):
        search(Rules(lambda _: 0, tree, lambda _, position: None), None, 0, UNITS, UNITS, Budget())  # type: ignore


def test_an_error_of_the_author_stays() -> None:
    def steps(_: Any, position: int) -> Iterator[tuple[str, int]]:
        yield "on", position + abs(2 * CHECKED - position) // (2 * CHECKED - position)

    with pytest.raises(ZeroDivisionError):
        search(Rules(lambda _: 0, steps, lambda _, position: False), None, 0, UNITS, UNITS, Budget())


def test_a_cost_that_comes_late_counts() -> None:
    """After thousands of moves that cost 1, two ways of three moves each: one is cheaper."""
    last = 3 * CHECKED

    def steps(_: Any, position: tuple[int, str]) -> Iterator[tuple[Any, ...]]:
        number, way = position
        if number < last:
            yield "on", (number + 1, "")
        elif number < last + 3:
            if way in ("", "dear"):
                yield "dear", (number + 1, "dear"), 5
            if way in ("", "cheap"):
                yield "cheap", (number + 1, "cheap"), 2

    rules = Rules(lambda _: (0, ""), steps, lambda _, position: position[0] == last + 3)
    found = search(rules, None, (0, ""), UNITS, UNITS, Budget())
    assert (found.cost, (found.moves or ())[-3:]) == (last + 6, ("cheap",) * 3)


@pytest.mark.parametrize("before", [0, 3 * CHECKED])
@pytest.mark.parametrize("same", [False, True])
def test_a_free_move_beside_the_one_that_solves_is_seen(before: int, same: bool) -> None:
    """After moves that cost 1, one more solves; another one, from there or from as deep, does so for free."""

    def steps(_: Any, position: tuple[int, str]) -> Iterator[tuple[Any, ...]]:
        number, side = position
        if number < before:
            yield "on", (number + 1, side)
        elif number == before:
            yield "left", (number + 1, "left")
            yield "right", (number + 1, "right")
        elif number == before + 1:
            if side == "left" or same:
                yield "dear", (number + 1, "dear")
            if side == "right" or same:
                yield "free", (number + 1, "free"), 0

    budget = Budget()
    rules = Rules(lambda _: (0, ""), steps, lambda _, position: position[0] == before + 2)
    found = search(rules, None, (0, ""), UNITS, UNITS, budget)
    assert (found.cost, (found.moves or ("",))[-1]) == (before + 1, "free")
    assert budget.bound <= before + 1


def test_moves_that_change_when_asked_again_are_an_error() -> None:
    asked: list[int] = []

    def steps(_: Any, position: int) -> Iterator[tuple[str, int]]:
        asked.append(position)
        yield "on", position + len(asked)

    with pytest.raises(ModelError, match="other moves when they are asked for again in position 0"):
        search(Rules(lambda _: 0, steps, lambda _, position: position > 5), None, 0, UNITS, UNITS, Budget())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"start": 0}, "start: found 0, expected a function of level$"),
        (
            {"moves": lambda level: ()},
            r"<lambda>: found parameters \(level\), expected a function of level and position",
        ),
        ({"solved": lambda position, level, more: True}, "expected a function of level and position"),
        ({"facts": {"empty": None}}, "empty: found None, expected a function of level and position"),
        ({"facts": {"solved": lambda level, position: True}}, "facts: found 'solved', expected another name"),
        ({"facts": {"lost": lambda level, position: True}}, "facts: found 'lost', expected another name"),
        ({"facts": [len]}, "facts: found .*, expected a mapping"),
    ],
)
def test_what_is_no_function_of_level_and_position_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        replace(ENDLESS, **change)
    assert Rules(tuple, max, lambda *given: True).solved(1, 2)  # type: ignore[arg-type]
