"""Levels with chance as games of two sides, so that strategies are evidence of what can be won.

FIRST chooses the inputs. There are two games, one for each question:

lucky   FIRST also chooses what is drawn. SECOND never has a turn
surely  SECOND is chance: it chooses the first position, and one of the outcomes of each input. An input that may
        fail has one more outcome, by which SECOND wins, and so has a level that may never begin

A strategy of FIRST that wins shows that the level is solvable. One of SECOND that survives shows that no solution
(lucky), or no strategy (surely), has fewer inputs; if it survives for ever, that there is none. `shown` checks
strategies by the plain rules with chance, and counts inputs.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, NamedTuple

from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.games.strategy import Strategy, check, prove
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.chance import Chance, Turn
from puzzlemc.mc.rules.plain import FIRST, SECOND, Game, Step, Stuck

LUCKY, SURELY = QUESTIONS = ("lucky", "surely")  # the names of the questions, and of their searches


@dataclass(frozen=True)
class Draw:
    """The position of a game in which a draw is due.

    position  the position in which an input was chosen; None: the first position is drawn
    name      the input
    """

    position: Hashable | None = None
    name: str = ""


class Failure(Enum):
    """The position of a game in which SECOND has won: an input has failed."""

    FAILED = auto()


@dataclass(frozen=True)
class ChanceProof:
    """The evidence of an answer about a level with chance: the question, and strategies of its game."""

    asked: str
    strategies: tuple[Strategy, ...]

    @property
    def wins(self) -> bool:
        """Is the level solvable, by one of the strategies?"""
        return any(strategy.wins for strategy in self.strategies)


class Shown(NamedTuple):
    """What strategies show about a level with chance.

    turns  a solution, or a strategy, has at most this number of inputs; None: there is none
    least  none has fewer
    """

    turns: int | None
    least: bool


def game_of(asked: str, rules: Chance, budget: Budget) -> Game:
    """The game of a question, LUCKY or SURELY, whose rules also check the budget."""

    def turn(level: Any, position: Hashable, name: str) -> Turn:
        budget.check()
        return rules.turn(level, position, name)

    def start(level: Any) -> Hashable:
        first = rules.first(level)
        return first[0] if len(first) == 1 and not may_hang(level) else Draw()

    def may_hang(level: Any) -> bool:
        return asked == SURELY and rules.hangs(level)

    def winner(level: Any, position: Hashable) -> int | None:
        if isinstance(position, Draw):
            return None
        return SECOND if position is Failure.FAILED else FIRST if rules.solved(level, position) else None

    def begins(level: Any) -> Iterator[Step]:
        for each in rules.first(level):
            yield Step(rules.begin(level, each) or "", each, {})
        if may_hang(level):
            yield Step("the start fails", Failure.FAILED, {})

    def draws(level: Any, position: Hashable) -> Iterator[Step]:
        """The steps of the game `surely`."""
        if isinstance(position, Draw):
            if position.position is None:
                yield from begins(level)
                return
            found = turn(level, position.position, position.name)
            yield from found.steps
            if found.fails or not found.steps:
                yield Step(f"{position.name} fails", Failure.FAILED, {})
            return
        for name in rules.inputs(level):
            yield Step(name, Draw(position, name), {})

    def outcomes(level: Any, position: Hashable) -> Iterator[Step]:
        """The steps of the game `lucky`. Raises the limit of an input only after the outcomes of all others."""
        if isinstance(position, Draw):
            yield from begins(level)
            return
        unknown: LimitReached | None = None
        for name in rules.inputs(level):
            try:
                yield from turn(level, position, name).steps
            except LimitReached as limit:
                if limit.reason != "bound":
                    raise
                unknown = limit
        if unknown is not None:
            raise unknown

    def outcome(level: Any, position: Hashable, name: str) -> Step | None:
        """The step of that name of the game `lucky`."""
        return next((step for step in outcomes(level, position) if step.name == name), None)

    if asked == LUCKY:
        return Game(start, lambda *_: FIRST, outcomes, winner, Stuck.DRAWS, outcome)
    return Game(start, _side_of_draws, draws, winner, Stuck.DRAWS)


def _side_of_draws(level: Any, position: Hashable) -> int:
    return SECOND if isinstance(position, Draw) else FIRST


def shown(asked: str, rules: Chance, level: Any, strategies: Sequence[Strategy], budget: Budget) -> Shown:
    """Check strategies of the game of a question; return what they show.

    Raises Refuted if one is wrong, or if they do not decide the question; LimitReached.
    """
    game = game_of(asked, rules, budget)
    kinds = [(each.side, each.wins) for each in strategies]
    if kinds == [(SECOND, False)]:
        check(game, level, strategies[0])
        if strategies[0].turns is not None:
            raise Refuted(f"that chance survives {strategies[0].turns} turns does not decide the question")
        return Shown(None, least=True)
    if kinds not in ([(FIRST, True)], [(FIRST, True), (SECOND, False)]):
        raise Refuted("expected a strategy that wins, and perhaps one that survives until then, or one for ever")
    proved = prove(game, level, strategies)
    assert proved.own_turns is not None
    # The draw of the first position is a turn of FIRST in the game `lucky`, but no input.
    draws = asked == LUCKY and isinstance(game.start(level), Draw)
    return Shown(proved.own_turns - draws, proved.fewest_own_turns)
