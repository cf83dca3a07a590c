"""Peg solitaire on a line as a puzzle of one's own, whose levels start in one position only."""

from pathlib import Path

from puzzlemc.encodings.puzzles import Entry, load

OWN = Path(__file__).parents[1] / "tests/compatibility/0.1/own_puzzle.py"
# The same lines of 0 and 1, with pegs that jump over each other; one must be left, at the left end.
PEGS = """

def near(lamps):
    for at in range(len(lamps)):
        for over, to in ((at + 1, at + 2), (at - 1, at - 2)):
            if 0 <= to < len(lamps):
                yield at, over, to


def jumps(level, position):
    for at, over, to in near(position):
        if position[at] and position[over] and not position[to]:
            new = list(position)
            new[at], new[over], new[to] = False, False, True
            yield Step(f"{at + 1}to{to + 1}", tuple(new), PRESS)


def as_model(level):
    variables = [boolean("peg", number) for number in range(len(level.lamps))]
    peg = [variable.bits[0] for variable in variables]
    actions = tuple(
        Action(
            f"{at + 1}to{to + 1}",
            {peg[at]: True, peg[over]: True, peg[to]: False},
            {peg[at]: False, peg[over]: False, peg[to]: True},
            PRESS,
        )
        for at, over, to in near(peg)
    )
    goal = {b: number == 0 for number, b in enumerate(peg)}
    return Encoded(
        Model(tuple(variables), dict(zip(peg, level.lamps, strict=True)), actions, goal, {"solved": goal}),
        decode=lambda state: tuple(b in state for b in peg),
        moves=lambda trace: [action.name for action in trace.actions],
    )


PUZZLE = Puzzle(
    name="pegs",
    screen=Screen(),
    metrics=("presses",),
    encodings={"compact": as_model},
    rules=Transition(lambda level: level.lamps, jumps, lambda _, lamps: lamps[0] and sum(lamps) == 1),
    vocabulary=Vocabulary(atoms={"solved": "one peg is left, at the left end"}),
)
"""


def line_pegs(folder: Path, line: str) -> Entry:
    """A level from a line of pegs, 1, and holes, 0."""
    (folder / "pegs.py").write_text(OWN.read_text() + PEGS)
    (folder / "level.txt").write_text(f"{line}\n")
    (one,) = load([str(folder / "level.txt")], str(folder / "pegs.py"))
    return one
