"""PuzzleScript games as text: reader, writer, picture."""

from puzzlemc.screens.puzzlescript.game import Game, Level, Rule, Term, Win, warnings
from puzzlemc.screens.puzzlescript.pictures import moved, picture, pixels
from puzzlemc.screens.puzzlescript.reader import SUFFIXES, build, cut, looks_like, parse
from puzzlemc.screens.puzzlescript.writer import draw, written

__all__ = [
    "SUFFIXES",
    "Game",
    "Level",
    "Rule",
    "Term",
    "Win",
    "build",
    "cut",
    "draw",
    "looks_like",
    "moved",
    "parse",
    "picture",
    "pixels",
    "warnings",
    "written",
]
