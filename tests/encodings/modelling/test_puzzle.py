"""Puzzles that are written once: what `puzzle` refuses, and how levels and their positions are shown."""

from dataclasses import replace

import pytest

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.modelling import Any, Rules, System, fields, puzzle
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.base.errors import LevelError


def counter(level: object) -> System:
    """Add one,
    or two.

    More words."""
    system = System()
    count = system.number("count", 0, level.most)  # type: ignore[attr-defined]
    for step in (1, 2):
        system.action(f"add {step}", count <= level.most - step, {count: count + step})  # type: ignore[attr-defined]
    system.goal = Any(count == level.most)  # type: ignore[attr-defined]
    return system


PUZZLE = puzzle("counter", counter, fields(most=int))


def test_a_level_is_played_by_its_plain_rules() -> None:
    (level,) = PUZZLE.screen.parse("Title: Five\nmost: 5", "a.counter")
    assert PUZZLE.replay(level, ["add 2", "add 1", "add 2"]).costs == {"moves": 3}
    assert PUZZLE.screen.draw(level, (3,)) == "count = 3"
    assert PUZZLE.screen.draw(level) == "Title: Five\nmost: 5"
    assert PUZZLE.screen.SUFFIXES == (".counter",)
    assert PUZZLE.how_to_play == "Add one, or two."


def test_a_level_with_another_start_is_another_level() -> None:
    (level,) = PUZZLE.screen.parse("most: 5", "a.counter")
    assert PUZZLE.starting_at is not None
    later = PUZZLE.starting_at(level, (4,))
    assert later != level
    assert PUZZLE.rules.start(later) == (4,)
    assert PUZZLE.rules.start(level) == (0,)
    assert PUZZLE.replay(later, ["add 1"]).positions == ((4,), (5,))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: puzzle("x", System(), fields(a=int)), "puzzle x: found <.*>, expected a function from a level"),  # type: ignore[arg-type]
        (
            lambda: puzzle("Wild Fire!", counter, fields(a=int)),
            "found the name 'Wild Fire!', expected small letters",
        ),
        (lambda: puzzle("x", counter, int), "puzzle x: levels: found <class 'int'>, expected grid"),  # type: ignore[arg-type]
    ],
)
def test_a_wrong_puzzle_is_refused(make: object, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        make()  # type: ignore[operator]


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda level: None, "a.x:1: found None, expected that the function returns a System"),
        (lambda level: System(), "a.x:1: found no variables, expected at least one"),
        (lambda level: 1 // 0, "test_puzzle.py:.*: ZeroDivisionError: .*, for the level in a.x:1"),
    ],
)
def test_a_wrong_system_is_an_error_of_the_level(function: object, message: str) -> None:
    made = puzzle("x", function, fields(a=int), suffix=".x")  # type: ignore[arg-type]
    (error,) = made.screen.parse("a: 1", "a.x")
    assert isinstance(error, LevelError)
    with pytest.raises(LevelError, match=message):
        raise error


def test_costs_are_those_of_the_metrics() -> None:
    def turn(level: object) -> System:
        system = System()
        flag = system.flag("done")
        system.action("go", ~flag, {flag: True}, {"steps": 2})
        system.goal = flag
        return system

    (error,) = puzzle("x", turn, fields(a=int), ("steps", "time")).screen.parse("a: 1", "a.x")
    assert "action go: found costs {'steps': 2}, expected one for 'time'" in str(error)


def count_up(level: object, position: int) -> list[tuple[str, int]]:
    """Rules of `counter`, by which one cannot add one twice at the start."""
    most: int = level.most  # type: ignore[attr-defined]
    return [(f"add {n}", position + n) for n in (1, 2) if position + n <= most and (position, n) != (1, 1)]


RULES = Rules(lambda level: 0, count_up, lambda level, position: position == level.most)


def test_rules_beside_a_system_must_allow_the_same_moves() -> None:
    made = puzzle("counter", counter, fields(most=int), rules=RULES)
    (level,) = made.screen.parse("most: 3", "a.counter")
    assert made.replay(level, ["add 2", "add 1"]).costs == {"moves": 2}
    with pytest.raises(Refuted, match="add 1 is not a legal move"):
        made.replay(level, ["add 1", "add 1", "add 1"])


def test_a_difference_off_the_solution_is_found_beside_the_engines() -> None:
    made = replace(puzzle("counter", counter, fields(most=int), rules=RULES), origin="counter.py")
    (level,) = made.screen.parse("most: 4", "a.counter")
    result = solve_entry(Entry("a.counter#1", "", made, level), Options())
    assert "after add 1: the system allows add 1, and the rules do not" in str(result.reason)


def test_a_position_is_shown_by_its_author() -> None:
    made = puzzle(
        "counter", counter, fields(most=int), show=lambda level, values: f"{values['count']}/{level.most}"
    )
    (level,) = made.screen.parse("most: 4", "a.counter")
    assert made.screen.draw(level, (3,)) == "3/4"
    alone = puzzle(
        "counter", rules=RULES, levels=fields(most=int), show=lambda level, position: f"{position} of {level.most}"
    )
    (level,) = alone.screen.parse("most: 4", "a.counter")
    assert alone.screen.draw(level, 3) == "3 of 4"


def test_a_solution_through_a_lost_position_breaks_a_promise() -> None:
    def wrong(level: object) -> System:
        system = counter(level)
        system.lost = system.variables[0] == 2
        return system

    said = replace(RULES, lost=lambda level, position: position == 2)
    for made in (
        puzzle("counter", wrong, fields(most=int)),
        puzzle("counter", rules=said, levels=fields(most=int)),
    ):
        (level,) = made.screen.parse("most: 4", "a.counter")
        assert made.replay(level, ["add 1", "add 2", "add 1"]).costs == {"moves": 3}
        with pytest.raises(Refuted, match="the position after step 1 is said to be lost, and a solution leads"):
            made.replay(level, ["add 2", "add 2"])


def test_facts_of_rules_beside_a_system_are_refused() -> None:
    with pytest.raises(ModelError, match="found facts beside a system"):
        puzzle("x", counter, fields(most=int), rules=replace(RULES, facts={"even": lambda level, n: n % 2 == 0}))
