"""The capability to check proofs of optimality that are specific to a puzzle."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.limits import Budget

if TYPE_CHECKING:
    from puzzlemc.encodings.puzzle.design.repair_proof import RepairProof
    from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
    from puzzlemc.mc.proofs.listed import ListedStates


@dataclass(frozen=True)
class Proofs:
    """What a puzzle contributes to certificates. Every function raises Refuted and LimitReached.

    check_bidirectional  checks a bidirectional proof of a level by the plain rules. None: there are no such proofs
    check_listed         checks a proof that lists the states of a step system; returns the name of the checker.
                         None: the plain rules check it
    made_by              the program that has made the model of a level, which proofs of other forms are about, in
                         words; empty if it is an encoding of the puzzle
    better_than          the model of all solutions that are better than the one with these moves; the solution is
                         optimal if the goal of the model is unreachable. None: better means cheaper
    check_repairs        checks a proof that every repair has at least a number of edits, by the plain rules. None:
                         there are no such proofs
    """

    check_bidirectional: Callable[[Any, "BidirectionalProof", Budget], None] | None = None
    check_listed: Callable[[Any, "ListedStates", Budget], str] | None = None
    made_by: Callable[[Any], str] = lambda level: ""
    better_than: Callable[[Any, Sequence[str], Budget], Encoded] | None = None
    check_repairs: Callable[[Any, "RepairProof", Budget], None] | None = None
