"""Missionaries and cannibals cross a river, as a model: on no bank may cannibals outnumber missionaries.

python examples/river.py
"""

from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean, one_hot
from puzzlemc.mc.verdict import Reachable


def model(couples: int, seats: int) -> Model:
    """As many missionaries as cannibals; the variables say how many are on the first bank."""
    good, bad = (one_hot(name, range(couples + 1)) for name in ("missionaries", "cannibals"))
    boat = boolean("boat")
    (here,) = boat.bits
    safe = {(m, k) for m in range(couples + 1) for k in range(couples + 1) if m in (0, couples) or m == k}
    actions = []
    for m, k in sorted(safe):
        for more in range(seats + 1):
            for others in range(seats + 1 - more):
                after = (m - more, k - others)
                if more + others and after in safe and (more >= others or not more):
                    banks = [good.literals(a) | bad.literals(b) for a, b in ((m, k), after)]
                    name = f"{more} and {others}"
                    actions.append(Action(name, {**banks[0], here: True}, {**banks[1], here: False}, {"trips": 1}))
                    actions.append(Action(name, {**banks[1], here: False}, {**banks[0], here: True}, {"trips": 1}))
    start, goal = ({**good.literals(n), **bad.literals(n), here: n > 0} for n in (couples, 0))
    return Model((good, bad, boat), start, tuple(actions), goal)


if __name__ == "__main__":
    for couples in (3, 4):
        verdict = auto(model(couples, 2), "trips", Budget()).verdict
        print(f"{couples}: {verdict.cost} trips" if isinstance(verdict, Reachable) else f"{couples}: no solution")
