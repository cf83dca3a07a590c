"""Positions as things on cells: the words of the legend on a board, and other variables with their values.

Of rules alone the actions are not known before they are met, nor are those of a constraint.
"""

from collections.abc import Hashable, Iterator
from typing import Any

from puzzlemc.encodings.modelling.language.evaluation import Evaluation
from puzzlemc.encodings.modelling.language.system import is_place
from puzzlemc.encodings.modelling.shown import SystemScreen
from puzzlemc.encodings.puzzle.display import Cells, Thing
from puzzlemc.screens.modelling.grid import GridReader
from puzzlemc.screens.modelling.screen import Level, TextScreen


def of_system(screen: SystemScreen, level: Level) -> Cells:
    """The positions of a level of a system. Values without a place stand on the first cell."""
    made: Evaluation = level.made
    system = made.system
    board = None if screen.things(level, made.start) is None else of_board(screen, level)
    roles = None if board is None else screen.roles(level)
    rest = [variable for line in roles.rest for variable in line] if roles is not None else []
    if board is None:
        rest = list(system.variables)
    kinds = {} if board is None else {word: kind for kind, word in enumerate(board.kinds)}
    looks = dict[tuple[int, Hashable], Thing]()
    for variable in rest:
        name, (row, column) = variable.name, (0, 0)
        if is_place(variable.index):
            name, (row, column) = variable.family, variable.index
        for value in variable.domain:
            kind = kinds.setdefault(f"{name}={value}", len(kinds))
            looks[variable.number, value] = kind, row, column

    def things(position: Any) -> Iterator[Thing]:
        if board is not None:
            yield from board.things(position)
        for variable in rest:
            if (thing := looks.get((variable.number, position[variable.number]))) is not None:
                yield thing  # a constraint may leave a value open

    rows = 1 + max([row for _, row, _ in looks.values()] or [0])
    columns = 1 + max([column for *_, column in looks.values()] or [0])
    if board is not None:
        rows, columns = max(rows, board.rows), max(columns, board.columns)
    actions = None if system.is_constraint else list(dict.fromkeys(action.name for action in system.actions))
    return Cells(tuple(kinds), rows, columns, (), things, actions)


def of_board(screen: TextScreen, level: Level) -> Cells | None:
    """The positions of a level on its board; None without one."""
    reader, data = screen.reader, level.data
    if not isinstance(reader, GridReader):
        return None
    order = reader.legend.order
    stays = {word: data.find(word) for word in order}

    def things(position: Any) -> Iterator[Thing]:
        shown = screen.things(level, position) or {}
        for kind, word in enumerate(order):
            for row, column in shown.get(word, stays[word]):
                yield kind, row, column

    return Cells(order, data.rows, data.columns, (), things)
