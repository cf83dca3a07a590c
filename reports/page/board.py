"""Boards on a page: a single picture, a picture with marks, or a film; a script shows one picture of a film.

The page contains the common shapes of all pictures of a level once, as `#board`; each picture refers to them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from puzzlemc.reports.formats.drawing import Film, extent, svg_group, svg_shapes
from puzzlemc.reports.output.plain import xml
from puzzlemc.screens.base.picture import Cell, Label, Picture, Shape

STORYBOARD = 8  # pictures of a solution, in print
LEGIBLE = 7.0  # pixels of the smallest text; a board that is too wide for a telephone can be scrolled
MOST_PIXELS = 900.0  # the largest width of a scrolled board


def view(shown: Film | Picture, label: str, inside: str, texts: Iterable[Shape] = ()) -> str:
    """The element that contains a picture and scales with the page; the `texts` must stay legible."""
    sizes = [shape.size for shape in texts if isinstance(shape, Label)]
    least = min(MOST_PIXELS, shown.width * LEGIBLE / min(sizes)) if sizes else 0.0
    look = f"--columns:{shown.width:g};--rows:{shown.height:g}" + (f";--least:{least:.0f}px" if least else "")
    box = f'viewBox="0 0 {shown.width:g} {shown.height:g}" style="{look}"'
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" class="level" {box} role="img" aria-label="{xml(label)}">'
    return f'<div class="board">{picture}{inside}</svg></div>'


def stage(shown: Film, name: str, label: str, board: str) -> str:
    """The film as an element with this name; of its groups of shapes, those of the first picture are visible."""
    first = frozenset(shown.frames[0])
    groups = "".join(
        svg_group(shapes, attributes="" if place in first else ' visibility="hidden"')
        for place, shapes in enumerate(shown.groups)
    )
    texts = [shape for shapes in (shown.board, *shown.groups) for shape in shapes]
    return view(shown, label, f'{board}<g id="{name}">{groups}</g>', texts)


def board(shown: Film) -> str:
    """The common parts of the pictures, to which other elements refer."""
    return f'<g id="board">{svg_shapes(shown.board)}</g>'


def fitted(picture: Picture) -> Picture:
    """The picture without empty cells at its right and bottom."""
    if not (shapes := picture.board + picture.pieces):
        return picture
    _, _, right, bottom = (max(side) for side in zip(*map(extent, shapes), strict=True))
    return replace(picture, width=min(picture.width, right), height=min(picture.height, bottom))


BOARD = '<use href="#board"/>'


def still(picture: Picture, label: str, marks: str = "") -> str:
    """A picture with marks on top."""
    texts = picture.board + picture.pieces
    return view(picture, label, f"{BOARD}{svg_shapes(picture.pieces)}{marks}", texts)


def storyboard(pictures: Sequence[Picture]) -> list[tuple[int, str]]:
    """A few evenly spaced pictures of a solution, each with the number of its step."""
    last = len(pictures) - 1
    many = min(STORYBOARD, last + 1)
    steps = [round(place * last / (many - 1)) for place in range(many)]
    return [(step, still(pictures[step], f"after step {step}")) for step in steps]


# Marks


def ringed(cells: Iterable[Cell]) -> str:
    """Rings around cells of the picture."""
    place = 'width=".92" height=".92" rx=".16"'
    return "".join(
        f'<rect class="ring" x="{column + 0.04:g}" y="{row + 0.04:g}" {place}/>' for row, column in sorted(cells)
    )


def arrow(before: Sequence[Cell], after: Sequence[Cell]) -> str:
    """An arrow from the centre of some cells to the centre of others; empty if both are the same."""
    if not before or not after:
        return ""
    (y, x), (top, left) = _middle(before), _middle(after)
    length = ((left - x) ** 2 + (top - y) ** 2) ** 0.5
    if length < 0.5:
        return ""
    along, down = (left - x) / length, (top - y) / length
    # From inside the first cell to the centre of the last one; the head is half a cell wide.
    x, y = x + 0.15 * along, y + 0.15 * down
    neck_x, neck_y = left - 0.28 * along, top - 0.28 * down
    head = f"M{left:.2f} {top:.2f}L{neck_x - 0.24 * down:.2f} {neck_y + 0.24 * along:.2f}"
    head += f"L{neck_x + 0.24 * down:.2f} {neck_y - 0.24 * along:.2f}z"
    shaft = f'<path class="arrow" d="M{x:.2f} {y:.2f}L{neck_x:.2f} {neck_y:.2f}"/>'
    return f'{shaft}<path class="arrow head" d="{head}"/>'


def _middle(cells: Sequence[Cell]) -> tuple[float, float]:
    rows, columns = zip(*cells, strict=True)
    return sum(rows) / len(cells) + 0.5, sum(columns) / len(cells) + 0.5
