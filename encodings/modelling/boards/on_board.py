"""What a puzzle shows of a step; and levels that are boards: they are painted, and played with a pointer."""

from dataclasses import replace

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.design.changes import Changes
from puzzlemc.encodings.puzzle.drawing import Drawing
from puzzlemc.encodings.puzzle.pointing import Pointing
from puzzlemc.screens.modelling.grid import GridReader
from puzzlemc.screens.modelling.screen import TextScreen


def on_board(puzzle: Puzzle, screen: TextScreen) -> Puzzle:
    """The puzzle with what its screen allows."""
    reader, steps = screen.reader, puzzle.rules.steps
    if not isinstance(reader, GridReader):
        return replace(puzzle, display=replace(puzzle.display, moved=screen.moved))

    def draw() -> Drawing:
        from puzzlemc.encodings.modelling.boards.drawing import drawing  # only pages draw

        return drawing(reader)

    def point() -> Pointing:
        from puzzlemc.encodings.modelling.boards.pointing import pointing

        return pointing(steps, screen.moved)

    def change() -> Changes:
        from puzzlemc.encodings.modelling.boards.changes import changes  # only suggestions need it

        return changes(screen, reader.legend, puzzle.rules)

    display = replace(puzzle.display, moved=screen.moved)
    return replace(puzzle, display=display, drawing=draw, pointing=point, changes=change)
