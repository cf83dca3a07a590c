"""A puzzle of one's own in one file: light switches that also toggle their neighbours.

    puzzlemc solve examples/lights.txt --puzzle examples/own_puzzle.py

A level is a line of lamps, `1` lit and `0` dark, under an optional title. A move presses a lamp: it and its
neighbours change. All lamps must go dark in the fewest presses.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import negation
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part, build_all
from puzzlemc.screens.base.picture import Picture, disc, tile

Lamps = tuple[bool, ...]
PRESS = {"presses": 1}


@dataclass(frozen=True)
class Level:
    """A row of lamps."""

    title: str
    lamps: Lamps


class Screen:
    """Reads, writes and draws levels."""

    SUFFIXES = (".lights",)

    def looks_like(self, text: str) -> float:
        """Say that no file is told by its content alone."""
        return 0.0

    def cut(self, text: str, source: str) -> Iterator[Part | LevelError]:
        """Yield the text of each level: a line of lamps, and the line above it as its title."""
        title = ""
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip() and set(line.strip()) <= {"0", "1"}:
                yield Part(source, number, line.strip(), title, "")
                title = ""
            else:
                title = line.strip()

    def build(self, part: Part) -> Level:
        """Build a level from its text."""
        return Level(part.title, tuple(sign == "1" for sign in part.text))

    def parse(self, text: str, source: str) -> list[Level | LevelError]:
        """Read a text: an item a level."""
        return build_all(self.cut(text, source), self.build)

    def draw(self, level: Level, position: Lamps | None = None) -> str:
        """Write a level, or another position of it."""
        return "".join("01"[lit] for lit in (level.lamps if position is None else position))

    def picture(self, level: Level, position: Lamps) -> Picture:
        """The same to look at."""
        board = tuple(tile(0, column, "floor", 0.05) for column in range(len(position)))
        pieces = tuple(disc(0, column, "3", 0.3) for column, lit in enumerate(position) if lit)
        return Picture(len(position), 1, board, pieces)


def pressed(lamps: Lamps, at: int) -> Lamps:
    """The lamps after one of them is pressed."""
    return tuple(lit != (abs(number - at) <= 1) for number, lit in enumerate(lamps))


def steps(level: Level, position: Lamps) -> Iterator[Step]:
    """All moves by the plain rules: the number of the lamp, from 1."""
    for at in range(len(position)):
        yield Step(str(at + 1), pressed(position, at), PRESS)


def compact(level: Level) -> Encoded:
    """The level as a model: a bit a lamp, an action a switch."""
    variables = [boolean("lamp", number) for number in range(len(level.lamps))]
    lamps = [variable.bits[0] for variable in variables]
    actions = tuple(
        Action(str(at + 1), {}, {lamp: negation(lamp) for lamp in lamps[max(0, at - 1) : at + 2]}, PRESS)
        for at in range(len(lamps))
    )
    initial, goal = dict(zip(lamps, level.lamps, strict=True)), dict.fromkeys(lamps, False)
    return Encoded(
        Model(tuple(variables), initial, actions, goal, {"solved": goal}),
        decode=lambda state: tuple(lamp in state for lamp in lamps),
        moves=lambda trace: [action.name for action in trace.actions],
    )


PUZZLE = Puzzle(
    name="lights",
    screen=Screen(),
    metrics=("presses",),
    encodings={"compact": compact},
    rules=Transition(lambda level: level.lamps, steps, lambda level, position: not any(position)),
    vocabulary=Vocabulary(atoms={"solved": "all lamps are dark"}),
)
