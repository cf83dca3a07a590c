"""How the words of a legend look: shapes of one cell.

A look is

    a colour               the cell is filled: `wall`, `blue`, `#445566`
    a figure and a colour  `disc red`, `dot goal` (a small disc), `block 3` (a square with round corners)
    a short text           up to three characters on a block; an emoji stands alone
    a sprite               five rows of five digits, each a colour, and `.` for none
    several looks          in a tuple or a list, painted in this order

A colour is a name, `#rrggbb`, or, in a figure and a sprite, one of ten digits. Names and digits have one colour
for light pages and one for dark ones.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TypeAlias

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.nearest import nearest
from puzzlemc.screens.base.picture import COLOURS, NUMBERED, Box, Label, Shape, disc, is_literal, tile
from puzzlemc.screens.modelling.legend import Legend

Look: TypeAlias = str | Sequence[str]
Shapes: TypeAlias = tuple[Shape, ...]

# Common names of colours, and the names that pictures have for them.
NAMES = {
    "grey": "0",
    "gray": "0",
    "red": "1",
    "blue": "2",
    "yellow": "3",
    "green": "4",
    "purple": "5",
    "orange": "6",
    "teal": "7",
    "pink": "8",
    "brown": "9",
    "black": "ink",
    "white": "#ffffff",
}
FIGURES = ("disc", "dot", "block")
SIDE = 5  # rows and columns of a sprite
LONGEST = 3  # characters of a text
FIRST_EMOJI = "\U0001f000"  # characters from here on have colours of their own

_SIZES = {1: 0.6, 2: 0.5, 3: 0.36}  # of a text by its length
_JOINERS = re.compile("[\ufe0e\ufe0f\u200d\u20e3\U0001f3fb-\U0001f3ff]")  # which are no characters of their own
_FIGURE = re.compile(rf"({'|'.join(FIGURES)})\s+(\S+)", re.IGNORECASE)
_SPRITE_ROW = re.compile(rf"[0-9.]{{{SIDE}}}")


def looks(legend: Legend, given: Mapping[str, Look] | None = None) -> dict[str, Shapes]:
    """Return the shapes of each word, in the upper left cell. Raises ModelError.

    A word without a look is a colour, if it is the name of one; otherwise its place in the legend decides on its
    colour. The first ground below other words looks like `floor`, if there is no such word. What lies on others is
    a disc, or a larger block if something may lie on it; with a letter if the word names no colour.
    """
    given = {} if given is None else given
    if not isinstance(given, Mapping):
        raise ModelError(f"look: found {given!r}, expected words and looks, as {{'wall': 'grey'}}")
    for word in given:
        legend.check(word, "look")
    under = {word for words in legend.words.values() for word in words[1:]}
    named = {word: _colour(word) for word in legend.order}
    grounds = [word for word in legend.order if word in legend.grounds & under]
    if grounds and "floor" not in named and "floor" not in given.values():
        named[grounds[0]] = named[grounds[0]] or "floor"
    found = {}
    for place, word in enumerate(legend.order):
        number = str(1 + place % (NUMBERED - 1))
        if word in given:
            found[word] = _shapes(given[word], number, f"look: {word}")
            continue
        colour = named[word] or number
        if word in legend.grounds:
            found[word] = filled(colour)
        else:
            figure = _figure("block" if word in under else "disc", colour)
            found[word] = figure if named[word] else (*figure, _label(word[:1].upper()))
    return found


def filled(colour: str) -> Shapes:
    """Return the shapes of a cell with a colour and a thin line around it; walls have no lines between them."""
    return (tile(0, 0, colour),) if colour == "wall" else (tile(0, 0, "line"), tile(0, 0, colour, 0.015))


def placed(shapes: Shapes, row: int, column: int) -> list[Shape]:
    """Return shapes of the upper left cell in another cell."""
    found: list[Shape] = []
    for shape in shapes:
        if isinstance(shape, Label):
            found.append(Label(column + shape.x, row + shape.y, shape.text, shape.size, shape.colour))
        else:
            assert isinstance(shape, Box)  # looks have no polygons
            x, y = column + shape.x, row + shape.y
            found.append(Box(x, y, shape.width, shape.height, shape.colour, shape.radius))
    return found


def _shapes(look: object, number: str, where: str) -> Shapes:
    """Return the shapes of a look. `number` is the colour of the block below a text. Raises ModelError."""
    if isinstance(look, (tuple, list)) and look:
        found: Shapes = ()
        for each in look:
            shapes = _one(each, number, where)
            texts = tuple(shape for shape in shapes if isinstance(shape, Label))
            found += texts if found and texts else shapes  # a text needs no block on what is painted before
        return found
    return _one(look, number, where)


def _one(look: object, number: str, where: str) -> Shapes:
    if not isinstance(look, str) or not look.strip():
        raise ModelError(f"{where}: found {look!r}, expected a text, or several in a tuple")
    text = look.strip()
    if "\n" in text:
        return _sprite([row.strip() for row in text.split("\n")], where)
    if figure := _FIGURE.fullmatch(text):
        colour = figure[2] if figure[2] in COLOURS else _colour(figure[2])
        if colour is None:
            raise ModelError(f"{where}: found the colour {figure[2]!r}, expected {_expected(figure[2])}")
        return _figure(figure[1].lower(), colour)
    if colour := _colour(text):
        return filled(colour)
    if text.startswith("#") and len(text) > 1:
        raise ModelError(f"{where}: found {text!r}, expected a colour as #445566")
    length = len(_JOINERS.sub("", text))
    if length > LONGEST:
        figures = ", ".join(f"{name} COLOUR" for name in FIGURES)
        expected = f"{figures}, at most {LONGEST} characters, a sprite of {SIDE} rows, or {_expected(text)}"
        raise ModelError(f"{where}: found {text!r}, expected {expected}")
    return (_label(text),) if max(text) >= FIRST_EMOJI else (*_figure("block", number), _label(text))


def _colour(word: str) -> str | None:
    """Return the colour of a word that is no digit, as pictures name it; None if it is no colour."""
    word = word.lower()
    if word in NAMES:
        return NAMES[word]
    return word if is_literal(word) or (word in COLOURS and not word.isdecimal()) else None


def _expected(word: str) -> str:
    """Return the colours in words, and those that are like a word."""
    known = [*NAMES, *(name for name in COLOURS if not name.isdecimal())]
    return f"a colour: {', '.join(known)} or #445566{nearest(word, known)}"


def _figure(name: str, colour: str) -> Shapes:
    if name == "block":
        return (tile(0, 0, colour, 0.1, 0.16),)
    return (disc(0, 0, colour, 0.38 if name == "disc" else 0.16),)


def _label(text: str) -> Label:
    length = len(_JOINERS.sub("", text))
    size = 0.7 if length == 1 and max(text) >= FIRST_EMOJI else _SIZES.get(length, 0.6)
    return Label(0.5, 0.52, text, size)


def _sprite(rows: list[str], where: str) -> Shapes:
    """Return a sprite as rectangles: runs of one colour in a row, and equal rows as one."""
    if len(rows) != SIDE:
        raise ModelError(f"{where}: found a sprite of {len(rows)} rows, expected {SIDE}")
    for number, row in enumerate(rows, 1):
        if not _SPRITE_ROW.fullmatch(row):
            expected = f"{SIDE} digits, or . where there is no colour"
            raise ModelError(f"{where}: found {row!r} in row {number} of the sprite, expected {expected}")
    found: list[Shape] = []
    top = 0
    for row, equal in groupby(rows):
        height = len(list(equal))
        left = 0
        for colour, run in groupby(row):
            width = len(list(run))
            if colour != ".":
                found.append(Box(left / SIDE, top / SIDE, width / SIDE, height / SIDE, colour))
            left += width
        top += height
    return tuple(found)
