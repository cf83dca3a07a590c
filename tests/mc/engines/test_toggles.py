"""Models that toggle bits: cheapest sets of actions, against all sets."""

from itertools import combinations
from random import Random

import pytest

from examples import examples
from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.engines.toggles import toggles
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import negation
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.verdict import Reachable, Unknown


def random_model(seed: int) -> tuple[Model, list[set[int]], dict[int, bool], set[int]]:
    """A model, the bits that each action toggles, its goal and its start."""
    random = Random(seed)
    variables = [boolean("lamp", n) for n in range(random.randint(1, 5))]
    bits = [each.bits[0] for each in variables]
    sets = [{n for n in range(len(bits)) if random.random() < 0.5} for _ in range(random.randint(1, 7))]
    actions = [
        Action(f"a{at}", {}, {bits[n]: negation(bits[n]) for n in each}, {"cost": random.choice((0, 1, 1, 1, 3))})
        for at, each in enumerate(sets)
    ]
    start = {n for n in range(len(bits)) if random.random() < 0.5}
    goal = {n: random.random() < 0.5 for n in range(len(bits)) if random.random() < 0.8}
    init = {b: n in start for n, b in enumerate(bits)}
    return (
        Model(tuple(variables), init, tuple(actions), {bits[n]: held for n, held in goal.items()}),
        sets,
        goal,
        start,
    )


def least(model: Model, sets: list[set[int]], goal: dict[int, bool], start: set[int]) -> int | None:
    """The least cost, by all sets of actions."""
    found = []
    for size in range(len(sets) + 1):
        for chosen in combinations(range(len(sets)), size):
            state = set(start)
            for at in chosen:
                state ^= sets[at]
            if all((n in state) == held for n, held in goal.items()):
                found.append(sum(model.actions[at].costs["cost"] for at in chosen))
    return min(found, default=None)


def test_the_cheapest_set_of_toggles_is_found() -> None:
    solved = 0
    for seed in range(examples(200, 3000)):
        model, sets, goal, start = random_model(seed)
        known, verdict = least(model, sets, goal, start), toggles(model, "cost", Budget())
        if known is None:
            assert isinstance(verdict, Unknown)
            continue
        assert isinstance(verdict, Reachable)
        verdict.trace.check(model)
        assert (verdict.cost, verdict.optimal) == (known, True)
        some = toggles(model, "any", Budget())
        assert isinstance(some, Reachable)
        some.trace.check(model)
        solved += 1
    assert solved > 50


def test_other_actions_and_goals_are_refused() -> None:
    lamp, other = boolean("lamp").bits[0], boolean("other").bits[0]
    flip, on = Action("flip", {}, {lamp: negation(lamp)}, {"cost": 1}), Action("on", {}, {lamp: True}, {"cost": 1})
    guarded = Action("off", {lamp: True}, {lamp: negation(lamp)}, {"cost": 1})
    for actions, goal in (((flip, on), {lamp: True}), ((flip, guarded), {lamp: True}), ((flip,), lamp | other)):
        model = Model((boolean("lamp"), boolean("other")), {lamp: False, other: False}, actions, goal)
        with pytest.raises(Unsuitable):
            toggles(model, "cost", Budget())


def test_a_large_board_is_decided_at_once() -> None:
    size = 15
    places = [(r, c) for r in range(size) for c in range(size)]
    variables = {place: boolean("lamp", *place) for place in places}
    lamp = {place: each.bits[0] for place, each in variables.items()}
    actions = tuple(
        Action(
            f"{r},{c}",
            {},
            {
                lamp[near]: negation(lamp[near])
                for near in ((r, c), (r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1))
                if near in lamp
            },
            {"presses": 1},
        )
        for r, c in places
    )
    model = Model(
        tuple(variables.values()), dict.fromkeys(lamp.values(), True), actions, dict.fromkeys(lamp.values(), False)
    )
    verdict, engine, _ = auto(model, "presses", Budget())
    assert isinstance(verdict, Reachable)
    verdict.trace.check(model)
    assert (engine, verdict.cost, verdict.optimal) == ("toggles", 117, True)
