"""One requested level, or the error in its place; and what a puzzle must offer so that its levels can be read."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import About, Part
from puzzlemc.screens.base.selection import SIGN

if TYPE_CHECKING:
    from puzzlemc.screens.base.picture import Picture


class Screen(Protocol):
    """The reader, writer and picture of a puzzle; the package of the puzzle in `screens` has these names."""

    @property
    def SUFFIXES(self) -> tuple[str, ...]:
        """The suffixes of its files, in lower case."""

    def looks_like(self, text: str) -> float:
        """Return the fraction of a text that is in the format of this puzzle, from 0 to 1, or MARKED."""

    def cut(self, text: str, source: str) -> Iterator[Part | LevelError]:
        """Yield the text of each level, or an error in the place of a level."""

    def build(self, part: Part) -> Any:
        """Build a level, with a `title`. Raises LevelError."""

    def parse(self, text: str, source: str) -> Sequence[Any]:
        """Read a text: one item for each level, which has a `title`, or is a LevelError."""

    def draw(self, level: Any, position: Any = None, /) -> str:
        """Write a level as text that `parse` reads as the same puzzle, or show it in another position."""

    def picture(self, level: Any, position: Any, /) -> "Picture":
        """Return a position of a level as a picture."""


class Kind(Protocol):
    """The attributes of a puzzle that the readers of files use."""

    @property
    def name(self) -> str:
        """The name of the puzzle."""

    @property
    def screen(self) -> Screen:
        """The reader of its levels."""


P = TypeVar("P", bound=Kind)
Found = TypeVar("Found", bound=Kind, covariant=True)


class Known(Protocol[Found]):
    """The puzzles that files may belong to, by name. What tells them apart does not import them."""

    def __iter__(self) -> Iterator[str]:
        """Yield the names."""

    def __getitem__(self, name: str, /) -> Found:
        """Return the puzzle of that name."""

    def looks_like(self, name: str, text: str) -> float:
        """Return what `looks_like` of its screen returns."""

    def suffixes(self, name: str) -> tuple[str, ...]:
        """Return the suffixes of its files, in lower case."""


class Entry(Generic[P]):
    """One requested level, or the error in its place.

    `id` is `<path as given>#N`, which `load` accepts as an argument again; the id of an error that does not belong
    to a single level is the argument or the file. `level` is a Level of the puzzle, or None if there is an error.
    The first access to `level` or `error` builds the level from its text. A pickled entry carries the text only.
    """

    __slots__ = ("_built", "_part", "_puzzle", "id", "title")

    def __init__(
        self,
        id: str,
        title: str,
        puzzle: P | None,
        level: Any | None = None,
        error: LevelError | None = None,
        *,
        part: Part | None = None,
    ) -> None:
        """Hold a level, an error, or a `part` from which the level or the error will be built."""
        self.id = id
        self.title = title
        self._puzzle = puzzle
        self._part = part
        self._built: tuple[Any | None, LevelError | None] | None = None if part else (level, error)

    @property
    def puzzle(self) -> P:
        """The puzzle. Raises LookupError if it is not known, for example for a file that cannot be read."""
        if self._puzzle is None:
            raise LookupError(f"the puzzle of {self.id} is not known")
        return self._puzzle

    @property
    def text(self) -> str | None:
        """The text of the level in its file, None if there is no text."""
        return None if self._part is None else self._part.text

    @property
    def part(self) -> Part | None:
        """The text of the level with its title, author, comment and solutions, None if there is no text."""
        return self._part

    @property
    def puzzle_name(self) -> str | None:
        """The name of the puzzle, None if it is not known."""
        return None if self._puzzle is None else self._puzzle.name

    @property
    def level(self) -> Any | None:
        """The level, None if there is an error."""
        return self._build()[0]

    @property
    def error(self) -> LevelError | None:
        """The error of the level, None if there is none."""
        return self._build()[1]

    def _build(self) -> tuple[Any | None, LevelError | None]:
        if self._built is None:
            assert self._part is not None
            try:
                level = self.puzzle.screen.build(self._part)
                if level is None:
                    message = f"found None, which the screen of {self.puzzle.name} has built, expected a level"
                    raise LevelError(message, source=self._part.source, line=self._part.line)
                self._built = level, None
            except LevelError as error:
                number = self.id.rpartition(SIGN)[2]
                sign = f"{SIGN}{number}" if number.isdecimal() else ""
                error.level = ", ".join(filter(None, (sign, self.title)))
                self._built = None, error.with_traceback(None)
        return self._built

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the text of a level, and not the level that was built from it."""
        built = (None, None) if self._part or not self._built else self._built
        part = self._part and self._part._replace(comment="", about=About(), own=None)
        return _entry, (self.id, self.title, self._puzzle, *built, part)

    def __repr__(self) -> str:
        return f"Entry({self.id!r}, {self.title!r}, {self._puzzle!r})"


def _entry(
    id: str, title: str, puzzle: P | None, level: Any | None, error: LevelError | None, part: Part | None
) -> Entry[P]:
    return Entry(id, title, puzzle, level, error, part=part)
