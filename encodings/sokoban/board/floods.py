"""Connectivity of the floor: floods and connected components. Compiled: see `mc/words.py`."""

from collections.abc import Sequence

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.sokoban.board.floor import Floor
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.bitboards import Bitboard, Region, fill, is_in
    from puzzlemc.mc.words import Flag, Index, Ints, Shorts

    MOST_MARKS = 1 << 30  # larger ones are not used


class Marks:
    """Marks on cells, and the results of floods.

    seen     by cell: its last mark
    stamp    the mark that is in use; no cell has a greater one
    reached  the mark of the last flood
    cells    the cells of the last flood, in the order in which it found them
    least    the least of them
    starts   where each component begins in `cells`, after `list_regions`; `regions` is their number
    """

    seen: Ints  # readonly
    cells: Shorts  # readonly
    starts: Shorts  # readonly
    regions: Index  # readonly
    stamp: Index  # readonly
    reached: Index  # readonly
    least: Index  # readonly
    _ended: Index

    def __init__(self, cells: int) -> None:
        """No marks on a board with that number of cells."""
        self.seen = view(np.zeros(cells + 1, np.int32))
        self.cells, self.starts = view(np.zeros(cells + 1, np.int16)), view(np.zeros(cells + 2, np.int16))
        self.regions = self.stamp = self.reached = self._ended = 0
        self.least = -1


def new_stamp(marks: Marks) -> None:  # public
    """Begin with a new mark, which no cell has."""
    cell: Index
    if marks.stamp > MOST_MARKS:
        for cell in range(marks.seen.shape[0]):
            marks.seen[cell] = 0
        marks.stamp = 0
    marks.stamp += 1


def flood(floor: Floor, start: Index, marks: Marks) -> Index:  # public
    """Mark and list all free cells connected to `start`, and set the least one; return their number.

    `start` need not be free.
    """
    marks.cells[0] = start
    marks.reached = marks.stamp
    return _fill(floor, marks, 0)


def _fill(floor: Floor, marks: Marks, head: Index) -> Index:
    """Flood from the cell at that place of the list, and append to it; return the length of the list."""
    stamp: Index = marks.stamp
    least: Index = marks.cells[head]
    tail: Index = head + 1
    cell: Index
    other: Index
    d: Index
    marks.seen[least] = stamp
    while head < tail:
        cell = marks.cells[head]
        head += 1
        for d in range(4):
            other = floor.near[cell, d]
            if floor.on[other] == 0 and marks.seen[other] != stamp:
                marks.seen[other] = stamp
                marks.cells[tail] = other
                tail += 1
                if other < least:
                    least = other
    marks.least = least
    return tail


def _joined(group: Index, links: Index) -> Index:
    """The directions connected to a group of directions; link d connects direction d and the next one."""
    for _ in range(3):
        after: Index = (group & links) << 1
        before: Index = (group >> 1 | group << 3) & links
        group |= (after | after >> 4 | before) & 15
    return group


def _end_of(floor: Floor, one: Index, other: Index, marks: Marks) -> Index:
    """Flood from two cells in turns, until the floods meet, or one of them ends.

    Returns the number of cells that both visited. `_ended` is set to 0 if they met, or to the number of the flood
    that ended, 1 or 2, and `least` to the least cell of the flood that ended.
    """
    new_stamp(marks)
    stamp: Index = marks.stamp
    marks.stamp += 1
    other_stamp: Index = marks.stamp
    last: Index = marks.cells.shape[0] - 1
    head: Index = 0
    tail: Index = 1
    back: Index = last
    end: Index = last - 1
    met: Index = 0
    cell: Index
    beside: Index
    mark: Index
    is_new: Index
    d: Index
    marks.seen[one] = stamp
    marks.seen[other] = other_stamp
    marks.cells[0] = one
    marks.cells[last] = other
    marks._ended = 0
    # Steps have no branches: a processor cannot predict where boxes are. The two marks are the greatest ones.
    while True:
        if head == tail:
            marks._ended = 1
            break
        cell = marks.cells[head]
        head += 1
        for d in range(4):
            beside = floor.near[cell, d]
            mark = marks.seen[beside]
            is_new = (floor.on[beside] == 0) & (mark < stamp)
            met |= (floor.on[beside] == 0) & (mark == other_stamp)
            marks.cells[tail] = beside
            tail += is_new
            marks.seen[beside] = stamp if is_new else mark
        if met:
            break
        if back == end:
            marks._ended = 2
            break
        cell = marks.cells[back]
        back -= 1
        for d in range(4):
            beside = floor.near[cell, d]
            mark = marks.seen[beside]
            is_new = (floor.on[beside] == 0) & (mark < stamp)
            met |= (floor.on[beside] == 0) & (mark == stamp)
            marks.cells[end] = beside
            end -= is_new
            marks.seen[beside] = other_stamp if is_new else mark
        if met:
            break
    if marks._ended == 1:
        _find_least(marks, 0, tail)
    elif marks._ended == 2:
        _find_least(marks, end + 1, last + 1)
    return head + last - back


def _find_least(marks: Marks, first: Index, last: Index) -> None:
    """Set `least` to the least of listed cells."""
    at: Index
    marks.least = marks.cells[first]
    for at in range(first + 1, last):
        marks.least = min(marks.least, marks.cells[at])


def least_after(
    floor: Floor,
    board: Bitboard,
    lit: Region,
    box: Index,
    target: Index,
    player: Index,
    marks: Marks,
    after: Region,
) -> Index:  # public
    """Set `after.least` to the least cell that the player reaches after a step of a box; return the visited cells.

    The box stood on the cell `box`, next to the component of the player, which is `lit`, and is on `target` now.
    The player stands next to `target`. `floor` and `board` have the same boxes.

    Usually the component only loses `target` and gains the square of the box: this holds if no free neighbour of
    that square is in another component, and the neighbours of `target` are connected around it. If they fall into
    two groups, two alternating floods soon show whether these are connected.
    """
    least: Index = min(lit.least, box)
    changed: Flag = target == lit.least
    work: Index = 8
    cell: Index
    d: Index
    for d in range(4):
        cell = floor.near[box, d]
        changed = changed or (floor.on[cell] == 0 and not is_in(board, lit, cell))
    if not changed:
        after.least = least
        if not is_in(board, lit, target):
            return work
        free: Index = 0
        links: Index = 0
        here: Index = 0
        for d in range(4):
            cell = floor.near[target, d]
            across: Index = d + 1 & 3
            if floor.on[cell] == 0:
                free |= 1 << d
                if cell == player:
                    here = 1 << d
                if floor.on[floor.near[target, across]] == 0 and floor.on[floor.near[cell, across]] == 0:
                    links |= 1 << d
        others: Index = free & ~_joined(here, links)
        if others == 0:
            return work
        first: Index = 0
        while others >> first & 1 == 0:
            first += 1
        if others & ~_joined(1 << first, links) == 0:
            work += _end_of(floor, player, floor.near[target, first], marks)
            if marks._ended == 1:
                after.least = marks.least
                return work
            if marks._ended == 0 or marks.least != least:
                return work
    return work + fill(board, player, after)


def count_regions(floor: Floor, marks: Marks) -> Index:  # public
    """The number of components of the free cells without the mark in use; afterwards all have it."""
    number: Index = 0
    cell: Index
    for cell in range(floor.cells):
        if floor.on[cell] == 0 and marks.seen[cell] != marks.stamp:
            number += 1
            flood(floor, cell, marks)
    return number


def list_regions(floor: Floor, marks: Marks) -> Index:  # public
    """List the free cells without the mark in use, component by component; return the number of components.

    Component k is cells[starts[k] : starts[k + 1]] and gets the mark in use + 1 + k.
    """
    stamp: Index = marks.stamp
    tail: Index = 0
    cell: Index
    marks.regions = 0
    for cell in range(floor.cells):
        if floor.on[cell] == 0 and marks.seen[cell] < stamp:
            marks.starts[marks.regions] = tail
            marks.regions += 1
            marks.stamp += 1
            marks.cells[tail] = cell
            tail = _fill(floor, marks, tail)
    marks.starts[marks.regions] = tail
    return marks.regions


def reachable_cells(near: npt.NDArray[np.int16], boxes: Sequence[int], player: int) -> list[int]:
    """The cells that a player reaches among these boxes, in increasing order."""
    floor, marks = Floor(near), Marks(len(near) - 1)
    np.asarray(floor.on)[list(boxes)] = 1
    new_stamp(marks)
    size = flood(floor, player, marks)
    cells: list[int] = np.sort(np.asarray(marks.cells)[:size]).tolist()
    return cells
