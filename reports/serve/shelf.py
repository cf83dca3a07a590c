"""The collection: the levels of the files on the command line. The page names levels by numbers, not by paths.

A level is saved to the lines of its file that belong to it, and only if the file still has there what the page was
given. A level of a game whose rules are in its file is saved with the whole file. A new level becomes the last one
of a file; levels are moved and removed. Each change can be taken back, and the file before the first one is kept
beside it, as `FILE.bak`.
"""

import asyncio
import errno
from codecs import BOM_UTF8
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.reports.output.files import OutputError, leads_away, write
from puzzlemc.reports.serve.levels import SOURCE, Block, Parts, block, meaning, removed, replaced, rows_of, swapped
from puzzlemc.reports.serve.questions import MOST_TEXT, Glance
from puzzlemc.reports.serve.worker_pool import WorkerPool
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.base.reading import read_bytes, read_text
from puzzlemc.screens.base.selection import SIGN

if TYPE_CHECKING:  # slow to load, and few servers have a store
    from puzzlemc.reports.serve.stored_verdicts import StoredVerdicts

BACKUP = ".bak"
MOST_BYTES = 1 << 24  # of a file in which a level is saved
CHANGED = "found another text in place of the level, expected that of the start"
BOM = "\ufeff"
MOST_PAST = 1 << 26  # characters of files before changes that can be taken back


class _Opened(NamedTuple):
    """A file as it is now, and one of its levels.

    place  of the level among the `parts`
    block  the lines of the level; None if the whole file is its text
    """

    source: str
    content: str
    lines: list[str]
    parts: Parts
    place: int
    block: Block | None

    @property
    def path(self) -> Path:
        """The path of the file."""
        return Path(self.source)

    @property
    def text(self) -> str:
        """The text of the level."""
        return "\n".join(self.lines) if self.block is None else self.block.text


class _Change(NamedTuple):
    """A file before and after a change, and the levels before it."""

    path: Path
    before: str
    after: str
    entries: list[Entry]


class Shelf:
    """The levels, and what is known of each."""

    def __init__(self, entries: Sequence[Entry], stored: "StoredVerdicts | None" = None) -> None:
        self._entries = [each for each in entries if each.puzzle_name is not None and each.part is not None]
        self._known: dict[tuple[str, str], dict[str, Any]] = {}  # by puzzle and text
        self._past: list[_Change] = []
        self._whole_files: set[str] = set()  # whose levels cannot be read without the rest, such as games
        self._stored = stored
        self._turn = asyncio.Lock()
        self._writing = Lock()

    def __len__(self) -> int:
        return len(self._entries)

    def listed(self) -> list[dict[str, Any]]:
        """The levels, as the page lists them."""
        return [_item(entry, self._found(entry)) for entry in self._entries]

    def _found(self, entry: Entry) -> dict[str, Any] | None:
        """The verdict on a level, as far as it is known without a search."""
        key = _key(entry)
        if key in self._known or self._stored is None:
            return self._known.get(key)
        return self._stored.find(entry)

    def level(self, number: int) -> dict[str, Any]:
        """The text of a level, what `save` needs to know it again, and its place in a text of several levels."""
        entry = self._entries[number]
        found: dict[str, Any] = {"puzzle": entry.puzzle_name, "id": entry.id, "level": 0, "was": "", "of": ""}
        try:
            opened = self._opened(number)
        except LevelError:  # it can be looked at; to save it fails for the same reason
            return found | {"text": entry.text}
        whole = {} if opened.block is not None else {"level": opened.place, "of": opened.source}
        return found | {"text": opened.text, "was": _digest(opened.text), **whole}

    async def glance(self, number: int, pool: WorkerPool) -> dict[str, Any]:
        """The picture and the verdict of a level. One level at a time: pages need workers, too."""
        async with self._turn:
            if number >= len(self):
                return {"verdict": "unknown", "reason": "there is no such level"}
            entry = self._entries[number]
            key = name, text = _key(entry)
            if key not in self._known:
                found: dict[str, Any] = {}
                failed = "it is too long"
                if len(text) <= MOST_TEXT:
                    stored = self._found(entry)
                    asked = Glance(0, name, text, solve=stored is None, keep=self._stored is not None)
                    failed = await pool.run(asked, found.update, asyncio.Event())
                    found |= stored or {}
                    self._keep(entry, found)
                self._known[key] = found or {"verdict": "unknown", "reason": failed}
            return self._known[key]

    def _keep(self, entry: Entry, found: dict[str, Any]) -> None:
        """Write a new verdict to the store; the answer says if that failed."""
        solved = found.pop("solved", None)
        if self._stored is None or solved is None:
            return
        if failed := self._stored.add(entry, *solved):
            found["failed"] = failed

    def save(self, number: int, text: str, was: str) -> dict[str, Any]:
        """Write a level to its file. Raises LevelError and OutputError.

        was  what `level` gave with the text that was changed

        Returns the name of the file, the new `was`, and whether the list of levels has changed.
        """
        with self._writing:
            before = [(each.id, each.title) for each in self._entries]
            opened = self._opened(number, was)
            if opened.block is None:
                lines, after = self._all(opened, number, text)
            else:
                lines, after = self._replaced(opened, opened.block, number, text)
            listed = sum(_source(each) == opened.source for each in self._entries)
            every = len(after) if listed == len(opened.parts) else 0
            self._write(number, opened, lines, after, lambda place: place, every)
            changed = opened.block is None or before != [(each.id, each.title) for each in self._entries]
            was = self.level(number)["was"] if number < len(self) else ""
            return {"name": opened.path.name, "was": was, "changed": changed}

    def _all(self, opened: _Opened, number: int, text: str) -> tuple[list[str], Parts]:
        """A whole file with another text; one with faults is written, too: its author may be at work."""
        screen = self._entries[number].puzzle.screen
        return text.split("\n"), list(screen.cut(text, opened.source))

    def _replaced(self, opened: _Opened, old: Block, number: int, text: str) -> tuple[list[str], Parts]:
        """The lines of a file with another text for a level; what is above its rows may have to be below."""
        screen, text = self._entries[number].puzzle.screen, text.rstrip("\n")
        alone = list(screen.cut(text + "\n", SOURCE))
        if len(alone) != 1:
            raise LevelError(f"found {len(alone)} levels in the text, expected one", source=opened.path.name)
        ways, new, own = [text], alone[0], text.split("\n")
        if isinstance(new, Part) and (rows := rows_of(own, new)) is not None and rows.start:
            around = [each for each in (*own[: rows.start], *own[rows.stop :]) if each.strip()]
            ways.append("\n".join([*own[rows.start : rows.stop], *around]))
        expected = [meaning(each) for each in opened.parts]
        for way in ways:
            lines = replaced(opened.lines, old, way)
            after = list(screen.cut("\n".join(lines), opened.source))
            found = [meaning(each) for each in after]
            if len(found) != len(expected):
                continue
            mine = found[opened.place]
            expected[opened.place] = mine
            if found == expected and mine[:2] == meaning(new)[:2]:
                return lines, after
        message = (
            "found that other levels, or the title, would be read otherwise, expected lines of this level alone"
        )
        raise LevelError(message, source=opened.path.name)

    def remove(self, number: int, was: str) -> None:
        """Take a level out of its file. Raises LevelError and OutputError."""
        with self._writing:
            opened, old = self._own(number, was)
            lines, at = removed(opened.lines, old), opened.place
            expected = [*opened.parts[:at], *opened.parts[at + 1 :]]
            after = self._read(opened, number, lines, expected)

            def renumber(place: int) -> int | None:
                return None if place == at else place - (place > at)

            self._write(number, opened, lines, after, renumber)

    def move(self, number: int, by: int, was: str) -> None:
        """Swap a level with the one before (-1) or behind it (1). Raises LevelError and OutputError."""
        with self._writing:
            opened, old = self._own(number, was)
            place, at = opened.place + by, opened.place
            if not 0 <= place < len(opened.parts):
                raise LevelError("found no level there, expected one in the same file", source=opened.path.name)
            screen = self._entries[number].puzzle.screen
            other = block(screen, opened.lines, opened.parts, place)
            if other is None:
                raise LevelError("found a faulty level there, expected a level", source=opened.path.name)
            lines = swapped(opened.lines, *sorted((old, other)))
            expected = list(opened.parts)
            expected[at], expected[place] = expected[place], expected[at]
            after = self._read(opened, number, lines, expected)
            self._write(number, opened, lines, after, lambda each: {at: place, place: at}.get(each, each))

    def add(self, number: int, text: str) -> dict[str, Any]:
        """Write a new level to the end of the file of another level; returns it, as the page lists it.

        Raises LevelError, also if the file would not have this level after the same ones, and OutputError.
        """
        with self._writing:
            opened, screen = self._opened(number), self._entries[number].puzzle.screen
            kept = "\n".join(opened.lines).rstrip("\n")
            lines = [*kept.split("\n"), "", *text.rstrip("\n").split("\n"), ""]
            *others, part = list(screen.cut("\n".join(lines), opened.source))
            if isinstance(part, LevelError):
                raise part
            alone = list(screen.cut(text + "\n", SOURCE))
            same = len(alone) == 1 and meaning(alone[0])[:2] == meaning(part)[:2]
            if not same or list(map(meaning, others)) != list(map(meaning, opened.parts)):
                raise LevelError("found no place for a level after the last one", source=opened.path.name)
            self._write(number, opened, lines, [*others, part], lambda place: place)
            entry = self._entry(number, part, len(others))
            self._entries.append(entry)
            return _item(entry, None)  # a store is asked by the thread that opened it

    def undo(self) -> str:
        """Take the last change of a file back; returns the name of the file. Raises LevelError and OutputError."""
        with self._writing:
            if not self._past:
                raise LevelError("found no change to take back", source="files")
            path, before, after, entries = self._past[-1]
            if _content(path) != after:
                message = "found another text, expected that of the last change: it was changed elsewhere since"
                raise LevelError(message, source=path.name)
            _write(path, before)
            self._past.pop()
            self._entries = entries
            return path.name

    def _opened(self, number: int, was: str | None = None) -> _Opened:
        """The file of a level. Raises LevelError, also if the level is not there any more, or not as it `was`."""
        if number >= len(self):
            raise LevelError("there is no such level", source="files")
        entry = self._entries[number]
        assert entry.part is not None
        path, screen = Path(entry.part.source), entry.puzzle.screen
        if not path.is_file():
            raise LevelError(
                "found no file to save to, expected the one that the level came from", source=path.name
            )
        if entry.puzzle.origin == str(path.absolute()):
            message = "found a level inside of the Python file of its puzzle, expected one of a file of levels"
            raise LevelError(message, source=path.name)
        content, source = _content(path), entry.part.source
        text, place = _lined(content), _place(entry)
        parts, lines = list(screen.cut(text, source)), text.split("\n")
        if source in self._whole_files:
            opened = _Opened(source, content, lines, parts, place, None)
        else:
            found = parts[place] if place < len(parts) else None
            if not isinstance(found, Part) or found.text != entry.part.text:
                raise LevelError(CHANGED, source=path.name)
            own = None if found.own is not None else block(screen, lines, parts, place)
            opened = _Opened(source, content, lines, parts, place, own)
            if opened.block is None:
                alone = list(screen.cut(text, SOURCE))
                if list(map(meaning, alone)) != list(map(meaning, parts)):
                    message = "found a level that is read with other files, expected one that its file has whole"
                    raise LevelError(message, source=path.name)
                self._whole_files.add(source)
        if len(opened.text) > MOST_TEXT:
            message = f"found {len(opened.text)} characters, expected at most {MOST_TEXT} to edit on the page"
            raise LevelError(message, source=path.name)
        if was is not None and was != _digest(opened.text):
            raise LevelError(CHANGED, source=path.name)
        return opened

    def _own(self, number: int, was: str) -> tuple[_Opened, Block]:
        """The file and the lines of a level. Raises LevelError, also if its text is the whole file."""
        opened = self._opened(number, was)
        if opened.block is None:
            message = "found one text with all levels, expected that levels are moved and removed in this text"
            raise LevelError(message, source=opened.path.name)
        return opened, opened.block

    def _read(self, opened: _Opened, number: int, lines: list[str], expected: Parts) -> Parts:
        """The levels of changed lines. Raises LevelError unless they are the expected ones."""
        screen = self._entries[number].puzzle.screen
        after = list(screen.cut("\n".join(lines), opened.source)) if expected else []
        if not expected or list(map(meaning, after)) != list(map(meaning, expected)):
            found = "that other levels would be read otherwise" if expected else "that no level would be left"
            raise LevelError(f"found {found}, expected a file with the other levels", source=opened.path.name)
        return after

    def _write(
        self,
        number: int,
        opened: _Opened,
        lines: Sequence[str],
        after: Parts,
        renumber: Callable[[int], int | None],
        every: int = 0,
    ) -> None:
        """Write changed lines; the levels of the file are `after`, and those that were listed get other places.

        every  the number of levels in the file if all of them are listed
        """
        mark = BOM if opened.content.startswith(BOM) else ""
        content = mark + ("\r\n" if _is_crlf(opened.content) else "\n").join(lines)
        _write(opened.path, content)
        self._past.append(_Change(opened.path, opened.content, content, list(self._entries)))
        while len(self._past) > 1 and sum(len(each.before) + len(each.after) for each in self._past) > MOST_PAST:
            del self._past[0]
        mine = [at for at, each in enumerate(self._entries) if _source(each) == opened.source]
        places = [renumber(_place(self._entries[at])) for at in mine]
        places += [each for each in range(every) if each not in places]
        found = sorted(each for each in places if each is not None and each < len(after))
        entries = [self._entry(number, part, place) for place in found if isinstance(part := after[place], Part)]
        if not entries and every:  # the text has faults: the list stays as it was
            return
        first = mine[0]
        others = [each for at, each in enumerate(self._entries) if at not in mine]
        self._entries = [*others[:first], *entries, *others[first:]]

    def _entry(self, number: int, part: Part, place: int) -> Entry:
        """A level of the file of another level."""
        entry = self._entries[number]
        return Entry(f"{entry.id.rpartition(SIGN)[0]}{SIGN}{place + 1}", part.title, entry.puzzle, part=part)


def _item(entry: Entry, found: dict[str, Any] | None) -> dict[str, Any]:
    return {"id": entry.id, "title": entry.title, "puzzle": entry.puzzle_name, "found": found}


def _key(entry: Entry) -> tuple[str, str]:
    return entry.puzzle_name or "", entry.text or ""


def _source(entry: Entry) -> str:
    return "" if entry.part is None else entry.part.source


def _place(entry: Entry) -> int:
    """The place of a level in its file, from 0."""
    return int(entry.id.rpartition(SIGN)[2]) - 1


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _content(path: Path) -> str:
    """What a file contains, its byte order mark included. Raises LevelError."""
    mark = BOM if read_bytes(path, len(BOM_UTF8), "", whole=False) == BOM_UTF8 else ""
    return mark + read_text(path, MOST_BYTES, "a file of levels")


def _is_crlf(content: str) -> bool:
    """Does every line end with a carriage return and a line feed? Those of other files stay as they are."""
    return 0 < content.count("\r\n") == content.count("\n")


def _lined(content: str) -> str:
    """The text of a file with line feeds alone, if all line ends are alike, and without a mark."""
    text = content.removeprefix(BOM)
    return text.replace("\r\n", "\n") if _is_crlf(content) else text


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
