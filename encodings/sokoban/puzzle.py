"""Sokoban as a puzzle: what the registry knows of it."""

from puzzlemc.encodings.puzzle import Puzzle, later
from puzzlemc.encodings.puzzle.making import Maker
from puzzlemc.encodings.puzzle.parts import Parts
from puzzlemc.encodings.sokoban.by_hand import BY_HAND, RECORD
from puzzlemc.encodings.sokoban.domain.lurd import read, refusal
from puzzlemc.encodings.sokoban.domain.names import ON_GOAL, constants
from puzzlemc.encodings.sokoban.domain.rules import METRICS, RULES, at, hopeless, lurd
from puzzlemc.encodings.sokoban.domain.symmetry import SYMMETRY
from puzzlemc.encodings.sokoban.files import FORMATS
from puzzlemc.encodings.sokoban.model.compact import compact
from puzzlemc.encodings.sokoban.model.tiles import tiles
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
from puzzlemc.screens import sokoban as screen
from puzzlemc.screens.sokoban import Level


def _check_ends(level: Level, proof: BidirectionalProof, budget: Budget) -> None:
    """Check a proof from both ends, in compiled code, which is loaded only now. Raises Refuted, LimitReached."""
    from puzzlemc.encodings.sokoban.proof.bidirectional import check

    check(level, proof, budget)


def _maker() -> Maker:
    """It loads compiled code."""
    from puzzlemc.encodings.sokoban.generate.levels import MAKER

    return MAKER


def _parts() -> tuple[Parts, ...]:
    """Imported where it is needed: most questions are not why."""
    from puzzlemc.encodings.sokoban.parts import PARTS

    return PARTS


PUZZLE = Puzzle(
    name="sokoban",
    screen=screen,
    metrics=METRICS,
    encodings={"compact": compact, "tiles": tiles},
    rules=RULES,
    at=at,
    hopeless=hopeless,
    write_trace=lurd,
    read_trace=read,
    refusal=refusal,
    atoms={
        "solved": "every goal holds a box",
        "player@(r,c)": "the player stands in row r, column c, both from 1",
        "box@(r,c)": "a box stands there",
    },
    counts={ON_GOAL: "how many boxes are on goals"},
    constants=constants,
    check_ends=_check_ends,
    maker=_maker,
    formats=FORMATS,
    improve=later("puzzlemc.encodings.sokoban.improve.improvement", "improve"),
    parts=_parts,
    by_hand=BY_HAND,
    record=RECORD,
    moved=screen.moved,
    symmetry=SYMMETRY,
)
