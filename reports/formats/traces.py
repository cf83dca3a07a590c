"""Traces as files: a solution as letters, moves, drawings, JSON, or an animation."""

import json
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.text import Text

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.text import ended, words
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LimitReached, ModelError
from puzzlemc.mc.limits import Limits
from puzzlemc.mc.rules.plain import Replay
from puzzlemc.reports.formats import drawing
from puzzlemc.reports.output.files import STANDARD_OUTPUT, make_folder, write
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import show
from puzzlemc.reports.solve.result import BAD_INPUT, REFUTED, UNKNOWN, Result
from puzzlemc.reports.workers.worker import Worker, WorkerDied
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.picture import Picture


@dataclass(frozen=True)
class Played:
    """A solved level, the names of its moves, and their replay by the plain rules."""

    entry: Entry
    result: Result
    moves: tuple[str, ...]
    run: Replay

    @property
    def frames(self) -> list[str]:
        """Each position as text."""
        draw = self.entry.puzzle.screen.draw
        return [draw(self.entry.level, position) for position in self.run.positions]

    @property
    def pictures(self) -> list[Picture]:
        """Each position as a picture."""
        picture = self.entry.puzzle.picture
        return [picture(self.entry.level, position) for position in self.run.positions]

    @property
    def heading(self) -> str:
        """The level and the cost of its solution, for people."""
        return plain(" · ".join(filter(None, (self.entry.id, self.entry.title, self.result.costs_in_words))))


def play(entry: Entry, result: Result) -> Played:
    """Replay the trace of a result. Raises Refuted if it is not legal by the plain rules."""
    moves = tuple(result.trace or ())
    return Played(entry, result, moves, entry.puzzle.replay(entry.level, moves))


@dataclass(frozen=True)
class Format:
    """A format: its writer, the suffix of its files, and whether one stream can contain several traces."""

    suffix: str
    write: Callable[[Played], str | bytes]
    streams: bool = True


def has_letters(puzzle: Puzzle) -> bool:
    """Does the puzzle have a notation with one letter for each step?"""
    return isinstance(puzzle.text.write_moves(()), str)


def _lurd(played: Played) -> str:
    return "".join(played.moves) + "\n"


def _moves(played: Played) -> str:
    text = played.entry.puzzle.text
    return "".join(f"{move}\n" for move in (ended(played.moves) if text.read_moves is words else played.moves))


def _plan(played: Played) -> str:
    """The form of planners: an action a line, `(move a b)` for the move `move(a,b)`, and the cost as a comment.

    It is without the steps that close a level, which follow from its last position.
    """
    lines = []
    closing = played.entry.puzzle.text.closing
    for move, position in zip(played.moves, played.run.positions, strict=False):
        last = None if closing is None else closing(played.entry.level, position)
        if last is not None and last.name == move:
            break
        name, _, arguments = move.partition("#")[0].partition("(")
        lines.append(f"({' '.join([name, *arguments.removesuffix(')').split(',')]).strip()})\n")
    cost = played.run.costs.get("cost", len(lines))
    kind = "unit" if cost == len(lines) else "general"
    return "".join(lines) + f"; cost = {cost} ({kind} cost)\n"


def _frames(played: Played) -> str:
    return "\n".join(f"{head}\n{frame}\n" for head, frame in zip(_heads(played), played.frames, strict=True))


def _heads(played: Played) -> list[str]:
    """A heading for each position. A solution of a constraint has one position only."""
    if len(played.run.positions) == 1:
        return ["the solution" if played.moves else "start"]
    return ["start", *(f"{number} {move}" for number, move in enumerate(played.moves, start=1))]


def _painted(played: Played) -> list[Text]:
    """The positions in colour for a terminal, each below its heading."""
    pairs = zip(_heads(played), played.pictures, strict=True)
    return [part for head, picture in pairs for part in (Text(head), drawing.painted(picture))]


def _inked(played: Played, tints: Callable[[Any, Any], Sequence[Sequence[str]]]) -> list[Text]:
    """The drawn positions in colour for a terminal, each below its heading."""
    parts = []
    for head, frame, position in zip(_heads(played), played.frames, played.run.positions, strict=True):
        inked = drawing.inked(frame, tints(played.entry.level, position))
        parts += [Text(head), inked.append("\n")]
    return parts


def _json(played: Played) -> str:
    # A metric called `steps` keeps its name; then `trace` alone has the moves.
    fields = played.result.as_json()
    own = {"steps": list(played.moves), "frames": played.frames}
    return json.dumps(fields | own | fields) + "\n"


def _svg(played: Played) -> str:
    return drawing.svg(played.pictures, played.heading)


def _gif(played: Played) -> bytes:
    return drawing.gif(played.pictures)


FORMATS: dict[str, Format] = {
    "lurd": Format(".lurd", _lurd),
    "moves": Format(".moves", _moves),
    "plan": Format(".plan", _plan),
    "frames": Format(".frames", _frames),
    "json": Format(".json", _json),
    "svg": Format(".svg", _svg, streams=False),
    "gif": Format(".gif", _gif, streams=False),
}


def _load() -> None:
    """In a worker, import the modules of formats before any limit is set."""


def _content(entry: Entry, result: Result, name: str, coloured: bool) -> tuple[str, str | bytes | list[Text]]:
    """A heading for the trace of a level, and the trace in the format, or the parts of it for a terminal."""
    played = play(entry, result)
    if coloured and entry.puzzle.display.tints is not None:
        return played.heading, _inked(played, entry.puzzle.display.tints)
    if coloured and drawing.tells_by_colour(played.pictures[0]):
        return played.heading, _painted(played)
    return played.heading, FORMATS[name].write(played)


class Traces:
    """Writes traces as levels are solved: to standard output, to a file, or each to a file of a folder.

    Traces are replayed and drawn in a worker, under the limits of a level. A trace is written once it is complete.

    written  the files that were written so far
    """

    def __init__(
        self, entries: Sequence[Entry], stems: Mapping[str, str], name: str, output: Path | None, limits: Limits
    ) -> None:
        """`output` is a file, a folder (one that exists, or for several levels), or standard output (None, `-`).

        `stems` are the names of files in a folder, without suffix, by the id of the level.
        Raises ModelError if the format does not fit the puzzles or the output, OutputError for an invalid folder.
        """
        self.written: list[Path] = []
        self._name = name
        self._format = FORMATS[name]
        self._output = None if output == STANDARD_OUTPUT else output
        self._several = len(entries) > 1
        self._limits = limits
        self._worker = Worker(limits.memory, ("puzzlemc.reports.formats.traces",))
        self._paths: dict[str, Path] = {}
        asked = {entry.puzzle.name: entry.puzzle for entry in entries if entry.puzzle_name is not None}
        unlettered = sorted(name for name, each in asked.items() if not has_letters(each))
        if name == "lurd" and unlettered:
            raise ModelError(f"{', '.join(unlettered)} has no notation with a letter a step, expected moves")
        if self._output is None:
            # A GIF on a terminal is a mistake.
            if not self._format.streams and (self._several or (name == "gif" and output is None)):
                raise ModelError(f"{name} needs -o FILE, or -o FOLDER for several levels")
        elif self._output.is_dir() or (self._several and self._output.suffix != self._format.suffix):
            make_folder(self._output)
            self._paths = {id: self._output / (stem + self._format.suffix) for id, stem in stems.items()}
        elif self._several:
            raise ModelError(f"found {len(entries)} levels and one file, {self._output}; expected -o FOLDER")

    def __enter__(self) -> "Traces":
        return self

    def __exit__(self, *_: object) -> None:
        self._worker.stop()

    @property
    def paths(self) -> Iterable[Path]:
        """The paths of the files that may be written."""
        alone = [] if self._output is None else [self._output]
        return self._paths.values() or alone

    @property
    def to_standard_output(self) -> bool:
        """Are traces written to standard output? Then nothing else may be."""
        return self._output is None

    def add(self, entry: Entry, result: Result) -> Result:
        """Write the trace of a level, or a message to standard error if there is none.

        Returns the result, with a note and another exit code if a limit came before the trace was complete.
        Raises OutputError, and Refuted if the plain rules do not confirm the trace.
        """
        if result.trace is None:
            why = f"{result.id}: {result.verdict}{f': {result.reason}' if result.reason else ''}"
            print(plain(why), file=sys.stderr)
            return result
        coloured = self._name == "frames" and sys.stdout.isatty() and "NO_COLOR" not in os.environ
        asked = (_content, entry, result.light, self._name, coloured and self._output is None)
        try:
            self._worker.run(_load)
            heading, content = self._worker.run(*asked, seconds=self._limits.seconds)
        except LimitReached as limit:
            return self._unwritten(result, limit.reason, UNKNOWN)
        except LevelError as error:  # an error in the code of a puzzle from a file
            return self._unwritten(result, str(error), BAD_INPUT)
        except WorkerDied as death:
            return self._unwritten(result, str(death), REFUTED)
        if self._output is None and self._several and self._name != "json":
            print(f"; {heading}", flush=True)
        if isinstance(content, list):
            for part in content:
                show(part)
        elif self._output is None and isinstance(content, str):
            print(content, end="", flush=True)
        else:
            path = self._paths.get(entry.id, self._output or STANDARD_OUTPUT)
            write(path, content)
            if path != STANDARD_OUTPUT:
                self.written.append(path)
        return result

    def _unwritten(self, result: Result, reason: str, code: int) -> Result:
        note = f"no {self._name}: {reason}"
        return result.noted(f"{result.note}; {note}" if result.note else note, code)
