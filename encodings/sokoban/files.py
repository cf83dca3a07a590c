"""How Sokoban collections are written: as text, which is the same in `.xsb` and `.sok`, and as XML."""

from collections.abc import Callable, Sequence

from puzzlemc.encodings.puzzle import Format
from puzzlemc.screens import sokoban_notes, sokoban_slc
from puzzlemc.screens.part import About, Part
from puzzlemc.screens.sokoban import Level, draw


def _drawn(write: Callable[[About, Sequence[tuple[str, Part]]], str]) -> Format:
    return Format(lambda about, levels: write(about, [(_board(level), part) for level, part in levels]))


def _board(level: Level) -> str:
    return draw(level)


FORMATS = {
    ".xsb": _drawn(sokoban_notes.write),
    ".sok": _drawn(sokoban_notes.write),
    ".slc": _drawn(sokoban_slc.write),
}
