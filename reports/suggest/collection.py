"""The suggested levels as a file of levels, in a format of the puzzle."""

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.reports.ask.convert import Converted, Target, written
from puzzlemc.reports.suggest.suggestion import Suggestions
from puzzlemc.reports.suggest.words import edits_in_words
from puzzlemc.screens.base.part import Part


def collection(entry: Entry, found: Suggestions, target: Target) -> Converted:
    """The suggested levels of a level, each with what was changed as its title.

    Raises ModelError if the format cannot hold them.
    """
    entries = []
    for place, each in enumerate(found.found, 1):
        title = f"{place}: {edits_in_words(each.edits)}"
        (part,) = entry.puzzle.screen.cut(each.level + "\n", entry.id)
        assert isinstance(part, Part)
        entries.append(Entry(f"suggestion {place}", title, entry.puzzle, part=part._replace(title=title)))
    return written(entries, target)
