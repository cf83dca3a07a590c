"""Constraints: is there a position that meets all conditions? The moves of a solution construct it at no cost."""

from dataclasses import replace

from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.verdict import Reachable
from puzzlemc.reports.solve.question import Question, conclude, decide, evidence
from puzzlemc.reports.solve.result import Result


def solve_constraint(question: Question) -> Result:
    """Decide whether the level has a solution. Raises Refuted if the plain rules do not confirm it."""
    encoded = question.encoded()
    decision = decide(question, encoded.model, ANY if question.options.some else question.metric)
    verdict = decision.verdict

    def moves() -> list[str]:
        assert isinstance(verdict, Reachable)
        return encoded.moves(verdict.trace)

    search = question.searched(decision.engine, decision.diagrams, verdict)
    result = conclude(question, verdict, search, moves)
    return replace(result, proof=evidence(question, verdict))
