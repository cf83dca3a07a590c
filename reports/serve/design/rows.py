"""In a worker: the rows of a level in its text, as a sheet to draw on."""

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.drawing import Sheet
from puzzlemc.encodings.puzzles import Entry


def rows_of(rules: Puzzle, given: Entry, text: str) -> Sheet | None:
    """The rows of a level that `text` holds, with the lines above and below them.

    None if the level is written in another way, such as in one line. Small and capital letters are one sign where
    signs are those of a legend.
    """
    if rules.drawing is not None:
        return rules.drawing().sheet(text)
    part = given.part
    assert part is not None
    shown = rules.picture(given.level, rules.rules.start(given.level))
    lines, first, left = text.split("\n"), part.line - 1, (part.column or 1) - 1
    rows = [[*line[left : left + int(shown.width)].lower()] for line in lines[first : first + int(shown.height)]]
    return Sheet("\n".join(lines[:first]), rows, "\n".join(lines[first + len(rows) :]))
