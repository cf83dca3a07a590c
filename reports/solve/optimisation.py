"""Optimisation: the best solution by a measure of the puzzle; this measure is not the cost of a trace."""

from puzzlemc.encodings.puzzle.questions import BestSolution, Optimisation
from puzzlemc.mc.verdict import Statistics
from puzzlemc.reports.solve.question import Claim, Outcome, Question
from puzzlemc.reports.solve.result import Search

FREE = Claim(cost=0, most=0)  # moves of such a solution cost nothing


def solve_optimisation(question: Question, optimisation: Optimisation) -> Outcome:
    """Search for the best solution."""

    def better(found: BestSolution) -> None:
        if question.better is not None:
            question.better(_outcome(question, found))

    return _outcome(question, optimisation.search(question.level, question.budget, better))


def _outcome(question: Question, found: BestSolution) -> Outcome:
    """The outcome with the best solution so far, or with the final one."""
    verdict = "solvable" if found.moves is not None else "unsolvable" if found.complete else "unknown"
    return Outcome(
        verdict,
        Search(found.engine, None, question.choice.encoding, Statistics()),
        None if found.moves is None else list(found.moves),
        optimal=found.complete,
        claim=FREE,
        bound=0 if verdict == "unknown" else None,
        reason=(found.reason or "") if verdict == "unknown" else None,
        note=found.words,
        best=dict(found.measures) or None,
    )
