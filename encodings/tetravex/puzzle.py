"""Tetravex as a `Puzzle`.

A level without a game is a constraint without costs; its moves are the numbers of its tiles in reading order. The
encodings are:

compact   the constraint; for `put`, `filling`: a solution puts each missing tile once, in any order, and each
          subset of its tiles fits, so it is enough to fill in reading order; for `swap`, `sorting`
tiles     `filling`; for a game, the positions and steps of the plain rules
board     the positions and steps of the plain rules
"""

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.design.generation import NumberOption, SingleGeneration
from puzzlemc.encodings.puzzle.display import Display
from puzzlemc.encodings.puzzle.drawing import Tiling
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.explanation import Explanation
from puzzlemc.encodings.puzzle.later import later, later_value
from puzzlemc.encodings.puzzle.text import Format, Text, drawn
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary
from puzzlemc.encodings.tetravex import minizinc
from puzzlemc.encodings.tetravex.by_hand import BY_HAND
from puzzlemc.encodings.tetravex.constraint import constraint
from puzzlemc.encodings.tetravex.count import COUNTING
from puzzlemc.encodings.tetravex.filling import filling
from puzzlemc.encodings.tetravex.games import board, putting, swapping
from puzzlemc.encodings.tetravex.generate import generate
from puzzlemc.encodings.tetravex.rules import METRICS, RULES, arranging, at
from puzzlemc.encodings.tetravex.sorting import sorting
from puzzlemc.screens import tetravex as screen
from puzzlemc.screens.base.comments import SIGN
from puzzlemc.screens.tetravex import PUT, SWAP, Level


def compact(level: Level) -> Encoded:
    """The model that is fastest to solve: the constraint, or the game in reading order."""
    if level.rules == SWAP:
        return sorting(level)
    return filling(level) if level.rules == PUT else constraint(level)


def tiles(level: Level) -> Encoded:
    """The model of the game with the steps of the plain rules; without a game, filling in reading order."""
    if level.rules == SWAP:
        return swapping(level)
    return putting(level) if level.rules == PUT else filling(level)


def _tiling() -> Tiling:
    """Load the tiling at its first use."""
    from puzzlemc.encodings.tetravex.tiling import TILING

    return TILING


PUZZLE = Puzzle(
    name="tetravex",
    screen=screen,
    metrics=METRICS,
    encodings={"compact": compact, "tiles": tiles, "board": board},
    rules=RULES,
    vocabulary=Vocabulary(
        encoding="board",
        atoms={
            "solved": "every cell is full and the edges agree",
            "N@(r,c)": "tile N is on the cell in row r, column c, both from 1",
        },
        counts={"tiles_on_board": "the number of tiles on the board"},
    ),
    starting_at=at,
    constraint=arranging,
    counting=COUNTING,
    explanation=Explanation(parts=later_value("puzzlemc.encodings.tetravex.parts:PARTS")),
    generation=SingleGeneration(generate, NumberOption("colours", "Number of colours.", 4)),
    text=Text(
        formats={
            ".tetravex": drawn(screen, comments=SIGN),
            ".dzn": Format(lambda _, levels: screen.data(levels[0][0]), many=False),
        },
        exports={"minizinc": minizinc.write},
    ),
    display=Display(
        moved=screen.moved,
        solution_heading="Tiles in reading order",
        solutions_differ="tiles that look the same count as different",
        number_meaning="tile",
        cells=later("puzzlemc.encodings.tetravex.cells:cells"),
    ),
    by_hand=BY_HAND,
    tiling=_tiling,
    pointing=later_value("puzzlemc.encodings.tetravex.pointing:POINTING"),
    how_to_play="Fill the board so that numbers on touching sides are equal. Tiles are put or swapped, "
    "and never turned.",
    shared=later_value("puzzlemc.encodings.tetravex.shared:SHARED"),
    changes=later_value("puzzlemc.encodings.tetravex.changes:CHANGES"),
)
