"""The plain rules of PuzzleScript games: positions, and turns between them.

They interpret the rules of a game over the names of its objects, and share no code with the compiled turns. From a
cell to a turn: `board`, `matching`, `effects`, `rulebook`, `application`, `movement`, `turn`.
"""

from collections.abc import Iterator
from dataclasses import replace

from puzzlemc.encodings.puzzlescript.domain.position import Cells, Position, movement, moves
from puzzlemc.encodings.puzzlescript.domain.turn import Ending, turn
from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.screens.puzzlescript.game import Level

TURN = {"turns": 1}


def start(level: Level) -> Position:
    """The position of the level, or the one after its first turn without a movement, if the game has such a turn.

    This turn can win from its second round on. Raises Unsettled.
    """
    return Position(level.cells, level.won) if level.begun else begun(level, level.cells)


def begun(level: Level, cells: Cells) -> Position:
    """The first position from the cells of a level, or of a checkpoint. Raises Unsettled."""
    if not level.game.run_rules_on_level_start:
        return Position(cells, won=False)
    ending, cells, _ = turn(level, cells, "", begins=True)
    return Position(cells, won=ending is Ending.WON)


def steps(level: Level, position: Position) -> Iterator[Step]:
    """The turns that win, or that change the position, end, and do not restart the level. Raises Unsettled."""
    for name in moves(level.game):
        if (found := step(level, position, name)) is not None:
            yield found


def step(level: Level, position: Position, name: str) -> Step | None:
    """The turn of that name; None if it changes nothing, restarts the level or never ends. Raises Unsettled."""
    if position.won or name not in moves(level.game):
        return None
    ending, cells, _ = turn(level, position.cells, movement(name))
    if ending is Ending.WON:
        return Step(name, Position(cells, won=True), TURN)
    if ending is Ending.SETTLED and cells != position.cells:
        return Step(name, Position(cells, won=False), TURN)
    return None


def solved(level: Level, position: Position) -> bool:
    """Has the last turn won?"""
    return position.won


def at(level: Level, position: Position) -> Level:
    """The level that starts in this position, which turns of the level can reach."""
    return replace(level, cells=position.cells, begun=True, won=position.won, origin=level.origin or level)


RULES = Transition(start, steps, solved, step)
