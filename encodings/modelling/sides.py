"""Games of two sides that authors write: who can force a win, by the graph of all positions.

The graph is that of the game as a model, which compiled code lists, or else of the plain rules. From the values
of all positions come the strategies that prove the answer by the plain rules: a win in the fewest own turns, or a
draw. A game must be small enough to be listed. Larger ones are left undecided by the limits, and bots play them by
looking one turn ahead.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from puzzlemc.encodings.modelling.language.evaluation import Evaluation, game
from puzzlemc.encodings.modelling.language.system import System
from puzzlemc.encodings.modelling.model.compilation import compiled
from puzzlemc.encodings.modelling.model.conditions import condition
from puzzlemc.encodings.modelling.model.formulas import Formulas
from puzzlemc.encodings.puzzle.questions import GameOutcome, TwoSides
from puzzlemc.mc.errors import LIMITS, LimitReached, ModelError, reason_of
from puzzlemc.mc.games.explicit import arena_of_model, arena_of_rules, numbers_of
from puzzlemc.mc.games.model import GameModel
from puzzlemc.mc.games.own_turns import SolvedRules, fewest_own_turns
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.proofs.circuit import FALSE
from puzzlemc.mc.rules.plain import FIRST, Game, Stuck, Transition

ENGINE = "explicit"
LIMITS_OF_BOTS = Limits(seconds=None, memory=100_000_000)  # no time: the moves of a bot are the same each time


class Solver:
    """Decides levels of a game. It keeps the values of the last one, for the positions that are played from it."""

    def __init__(self, built: Callable[[Any], Evaluation], rules: Game) -> None:
        self._built, self._rules = built, rules
        self._known: tuple[System, SolvedRules] | None = None

    def solved(self, level: Any, position: Any, budget: Budget) -> SolvedRules:
        """The values of the positions of a level, in reach of a position. Raises LimitReached."""
        system = self._built(level).system
        if self._known is None or self._known[0] is not system or position not in self._known[1]:
            found = self.by_model(level, position, budget) or self.by_rules(level, position, budget)
            self._known = system, found
        return self._known[1]

    def by_rules(self, level: Any, position: Any, budget: Budget) -> SolvedRules:
        """The values from the graph of the plain rules. Raises LimitReached and ModelError."""
        arena = arena_of_rules(replace(self._rules, start=lambda _: position), level, budget)
        return SolvedRules(arena.number, fewest_own_turns(arena.arena, budget))

    def by_model(self, level: Any, position: Any, budget: Budget) -> SolvedRules | None:
        """The values from the graph of the model; None without one, or if the plain rules fail in it.

        Raises LimitReached.
        """
        evaluation = self._built(level)
        system = evaluation.system
        assert system.turn is not None
        try:
            model, coding, fault, _ = compiled(evaluation.starting_at(position), ())
            formulas = Formulas(coding)
            conditions = [condition(formulas, each) for each in (system.turn == FIRST, *system.winner)]
            first, *won = (formula for formula, _ in conditions)
            if any(wrong != FALSE for _, wrong in conditions):
                return None
            graph, arena = arena_of_model(GameModel(model, first, (won[0], won[1]), self._rules.stuck), budget)
        except ModelError:
            return None
        if fault is not None and graph.holds(fault).any():
            return None
        number_of_state = numbers_of(graph)

        def number(position: Any) -> int:
            return number_of_state(coding.state(position))

        return SolvedRules(number, fewest_own_turns(arena, budget))

    def decide(self, level: Any, within: int | None, budget: Budget) -> GameOutcome:
        """Find the side that can force a win within this number of its own turns; None: any number."""
        try:
            start = self._rules.start(level)
            solved = self.solved(level, start, budget)
            winner, turns, _ = solved.value(start)
            if winner is not None and within is not None and turns > within:
                return GameOutcome(engine=ENGINE, refuted=within, reason="bound")
            strategy, *others = solved.proof(_within(self._rules, budget), level).strategies
        except LIMITS as limit:
            return GameOutcome(engine=ENGINE, reason=reason_of(limit))
        defence = others[0] if others else None
        if winner is None:
            return GameOutcome(None, None, strategy, ENGINE, defence=defence, is_draw=True)
        return GameOutcome(winner, turns, strategy, ENGINE, defence=defence)

    def openings(self, level: Any, turns: int, budget: Budget) -> Iterator[str]:
        """All first moves of a win within `turns`, the fewest own turns of the mover. Raises LimitReached."""
        start = self._rules.start(level)
        solved, mover = self.solved(level, start, budget), self._rules.turn(level, start)
        for step in self._rules.replies(level, start):
            after = solved.value(step.position)
            if after.winner == mover and after.turns < turns:
                yield step.name

    def play_random(self, level: Any, position: Any, chance: random.Random) -> str:
        """A random legal move."""
        return chance.choice([step.name for step in self._rules.replies(level, position)])

    def play_greedy(self, level: Any, position: Any, chance: random.Random) -> str:
        """A random move that wins at once, else one after which the other side does not win at once."""
        rules, side = self._rules, self._rules.turn(level, position)
        steps, safe = rules.replies(level, position), list[str]()
        won = [step.name for step in steps if self._winner(level, step.position) == side]
        for step in () if won else steps:
            replies = rules.replies(level, step.position)
            other = rules.turn(level, step.position) != side
            loses = other and any(self._winner(level, reply.position) == 1 - side for reply in replies)
            if not loses and self._winner(level, step.position) is None:
                safe.append(step.name)
        return chance.choice(won or safe or [step.name for step in steps])

    def play_strong(self, level: Any, position: Any, chance: random.Random) -> str:
        """A random move of the best ones: the quickest win, else a draw, else the slowest loss.

        Where the game has too many positions, it plays as the greedy bot.
        """
        try:
            solved = self.solved(level, position, Budget(LIMITS_OF_BOTS))
        except LimitReached:
            return self.play_greedy(level, position, chance)
        return chance.choice(solved.best(self._rules, level, position))

    def _winner(self, level: Any, position: Any) -> int | None:
        """The winner of a position in which the game is over; None for a draw, or if it goes on."""
        return self._rules.result(level, position) if self._rules.over(level, position) else None


def two_sides(
    built: Callable[[Any], Evaluation], metrics: Sequence[str], names: tuple[str, str], stuck: Stuck
) -> TwoSides:
    """The game of levels that are systems with two sides, which have these names."""
    rules = game(built, metrics, stuck)
    solver = Solver(built, rules)

    def reason_of_end(level: Any, position: Any) -> str:
        """That a side has no move, if this has ended the game."""
        is_stuck = rules.winner(level, position) is None and rules.over(level, position)
        return f"{names[rules.turn(level, position)]} has no move" if is_stuck else ""

    return TwoSides(
        rules=rules,
        sides=names,
        decide=solver.decide,
        openings=solver.openings,
        bots={"random": solver.play_random, "greedy": solver.play_greedy, "strong": solver.play_strong},
        initial_level=None,
        reason_of_end=reason_of_end,
    )


def moves_of(game: TwoSides) -> Transition:
    """The moves of both sides. A position is solved if the side that moves first in the level has won."""
    rules = game.rules

    def solved(level: Any, position: Any) -> bool:
        first = rules.turn(level, rules.start(level))
        return rules.over(level, position) and rules.result(level, position) == first

    return Transition(rules.start, rules.steps, solved)


def _within(rules: Game, budget: Budget) -> Game:
    """The rules, which check the budget at each position."""

    def turn(level: Any, position: Any) -> int:
        budget.check()
        return rules.turn(level, position)

    return replace(rules, turn=turn)
