"""Replays on a page about many levels: the data with which a script shows each step of a solution.

A film stores only the changes from picture to picture. All films of a page have at most `MOST_MOVES` moves.
"""

from itertools import pairwise
from typing import Any

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import Refuted
from puzzlemc.reports.formats.drawing import film, svg_group, svg_shapes
from puzzlemc.reports.formats.traces import play
from puzzlemc.reports.solve.result import Result

MOST_MOVES = 30_000  # of all films of a page: a few megabytes, created within seconds


class Replays:
    """The films of a page, in the order of the requests."""

    def __init__(self) -> None:
        self.films: list[dict[str, Any]] = []
        self._moves_left = MOST_MOVES

    def add(self, entry: Entry, result: Result, name: str) -> int | None:
        """The number of the film of a result; None if it has no trace that can be shown, or too long a trace."""
        if result.trace is None or len(result.trace) > self._moves_left:
            return None
        try:
            played = play(entry, result)
            shown = film(played.pictures)
        except (Refuted, ValueError):
            return None
        self._moves_left -= len(played.moves) + 1
        frames = [set(frame) for frame in shown.frames]
        changes = [(sorted(before - after), sorted(after - before)) for before, after in pairwise(frames)]
        self.films.append(
            {
                "name": name,
                "box": f"0 0 {shown.width:g} {shown.height:g}",
                "board": svg_shapes(shown.board),
                "groups": [svg_group(shapes) for shapes in shown.groups],
                "first": sorted(frames[0]),
                "changes": changes,
                "moves": played.moves if changes else (),
            }
        )
        return len(self.films) - 1
