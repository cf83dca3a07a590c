"""The rules of a level as a table of all its positions, for a page: their moves, and their pictures.

Positions have numbers in breadth-first order. So most of a position follows from those before it: a position that
is met for the first time needs no number, and a picture is what differs from the picture of the predecessor. The
numbers are written in as few bytes as they need, and compressed.
"""

import base64
import zlib
from typing import Any

import numpy as np

from puzzlemc.mc.errors import LIMITS, LimitReached
from puzzlemc.mc.model.action import cost_of
from puzzlemc.reports.formats.shapes import shapes
from puzzlemc.reports.share.positions import Explored, Numbers
from puzzlemc.reports.share.stamps import Stamp, Stamps

MOST_BYTES = 1_300_000  # of the table: a page takes two megabytes at most
MOST_DRAWN = 1 << 22  # bytes of pictures before they are compressed


def rules(level: Explored) -> dict[str, Any] | None:
    """The table, for `table.js`; None if it is too large for a page, or a limit is reached."""
    try:
        found = {"kind": "table", "positions": len(level)} | _moves(level) | _pictures(level)
    except LIMITS:
        return None
    size = sum(len(text) for text in found.values() if isinstance(text, str))
    return found if size <= MOST_BYTES else None


def _moves(level: Explored) -> dict[str, Any]:
    """The moves of each position, in the order of the state graph: which, and where to."""
    forth, actions = level.graph.forth, level.graph.model.actions
    used, kind = np.unique(forth.action, return_inverse=True)
    known: dict[tuple[str, tuple[tuple[str, int], ...]], int] = {}
    places = np.zeros(len(used), np.int64)
    for place, action in enumerate(used.tolist()):
        name = level.names[int(level.name[np.flatnonzero(kind == place)[0]])]
        costs = {metric: cost_of(actions[action], metric) for metric in level.puzzle.metrics}
        places[place] = known.setdefault((name, tuple(costs.items())), len(known))
    is_new = _is_new(level)
    away = level.sources - forth.other
    targets = np.where(is_new, 0, 1 + np.where(away >= 0, 2 * away, -2 * away - 1))
    return {
        "moves": [[name, dict(costs)] for name, costs in known],
        "degrees": _packed(np.diff(forth.first)),
        "kinds": _packed(places[kind]),
        "targets": _packed(targets),
        "solved": _packed(np.diff(np.flatnonzero(level.solved), prepend=0)),
    }


def _is_new(level: Explored) -> Any:
    """Does each edge lead to the position with the next number, which no edge before it has?"""
    other = level.graph.forth.other.astype(np.int64)
    return other > np.maximum.accumulate(np.concatenate([[0], other[:-1]]))


def _pictures(level: Explored) -> dict[str, Any]:
    """The picture of each position: its stamps, or what differs from the picture of its predecessor."""
    predecessor = [0, *level.sources[_is_new(level)].tolist()]
    stamps = Stamps(level.puzzle, level.level)
    items: dict[Stamp, int] = {}
    drawn: list[list[int]] = []
    written: list[int] = []
    for number, position in enumerate(level.positions()):
        now = [items.setdefault(stamp, len(items)) for stamp in stamps.of(position)]
        before = drawn[predecessor[number]] if number else []
        both = min(len(before), len(now))
        start = next((at for at in range(both) if before[at] != now[at]), both)
        end = next((at for at in range(both - start) if before[-1 - at] != now[-1 - at]), both - start)
        written += [start, end, len(now) - start - end, *now[start : len(now) - end]]
        if len(written) > MOST_DRAWN:
            raise LimitReached("memory")
        drawn.append(now)
    return {
        "looks": [shapes(look) for look in stamps.looks],
        "stamps": [list(stamp) for stamp in items],
        "pictures": _packed(np.array(written, np.int64)),
    }


def _packed(numbers: Numbers) -> str:
    """Numbers from 0 in groups of seven bits, lowest first; all but the last have the eighth bit. Compressed."""
    width = max(1, -(-int(numbers.max(initial=0)).bit_length() // 7))
    groups = numbers[:, None] >> 7 * np.arange(width)
    octets = (groups & 127 | (groups > 127) << 7).astype(np.uint8)
    kept = groups > 0
    kept[:, 0] = True
    return base64.b64encode(zlib.compress(octets[kept].tobytes(), 9)).decode()
