"""Folding Blocks boards as text: reader, writer, picture."""

from puzzlemc.screens.folding.level import EMPTY, MAX_SIDE, NO_CELL, Level, Matrix
from puzzlemc.screens.folding.pictures import moved, picture
from puzzlemc.screens.folding.reader import SUFFIXES, build, cut, looks_like, parse
from puzzlemc.screens.folding.writer import draw

__all__ = [
    "EMPTY",
    "MAX_SIDE",
    "NO_CELL",
    "SUFFIXES",
    "Level",
    "Matrix",
    "build",
    "cut",
    "draw",
    "looks_like",
    "moved",
    "parse",
    "picture",
]
