"""The plain rules of PuzzleScript games: positions, and turns between them.

They interpret the rules of a game over the names of its objects, and share no code with the compiled turns. From a
cell to a turn: `board`, `matching`, `effects`, `rulebook`, `application`, `movement`, `turn`.
"""

from collections.abc import Iterator

from puzzlemc.encodings.puzzlescript.domain.position import Position, moves
from puzzlemc.encodings.puzzlescript.domain.turn import Ending, turn
from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.screens.puzzlescript.game import Level

TURN = {"turns": 1}


def start(level: Level) -> Position:
    """The position of the level, or the one after its first turn without a movement, if the game has such a turn.

    This turn cannot win, and `restart` only ends it. Raises Unsettled.
    """
    if not level.game.run_rules_on_level_start:
        return Position(level.cells, won=False)
    return Position(turn(level, level.cells, "", may_win=False).cells, won=False)


def steps(level: Level, position: Position) -> Iterator[Step]:
    """The turns that win, or that change the position and do not restart the level. Raises Unsettled."""
    if position.won:
        return
    for name in moves(level.game):
        ending, cells, _ = turn(level, position.cells, name)
        if ending is Ending.WON:
            yield Step(name, Position(cells, won=True), TURN)
        elif ending is Ending.SETTLED and cells != position.cells:
            yield Step(name, Position(cells, won=False), TURN)


def solved(level: Level, position: Position) -> bool:
    """Has the last turn won?"""
    return position.won


RULES = Transition(start, steps, solved)
