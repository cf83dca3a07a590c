"""A Tetravex level as a constraint in clauses, over the tile of each cell and the colour of each edge.

The model has no actions, so its traces have length 0.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations

from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.tetravex.filling import earlier_copies
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Bit, Clauses
from puzzlemc.mc.model.formula import State as Bits
from puzzlemc.mc.model.hints import Hints
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.model.variables import Variable, one_hot
from puzzlemc.screens.tetravex import EMPTY, Board, Level, Tile

LARGE = 7  # boards with at least this number of rows are solved by `arc_consistency` instead of SAT
MOST_COLOURS = 12  # of the levels that this search takes


def constraint(level: Level) -> Encoded:
    """The constraint: a bit for each pair of a tile and a cell, and redundant bits that help the solver.

    The redundant bits are the colours of edges, and the row and column of each tile. The tiles on the cells
    determine them, so each board is exactly one solution.
    """
    grid = _Grid(level)
    clauses = _Clauses(grid)
    goal = Clauses(grid.bits, [*clauses.values(), *clauses.cells(), *clauses.places(), *clauses.given()])

    def find(budget: Budget) -> Bits | None:
        # Imported at the first use: it loads compiled code.
        from puzzlemc.encodings.tetravex.arc_consistency import search

        board = search(level, budget)
        return None if board is None else grid.state(board)

    fast = level.side >= LARGE and not level.start and len(grid.colours) <= MOST_COLOURS
    model = Model(grid.variables, {}, (), goal, {"solved": goal}, Hints(solution_finder=find if fast else None))

    def moves(trace: Trace) -> list[str]:
        return [str(tile) for tile in grid.board(trace.states[-1])]

    def start(moves: Sequence[str]) -> Bits:
        return grid.state([int(move) - 1 for move in moves])

    return Encoded(model, grid.board, moves, start=start)


class _Grid:
    """The variables of a level, and the translation between boards and states.

    on                 by cell: its tile
    row_of, column_of  by tile: its row, and its column
    sides              by cell: the colours of its edges north, south, east, west; neighbours share a variable
    """

    def __init__(self, level: Level) -> None:
        self.level = level
        side, number = level.side, len(level.tiles)
        self.colours = sorted({colour for tile in level.tiles for colour in tile})
        self.on = [one_hot(f"on{cell}", range(number)) for cell in range(number)]
        across = [[one_hot(f"across{row}_{at}", self.colours) for at in range(side + 1)] for row in range(side)]
        down = [[one_hot(f"down{at}_{column}", self.colours) for column in range(side)] for at in range(side + 1)]
        self.row_of = [one_hot(f"row{tile}", range(side)) for tile in range(number)]
        self.column_of = [one_hot(f"column{tile}", range(side)) for tile in range(number)]
        self.sides = [
            (down[row][column], down[row + 1][column], across[row][column + 1], across[row][column])
            for row in range(side)
            for column in range(side)
        ]
        edges = [edge for line in (*across, *down) for edge in line]
        self.variables: tuple[Variable, ...] = (*self.on, *edges, *self.row_of, *self.column_of)
        self.bits = tuple(b for variable in self.variables for b in variable.bits)

    def board(self, state: Bits) -> Board:
        """The board of a state: the numbers of its tiles, from 1."""
        return tuple(1 + next(i for i, b in enumerate(variable.bits) if b in state) for variable in self.on)

    def state(self, board: Sequence[int]) -> Bits:
        """The state of a board, given as indices of tiles."""
        tiles = self.level.tiles
        copies: dict[Tile, list[int]] = defaultdict(list)
        for tile in sorted(board, reverse=True):
            copies[tiles[tile]].append(tile)
        held: set[Bit] = set()
        for cell, placed in enumerate(board):
            tile = copies[tiles[placed]].pop()  # of tiles with the same colours, low numbers come first
            row, column = divmod(cell, self.level.side)
            for variable, value in [
                (self.on[cell], tile),
                *zip(self.sides[cell], tiles[tile], strict=True),
                (self.row_of[tile], row),
                (self.column_of[tile], column),
            ]:
                held.add(variable.bits[variable.values.index(value)])
        return frozenset(held)


class _Clauses:
    """The clauses of a solved board over the bits of a grid; literal i, from 1, is bit i - 1."""

    def __init__(self, grid: _Grid) -> None:
        self._grid = grid
        self._first: dict[str, int] = {}  # by variable: the literal of its first value
        last = 1
        for variable in grid.variables:
            self._first[variable.name] = last
            last += len(variable.bits)

    def _literals(self, variable: Variable) -> range:
        """The literals of the values of a variable, in the order of the values."""
        first = self._first[variable.name]
        return range(first, first + len(variable.bits))

    def values(self) -> Iterator[Sequence[int]]:
        """Each variable has exactly one value."""
        from pysat.card import CardEnc, EncType  # slow to load, and the registry imports this module

        cells = len(self._grid.on)
        for number, variable in enumerate(self._grid.variables):
            literals = self._literals(variable)
            if number < cells:  # at most one tile on a cell follows from the edges, rows and columns
                yield literals
            else:
                yield from CardEnc.equals(literals, encoding=EncType.pairwise).clauses

    def cells(self) -> Iterator[Sequence[int]]:
        """The tile on a cell determines the colours of its edges, and its own row and column."""
        grid = self._grid
        index = {colour: i for i, colour in enumerate(grid.colours)}
        kinds = [[index[colour] for colour in tile] for tile in grid.level.tiles]
        rows, columns = ([self._literals(of) for of in place] for place in (grid.row_of, grid.column_of))
        for cell, variable in enumerate(grid.on):
            row, column = divmod(cell, grid.level.side)
            edges = [self._literals(edge) for edge in grid.sides[cell]]
            supports: dict[tuple[int, ...], list[int]] = defaultdict(
                list
            )  # by literals of edges: the tiles that fit
            for tile, held in enumerate(self._literals(variable)):
                sides = [edge[colour] for edge, colour in zip(edges, kinds[tile], strict=True)]
                yield from [(-held, literal) for literal in (*sides, rows[tile][row], columns[tile][column])]
                for literal in sides:
                    supports[(literal,)].append(held)
                for pair in combinations(sides, 2):
                    supports[pair].append(held)
            # For the colour of an edge there must be a tile that has it, and for each pair of edges as well.
            for edge in edges:
                yield from [(-literal, *supports.get((literal,), ())) for literal in edge]
            for edge, other in combinations(edges, 2):
                yield from [(-a, -b, *supports.get((a, b), ())) for a in edge for b in other]

    def places(self) -> Iterator[Sequence[int]]:
        """Each tile is on a cell, and on a cell of its row and of its column."""
        grid, side = self._grid, self._grid.level.side
        cells = [self._literals(variable) for variable in grid.on]
        for tile in range(len(cells)):
            places = [literals[tile] for literals in cells]
            yield places
            rows, columns = self._literals(grid.row_of[tile]), self._literals(grid.column_of[tile])
            for at in range(side):
                yield -rows[at], *places[at * side : (at + 1) * side]
                yield -columns[at], *places[at::side]

    def given(self) -> Iterator[Sequence[int]]:
        """Tiles on the start board stay. Of tiles with the same colours, the lower number is first."""
        level = self._grid.level
        cells = [self._literals(variable) for variable in self._grid.on]
        yield from [(cells[cell][tile - 1],) for cell, tile in enumerate(level.start) if tile != EMPTY]
        for tile, before in earlier_copies(level).items():
            for cell, literals in enumerate(cells):
                yield -literals[tile], -literals[before]
                yield -literals[tile], *(other[before] for other in cells[:cell])
