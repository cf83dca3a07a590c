"""Single edits of a board with a legend: a cell gets another sign of the legend, or two cells change places.

The reader reads each changed board, and the author's function makes a level of it: what either refuses is no edit,
nor is a level that is solved at its start.
"""

from collections.abc import Iterator, Mapping

from puzzlemc.encodings.modelling.boards.drawing import sign_name
from puzzlemc.encodings.puzzle.design.changes import Allowed, Cell, Change, Changes
from puzzlemc.encodings.puzzle.design.sign_edits import KINDS, sign_edits
from puzzlemc.mc.rules.plain import Transition
from puzzlemc.screens.modelling.board import Grid
from puzzlemc.screens.modelling.cutting import with_heading
from puzzlemc.screens.modelling.legend import BLANK, EMPTY_ROW, Legend
from puzzlemc.screens.modelling.screen import Level, TextScreen


def changes(screen: TextScreen, legend: Legend, rules: Transition) -> Changes:
    """The edits of boards that a screen reads by a legend."""

    def painted(level: Level, new: Mapping[Cell, str]) -> Level | None:
        changed = _painted(screen, level, new)
        return None if changed is None or rules.solved(changed, rules.start(changed)) else changed

    def edits(level: Level, allowed: Allowed) -> Iterator[Change]:
        board: Grid = level.data
        cells = {cell: legend.signs[board.names(cell)] for cell in board.cells}
        return sign_edits(
            cells,
            lambda sign: sign_name(legend, sign),
            lambda cell: iter(legend.signs.values()),
            lambda new: painted(level, new),
            allowed,
        )

    return Changes(KINDS, edits)


def _painted(screen: TextScreen, level: Level, new: Mapping[Cell, str]) -> Level | None:
    """The level with other signs on some cells; None if it is refused, or read as another board."""
    board: Grid = level.data
    rows = [
        "".join(new.get((row, column)) or board.sign((row, column)) or BLANK for column in range(board.columns))
        for row in range(board.rows)
    ]
    text = "\n".join(row.rstrip() or EMPTY_ROW for row in rows)
    found = screen.parse(with_heading(level.title, level.author, text), "the changed level")
    if len(found) != 1 or not isinstance(found[0], Level):
        return None
    read: Grid = found[0].data
    same = (read.rows, read.columns, read.cells) == (board.rows, board.columns, board.cells) and all(
        read.sign(cell) == (new.get(cell) or board.sign(cell)) for cell in board.cells
    )
    return found[0] if same else None
