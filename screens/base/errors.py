"""The errors of input: LevelError, and below it CertificateError.

An error is never a verdict: "unsolvable" is an answer about a level, and an error means that there is no level.
"""

from functools import partial
from typing import Any

from puzzlemc.mc.errors import PuzzlemcError


class LevelError(PuzzlemcError):
    """A level that cannot be read: what was found, what was expected, and where.

    `source` names the file. `line` and `column` count from 1; they are None if the error has no such place.
    `others` are further errors of the same level in the order of the file, and `more` is the number of errors that
    are left out. `level` is the number and the title of the level in its file, if they are known.
    """

    def __init__(
        self,
        message: str,
        *,
        source: str,
        line: int | None = None,
        column: int | None = None,
    ) -> None:
        """Keep the parts of the message separate: `str` joins them."""
        super().__init__(message)
        self.message = message
        self.source = source
        self.line = line
        self.column = column
        self.others: tuple[LevelError, ...] = ()
        self.more = 0
        self.level = ""

    def __str__(self) -> str:
        """Return a line for each error, `microban.xsb:12:5: found 'q', expected …`; the first names the level."""
        place = ":".join(str(part) for part in (self.source, self.line, self.column) if part is not None)
        level = f" (level {self.level})" if self.level else ""
        # A line feed in a name or a title must not look like the end of an error.
        lines = [f"{place}: {self.message}{level}".replace("\n", "\\n"), *map(str, self.others)]
        if self.more:
            lines.append(f"{self.source}: and {self.more} more error{'s' * (self.more > 1)} in this level")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the keyword arguments, which the constructor requires: errors travel between processes."""
        rebuild = partial(type(self), source=self.source, line=self.line, column=self.column)
        return rebuild, (self.message,), {"others": self.others, "more": self.more, "level": self.level}


class CertificateError(LevelError):
    """A certificate that cannot be read; it has the attributes of a LevelError."""
