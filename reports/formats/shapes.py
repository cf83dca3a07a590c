"""Pictures as lists for pages, which make elements of them: no text of a level ever becomes markup."""

from collections.abc import Iterable
from typing import Any

from puzzlemc.screens.base.picture import Box, Picture, Polygon, Shape


def picture(shown: Picture, *, board: bool = True) -> dict[str, Any]:
    """A picture; without its board if the page has that already."""
    found: dict[str, Any] = {"width": shown.width, "height": shown.height, "pieces": shapes(shown.pieces)}
    return found | {"board": shapes(shown.board)} if board else found


def shapes(those: Iterable[Shape]) -> list[list[Any]]:
    """Shapes as lists: a letter for the kind, and the fields."""
    return [_shape(each) for each in those]


def _shape(shape: Shape) -> list[Any]:
    if isinstance(shape, Box):
        place = [shape.x, shape.y, shape.width, shape.height, shape.radius]
        return ["b", shape.colour, *(round(each, 4) for each in place)]
    if isinstance(shape, Polygon):
        return ["p", shape.colour, [[round(x, 4), round(y, 4)] for x, y in shape.points]]
    return ["t", shape.colour, round(shape.x, 4), round(shape.y, 4), shape.size, shape.text, shape.from_left]
