"""Games of two sides as models, and their verdicts.

A `GameModel` is a model whose every state says which side takes the next action. A state in which a side has won
is an end, whatever actions are enabled in it; so is one in which none is. A *turn* is one action.

Winning    a side wins whatever the other does, with its strategy and in how many turns both bring it about who
           delay and hasten the end as well as they can
Drawn      neither side can force a win: each can go on for ever, or to a draw
Unknown    with the limit that stopped the search, see `verdict.py`
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from puzzlemc.mc.errors import LIMITS, ModelError, reason_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Formula, State, holds, support
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.rules.plain import FIRST, SECOND, Stuck
from puzzlemc.mc.verdict import Statistics, Unknown


@dataclass(frozen=True)
class GameModel:
    """A model whose actions belong to the side whose turn it is. The goal of the model plays no part.

    first  holds where it is the turn of FIRST; elsewhere it is that of SECOND
    won    for each side, where it has won; the two exclude each other
    stuck  decides where nobody has won and no action is enabled
    """

    model: Model
    first: Formula
    won: tuple[Formula, Formula]
    stuck: Stuck = Stuck.LOSES

    def turn(self, state: State) -> int:
        """The side whose turn it is."""
        return FIRST if holds(self.first, state) else SECOND

    def winner(self, state: State) -> int | None:
        """The side that has won, None where none has. Raises ModelError where both have."""
        first, second = (holds(formula, state) for formula in self.won)
        if first and second:
            raise both_have_won()
        return FIRST if first else SECOND if second else None

    def actions(self, state: State) -> list[Action]:
        """What the side may do whose turn it is; nothing where one has won."""
        if self.winner(state) is not None:
            return []
        return [action for action in self.model.actions if action.enabled(state)]

    def validate(self) -> None:
        """Raise ModelError where the model is not well formed, or a formula speaks of foreign bits."""
        self.model.validate()
        if foreign := support([self.first, *self.won]) - set(self.model.bits):
            raise ModelError(f"turns and wins speak of bits of no variable: {sorted(map(str, foreign))}")


def both_have_won() -> ModelError:
    """The error of a game with a state that both sides have won."""
    return ModelError("there is a state in which both sides have won")


class Value(NamedTuple):
    """What a state is worth: who wins from it, and in how many turns; both None where nobody can force it."""

    winner: int | None
    turns: int | None


DRAW = Value(None, None)


@dataclass(frozen=True)
class Winning:
    """A side wins from the initial state in `turns` turns, and not sooner against the best defence.

    value  of every state that is reachable. Raises LookupError for others
    """

    game: GameModel
    winner: int
    turns: int
    value: Callable[[State], Value]
    statistics: Statistics = field(default_factory=Statistics)

    def strategy(self, state: State) -> Action:
        """The winner's quickest action in a state that it wins. Raises LookupError in any other."""
        worth = self.value(state)
        if worth.winner == self.winner == self.game.turn(state):
            for action in self.game.actions(state):
                after = self.value(action.fire(state))
                if after.winner == self.winner and after.turns == (worth.turns or 0) - 1:
                    return action
        raise LookupError("the winner has no action to take here")


@dataclass(frozen=True)
class Drawn:
    """Neither side can force a win from the initial state; `value` as in Winning."""

    game: GameModel
    value: Callable[[State], Value]
    statistics: Statistics = field(default_factory=Statistics)


GameVerdict: TypeAlias = Winning | Drawn | Unknown


def verdict(
    game: GameModel, start: State, value: Callable[[State], Value], statistics: Statistics
) -> Winning | Drawn:
    """The verdict that the values of all reachable states give."""
    winner, turns = value(start)
    if winner is None or turns is None:
        return Drawn(game, value, statistics)
    return Winning(game, winner, turns, value, statistics)


def decide_within_limits(budget: Budget, attempt: Callable[[], Winning | Drawn]) -> GameVerdict:
    """The verdict of `attempt`, *unknown* where it reaches a limit."""
    try:
        return attempt()
    except LIMITS as limit:
        return Unknown(reason_of(limit), budget.bound)
