"""The atoms of boards of rules alone: which words of the legend are at which places, as positions are shown."""

import re
from collections.abc import Hashable, Iterator, Mapping

from puzzlemc.encodings.puzzle.encoded import Place, placed
from puzzlemc.screens.modelling.grid import GridReader
from puzzlemc.screens.modelling.screen import Level, TextScreen

MOST_ATOMS = 1 << 12
WORD = re.compile(r"(?!(?:and|or|not|true|false)\Z)[a-z][a-z0-9_]*")  # of formulas

Places = Mapping[str, Mapping[Place, str]]  # word -> place -> name of the atom


def places_of(screen: TextScreen, level: Level, start: Hashable) -> Places:
    """The atoms of a level: of each word that is shown at the start, one for each cell.

    None if positions are not shown as boards, or if there are more than MOST_ATOMS.
    """
    things = screen.things(level, start) if isinstance(screen.reader, GridReader) else None
    words = [word for word in things or () if WORD.fullmatch(word)]
    cells = level.data.cells if words else ()
    return {word: placed(word, cells) for word in words} if len(words) * len(cells) <= MOST_ATOMS else {}


def held(screen: TextScreen, level: Level, places: Places, position: Hashable) -> Iterator[str]:
    """Yield the atoms that hold in a position."""
    things = (screen.things(level, position) if places else None) or {}
    for word, names in places.items():
        for place in things.get(word, ()):
            if place in names:
                yield names[place]
