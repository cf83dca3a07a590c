"""The collection: the documents of the files on the command line, and the verdicts on their levels.

The page names documents by numbers, not by paths. Levels that no file has by itself, such as those of an archive,
or those that are read with other files, are a document that cannot be saved.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.reports.documents import files
from puzzlemc.reports.documents.edits import MOST_CHARACTERS, answer, read
from puzzlemc.reports.documents.levels import SOURCE, meaning, rows
from puzzlemc.reports.serve.questions import Glance
from puzzlemc.reports.serve.worker_pool import WorkerPool
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.base.selection import SIGN

if TYPE_CHECKING:  # slow to load, and few servers have a store
    from puzzlemc.reports.serve.stored_verdicts import StoredVerdicts

MOST_VERDICTS = 10_000  # that are kept in memory

Level = tuple[str, str]  # puzzle and text


class _Listed(NamedTuple):
    """A document of the collection: its name, its file, and its levels that were named at the start."""

    name: str
    path: Path
    entries: list[Entry]

    @property
    def puzzle(self) -> str:
        """The name of the puzzle of its levels."""
        return self.entries[0].puzzle_name or ""


class Shelf:
    """The documents, and what is known of their levels."""

    def __init__(self, entries: Sequence[Entry], stored: "StoredVerdicts | None" = None) -> None:
        self._stored = stored
        self._verdicts: dict[Level, dict[str, Any]] = {}
        self._levels: dict[Level, Entry] = {}  # that a file has: only their verdicts are stored
        self._documents: list[_Listed] = []
        self._turn = asyncio.Lock()
        of: dict[str, _Listed] = {}
        for each in entries:
            if each.puzzle_name is None or each.part is None:
                continue
            self._levels[_key(each)] = each
            source = each.part.source
            if source not in of:
                of[source] = _Listed(each.id.rpartition(SIGN)[0] or each.id, Path(source), [])
                self._documents.append(of[source])
            of[source].entries.append(each)

    def __len__(self) -> int:
        return len(self._documents)

    def listed(self) -> list[dict[str, Any]]:
        """The documents, as the page lists them, with their levels as far as they were named at the start."""
        return [
            {"name": each.name, "puzzle": each.puzzle, "levels": [self._item(entry) for entry in each.entries]}
            for each in self._documents
        ]

    def _item(self, entry: Entry) -> dict[str, Any]:
        return {"at": _place(entry), "title": entry.title, "found": self.find(*_key(entry))}

    def document(self, number: int) -> dict[str, Any]:
        """The text of a document, its levels, and what a save needs to know; or why it cannot be saved."""
        listed = self._documents[number]
        try:
            _check(listed)
            found = files.load(listed.path)
            if len(found.text) > MOST_CHARACTERS:
                message = f"found {len(found.text)} characters, expected at most {MOST_CHARACTERS}"
                raise LevelError(message, source=listed.path.name)
            screen = listed.entries[0].puzzle.screen
            alone, own = (list(screen.cut(found.text, source)) for source in (SOURCE, str(listed.path)))
            if list(map(meaning, alone)) != list(map(meaning, own)):
                message = "found levels that are read with other files, expected a file that has them whole"
                raise LevelError(message, source=listed.path.name)
        except LevelError as error:
            return self._about(listed) | _loose(listed.entries) | {"locked": str(error)}
        shown = answer(read(listed.puzzle, found.text))
        for at, each in enumerate(shown["levels"]):
            each["found"] = self.find(listed.puzzle, _text(alone[at]))
        return self._about(listed) | shown | _kept(found) | {"locked": ""}

    def _about(self, listed: _Listed) -> dict[str, Any]:
        return {"name": listed.name, "puzzle": listed.puzzle}

    def status(self, number: int) -> str:
        """What tells the content of a file from another one; empty if it is gone. Raises LevelError."""
        return files.status(self._documents[number].path)

    def save(self, number: int, text: str, form: files.Form, was: str) -> dict[str, Any]:
        """Write a document to its file. Raises LevelError and OutputError.

        The answer has the new `was`, or, if the file has changed, its content now, which may be none.
        """
        listed = self._documents[number]
        _check(listed)
        try:
            now = files.save(listed.path, text, form, was)
        except files.Changed as changed:
            theirs = None if changed.now is None else _kept(changed.now) | {"text": changed.now.text}
            return {"failed": "", "was": None, "theirs": theirs}
        screen = listed.entries[0].puzzle.screen
        puzzle = listed.entries[0].puzzle
        for at, part in enumerate(screen.cut(text, str(listed.path))):
            if isinstance(part, Part):
                entry = Entry(f"{listed.name}{SIGN}{at + 1}", part.title, puzzle, part=part)
                self._levels[_key(entry)] = entry
        return {"failed": "", "was": now, "theirs": None}

    def find(self, puzzle: str, text: str) -> dict[str, Any] | None:
        """The verdict on a level, as far as it is known without a search."""
        found = self._verdicts.get((puzzle, text))
        if found is not None or self._stored is None or (puzzle, text) not in self._levels:
            return found
        return self._stored.find(self._levels[puzzle, text])

    async def glance(self, asked: Glance, pool: WorkerPool) -> dict[str, Any]:
        """The picture and the verdict of a level. One level at a time: pages need workers, too."""
        async with self._turn:
            key = asked.puzzle, asked.text
            if asked.level or key not in self._levels:  # the level of the text, without what is said about it
                try:
                    key = asked.puzzle, await asyncio.to_thread(rows, asked.puzzle, asked.text, asked.level)
                except LevelError as error:
                    return {"verdict": "error", "reason": error.message}
            if "picture" not in self._verdicts.get(key, {}):
                found: dict[str, Any] = {}
                stored = self.find(*key)
                keep = self._stored is not None and key in self._levels
                question = Glance(0, *key, solve=stored is None, keep=keep)
                failed = await pool.run(question, found.update, asyncio.Event())
                found |= stored or {}
                self._keep(key, found)
                self._verdicts[key] = found or {"verdict": "unknown", "reason": failed}
                if len(self._verdicts) > MOST_VERDICTS:
                    del self._verdicts[next(iter(self._verdicts))]
            return self._verdicts[key]

    def _keep(self, key: Level, found: dict[str, Any]) -> None:
        """Write a new verdict to the store; the answer says if that failed."""
        solved = found.pop("solved", None)
        if self._stored is None or solved is None:
            return
        if failed := self._stored.add(self._levels[key], *solved):
            found["failed"] = failed


def _check(listed: _Listed) -> None:
    """Raise LevelError for the file of a program."""
    if listed.entries[0].puzzle.origin == str(listed.path.absolute()):
        message = "found levels inside of the Python file of their puzzle, expected a file of levels"
        raise LevelError(message, source=listed.path.name)


def _kept(found: files.Content) -> dict[str, Any]:
    return {"was": found.was, "form": found.form}


def _loose(entries: Sequence[Entry]) -> dict[str, Any]:
    """The levels of a document that is no file by itself."""
    levels = [
        {"title": each.title, "author": "", "comment": "", "line": 1, "text": each.text, "error": ""}
        for each in entries
    ]
    return {"text": "", "header": "", "levels": levels, "was": "", "form": files.Form()}


def _text(part: Part | LevelError) -> str:
    return "" if isinstance(part, LevelError) else part.text


def _key(entry: Entry) -> Level:
    return entry.puzzle_name or "", entry.text or ""


def _place(entry: Entry) -> int:
    """The place of a level in its file, from 0."""
    return int(entry.id.rpartition(SIGN)[2]) - 1
