"""How the corners of a cube of 2×2×2 are twisted, as a model: a turn of a face moves four corners and twists them.

python examples/corners.py
"""

from puzzlemc.mc.engines.invariants import invariants
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import one_hot
from puzzlemc.mc.verdict import Unreachable

# The places of the corners that each turn moves, and their twists by thirds in their new places.
TURNS = {
    "up": ((0, 1, 2, 3), (0, 0, 0, 0)),
    "down": ((4, 7, 6, 5), (0, 0, 0, 0)),
    "right": ((0, 3, 7, 4), (1, 2, 1, 2)),
    "left": ((1, 5, 6, 2), (2, 1, 2, 1)),
    "front": ((0, 4, 5, 1), (2, 1, 2, 1)),
    "back": ((2, 6, 7, 3), (2, 1, 2, 1)),
}


def model(twists: tuple[int, ...]) -> Model:
    """From these twists, by thirds, to none."""
    twist = [one_hot(f"twist{place}", range(3)) for place in range(8)]
    actions = []
    for name, (places, more) in TURNS.items():
        update = {}
        for here, there, third in zip(places, places[1:] + places[:1], more, strict=True):
            for value in range(3):
                update[twist[there].bits[(value + third) % 3]] = twist[here].bits[value]
        actions.append(Action(name, {}, update, {"turns": 1}))
    start = {
        b: v for variable, value in zip(twist, twists, strict=True) for b, v in variable.literals(value).items()
    }
    goal = {b: v for variable in twist for b, v in variable.literals(0).items()}
    return Model(tuple(twist), start, tuple(actions), goal)


if __name__ == "__main__":
    verdict = invariants(model((1, 0, 0, 0, 0, 0, 0, 0)), "any", Budget())
    assert isinstance(verdict, Unreachable)
    print(verdict.note)
