"""Levels with chance: with which probability does the best strategy win, by playing on as long as it takes?

No number of turns is enough for sure, so none is the least: the metric of the answers is `any`.
"""

from dataclasses import replace
from fractions import Fraction

from puzzlemc.encodings.puzzle.questions import WithChance
from puzzlemc.mc.errors import LIMITS, reason_of
from puzzlemc.mc.games import almost, probability
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.verdict import Statistics
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.solve.chance import UNCHECKED
from puzzlemc.reports.solve.options import ALMOST, PROBABILITY
from puzzlemc.reports.solve.question import Outcome, Question
from puzzlemc.reports.solve.result import Probability, Search

NOT_ALMOST = "no strategy wins with probability 1; --chance lucky says whether some draws win"


def solve_almost(question: Question, chance: WithChance) -> Outcome:
    """Decide whether a strategy wins with probability 1. Raises Refuted if the rules do not confirm it."""
    level, budget = question.level, question.budget
    question.choice = replace(question.choice, metric=ANY)
    found = almost.almost(chance.reachable, level, budget)
    question.search = search = Search(ALMOST, None, None, Statistics(states=found.states))
    if not found.strategy:
        verdict = "unsolvable" if found.reason is None else "unknown"
        note = NOT_ALMOST if verdict == "unsolvable" else found.words
        return Outcome(verdict, search, reason=found.reason, note=note)
    try:
        count = almost.confirm(chance.process, level, found.strategy, budget)
        moves = almost.winning_play(chance.search, level, found.strategy)
        if moves is not None:
            question.rules.replay(level, moves)
    except LIMITS as limit:
        return Outcome("unknown", search, reason=reason_of(limit), note=UNCHECKED)
    note = f"a strategy for {counted(count, 'positions')} wins with probability 1; the moves are its shortest win"
    return Outcome("solvable", search, moves, note=note)


def solve_probability(question: Question, chance: WithChance) -> Outcome:
    """Find the best probability of winning: the level is solvable if it is positive.

    Raises ModelError without Storm, and Refuted if the check of its answer fails.
    """
    level, budget = question.level, question.budget
    question.choice = replace(question.choice, metric=ANY)
    question.search = Search(PROBABILITY)
    found = probability.probability(chance.weighted, level, budget)
    question.search = search = Search(PROBABILITY, None, None, Statistics(states=found.states))
    if found.reason is not None:
        return Outcome("unknown", search, reason=found.reason, note=found.words)
    known = Probability(found.low, found.high)
    if known.high == 0:
        return Outcome("unsolvable", search, probability=known)
    try:
        count = probability.confirm(chance.process, level, found, budget)
        moves = almost.winning_play(chance.search, level, found.strategy)
        if moves is not None:
            question.rules.replay(level, moves)
    except LIMITS as limit:
        return Outcome("unknown", search, reason=reason_of(limit), note=UNCHECKED)
    odds = "probability" if known.low == known.high else "a probability"
    note = f"a strategy for {counted(count, 'positions')} wins with {odds} {known}; the moves are its shortest win"
    return Outcome("solvable", search, moves, probability=known, note=note)


def without_draws(verdict: str) -> Probability | None:
    """The best probability of winning a level that is solved without its draws, as they decide nothing."""
    sure = {"solvable": Fraction(1), "unsolvable": Fraction(0)}.get(verdict)
    return None if sure is None else Probability(sure, sure)
