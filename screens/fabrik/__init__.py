"""Fabrik boards and game records as text: reader, writer, picture."""

from puzzlemc.screens.fabrik.level import (
    BLACK,
    EMPTY,
    LETTERS,
    MAX_MOVES,
    MAX_SIZE,
    MIN_SIZE,
    ROW,
    SIZE,
    WHITE,
    Cell,
    Level,
    Position,
    name,
    named,
)
from puzzlemc.screens.fabrik.pictures import picture
from puzzlemc.screens.fabrik.reader import SUFFIXES, build, cut, looks_like, parse, place_of_move
from puzzlemc.screens.fabrik.writer import draw

__all__ = [
    "BLACK",
    "EMPTY",
    "LETTERS",
    "MAX_MOVES",
    "MAX_SIZE",
    "MIN_SIZE",
    "ROW",
    "SIZE",
    "SUFFIXES",
    "WHITE",
    "Cell",
    "Level",
    "Position",
    "build",
    "cut",
    "draw",
    "looks_like",
    "name",
    "named",
    "parse",
    "picture",
    "place_of_move",
]
