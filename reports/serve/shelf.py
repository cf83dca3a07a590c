"""The collection: the levels of the files on the command line. The page names levels by numbers, not by paths.

A level is saved back to the lines of its file from which it came, and only if the file still has it there. A new
one becomes the last of a file. The file before the first change is kept beside it, as `FILE.bak`.
"""

import asyncio
import errno
from collections.abc import Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.reports.output.files import OutputError, leads_away, write
from puzzlemc.reports.serve.bench import Bench
from puzzlemc.reports.serve.questions import MOST_TEXT, Glance
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.base.reading import read_text

if TYPE_CHECKING:  # slow to load, and few servers have a store
    from puzzlemc.reports.serve.kept import Kept

BACKUP = ".bak"
MOST_BYTES = 1 << 24  # of a file in which a level is saved


class Shelf:
    """The levels, and what is known of each."""

    def __init__(self, entries: Sequence[Entry], kept: "Kept | None" = None) -> None:
        self._entries = [each for each in entries if each.puzzle_name is not None and each.part is not None]
        self._texts = ["" if each.part is None else each.part.text for each in self._entries]  # in their files now
        self._known: dict[int, dict[str, Any]] = {}
        self._kept = kept
        self._turn = asyncio.Lock()
        self._writing = Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def list(self) -> list[dict[str, Any]]:
        """The levels, as the page lists them."""
        return [_item(entry, self._found(number)) for number, entry in enumerate(self._entries)]

    def _now(self, number: int) -> Entry:
        """A level as its file has it now."""
        entry = self._entries[number]
        assert entry.part is not None
        return Entry(entry.id, entry.title, entry.puzzle, part=entry.part._replace(text=self._texts[number]))

    def _found(self, number: int) -> dict[str, Any] | None:
        """The verdict on a level, as far as it is known without a search."""
        if number in self._known or self._kept is None:
            return self._known.get(number)
        return self._kept.find(self._now(number))

    def level(self, number: int) -> dict[str, Any]:
        """The text of a level."""
        entry = self._entries[number]
        return {"puzzle": entry.puzzle_name, "text": self._texts[number], "id": entry.id}

    async def glance(self, number: int, bench: Bench) -> dict[str, Any]:
        """The picture and the verdict of a level. One level at a time: pages need seats, too."""
        async with self._turn:
            if number not in self._known:
                found: dict[str, Any] = {}
                text, name = self._texts[number], self._entries[number].puzzle_name or ""
                failed = "it is too long"
                if len(text) <= MOST_TEXT:
                    stored = self._found(number)
                    asked = Glance(0, name, text, solve=stored is None, keep=self._kept is not None)
                    failed = await bench.run(asked, found.update, asyncio.Event())
                    found |= stored or {}
                    self._keep(number, found)
                self._known[number] = found or {"verdict": "unknown", "reason": failed}
            return self._known[number]

    def _keep(self, number: int, found: dict[str, Any]) -> None:
        """Write a new verdict to the store; the answer says if that failed."""
        solved = found.pop("solved", None)
        if self._kept is None or solved is None:
            return
        if failed := self._kept.add(self._now(number), *solved):
            found["failed"] = failed

    def save(self, number: int, text: str) -> str:
        """Write a level to its file; returns the name of the file. Raises LevelError and OutputError."""
        with self._writing:
            path, content = self._file(number)
            lines, old = content.split("\n"), self._texts[number].split("\n")
            first = self._line(number)
            if _lines("\n".join(lines[first : first + len(old)])) != _lines("\n".join(old)):
                raise LevelError(
                    "found another text in place of the level, expected that of the start", source=path.name
                )
            new = text.rstrip("\n").split("\n")
            lines[first : first + len(old)] = new
            _write(path, "\n".join(lines))
            self._texts[number] = "\n".join(new)
            self._known.pop(number, None)
            return path.name

    def add(self, number: int, text: str) -> dict[str, Any]:
        """Write a new level to the end of the file of another level; returns it, as the page lists it.

        Raises LevelError, also if the file would not have this level after the same ones, and OutputError.
        """
        with self._writing:
            path, content = self._file(number)
            entry = self._entries[number]
            assert entry.part is not None
            text = text.rstrip("\n")
            longer = content.rstrip("\n") + f"\n\n{text}\n"
            before, after = (list(entry.puzzle.screen.cut(each, entry.part.source)) for each in (content, longer))
            *others, part = after
            if isinstance(part, LevelError):
                raise part
            if _texts(others) != _texts(before) or _lines(part.text) not in _lines(text):  # less empty rows
                raise LevelError("found no place for a level after the last one", source=path.name)
            _write(path, longer)
            made = Entry(f"{entry.part.source}#{len(after)}", part.title, entry.puzzle, part=part)
            self._texts.append(part.text)
            self._entries.append(made)
            # Its line as if no level above it had been saved with another number of lines, see `_line`.
            shift = self._line(len(self) - 1) - (part.line - 1)
            self._entries[-1] = Entry(made.id, made.title, made.puzzle, part=part._replace(line=part.line - shift))
            return _item(made, None)  # a store is asked by the thread that opened it

    def _file(self, number: int) -> tuple[Path, str]:
        """The file of a level, and what it contains. Raises LevelError."""
        part = self._entries[number].part
        assert part is not None
        path = Path(part.source)
        if not path.is_file():
            raise LevelError(
                "found no file to save to, expected the one that the level came from", source=path.name
            )
        return path, read_text(path, MOST_BYTES, "a file of levels")

    def _line(self, number: int) -> int:
        """The line, from 0, in which a level begins: levels above it in its file may have been saved."""
        part = self._entries[number].part
        assert part is not None
        line = part.line - 1
        for other, entry in enumerate(self._entries[:number]):
            if entry.part is not None and entry.part.source == part.source:
                line += self._texts[other].count("\n") - entry.part.text.count("\n")
        return line


def _item(entry: Entry, found: dict[str, Any] | None) -> dict[str, Any]:
    return {"id": entry.id, "title": entry.title, "puzzle": entry.puzzle_name, "found": found}


def _write(path: Path, content: str) -> None:
    """Replace a file; what it was before the first change is kept beside it. Raises LevelError, OutputError."""
    backup = path.with_name(path.name + BACKUP)
    if backup.is_symlink():
        raise LevelError("found a link, expected a file: the level's file is kept there", source=backup.name)
    if leads_away(path):
        raise OutputError(str(path), errno.ELOOP)
    if not backup.exists():
        write(backup, path.read_bytes())
    write(path, content)


def _lines(text: str) -> str:
    """A text without spaces at the ends of its lines."""
    return "\n".join(line.rstrip() for line in text.split("\n"))


def _texts(parts: Sequence[Part | LevelError]) -> list[str]:
    """The texts of levels, or what is wrong with them."""
    return [each.message if isinstance(each, LevelError) else each.text for each in parts]
