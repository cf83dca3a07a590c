"""The file formats of games: text, with any of the usual suffixes."""

from collections.abc import Sequence

from puzzlemc.encodings.puzzle.text import Format
from puzzlemc.mc.errors import ModelError
from puzzlemc.screens.base.part import About, Part
from puzzlemc.screens.puzzlescript import Level, written


def write(about: About, levels: Sequence[tuple[Level, Part]]) -> str:
    """The text of a game with some of its levels. Raises ModelError for levels of several games."""
    found = [level for level, _ in levels]
    if len({level.game.text for level in found}) > 1:
        raise ModelError("found levels of several games, expected those of one: they share its rules")
    return f"{written(found)}\n"


FORMATS = {".puzzlescript": Format(write), ".txt": Format(write)}
