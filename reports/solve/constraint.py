"""Constraints: is there a position that meets all conditions? The moves of a solution construct it at no cost."""

from puzzlemc.mc.verdict import Reachable
from puzzlemc.reports.solve.question import Outcome, Question
from puzzlemc.reports.solve.reachability import claim_of, decide, without_solution


def solve_constraint(question: Question) -> Outcome:
    """Decide whether the level has a solution."""
    encoded = question.encoded
    verdict = decide(question, encoded.model).verdict
    if not isinstance(verdict, Reachable):
        return without_solution(question, verdict)
    return Outcome(
        "solvable",
        question.search,
        encoded.moves(verdict.trace),
        optimal=verdict.optimal,
        claim=claim_of(question, verdict),
        proof=verdict.proof,
    )
