"""A Tetravex level as a constraint: which tile is on which cell, and the colour of every edge, as clauses.

The model has no actions, its traces have length 0.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations

from puzzlemc.encodings.puzzle import Encoded
from puzzlemc.encodings.tetravex.copies import earlier_copies
from puzzlemc.mc.formula import Bit, Clauses
from puzzlemc.mc.formula import State as Bits
from puzzlemc.mc.hints import Hints
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import Model
from puzzlemc.mc.variables import one_hot
from puzzlemc.mc.verdict import Trace
from puzzlemc.screens.tetravex import EMPTY, Board, Level, Tile

LARGE = 7  # rows, from which on a search of its own is quicker than SAT
MOST_COLOURS = 12  # that this search can do with


def constraint(level: Level) -> Encoded:
    """Which tile is on which cell. Aids for the solver: the colours of edges, and the row and column of each tile.

    All aids follow from where the tiles are, so solutions are boards, one each.
    """
    side, number = level.side, len(level.tiles)
    colours = sorted({colour for tile in level.tiles for colour in tile})
    on = [one_hot(f"on{cell}", range(number)) for cell in range(number)]
    across = [[one_hot(f"across{row}_{at}", colours) for at in range(side + 1)] for row in range(side)]
    down = [[one_hot(f"down{at}_{column}", colours) for column in range(side)] for at in range(side + 1)]
    row_of = [one_hot(f"row{tile}", range(side)) for tile in range(number)]
    column_of = [one_hot(f"column{tile}", range(side)) for tile in range(number)]
    variables = (
        *on,
        *(edge for edges in across for edge in edges),
        *(edge for edges in down for edge in edges),
        *row_of,
        *column_of,
    )
    first: dict[str, int] = {}  # by variable: the number of its first bit
    last = 1
    for variable in variables:
        first[variable.name] = last
        last += len(variable.bits)
    index = {colour: i for i, colour in enumerate(colours)}
    kinds = [tuple(index[colour] for colour in tile) for tile in level.tiles]

    rows: list[Sequence[int]] = []
    for place_of, variable in enumerate(variables):
        numbers = range(first[variable.name], first[variable.name] + len(variable.bits))
        rows.append(numbers)
        if place_of >= number:  # that a cell has one tile alone follows from its edges
            rows += [(-a, -b) for a, b in combinations(numbers, 2)]
    for cell in range(number):
        row, column = divmod(cell, side)
        here = first[on[cell].name]
        edges = [
            first[edge.name]
            for edge in (down[row][column], down[row + 1][column], across[row][column + 1], across[row][column])
        ]
        supports: dict[tuple[int, ...], list[int]] = defaultdict(list)
        for tile, kind in enumerate(kinds):
            held = here + tile
            sides = [edge + colour for edge, colour in zip(edges, kind, strict=True)]
            rows += [(-held, literal) for literal in sides]
            rows.append((-held, first[row_of[tile].name] + row))
            rows.append((-held, first[column_of[tile].name] + column))
            for literal in sides:
                supports[(literal,)].append(held)
            for pair in combinations(sides, 2):
                supports[pair].append(held)
        # A side of a colour needs a tile for it, and so do two sides.
        options = [range(edge, edge + len(colours)) for edge in edges]
        for values in options:
            rows += [(-literal, *supports.get((literal,), ())) for literal in values]
        for values, others in combinations(options, 2):
            rows += [(-a, -b, *supports.get((a, b), ())) for a in values for b in others]
    for tile in range(number):
        places = [first[variable.name] + tile for variable in on]
        rows.append(places)
        for at in range(side):
            rows.append((-(first[row_of[tile].name] + at), *places[at * side : (at + 1) * side]))
            rows.append((-(first[column_of[tile].name] + at), *places[at::side]))
    rows += [(first[on[cell].name] + tile - 1,) for cell, tile in enumerate(level.start) if tile != EMPTY]
    for tile, before in earlier_copies(level).items():
        for cell in range(number):
            here = first[on[cell].name]
            rows.append((-(here + tile), -(here + before)))
            rows.append((-(here + tile), *(first[on[other].name] + before for other in range(cell))))

    bits = tuple(b for variable in variables for b in variable.bits)
    goal = Clauses(bits, rows)

    def guess(watch: Watch) -> Bits | None:
        # Imported where it is needed: it takes a while.
        from puzzlemc.encodings.tetravex.guess import search

        board = search(level, watch)
        return None if board is None else state_of(board)

    def state_of(board: Sequence[int]) -> Bits:
        """The state of a board, given as indices of tiles."""
        ordered: dict[Tile, list[int]] = defaultdict(list)
        for tile in sorted(board, reverse=True):
            ordered[level.tiles[tile]].append(tile)
        held: set[Bit] = set()
        for cell, found in enumerate(board):
            tile = ordered[level.tiles[found]].pop()  # tiles that look the same: those with low numbers first
            row, column = divmod(cell, side)
            kind = level.tiles[tile]
            for variable, value in [
                (on[cell], tile),
                (down[row][column], kind.north),
                (down[row + 1][column], kind.south),
                (across[row][column + 1], kind.east),
                (across[row][column], kind.west),
                (row_of[tile], row),
                (column_of[tile], column),
            ]:
                held.add(variable.bits[variable.values.index(value)])
        return frozenset(held)

    fast = side >= LARGE and not level.start and len(colours) <= MOST_COLOURS
    model = Model(variables, {}, (), goal, {"solved": goal}, Hints(guess=guess if fast else None))

    def decode(state: Bits) -> Board:
        return tuple(1 + next(i for i, b in enumerate(variable.bits) if b in state) for variable in on)

    def moves(trace: Trace) -> list[str]:
        return [str(tile) for tile in decode(trace.states[-1])]

    def start(moves: Sequence[str]) -> Bits:
        return state_of([int(move) - 1 for move in moves])

    return Encoded(model, decode, moves, start=start)
