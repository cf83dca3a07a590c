"""Planning tasks as a `Puzzle`: a problem of PDDL with its domain, or a translated task, is a level."""

from puzzlemc.encodings.pddl.levels import RULES, at, closing, compact, constants, content, made_by, warnings
from puzzlemc.encodings.pddl.plans import read_moves
from puzzlemc.encodings.pddl.rules import METRICS
from puzzlemc.encodings.pddl.screen import SCREEN
from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.display import Display
from puzzlemc.encodings.puzzle.explanation import Explanation, Parts
from puzzlemc.encodings.puzzle.later import later
from puzzlemc.encodings.puzzle.proofs import Proofs
from puzzlemc.encodings.puzzle.text import Text, drawn
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary


def _parts() -> tuple[Parts, ...]:
    """The parts; few commands need them, so they are imported at the first use."""
    from puzzlemc.encodings.pddl.parts import PARTS

    return PARTS


PUZZLE = Puzzle(
    name="pddl",
    screen=SCREEN,
    metrics=METRICS,
    encodings={"compact": compact},
    rules=RULES,
    starting_at=at,
    vocabulary=Vocabulary(
        atoms={
            "solved": "the goal holds",
            "PREDICATE(OBJECT)": "the fact holds; without arguments, a predicate is its name alone",
            "PREDICATE(OBJECT,OTHER)": "the same of two objects, or more",
        },
        constants=constants,
    ),
    proofs=Proofs(check_listed=later("puzzlemc.encodings.pddl.proof:check_listed"), made_by=made_by),
    explanation=Explanation(parts=_parts),
    text=Text(
        read_moves=read_moves,
        closing=closing,
        content=content,
        warnings=warnings,
        formats={".pddl": drawn(SCREEN, comments=";")},
    ),
    display=Display(cells=later("puzzlemc.encodings.pddl.facts:cells")),
    how_to_play="An action can be applied where its precondition holds. A plan is a sequence of actions "
    "that makes the goal hold.",
)
