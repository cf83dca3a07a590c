"""A partition of the vertices of a graph into cells, and its refinement: the vertices of a cell have equally many
neighbours in each other cell (equitable partitions; McKay 1981).

Cells only split, and the splits can be undone. All that is decided depends on the sizes and places of cells, not
on the numbers of vertices: so the same steps in another order of the vertices give the same *hash*.

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.tasks.operators import starts
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Flag, Index, Ints, Numbers, Word, left, mixed


class Partition:
    """The graph, the cells, and working arrays. A cell is known by the place of its first vertex.

    count            of the vertices
    neighbour_first  (vertices + 1,): where the neighbours of each vertex start
    neighbour        vertices
    order            (vertices,): the vertices, cell by cell
    place            (vertices,): where each of them is
    cell             (vertices,): the cell of each
    size             (vertices,): the size of each cell
    split            (vertices,): the cells that were split off, in the order of time
    parent           (vertices,): what each of them was split off from
    splits           their number
    waiting          (vertices,): cells by which others are to be split; `waiting_count` of them
    is_waiting       (vertices,): is the cell among them?
    found            (vertices,): the number of neighbours in the cell by which others are split
    key              (vertices,): the cell and that number, of each vertex that has some
    touched          (vertices,): these vertices
    work             the number of steps so far
    """

    count: Index  # readonly
    neighbour_first: Ints  # readonly
    neighbour: Ints  # readonly
    order: Ints  # readonly
    place: Ints  # readonly
    cell: Ints  # readonly
    size: Ints  # readonly
    split: Ints
    parent: Ints
    splits: Index  # readonly
    waiting: Ints
    waiting_count: Index
    is_waiting: Ints
    found: Ints
    key: Numbers
    touched: Ints
    work: Index  # readonly

    def __init__(self, kinds: npt.NDArray[np.int64], edges: npt.NDArray[np.int64]) -> None:
        """The vertices of a kind are a cell.

        `edges` is (edges, 2): each edge once, none from a vertex to itself.
        """
        count = len(kinds)
        both = np.concatenate([edges, edges[:, ::-1]])
        self.count = count
        self.neighbour_first = view(starts(np.bincount(both[:, 0], minlength=count)).astype(np.int32))
        self.neighbour = view(both[np.argsort(both[:, 0], kind="stable"), 1].astype(np.int32))
        order = np.argsort(kinds, kind="stable")
        _, first, sizes = np.unique(kinds[order], return_index=True, return_counts=True)
        cell, size = np.zeros(count, np.int32), np.zeros(count, np.int32)
        cell[order], size[first] = np.repeat(first, sizes), sizes
        place = np.zeros(count, np.int32)
        place[order] = np.arange(count)
        self.order, self.place = view(order.astype(np.int32)), view(place)
        self.cell, self.size = view(cell), view(size)
        self.split, self.parent, self.waiting, self.is_waiting, self.found, self.touched = (
            view(np.zeros(count, np.int32)) for _ in range(6)
        )
        self.key = view(np.zeros(count, np.int64))
        self.splits = self.waiting_count = self.work = 0
        for start in first.tolist():
            _wait(self, start)
        refine(self)


def individualize(cells: Partition, vertex: Index) -> Word:  # public
    """Make a vertex of a larger cell a cell of its own, and refine; return the hash."""
    cell: Index = cells.cell[vertex]
    last: Index = cell + cells.size[cell] - 1
    _move(cells, vertex, last)
    _split_off(cells, cell, last, 1)
    _wait(cells, last)
    return refine(cells)


def undo(cells: Partition, splits: Index) -> None:  # public
    """Undo all splits but the first `splits`."""
    i: Index
    while cells.splits > splits:
        cells.splits -= 1
        cell: Index = cells.split[cells.splits]
        whole: Index = cells.parent[cells.splits]
        for i in range(cell, cell + cells.size[cell]):
            cells.cell[cells.order[i]] = whole
        cells.work += cells.size[cell]
        cells.size[whole] += cells.size[cell]


def first_cell(cells: Partition, start: Index) -> Index:  # public
    """The first cell with several vertices, from `start` on; the number of vertices if there is none."""
    while start < cells.count and cells.size[start] == 1:
        start += 1
    return start


def refine(cells: Partition) -> Word:  # public
    """Split cells until the vertices of each have equally many neighbours in each other; return the hash."""
    i: Index
    j: Index
    hash: Word = 0
    while cells.waiting_count:
        cells.waiting_count -= 1
        by: Index = cells.waiting[cells.waiting_count]
        cells.is_waiting[by] = 0
        touched: Index = 0
        for i in range(by, by + cells.size[by]):
            vertex: Index = cells.order[i]
            cells.work += cells.neighbour_first[vertex + 1] - cells.neighbour_first[vertex]
            for j in range(cells.neighbour_first[vertex], cells.neighbour_first[vertex + 1]):
                other: Index = cells.neighbour[j]
                if cells.found[other] == 0:
                    cells.touched[touched] = other
                    touched += 1
                cells.found[other] += 1
        for i in range(touched):
            cells.key[i] = left(cells.cell[cells.touched[i]], 32) | cells.found[cells.touched[i]]
            cells.found[cells.touched[i]] = 0
        _sort(cells, touched)
        i = 0
        while i < touched:
            j = i
            while j < touched and cells.key[j] >> 32 == cells.key[i] >> 32:
                hash = mixed(hash, cells.key[j])
                j += 1
            _split(cells, i, j)
            i = j
    return hash


def _split(cells: Partition, first: Index, last: Index) -> None:
    """Split a cell by the keys from `first` to before `last`, which are those of its vertices that have some."""
    k: Index
    cell: Index = cells.key[first] >> 32
    size: Index = cells.size[cell]
    count: Index = last - first
    if count == size and cells.key[first] == cells.key[last - 1]:
        return
    at: Index = cell + size
    for k in range(count):
        at -= 1
        _move(cells, cells.touched[last - 1 - k], at)
    # The first piece keeps the name of the cell.
    begin: Index = at
    largest: Index = at - cell
    which: Index = cell
    before: Index = cells.splits
    for k in range(first + 1, last + 1):
        if k == last or cells.key[k] != cells.key[k - 1]:
            length: Index = at + k - first - begin
            if begin > cell:
                _split_off(cells, cell, begin, length)
            if length > largest:
                largest = length
                which = begin
            begin += length
    # One piece can be left out: its neighbours are those in the whole that no other piece has (Hopcroft 1971).
    has_waited: Flag = cells.is_waiting[cell] != 0
    if has_waited or which != cell:
        _wait(cells, cell)
    for k in range(before, cells.splits):
        if has_waited or which != cells.split[k]:
            _wait(cells, cells.split[k])


def _split_off(cells: Partition, cell: Index, begin: Index, length: Index) -> None:
    """Make that many vertices of a cell a cell of their own. They are behind what stays of it."""
    i: Index
    for i in range(begin, begin + length):
        cells.cell[cells.order[i]] = begin
    cells.size[begin] = length
    cells.size[cell] -= length
    cells.split[cells.splits] = begin
    cells.parent[cells.splits] = cell
    cells.splits += 1


def _move(cells: Partition, vertex: Index, target: Index) -> None:
    """Exchange a vertex with the one at a place of the same cell."""
    place: Index = cells.place[vertex]
    other: Index = cells.order[target]
    cells.order[place] = other
    cells.place[other] = place
    cells.order[target] = vertex
    cells.place[vertex] = target


def _wait(cells: Partition, cell: Index) -> None:
    """Note that cells are to be split by this one."""
    if not cells.is_waiting[cell]:
        cells.is_waiting[cell] = 1
        cells.waiting[cells.waiting_count] = cell
        cells.waiting_count += 1


def _sort(cells: Partition, count: Index) -> None:
    """Sort the first keys, with their vertices (Shell 1959)."""
    i: Index
    j: Index
    gap: Index = 1
    while gap < count // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, count):
            key: Index = cells.key[i]
            vertex: Index = cells.touched[i]
            j = i
            while j >= gap and cells.key[j - gap] > key:
                cells.key[j] = cells.key[j - gap]
                cells.touched[j] = cells.touched[j - gap]
                j -= gap
            cells.key[j] = key
            cells.touched[j] = vertex
        gap //= 3


def maps_edges(cells: Partition, image: Ints) -> Flag:  # public
    """Is the image of each edge an edge? `image` is a permutation of the vertices."""
    i: Index
    vertex: Index
    is_kept: Flag = True
    for vertex in range(cells.count):
        goal: Index = image[vertex]
        if goal == vertex or not is_kept:
            continue
        for i in range(cells.neighbour_first[goal], cells.neighbour_first[goal + 1]):
            cells.found[cells.neighbour[i]] = 1
        degree: Index = cells.neighbour_first[vertex + 1] - cells.neighbour_first[vertex]
        if degree != cells.neighbour_first[goal + 1] - cells.neighbour_first[goal]:
            is_kept = False
        for i in range(cells.neighbour_first[vertex], cells.neighbour_first[vertex + 1]):
            if not cells.found[image[cells.neighbour[i]]]:
                is_kept = False
        for i in range(cells.neighbour_first[goal], cells.neighbour_first[goal + 1]):
            cells.found[cells.neighbour[i]] = 0
        cells.work += degree
    return is_kept
