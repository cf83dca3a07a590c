"""Levels that a function of the author reads."""

from collections.abc import Callable
from typing import Any

from puzzlemc.screens.base.part import Part
from puzzlemc.screens.modelling.cutting import lines_of
from puzzlemc.screens.modelling.faults import blamed


class FreeReader:
    """Reads levels by a function of their text, without its title and comments."""

    expected = "lines of text"

    def __init__(self, function: Callable[[str], Any]) -> None:
        """Hold the function."""
        self._function = function

    def read(self, part: Part) -> Any:
        """Return what the function makes of a text. Raises LevelError."""
        with blamed(self._function, part):
            return self._function("\n".join(line.text for line in lines_of(part)))


def free(function: Callable[[str], Any]) -> FreeReader:
    """Return the reader of levels by a function of their text, which may raise ValueError."""
    return FreeReader(function)
