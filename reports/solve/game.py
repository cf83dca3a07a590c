"""Games of two sides: can the side to move force a win?"""

from dataclasses import replace
from typing import Any

from puzzlemc.encodings.puzzle.two_sides import GameOutcome, TwoSides
from puzzlemc.mc.errors import LIMITS, Refuted
from puzzlemc.mc.games.strategy import main_line, prove
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.solve.question import Question
from puzzlemc.reports.solve.result import Drawing, Result, Solution


def solve_game(question: Question, game: TwoSides) -> Result:
    """Decide who wins the level. Raises Refuted if the strategy is wrong."""
    rules, level, budget = question.rules, question.level, question.budget
    start = game.rules.start(level)
    mover, over = game.rules.turn(level, start), game.over(level, start)
    found = game.decide(level, question.options.within, budget)
    search = question.searched(found.engine)
    game_info: dict[str, Any] = {"to_move": game.sides[mover]}
    if found.winner is None or found.strategy is None or found.turns is None:
        game_info |= {"winner": None, "turns": None, "refuted": found.refuted}
        bound = found.refuted + 1
        return question.result("unknown", reason=found.reason, bound=bound, search=search, game=game_info)
    question.known = replace(question.known, search=search, proof=found.strategy)
    _confirm(game, level, found)
    line = main_line(game.rules, level, found.strategy)
    game_info |= {"winner": game.sides[found.winner], "turns": found.turns, "line": line} | (
        {"over": over} if over else {}
    )
    shown: dict[str, Any] = {"search": search, "proof": found.strategy, "checked": True}
    played = rules.play(level, line)
    if question.options.draw:
        shown["drawing"] = Drawing(rules.screen.draw(level, played.positions[-1]))
    if found.winner != mover:
        reason = over or f"{game.sides[found.winner]} wins in {counted(found.turns, question.metric)}"
        return question.result("unsolvable", reason=reason, game=game_info, **shown)
    played = rules.replay(level, line)
    game_info |= {"first_moves": _openings(game, level, found.turns, budget)}
    solution = Solution(rules.text.write_moves(line), found.turns, True, dict(played.costs))
    return question.result("solvable", solution=solution, game=game_info, **shown)


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
