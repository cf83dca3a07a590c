"""Convert levels from one file format to another, with the notes of their files.

The output is read again before it is written: each level must be the same, or nothing is written. Names, comments
and solutions that the format cannot hold are lost, and the loss is reported.
"""

import gzip
import io
import os
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.text import Format, nameless
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import ModelError
from puzzlemc.reports.solve.result import BAD_INPUT, SOLVABLE
from puzzlemc.reports.workers.single import read
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import About, Part
from puzzlemc.screens.base.reading import STANDARD_INPUT
from puzzlemc.screens.base.signatures import GZIP_SUFFIX, ZIP_SUFFIX

ERA = (1980, 1, 1, 0, 0, 0)  # of members: the same levels are the same bytes at any time


@dataclass(frozen=True)
class Converted:
    """The result of a conversion: the file or None, the number of levels, the errors, and what was lost."""

    data: bytes | None
    levels: int
    wrong: tuple[str, ...]
    lost: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """The exit code of the program."""
        return BAD_INPUT if self.wrong else SOLVABLE


@dataclass(frozen=True)
class Target:
    """A file to write: the suffix that gives its format, its own name, and its compression."""

    suffix: str
    name: str
    packed: str

    @staticmethod
    def of(path: str, form: str | None) -> "Target":
        """The format given by the suffix of the name, or the requested one."""
        name = os.path.basename(path)
        packed = next((each for each in (GZIP_SUFFIX, ZIP_SUFFIX) if name.lower().endswith(each)), "")
        name = name[: len(name) - len(packed)]
        suffix = os.path.splitext(name)[1].lower()
        if form is not None:
            suffix = f".{form.lower().lstrip('.')}"
            name = f"{os.path.splitext(name)[0]}{suffix}"
        return Target(suffix, name, packed)

    def pack(self, text: str) -> bytes:
        """The bytes of the file, independent of the time."""
        data = text.encode("utf-8", "backslashreplace")
        if self.packed == GZIP_SUFFIX:
            return gzip.compress(data, mtime=0)
        if self.packed == ZIP_SUFFIX:
            packed = io.BytesIO()
            with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
                member = zipfile.ZipInfo(self.name, ERA)
                member.compress_type = zipfile.ZIP_DEFLATED
                file.writestr(member, data)
            return packed.getvalue()
        return data


def converted(argument: str, puzzle: str | None, standard_input: bytes | None, target: Target) -> Converted:
    """The levels that an argument names, as a file of another format. Raises ModelError if that is impossible."""
    entries = read([argument], puzzle, standard_input)
    good = [entry for entry in entries if entry.error is None and entry.part is not None]
    wrong = tuple(str(entry.error) for entry in entries if entry.error is not None)
    if not good:
        return Converted(None, 0, wrong, ())
    return written(good, target, wrong)


def written(
    good: Sequence[Entry], target: Target, wrong: tuple[str, ...] = (), *, solutions: bool = False
) -> Converted:
    """The file of some levels, with their notes and with the errors of others.

    Raises ModelError if the format cannot hold the levels, or their solutions if these are required.
    """
    names = sorted({entry.puzzle.name for entry in good})
    if len(names) > 1:
        raise ModelError(f"found levels of {' and '.join(names)}, expected those of one puzzle")
    rules = good[0].puzzle
    form = format_of(rules, target)
    if len(good) > 1 and not form.many:
        raise ModelError(f"a {target.suffix} file holds one level, found {len(good)}: expected {good[0].id}")
    parts = [(entry.level, entry.part) for entry in good if entry.part is not None]
    abouts = {part.about for _, part in parts}
    about = abouts.pop() if len(abouts) == 1 else About()
    text = form.write(about, parts)
    lost = _lost(rules, good, about, text, target.name, solutions=solutions)
    if abouts:
        lost.insert(0, f"what {len(abouts)} files say of all their levels")
    return Converted(target.pack(text), len(good), wrong, tuple(lost))


def format_of(rules: Puzzle, target: Target) -> Format:
    """The format of a file of levels. Raises ModelError if the puzzle has none with this suffix."""
    suffix = target.suffix
    if suffix not in rules.level_formats:
        known = ", ".join(rules.level_formats)
        found = f"found {suffix!r}" if suffix else "found no suffix"
        such = next(iter(rules.level_formats))
        named = f"name it {target.name}{such}{target.packed}, or " if target.name != STANDARD_INPUT else ""
        way = "" if suffix else f": {named}give --to {such[1:]}"
        raise ModelError(f"{found} as the format of levels of {rules.name}, expected one of {known}{way}")
    return rules.level_formats[suffix]


def _lost(
    rules: Puzzle, entries: Sequence[Entry], about: About, text: str, name: str, *, solutions: bool
) -> list[str]:
    """What a text lacks of the levels, in words.

    Raises ModelError if it describes other levels, or lacks required solutions.
    """
    again = list(rules.screen.cut(text, name))
    if len(again) != len(entries):
        raise ModelError(f"{len(entries)} levels are read again as {len(again)}: this format cannot hold them")
    counts = dict.fromkeys(("title", "author", "comment", "solution"), 0)
    for entry, part in zip(entries, again, strict=True):
        if isinstance(part, LevelError) or _built(rules, part) != _content(rules, entry.level):
            raise ModelError(f"{entry.id} is read again as another level: this format cannot hold it")
        before = entry.part
        assert before is not None
        for what in ("title", "author", "comment"):
            counts[what] += bool(getattr(before, what)) and getattr(before, what) != getattr(part, what)
        counts["solution"] += sum(one not in _solutions(part) for one in _solutions(before))
    if solutions and counts["solution"]:
        raise ModelError("this format cannot hold solutions")
    lost = [f"{count} {what}{'s' * (count != 1)}" for what, count in counts.items() if count]
    found = next(part.about for part in again if isinstance(part, Part))
    whole = [key for key, value in about._asdict().items() if value and getattr(found, key) != value]
    return lost + [f"the {key} of all levels" for key in whole]


def _built(rules: Puzzle, part: Part) -> object:
    try:
        return _content(rules, rules.screen.build(part))
    except LevelError:
        return None


def _content(rules: Puzzle, level: object) -> object:
    return nameless(level) if rules.text.content is None else rules.text.content(level)


def _solutions(part: Part) -> set[str]:
    return {"".join(solution.text.split()) for solution in part.solutions}
