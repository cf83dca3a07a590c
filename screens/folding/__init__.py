"""Folding Blocks boards as text: reader, writer, picture."""

from puzzlemc.screens.folding.reader import (
    EMPTY,
    MAX_SIDE,
    NO_CELL,
    SUFFIXES,
    Level,
    Matrix,
    build,
    cut,
    draw,
    looks_like,
    moved,
    parse,
    picture,
)

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
