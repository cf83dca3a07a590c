"""PuzzleScript games as a `Puzzle`: a level of a game is a step system, whose only cost is the number of turns."""

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.display import Display
from puzzlemc.encodings.puzzle.later import later
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary
from puzzlemc.encodings.puzzlescript.by_hand import BY_HAND
from puzzlemc.encodings.puzzlescript.rules import METRICS, RULES
from puzzlemc.screens import puzzlescript as screen

PUZZLE = Puzzle(
    name="puzzlescript",
    screen=screen,
    metrics=METRICS,
    encodings={"compact": later("puzzlemc.encodings.puzzlescript.planes.encoding:planes")},
    rules=RULES,
    vocabulary=Vocabulary(
        atoms={
            "won": "the last turn has won the level",
            "NAME@(r,c)": "the object NAME is in row r, column c, both from 1",
        },
        counts={"NAME": "the number of objects of that name"},
        constants=later("puzzlemc.encodings.puzzlescript.planes.encoding:constants"),
    ),
    display=Display(moved=screen.moved),
    by_hand=BY_HAND,
)
