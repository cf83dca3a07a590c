"""Games of two sides: can the side to move force a win?"""

from typing import Any

from puzzlemc.encodings.puzzle.questions import GameOutcome, TwoSides
from puzzlemc.mc.errors import LIMITS, Refuted
from puzzlemc.mc.games.strategy import drawn_line, main_line, prove
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.solve.question import Claim, Outcome, Question
from puzzlemc.reports.solve.result import Search

DRAW = "a draw: neither side can force a win"


def solve_game(question: Question, game: TwoSides) -> Outcome:
    """Decide who wins the level. Raises Refuted if a strategy is wrong."""
    level, budget = question.level, question.budget
    start = game.rules.start(level)
    mover, over = game.rules.turn(level, start), game.over(level, start)
    found = game.decide(level, question.options.within, budget)
    question.search = search = Search(found.engine)
    answer: dict[str, Any] = {"to_move": game.sides[mover]}
    if found.strategy is None or not (found.is_draw or found.turns is not None):
        answer |= {"winner": None, "turns": None, "refuted": found.refuted}
        return Outcome("unknown", search, bound=found.refuted + 1, reason=found.reason, game=answer)
    _confirm(game, level, found)
    if found.is_draw:
        assert found.defence is not None
        line = drawn_line(game.rules, level, found.strategy, found.defence)
        answer |= {"winner": None, "turns": None, "draw": True, "line": line}
        reason = DRAW
    else:
        assert found.winner is not None
        line = main_line(game.rules, level, found.strategy)
        answer |= {"winner": game.sides[found.winner], "turns": found.turns, "line": line}
        reason = f"{game.sides[found.winner]} wins in {counted(found.turns or 0, question.metric)}"
    if over:
        answer["over"] = over
    if found.winner != mover:
        return Outcome("unsolvable", search, line, reason=over or reason, proof=found.proof, game=answer)
    turns = found.turns or 0
    answer["first_moves"] = _openings(game, level, turns, budget)
    claim = Claim(turns, turns)
    return Outcome("solvable", search, line, optimal=True, claim=claim, proof=found.proof, game=answer)


def _confirm(game: TwoSides, level: object, found: GameOutcome) -> None:
    """Raise Refuted unless the strategies show the outcome, against every defence."""
    assert found.strategy is not None
    assert found.proof is not None
    proved = prove(game.rules, level, found.proof.strategies)
    if found.is_draw:
        if proved.winner is not None or found.winner is not None:
            raise Refuted(f"the strategies win for side {proved.winner}, expected a draw")
    elif proved.winner is None or proved.winner != found.winner or found.strategy.own_turns > (found.turns or 0):
        raise Refuted(
            f"the strategy wins for side {proved.winner} in {found.strategy.own_turns} turns, "
            f"expected side {found.winner} in {found.turns}"
        )
    elif found.defence is not None and proved.own_bound != found.turns:
        raise Refuted(f"the defence holds until turn {proved.own_bound}, expected {found.turns}")


def _openings(game: TwoSides, level: object, turns: int, budget: Budget) -> list[str] | None:
    """All moves that win in the least number of turns; None if a limit was reached."""
    try:
        return sorted(game.openings(level, turns, budget)) if turns else []
    except LIMITS:
        return None
