"""The file format of Folding Blocks boards."""

from collections.abc import Sequence

from puzzlemc.encodings.puzzle.text import Format
from puzzlemc.screens.base.comments import written
from puzzlemc.screens.base.part import About, Part
from puzzlemc.screens.folding import Level, draw


def _write(about: About, levels: Sequence[tuple[Level, Part]]) -> str:
    texts = []
    is_named = False  # then a board without an author needs a line that says so
    for level, part in levels:
        text = draw(level)
        texts.append((f"Author:\n{text}" if is_named and not level.author else text, part.comment))
        is_named = is_named or bool(level.author)
    return written(about.comment, texts)


FORMATS = {".fold": Format(_write)}
