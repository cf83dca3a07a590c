"""The assignment bound of a position, for the checker of proofs only. Compiled: see `mc/words.py`."""

import cython
import numpy as np

from puzzlemc.encodings.sokoban.proof.board import Distances
from puzzlemc.encodings.sokoban.proof.positions import Positions
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.proof.board import INFINITE
    from puzzlemc.mc.words import Flag, Index, Numbers


class Assignment:
    """Prices of targets and boxes, and working arrays of their search.

    Targets and boxes have numbers from 1 on. Number 0 is a box that stands for none.

    of_target  the price of each target
    of_box     the price of each box
    match      the target that is assigned to each box; 0 for none
    way        the box before each box on the shortest path to it
    used       is the shortest path to each box final?
    least      the length of the shortest path to each box
    """

    of_target: Numbers
    of_box: Numbers
    match: Numbers
    way: Numbers
    used: Numbers
    least: Numbers

    def __init__(self, targets: int, boxes: int) -> None:
        """Arrays for these numbers of targets and boxes."""
        self.of_target = view(np.zeros(targets + 1, np.int64))
        self.of_box, self.match = view(np.zeros(boxes + 1, np.int64)), view(np.zeros(boxes + 1, np.int64))
        self.way, self.used = view(np.zeros(boxes + 1, np.int64)), view(np.zeros(boxes + 1, np.int64))
        self.least = view(np.zeros(boxes + 1, np.int64))


def is_at_least(
    prices: Assignment, distances: Distances, positions: Positions, i: Index, need: Index
) -> Flag:  # public
    """Is the least cost of an assignment of different boxes of position `i` to the targets at least `need`?

    The evidence is a feasible dual solution: a price for each target and a non-positive price for each box, such
    that no target and box together have prices above their distance. Then every assignment costs at least the sum
    of all prices. The prices are found by shortest augmenting paths (Kuhn 1955; Jonker and Volgenant 1987) and
    then checked, so that search need not be trusted.
    """
    boxes: Index = positions.rows.shape[1] - 1
    targets: Index = distances.far.shape[2]
    player: Index = positions.rows[i, 0]
    total: Index = 0
    t: Index
    k: Index
    if need <= 0 or targets > boxes:  # or a target gets no box
        return True
    for t in range(targets):
        least: Index = INFINITE
        for k in range(1, boxes + 1):
            least = min(least, distances.far[player, positions.rows[i, k], t])
        total += least
    if total >= need:
        return True
    _find_prices(prices, distances, positions, i)
    total = 0
    for t in range(1, targets + 1):
        total += prices.of_target[t]
        for k in range(1, boxes + 1):
            if prices.of_target[t] + prices.of_box[k] > distances.far[player, positions.rows[i, k], t - 1]:
                return False
    for k in range(1, boxes + 1):
        if prices.of_box[k] > 0:
            return False
        total += prices.of_box[k]
    return total >= need


def _find_prices(prices: Assignment, distances: Distances, positions: Positions, i: Index) -> None:
    """Write the prices of position `i`. There are at least as many boxes as targets."""
    boxes: Index = positions.rows.shape[1] - 1
    targets: Index = distances.far.shape[2]
    player: Index = positions.rows[i, 0]
    endless: Index = 0x1000000000000000
    target: Index
    k: Index
    for k in range(boxes + 1):
        prices.of_box[k] = 0
        prices.match[k] = 0
    for target in range(1, targets + 1):
        prices.of_target[target] = 0
        prices.match[0] = target
        for k in range(boxes + 1):
            prices.least[k] = endless
            prices.used[k] = 0
        column: Index = 0
        while True:
            prices.used[column] = 1
            t: Index = prices.match[column]
            delta: Index = endless
            nearest: Index = 0
            for k in range(1, boxes + 1):
                if prices.used[k]:
                    continue
                reduced: Index = distances.far[player, positions.rows[i, k], t - 1]
                reduced -= prices.of_target[t] + prices.of_box[k]
                if reduced < prices.least[k]:
                    prices.least[k] = reduced
                    prices.way[k] = column
                if prices.least[k] < delta:
                    delta = prices.least[k]
                    nearest = k
            for k in range(boxes + 1):
                if prices.used[k]:
                    prices.of_target[prices.match[k]] += delta
                    prices.of_box[k] -= delta
                else:
                    prices.least[k] -= delta
            column = nearest
            if prices.match[column] == 0:
                break
        while column > 0:
            prices.match[column] = prices.match[prices.way[column]]
            column = prices.way[column]
