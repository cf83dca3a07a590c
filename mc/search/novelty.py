"""The novelty of states: the size of a smallest set of true bits that no earlier state had together.

It is 1, 2, or 3 for all larger ones (Lipovetzky and Geffner 2012). Only earlier states of the same part count: the
owner gives each state the number of a part, for example the goals that are left.

In a part, a bit has a row once it was fresh: the bits that were true then, a word at a time. So a pair is known if
it is in the row of one of its bits. What the row of a fresh bit lacks is looked up in the other rows, a bit at a
time, but each bit once, as it is in the row from then on.

A part takes memory when its first state comes, and a row when its bit becomes true. If there is none for a row,
its bit makes no pair new; once there is none for the places of rows, the states of a part have novelty 1 or 3; and
3 once there is none for its bits. If there are more parts than a fourth of the memory can hold the places of, the
last ones are one part. Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

PART_BYTES = 16  # of a part, even if it has no state

if not cython.compiled:
    from puzzlemc.mc.words import ALL, Index, Numbers, Word, Words, bit, lowest_bit


class Novelty:
    """The bits and pairs of bits that earlier states had, by parts.

    now         (words,): the true bits of the state to rate, written by the owner
    fresh       (words,): those of them that its parent had not, or had in another part. Only pairs with one of
                them are looked at
    bits_first  (parts,): where the bits of each part start in `seen`, -1 if it has none
    rows_first  (parts,): where the place of the row of each bit starts, -1 if there are none; 0 is the place of a
                bit without a row
    bits        the number of bits; 0 if pairs are not looked at
    seen        the bits, places and rows so far. The system fills its pages only as they are written
    used        the words of `seen` in use, from 1 on
    most        the words of `seen` that may be used
    work        the words and bits looked at
    """

    now: Words  # readonly
    fresh: Words  # readonly
    bits_first: Numbers
    rows_first: Numbers
    bits: Index
    seen: Words
    used: Index  # readonly
    most: Index
    work: Index  # readonly

    def __init__(self, bits: int, parts: int, memory: int, width: int = 2) -> None:
        """Nothing was seen. `memory` is for what will be; novelty above `width`, 1 or 2, counts as 3."""
        words = max(1, (bits + 63) // 64)
        parts = max(1, min(parts, memory // (4 * PART_BYTES)))
        self.now, self.fresh = (view(np.zeros(words, np.uint64)) for _ in range(2))
        self.bits_first, self.rows_first = (view(np.full(parts, -1, np.int64)) for _ in range(2))
        self.bits = bits if width > 1 else 0
        self.most = max(1, memory // 8)
        self.seen = view(np.zeros(self.most, np.uint64))
        self.used, self.work = 1, 0

    @property
    def bytes(self) -> int:
        """The memory in use."""
        return 8 * (self.used + 2 * self.now.shape[0] + 2 * self.bits_first.shape[0])

    def allow(self, memory: int) -> None:
        """Let `bytes` become at most `memory`, or stay if it is more already."""
        self.most = min(self.used + max(0, memory - self.bytes) // 8, self.seen.shape[0])

    def of(self, now: npt.NDArray[np.uint64], fresh: npt.NDArray[np.uint64], part: int) -> int:
        """The novelty of a state with the bits `now`, of which these are fresh; see `rate`."""
        np.asarray(self.now)[:], np.asarray(self.fresh)[:] = now, fresh
        return rate(self, part)


def rate(table: Novelty, part: Index) -> Index:
    """The novelty of the state `now`, 1, 2 or 3. Its bits and pairs are known in its part from now on."""
    w: Index
    part = min(part, table.bits_first.shape[0] - 1)
    if table.bits_first[part] < 0:
        table.bits_first[part] = _take(table, table.now.shape[0])
        table.rows_first[part] = _take(table, table.bits) if table.bits > 0 else -1
    bits: Index = table.bits_first[part]
    if bits < 0:
        return 3
    new: Word = 0
    for w in range(table.now.shape[0]):
        new |= table.now[w] & (ALL ^ table.seen[bits + w])
        table.seen[bits + w] |= table.now[w]
    table.work += table.now.shape[0]
    novelty: Index = 1 if new != 0 else 3
    if table.rows_first[part] >= 0:
        for w in range(table.now.shape[0]):
            fresh: Word = table.fresh[w]
            while fresh != 0:
                novelty = _note_pairs(table, table.rows_first[part], 64 * w + lowest_bit(fresh), novelty)
                fresh &= fresh - 1
    return novelty


def _take(table: Novelty, words: Index) -> Index:
    """Where further words of `seen` start, -1 if there is no room for them."""
    if table.used + words > table.most:
        return -1
    table.used += words
    return table.used - words


def _note_pairs(table: Novelty, places: Index, number: Index, novelty: Index) -> Index:
    """Note the pairs of a fresh bit with the state; return the novelty, 2 if it was 3 and one of them is new."""
    w: Index
    if table.seen[places + number] == 0:
        taken: Index = _take(table, table.now.shape[0])
        if taken < 0:
            return novelty
        table.seen[places + number] = taken
    row: Index = table.seen[places + number]
    for w in range(table.now.shape[0]):
        # The row may lack the bit itself only if it is new.
        unknown: Word = table.now[w] & (ALL ^ table.seen[row + w])
        table.seen[row + w] |= table.now[w]
        while unknown != 0 and novelty == 3:
            table.work += 1
            other: Index = table.seen[places + 64 * w + lowest_bit(unknown)]
            if other == 0 or table.seen[other + (number >> 6)] & bit(number & 63) == 0:
                novelty = 2
            unknown &= unknown - 1
    table.work += table.now.shape[0]
    return novelty
