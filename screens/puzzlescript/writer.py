"""PuzzleScript levels and positions as text."""

from collections import Counter
from collections.abc import Mapping, Sequence
from string import ascii_lowercase
from typing import Protocol

from puzzlemc.mc.errors import ModelError
from puzzlemc.screens.puzzlescript.game import Game, Level
from puzzlemc.screens.puzzlescript.level import backgrounds
from puzzlemc.screens.puzzlescript.lines import read

RULES_AT_START = "run_rules_on_level_start"

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
        return written([level])
    new: dict[frozenset[str], str] = {}
    rows = _rows(level, position.cells, new)
    return "\n".join([rows, "", *_definitions(level.game, new)]) if new else rows


def rows_of(level: Level) -> str | None:
    """Return the rows of a level in characters of its game; None if the game has none for a cell."""
    new: dict[frozenset[str], str] = {}
    rows = _rows(level, level.cells, new)
    return None if new else rows


def written(levels: Sequence[Level]) -> str:
    """Write levels of one game as a game; no newline at the end.

    The legend gets further characters for cells without one. If the rules at the start of the levels were applied
    already, the game applies none. Raises ModelError for a cell that no text means: a rule that draws can put two
    objects of one collision layer there.
    """
    game = levels[0].game
    for level in levels:
        _refuse_crowds(level)
    new: dict[frozenset[str], str] = {}
    parts = []
    for level in levels:
        parts += [f"message {level.title}"] * bool(level.title) + [_rows(level, level.cells, new)]
    return "\n\n".join([_head(game, new, begun=any(level.begun for level in levels)), *parts]).lstrip("\n")


def _refuse_crowds(level: Level) -> None:
    for number, objects in enumerate(level.cells):
        for layer in level.game.layers:
            if len(both := [name for name in layer if name in objects]) > 1:
                row, column = divmod(number, level.width)
                raise ModelError(
                    f"the position cannot be written: found {' and '.join(both)} in row {row + 1}, "
                    f"column {column + 1}, expected one object of each collision layer"
                )


def _head(game: Game, new: Mapping[frozenset[str], str], *, begun: bool) -> str:
    """Return the text of a game up to its levels, with definitions of new characters at the top of its legend."""
    begun &= game.run_rules_on_level_start
    if not new and not begun:
        return game.text
    source, lines = read(game.text), game.text.split("\n")
    if begun:
        lines[source.metadata[RULES_AT_START][1] - 1] = ""
    lines[source.legend : source.legend] = _definitions(game, new)
    return "\n".join(lines)


def _rows(level: Level, cells: Sequence[frozenset[str]], new: dict[frozenset[str], str]) -> str:
    """Return rows of characters; add to `new` those that the game has not."""
    signs, width = _signs(level), level.width
    taken = {*level.game.signs, *level.game.properties, *new.values()}
    spare = (sign for sign in _SPARE if sign not in taken)
    text = ""
    for objects in cells:
        if objects not in signs and objects not in new:
            new[objects] = next(spare, "?")
        text += signs.get(objects) or new[objects]
    return "\n".join(text[start : start + width] for start in range(0, len(text), width))


def _definitions(game: Game, new: Mapping[frozenset[str], str]) -> list[str]:
    return [f"{sign} = {' and '.join(_ordered(game, objects))}" for objects, sign in new.items()]


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
