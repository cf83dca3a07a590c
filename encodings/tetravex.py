"""Tetravex: plain rules, and the encodings `compact` and `tiles`.

A level without a game is a constraint, and costs nothing. Its moves are the tiles' numbers in reading order.

compact   of the constraint: which tile is on which cell, and the colour of every edge, as clauses; the model has
          no actions, its traces have length 0
tiles     of the constraint: cells are filled in reading order. The state is what the rest depends on, the tiles
          used and the colours along the frontier, so that reachability is dynamic programming

In a game a move costs 1: `put` puts a tile that is not on the board on an empty cell that it fits, `swap`
exchanges the tiles of two cells.

compact   of `put`: as above in reading order, past the cells that are filled. A solution puts each missing tile
          once, in any order, and parts of a solution fit; so the order takes nothing away
compact   of `swap`: cell by cell in reading order, each gets its tile for good by at most one swap with a cell
          behind it. No shorter way leads to the same board: a permutation of n cells with c cycles takes n - c
          swaps (Cayley 1849), and each of these closes a cycle
tiles     of both games: the board and the moves as they are
board     the tiles on the board and the moves as they are; of a game that is `tiles`

Tiles that look the same are interchangeable. Where that changes no cost, the models use the one with the lower
number first, so that boards that look the same count once.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Sequence
from itertools import combinations, product

from pyeda.boolalg.expr import And, One, Or

from puzzlemc.encodings.puzzles import Encoded, Puzzle, Step
from puzzlemc.mc.formula import Bit, Clauses, Formula, conjunction
from puzzlemc.mc.formula import State as Bits
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import Action, Hints, Model, Variable, binary, boolean, one_hot
from puzzlemc.mc.verdict import Trace
from puzzlemc.screens.tetravex import EMPTY, PUT, SWAP, Board, Level, Tile

METRICS = ("moves",)
MOVE = {"moves": 1}
NOTHING = {"moves": 0}

LARGE = 7  # rows, from which on a search of its own is quicker than SAT
MOST_COLOURS = 12  # that this search can do with

# Plain rules.


def start(level: Level) -> Board:
    """The position that the level starts with."""
    return level.start or (EMPTY,) * len(level.tiles)


def steps(level: Level, position: Board) -> Iterator[Step]:
    """All legal steps.

    `5` puts tile 5 on the next cell in reading order, `5@2,3` on the cell in row 2 and column 3, and `1,2-3,1`
    swaps two cells.
    """
    cells = range(len(position))
    if level.rules == SWAP:
        for one, other in combinations(cells, 2):
            board = list(position)
            board[one], board[other] = board[other], board[one]
            yield Step(f"{place(level, one)}-{place(level, other)}", tuple(board), MOVE)
        return
    empty = [cell for cell in cells if position[cell] == EMPTY]
    for number in sorted(set(range(1, len(level.tiles) + 1)) - set(position)):
        for cell in empty if level.rules == PUT else empty[:1]:
            board = list(position)
            board[cell] = number
            if fits(level, board, cell):
                if level.rules == PUT:
                    yield Step(f"{number}@{place(level, cell)}", tuple(board), MOVE)
                else:
                    yield Step(str(number), tuple(board), NOTHING)


def solved(level: Level, position: Board) -> bool:
    """Is every cell full, and do the edges agree?"""
    return EMPTY not in position and all(fits(level, position, cell) for cell in range(len(position)))


def fits(level: Level, board: Sequence[int], cell: int) -> bool:
    """Does the tile on a cell agree with the tiles beside it?"""
    tile, side = level.tiles[board[cell] - 1], level.side

    def beside(there: bool, other: int) -> Tile | None:
        return level.tiles[board[other] - 1] if there and board[other] != EMPTY else None

    row, column = divmod(cell, side)
    north, south = beside(row > 0, cell - side), beside(row < side - 1, cell + side)
    west, east = beside(column > 0, cell - 1), beside(column < side - 1, cell + 1)
    return (
        (north is None or north.south == tile.north)
        and (south is None or south.north == tile.south)
        and (west is None or west.east == tile.west)
        and (east is None or east.west == tile.east)
    )


def place(level: Level, cell: int) -> str:
    """A cell by row and column, from 1."""
    row, column = divmod(cell, level.side)
    return f"{row + 1},{column + 1}"


# The encodings.


def compact(level: Level) -> Encoded:
    """The model that is quick to solve: the constraint, or the game in reading order."""
    if level.rules == SWAP:
        return _sorting(level)
    return _filling(level) if level.rules == PUT else _constraint(level)


def tiles(level: Level) -> Encoded:
    """The model that is faithful to the game, or fills the board in reading order."""
    if level.rules == SWAP:
        return _swapping(level)
    return _putting(level) if level.rules == PUT else _filling(level)


def board(level: Level) -> Encoded:
    """The model with the positions and steps of the plain rules."""
    if level.rules:
        return tiles(level)
    number = len(level.tiles)
    on = _board(level)
    actions = []
    for cell, tile in ((cell, tile) for cell in range(number) for tile in range(1, number + 1)):
        guard = on[cell].literals(EMPTY) | {variable.bits[tile - 1]: False for variable in on}
        guard |= _beside(level, on, cell, tile, before=True)
        next_to_fill = Or(*on[cell - 1].bits) if cell else One
        update = {on[cell].bits[tile - 1]: True}
        actions.append(Action(str(tile), And(next_to_fill, conjunction(guard)), update, NOTHING))
    return _played(level, on, actions)


def _earlier_copies(level: Level) -> dict[int, int]:
    """By tile, as an index: the last one before it that looks the same and does not start on the board."""
    copies: dict[int, int] = {}
    last: dict[Tile, int] = {}
    for number, tile in enumerate(level.tiles):
        if number + 1 not in level.start:
            if tile in last:
                copies[number] = last[tile]
            last[tile] = number
    return copies


# The constraint.


def _constraint(level: Level) -> Encoded:
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
    for tile, before in _earlier_copies(level).items():
        for cell in range(number):
            here = first[on[cell].name]
            rows.append((-(here + tile), -(here + before)))
            rows.append((-(here + tile), *(first[on[other].name] + before for other in range(cell))))

    bits = tuple(b for variable in variables for b in variable.bits)
    goal = Clauses(bits, rows)

    def guess(watch: Watch) -> Bits | None:
        # Imported where it is needed: it takes a while.
        from puzzlemc.encodings.tetravex_search import search

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
    model = Model(variables, One, (), goal, {"solved": goal}, Hints(guess=guess if fast else None))

    def decode(state: Bits) -> Board:
        return tuple(1 + next(i for i, b in enumerate(variable.bits) if b in state) for variable in on)

    def moves(trace: Trace) -> list[str]:
        return [str(tile) for tile in decode(trace.states[-1])]

    def start(moves: Sequence[str]) -> Bits:
        return state_of([int(move) - 1 for move in moves])

    return Encoded(model, decode, moves, start)


# In reading order.


def _filling(level: Level) -> Encoded:
    """The model that fills the cells in reading order, past those that are filled already.

    Positions are (next cell, tiles used, colours along the frontier: south of the last tile in each column, east
    of the last tile in the row).
    """
    side, number = level.side, len(level.tiles)
    colours = sorted({colour for tile in level.tiles for colour in tile})
    cell = binary("cell", range(number + 1))
    used = [boolean("used", tile) for tile in range(number)]
    east = binary("east", colours)
    south = [binary(f"south{column}", colours) for column in range(side)]
    copies = _earlier_copies(level)
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
            # What no later tile meets is forgotten: that makes one state of many.
            update = cell.literals(at + 1) | {used[tile].bits[0]: True}
            update |= east.literals(kind.east if column < side - 1 else colours[0])
            update |= south[column].literals(kind.south if row < side - 1 else colours[0])
            name = "" if fixed is not None else str(tile + 1)
            if level.rules == PUT and name:
                name += f"@{place(level, at)}"
            actions.append(Action(name, conjunction(guard), update, NOTHING if fixed is not None else price))

    variables = (cell, east, *south, *used)
    initial = cell.literals(0) | east.literals(colours[0])
    for variable in south:
        initial |= variable.literals(colours[0])
    for variable in used:
        initial |= variable.literals(False)
    goal = cell.equals(number)
    model = Model(variables, conjunction(initial), tuple(actions), goal, {"solved": goal}, Hints(location=cell))

    def decode(state: Bits) -> Hashable:
        held = frozenset(tile + 1 for tile, variable in enumerate(used) if variable.bits[0] in state)
        return cell.read(state), held, tuple(variable.read(state) for variable in south), east.read(state)

    return Encoded(model, decode, _named)


def _named(trace: Trace) -> list[str]:
    """The names of the actions of a trace; one without a name is no move."""
    return [action.name for action in trace.actions if action.name]


# The games.


def _board(level: Level) -> list[Variable]:
    """By cell, the number of its tile, or EMPTY: a bit a tile."""
    number = len(level.tiles)
    found = []
    for cell in range(number):
        held = one_hot(f"on{cell}", range(1, number + 1))
        codes = ((False,) * number, *held.codes)
        found.append(Variable(held.name, (EMPTY, *held.values), held.bits, codes))
    return found


def _beside(
    level: Level, on: Sequence[Variable], cell: int, tile: int, *, before: bool = False
) -> dict[Bit, bool]:
    """The cube that says: no cell beside this one has a tile that does not fit the tile here.

    With `before`, only cells before it in reading order count.
    """
    side, kind = level.side, level.tiles[tile - 1]
    row, column = divmod(cell, side)
    cube: dict[Bit, bool] = {}
    for there, other, mine, theirs in [
        (row > 0, cell - side, kind.north, "south"),
        (column > 0, cell - 1, kind.west, "east"),
        (row < side - 1 and not before, cell + side, kind.south, "north"),
        (column < side - 1 and not before, cell + 1, kind.east, "west"),
    ]:
        if there:
            wrong = [i for i, beside in enumerate(level.tiles) if getattr(beside, theirs) != mine]
            cube |= {on[other].bits[i]: False for i in wrong}
    return cube


def _fitting(level: Level, on: Sequence[Variable]) -> Formula:
    """That all cells are full and the edges agree."""
    parts = []
    for cell, variable in enumerate(on):
        options = [
            conjunction(variable.literals(tile) | _beside(level, on, cell, tile, before=True))
            for tile in range(1, len(level.tiles) + 1)
        ]
        parts.append(Or(*options))
    return And(*parts)


def _initial(level: Level, on: Sequence[Variable]) -> dict[Bit, bool]:
    cube: dict[Bit, bool] = {}
    for variable, tile in zip(on, start(level), strict=True):
        cube |= variable.literals(tile)
    return cube


def _read(on: Sequence[Variable], state: Bits) -> Board:
    return tuple(int(str(variable.read(state))) for variable in on)


def _played(level: Level, on: Sequence[Variable], actions: Sequence[Action]) -> Encoded:
    """The model of a game on the whole board."""
    goal = _fitting(level, on)
    atoms = {"solved": goal}
    for cell, variable in enumerate(on):
        row, column = divmod(cell, level.side)
        atoms |= {f"{tile}@({row},{column})": b for tile, b in enumerate(variable.bits, 1)}
    model = Model(tuple(on), conjunction(_initial(level, on)), tuple(actions), goal, atoms)
    return Encoded(model, lambda state: _read(on, state), _named)


def _putting(level: Level) -> Encoded:
    """The model of `put` with the whole board."""
    number = len(level.tiles)
    on = _board(level)
    actions = []
    for cell, tile in ((cell, tile) for cell in range(number) for tile in range(1, number + 1)):
        if level.start[cell] == EMPTY and tile not in level.start:
            guard = on[cell].literals(EMPTY) | {variable.bits[tile - 1]: False for variable in on}
            guard |= _beside(level, on, cell, tile)
            update = {on[cell].bits[tile - 1]: True}
            actions.append(Action(f"{tile}@{place(level, cell)}", conjunction(guard), update, MOVE))
    return _played(level, on, actions)


def _swapping(level: Level) -> Encoded:
    """The model of `swap` with the whole board."""
    on = _board(level)
    actions = []
    for one, other in combinations(range(len(on)), 2):
        update: dict[Bit, bool | Formula] = {}
        for a, b in zip(on[one].bits, on[other].bits, strict=True):
            update |= {a: b, b: a}
        actions.append(Action(f"{place(level, one)}-{place(level, other)}", One, update, MOVE))
    return _played(level, on, actions)


def _sorting(level: Level) -> Encoded:
    """The model of `swap` that gives one cell after the other its tile for good."""
    number = len(level.tiles)
    on = _board(level)
    cell = binary("cell", range(number + 1))
    actions = []
    for at in range(number):
        for tile in range(1, number + 1):
            fits_here = cell.literals(at) | _beside(level, on, at, tile, before=True)
            onward = cell.literals(at + 1)
            guard = conjunction(fits_here | {on[at].bits[tile - 1]: True})
            actions.append(Action("", guard, onward, NOTHING))
            for other, old in product(range(at + 1, number), range(1, number + 1)):
                if old != tile:  # by naming both tiles, guard and update are plain
                    here, there = on[at].bits, on[other].bits
                    guard = conjunction(fits_here | {there[tile - 1]: True, here[old - 1]: True})
                    taken = {there[tile - 1]: False, here[old - 1]: False}
                    put = {here[tile - 1]: True, there[old - 1]: True}
                    name = f"{place(level, at)}-{place(level, other)}"
                    actions.append(Action(name, guard, onward | taken | put, MOVE))
    goal = cell.equals(number)
    initial = cell.literals(0) | _initial(level, on)
    model = Model((cell, *on), conjunction(initial), tuple(actions), goal, {"solved": goal}, Hints(location=cell))
    return Encoded(model, lambda state: (cell.read(state), _read(on, state)), _named)


PUZZLE = Puzzle(
    name="tetravex",
    metrics=METRICS,
    encodings={"compact": compact, "tiles": tiles, "board": board},
    start=start,
    steps=steps,
    solved=solved,
    write_trace=list,
    faithful="board",
    atoms={
        "solved": "every cell is full and the edges agree",
        "N@(r,c)": "tile N is on the cell in row r, column c, both from 0",
    },
)
