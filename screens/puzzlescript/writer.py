"""PuzzleScript levels and positions as text."""

from collections import Counter
from collections.abc import Mapping, Sequence
from string import ascii_lowercase
from typing import Protocol

from puzzlemc.screens.puzzlescript.game import Game, Level
from puzzlemc.screens.puzzlescript.level import backgrounds

_SPARE = ascii_lowercase + "0123456789" + "".join(map(chr, range(0xC0, 0x250)))


class Position(Protocol):
    """A position of the plain rules: the objects of each cell, by rows."""

    @property
    def cells(self) -> tuple[frozenset[str], ...]:
        """The objects of each cell."""


def draw(level: Level, position: Position | None = None, /) -> str:
    """Write the game with this level alone, or the rows of a position; no newline at the end.

    A cell is the character of the legend that means its objects. Below the rows of a position, further characters
    are defined for cells without one.
    """
    if position is None:
        rows, legend = _rows(level, level.cells)
        title = f"message {level.title}\n\n" if level.title else ""
        text = f"{level.game.text}\n\n{title}{rows}".lstrip("\n")
        return f"{text}\n\n{legend}" if legend else text
    rows, legend = _rows(level, position.cells)
    return f"{rows}\n\n{legend}" if legend else rows


def _rows(level: Level, cells: Sequence[frozenset[str]]) -> tuple[str, str]:
    """Return rows of characters, and the definitions of characters that the game has not."""
    signs, width = _signs(level), level.width
    new: dict[frozenset[str], str] = {}
    spare = iter(sign for sign in _SPARE if sign not in level.game.signs and sign not in level.game.properties)
    text = ""
    for objects in cells:
        if objects not in signs and objects not in new:
            new[objects] = next(spare, "?")
        text += signs.get(objects) or new[objects]
    legend = [f"{sign} = {' and '.join(_ordered(level.game, objects))}" for objects, sign in new.items()]
    rows = (text[start : start + width] for start in range(0, len(text), width))
    return "\n".join(rows), "\n".join(legend)


def _ordered(game: Game, objects: frozenset[str]) -> list[str]:
    return [name for name in game.objects if name in objects] or ["nothing"]


def _signs(level: Level) -> Mapping[frozenset[str], str]:
    """Return a character for each content of a cell.

    A character that names the background itself comes before one that leaves it out: so the first background that
    is written, which fills the other cells, stays the same.
    """
    game = level.game
    grounds = backgrounds(game)
    usable = sorted((item for item in game.signs.items() if item[0].strip()), key=lambda item: item[0] == "=")
    found: dict[frozenset[str], str] = {}
    for sign, objects in usable:
        if objects & grounds:
            found.setdefault(objects, sign)
    filled = Counter(each for objects in level.cells if objects not in found for each in objects & grounds)
    all_grounds = filled or Counter(each for objects in level.cells for each in objects & grounds)
    ground = all_grounds.most_common(1)[0][0]
    for sign, objects in usable:
        if not objects & grounds:
            found.setdefault(objects | {ground}, sign)
    return found
