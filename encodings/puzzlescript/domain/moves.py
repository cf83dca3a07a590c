"""Moves in words: why one is illegal, and what one means."""

from random import choice, randrange

from puzzlemc.encodings.puzzlescript.domain.drawing import TooManyDraws
from puzzlemc.encodings.puzzlescript.domain.inputs import INPUTS
from puzzlemc.encodings.puzzlescript.domain.position import BEGIN, TICK, Position, movement, moves
from puzzlemc.encodings.puzzlescript.domain.rules import OF, SEED, drawn, drawn_from, step
from puzzlemc.encodings.puzzlescript.domain.turn import Ending, Unsettled, turn
from puzzlemc.mc.errors import LimitReached
from puzzlemc.screens.puzzlescript.game import Level

MOST_SEED = 1_000_000


def refusal(level: Level, position: Position, move: str) -> str:
    """Why a move is not possible in a position."""
    known = moves(level.game)
    if level.game.has_chance:
        return _refusal_of_outcome(level, position, move)
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


def _refusal_of_outcome(level: Level, position: Position, move: str) -> str:
    """Why a move is not possible in a position of a level with chance."""
    name = move.partition(OF)[0]
    known = moves(level.game) if position.begun else (BEGIN,)
    if position.won:
        return "the level is won already"
    if name not in known:
        return f"found {move!r}, expected one of {', '.join(known)}"
    try:
        names = [each.name for each in drawn(level, position, name)]
    except LimitReached as error:
        return str(error)
    if not names:
        return "the turn changes nothing, restarts the level or never ends"
    if len(names) == 1:
        return f"found {move!r}, expected its outcome, {names[0]}"
    return f"found {move!r}, expected one of its outcomes, {names[0]} to {names[-1]}"


def pick(level: Level, position: Position, move: str) -> str:
    """The name of the step of a move, "" if it does nothing. Of several outcomes, one is drawn.

    Before the start of a level that draws its first board, each move draws that. Raises Unsettled.
    """
    if not level.game.has_chance:
        return move if step(level, position, move) is not None else ""
    if not position.begun:
        move = BEGIN
    try:
        names = [each.name for each in drawn(level, position, move)]
    except TooManyDraws:
        found = drawn_from(level, position, move, randrange(MOST_SEED))
        return "" if found is None else found.name
    return choice(names) if names else ""


def say(level: Level, move: str) -> str:
    """A move in words."""
    name, _, number = move.partition(OF)
    words = {"action": "the action", TICK: "wait for a tick", BEGIN: "begin"}.get(name, f"go {name}")
    if number.startswith(SEED):
        return f"{words}, drawn from the seed {number.removeprefix(SEED)}"
    return f"{words}, outcome {number}" if number else words
