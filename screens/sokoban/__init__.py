"""Sokoban levels as text: reader, writer, picture, and collections as XML with notes and solutions."""

from puzzlemc.screens.sokoban.reader import (
    MAX_SIDE,
    SUFFIXES,
    Cell,
    Level,
    State,
    build,
    cut,
    draw,
    looks_like,
    moved,
    parse,
    picture,
)

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
