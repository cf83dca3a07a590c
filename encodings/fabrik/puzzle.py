"""Fabrik as a `Puzzle`.

A level asks whether the player to move can force a win, and in how few turns of this player. Placing a worker, and
the decision who begins, count as turns.
"""

from collections.abc import Iterator, Sequence

from puzzlemc.encodings.fabrik.by_hand import BY_HAND, GAME_RECORD
from puzzlemc.encodings.fabrik.rules import GAME, SYMMETRIC, IllegalMove, at, ended, record
from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.display import Display
from puzzlemc.encodings.puzzle.later import later, later_value
from puzzlemc.encodings.puzzle.questions import TwoSides
from puzzlemc.encodings.puzzle.text import Text, drawn
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary
from puzzlemc.mc.rules.plain import Transition
from puzzlemc.screens import fabrik
from puzzlemc.screens.base.comments import SIGN
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part, build_all
from puzzlemc.screens.base.picture import Picture
from puzzlemc.screens.fabrik import BLACK, EMPTY, ROW, SIZE, WHITE, Level, Position
from puzzlemc.screens.fabrik.palette import PALETTE


class Records:
    """The screen of Fabrik, which rejects a record of a game with an illegal move."""

    SUFFIXES = fabrik.SUFFIXES

    def looks_like(self, text: str) -> float:
        """How much the text looks like a level of Fabrik, from 0 to 1."""
        return fabrik.looks_like(text)

    def cut(self, text: str, source: str) -> Iterator[Part | LevelError]:
        """Yield the texts of the levels of a file, and an error for each that cannot be cut."""
        return fabrik.cut(text, source)

    def build(self, part: Part) -> Level:
        """Build a level. Raises LevelError for one that is not sound, or has an illegal move."""
        level = fabrik.build(part)
        try:
            record(level)
        except IllegalMove as error:
            line, column = fabrik.place_of_move(part, error.number)
            raise LevelError(str(error), source=part.source, line=line, column=column) from None
        return level

    def parse(self, text: str, source: str) -> Sequence[Level | LevelError]:
        """Read a text: one item for each level, and an error in the place of a bad level."""
        return build_all(self.cut(text, source), self.build)

    def draw(self, level: Level, position: Position | None = None) -> str:
        """A position of the level as text; the first one without `position`."""
        return fabrik.draw(level, position)

    def picture(self, level: Level, position: Position) -> Picture:
        """The picture of a position."""
        return fabrik.picture(level, position)


def _solved(level: Level, position: Position) -> bool:
    """Has the player who moves first in the level won?"""
    return GAME.over(level, position) and GAME.result(level, position) == GAME.turn(level, GAME.start(level))


PUZZLE = Puzzle(
    name="fabrik",
    screen=Records(),
    metrics=("turns",),
    encodings={},
    rules=Transition(GAME.start, GAME.steps, _solved),
    vocabulary=Vocabulary(),
    starting_at=at,
    game=TwoSides(
        rules=GAME,
        sides=(BLACK, WHITE),
        decide=later("puzzlemc.encodings.fabrik.decide:decide"),
        openings=later("puzzlemc.encodings.fabrik.decide:openings"),
        bots={
            "random": later("puzzlemc.encodings.fabrik.bots:play_random"),
            "greedy": later("puzzlemc.encodings.fabrik.bots:play_greedy"),
            "strong": later("puzzlemc.encodings.fabrik.bots:play_strong"),
        },
        initial_level=Level("", "", SIZE, ROW, EMPTY),
        symmetric_rules=SYMMETRIC,
        reason_of_end=ended,
    ),
    methods={},
    by_hand=BY_HAND,
    display=Display(palette=PALETTE, cells=later("puzzlemc.encodings.fabrik.cells:cells")),
    text=Text(game_record=GAME_RECORD, formats={".fabrik": drawn(fabrik, comments=SIGN)}),
    drawing=later_value("puzzlemc.encodings.fabrik.drawing:DRAWING"),
    how_to_play="A turn: move one of the two workers, or none; then put a stone where their lines of "
    "sight meet. A row of stones of one colour wins: the second number of the heading is its "
    "length. Who cannot put a stone loses.",
)
