"""Games of two sides: can the side to move force a win?"""

from typing import Any

from puzzlemc.encodings.puzzle.questions import GameOutcome, TwoSides
from puzzlemc.mc.errors import LIMITS, Refuted
from puzzlemc.mc.games.strategy import main_line, prove
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.solve.question import Claim, Outcome, Question
from puzzlemc.reports.solve.result import Search


def solve_game(question: Question, game: TwoSides) -> Outcome:
    """Decide who wins the level. Raises Refuted if the strategy is wrong."""
    level, budget = question.level, question.budget
    start = game.rules.start(level)
    mover, over = game.rules.turn(level, start), game.over(level, start)
    found = game.decide(level, question.options.within, budget)
    question.search = search = Search(found.engine)
    answer: dict[str, Any] = {"to_move": game.sides[mover]}
    if found.winner is None or found.strategy is None or found.turns is None:
        answer |= {"winner": None, "turns": None, "refuted": found.refuted}
        return Outcome("unknown", search, bound=found.refuted + 1, reason=found.reason, game=answer)
    _confirm(game, level, found)
    line = main_line(game.rules, level, found.strategy)
    answer |= {"winner": game.sides[found.winner], "turns": found.turns, "line": line}
    if over:
        answer["over"] = over
    if found.winner != mover:
        reason = over or f"{game.sides[found.winner]} wins in {counted(found.turns, question.metric)}"
        return Outcome("unsolvable", search, line, reason=reason, proof=found.strategy, game=answer)
    answer["first_moves"] = _openings(game, level, found.turns, budget)
    claim = Claim(found.turns, found.turns)
    return Outcome("solvable", search, line, optimal=True, claim=claim, proof=found.strategy, game=answer)


def _confirm(game: TwoSides, level: object, found: GameOutcome) -> None:
    """Raise Refuted unless the strategy wins against every defence, within the number of turns of the outcome."""
    assert found.strategy is not None
    proved = prove(game.rules, level, [found.strategy])
    if proved.winner != found.winner or found.strategy.own_turns > (found.turns or 0):
        raise Refuted(
            f"the strategy wins for side {proved.winner} in {found.strategy.own_turns} turns, "
            f"expected side {found.winner} in {found.turns}"
        )


def _openings(game: TwoSides, level: object, turns: int, budget: Budget) -> list[str] | None:
    """All moves that win in the least number of turns; None if a limit was reached."""
    try:
        return sorted(game.openings(level, turns, budget)) if turns else []
    except LIMITS:
        return None
