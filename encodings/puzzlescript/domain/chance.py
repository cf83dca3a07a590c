"""The plain rules of levels with chance: each input with all of its outcomes."""

from functools import lru_cache

from puzzlemc.encodings.puzzlescript.domain.outcomes import starts
from puzzlemc.encodings.puzzlescript.domain.position import BEGIN, Position, movement, moves
from puzzlemc.encodings.puzzlescript.domain.rules import (
    NO_TURN,
    OF,
    TURN,
    first_boards,
    kept_outcomes,
    positions,
    solved,
)
from puzzlemc.mc.rules.chance import Chance, Turn
from puzzlemc.mc.rules.plain import Step
from puzzlemc.screens.puzzlescript.game import Level


def inputs(level: Level) -> tuple[str, ...]:
    """The names of the inputs of a level."""
    return moves(level.game)


def turn(level: Level, position: Position, name: str) -> Turn:
    """The outcomes of an input. Raises TooManyDraws."""
    found = kept_outcomes(level, position.cells, movement(name))
    boards = positions(found)
    is_sure = len(boards) == 1 and not found.restarted and not found.stuck
    steps = [
        Step(name if is_sure else f"{name}{OF}{number}", after, NO_TURN if after == position else TURN)
        for number, after in enumerate(boards, start=1)
    ]
    return Turn(steps, found.restarted, found.stuck)


@lru_cache(maxsize=8)
def first(level: Level) -> tuple[Position, ...]:
    """The positions in which a level may begin. Raises Unsettled, TooManyDraws."""
    return first_boards(level)


def begin(level: Level, position: Position) -> str | None:
    """The step that draws the first position, None if there is no draw."""
    found = first(level)
    return None if len(found) == 1 else f"{BEGIN}{OF}{found.index(position) + 1}"


@lru_cache(maxsize=8)
def hangs(level: Level) -> bool:
    """May the rules at the start of a level never end? Raises TooManyDraws."""
    return starts(level).stuck


CHANCE = Chance(first, inputs, turn, solved, begin, hangs)
