"""Puzzles whose levels are boards: they show what a step changes, are painted, and are played with a pointer."""

from dataclasses import replace

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.display import Display
from puzzlemc.encodings.puzzle.drawing import Drawing
from puzzlemc.encodings.puzzle.pointing import Pointing
from puzzlemc.screens.modelling.grid import GridReader
from puzzlemc.screens.modelling.screen import TextScreen


def on_board(puzzle: Puzzle, screen: TextScreen) -> Puzzle:
    """The puzzle with what its boards allow; the puzzle itself if its levels are no boards."""
    reader, steps = screen.reader, puzzle.rules.steps
    if not isinstance(reader, GridReader):
        return puzzle

    def draw() -> Drawing:
        from puzzlemc.encodings.modelling.drawing import drawing  # only pages draw

        return drawing(reader)

    def point() -> Pointing:
        from puzzlemc.encodings.modelling.pointing import pointing

        return pointing(steps, screen.moved)

    return replace(puzzle, display=Display(moved=screen.moved), drawing=draw, pointing=point)
