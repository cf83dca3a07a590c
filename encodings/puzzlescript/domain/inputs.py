"""A recorded play: what each input of a player does, as the original takes it.

A move that changes nothing is no turn, and leaves the position as it is. `undo` goes back to the position before
the last move that changed something, where ticks of the clock do not count, or before the last `restart`.
`restart`, like a rule with this command, goes back to the start of the level or its last checkpoint, and plays the
rules at the start there. A game may switch off either, and then it does nothing.
"""

from collections.abc import Iterator, Sequence

from puzzlemc.encodings.puzzlescript.domain.position import BEGIN, TICK, Cells, Position, movement, moves
from puzzlemc.encodings.puzzlescript.domain.rules import (
    OF,
    TURN,
    after_turn,
    begun,
    draws,
    kept_outcomes,
    positions,
    seed_of,
    start,
    step,
)
from puzzlemc.encodings.puzzlescript.domain.turn import Ending, turn
from puzzlemc.mc.rules.plain import Step
from puzzlemc.screens.puzzlescript.game import Level

UNDO, RESTART = "undo", "restart"
INPUTS = (UNDO, RESTART)  # that are no moves
NO_TURN = {"turns": 0}


def play(level: Level, inputs: Sequence[str]) -> Iterator[Step | None]:
    """Yield what each input does, and None for the first one that is none, never ends, or comes after the win.

    A turn that changes the position costs one, whatever is undone later. Raises Unsettled.
    """
    position = start(level)
    kept: Cells | None = None  # the last checkpoint
    earlier: list[Position] = []  # to which `undo` goes back
    keeps = any("checkpoint" in rule.commands for rule in level.game.rules)
    known = (*moves(level.game), *INPUTS, *((BEGIN,) if level.game.has_chance else ()))
    for name in inputs:
        if position.won or name.partition(OF)[0] not in known or (keeps and level.game.has_chance):
            yield None
            return
        before, costs = position, NO_TURN
        if name == UNDO:
            while level.game.has_undo and earlier and earlier[-1] == position:
                earlier.pop()
            position = earlier.pop() if level.game.has_undo and earlier else position
        elif name == RESTART:
            if level.game.has_restart:
                earlier.append(position)
                position = start(level) if kept is None else begun(level, kept)
        else:
            if level.game.has_chance:
                drawn = step(level, position, name)
                if drawn is None and not _does_nothing(level, position, name):
                    yield None
                    return
                if drawn is not None:
                    position, costs = _position(drawn), dict(drawn.costs)
            else:
                found = turn(level, before.cells, movement(name))
                if found.ending is Ending.STUCK:
                    yield None
                    return
                kept = kept if found.checkpoint is None else found.checkpoint
                after = after_turn(before, found)
                if after is not None:
                    position, costs = after, TURN
                elif found.ending is Ending.RESTARTED:
                    position = start(level) if kept is None else begun(level, kept)
            if position != before and name != TICK:  # a tick cannot be undone by itself
                earlier.append(before)
        yield Step(name, position, costs)


def _does_nothing(level: Level, position: Position, name: str) -> bool:
    """Does a move of a level with chance change nothing: is that its only outcome, or the one it names?"""
    move, _, number = name.partition(OF)
    if position.won or not position.begun or move not in moves(level.game):
        return False
    if (seed := seed_of(number)) is not None:
        end = turn(level, position.cells, movement(move), choose=draws(seed))
        return (end.ending, end.cells) == (Ending.SETTLED, position.cells)
    found = kept_outcomes(level, position.cells, movement(move))
    boards = positions(found)
    if not number:
        return boards == (position,) and not found.restarted and not found.stuck
    return number.isascii() and number.isdigit() and boards[int(number) - 1 : int(number)] == (position,)


def _position(found: Step) -> Position:
    assert isinstance(found.position, Position)
    return found.position
