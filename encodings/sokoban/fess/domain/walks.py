"""From positions to moves: the walks and pushes that lead from each position to the next.

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floods import Marks, flood, new_stamp
    from puzzlemc.encodings.sokoban.board.floor import Floor
    from puzzlemc.mc.words import Index, Ints


class Walks:
    """Working arrays. A state is a cell of the player and one of the box: player · cells + box.

    floor     the boxes that stand still
    marks     working arrays
    _before   by state: the state before it, -1 where it has not been visited
    _waiting  the queue of states
    """

    floor: Floor  # readonly
    marks: Marks  # readonly
    _before: Ints
    _waiting: Ints

    def __init__(self, near: npt.NDArray[np.int16]) -> None:
        """Arrays for a board."""
        cells = len(near) - 1
        self.floor, self.marks = Floor(near), Marks(cells)
        self._before, self._waiting = (view(np.empty(cells * cells, np.int32)) for _ in range(2))


def lead(walks: Walks, player: int, box: int, target: int, ends: int) -> list[int]:
    """The fewest moves that bring a box to `target` and the player into the component of the cell `ends`.

    The floor has the other boxes only. Returns directions, plus 4 for pushes; empty if there is no path, or if the
    box and the player are there already.
    """
    cells, near, moves = walks.floor.cells, np.asarray(walks.floor.near), []
    last: Index = _search(walks, player, box, target, ends)
    while last >= 0 and last != player * cells + box:
        state = int(walks._before[last])
        here, there = divmod(state, cells)
        d = near[here].tolist().index(last // cells)
        moves.append(d if there == last % cells else d + 4)
        last = state
    return moves[::-1]


def _search(walks: Walks, player: Index, box: Index, target: Index, ends: Index) -> Index:
    """Breadth-first search; return the last state of the path, or -1."""
    cells: Index = walks.floor.cells
    begin: Index = player * cells + box
    head: Index = 0
    tail: Index = 1
    state: Index
    d: Index
    new_stamp(walks.marks)
    walks.floor.on[target] = 1
    flood(walks.floor, ends, walks.marks)
    walks.floor.on[target] = 0
    for state in range(cells * cells):
        walks._before[state] = -1
    walks._before[begin] = begin
    walks._waiting[0] = begin
    while head < tail:
        state = walks._waiting[head]
        head += 1
        here: Index = state // cells
        there: Index = state % cells
        if there == target and walks.marks.seen[here] == walks.marks.stamp:
            return state
        for d in range(4):
            step: Index = walks.floor.near[here, d]
            place: Index = there
            if walks.floor.on[step]:
                continue
            if step == there:
                place = walks.floor.near[there, d]
                if walks.floor.on[place]:
                    continue
            code: Index = step * cells + place
            if walks._before[code] < 0:
                walks._before[code] = state
                walks._waiting[tail] = code
                tail += 1
    return -1
