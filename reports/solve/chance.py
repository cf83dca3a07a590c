"""Levels with chance: can a player be lucky, or win whatever is drawn?"""

from dataclasses import replace
from functools import partial
from typing import Any

from puzzlemc.encodings.puzzle.questions import WithChance
from puzzlemc.mc.errors import LIMITS, Refuted, reason_of
from puzzlemc.mc.games.chance import SURELY, ChanceProof, game_of
from puzzlemc.mc.games.chance_strategies import lucky_bound, lucky_strategy, sure_bound, sure_strategy
from puzzlemc.mc.games.lucky import Found, lucky
from puzzlemc.mc.games.strategy import Strategy, check
from puzzlemc.mc.games.surely import Sure, surely
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.verdict import Statistics
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.solve.plan import Plan, plan_of
from puzzlemc.reports.solve.question import Claim, LowerBound, Outcome, Question
from puzzlemc.reports.solve.result import Search

NO_STRATEGY = "no strategy wins whatever is drawn; --chance lucky says whether some draws win"
UNCHECKED = "a strategy is found, but a limit ended its check by the plain rules"
UNCHECKED_MOVES = "a solution is found, but a limit ended its check by the plain rules"


def solve_chance(question: Question, chance: WithChance) -> Outcome:
    """Decide the question about chance. Raises Refuted if the rules do not confirm a strategy."""
    asked, level, budget = question.options.chance, question.level, question.budget
    found = _search(asked, chance, level, budget)
    proof = partial(_proof, question, chance, found)
    question.search = search = Search(asked, None, None, Statistics(found.turns, found.states))
    if found.moves is None:
        verdict = "unsolvable" if found.reason is None else "unknown"
        bound = found.bound if verdict == "unknown" and question.metric != ANY else None
        note = NO_STRATEGY if asked == SURELY and verdict == "unsolvable" else found.words
        return Outcome(verdict, search, bound=bound, reason=found.reason, note=note, proof=proof)
    is_drawn = not set(found.moves) <= set(chance.rules.inputs(level))
    note = "chance decides: this is won if what the moves name is drawn" if is_drawn else ""
    try:  # the plain rules list fewer outcomes than compiled turns, and are slower
        strategy, plan = _confirmed(question, chance, found) if isinstance(found, Sure) else (None, None)
        question.rules.replay(level, found.moves)
    except LIMITS as limit:
        bound = None if question.metric == ANY else found.bound
        unchecked = UNCHECKED if isinstance(found, Sure) else UNCHECKED_MOVES
        return Outcome("unknown", search, bound=bound, reason=reason_of(limit), note=unchecked)
    if strategy is not None:
        count = counted(sum(node.move is not None for node in strategy.nodes), "positions")
        note = f"a strategy for {count} wins whatever is drawn; the moves are its longest play"
        if plan is None:
            note += "; it is too long to be listed, but --certificate writes it"
    is_optimal = question.metric != ANY and found.turns <= found.bound
    below = None if is_optimal or question.metric == ANY else LowerBound(found.bound, question.metric)
    claim = None if question.metric == ANY else Claim(found.turns, found.turns)
    answer = Outcome("solvable", search, found.moves, optimal=is_optimal, claim=claim, below=below)
    return replace(answer, note=note, proof=proof, plan=plan)


def proof_with_draws(
    asked: str, chance: WithChance, level: Any, metric: str, budget: Budget
) -> ChanceProof | None:
    """The strategies that answer the question `lucky` or `surely`, by a search that leaves out no draw.

    None at a limit.
    """
    return _strategies(asked, chance, level, metric, _search(asked, chance, level, budget), budget)


def _search(asked: str, chance: WithChance, level: Any, budget: Budget) -> Found:
    return (surely if asked == SURELY else lucky)(chance.search, level, budget)


def _proof(question: Question, chance: WithChance, found: Found) -> ChanceProof | None:
    """The strategies that prove an answer; None for an unknown level, and at a limit, which begins anew here."""
    budget = Budget(question.options.limits)
    return _strategies(question.options.chance, chance, question.level, question.metric, found, budget)


def _strategies(
    asked: str, chance: WithChance, level: Any, metric: str, found: Found, budget: Budget
) -> ChanceProof | None:
    """The strategies that prove what a search has found; None for an unknown level, and at a limit."""
    rules = chance.search
    is_least = metric != ANY and 0 < found.turns <= found.bound
    if found.moves is None and found.reason is not None:
        return None
    try:
        if isinstance(found, Sure):
            wins = [sure_strategy(rules, level, found.strategy, budget)] if found.moves is not None else []
            survives = [sure_bound(rules, level, found.strategy, budget)] if is_least or not wins else []
        else:
            wins = [lucky_strategy(rules, level, found.moves, budget)] if found.moves is not None else []
            turns = found.turns if wins else None
            survives = [lucky_bound(rules, level, turns, budget)] if is_least or not wins else []
    except LIMITS:
        return None
    return ChanceProof(asked, (*wins, *survives))


def _confirmed(question: Question, chance: WithChance, found: Sure) -> tuple[Strategy, Plan | None]:
    """The strategy that has been found, checked by the plain rules, and as a plan; None if that is too long.

    Raises Refuted, or what limits raise.
    """
    level, budget = question.level, question.budget
    strategy = sure_strategy(chance.search, level, found.strategy, budget)
    positions = check(game_of(SURELY, chance.rules, budget), level, strategy)
    if strategy.own_turns > found.turns:
        raise Refuted(f"the strategy wins within {strategy.own_turns} turns, not {found.turns}")
    return strategy, plan_of(chance.search, level, strategy, positions, question.rules.screen.draw, budget)
