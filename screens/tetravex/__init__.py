"""Tetravex games as text: reader, writer, picture, and data files of MiniZinc."""

from puzzlemc.screens.tetravex.level import EMPTY, MAX_COLOUR, MAX_SIDE, PUT, SWAP, Board, Level, Tile
from puzzlemc.screens.tetravex.pictures import moved, picture, waiting
from puzzlemc.screens.tetravex.reader import SUFFIXES, build, cut, looks_like, parse
from puzzlemc.screens.tetravex.writer import data, draw

__all__ = [
    "EMPTY",
    "MAX_COLOUR",
    "MAX_SIDE",
    "PUT",
    "SUFFIXES",
    "SWAP",
    "Board",
    "Level",
    "Tile",
    "build",
    "cut",
    "data",
    "draw",
    "looks_like",
    "moved",
    "parse",
    "picture",
    "waiting",
]
