"""A finished position from a file, judged by the puzzle: does it solve a level?"""

import json
from dataclasses import dataclass
from pathlib import Path

from puzzlemc.encodings.puzzle import Judged
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Limits, Watch
from puzzlemc.reports.output.plain import plain
from puzzlemc.screens.errors import LevelError

MOST_BYTES = 1 << 22
MOST_FAULTS = 20  # that are told people

VALID, REFUTED = 0, 4


@dataclass(frozen=True)
class Judgement:
    """What came of judging the position in the file `path`."""

    id: str
    title: str
    puzzle: str
    path: str
    judged: Judged

    @property
    def valid(self) -> bool:
        """Is nothing wrong with it?"""
        return not self.judged.faults

    @property
    def exit_code(self) -> int:
        """What the program ends with."""
        return VALID if self.valid else REFUTED

    def as_json(self) -> dict[str, object]:
        """One object."""
        return {
            "id": self.id,
            "title": self.title,
            "puzzle": self.puzzle,
            "layout": self.path,
            "status": "valid" if self.valid else "refuted",
            "faults": list(self.judged.faults),
            **self.judged.told,
        }

    def as_text(self) -> str:
        """What was found, for people."""
        faults = self.judged.faults
        head = f"{self.path}: valid: {self.judged.words}" if self.valid else f"{self.path}: refuted"
        lines = [plain(head), *(f"  {plain(fault)}" for fault in faults[:MOST_FAULTS])]
        if len(faults) > MOST_FAULTS:
            lines.append(f"  and {len(faults) - MOST_FAULTS} more")
        return "\n".join([*lines, self.judged.drawing])


def judge(entry: Entry, path: str, limits: Limits) -> Judgement:
    """Judge the position in a file against a level that could be read.

    Raises LevelError for a file that holds none, ModelError for a puzzle that has no such files, LimitReached.
    """
    puzzle = entry.puzzle
    if puzzle.judge is None:
        raise ModelError(f"{entry.id}: no layouts of {puzzle.name} are read")
    judged = puzzle.judge(entry.level, _layout(_text(path)), path, Watch(limits))
    return Judgement(entry.id, entry.title, puzzle.name, path, judged)


def judged(entry: Entry, path: str, limits: Limits) -> tuple[dict[str, object], str, int]:
    """What `judge` finds, for programs, for people, and as exit code. Raises what `judge` raises."""
    told = judge(entry, path, limits)
    return told.as_json(), told.as_text(), told.exit_code


def _layout(text: str) -> str:
    """The layout in a text that `solve` has written as JSON: the only move of its trace. Else the text."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        return text
    trace = told.get("trace") if isinstance(told, dict) else None
    return trace[0] if isinstance(trace, list) and len(trace) == 1 and isinstance(trace[0], str) else text


def _text(path: str) -> str:
    """The text of a file of bounded size. Raises LevelError."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise LevelError(f"cannot be read: {reason}", source=path) from None
    if len(data) > MOST_BYTES:
        raise LevelError(f"found more than {MOST_BYTES} bytes, expected a layout", source=path)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise LevelError(f"found byte {error.start} that is no UTF-8", source=path) from None
