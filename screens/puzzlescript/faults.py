"""The errors and the warnings about the text of a game, with their places."""

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.puzzlescript.game import Warning

MAX_FAULTS = 10  # errors of a game that an error message shows
MAX_WARNINGS = 100  # of a game that are kept


class Faults:
    """The errors and the warnings of one game. Lines and columns count from 1; column 0 is the whole line."""

    def __init__(self) -> None:
        self._errors: dict[Warning, None] = {}
        self._warnings: dict[Warning, None] = {}
        self._causes: list[Warning] = []

    def error(self, line: int, column: int, text: str) -> None:
        """Add an error: the game has no certain meaning."""
        self._errors[Warning(line, column, text)] = None

    def warn(self, line: int, column: int, text: str, *, cause: bool = False) -> None:
        """Add a warning: the game can be read nevertheless. A `cause` can be the reason of errors behind it."""
        warning = Warning(line, column, text)
        if len(self._warnings) < MAX_WARNINGS:
            if cause and warning not in self._warnings:
                self._causes.append(warning)
            self._warnings[warning] = None

    @property
    def warnings(self) -> tuple[Warning, ...]:
        """The warnings in the order of the text."""
        return tuple(sorted(self._warnings))

    def check(self, source: str) -> None:
        """Raise LevelError if there are errors: first the warnings before them that can be their reason."""
        if not self._errors:
            return
        errors = sorted(self._errors)
        causes = sorted(each for each in self._causes if not errors[0].line or each.line <= errors[0].line)
        faults = [*causes, *errors]
        first, *others = (
            LevelError(text, source=source, line=line or None, column=column or None)
            for line, column, text in faults[:MAX_FAULTS]
        )
        first.others, first.more = tuple(others), max(0, len(faults) - MAX_FAULTS)
        raise first
