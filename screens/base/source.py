"""Finds levels by command-line arguments: files, folders, archives, levels of a file, `-` for standard input.

A bad level or file becomes an entry with its error, and reading goes on with the next one. This module builds no
level: an entry keeps the text of its level and builds the level on first access.
"""

import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic

from puzzlemc.screens.base.decoded import decoded
from puzzlemc.screens.base.entry import Entry, Known, P
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.nearest_file import nearest_file
from puzzlemc.screens.base.part import MARKED, MAX_LEVELS, PLAIN, Part, too_many
from puzzlemc.screens.base.reading import DESCRIPTORS, STANDARD_INPUT, Path, read_bytes
from puzzlemc.screens.base.selection import SIGN, is_places, selected
from puzzlemc.screens.base.signatures import GZIP_SUFFIX, SUFFIXES, is_gzip, is_tar, is_zip, unpacked_name

if TYPE_CHECKING:
    from puzzlemc.screens.base.archive import Archive

# In a folder, the content of a file with such a suffix decides: not all such files are levels.
AMBIGUOUS = (".txt", ".json", ".pddl")

MAX_BYTES = 1 << 25  # of one file: some devices never end
MAX_TEXT = 1 << 28  # bytes of all files together
MAX_NAMES = 100_000  # of files and folders below a folder
HEAD = 1 << 16  # bytes at the beginning of a file by which its puzzle is recognized
MAX_NAME = 1 << 12  # characters of a path, the limit of operating systems


@dataclass(frozen=True)
class Bounds:
    """Limits for all arguments together: levels, bytes of text, names below a folder."""

    levels: int
    text: int
    names: int


@dataclass(frozen=True)
class Inside:
    """The levels inside of the Python file of a puzzle: its absolute path, and their text, empty without any."""

    path: str
    text: str


STREAM = Bounds(10**12, 10**15, 10**7)  # for levels that are not kept; the names in a folder are, to be sorted


def is_standard_input(argument: str) -> bool:
    """Return whether an argument names levels of standard input."""
    return argument == STANDARD_INPUT or argument.startswith((f"{STANDARD_INPUT}{SIGN}", f"{STANDARD_INPUT}/"))


def listed(paths: Path | Iterable[Path]) -> list[str]:
    """Return one path or several paths as a list of texts."""
    return [os.fspath(path) for path in ([paths] if isinstance(paths, (str, os.PathLike)) else paths)]


def walk(
    paths: Path | Iterable[Path],
    known: Known[P],
    chosen: P | None = None,
    bounds: Bounds | None = None,
    inside: Inside | None = None,
) -> Iterator[Entry[P]]:
    """Yield every level that the paths name, in their order. Every error becomes an entry.

    A path is a file, `-` for standard input, either of them followed by `#` and a selection of its levels, or a
    folder. A folder stands for its files with the suffix of a known puzzle, and for its `.txt` and `.json` files
    with the content of a known puzzle, sorted by name, and then for its subfolders likewise; names that start with
    a dot are skipped, and so is everything that is not a regular file. An existing file whose own name contains
    `#` has priority over a selection. A `.gz` file stands for its content; a `.zip`, `.tar` or `.tgz` file is a
    folder. The suffix determines the puzzle, and otherwise the content does; `chosen` overrides both. The file of
    `inside` stands for its text. If a limit of `bounds` is exceeded, the last entry is an error. A file is opened
    when its first level is requested; only archives are opened earlier, if a path leads into them.
    """
    arguments = listed(paths)
    reader = _Reader(known, chosen, arguments, bounds or Bounds(MAX_LEVELS, MAX_TEXT, MAX_NAMES), inside)
    for argument in arguments:
        number = 0
        for number, entry in enumerate(reader.entries(argument), 1):
            if number > reader.levels_left:
                yield _failure(argument, chosen, too_many(argument))
                return
            yield entry
        reader.levels_left -= number


def files(paths: Path | Iterable[Path], known: Known[P]) -> Iterator[str]:
    """Yield the files that the paths lead to, also those in folders, and archives for members. Skip errors."""
    arguments = listed(paths)
    reader = _Reader(known, None, arguments, STREAM)
    for argument in arguments:
        with suppress(LevelError):
            yield from reader.files(argument)


def is_level_file(path: str, known: Known[P]) -> bool:
    """Is the suffix of a file that of a known puzzle and, if others have it too, its beginning?"""
    suffixes = tuple(suffix for name in known for suffix in known.suffixes(name))
    return unpacked_name(path).lower().endswith(suffixes) and _Reader(known, None, (), STREAM).is_listed(path)


@dataclass(frozen=True)
class _Collection(Generic[P]):
    """The levels of one file: their texts, or errors in their places."""

    puzzle: P
    levels: Iterable[Part | LevelError]


class _Reader(Generic[P]):
    """Reads the levels that arguments name, within limits that hold for all arguments together."""

    def __init__(
        self,
        known: Known[P],
        chosen: P | None,
        arguments: Sequence[str],
        bounds: Bounds,
        inside: Inside | None = None,
    ) -> None:
        self._bounds = bounds
        self._inside = inside
        self.levels_left = bounds.levels
        self._bytes_left = bounds.text
        self._known = known
        self._chosen = chosen
        self._input: Archive | None = None
        self._archive: Archive | None = None  # the last one that was opened
        # Files that several arguments name are read once: standard input cannot be read again.
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
        """Split `FILE#WHICH` at the sign that leaves the longest name of an existing file."""
        signs = [found.start() for found in re.finditer(SIGN, argument[:MAX_NAME]) if found.start()]
        if not signs or self._is_there(argument):
            return argument, None
        there = (sign for sign in reversed(signs) if self._is_there(argument[:sign]))
        # If no such file exists, the error names the file that the user most likely meant.
        at = next(there, signs[-1] if is_places(argument[signs[-1] + 1 :]) else signs[0])
        return argument[:at], argument[at + 1 :]

    def _is_there(self, path: str) -> bool:
        """Return whether a file, a folder or a member of an archive has that path."""
        if path == STANDARD_INPUT or os.path.lexists(path):
            return True
        try:
            file, member = self._located(path)
            return member is not None and member in self._opened(file)
        except LevelError:
            return False

    def _located(self, path: str) -> tuple[str, str | None]:
        """Return the file that a path leads to, and the member if the path leads into an archive."""
        if path.startswith(f"{STANDARD_INPUT}/"):
            return STANDARD_INPUT, path[2:]
        if os.path.lexists(path):
            return path, None
        end = path.rfind("/")
        while end > 0 and not os.path.lexists(path[:end]):
            end = path.rfind("/", 0, end)
        file = path[:end]
        if end > 0 and os.path.isfile(file) and _is_archive(_bytes(file, HEAD, whole=False)):
            return file, path[end + 1 :]
        return path, None

    def _opened(self, path: str, data: bytes | None = None) -> "Archive":
        """Return the archive of that name; `data` are its bytes if they were read already. Raises LevelError."""
        kept = self._input if path == STANDARD_INPUT else self._archive
        if kept is not None and kept.source == path:
            return kept
        from puzzlemc.screens.base.archive import opened

        archive = opened(self._within(_bytes(path, MAX_BYTES), path) if data is None else data, path)
        if path == STANDARD_INPUT:
            self._input = archive
        else:
            self._archive = archive
        return archive

    def _within(self, data: bytes, path: str) -> bytes:
        """Return the data, counted against the limit of all files. Raises LevelError beyond that limit."""
        self._bytes_left -= len(data)
        if self._bytes_left < 0:
            message = f"found more than {self._bounds.text} bytes in all files, expected at most that at a time"
            raise LevelError(message, source=path)
        return data

    def _file(self, argument: str, path: str, which: str | None) -> Iterator[Entry[P]]:
        """Yield the entries of one file, or of standard input."""
        try:
            found = self._found(path)
            if not isinstance(found, _Collection):
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
        place = 0
        for place, item in items:
            id = f"{path}{SIGN}{place}"
            if isinstance(item, LevelError):
                yield _failure(id, found.puzzle, item)
            else:
                yield Entry(id, item.title, found.puzzle, part=item)
        if not place:  # without this error, a file in which a reader finds nothing would count as solved
            message = f"found no level of {found.puzzle.name}, expected at least one"
            yield _failure(argument, found.puzzle, LevelError(message, source=path))

    def _found(self, path: str) -> "_Collection[P] | Archive":
        """Return the levels of one file, or of standard input for `-`, or an archive. Raises LevelError."""
        if kept := self._kept.get(path):
            return kept
        file, member = self._located(path)
        if self._inside is not None and os.path.abspath(path) == self._inside.path:
            if not self._inside.text:
                message = 'found no LEVELS in this file, expected LEVELS = """…""", or files of levels'
                raise LevelError(message, source=path)
            data = self._inside.text.encode(errors="replace")
        elif member is not None:
            data = self._within(self._opened(file).read(member, MAX_BYTES), path)
        else:
            if path == STANDARD_INPUT and self._input is not None:
                return self._input
            data = self._within(_bytes(path, MAX_BYTES), path)
            if _is_archive(data):
                return self._opened(path, data)
            if is_gzip(data):
                data = self._within(_expanded(data, MAX_BYTES, path), path)
        text = decoded(data, path)
        puzzle = self._chosen if self._chosen is not None else _recognized(self._known, path, _head(text))
        levels = puzzle.screen.cut(text, path)
        collection = _Collection(puzzle, levels)
        if path in self._kept:
            collection = self._kept[path] = _Collection(puzzle, list(levels))
        return collection

    def _members(self, archive: "Archive") -> list[str]:
        """Return the members that are level files or archives. Raises LevelError if there are none."""
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

    def _is_member(self, archive: "Archive", name: str) -> bool:
        return self._is_level_file(name, lambda: archive.read(name, HEAD, whole=False))

    @property
    def _suffixes(self) -> tuple[str, ...]:
        return tuple(suffix for name in self._known for suffix in self._known.suffixes(name))

    def _is_level_file(self, name: str, head: Callable[[], bytes]) -> bool:
        """Return whether the suffix belongs to a puzzle, or, if it is ambiguous, the beginning of the content."""
        name = unpacked_name(name).lower()
        if not name.endswith(AMBIGUOUS):
            return name.endswith(self._suffixes)
        try:
            text = _head(decoded(head(), name, whole=False))
        except LevelError:
            return False
        return any(self._known.looks_like(name, text) >= PLAIN for name in self._known)

    def is_listed(self, path: str) -> bool:
        """Return whether a file of a folder holds levels. An archive that cannot be read counts, for its error."""
        if not path.lower().endswith(SUFFIXES):
            return self._is_level_file(path, lambda: _beginning(path))
        try:
            archive = self._opened(path)
        except LevelError:
            return True
        return any(self._is_member(archive, name) for name in archive.names)

    def _files(self, folder: str) -> Iterator[str | LevelError]:
        """Yield the level files below a folder, and an error for each folder that cannot be read.

        Raises LevelError if there is nothing to yield.
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
                        # A dangling link is kept, for its error; devices and FIFOs may never end.
                        elif os.path.isfile(item.path) or not os.path.exists(item.path):
                            files.append(item.name)
            except OSError as error:
                empty = False
                yield LevelError(f"cannot be read: {error.strerror}", source=place)
            for name in sorted(files):
                path = os.path.join(place, name)
                if self.is_listed(path):
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


def _recognized(known: Known[P], path: str, text: str) -> P:
    """Return the puzzle of a file, by its suffix or by its content. Raises LevelError if it is not unique."""
    suffix = os.path.splitext(unpacked_name(path))[1].lower()
    by_suffix = [name for name in known if suffix in known.suffixes(name)]
    if len(by_suffix) == 1:
        return known[by_suffix[0]]
    beside = os.path.join(os.path.dirname(path), f"{suffix[1:]}.py")
    if suffix and not by_suffix and os.path.isfile(beside):  # a puzzle of one's own and its levels
        message = f"found the suffix {suffix}, which no known puzzle has, expected --puzzle {beside}"
        raise LevelError(message, source=path)
    fractions = {name: known.looks_like(name, text) for name in by_suffix or known}
    plain = [name for name, fraction in fractions.items() if fraction >= PLAIN]
    marked = [name for name in plain if fractions[name] == MARKED]
    plain = marked or plain
    if len(plain) == 1:
        return known[plain[0]]
    candidates = [name for name, fraction in fractions.items() if fraction > 0]
    if candidates:
        options = " or ".join(f"--puzzle {name}" for name in candidates)
        message = f"found content that may be of {' or '.join(candidates)}, expected {options}"
    else:
        names = ", ".join(known)
        found = "found a file of no known puzzle, by its suffix and content"
        message = f"{found}, expected one of: {names}; or --puzzle NAME"
    raise LevelError(message, source=path)


def _bytes(path: str, most: int, *, whole: bool = True) -> bytes:
    """Return the bytes of a file, or of standard input for `-`. Raises LevelError.

    If `whole` is False, the first `most` bytes suffice; otherwise a larger file is an error.
    """
    try:
        if path != STANDARD_INPUT:
            os.stat(path)
    except FileNotFoundError:
        if not path.startswith(DESCRIPTORS):
            near = nearest_file(path)
            raise LevelError(f"found no such file, expected a file, a folder or -{near}", source=path) from None
    except (OSError, ValueError):
        pass  # `read_bytes` raises the error
    return read_bytes(path, most, "a file of levels", whole=whole)


def _is_archive(data: bytes) -> bool:
    """Return whether a file begins like an archive with members: a `.zip`, a `.tar`, or a `.tar` in a `.gz`."""
    if not is_gzip(data):
        return is_zip(data) or is_tar(data)
    from puzzlemc.screens.base.archive import is_packed_tar

    return is_packed_tar(data)


def _expanded(data: bytes, most: int, path: str, *, whole: bool = True) -> bytes:
    """Return the content of a `.gz` file, see `expand`. What unpacks is imported when there is a packed file."""
    from puzzlemc.screens.base.archive import expand

    return expand(data, most, path, whole=whole)


def text_of(path: str) -> str:
    """Return the text of a file, or of standard input for `-`. Raises LevelError."""
    data = _bytes(path, MAX_BYTES)
    return decoded(_expanded(data, MAX_BYTES, path) if is_gzip(data) else data, path)


def _beginning(path: str) -> bytes:
    """Return the first bytes of a file, expanded if it is a `.gz` file. Raises LevelError."""
    head = _bytes(path, HEAD, whole=False)
    return _expanded(_bytes(path, MAX_BYTES), HEAD, path, whole=False) if is_gzip(head) else head


def _head(text: str) -> str:
    """Return the first lines of a text."""
    if len(text) >= HEAD:
        end = max(text.rfind("\n", 0, HEAD), text.rfind("\r", 0, HEAD))
        text = text[: end if end > 0 else HEAD]
    return text
