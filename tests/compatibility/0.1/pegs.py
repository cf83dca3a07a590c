"""Peg solitaire as a model: a peg jumps over another one, which is removed. One must be left, in the first hole.

python examples/pegs.py
"""

from puzzlemc.mc.engines.registry import engine
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.verdict import Reachable

TRIANGLE = (".", "oo", "ooo", "oooo", "ooooo")  # a peg `o`, a hole `.`


def model(rows: tuple[str, ...]) -> Model:
    """The board as a model: row and column of a triangle, which has three directions."""
    variables = {(r, c): boolean("peg", r, c) for r, row in enumerate(rows) for c in range(len(row))}
    peg = {place: variable.bits[0] for place, variable in variables.items()}
    actions = []
    for r, c in peg:
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)):
            over, to = (r + down, c + right), (r + 2 * down, c + 2 * right)
            if over in peg and to in peg:
                before = {peg[r, c]: True, peg[over]: True, peg[to]: False}
                after = {peg[r, c]: False, peg[over]: False, peg[to]: True}
                actions.append(Action(f"{r + 1},{c + 1} to {to[0] + 1},{to[1] + 1}", before, after, {"jumps": 1}))
    start = {b: rows[r][c] == "o" for (r, c), b in peg.items()}
    goal = {b: rows[r][c] == "." for (r, c), b in peg.items()}
    return Model(tuple(variables.values()), start, tuple(actions), goal)


if __name__ == "__main__":
    puzzle = model(TRIANGLE)
    verdict = engine("bidirectional")(puzzle, "jumps", Budget())
    if isinstance(verdict, Reachable):
        verdict.trace.check(puzzle)
        print(f"{verdict.cost} jumps: {'; '.join(action.name for action in verdict.trace.actions)}")
    else:
        print("no solution")
