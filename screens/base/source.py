"""Levels by the names that people type: files, folders, archives, some levels of a file, `-` for standard input.

Nothing here stops at a bad level or file: it becomes an entry with its error, and the others are still read.
Nothing here builds a level either: an entry keeps the text of its level, and builds it where it is asked for it.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from puzzlemc.screens.base.archive import (
    GZIP_SUFFIX,
    SUFFIXES,
    Archive,
    expand,
    is_archive,
    is_gzip,
    opened,
    unpacked_name,
)
from puzzlemc.screens.base.decoded import decoded
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import MAX_LEVELS, PLAIN, About, Part, too_many
from puzzlemc.screens.base.picture import Picture
from puzzlemc.screens.base.reading import STANDARD_INPUT, Path, read_bytes
from puzzlemc.screens.base.selection import SIGN, is_places, selected

UNTOLD = (".txt", ".json")  # they tell nothing: in a folder, such a file is read where its content tells a puzzle

MAX_BYTES = 1 << 25  # of one file: some devices never end
MAX_TEXT = 1 << 28  # bytes of all files together
MAX_NAMES = 100_000  # of files and folders below a folder
HEAD = 1 << 16  # bytes of a file that tell its puzzle
MAX_NAME = 1 << 12  # characters of a path, which systems bound by that


@dataclass(frozen=True)
class Bounds:
    """How much arguments may name together: levels, bytes of text, names below a folder."""

    levels: int
    text: int
    names: int


STREAM = Bounds(10**12, 10**15, 10**7)  # for what goes by; the names in a folder are held, to be sorted


class Screen(Protocol):
    """What a puzzle must offer here; a module does."""

    @property
    def SUFFIXES(self) -> tuple[str, ...]:
        """Of its files, in lower case."""

    def looks_like(self, text: str) -> float:
        """Tell which part of a text is about this puzzle, from 0 to 1."""

    def cut(self, text: str, source: str) -> Iterator[Part | LevelError]:
        """Yield the text of each level, or an error where there is none."""

    def build(self, part: Part) -> Any:
        """Build a level, with a `title`. Raises LevelError."""

    def parse(self, text: str, source: str) -> Sequence[Any]:
        """Read a text: an item a level, with a `title`, or a LevelError in its place."""

    def draw(self, level: Any, position: Any = None, /) -> str:
        """Write a level, so that `parse` gives the same puzzle again; or show it in another position."""

    def picture(self, level: Any, position: Any, /) -> Picture:
        """The same to look at."""


class Kind(Protocol):
    """What is asked of a puzzle here."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def screen(self) -> Screen:
        """What reads its levels."""


P = TypeVar("P", bound=Kind)


class Entry(Generic[P]):
    """One level that was asked for, or the error in its place.

    `id` is `<path as given>#N`, which `load` takes as an argument again; an error that is about no single
    level has the argument or the file as its id. `level` is a Level
    of the puzzle, or None where there is an error. Both are made from the level's text when one of
    them is first asked for, and do not travel between processes: the text does.
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
        """Of a level, of an error, or of a `part` from which one of them will be built."""
        self.id = id
        self.title = title
        self._puzzle = puzzle
        self._part = part
        self._built: tuple[Any | None, LevelError | None] | None = None if part else (level, error)

    @property
    def puzzle(self) -> P:
        """The puzzle. Raises LookupError where it is not known, as of a file that cannot be read."""
        if self._puzzle is None:
            raise LookupError(f"the puzzle of {self.id} is not known")
        return self._puzzle

    @property
    def text(self) -> str | None:
        """The text of the level as it stands in its file, None where there is none."""
        return None if self._part is None else self._part.text

    @property
    def part(self) -> Part | None:
        """The text of the level with all that its file says of it, None where there is none."""
        return self._part

    @property
    def puzzle_name(self) -> str | None:
        """What the puzzle is called, None where it is not known."""
        return None if self._puzzle is None else self._puzzle.name

    @property
    def level(self) -> Any | None:
        """The level, None where it is not sound."""
        return self._build()[0]

    @property
    def error(self) -> LevelError | None:
        """What is wrong with it."""
        return self._build()[1]

    def _build(self) -> tuple[Any | None, LevelError | None]:
        if self._built is None:
            assert self._part is not None
            try:
                self._built = self.puzzle.screen.build(self._part), None
            except LevelError as error:
                number = self.id.rpartition(SIGN)[2]
                sign = f"{SIGN}{number}" if number.isdecimal() else ""
                error.level = ", ".join(filter(None, (sign, self.title)))
                self._built = None, error.with_traceback(None)
        return self._built

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the text of a level, and not what was built from it."""
        built = (None, None) if self._part or not self._built else self._built
        part = self._part and self._part._replace(comment="", about=About())
        return _entry, (self.id, self.title, self._puzzle, *built, part)

    def __repr__(self) -> str:
        return f"Entry({self.id!r}, {self.title!r}, {self._puzzle!r})"


def _entry(
    id: str, title: str, puzzle: P | None, level: Any | None, error: LevelError | None, part: Part | None
) -> Entry[P]:
    return Entry(id, title, puzzle, level, error, part=part)


def is_standard_input(argument: str) -> bool:
    """Does an argument name levels of standard input?"""
    return argument == STANDARD_INPUT or argument.startswith((f"{STANDARD_INPUT}{SIGN}", f"{STANDARD_INPUT}/"))


def listed(paths: Path | Iterable[Path]) -> list[str]:
    """The paths as texts, of one or of several."""
    return [os.fspath(path) for path in ([paths] if isinstance(paths, (str, os.PathLike)) else paths)]


def walk(
    paths: Path | Iterable[Path], known: Mapping[str, P], chosen: P | None = None, bounds: Bounds | None = None
) -> Iterator[Entry[P]]:
    """Yield every level that the paths name, in their order. Whatever is wrong with them becomes an entry.

    A path is a file, `-` for standard input, either of them with `#` and which of its levels, or a
    folder: its files with a suffix that some known puzzle has, or `.txt` or `.json` and content of one,
    by name, then the folders in it likewise; names that start with a dot are left out, and whatever is no regular
    file. A file whose own name has a `#` is that file. A `.gz` file stands for what it holds, and a `.zip`, `.tar`
    or `.tgz` file is a folder. The puzzle is told by the suffix, else by the content; `chosen` overrides both.
    Where there is too much of anything, the last entry says so. No file is opened before one of its levels is
    asked for, but for archives to which a path leads.
    """
    arguments = listed(paths)
    reader = _Reader(known, chosen, arguments, bounds or Bounds(MAX_LEVELS, MAX_TEXT, MAX_NAMES))
    for argument in arguments:
        number = 0
        for number, entry in enumerate(reader.entries(argument), 1):
            if number > reader.levels_left:
                yield _failure(argument, chosen, too_many(argument))
                return
            yield entry
        reader.levels_left -= number


def files(paths: Path | Iterable[Path], known: Mapping[str, P]) -> Iterator[str]:
    """Yield the files that the paths lead to: those in folders, and archives for their members. Skip errors."""
    arguments = listed(paths)
    reader = _Reader(known, None, arguments, STREAM)
    for argument in arguments:
        with suppress(LevelError):
            yield from reader.files(argument)


@dataclass(frozen=True)
class _Collection(Generic[P]):
    """The levels of one file as texts, or errors in their places."""

    puzzle: P
    levels: Iterable[Part | LevelError]


class _Reader(Generic[P]):
    """Reads what arguments name; together they may have so much text and so many levels."""

    def __init__(self, known: Mapping[str, P], chosen: P | None, arguments: Sequence[str], bounds: Bounds) -> None:
        self._bounds = bounds
        self.levels_left = bounds.levels
        self._bytes_left = bounds.text
        self._known = known
        self._chosen = chosen
        self._input: Archive | None = None
        self._archive: Archive | None = None  # the last one that was opened
        # Once each: standard input cannot be read twice, and FILE#1 FILE#2 … should not read FILE again.
        often = Counter(self._split(argument)[0] for argument in arguments)
        self._kept: dict[str, _Collection[P] | None] = {path: None for path, times in often.items() if times > 1}

    def entries(self, argument: str) -> Iterator[Entry[P]]:
        """Yield the entries of one argument."""
        path, which = self._split(argument)
        try:
            if os.path.isdir(path):
                if which is not None:
                    raise LevelError(f"found a folder, expected a file before {SIGN}{which}", source=path)
                for item in self._files(path):
                    if isinstance(item, LevelError):
                        yield _failure(item.source, self._chosen, item)
                    else:
                        yield from self._file(item, item, None)
            else:
                yield from self._file(argument, path, which)
        except LevelError as error:
            yield _failure(argument, self._chosen, error)

    def files(self, argument: str) -> Iterator[str]:
        """Yield the files to which an argument leads. Raises LevelError."""
        path, _ = self._split(argument)
        if os.path.isdir(path):
            yield from (item for item in self._files(path) if isinstance(item, str))
        elif (file := self._located(path)[0]) != STANDARD_INPUT:
            yield file

    def _split(self, argument: str) -> tuple[str, str | None]:
        """Split `FILE#WHICH`, unless a file has that very name: the longest name of one counts."""
        signs = [found.start() for found in re.finditer(SIGN, argument[:MAX_NAME]) if found.start()]
        if not signs or self._is_there(argument):
            return argument, None
        there = (sign for sign in reversed(signs) if self._is_there(argument[:sign]))
        # Where nothing is there, the error is to name the file that was most likely meant.
        at = next(there, signs[-1] if is_places(argument[signs[-1] + 1 :]) else signs[0])
        return argument[:at], argument[at + 1 :]

    def _is_there(self, path: str) -> bool:
        """Is there such a file, folder, or member of an archive?"""
        if path == STANDARD_INPUT or os.path.lexists(path):
            return True
        try:
            file, member = self._located(path)
            return member is not None and member in self._opened(file)
        except LevelError:
            return False

    def _located(self, path: str) -> tuple[str, str | None]:
        """The file that a path leads to, and the member where it leads into an archive."""
        if path.startswith(f"{STANDARD_INPUT}/"):
            return STANDARD_INPUT, path[2:]
        if os.path.lexists(path):
            return path, None
        end = path.rfind("/")
        while end > 0 and not os.path.lexists(path[:end]):
            end = path.rfind("/", 0, end)
        file = path[:end]
        if end > 0 and os.path.isfile(file) and is_archive(_bytes(file, HEAD, whole=False)):
            return file, path[end + 1 :]
        return path, None

    def _opened(self, path: str, data: bytes | None = None) -> Archive:
        """The archive of that name, whose bytes may be at hand. Raises LevelError."""
        kept = self._input if path == STANDARD_INPUT else self._archive
        if kept is not None and kept.source == path:
            return kept
        archive = opened(self._within(_bytes(path, MAX_BYTES), path) if data is None else data, path)
        if path == STANDARD_INPUT:
            self._input = archive
        else:
            self._archive = archive
        return archive

    def _within(self, data: bytes, path: str) -> bytes:
        """What was read, if that is not too much. Raises LevelError."""
        self._bytes_left -= len(data)
        if self._bytes_left < 0:
            message = f"found more than {self._bounds.text} bytes in all files, expected at most that at a time"
            raise LevelError(message, source=path)
        return data

    def _file(self, argument: str, path: str, which: str | None) -> Iterator[Entry[P]]:
        """Yield the entries of one file, or of standard input."""
        try:
            found = self._found(path)
            if isinstance(found, Archive):
                members = self._members(found)
                if which is None:
                    for name in members:
                        yield from self._file(name, name, None)
                    return
                if len(members) != 1:
                    message = f"found {len(members)} files of levels, expected one of them before {SIGN}{which}"
                    raise LevelError(f"{message}, such as {members[0]}{SIGN}{which}", source=path)
                yield from self._file(argument, members[0], which)
                return
            items: Iterable[tuple[int, Part | LevelError]] = enumerate(found.levels, 1)
            if which is not None:
                items = list(selected(which, list(found.levels), path))
        except LevelError as error:
            yield _failure(argument, self._chosen, error)
            return
        for place, item in items:
            id = f"{path}{SIGN}{place}"
            if isinstance(item, LevelError):
                yield _failure(id, found.puzzle, item)
            else:
                yield Entry(id, item.title, found.puzzle, part=item)

    def _found(self, path: str) -> _Collection[P] | Archive:
        """The levels of one file, or of standard input for `-`, or an archive. Raises LevelError."""
        if kept := self._kept.get(path):
            return kept
        file, member = self._located(path)
        if member is not None:
            data = self._within(self._opened(file).read(member, MAX_BYTES), path)
        else:
            if path == STANDARD_INPUT and self._input is not None:
                return self._input
            data = self._within(_bytes(path, MAX_BYTES), path)
            if is_archive(data):
                return self._opened(path, data)
            if is_gzip(data):
                data = self._within(expand(data, MAX_BYTES, path), path)
        text = decoded(data, path)
        puzzle = self._chosen if self._chosen is not None else _told(self._known, path, _head(text))
        levels = puzzle.screen.cut(text, path)
        collection = _Collection(puzzle, levels)
        if path in self._kept:
            collection = self._kept[path] = _Collection(puzzle, list(levels))
        return collection

    def _members(self, archive: Archive) -> list[str]:
        """The level files of an archive, and what is an archive, too. Raises LevelError where there are none."""
        names = [
            f"{archive.source}/{name}"
            for name in archive.names
            if not any(part.startswith(".") and part not in (".", "..") for part in name.split("/"))
            and (name.lower().endswith((*SUFFIXES, GZIP_SUFFIX)) or self._is_member(archive, name))
        ]
        if not names:
            expected = " ".join(self._suffixes)
            raise LevelError(f"found no level file in this archive, expected {expected}", source=archive.source)
        return names

    def _is_member(self, archive: Archive, name: str) -> bool:
        return self._is_level_file(name, lambda: archive.read(name, HEAD, whole=False))

    @property
    def _suffixes(self) -> tuple[str, ...]:
        return tuple(suffix for each in self._known.values() for suffix in each.screen.SUFFIXES)

    def _is_level_file(self, name: str, head: Callable[[], bytes]) -> bool:
        """Does the suffix of a name tell a puzzle, or, where it tells nothing, the beginning of what it holds?"""
        name = unpacked_name(name).lower()
        if name.endswith(self._suffixes):
            return True
        if not name.endswith(UNTOLD):
            return False
        try:
            text = _head(decoded(head(), name, whole=False))
        except LevelError:
            return False
        return any(each.screen.looks_like(text) >= PLAIN for each in self._known.values())

    def _is_listed(self, path: str) -> bool:
        """Is a file of a folder one of levels? An archive is, too, where it cannot be read."""
        if not path.lower().endswith(SUFFIXES):
            return self._is_level_file(path, lambda: _beginning(path))
        try:
            archive = self._opened(path)
        except LevelError:
            return True
        return any(self._is_member(archive, name) for name in archive.names)

    def _files(self, folder: str) -> Iterator[str | LevelError]:
        """Yield the level files below a folder, and an error for each folder that cannot be read.

        Raises LevelError if there are neither.
        """
        names = 0
        empty = True
        waiting = [folder]
        while waiting and names <= self._bounds.names:
            place = waiting.pop()
            files, folders = [], []
            try:
                with os.scandir(place) as found:
                    for item in found:
                        names += 1
                        if names > self._bounds.names:
                            break
                        if item.name.startswith("."):
                            continue
                        if item.is_dir(follow_symlinks=False):
                            folders.append(item.name)
                        # A link to nowhere is told as such; what is no file may never end.
                        elif os.path.isfile(item.path) or not os.path.exists(item.path):
                            files.append(item.name)
            except OSError as error:
                empty = False
                yield LevelError(f"cannot be read: {error.strerror}", source=place)
            for name in sorted(files):
                path = os.path.join(place, name)
                if self._is_listed(path):
                    empty = False
                    yield path
            waiting += [os.path.join(place, name) for name in sorted(folders, reverse=True)]
        if names > self._bounds.names:
            message = f"found more than {self._bounds.names} files and folders, expected a folder of levels"
            yield LevelError(message, source=folder)
        elif empty:
            message = f"found no level file in this folder, expected {' '.join(self._suffixes)}"
            raise LevelError(message, source=folder)


def _failure(id: str, puzzle: P | None, error: LevelError) -> Entry[P]:
    return Entry(id, "", puzzle, None, error.with_traceback(None))


def _told(known: Mapping[str, P], path: str, text: str) -> P:
    """Return the one puzzle that the suffix tells, or the content. Raises LevelError if it is not one."""
    suffix = os.path.splitext(unpacked_name(path))[1].lower()
    told = {name: each for name, each in known.items() if suffix in each.screen.SUFFIXES}
    if len(told) == 1:
        return next(iter(told.values()))
    looks = {name: each.screen.looks_like(text) for name, each in (told or known).items()}
    plain = [name for name, part in looks.items() if part >= PLAIN]
    if len(plain) == 1:
        return known[plain[0]]
    candidates = [name for name, part in looks.items() if part > 0]
    if candidates:
        options = " or ".join(f"--puzzle {name}" for name in candidates)
        message = f"found content that may be of {' or '.join(candidates)}, expected {options}"
    else:
        names = ", ".join(known)
        message = f"found suffix and content of no puzzle, expected those of one of: {names}; or --puzzle NAME"
    raise LevelError(message, source=path)


def _bytes(path: str, most: int, *, whole: bool = True) -> bytes:
    """Read a file, or standard input for `-`, or no more than its beginning. Raises LevelError."""
    try:
        if path != STANDARD_INPUT:
            os.stat(path)
    except FileNotFoundError:
        raise LevelError("found no such file, expected a file, a folder or -", source=path) from None
    except (OSError, ValueError):
        pass  # the reader says what is wrong
    return read_bytes(path, most, "a file of levels", whole=whole)


def text_of(path: str) -> str:
    """The text of a file, or of standard input for `-`. Raises LevelError."""
    data = _bytes(path, MAX_BYTES)
    return decoded(expand(data, MAX_BYTES, path) if is_gzip(data) else data, path)


def _beginning(path: str) -> bytes:
    """The first bytes of a file, or of what it holds expanded. Raises LevelError."""
    head = _bytes(path, HEAD, whole=False)
    return expand(_bytes(path, MAX_BYTES), HEAD, path, whole=False) if is_gzip(head) else head


def _head(text: str) -> str:
    """The first lines of a text."""
    if len(text) >= HEAD:
        end = max(text.rfind("\n", 0, HEAD), text.rfind("\r", 0, HEAD))
        text = text[: end if end > 0 else HEAD]
    return text
