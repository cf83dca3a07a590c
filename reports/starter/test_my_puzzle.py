"""Tests of my_puzzle: pytest test_my_puzzle.py."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import puzzlemc
import pytest
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.screens.base.picture import Box

FOLDER = Path(__file__).parent
PUZZLE = puzzle(str(FOLDER / "my_puzzle.py"))
LEVELS = puzzlemc.load(FOLDER / "levels.my_puzzle", puzzle=str(FOLDER / "my_puzzle.py"))
COSTS = {"One coin": 2, "Round the pillar": 7, "Behind the wall": None}  # None: there is no solution
Graph = set[tuple[Any, str, Any]]


def graph(start: Any, successors: Callable[[Any], Iterable[tuple[str, Any]]]) -> Graph:
    """All steps that are possible from a start on: position, name of the move, next position."""
    found, seen, open_list = set(), {start}, [start]
    while open_list:
        position = open_list.pop()
        for name, after in successors(position):
            found.add((position, name, after))
            if after not in seen:
                seen.add(after)
                open_list.append(after)
    return found


def read(text: str) -> Any:
    """The first level of a text, or its error."""
    return PUZZLE.screen.parse(text, "text")[0]


LEVEL_TEXTS = pytest.mark.parametrize("text", [f"Title: {level.title}\n{level.text}" for level in LEVELS])


def test_each_level_has_its_least_cost() -> None:
    assert {level.title: puzzlemc.solve(level).cost for level in LEVELS} == COSTS


@LEVEL_TEXTS
def test_the_model_has_the_states_and_steps_of_the_plain_rules(text: str) -> None:
    """The most important test: both are written apart, so a mistake in one of them shows here."""
    level = read(text)
    encoded = PUZZLE.encode_faithfully(level)
    encoded.model.validate()
    in_model = graph(
        initial_state(encoded.model),
        lambda state: [(action.name, after) for action, after in encoded.model.successors(state)],
    )
    by_rules = graph(
        PUZZLE.rules.start(level),
        lambda position: [(step.name, step.position) for step in PUZZLE.rules.steps(level, position)],
    )
    assert {(encoded.decode(one), name, encoded.decode(other)) for one, name, other in in_model} == by_rules
    assert by_rules


@LEVEL_TEXTS
def test_a_level_is_drawn_as_its_text(text: str) -> None:
    assert PUZZLE.screen.draw(read(text)) == text


@LEVEL_TEXTS
def test_shapes_are_inside_the_picture(text: str) -> None:
    level = read(text)
    picture = PUZZLE.screen.picture(level, PUZZLE.rules.start(level))
    for shape in (*picture.board, *picture.pieces):
        assert isinstance(shape, Box)
        assert 0 <= shape.x <= shape.x + shape.width <= picture.width
        assert 0 <= shape.y <= shape.y + shape.height <= picture.height


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("#@x#", "text:1:3: found 'x', expected one of # . @ o"),
        ("\n\n#@@#", "text:3: found 2 @, expected one"),
        ("#o.#", "text:1: found 0 @, expected one"),
    ],
)
def test_an_error_names_the_place_and_what_was_expected(text: str, error: str) -> None:
    assert str(read(text)) == error


def test_a_formula_may_name_cells() -> None:
    assert puzzlemc.query(LEVELS[2], "AG coin@(2,5)").holds
    assert puzzlemc.query(LEVELS[0], "EF coins == 0").holds
