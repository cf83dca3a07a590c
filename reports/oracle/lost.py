"""What proves positions of a large level lost: a few objects that cannot reach targets, whatever else is there.

It is sound: no position that has a solution contains such a pattern. Of the lost positions, it knows only some.
"""

import struct
from collections.abc import Hashable, Mapping
from itertools import combinations
from typing import Any

import numpy as np

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.keys import Keys, Placed
from puzzlemc.mc.astar.dead_patterns import dead_patterns
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.model import Model
from puzzlemc.reports.oracle.file import LOST_ONLY, Oracle
from puzzlemc.reports.positions.explored import Truths

LARGEST = 3  # objects in a pattern that is found by search
MOST_PLACES = 1 << 16
Patterns = dict[tuple[int, ...], Truths]  # numbers of the objects' places: numbers of the locations


def lost_only(puzzle: Puzzle, level: Any, metric: str, keys: Keys, budget: Budget) -> Oracle | None:
    """The oracle of a level; None if nothing is known of its puzzle. Raises Unsuitable and LimitReached."""
    placed = keys.placed
    if placed is None or placed.board(level) > MOST_PLACES:
        return None
    model = puzzle.encode_faithfully(level).model
    found = _patterns(placed, level, model, budget)
    regions: dict[bytes, int] = {}
    written = []
    for places, dead in sorted(found.items(), key=lambda pair: pair[0]):
        region = regions.setdefault(np.packbits(dead, bitorder="little").tobytes(), len(regions))
        written.append(struct.pack(f"<IB{len(places)}H", region, len(places), *places))
    start = keys.of(level, puzzle.rules.start(level))
    counts = (placed.board(level), len(written), len(regions), len(start.split()) - 1, 0)
    body = b"".join([*regions, *written])
    return Oracle(LOST_ONLY, 0, 0, counts, [puzzle.name, metric, start], body)


def _patterns(placed: Placed, level: Any, model: Model, budget: Budget) -> Patterns:
    """Objects that together are lost, and the locations for which they are."""
    location, size = model.hints.location, placed.board(level)
    assert location is not None
    number: Mapping[Hashable, int] = {value: placed.number(level, value) for value in location.values}
    numbers = np.array(list(number.values()), np.int64)
    found: Patterns = {}

    def add(places: list[int], dead: Truths) -> None:
        found.setdefault(tuple(sorted(places)), np.zeros(size, np.bool_))[numbers[dead]] = True

    for objects, dead in dead_patterns(model, LARGEST, budget).smallest():
        add([number[model.hints.objects[b]] for b in objects], dead)
    for block in placed.blocks(level):
        budget.check()
        places = sorted(number[place] for place in block)
        dead = np.array([value not in block for value in number], np.bool_)
        smaller = (found.get(part) for size in range(1, LARGEST + 1) for part in combinations(places, size))
        if not any(known is not None and known[numbers[dead]].all() for known in smaller):
            add(places, dead)
    return found
