"""Warnings about the texts of levels, as all commands write them: each once, to standard error."""

import sys
from collections.abc import Iterable

from puzzlemc.reports.output.plain import plain


class Warned:
    """The warnings that a command has written: a file has the same ones for all of its levels."""

    def __init__(self) -> None:
        self._written: set[str] = set()

    def write(self, warnings: Iterable[str]) -> None:
        """Write those warnings that are new."""
        for warning in warnings:
            if warning not in self._written:
                self._written.add(warning)
                print(plain(warning), file=sys.stderr)
