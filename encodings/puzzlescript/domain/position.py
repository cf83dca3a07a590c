"""Positions of a level, and its moves."""

from typing import NamedTuple, TypeAlias

from puzzlemc.screens.puzzlescript.game import Game

Cells: TypeAlias = tuple[frozenset[str], ...]  # the objects of each cell: cells[row * width + column]

MOVES = ("up", "left", "down", "right", "action")
TICK = "tick"  # of the clock: a turn without a movement
BEGIN = "start"  # the name of the step that draws the first board
METRICS = ("turns",)


class Position(NamedTuple):
    """The objects of each cell, by rows, and whether the last turn has won.

    `begun` is False before the start of a level that may begin with several boards, of which one is drawn.
    """

    cells: Cells
    won: bool
    begun: bool = True


def moves(game: Game) -> tuple[str, ...]:
    """The names of the moves of a game."""
    return (MOVES if game.has_action else MOVES[:-1]) + ((TICK,) if game.has_clock else ())


def movement(move: str) -> str:
    """The movement that a move gives to the players, "" for none."""
    return "" if move == TICK else move
