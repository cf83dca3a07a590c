"""Sokoban levels and positions: immutable values."""

from dataclasses import dataclass, field

Cell = tuple[int, int]  # (row, column) from 0


@dataclass(frozen=True, slots=True)
class State:
    """The cells of the player and of the boxes."""

    player: Cell
    boxes: frozenset[Cell]


@dataclass(frozen=True, slots=True)
class Level:
    """A valid level: closed, one player, at least one goal. It may have fewer boxes than goals.

    `rows` is the board as drawn, in `# @ + $ * .` and space, without trailing blanks. `floor` is in row-major
    order and holds only cells that the player could reach if there were no boxes. Unreachable boxes never move:
    they and the goals under them are only in `rows`. So all cells of `start` are on the floor, and a goal that is
    not on the floor never gets a box.
    """

    title: str
    author: str
    rows: tuple[str, ...]
    floor: tuple[Cell, ...]
    goals: frozenset[Cell]
    start: State
    cells: frozenset[Cell] = field(init=False, repr=False, compare=False)  # the floor as a set

    def __post_init__(self) -> None:
        """Set `cells`."""
        object.__setattr__(self, "cells", frozenset(self.floor))
