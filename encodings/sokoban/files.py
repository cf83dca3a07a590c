"""The file formats of Sokoban collections: text, the same for `.xsb` and `.sok`, and XML (`.slc`)."""

from collections.abc import Callable, Sequence

from puzzlemc.encodings.puzzle.text import Format
from puzzlemc.screens.base.part import About, Part
from puzzlemc.screens.sokoban import draw, notes, slc


def _drawn(write: Callable[[About, Sequence[tuple[str, Part]]], str]) -> Format:
    return Format(lambda about, levels: write(about, [(draw(level), part) for level, part in levels]))


FORMATS = {
    ".xsb": _drawn(notes.write),
    ".sok": _drawn(notes.write),
    ".slc": _drawn(slc.write),
}
