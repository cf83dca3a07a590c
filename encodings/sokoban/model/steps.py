"""The walks and pushes of a level as literals, in one pass over its cells. Compiled: see `mc/words.py`."""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes2, Bytes3, Flag, Index, Numbers, Numbers2, Numbers3


class Steps:
    """All walks and pushes: by the cell of the player, the direction, and a walk before a push.

    bits    (2, steps, literals): the bits of guards and of updates, -1 for no literal: those of the player, then
            the box square ahead, and the one beyond
    values  (2, steps, literals): the values of these bits
    steps   (steps, 3): the cell of the player, the direction, and 1 for a push
    """

    def __init__(
        self, near: npt.NDArray[np.int64], box_bit: npt.NDArray[np.int64], codes: npt.NDArray[np.bool_]
    ) -> None:
        """List the steps.

        near     (cells + 1, directions): the next cells; the last cell is the wall
        box_bit  (cells + 1,): the bit of a box at each cell, -1 if there is none
        codes    (cells, bits): the values of the bits of the player at each cell
        """
        most, literals = 2 * near.size, codes.shape[1] + 2
        bits, values = np.empty((2, most, literals), np.int64), np.zeros((2, most, literals), np.uint8)
        steps = np.empty((most, 3), np.int64)
        player = view(np.ascontiguousarray(codes).view(np.uint8))
        count = _list_steps(view(near), view(box_bit), player, view(bits), view(values), view(steps))
        self.bits, self.values, self.steps = bits[:, :count], values[:, :count].view(np.bool_), steps[:count]


def _list_steps(
    near: Numbers2, box_bit: Numbers, codes: Bytes2, bits: Numbers3, values: Bytes3, steps: Numbers2
) -> Index:
    """Write the arrays of `Steps`; return the number of steps."""
    width: Index = codes.shape[1]
    count: Index = 0
    cell: Index
    direction: Index
    push: Index
    b: Index
    for cell in range(codes.shape[0]):
        for direction in range(near.shape[1]):
            ahead: Index = near[cell, direction]
            if ahead == codes.shape[0]:
                continue
            beyond: Index = near[ahead, direction]
            pushes: Flag = box_bit[ahead] >= 0 and box_bit[beyond] >= 0
            for push in range(2 if pushes else 1):
                for b in range(width):
                    bits[0, count, b] = b
                    bits[1, count, b] = b
                    values[0, count, b] = codes[cell, b]
                    values[1, count, b] = codes[ahead, b]
                bits[0, count, width] = box_bit[ahead]
                bits[1, count, width] = box_bit[ahead] if push else -1
                bits[0, count, width + 1] = box_bit[beyond] if push else -1
                bits[1, count, width + 1] = bits[0, count, width + 1]
                values[0, count, width] = push
                values[1, count, width + 1] = push
                steps[count, 0] = cell
                steps[count, 1] = direction
                steps[count, 2] = push
                count += 1
    return count
