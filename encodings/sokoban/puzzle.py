"""The puzzle Sokoban for the registry, put together from the modules of this folder."""

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.design.generation import NumberOption, SeriesGeneration
from puzzlemc.encodings.puzzle.display import Display
from puzzlemc.encodings.puzzle.explanation import Explanation
from puzzlemc.encodings.puzzle.later import later, later_value
from puzzlemc.encodings.puzzle.proofs import Proofs
from puzzlemc.encodings.puzzle.text import Text
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary
from puzzlemc.encodings.sokoban.by_hand import BY_HAND, GAME_RECORD
from puzzlemc.encodings.sokoban.domain.lurd import other_case, read, refusal
from puzzlemc.encodings.sokoban.domain.names import ON_GOAL, constants
from puzzlemc.encodings.sokoban.domain.rules import METRICS, RULES, at, hopeless, lurd, warnings
from puzzlemc.encodings.sokoban.domain.symmetry import SYMMETRY
from puzzlemc.encodings.sokoban.files import FORMATS
from puzzlemc.encodings.sokoban.model.tiles import tiles
from puzzlemc.screens import sokoban as screen
from puzzlemc.screens.sokoban.palette import PALETTE

PUSHES_PER_BOX = 4  # in generated levels, at least

PUZZLE = Puzzle(
    name="sokoban",
    screen=screen,
    metrics=METRICS,
    encodings={"compact": later("puzzlemc.encodings.sokoban.model.compact:compact"), "tiles": tiles},
    rules=RULES,
    vocabulary=Vocabulary(
        atoms={
            "solved": "every goal holds a box",
            "player@(r,c)": "the player stands in row r, column c, both from 1",
            "box@(r,c)": "a box stands there",
        },
        counts={ON_GOAL: "how many boxes are on goals"},
        constants=constants,
    ),
    starting_at=at,
    improve=later("puzzlemc.encodings.sokoban.improve.improvement:improve"),
    improvements=later("puzzlemc.encodings.sokoban.improve.multi_start:improvements"),
    proofs=Proofs(
        check_bidirectional=later("puzzlemc.encodings.sokoban.proof.bidirectional:check"),
        check_repairs=later("puzzlemc.encodings.sokoban.proof.repairs:check_repairs"),
    ),
    explanation=Explanation(obvious=hopeless, parts=later_value("puzzlemc.encodings.sokoban.parts:PARTS")),
    generation=SeriesGeneration(
        later_value("puzzlemc.encodings.sokoban.generate.levels:GENERATOR"),
        objects=NumberOption("boxes", "How many boxes, and goals for them.", 3),
        least=NumberOption(
            "min-pushes",
            "Each solution takes at least N pushes. "
            "With --unsolvable, some position takes at least N pushes to reach.",
            default_text=f"{PUSHES_PER_BOX} per box",
        ),
        least_per_object=PUSHES_PER_BOX,
        changes=NumberOption(
            "min-changes", "Each shortest solution turns at least N times from one box to another.", 0
        ),
    ),
    symmetry=SYMMETRY,
    text=Text(
        write_moves=lurd,
        read_moves=read,
        refusal=refusal,
        spellings=other_case,
        game_record=GAME_RECORD,
        formats=FORMATS,
        warnings=warnings,
    ),
    display=Display(moved=screen.moved, palette=PALETTE, cells=later("puzzlemc.encodings.sokoban.cells:cells")),
    by_hand=BY_HAND,
    changes=later_value("puzzlemc.encodings.sokoban.changes.changes:CHANGES"),
    drawing=later_value("puzzlemc.encodings.sokoban.drawing:DRAWING"),
    pointing=later_value("puzzlemc.encodings.sokoban.drawing:POINTING"),
    how_to_play="Push a box onto every goal. The player pushes one box at a time, and cannot pull.",
    shared=later_value("puzzlemc.encodings.sokoban.shared:SHARED"),
    measuring=later_value("puzzlemc.encodings.sokoban.measures.measure:MEASURING"),
    keys=later_value("puzzlemc.encodings.sokoban.keys:KEYS"),
)
