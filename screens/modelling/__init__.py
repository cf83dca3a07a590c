"""Levels of puzzles that authors write: boards with a legend, numbers, fields, or what a function reads."""

from puzzlemc.screens.modelling.board import Grid, Place
from puzzlemc.screens.modelling.fields import Fields, FieldsReader, fields, optional
from puzzlemc.screens.modelling.free import FreeReader, free
from puzzlemc.screens.modelling.grid import GridReader, grid
from puzzlemc.screens.modelling.numbers import Numbers, NumbersReader, numbers
from puzzlemc.screens.modelling.screen import Level, TextScreen

__all__ = [
    "Fields",
    "FieldsReader",
    "FreeReader",
    "Grid",
    "GridReader",
    "Level",
    "Numbers",
    "NumbersReader",
    "Place",
    "TextScreen",
    "fields",
    "free",
    "grid",
    "numbers",
    "optional",
]
