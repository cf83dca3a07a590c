"""Levels with chance: does a strategy win with probability 1, by playing on as long as it takes?

No number of turns is enough for sure, so none is the least: the metric of the answer is `any`.
"""

from dataclasses import replace

from puzzlemc.encodings.puzzle.questions import WithChance
from puzzlemc.mc.errors import LIMITS, reason_of
from puzzlemc.mc.games import chance as games
from puzzlemc.mc.games.almost import almost, confirm, winning_play
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.verdict import Statistics
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.solve.chance import UNCHECKED
from puzzlemc.reports.solve.question import Outcome, Question
from puzzlemc.reports.solve.result import Search

ALMOST = "almost"
QUESTIONS = (*games.QUESTIONS, ALMOST)  # all of them about chance
NOT_ALMOST = "no strategy wins with probability 1; --chance lucky says whether some draws win"


def solve_almost(question: Question, chance: WithChance) -> Outcome:
    """Decide whether a strategy wins with probability 1. Raises Refuted if the rules do not confirm it."""
    level, budget = question.level, question.budget
    question.choice = replace(question.choice, metric=ANY)
    found = almost(chance.reachable, level, budget)
    question.search = search = Search(ALMOST, None, None, Statistics(states=found.states))
    if not found.strategy:
        verdict = "unsolvable" if found.reason is None else "unknown"
        note = NOT_ALMOST if verdict == "unsolvable" else found.words
        return Outcome(verdict, search, reason=found.reason, note=note)
    try:
        count = confirm(chance.process, level, found.strategy, budget)
        moves = winning_play(chance.search, level, found.strategy)
    except LIMITS as limit:
        return Outcome("unknown", search, reason=reason_of(limit), note=UNCHECKED)
    note = f"a strategy for {counted(count, 'positions')} wins with probability 1; the moves are its shortest win"
    return Outcome("solvable", search, moves, note=note)
