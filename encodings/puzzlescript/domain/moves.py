"""Moves in words: why one is illegal, and what one means."""

from puzzlemc.encodings.puzzlescript.domain.inputs import INPUTS
from puzzlemc.encodings.puzzlescript.domain.position import TICK, Position, movement, moves
from puzzlemc.encodings.puzzlescript.domain.turn import Ending, Unsettled, turn
from puzzlemc.screens.puzzlescript.game import Level


def refusal(level: Level, position: Position, move: str) -> str:
    """Why a move is not possible in a position."""
    known = moves(level.game)
    if move not in known and not (position.won and move in INPUTS):
        return f"found {move!r}, expected one of {', '.join(known)}"
    if position.won:
        return "the level is won already"
    try:
        ending = turn(level, position.cells, movement(move)).ending
    except Unsettled as error:
        return str(error)
    if ending is Ending.STUCK:
        return "the turn never ends: its rules queue `again` for ever"
    return "a rule restarts the level" if ending is Ending.RESTARTED else "the turn changes nothing"


def say(level: Level, move: str) -> str:
    """A move in words."""
    return {"action": "the action", TICK: "wait for a tick"}.get(move, f"go {move}")
