"""Which files a call may read: those below the folders that the user has named, after all links are followed."""

import os
from collections.abc import Iterable
from dataclasses import dataclass

from puzzlemc.mc.errors import ModelError
from puzzlemc.reports.output.plain import plain


@dataclass(frozen=True)
class Folders:
    """The folders whose files may be read, without links in their paths."""

    paths: tuple[str, ...] = ()

    @classmethod
    def of(cls, given: Iterable[str]) -> "Folders":
        """The folders of these names. Raises ModelError for one that is not there."""
        found = []
        for each in given:
            path = os.path.realpath(each)
            if not each or not os.path.isdir(path):
                raise ModelError(f"{each!r}: found no such folder, expected a folder of levels")
            found.append(path)
        return cls(tuple(found))

    def file(self, name: str) -> str:
        """The path of a file, which a call names from one of the folders. Raises ModelError.

        The message about a file outside of the folders does not say whether it exists.
        """
        shown = plain(name)
        if not self.paths:
            raise ModelError(f"file: found {shown}, but this server was given no folders, expected text")
        if "\0" in name or any("\ud800" <= each <= "\udfff" for each in name):
            raise ModelError(f"file: found {shown}, which no file can be called, expected the path of a file")
        inside = [real for each in self.paths if self.holds(real := os.path.realpath(os.path.join(each, name)))]
        if not inside:
            raise ModelError(f"file: found {shown}, which is outside of {self}, expected a file below it")
        for real in inside:
            if os.path.isfile(real):
                return real
        raise ModelError(f"file: found no file {shown} below {self}; list_levels lists those that there are")

    def holds(self, real: str) -> bool:
        """Is a path without links that of a folder, or below it?"""
        return any(real == each or real.startswith(os.path.join(each, "")) for each in self.paths)

    def shown(self, real: str) -> str:
        """The name by which calls name a file."""
        root = next(each for each in self.paths if self.holds(real) and real.startswith(os.path.join(each, "")))
        return os.path.relpath(real, root)

    def __str__(self) -> str:
        return " and ".join(map(plain, self.paths))
