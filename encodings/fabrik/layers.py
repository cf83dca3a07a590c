"""Positions of small boards as words, and the tables of all positions with a certain number of stones.

A position is one word, its *key*: the set of own stones, the set of the opponent's, and the two workers in order.
A layer is a hash table of keys with linear probing, with the *worth* of each key beside it.

The worth of a position is for the player to move: 0 if it is unknown, d for a win in d turns, -1 - d for a loss in
d turns. It is stored as a byte, a negative one plus 256. Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import (
        ALL,
        Bytes,
        Flag,
        Index,
        Numbers2,
        Word,
        Words,
        Words2,
        Words3,
        bit,
        lowest_bit,
        mixed,
    )

    HALF = 13  # cells of half a board, the index of the tables of symmetries
    WON = -1  # instead of a number of positions: a turn wins


class Board:
    """The tables of a board, which all positions share.

    near   (cells, 8): the next cell in each direction, -1 beyond the edge
    lines  (cells, lines): the winning rows through a cell, as sets; padded with a set that no board contains
    sets   (8, 2, sets of half a board): the image of each half of a set of cells under each symmetry
    cells  (8, cells): the image of a cell under each symmetry
    after  (positions,): scratch, the keys of the positions after each turn of one position
    """

    near: Numbers2
    lines: Words2
    sets: Words3
    cells: Numbers2
    after: Words

    def __init__(
        self,
        near: npt.NDArray[np.int64],
        lines: npt.NDArray[np.uint64],
        sets: npt.NDArray[np.uint64],
        cells: npt.NDArray[np.int64],
    ) -> None:
        self.near, self.lines, self.sets, self.cells = view(near), view(lines), view(sets), view(cells)
        count = len(near)
        self.after = view(np.zeros((2 * count + 1) * count, np.uint64))


class Layer:
    """All positions with a certain number of stones.

    keys    (slots,): a hash table of keys, 0 in a free slot; the number of slots is a power of two
    worths  (slots,): the worth of each key
    used    the number of keys
    """

    keys: Words
    worths: Bytes
    used: Index

    def __init__(self, slots: int) -> None:
        """An empty table."""
        self.keys, self.worths = view(np.zeros(slots, np.uint64)), view(np.zeros(slots, np.uint8))
        self.used = 0


def worth_of(layer: Layer, key: Word) -> int:
    """The worth of a key, 0 if the layer does not have it."""
    slot: Index = slot_of(layer, key)
    if layer.keys[slot] != key:
        return 0
    worth: Index = layer.worths[slot]
    return worth if worth < 128 else worth - 256


def canonical(board: Board, own: Word, other: Word, one: Index, two: Index) -> Word:
    """The key of a position: the least that a symmetry gives.

    The workers have the highest bits: images of stones are looked up only for the least image of the workers.
    """
    count: Index = board.near.shape[0]
    low: Word = bit(HALF) - 1
    best: Word = 0
    least: Word = ALL
    s: Index
    for s in range(8):
        p: Word = board.cells[s, one]
        q: Word = board.cells[s, two]
        workers: Word = p | q << 5 if p < q else q | p << 5
        if workers > least:
            continue
        mine: Word = board.sets[s, 0, own & low] | board.sets[s, 1, own >> HALF]
        theirs: Word = board.sets[s, 0, other & low] | board.sets[s, 1, other >> HALF]
        key: Word = mine | theirs << count | workers << 2 * count
        if workers < least or key < best:
            best = key
            least = workers
    return best


def _sight(board: Board, occupied: Word, cell: Index) -> Word:
    """The cells that a worker sees."""
    seen: Word = 0
    direction: Index
    for direction in range(8):
        at: Index = board.near[cell, direction]
        while at >= 0 and not occupied & bit(at):
            seen |= bit(at)
            at = board.near[at, direction]
    return seen


def _completes(board: Board, stones: Word, cell: Index) -> Flag:
    """Do these stones contain a winning row through the cell?"""
    number: Index
    for number in range(board.lines.shape[1]):
        line: Word = board.lines[cell, number]
        if stones & line == line:
            return True
    return False


def _followers(board: Board, key: Word) -> Index:
    """Write the keys of all positions after a turn to `after`; return their number, or WON if a turn wins."""
    count: Index = board.near.shape[0]
    full: Word = bit(count) - 1
    own: Word = key & full
    other: Word = key >> count & full
    one: Index = key >> 2 * count & 31
    two: Index = key >> 2 * count + 5
    before: Word = own | other | bit(one) | bit(two)
    number: Index = _write(board, own, other, one, two, 0)
    to: Index
    for to in range(count):
        if number < 0:
            break
        if not before & bit(to):
            number = _write(board, own, other, one, to, number)
            if number >= 0:
                number = _write(board, own, other, to, two, number)
    return number


def _write(board: Board, own: Word, other: Word, one: Index, two: Index, number: Index) -> Index:
    """Append the positions after a stone, with the workers on these cells; return the number, or WON."""
    occupied: Word = own | other | bit(one) | bit(two)
    meeting: Word = _sight(board, occupied, one) & _sight(board, occupied, two)
    while meeting:
        cell: Index = lowest_bit(meeting)
        meeting &= meeting - 1
        mine: Word = own | bit(cell)
        if _completes(board, mine, cell):
            return WON
        board.after[number] = canonical(board, other, mine, one, two)
        number += 1
    return number


def slot_of(layer: Layer, key: Word) -> Index:
    """The slot of a key, or the free one for it."""
    mask: Word = layer.keys.shape[0] - 1
    slot: Word = mixed(0, key) & mask
    while layer.keys[slot] != 0 and layer.keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


def insert(layer: Layer, key: Word) -> None:
    """Insert a key unless the layer has it."""
    slot: Index = slot_of(layer, key)
    if layer.keys[slot] == 0:
        layer.keys[slot] = key
        layer.used += 1


def insert_all(layer: Layer, larger: Layer) -> None:
    """Insert the keys of a layer into a larger one."""
    slot: Index
    for slot in range(layer.keys.shape[0]):
        if layer.keys[slot] != 0:
            insert(larger, layer.keys[slot])


def expand(board: Board, here: Layer, after: Layer, start: Index, end: Index, last: Flag) -> Index:
    """Insert into `after` what follows the positions in slots `start` to before `end`.

    Positions that end at once get their worth; in the `last` layer nothing else is done. Stops when half of the
    slots of `after` are used. Returns the slot where it stopped.
    """
    i: Index
    j: Index
    for i in range(start, end):
        key: Word = here.keys[i]
        if key == 0:
            continue
        if not last and after.used > after.keys.shape[0] >> 1:
            return i
        number: Index = _followers(board, key)
        if number <= 0:
            here.worths[i] = 1 if number < 0 else 255
        elif not last:
            for j in range(number):
                insert(after, board.after[j])
    return end


def decide(board: Board, here: Layer, after: Layer, start: Index, end: Index) -> None:
    """Write the worths of the positions in slots `start` to before `end`, from those of the next layer."""
    i: Index
    j: Index
    for i in range(start, end):
        if here.keys[i] == 0 or here.worths[i] != 0:
            continue
        number: Index = _followers(board, here.keys[i])
        soonest: Index = 127
        latest: Index = 0
        unknown: Flag = False
        for j in range(number):
            worth: Index = after.worths[slot_of(after, board.after[j])]
            if worth > 127:
                soonest = min(soonest, 256 - worth)
            elif worth == 0:
                unknown = True
            else:
                latest = max(latest, worth)
        if soonest < 127:
            here.worths[i] = soonest
        elif not unknown:
            here.worths[i] = 254 - latest
