"""The plain rules of PuzzleScript games: positions, and turns between them.

They interpret the rules of a game over the names of its objects, and share no code with the compiled turns. From a
cell to a turn: `board`, `matching`, `effects`, `rulebook`, `application`, `movement`, `turn`; with chance:
`drawing`, `outcomes`.

A turn that may have several outcomes is a step for each of them. `right:2` is the second outcome of `right`, in
the order of `Outcomes`: first the boards on which the level goes on, then those on which it is won. Likewise,
`start:2` is the second of several first boards; this step costs no turn. The name `right` alone, of a turn with
several outcomes, is a sample of them: for solutions for which it makes no difference what is drawn. `right:seed17`
is the outcome that is drawn from the seed 17: outcomes have such names, too, when they are too many to list.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random

from puzzlemc.encodings.puzzlescript.domain.application import Choose, certain
from puzzlemc.encodings.puzzlescript.domain.drawing import TooManyDraws
from puzzlemc.encodings.puzzlescript.domain.outcomes import Outcomes, outcomes, starts
from puzzlemc.encodings.puzzlescript.domain.position import BEGIN, Cells, Position, movement, moves
from puzzlemc.encodings.puzzlescript.domain.turn import (
    GOES_ON,
    UNSETTLED_START,
    Ending,
    Outcome,
    Unsettled,
    goes_back,
    turn,
)
from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.screens.puzzlescript.game import Level

TURN, NO_TURN = {"turns": 1}, {"turns": 0}
OF = ":"  # between a move and the number of its outcome
SEED = "seed"  # between OF and the seed of the draws
SEEDED = re.compile(SEED + "(0|[1-9][0-9]{0,17})")
SAMPLE = 0  # the seed of a sample


def start(level: Level) -> Position:
    """The position of the level, or the one after its first turn without a movement, if the game has such a turn.

    This turn can win from its second round on. If it has several outcomes, the level has not begun yet. Raises
    Unsettled, TooManyDraws.
    """
    if level.begun:
        return Position(level.cells, level.won)
    if level.game.has_chance:
        try:
            boards = first_boards(level)
        except TooManyDraws:
            return Position(level.cells, won=False, begun=False)
        return boards[0] if len(boards) == 1 else Position(level.cells, won=False, begun=False)
    return begun(level, level.cells)


def begun(level: Level, cells: Cells, choose: Choose = certain) -> Position:
    """The first position from the cells of a level, or of a checkpoint, with these draws. Raises Unsettled.

    Without `choose`, raises Unsuitable if something is drawn.
    """
    if not level.game.run_rules_on_level_start:
        return Position(cells, won=False)
    ending, cells, _ = turn(level, cells, "", begins=True, choose=choose)
    return Position(cells, won=ending is Ending.WON)


def first_boards(level: Level) -> tuple[Position, ...]:
    """The positions in which a level may begin. Raises Unsettled if there is none, TooManyDraws."""
    found = positions(starts(level))
    if not found:
        raise Unsettled(words=UNSETTLED_START)
    return found


def positions(found: Outcomes) -> tuple[Position, ...]:
    """The positions that a turn may lead to, in the order of their numbers in the names of steps."""
    return (*(Position(cells, won=False) for cells in found.settled), *(Position(c, won=True) for c in found.won))


def steps(level: Level, position: Position) -> Iterator[Step]:
    """The turns that win, or that change the position, end, and do not restart the level.

    Raises Unsettled, TooManyDraws.
    """
    if level.game.has_chance:
        for move in (BEGIN,) if not position.begun else moves(level.game):
            yield from drawn(level, position, move)
        return
    for name in moves(level.game):
        if (found := step(level, position, name)) is not None:
            yield found


def step(level: Level, position: Position, name: str) -> Step | None:
    """The turn of that name; None if it changes nothing, restarts the level or never ends.

    A restart goes back to a board at which a turn has ended, so it leads to no new position. A checkpoint within a
    turn that goes on would be another board: such a turn is unsettled. Raises Unsettled, TooManyDraws.
    """
    if level.game.has_chance:
        move, _, outcome = name.partition(OF)
        if not outcome:
            return None if name.endswith(OF) else sample(level, position, move)
        if (seed := seed_of(outcome)) is not None:
            return drawn_from(level, position, move, seed)
        several = drawn(level, position, move)
        return next((each for each in several if each.name == name), None)
    if position.won or name not in moves(level.game):
        return None
    found = turn(level, position.cells, movement(name))
    if found.checkpoint is not None and goes_back(level.game):
        is_left = found.ending is Ending.SETTLED and found.cells != found.checkpoint
        if is_left or found.ending is Ending.RESTARTED:
            raise Unsettled(words=GOES_ON)
    after = after_turn(position, found)
    return None if after is None else Step(name, after, TURN)


def after_turn(position: Position, found: Outcome) -> Position | None:
    """The position after a turn that wins or changes the position; None for another one."""
    if found.ending is Ending.WON:
        return Position(found.cells, won=True)
    if found.ending is Ending.SETTLED and found.cells != position.cells:
        return Position(found.cells, won=False)
    return None


def drawn(level: Level, position: Position, move: str) -> list[Step]:
    """The steps of a move that may have several outcomes. Raises Unsettled, TooManyDraws."""
    if not position.begun and move == BEGIN:
        return [Step(f"{BEGIN}{OF}{n}", each, NO_TURN) for n, each in enumerate(first_boards(level), start=1)]
    if position.won or not position.begun or move not in moves(level.game):
        return []
    found = kept_outcomes(level, position.cells, movement(move))
    boards = positions(found)
    is_sure = len(boards) == 1 and not found.restarted and not found.stuck
    return [
        Step(move if is_sure else f"{move}{OF}{number}", after, TURN)
        for number, after in enumerate(boards, start=1)
        if after != position
    ]


def sample(level: Level, position: Position, move: str) -> Step | None:
    """A sample of the outcomes of a move, from a sample of the first boards; None if it changes nothing.

    Raises Unsettled.
    """
    if position.won or move not in moves(level.game):
        return None
    choose = draws(SAMPLE)
    if not position.begun:
        position = begun(level, level.cells, choose)
        if position.won:
            return None
    after = after_turn(position, turn(level, position.cells, movement(move), choose=choose))
    return None if after is None else Step(move, after, TURN)


def seed_of(outcome: str) -> int | None:
    """The seed in the name of an outcome, None for another name."""
    return int(outcome.removeprefix(SEED)) if SEEDED.fullmatch(outcome) else None


def drawn_from(level: Level, position: Position, move: str, seed: int) -> Step | None:
    """The step of a move with the draws from a seed; None as for `step`. Raises Unsettled."""
    after: Position | None = None
    if not position.begun and move == BEGIN:
        after = begun(level, level.cells, draws(seed))
    elif position.begun and not position.won and move in moves(level.game):
        after = after_turn(position, turn(level, position.cells, movement(move), choose=draws(seed)))
    return None if after is None else Step(f"{move}{OF}{SEED}{seed}", after, TURN if position.begun else NO_TURN)


def draws(seed: int) -> Choose:
    """The draws from a seed, the same ones in each version of Python."""
    fraction = Random(seed).random
    return lambda choices: int(fraction() * choices)


@lru_cache(maxsize=256)
def kept_outcomes(level: Level, cells: Cells, given: str) -> Outcomes:
    """The outcomes of a turn; the last ones are kept. Raises TooManyDraws."""
    return outcomes(level, cells, given)


def solved(level: Level, position: Position) -> bool:
    """Has the last turn won?"""
    return position.won


def at(level: Level, position: Position) -> Level:
    """The level that starts in this position, which turns of the level can reach."""
    if not position.begun:
        return level
    return replace(level, cells=position.cells, begun=True, won=position.won, origin=level.origin or level)


RULES = Transition(start, steps, solved, step)
