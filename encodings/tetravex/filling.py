"""A model that fills a Tetravex board in reading order.

The state is the next cell, the set of used tiles, and the colours along the frontier between filled and empty
cells. The rest of a filling depends on nothing else, so reachability is dynamic programming.
"""

from collections.abc import Hashable

from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.tetravex.rules import MOVE, NOTHING, place
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import State as Bits
from puzzlemc.mc.model.hints import Hints
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.model.variables import binary, boolean
from puzzlemc.screens.tetravex import EMPTY, PUT, Level, Tile


def earlier_copies(level: Level) -> dict[int, int]:
    """For each tile that has one, the last tile before it with the same colours, both as indices from 0.

    If this changes no cost, the models use the tile with the lower number first, so that boards that look the same
    count once. Tiles on the start board do not count.
    """
    copies: dict[int, int] = {}
    last: dict[Tile, int] = {}
    for number, tile in enumerate(level.tiles):
        if number + 1 not in level.start:
            if tile in last:
                copies[number] = last[tile]
            last[tile] = number
    return copies


def filling(level: Level) -> Encoded:
    """The model that fills the empty cells in reading order.

    Positions are (next cell, used tiles, the south colour of the last tile in each column, the east colour of the
    last tile in the row).
    """
    side, number = level.side, len(level.tiles)
    colours = sorted({colour for tile in level.tiles for colour in tile})
    cell = binary("cell", range(number + 1))
    used = [boolean("used", tile) for tile in range(number)]
    east = binary("east", colours)
    south = [binary(f"south{column}", colours) for column in range(side)]
    copies = earlier_copies(level)
    price = MOVE if level.rules == PUT else NOTHING

    actions = []
    for at in range(number):
        row, column = divmod(at, side)
        fixed = level.start[at] - 1 if level.start and level.start[at] != EMPTY else None
        for tile in range(number) if fixed is None else [fixed]:
            if fixed is None and tile + 1 in level.start:
                continue
            kind = level.tiles[tile]
            guard = cell.literals(at) | {used[tile].bits[0]: False}
            if tile in copies and fixed is None:
                guard[used[copies[tile]].bits[0]] = True
            if column:
                guard |= east.literals(kind.west)
            if row:
                guard |= south[column].literals(kind.north)
            # Colours at the border are set to a fixed value, since no later tile meets them: fewer states.
            update = cell.literals(at + 1) | {used[tile].bits[0]: True}
            update |= east.literals(kind.east if column < side - 1 else colours[0])
            update |= south[column].literals(kind.south if row < side - 1 else colours[0])
            name = "" if fixed is not None else str(tile + 1)
            if level.rules == PUT and name:
                name += f"@{place(level, at)}"
            actions.append(Action(name, guard, update, NOTHING if fixed is not None else price))

    variables = (cell, east, *south, *used)
    initial = cell.literals(0) | east.literals(colours[0])
    for variable in south:
        initial |= variable.literals(colours[0])
    for variable in used:
        initial |= variable.literals(False)
    goal = cell.literals(number)
    model = Model(variables, initial, tuple(actions), goal, {"solved": goal}, Hints(location=cell))

    def decode(state: Bits) -> Hashable:
        held = frozenset(tile + 1 for tile, variable in enumerate(used) if variable.bits[0] in state)
        return cell.read(state), held, tuple(variable.read(state) for variable in south), east.read(state)

    return Encoded(model, decode, named)


def named(trace: Trace) -> list[str]:
    """The moves of a trace: the names of its actions, without actions that have no name."""
    return [action.name for action in trace.actions if action.name]
