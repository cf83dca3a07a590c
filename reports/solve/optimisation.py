"""Optimisation: the best solution by a measure of the puzzle; this measure is not the cost of a trace."""

from puzzlemc.encodings.puzzle.optimisation import BestSolution, Optimisation
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable, Verdict
from puzzlemc.reports.solve.question import Question, conclude
from puzzlemc.reports.solve.result import Result


def solve_optimisation(question: Question, optimisation: Optimisation) -> Result:
    """Search for the best solution. Raises Refuted if the plain rules do not confirm a solution."""

    def better(found: BestSolution) -> None:
        if question.better is not None:
            question.better(_result(question, found))

    return _result(question, optimisation.search(question.level, question.budget, better))


def _result(question: Question, found: BestSolution) -> Result:
    """The result with the best solution so far, or with the final one."""
    verdict = _verdict(found)
    search = question.searched(found.engine, verdict=verdict)
    return conclude(
        question,
        verdict,
        search,
        lambda: list(found.moves or ()),
        best=dict(found.measures) or None,
        note=found.words,
    )


def _verdict(found: BestSolution) -> Verdict:
    """The verdict of a search for the best solution. Moves cost nothing."""
    if found.moves is not None:
        return Reachable(Trace((frozenset(),), ()), 0, optimal=found.complete)
    return Unreachable(lambda _: True) if found.complete else Unknown(found.reason or "", 0)
