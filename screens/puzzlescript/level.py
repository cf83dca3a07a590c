"""Builds a level of a game from its rows."""

from collections.abc import Mapping, Sequence

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.puzzlescript.game import Game, Level, Warning
from puzzlemc.screens.puzzlescript.source import lower
from puzzlemc.screens.puzzlescript.winning import won

MAX_CELLS = 1 << 16  # of a level


def built(game: Game, rows: Sequence[tuple[int, int, str]], number: int, title: str, source: str) -> Level:
    """Return a level. Each row has its line and its first column in `source`, from 1.

    The first row has the width. A shorter row goes on with its last character, a longer one is cut. A cell without
    a background gets the first background of the level, by columns, or that of the game. Raises LevelError for
    characters that stand for nothing, for more than MAX_CELLS cells, and for a start as in `_check_start`.
    """
    width, height = len(rows[0][2]), len(rows)
    if width * height > MAX_CELLS:
        message = f"found a level of {width} × {height} cells, expected at most {MAX_CELLS}"
        raise LevelError(message, source=source, line=rows[0][0])
    signs = [lower(text) for _, _, text in rows]
    _check(game, rows, signs, width, source)
    padded = [text[:width] + text[-1:] * (width - len(text)) for text in signs]
    grounds = backgrounds(game)
    explicit = {sign: next(iter(objects & grounds), "") for sign, objects in game.signs.items()}
    by_columns = (row[column] for column in range(width) for row in padded)
    ground = next(filter(None, map(explicit.__getitem__, by_columns)), game.background)
    content = filled(game, ground)
    cells = tuple(content[sign] for row in padded for sign in row)
    warnings = tuple(
        Warning(line, column, f"found a row of {len(text)} characters, expected {width} as in the first row")
        for line, column, text in rows
        if len(text) != width
    )
    _check_start(game, cells, source, rows[0][0])
    return Level(game, number, title, width, height, cells, warnings)


def filled(game: Game, ground: str) -> Mapping[str, frozenset[str]]:
    """Return the objects of each character of a level whose other cells have this background."""
    grounds = backgrounds(game)
    return {sign: objects if objects & grounds else objects | {ground} for sign, objects in game.signs.items()}


def backgrounds(game: Game) -> frozenset[str]:
    """Return the objects of the layer of the background."""
    return next(frozenset(layer) for layer in game.layers if game.background in layer)


def _check_start(game: Game, cells: Sequence[frozenset[str]], source: str, line: int) -> None:
    """Raise LevelError for a start at which a restart wins, if a checkpoint may take its place later."""
    commands = {command for rule in game.rules for command in rule.commands}
    if {"checkpoint", "restart"} <= commands and won(game, cells):
        message = "found a level whose win conditions hold at its start, expected others beside a checkpoint"
        raise LevelError(f"{message} and a restart", source=source, line=line)


def _check(
    game: Game, rows: Sequence[tuple[int, int, str]], signs: Sequence[str], width: int, source: str
) -> None:
    """Raise LevelError at the first character that is no object, synonym or aggregate."""
    for (line, column, text), low in zip(rows, signs, strict=True):
        for place, sign in enumerate(low):
            is_read_over = place >= width and (sign.isspace() or sign == ")")
            if sign not in game.signs and not is_read_over:
                expected = "the character of an object or of an aggregate of the legend"
                why = ": this one is a property, one of several objects" if sign in game.properties else ""
                message = f"found {text[place : place + 1]!r}, expected {expected}{why}"
                raise LevelError(message, source=source, line=line, column=column + place)
