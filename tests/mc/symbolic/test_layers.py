"""Symbolic search in layers looks at its limits after each action, however many start at one location."""

import pytest

from puzzlemc.mc.engines.registry import engine
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import binary, boolean
from puzzlemc.mc.verdict import Reachable


class Watched(Budget):
    """Counts the looks at it."""

    looks = 0

    def check(self) -> None:
        self.looks += 1
        super().check()


@pytest.mark.parametrize("cost", [0, 1])
@pytest.mark.parametrize("name", ["forward", "backward", "bidirectional"])
def test_limits_are_checked_after_each_action(name: str, cost: int) -> None:
    variables = tuple(boolean("lamp", number) for number in range(40))
    bits = [variable.bits[0] for variable in variables]
    actions = [Action(str(number), {}, {b: True}, {"steps": cost}) for number, b in enumerate(bits)]
    goal = dict.fromkeys(bits[:2], True)
    budget = Watched()
    verdict = engine(name)(Model(variables, dict.fromkeys(bits, False), tuple(actions), goal), "steps", budget)
    assert isinstance(verdict, Reachable)
    assert verdict.cost == 2 * cost
    assert budget.looks >= len(actions)


def test_one_dear_action_does_not_delay_the_end() -> None:
    """Were the bound less by the largest cost of an action, both sides would go through the whole line."""
    at = binary("at", range(32))
    roads = [(0, 31, 50), *((number, number + 1, 1) for number in range(20))]
    actions = [Action(f"{i} to {j}", at.literals(i), at.literals(j), {"steps": cost}) for i, j, cost in roads]
    model = Model((at,), at.literals(0), tuple(actions), at.literals(20))
    verdict = engine("bidirectional")(model, "steps", Budget())
    assert isinstance(verdict, Reachable)
    assert (verdict.cost, verdict.optimal) == (20, True)
    assert verdict.statistics.layers < 20
