"""The rules of a level as a table of all its positions, for a page: their moves, and their pictures.

Positions have numbers in breadth-first order. So most of a position follows from those before it: a position that
is met for the first time needs no number, nor does the way back, nor one of two moves whose order does not matter,
and a picture is what differs from the picture of the predecessor. Numbers take as few bytes as they need, and are
compressed.
"""

import base64
import zlib
from typing import Any

import numpy as np

from puzzlemc.mc.errors import LIMITS, LimitReached
from puzzlemc.mc.model.action import cost_of
from puzzlemc.reports.formats.shapes import shapes
from puzzlemc.reports.positions.explored import Explored, Numbers
from puzzlemc.reports.share.stamps import Stamp, Stamps

MOST_BYTES = 1_300_000  # of the table: a page takes two megabytes at most
# Ways to find the target of an edge:
# NEW: it has the next number. BACK: it is the predecessor of the source. ACROSS: the move of the edge leads from
# the predecessor to a position, from which the move to the source leads to it. FAR_AWAY: a difference is written.
WAYS = 4
NEW, BACK, ACROSS, FAR_AWAY = range(WAYS)
MOST_DRAWN = 1 << 22  # numbers of pictures before they are compressed


def rules(level: Explored) -> dict[str, Any] | None:
    """The table, for `table.js`; None if it is too large for a page, or a limit is reached."""
    found: dict[str, Any] = {"kind": "table", "positions": len(level)}
    try:
        for part in (_moves, _pictures):  # pictures take long
            found |= part(level)
            if sum(len(text) for text in found.values() if isinstance(text, str)) > MOST_BYTES:
                return None
    except LIMITS:
        return None
    return found


def _moves(level: Explored) -> dict[str, Any]:
    """The moves of each position, in the order of the state graph: which, and where to.

    A number for each edge, and 0 behind the edges of a position: which move it is, and how its target is found.
    """
    forth, actions = level.graph.forth, level.graph.model.actions
    used, edge, place = np.unique(forth.action, return_index=True, return_inverse=True)
    known: dict[tuple[str, tuple[tuple[str, int], ...]], int] = {}
    kinds = []
    for action, example in zip(used.tolist(), level.name[edge].tolist(), strict=True):
        costs = {metric: cost_of(actions[action], metric) for metric in level.puzzle.metrics}
        kinds.append(known.setdefault((level.names[example], tuple(costs.items())), len(known)))
    kind = np.array(kinds, np.int64)[place]
    way = _ways(level, kind)
    written = np.zeros(len(kind) + len(level), np.int64)
    written[np.arange(len(kind)) + level.sources] = 1 + WAYS * kind + way
    away = (level.sources.astype(np.int64) - forth.other)[way == FAR_AWAY]
    return {
        "moves": [[name, dict(costs)] for name, costs in known],
        "edges": _packed(written),
        "targets": _packed(np.where(away >= 0, 2 * away, -2 * away - 1)),
        "solved": _packed(np.diff(np.flatnonzero(level.solved), prepend=0)),
    }


def _ways(level: Explored, kind: Numbers) -> Numbers:
    """How the target of each edge is found from the edges before it. `kind` is the move of each edge."""
    source, other = level.sources.astype(np.int64), level.graph.forth.other.astype(np.int64)
    is_new = _is_new(level)
    before, by = np.zeros(len(level), np.int64), np.zeros(len(level), np.int64)
    before[other[is_new]], by[other[is_new]] = source[is_new], kind[is_new]
    moves = int(kind.max(initial=0)) + 1
    keys = source * moves + kind
    order = np.argsort(keys)

    def after(position: Numbers, move: Numbers) -> Numbers:
        """The target of a move from a position, -1 if it has no such move."""
        wanted = position * moves + move
        place = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(order) - 1)]
        return np.where(keys[place] == wanted, other[place], -1)

    beside = after(before[source], kind)
    beside[beside >= source] = -1  # its edges are not known yet
    across = after(beside, by[source])
    ways = [is_new, other == before[source], (beside >= 0) & (across == other)]
    return np.select(ways, [NEW, BACK, ACROSS], FAR_AWAY)


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
