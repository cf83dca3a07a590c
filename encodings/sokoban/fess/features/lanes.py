"""Lanes: a cache of the targets that a box can reach, by the set of targets that are already packed."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.fess.domain.boards import NEVER, Bytes, Numbers, Shorts, Words

FAR = 64  # cost of an unreachable target; longer distances are capped at FAR - 1
MOST_LANES = 1 << 12
MEMORY = 1 << 24  # bytes of the lanes of a side


class Lanes(NamedTuple):
    """Reachability by packed targets. Lane 0 has no packed target; its floor is one component.

    sets   (lanes + 1, words): the packed targets of a lane, as bits
    comes  (lanes + 1, cells + 1, words): the targets that a lone box reaches with packed boxes as walls, as bits
    parts  (lanes + 1, cells + 1): the least cell of the component of the floor between packed boxes
    reach  (cells + 1, targets): the steps of a lone box to each target, without packed boxes
    row, walls, marks, waiting  working arrays over words and cells
    """

    sets: Words
    comes: Words
    parts: Numbers
    reach: npt.NDArray[np.int16]
    row: Words
    walls: Bytes
    marks: Shorts
    waiting: Shorts


def lanes_for(reach: Shorts) -> Lanes:
    """Lanes of which only lane 0 is filled in; `reach` has the steps without packed boxes, by target and cell."""
    count, cells = reach.shape
    words = count // 64 + 1
    lanes = max(16, min(MOST_LANES, MEMORY // (cells * (words * 8 + 2))))
    walls = np.zeros(cells, np.uint8)
    walls[cells - 1] = 1
    comes = np.zeros((lanes + 1, cells, words), np.uint64)
    bits = np.packbits(reach < NEVER, axis=0, bitorder="little")
    comes[0].view(np.uint8)[:, : len(bits)] = bits.T
    return Lanes(
        sets=np.full((lanes + 1, words), ~np.uint64(0)),
        comes=comes,
        parts=np.zeros((lanes + 1, cells), np.uint16),
        reach=np.ascontiguousarray(np.minimum(reach, FAR - 1).T.astype(np.int16)),
        row=np.zeros(words, np.uint64),
        walls=walls,
        marks=np.zeros(cells, np.int32),
        waiting=np.zeros(cells, np.int32),
    )
