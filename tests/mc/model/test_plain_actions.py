"""Actions that are made when they are asked for are the actions that an encoding would list."""

import pytest

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, MOVE, PUSH, ahead
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.model.action import Action, chosen, cost_of, names, step_costs
from puzzlemc.mc.model.formula import bit
from puzzlemc.mc.model.lazy import LazyMapping, LazySequence
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.plain_actions import changing
from puzzlemc.mc.model.trace import run_of
from puzzlemc.mc.packed.actions import pack_actions
from puzzlemc.mc.packed.layout import Layout
from puzzlemc.screens.sokoban import Level, parse

RULES = puzzle("sokoban")
BOARDS = ["####\n#@$.#\n#  #\n####", "#####\n#@  #\n# $ #\n#.  #\n#####", "###\n#+#\n###", "#####\n#.$@#\n#####"]


def level_of(board: str) -> Level:
    """The level of a board."""
    (level,) = parse(board, "board")
    assert isinstance(level, Level)
    return level


def model_of(board: str) -> Model:
    """The compact model of a board."""
    model: Model = RULES.encodings["compact"](level_of(board)).model
    return model


def listed(level: Level, model: Model) -> list[Action]:
    """The actions of the compact encoding, written down one by one."""
    player = model.hints.location
    assert player is not None
    box = {cell: b for b, cell in model.hints.objects.items()}
    found = []
    for cell in level.floor:
        for letter, direction in DIRECTIONS.items():
            target = ahead(cell, direction)
            if target not in level.cells:
                continue
            place = f"({cell[0] + 1},{cell[1] + 1})"
            free = {box[target]: False} if target in box else {}
            walk = player.literals(cell) | free
            found.append(Action(letter + place, walk, player.literals(target), MOVE))
            beyond = ahead(target, direction)
            if target in box and beyond in box:
                guard = player.literals(cell) | {box[target]: True, box[beyond]: False}
                update = player.literals(target) | {box[target]: False, box[beyond]: True}
                found.append(Action(letter.upper() + place, guard, update, PUSH))
    return found


@pytest.mark.parametrize("board", BOARDS[1:])
def test_the_actions_are_those_that_the_rules_describe(board: str) -> None:
    level, model = level_of(board), model_of(board)
    expected = listed(level, model)
    assert list(model.actions) == expected
    assert [list(action.guard) for action in model.actions] == [list(action.guard) for action in expected]
    assert names(model.actions) == [action.name for action in expected]
    for metric in ("pushes", "moves", "any"):
        assert step_costs(model.actions, metric) == [cost_of(action, metric) for action in expected]
    objects = model.hints.objects
    moving = [not action.update.keys().isdisjoint(objects) for action in expected]
    assert changing(model.actions, objects).tolist() == changing(expected, objects).tolist() == moving


@pytest.mark.parametrize("board", BOARDS[1:])
def test_arrays_and_actions_are_packed_alike(board: str) -> None:
    model = model_of(board)
    layout, numbers = Layout(model), range(len(model.actions))
    one, other = (pack_actions(layout, actions, numbers) for actions in (model.actions, tuple(model.actions)))
    for field in ("mask", "value", "clear", "set"):
        assert getattr(one, field).tolist() == getattr(other, field).tolist()


def test_an_action_is_made_once_and_slices_are_actions() -> None:
    actions = model_of(BOARDS[1]).actions
    assert actions[3] is actions[3]
    assert actions[-1] is actions[len(actions) - 1]
    assert actions[1:3] == (actions[1], actions[2])
    with pytest.raises(IndexError):
        actions[len(actions)]


def test_a_missing_cost_names_the_action() -> None:
    model = model_of(BOARDS[1])
    with pytest.raises(ModelError, match=r"action r\(2,2\) has no cost for metric 'time'"):
        step_costs(model.actions, "time")


def test_a_trace_of_chosen_actions_has_their_names_costs_and_states() -> None:
    model = model_of(BOARDS[3])
    push = names(model.actions).index("L(2,4)")
    trace = run_of(model, chosen(model.actions, [push]))
    assert names(trace.actions) == ["L(2,4)"]
    assert trace.cost("pushes") == trace.cost("moves") == trace.cost("any") == 1
    assert trace.actions[0] is model.actions[push]
    assert list(trace.actions[:1]) == [model.actions[push]]
    assert trace.actions == (model.actions[push],)
    assert trace.actions != ()
    assert trace.states[1] == model.actions[push].fire(trace.states[0])
    trace.check(model)


def test_lazy_values_are_computed_once_and_only_when_used() -> None:
    calls = []

    def numbers() -> dict[str, int]:
        calls.append(1)
        return {"one": 1}

    mapping = LazyMapping(numbers)
    sequence = LazySequence(lambda: numbers().values())
    assert not calls
    assert mapping["one"] == 1
    assert dict(mapping) == {"one": 1}
    assert len(calls) == 1
    assert sequence == (1,)
    assert sequence[0] == len(sequence) == 1
    assert len(calls) == 2


def test_bits_of_a_name_are_one_bit() -> None:
    assert bit("box", 1, 2) is bit("box", 1, 2)
    assert bit("box", 1, 2) is not bit("box", 2, 1)
