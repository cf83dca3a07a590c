"""Folding Blocks as a `Puzzle`."""

from puzzlemc.encodings.folding.by_hand import BY_HAND
from puzzlemc.encodings.folding.compact import compact
from puzzlemc.encodings.folding.count import COUNTING
from puzzlemc.encodings.folding.files import FORMATS
from puzzlemc.encodings.folding.generate import generate
from puzzlemc.encodings.folding.methods import METHODS
from puzzlemc.encodings.folding.rules import METRICS, RULES, at
from puzzlemc.encodings.folding.tiles import constants, tiles
from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.design.generation import NumberOption, SingleGeneration
from puzzlemc.encodings.puzzle.display import Display
from puzzlemc.encodings.puzzle.explanation import Explanation
from puzzlemc.encodings.puzzle.later import later, later_value
from puzzlemc.encodings.puzzle.symmetry import Symmetry
from puzzlemc.encodings.puzzle.text import Text
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary
from puzzlemc.screens import folding as screen

SYMMETRY = Symmetry(
    grid=lambda level: tuple(tuple(map(str, row)) for row in level.rows),
    move=lambda name, turned: name[:-1] + turned(name[-1]),  # the colour, and where to
)


PUZZLE = Puzzle(
    name="folding",
    screen=screen,
    metrics=METRICS,
    encodings={"compact": compact, "tiles": tiles},
    rules=RULES,
    vocabulary=Vocabulary(
        encoding="tiles",
        atoms={
            "solved": "no cell is empty",
            "filled@(r,c)": "the cell in row r, column c, both from 1, is not empty",
            "N@(r,c)": "the cell has colour N",
        },
        counts={"empty": "the number of empty cells", "cells_N": "the number of cells with colour N"},
        constants=constants,
    ),
    starting_at=at,
    methods=METHODS,
    counting=COUNTING,
    explanation=Explanation(parts=later_value("puzzlemc.encodings.folding.parts:PARTS")),
    generation=SingleGeneration(generate, NumberOption("colours", "Number of colours.", 4)),
    symmetry=SYMMETRY,
    text=Text(formats=FORMATS),
    display=Display(
        moved=screen.moved, number_meaning="colour", cells=later("puzzlemc.encodings.folding.cells:cells")
    ),
    by_hand=BY_HAND,
    drawing=later_value("puzzlemc.encodings.folding.drawing:DRAWING"),
    pointing=later_value("puzzlemc.encodings.folding.drawing:POINTING"),
    how_to_play="Cover all empty cells. A block folds over one of its sides: its mirror image has to fall "
    "on empty cells, and is part of the block from then on.",
    shared=later_value("puzzlemc.encodings.folding.shared:SHARED"),
    changes=later_value("puzzlemc.encodings.folding.changes:CHANGES"),
)
