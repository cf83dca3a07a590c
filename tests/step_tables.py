"""Step systems from random tables, and a search in plain Python over the same table."""

import random
from collections import deque

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.steps.listed import ListedSteps
from puzzlemc.mc.steps.steps import CHANGED, NOTHING, UNSETTLED, WON
from puzzlemc.mc.steps.system import StepAction, StepSystem

Table = npt.NDArray[np.int64]


def system(codes: Table, targets: Table, cost: int = 1) -> StepSystem:
    """The step system of a table, from state 0."""
    won = boolean("won")
    variables = (won, *(boolean("bit", i) for i in range(max(1, len(codes).bit_length()))))
    return StepSystem(
        variables,
        init={b: False for each in variables for b in each.bits},
        actions=tuple(StepAction(f"go{i}", {"turns": cost}) for i in range(codes.shape[1])),
        goal={won.bits[0]: True},
        steps=ListedSteps(codes, targets),
    )


def random_table(seed: int, odds: tuple[int, int, int, int], states: int = 40) -> tuple[Table, Table]:
    dice = random.Random(seed)
    codes = [dice.choices((NOTHING, CHANGED, WON, UNSETTLED), odds, k=3) for _ in range(states)]
    targets = [[dice.randrange(states) for _ in range(3)] for _ in range(states)]
    return np.array(codes, np.int64), np.array(targets, np.int64)


def plain(codes: Table, targets: Table) -> tuple[dict[int, int], int | None, int | None]:
    """The depths of the states, the least number of steps to a win, and the least depth of an unsettled step."""
    depth, queue = {0: 0}, deque([0])
    won: int | None = None
    unsettled: int | None = None
    while queue and won is None:
        here = queue.popleft()
        for code, target in zip(codes[here].tolist(), targets[here].tolist(), strict=True):
            if code == WON and won is None:
                won = depth[here] + 1
            elif code == UNSETTLED and unsettled is None:
                unsettled = depth[here]
            elif code == CHANGED and target not in depth:
                depth[target] = depth[here] + 1
                queue.append(target)
    return depth, won, unsettled


def replay(codes: Table, targets: Table, trace: Trace) -> None:
    """Fail unless a trace is a run of the table from state 0 whose last step wins, and no step before it."""
    here = 0
    numbers = [int(action.name.removeprefix("go")) for action in trace.actions]
    for action in numbers[:-1]:
        assert codes[here, action] == CHANGED
        here = targets[here, action]
    assert codes[here, numbers[-1]] == WON
