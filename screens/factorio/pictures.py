"""Factorio layouts as pictures in the style of blueprints: light lines on blue, items in colours.

A belt has an arrow in its direction, the colour of its item, and its inflow in items a minute. An inserter is an
arm from the cell that it takes from to the cell that it gives to. Below the grid is a key to the colours. Data
that the layout does not have is not drawn.
"""

from dataclasses import replace
from fractions import Fraction

from puzzlemc.screens.base.picture import NUMBERED, Box, Label, Picture, Polygon, Shape, tile
from puzzlemc.screens.factorio.level import STEP, Cell, Layout, Level, area

LINE = 0.02  # half of the width of the grid's lines
KEY = 0.6  # height of a row of the key to the colours
MOST_LETTERS = 24
RATE = 0.28  # height of the letters of a rate
LOW = 0.81  # the middle of a rate in the lower part of a cell
# The middle of an inserter's rate, by the row step of its direction: away from the tip of the arm.
TAIL = {-1: LOW, 0: LOW, 1: 1 - LOW}


def picture(level: Level, layout: Layout) -> Picture:
    """Return a layout and the key to its colours as a picture."""
    width, height = level.width, level.height
    colour = {item: str(number % NUMBERED) for number, item in enumerate(level.items)}
    board: list[Shape] = [Box(0, 0, width, height + KEY * len(colour) + 0.2, "plan")]
    for column in range(width + 1):
        board.append(Box(min(max(column - LINE, 0), width - 2 * LINE), 0, 2 * LINE, height, "plan line"))
    for row in range(height + 1):
        board.append(Box(0, row - LINE if row else 0, width, 2 * LINE, "plan line"))
    for number, (item, name) in enumerate(colour.items()):
        y = height + 0.2 + KEY * number
        board.append(Box(0.25, y, 0.4, 0.4, name, 0.08))
        board.append(replace(_text(0.85, y + 0.2, item, 0.3, width - 0.95, "chalk"), from_left=True))
    for port in (*level.inputs, *level.outputs):
        board.append(tile(*port.cell, "goal", 0.03, 0.12))
        board.append(tile(*port.cell, "plan", 0.1, 0.08))
        kind = "in" if port in level.inputs else "out"
        board.append(Label(port.cell[1] + 0.5, port.cell[0] + 0.5, kind, 0.3, "chalk"))
    pieces: list[Shape] = []
    for (row, column), name in layout.assemblers:
        pieces.append(Box(column - 1 + 0.08, row - 1 + 0.08, 2.84, 2.84, "chalk", 0.25))
        pieces.append(Box(column - 1 + 0.14, row - 1 + 0.14, 2.72, 2.72, "machine", 0.2))
        pieces.append(_text(column + 0.5, row + 0.5, name, 0.45, 2.6, "chalk"))
    for row in range(layout.height):
        for column in range(layout.width):
            cell = row, column
            item = layout.items[row][column] if layout.items else ""
            name = colour.get(item, "chalk")
            rate = layout.inflow[row][column] if layout.inflow else None
            if layout.belts[row][column]:
                pieces += _belt(cell, STEP[layout.belts[row][column]], name, rate)
            if layout.inserters[row][column]:
                pieces += _inserter(cell, STEP[layout.inserters[row][column]], name, rate)
    return Picture(width, height + KEY * len(colour) + 0.2, tuple(board), tuple(pieces))


def tints(level: Level, layout: Layout) -> list[list[str]]:
    """Return the name of the colour of each cell: that of the item that the cell carries or makes."""
    colour = {item: str(number % NUMBERED) for number, item in enumerate(level.items)}
    found = [[colour.get(item, "") for item in row] for row in layout.items] or [
        [""] * layout.width for _ in range(layout.height)
    ]
    gives = {recipe.name: recipe.gives[0] for recipe in level.recipes}
    for centre, name in layout.assemblers:
        for row, column in area(centre):
            found[row][column] = colour[gives[name]]
    return found


def _belt(cell: Cell, step: Cell, colour: str, rate: Fraction | None) -> list[Shape]:
    shapes: list[Shape] = [tile(*cell, colour, 0.08, 0.1)]
    chevron = ((-0.15, -0.2), (0, -0.2), (0.17, 0), (0, 0.2), (-0.15, 0.2), (0.02, 0))
    shapes.append(_turned(cell, step, chevron, "ink", -0.1))
    return shapes + _rate(cell, rate, "ink")


def _inserter(cell: Cell, step: Cell, colour: str, rate: Fraction | None) -> list[Shape]:
    arm = ((-0.48, -0.05), (0.2, -0.05), (0.2, -0.2), (0.48, 0), (0.2, 0.2), (0.2, 0.05), (-0.48, 0.05))
    return [
        tile(*cell, "chalk", 0.29, 0.21),
        tile(*cell, "machine", 0.33, 0.17),
        _turned(cell, step, arm, colour),
        *_rate(cell, rate, "chalk", TAIL[step[0]], "machine"),
    ]


def _turned(
    cell: Cell, step: Cell, points: tuple[tuple[float, float], ...], colour: str, lower: float = 0.0
) -> Polygon:
    """Return a shape around the middle of a cell; points are (along the direction, to its right)."""
    down, right = step
    row, column = cell
    turned = (
        (column + 0.5 + along * right - aside * down, row + 0.5 + lower + along * down + aside * right)
        for along, aside in points
    )
    return Polygon(tuple((round(x, 3), round(y, 3)) for x, y in turned), colour)


def _rate(
    cell: Cell, rate: Fraction | None, colour: str, down: float = LOW, ground: str | None = None
) -> list[Shape]:
    """Return a rate as a label in the middle of a cell's width, on a background of colour `ground` if given."""
    if rate is None:
        return []
    text = str(rate) if rate.denominator == 1 else f"{float(rate):.1f}"
    row, column = cell
    label = _text(column + 0.5, row + down, text, RATE, 0.9, colour)
    wide = 0.6 * label.size * len(label.text) + 0.06
    box = Box(column + 0.5 - wide / 2, row + down - RATE / 2, wide, RATE, ground or "", 0.05)
    return [box, label] if ground is not None else [label]


def _text(x: float, y: float, text: str, size: float, width: float, colour: str) -> Label:
    """Return a text as a label that fits the width."""
    text = text if len(text) <= MOST_LETTERS else text[: MOST_LETTERS - 1] + "…"
    return Label(x, y, text, min(size, 1.7 * width / max(1, len(text))), colour)
