"""Tetravex as a puzzle: what the registry knows of it.

A level without a game is a constraint, and costs nothing. Its moves are the tiles' numbers in reading order.

compact   the constraint; of `put`, filling in reading order past the cells that are filled: a solution puts each
          missing tile once, in any order, and parts of a solution fit, so the order takes nothing away; of `swap`,
          sorting
tiles     filling in reading order; of a game, the board and the moves as they are
board     the tiles on the board and the moves as they are; of a game that is `tiles`
"""

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.display import Display
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.explanation import Explanation
from puzzlemc.encodings.puzzle.generation import NumberOption, SingleGeneration
from puzzlemc.encodings.puzzle.parts import Parts
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
from puzzlemc.screens.tetravex import PUT, SWAP, Level


def compact(level: Level) -> Encoded:
    """The model that is quick to solve: the constraint, or the game in reading order."""
    if level.rules == SWAP:
        return sorting(level)
    return filling(level) if level.rules == PUT else constraint(level)


def tiles(level: Level) -> Encoded:
    """The model that is faithful to the game, or fills the board in reading order."""
    if level.rules == SWAP:
        return swapping(level)
    return putting(level) if level.rules == PUT else filling(level)


def _parts() -> tuple[Parts, ...]:
    """Imported at the first use: few commands explain."""
    from puzzlemc.encodings.tetravex.parts import PARTS

    return PARTS


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
        counts={"tiles_on_board": "how many tiles are on the board"},
    ),
    starting_at=at,
    constraint=arranging,
    counting=COUNTING,
    explanation=Explanation(parts=_parts),
    generation=SingleGeneration(generate, NumberOption("colours", "How many colours.", 4)),
    text=Text(
        formats={
            ".tetravex": drawn(screen),
            ".dzn": Format(lambda _, levels: screen.data(levels[0][0]), many=False),
        },
        exports={"minizinc": minizinc.write},
    ),
    display=Display(
        moved=screen.moved,
        solution_heading="Tiles in reading order",
        solutions_differ="tiles that look the same count apart",
        number_meaning="tile",
    ),
    by_hand=BY_HAND,
)
