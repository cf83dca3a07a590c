"""Tests of my_puzzle: pytest test_my_puzzle.py."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import puzzlemc
import pytest
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.model.formula import holds
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.screens.base.picture import Box, Label, Polygon

FOLDER = Path(__file__).parent
PUZZLE = puzzle(str(FOLDER / "my_puzzle.py"))
LEVELS = puzzlemc.load(FOLDER / "levels.my_puzzle", puzzle=str(FOLDER / "my_puzzle.py"))
COSTS = {"One coin": 2, "Round the pillar": 7, "Behind the wall": None}  # None: there is no solution
Named = tuple[str, tuple[int, ...]]  # name and costs of a move
Graph = set[tuple[Any, Named, Any]]


def graph(start: Any, successors: Callable[[Any], Iterable[tuple[Named, Any]]]) -> Graph:
    """All steps that are possible from a start on: position, name and costs of the move, next position."""
    found, seen, open_list = set(), {start}, [start]
    while open_list:
        position = open_list.pop()
        for step, after in successors(position):
            found.add((position, step, after))
            if after not in seen:
                seen.add(after)
                open_list.append(after)
    return found


def costs(step: Any) -> tuple[int, ...]:
    """What a step or an action costs under each metric."""
    return tuple(step.costs[metric] for metric in PUZZLE.metrics)


def read(text: str) -> Any:
    """The first level of a text, or its error."""
    return PUZZLE.screen.parse(text, "text")[0]


LEVEL_TEXTS = pytest.mark.parametrize("text", [f"Title: {level.title}\n{level.text}" for level in LEVELS])


def test_each_level_has_its_least_cost() -> None:
    assert {level.title: puzzlemc.solve(level).cost for level in LEVELS} == COSTS


@LEVEL_TEXTS
def test_the_model_has_the_states_steps_and_goals_of_the_plain_rules(text: str) -> None:
    """The most important test: both are written apart, so a mistake in one of them shows here."""
    level = read(text)
    encoded = PUZZLE.encode_faithfully(level)
    encoded.model.validate()
    in_model = graph(
        initial_state(encoded.model),
        lambda state: [((action.name, costs(action)), after) for action, after in encoded.model.successors(state)],
    )
    by_rules = graph(
        PUZZLE.rules.start(level),
        lambda position: [
            ((step.name, costs(step)), step.position) for step in PUZZLE.rules.steps(level, position)
        ],
    )
    assert {(encoded.decode(one), step, encoded.decode(other)) for one, step, other in in_model} == by_rules
    assert by_rules
    for state in {state for one, _, other in in_model for state in (one, other)}:
        assert holds(encoded.model.goal, state) == PUZZLE.rules.solved(level, encoded.decode(state))
    for position in {position for position, _, _ in by_rules}:
        names = [step.name for step in PUZZLE.rules.steps(level, position)]
        assert len(set(names)) == len(names)


@LEVEL_TEXTS
def test_a_level_is_drawn_as_its_text(text: str) -> None:
    assert PUZZLE.screen.draw(read(text)) == text


def corners(shape: Box | Polygon | Label) -> list[tuple[float, float]]:
    """The corners of a box or polygon, the place of a text."""
    if isinstance(shape, Polygon):
        return list(shape.points)
    if isinstance(shape, Label):
        return [(shape.x, shape.y)]
    return [(shape.x, shape.y), (shape.x + shape.width, shape.y + shape.height)]


@LEVEL_TEXTS
def test_shapes_are_inside_the_picture(text: str) -> None:
    level = read(text)
    picture = PUZZLE.screen.picture(level, PUZZLE.rules.start(level))
    for shape in (*picture.board, *picture.pieces):
        for x, y in corners(shape):
            assert 0 <= x <= picture.width
            assert 0 <= y <= picture.height


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
