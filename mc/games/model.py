"""Games of two sides as models, and their verdicts.

A `GameModel` is a model in which each state determines the side that takes the next action. A state is *terminal*
if a side has won there, whatever actions are enabled, or if no action is enabled. A *turn* is one action.

Winning    a side can force a win, with its strategy and the number of turns under optimal play of both sides
Drawn      neither side can force a win: each can avoid a loss for ever, or reach a draw
Unknown    a limit stopped the search, see `verdict.py`
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Formula, State, holds, support
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.rules.plain import FIRST, SECOND, Stuck
from puzzlemc.mc.verdict import Statistics, Unknown


@dataclass(frozen=True)
class GameModel:
    """A model whose actions belong to the side to move. The goal of the model is not used.

    first  holds in the states in which FIRST moves; in the other states SECOND moves
    won    for each side, the formula that it has won; both together must be unsatisfiable
    stuck  the result in a state without a winner and without an enabled action
    """

    model: Model
    first: Formula
    won: tuple[Formula, Formula]
    stuck: Stuck = Stuck.LOSES

    def turn(self, state: State) -> int:
        """The side to move."""
        return FIRST if holds(self.first, state) else SECOND

    def winner(self, state: State) -> int | None:
        """The side that has won, None if no side has. Raises ModelError if both have."""
        first, second = (holds(formula, state) for formula in self.won)
        if first and second:
            raise both_have_won()
        return FIRST if first else SECOND if second else None

    def actions(self, state: State) -> list[Action]:
        """The enabled actions of the side to move; none if a side has won."""
        if self.winner(state) is not None:
            return []
        return [action for action in self.model.actions if action.enabled(state)]

    def validate(self) -> None:
        """Raise ModelError if the model is not well formed, or a formula has bits of no variable."""
        self.model.validate()
        if foreign := support([self.first, *self.won]) - set(self.model.bits):
            raise ModelError(f"turns and wins speak of bits of no variable: {sorted(map(str, foreign))}")


def both_have_won() -> ModelError:
    """The error of a game with a state that both sides have won."""
    return ModelError("there is a state in which both sides have won")


class Value(NamedTuple):
    """The value of a state: the side that can force a win, and the number of turns; both None for a draw."""

    winner: int | None
    turns: int | None


DRAW = Value(None, None)


@dataclass(frozen=True)
class Winning:
    """A side can force a win from the initial state in `turns` turns, and not in fewer.

    value  the value of each reachable state; raises LookupError for other states
    """

    game: GameModel
    winner: int
    turns: int
    value: Callable[[State], Value]
    statistics: Statistics = field(default_factory=Statistics)

    def strategy(self, state: State) -> Action:
        """The winner's action of a fastest win, in a state that it wins. Raises LookupError in other states."""
        worth = self.value(state)
        if worth.winner == self.winner == self.game.turn(state):
            for action in self.game.actions(state):
                after = self.value(action.fire(state))
                if after.winner == self.winner and after.turns == (worth.turns or 0) - 1:
                    return action
        raise LookupError("the winner has no action to take here")


@dataclass(frozen=True)
class Drawn:
    """Neither side can force a win from the initial state. `value` is as in Winning."""

    game: GameModel
    value: Callable[[State], Value]
    statistics: Statistics = field(default_factory=Statistics)


GameVerdict: TypeAlias = Winning | Drawn | Unknown


def verdict(
    game: GameModel, start: State, value: Callable[[State], Value], statistics: Statistics
) -> Winning | Drawn:
    """The verdict for a game, from the value of its initial state."""
    winner, turns = value(start)
    if winner is None or turns is None:
        return Drawn(game, value, statistics)
    return Winning(game, winner, turns, value, statistics)
