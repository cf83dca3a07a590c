"""Traces for machines and people: a solution as letters, moves, drawings, JSON, or a picture that moves."""

import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.rules import Replay
from puzzlemc.reports.formats import drawing
from puzzlemc.reports.output.files import STANDARD_OUTPUT, make_folder, write
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.terminal import show
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.run.certify import file_names
from puzzlemc.reports.run.result import Result
from puzzlemc.screens.picture import Picture


@dataclass(frozen=True)
class Played:
    """A solved level, its moves by name, and what the plain rules made of them."""

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
        picture = self.entry.puzzle.screen.picture
        return [picture(self.entry.level, position) for position in self.run.positions]

    @property
    def heading(self) -> str:
        """The level and what its solution costs, for people."""
        costs = ", ".join(counted(cost, metric) for metric, cost in self.run.costs.items())
        return plain(" · ".join(part for part in (self.entry.id, self.entry.title, costs) if part))


def play(entry: Entry, result: Result) -> Played:
    """Replay the trace of a result. Raises Refuted where the plain rules do not follow it."""
    moves = tuple(result.trace or ())
    return Played(entry, result, moves, entry.puzzle.replay(entry.level, moves))


@dataclass(frozen=True)
class Format:
    """How a trace is written, the suffix of its files, and whether several can follow each other in one stream."""

    suffix: str
    write: Callable[[Played], str | bytes]
    streams: bool = True


def has_letters(puzzle: Puzzle) -> bool:
    """Has the puzzle a notation with a letter a step?"""
    return isinstance(puzzle.write_trace(()), str)


def _lurd(played: Played) -> str:
    return "".join(played.moves) + "\n"


def _moves(played: Played) -> str:
    return "".join(f"{move}\n" for move in played.moves)


def _frames(played: Played) -> str:
    return "\n".join(f"{head}\n{frame}\n" for head, frame in zip(_heads(played), played.frames, strict=True))


def _heads(played: Played) -> list[str]:
    """A line above each position. What is found, and not moved to step by step, has but one position."""
    if len(played.run.positions) == 1:
        return ["the solution" if played.moves else "start"]
    return ["start", *(f"{number} {move}" for number, move in enumerate(played.moves, start=1))]


def _paint(played: Played) -> None:
    """Show the positions in colour on a terminal."""
    for head, picture in zip(_heads(played), played.pictures, strict=True):
        show(head)
        show(drawing.painted(picture))


def _ink(played: Played, tints: Callable[[Any, Any], Sequence[Sequence[str]]]) -> None:
    """Show the drawn positions in colour on a terminal."""
    for head, frame, position in zip(_heads(played), played.frames, played.run.positions, strict=True):
        show(head)
        show(drawing.inked(frame, tints(played.entry.level, position)), "\n")


def _json(played: Played) -> str:
    told = played.result.as_json() | {"steps": list(played.moves), "frames": played.frames}
    return json.dumps(told) + "\n"


def _svg(played: Played) -> str:
    return drawing.svg(played.pictures, played.heading)


def _gif(played: Played) -> bytes:
    return drawing.gif(played.pictures)


FORMATS: dict[str, Format] = {
    "lurd": Format(".lurd", _lurd),
    "moves": Format(".moves", _moves),
    "frames": Format(".frames", _frames),
    "json": Format(".json", _json),
    "svg": Format(".svg", _svg, streams=False),
    "gif": Format(".gif", _gif, streams=False),
}


class Traces:
    """Writes traces as levels are solved: to standard output, to a file, or each to a file of a folder."""

    def __init__(self, entries: Sequence[Entry], name: str, output: Path | None) -> None:
        """`output` is a folder if it is one already, or where there are several levels; None and `-` are none.

        Raises ModelError where the format does not fit puzzles or output, OutputError for an impossible folder.
        """
        self._format = FORMATS[name]
        self._output = None if output == STANDARD_OUTPUT else output
        self._several = len(entries) > 1
        self._paths: dict[str, Path] = {}
        asked = {entry.puzzle.name: entry.puzzle for entry in entries if entry.puzzle_name is not None}
        unlettered = sorted(name for name, each in asked.items() if not has_letters(each))
        if name == "lurd" and unlettered:
            raise ModelError(f"{', '.join(unlettered)} has no notation with a letter a step, expected moves")
        if self._output is None:
            # Nobody wants a GIF on a terminal by mistake.
            if not self._format.streams and (self._several or (name == "gif" and output is None)):
                raise ModelError(f"{name} needs -o FILE, or -o FOLDER for several levels")
        elif self._several or self._output.is_dir():
            make_folder(self._output)
            names = file_names(entries, self._format.suffix)
            self._paths = {entry.id: self._output / name for entry, name in zip(entries, names, strict=True)}

    @property
    def to_standard_output(self) -> bool:
        """Do the traces go there, so that nothing else should?"""
        return self._output is None

    def add(self, entry: Entry, result: Result) -> None:
        """Write the trace of a level, or say on standard error that there is none. Raises OutputError."""
        if result.trace is None:
            told = f"{result.id}: {result.verdict}{f': {result.reason}' if result.reason else ''}"
            print(plain(told), file=sys.stderr)
            return
        played = play(entry, result)
        if self._output is None and self._several and self._format is not FORMATS["json"]:
            print(f"; {played.heading}", flush=True)
        coloured = self._format is FORMATS["frames"] and sys.stdout.isatty() and "NO_COLOR" not in os.environ
        if self._output is None and coloured and entry.puzzle.tints is not None:
            _ink(played, entry.puzzle.tints)
            return
        if self._output is None and coloured and drawing.tells_by_colour(played.pictures[0]):
            _paint(played)
            return
        written = self._format.write(played)
        if self._output is None and isinstance(written, str):
            print(written, end="", flush=True)
        else:
            write(self._paths.get(entry.id, self._output or STANDARD_OUTPUT), written)
