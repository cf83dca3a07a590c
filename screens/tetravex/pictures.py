"""Tetravex positions as pictures."""

from functools import lru_cache

from puzzlemc.screens.base.picture import NUMBERED, Box, Label, Moved, Picture, Polygon, Shape, tile
from puzzlemc.screens.tetravex.level import EMPTY, Board, Level, Tile


def picture(level: Level, position: Board) -> Picture:
    """Return a position as a picture. A tile is four coloured triangles; unplaced tiles are beside the board."""
    board: list[Shape] = []
    pieces: list[Shape] = []
    side = level.side
    beside = waiting(level)
    for row in range(side):
        for column in range(side):
            board += [tile(row, column, "line"), tile(row, column, "floor", 0.02)]
    # Each unplaced tile has a place of its own, so that it does not move while others are put on the board.
    columns = -(-len(beside) // side) if beside else 0
    if EMPTY not in position:
        beside = {}  # all tiles are on the board, so no tray is shown
    for number, (row, column) in beside.items():
        if number in position:
            pieces.append(tile(row, column, "line", 0.3, 0.1))
        else:
            pieces += _triangles(level.tiles[number - 1], row, column)
    for cell, number in enumerate(position):
        if number != EMPTY:
            pieces += _triangles(level.tiles[number - 1], *divmod(cell, side))
    return Picture(side + 1 + columns if columns else side, side, tuple(board), tuple(pieces))


def moved(level: Level, before: Board, after: Board) -> Moved:
    """Return the tile that a move puts on the board, or both tiles that it swaps."""
    cells = {divmod(n, level.side): number for n, number in enumerate(after) if number != before[n]}
    beside = waiting(level)
    places = (beside[number] if number not in before else cell for cell, number in cells.items())
    return Moved(tuple(places), tuple(cells))


def waiting(level: Level) -> dict[int, tuple[int, int]]:
    """Return the tiles that are beside the board at the start, each with its place in the picture."""
    numbers = (number for number in range(1, len(level.tiles) + 1) if number not in level.start)
    places = (divmod(place, level.side) for place in range(len(level.tiles)))
    return {number: (row, level.side + 1 + column) for number, (column, row) in zip(numbers, places, strict=False)}


@lru_cache(maxsize=1 << 12)  # the picture of a graph has thousands of boards with the same tiles
def _triangles(shown: Tile, row: int, column: int) -> tuple[Shape, ...]:
    """Return a tile as shapes: four triangles that meet in the middle of the cell."""
    low, high, middle = 0.03, 0.97, 0.5
    corners = [(low, low), (high, low), (high, high), (low, high)]
    shapes: list[Shape] = [Box(column + low, row + low, high - low, high - low, "ink", 0.04)]
    for number, (colour, (x, y)) in enumerate(
        zip(
            (shown.north, shown.east, shown.south, shown.west),
            ((middle, 0.2), (0.8, middle), (middle, 0.8), (0.2, middle)),
            strict=True,
        )
    ):
        points = (corners[number], corners[(number + 1) % 4], (middle, middle))
        text = str(colour)
        place = tuple((column + across, row + down) for across, down in points)
        shapes.append(Polygon(place, str(colour % NUMBERED)))
        shapes.append(Label(column + x, row + y, text, min(0.27, 0.5 / len(text))))
    return tuple(shapes)
