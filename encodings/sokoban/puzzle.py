"""Sokoban as a puzzle: what the registry knows of it."""

from puzzlemc.encodings.puzzles import Puzzle
from puzzlemc.encodings.sokoban.compact import compact
from puzzlemc.encodings.sokoban.names import constants
from puzzlemc.encodings.sokoban.rules import METRICS, RULES, hopeless, lurd
from puzzlemc.encodings.sokoban.tiles import tiles

PUZZLE = Puzzle(
    name="sokoban",
    metrics=METRICS,
    encodings={"compact": compact, "tiles": tiles},
    rules=RULES,
    hopeless=hopeless,
    write_trace=lurd,
    atoms={
        "solved": "every goal holds a box",
        "player@(r,c)": "the player stands in row r, column c, both from 0",
        "box@(r,c)": "a box stands there",
    },
    constants=constants,
)
