"""Lanes: how far it is to each target while some of them are packed, remembered by the set of these."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.fess.boards import NEVER, Bytes, Numbers, Shorts, Words

FAR = 64  # what a box counts that cannot come to an empty target; ways that are longer count one less
MOST_LANES = 1 << 12
MEMORY = 1 << 24  # bytes of the lanes of a side


class Lanes(NamedTuple):
    """What is known with some targets packed. Lane 0 is that of none: its floor is one part.

    sets   (lanes + 1, words): the packed targets of a lane, as bits
    reach  (lanes + 1, cells + 1, targets): the steps of a lone box to that target, where the packed are walls
    parts  (lanes + 1, cells + 1): of the floor between the packed, the least cell
    row, walls, steps, waiting  arrays to work in, over words and cells
    """

    sets: Words
    reach: npt.NDArray[np.int16]
    parts: Numbers
    row: Words
    walls: Bytes
    steps: Shorts
    waiting: Shorts


def lanes_for(reach: Shorts) -> Lanes:
    """No lane is filled in but the first; `reach` is that without walls, by target and cell."""
    count, cells = reach.shape
    lanes = max(16, min(MOST_LANES, MEMORY // (count * cells * 2)))
    walls = np.zeros(cells, np.uint8)
    walls[cells - 1] = 1
    table = np.empty((lanes + 1, cells, count), np.int16)
    table[0] = np.where(reach < NEVER, np.minimum(reach, FAR - 1), NEVER).T
    return Lanes(
        sets=np.full((lanes + 1, count // 64 + 1), ~np.uint64(0)),
        reach=table,
        parts=np.zeros((lanes + 1, cells), np.uint16),
        row=np.zeros(count // 64 + 1, np.uint64),
        walls=walls,
        steps=np.zeros(cells, np.int32),
        waiting=np.zeros(cells, np.int32),
    )
