"""How to win within some turns, whatever the opponent does, and a check of that by the plain rules alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from puzzlemc.encodings.fabrik.rules import Turn, has_row, other, stones, turned, turns, winner
from puzzlemc.mc.errors import Refuted
from puzzlemc.screens.fabrik import Level, Position


@dataclass(frozen=True)
class Strategy:
    """A turn, and what to do next.

    answers   by reply, how to go on
    finishes  against any other reply, the first of these turns that is legal and wins at once
    """

    turn: Turn
    answers: Mapping[Turn, "Strategy"] = field(default_factory=dict)
    finishes: tuple[Turn, ...] = ()


def check(level: Level, position: Position, strategy: Strategy, within: int) -> int:
    """Play a strategy against every reply; return how many positions were met.

    Raises Refuted unless it wins within so many turns of the player to move, who has not won yet.
    """
    if won := winner(level, position):
        raise Refuted(f"{won} has won already")
    return _check(level, position, strategy, within)


def _check(level: Level, position: Position, strategy: Strategy, within: int) -> int:
    me = position.turn
    now = turned(level, position, strategy.turn)
    if now is None:
        raise Refuted(f"{strategy.turn.name} is not a legal turn")
    if has_row(level, stones(now, me)):
        return 1
    met = 1
    replies = list(turns(level, now))
    for reply, then in replies:
        met += 1
        if has_row(level, stones(then, other(me))):
            raise Refuted(f"after {strategy.turn.name}, {reply.name} wins")
        if within == 1:
            raise Refuted(f"after {strategy.turn.name}, the last turn, {reply.name} is possible")
        if reply in strategy.answers:
            met += _check(level, then, strategy.answers[reply], within - 1)
        elif not any(wins(level, then, turn) for turn in strategy.finishes):
            raise Refuted(f"after {strategy.turn.name} nothing is said against {reply.name}")
    return met


def wins(level: Level, position: Position, turn: Turn) -> bool:
    """Is a turn legal, and does it win at once?"""
    then = turned(level, position, turn)
    if then is None:
        return False
    return has_row(level, stones(then, position.turn)) or next(turns(level, then), None) is None
