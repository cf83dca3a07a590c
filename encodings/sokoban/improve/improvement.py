"""Improves a run of Sokoban by counted work: no run that it gives is worse than the one that it takes.

Better is what has fewer pushes, and of as many pushes fewer moves; under the metric `moves`, the other way round.
The same run, metric and budget give the same run, on every machine. `windows.py` has how.
"""

from collections.abc import Sequence

import numpy as np

from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead
from puzzlemc.encodings.sokoban.improve import window_search as windows
from puzzlemc.mc import jit
from puzzlemc.screens.base.part import Part
from puzzlemc.screens.sokoban import Level, build

MODULES = ("puzzlemc.encodings.sokoban.improve.window_search",)
LETTERS = "".join(DIRECTIONS)
MOST_CELLS = 1 << 12  # there is a number for each two of them


def improve(level: Level, moves: Sequence[str], metric: str, expansions: int) -> list[str]:
    """A solution no worse than this one, in letters as in LURD; `budget` counts the positions that are expanded.

    Of a run that does not end solved, or is none, nothing is promised.
    """
    jit.ready(warm_up, *MODULES)
    return _improve(level, moves, metric, expansions)


def _improve(level: Level, moves: Sequence[str], metric: str, expansions: int) -> list[str]:
    cells = len(level.floor)
    if not moves or expansions <= 0 or cells > MOST_CELLS:
        return list(moves)
    number = {cell: place for place, cell in enumerate(level.floor)}
    near = np.full((cells + 1, 4), cells, np.int32)
    for cell, place in number.items():
        near[place] = [number.get(ahead(cell, direction), cells) for direction in DIRECTIONS.values()]
    is_goal = np.zeros(cells + 1, np.bool_)
    is_goal[[number[cell] for cell in level.goals]] = True
    boxes = sorted(number[cell] for cell in level.start.boxes)
    start = np.array([number[level.start.player], *boxes], np.int32)
    directions = np.array([LETTERS.index(letter.lower()) for letter in moves], np.int8)
    pushes = sum(letter.isupper() for letter in moves)
    # No run that is looked at costs as much of what comes second. One of fewer pushes may have more moves.
    scale = len(moves) + 1 if metric == "moves" else len(moves) + pushes * cells + 1
    push, walk = (scale + 1, scale) if metric == "moves" else (scale + 1, 1)
    rows = np.empty((len(moves) + 1, len(start)), np.int32)
    count = windows.vertices(near, start, directions, rows)
    assert count == pushes + 1
    count = windows.improve(near, is_goal, rows, count, push, walk, expansions)
    steps = np.empty(count * cells, np.int8)
    length = windows.written(near, rows, count, steps)
    letters = [LETTERS[d] for d in steps[:length]]
    return _marked(level, letters)


def _marked(level: Level, letters: Sequence[str]) -> list[str]:
    """The letters of steps, those of pushes in upper case."""
    player, boxes, marked = level.start.player, set(level.start.boxes), []
    for letter in letters:
        player = ahead(player, DIRECTIONS[letter])
        if player in boxes:
            boxes.remove(player)
            boxes.add(ahead(player, DIRECTIONS[letter]))
            letter = letter.upper()
        marked.append(letter)
    return marked


def warm_up() -> None:
    """Lead through all that is compiled."""
    level = build(Part("", 1, "#######\n#@ $ .#\n#######", "", ""))
    _improve(level, list("rRR"), "pushes", 1)
