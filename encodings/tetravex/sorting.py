"""A model of the game `swap` that gives each cell its final tile, in reading order.

Each cell gets its final tile by at most one swap with a later cell. No shorter sequence of swaps leads to the same
board: a permutation of n cells with c cycles takes n - c swaps (Cayley 1849), and each of these swaps closes a
cycle.
"""

from itertools import product

from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.tetravex.filling import named
from puzzlemc.encodings.tetravex.games import beside, board_variables, initial, read
from puzzlemc.encodings.tetravex.rules import MOVE, NOTHING, place
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.hints import Hints
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import binary
from puzzlemc.screens.tetravex import Level


def sorting(level: Level) -> Encoded:
    """The model of `swap` in which one cell after another gets its final tile."""
    number = len(level.tiles)
    on = board_variables(level)
    cell = binary("cell", range(number + 1))
    actions = []
    for at in range(number):
        for tile in range(1, number + 1):
            fits_here = cell.literals(at) | beside(level, on, at, tile, before=True)
            onward = cell.literals(at + 1)
            guard = fits_here | {on[at].bits[tile - 1]: True}
            actions.append(Action("", guard, onward, NOTHING))
            for other, old in product(range(at + 1, number), range(1, number + 1)):
                if old != tile:  # with both tiles in the guard, the update is constant
                    here, there = on[at].bits, on[other].bits
                    guard = fits_here | {there[tile - 1]: True, here[old - 1]: True}
                    taken = {there[tile - 1]: False, here[old - 1]: False}
                    put = {here[tile - 1]: True, there[old - 1]: True}
                    name = f"{place(level, at)}-{place(level, other)}"
                    actions.append(Action(name, guard, onward | taken | put, MOVE))
    goal = cell.literals(number)
    first = cell.literals(0) | initial(level, on)
    model = Model((cell, *on), first, tuple(actions), goal, {"solved": goal}, Hints(location=cell))
    return Encoded(model, lambda state: (cell.read(state), read(on, state)), named)
