"""The reader of levels that are boards: rows of signs, which a legend explains; and how positions are shown."""

from collections.abc import Iterable, Iterator, Mapping

from puzzlemc.screens.base.decoded import normalized
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.base.picture import Picture, Shape
from puzzlemc.screens.modelling import pictures
from puzzlemc.screens.modelling.board import Grid
from puzzlemc.screens.modelling.cutting import lines_of
from puzzlemc.screens.modelling.legend import BLANK, Legend, listed
from puzzlemc.screens.modelling.look import Look, Shapes, looks
from puzzlemc.screens.modelling.pictures import Things


class GridReader:
    """Reads boards.

    looks   the shapes of each word, in the upper left cell
    single  the words that each level has exactly once
    """

    def __init__(self, legend: Legend, looks: Mapping[str, Shapes], single: tuple[str, ...]) -> None:
        """Read boards of these signs."""
        self.legend, self.looks, self.single = legend, looks, single
        self._board: tuple[tuple[Grid, frozenset[str]], tuple[Shape, ...]] | None = None  # of the last picture
        self.expected = f"rows of the signs {legend.known}"

    def read(self, part: Part) -> Grid:
        """Return the board of a text. Raises LevelError."""
        found = Grid(self.legend, part, lines_of(part))
        if not found.columns:
            raise LevelError(
                f"found a board without cells, expected {self.expected}", source=part.source, line=part.line
            )
        for word in self.single:
            found.one(word)
        return found

    def refuse_blanks(self, parts: Iterator[Part | LevelError], text: str) -> Iterator[Part | LevelError]:
        """Yield the levels of a text, with an error in the place of a level that may go on in a line of blanks.

        Where blanks are cells, such a line looks like a row, but separates levels.
        """
        if BLANK not in self.legend.words:
            yield from parts
            return
        lines = normalized(text).split("\n")
        for part in parts:
            if isinstance(part, Part):
                beside = (part.line - 1, part.line + part.text.count("\n") + 1)
                at = next(
                    (n for n in beside if 1 <= n <= len(lines) and lines[n - 1] and not lines[n - 1].strip()), 0
                )
                if at:
                    message = (
                        "found a line of blanks, expected _ for a row of them, or an empty line between levels"
                    )
                    yield LevelError(message, source=part.source, line=at)
                    continue
            yield part

    def draw(self, level: Grid, things: Things) -> str:
        """Return a position as rows of signs. Raises ModelError for an unknown word or place."""
        return pictures.drawn(level, self.legend, things)

    def picture(self, level: Grid, things: Things) -> Picture:
        """Return a position as a picture: things are painted over what stays.

        Raises ModelError for an unknown word or place.
        """
        pieces = pictures.pieces(level, self.legend, self.looks, things)
        key, kept = (level, frozenset(things)), self._board
        if kept is None or kept[0] != key:  # the next position is often of the same level
            self._board = kept = key, pictures.board(level, self.legend, self.looks, things.keys())
        return Picture(level.columns, level.rows, kept[1], pieces)

    def things(self, level: Grid, rows: str) -> Things | None:
        """Return the places of all words in rows of signs; None if they are no board of this size."""
        part = Part("", 1, rows, "", "")
        try:
            found = Grid(self.legend, part, lines_of(part))
        except (LevelError, ValueError):
            return None
        if (found.rows, found.columns) != (level.rows, level.columns):
            return None
        return {word: found.find(word) for word in self.legend.order}


def grid(
    legend: Mapping[str, str], look: Mapping[str, Look] | None = None, single: str | Iterable[str] = ()
) -> GridReader:
    """Return the reader of boards with this legend. Raises ModelError.

    legend  what each sign stands for: `{"#": "wall", ".": "floor", "@": "sledge on floor"}`
    look    how words look: `{"wall": "grey", "sledge": "disc blue"}`
    single  words that each level has exactly once, such as the player
    """
    signs, once = Legend(legend), listed(single)
    for word in once:
        signs.check(word, "single")
    return GridReader(signs, looks(signs, look), once)
