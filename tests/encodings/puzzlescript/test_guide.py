"""How far boards are from winning: the compiled guide against distances in plain Python."""

from collections import deque

import pytest
from hypothesis import given, settings
from random_games import levels
from small_games import game, level, rule, win

from examples import examples
from puzzlemc.encodings.puzzlescript.domain.position import Position
from puzzlemc.encodings.puzzlescript.domain.rules import RULES
from puzzlemc.encodings.puzzlescript.domain.turn import Unsettled
from puzzlemc.encodings.puzzlescript.planes.encoding import planes
from puzzlemc.encodings.puzzlescript.planes.guide import BoardGuide
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.packed.layout import Layout
from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.steps import plans
from puzzlemc.mc.steps.search import breadth_first
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.verdict import Reachable, Unreachable
from puzzlemc.mc.words import view
from puzzlemc.screens.puzzlescript.game import Level, Win

PUSH = rule("right", "right player | crate", "right player | right crate")
SIGNS = {"o": "target", "*": "crate target", "p": "player target"}
BOARDS = [
    "P.C.o",
    "PC..o\n.W.W.\n..C.o",
    "PC*.o\n.WWW.\n....o",
    "P.*..",
    "WWWWW\nWPCoW\nWWWWW",
    "PCC.o" + "." * 70,
]


def measured(one: Level) -> tuple[int, int]:
    """What the guide says of the start of a level."""
    model = planes(one).model
    assert isinstance(model, StepSystem)
    assert isinstance(model.guide, BoardGuide)
    table = StateTable(1, model.steps.words, 1)
    table.rows = view(Layout(model).pack(initial_state(model))[None, :].copy())
    return model.guide.numbers(table, 0)


def ways(one: Level, sources: set[int]) -> dict[int, int]:
    """The distances of cells from the nearest source, around walls."""
    found, queue = dict.fromkeys(sources, 0), deque(sorted(sources))
    while queue:
        here = queue.popleft()
        row, column = divmod(here, one.width)
        for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)):
            there = r * one.width + c
            if (
                0 <= r < one.height
                and 0 <= c < one.width
                and there not in found
                and "wall" not in one.cells[there]
            ):
                found[there] = found[here] + 1
                queue.append(there)
    return found


def expected(one: Level, wins: list[Win]) -> tuple[int, int]:
    unmet = distance = 0
    far = one.width + one.height
    wrong_cells = set[int]()
    for each in wins:
        here = {cell for cell, names in enumerate(one.cells) if names & each.subject}
        on = {cell for cell, names in enumerate(one.cells) if each.on is None or names & each.on}
        if each.quantifier == "some":
            if not here & on:
                away = ways(one, on)
                unmet += 1
                distance += min((away.get(cell, far) for cell in here), default=far)
                wrong_cells |= here
            continue
        wrong = here - on if each.quantifier == "all" else here & on
        unmet += len(wrong)
        wrong_cells |= wrong
        if each.quantifier == "all":
            away = ways(one, on - here)
            distance += sum(away.get(cell, far) for cell in wrong)
    if wrong_cells:
        away = ways(one, {cell for cell, names in enumerate(one.cells) if "player" in names})
        distance += min(away.get(cell, far) for cell in wrong_cells)
    return unmet, distance


@pytest.mark.parametrize("board", BOARDS)
@pytest.mark.parametrize("quantifier", ["all", "some", "no"])
@pytest.mark.parametrize(("subject", "on"), [("crate", "target"), ("target", "crate"), ("player", "target")])
def test_the_distance_of_a_board(board: str, quantifier: str, subject: str, on: str) -> None:
    wins = [win(quantifier, subject, on), win("some", "crate")]
    one = level(game("target / player crate wall", PUSH, signs=SIGNS, wins=wins), board)
    assert measured(one) == expected(one, wins)


def test_walks_change_the_cells_of_players_alone() -> None:
    model = planes(level(game("target / player crate wall", PUSH, wins=[win("some", "crate")]), "P.C..")).model
    assert isinstance(model, StepSystem)
    assert model.guide is not None
    layout = Layout(model)
    walk = {each for number, each in enumerate(layout.bits) if model.guide.walk[number // 64] >> number % 64 & 1}
    assert walk == {held for held in model.bits if str(held).startswith("player")}


@settings(max_examples=examples(60, 400), deadline=None)
@given(levels())
def test_some_solution_of_random_games(one: Level) -> None:
    """A width search from the first state on: a solution if there is one, and the plain rules win by it."""
    try:
        encoded = planes(one)
    except Unsettled:
        return
    assert isinstance(encoded.model, StepSystem)
    exact = breadth_first(encoded.model, "turns", Budget(), 20_000)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plans, "HEAD_START", 0)
        patch.setattr("puzzlemc.mc.search.turns.TURN_SECONDS", 0.0)  # a turn is one state
        some = breadth_first(encoded.model, ANY, Budget(), 20_000)
    if isinstance(exact, Reachable | Unreachable):
        assert isinstance(some, type(exact))
    if isinstance(some, Reachable):
        position = RULES.start(one)
        for move in encoded.moves(some.trace):
            position = RULES.reply(one, position, move).position
        assert isinstance(position, Position)
        assert position.won
        assert isinstance(exact, Reachable)
        assert exact.cost <= some.cost
