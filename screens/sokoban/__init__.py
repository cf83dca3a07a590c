"""Sokoban levels as text: reader, writer, picture, and collections as XML with notes and solutions."""

from puzzlemc.screens.sokoban.board import MAX_SIDE, build
from puzzlemc.screens.sokoban.level import Cell, Level, State
from puzzlemc.screens.sokoban.pictures import moved, picture
from puzzlemc.screens.sokoban.reader import SUFFIXES, cut, looks_like, parse
from puzzlemc.screens.sokoban.writer import draw

__all__ = [
    "MAX_SIDE",
    "SUFFIXES",
    "Cell",
    "Level",
    "State",
    "build",
    "cut",
    "draw",
    "looks_like",
    "moved",
    "parse",
    "picture",
]
