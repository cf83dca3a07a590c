"""The towers of Hanoi as a model of finite-domain variables: the peg of each disc, in one-hot bits.

python examples/hanoi.py
"""

from itertools import permutations

from puzzlemc.mc.engines.registry import engine
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import one_hot
from puzzlemc.mc.verdict import Reachable

PEGS = "abc"


def model(discs: int) -> Model:
    """All discs move from the first to the last peg; disc 0 is the smallest."""
    peg_of = [one_hot(f"disc{n}", PEGS) for n in range(discs)]
    actions = []
    for n, disc in enumerate(peg_of):
        for start, end, rest in permutations(PEGS):
            guard = disc.literals(start)
            for smaller in peg_of[:n]:
                guard |= smaller.literals(rest)
            actions.append(Action(f"{n}{start}{end}", guard, disc.literals(end), {"moves": 1}))
    start = {b: value for disc in peg_of for b, value in disc.literals(PEGS[0]).items()}
    goal = {b: value for disc in peg_of for b, value in disc.literals(PEGS[-1]).items()}
    return Model(tuple(peg_of), start, tuple(actions), goal)


if __name__ == "__main__":
    puzzle = model(5)
    verdict = engine("bidirectional")(puzzle, "moves", Budget())
    assert isinstance(verdict, Reachable)
    verdict.trace.check(puzzle)
    print(f"{verdict.cost} moves: {' '.join(action.name for action in verdict.trace.actions)}")
