"""PuzzleScript as a `Puzzle`: a level of a game is a level."""

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.display import Display
from puzzlemc.encodings.puzzle.explanation import Explanation
from puzzlemc.encodings.puzzle.later import later, later_value
from puzzlemc.encodings.puzzle.proofs import Proofs
from puzzlemc.encodings.puzzle.text import Text
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary
from puzzlemc.encodings.puzzlescript.by_hand import BY_HAND
from puzzlemc.encodings.puzzlescript.domain.content import content
from puzzlemc.encodings.puzzlescript.domain.inputs import play
from puzzlemc.encodings.puzzlescript.domain.moves import refusal
from puzzlemc.encodings.puzzlescript.domain.position import METRICS
from puzzlemc.encodings.puzzlescript.domain.rules import RULES, at
from puzzlemc.encodings.puzzlescript.files import FORMATS
from puzzlemc.encodings.puzzlescript.screen import SCREEN
from puzzlemc.screens.puzzlescript import moved, warnings

PUZZLE = Puzzle(
    name="puzzlescript",
    screen=SCREEN,
    metrics=METRICS,
    encodings={
        "compact": later("puzzlemc.encodings.puzzlescript.pruned:pruned_planes"),
        "planes": later("puzzlemc.encodings.puzzlescript.planes.encoding:planes"),
        "tiles": later("puzzlemc.encodings.puzzlescript.circuit.tiles:tiles"),
    },
    rules=RULES,
    signs=later_value("puzzlemc.encodings.puzzlescript.signs:signs"),
    vocabulary=Vocabulary(
        encoding="planes",
        atoms={
            "won": "the last turn has won",
            "solved": "the same",
            "OBJECT@(r,c)": "the object is in row r, column c, both from 1",
        },
        counts={
            "OBJECT": "the number of cells with the object",
            "OBJECT_on_OTHER": "the number of cells with both objects, for the two of a win condition",
        },
        constants=later("puzzlemc.encodings.puzzlescript.planes.encoding:constants"),
    ),
    starting_at=at,
    chance=later("puzzlemc.encodings.puzzlescript.drawn:chance"),
    proofs=Proofs(check_listed=later("puzzlemc.encodings.puzzlescript.cells.proof:check_listed")),
    explanation=Explanation(
        obvious=later("puzzlemc.encodings.puzzlescript.lost:why_lost"),
        words=later("puzzlemc.encodings.puzzlescript.lost:reason"),
    ),
    text=Text(
        play=play,
        refusal=refusal,
        formats=FORMATS,
        content=content,
        sliced_content=later("puzzlemc.encodings.puzzlescript.slices:content_of_slice"),
        warnings=warnings,
        lint=later("puzzlemc.encodings.puzzlescript.lint.lint:lint"),
    ),
    display=Display(
        moved=moved,
        stamps=later("puzzlemc.encodings.puzzlescript.stamps:stamps"),
        instructions=later("puzzlemc.encodings.puzzlescript.instructions:instructions"),
        cells=later("puzzlemc.encodings.puzzlescript.things:cells"),
    ),
    by_hand=BY_HAND,
    pointing=later_value("puzzlemc.encodings.puzzlescript.pointing:POINTING"),
    changes=later_value("puzzlemc.encodings.puzzlescript.changes:CHANGES"),
    keys=later_value("puzzlemc.encodings.puzzlescript.keys:KEYS"),
)
