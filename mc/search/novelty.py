"""The novelty of states: the size of a smallest set of true bits that no earlier state had together.

It is 1, 2, or 3 for all larger ones (Lipovetzky and Geffner 2012). Only earlier states of the same part count: the
owner gives each state the number of a part, for example the goals that are left. A pair of bits has one place, in
the row of its higher bit. So the lower bits that are true beside a bit are compared and noted a word at a time.

A part takes memory when its first state comes. Once there is none for its pairs, its states have novelty 1 or 3;
once there is none for its bits, they have novelty 3. If there are more parts than a fourth of the memory can hold
the places of, the last ones are one part. Compiled: see `mc/words.py`.
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
    pairs_first (parts,): where its pairs start, -1 if it has none
    row_first   (bits,): where the row of each bit starts among the pairs of a part
    pair_words  the length of the pairs of a part; 0 if pairs are not looked at
    seen        the bits and pairs so far. The system fills its pages only as they are written
    used        the words of `seen` in use
    most        the words of `seen` that may be used
    work        the words and bits looked at
    """

    now: Words  # readonly
    fresh: Words  # readonly
    bits_first: Numbers
    pairs_first: Numbers
    row_first: Numbers
    pair_words: Index
    seen: Words
    used: Index  # readonly
    most: Index
    work: Index  # readonly

    def __init__(self, bits: int, parts: int, memory: int, width: int = 2) -> None:
        """Nothing was seen. `memory` is for what will be; novelty above `width`, 1 or 2, counts as 3."""
        words = max(1, (bits + 63) // 64)
        parts = max(1, min(parts, memory // (4 * PART_BYTES)))
        self.now, self.fresh = (view(np.zeros(words, np.uint64)) for _ in range(2))
        self.bits_first, self.pairs_first = (view(np.full(parts, -1, np.int64)) for _ in range(2))
        lengths = np.arange(bits, dtype=np.int64) // 64 + 1
        self.row_first = view(np.cumsum(lengths) - lengths)
        self.pair_words = int(lengths.sum()) if width > 1 else 0
        self.seen = view(np.zeros(memory // 8, np.uint64))
        self.used, self.most, self.work = 0, memory // 8, 0

    @property
    def bytes(self) -> int:
        """The memory in use."""
        return 8 * (self.used + 2 * self.now.shape[0] + 2 * self.bits_first.shape[0] + self.row_first.shape[0])

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
        table.pairs_first[part] = _take(table, table.pair_words) if table.pair_words > 0 else -1
    bits: Index = table.bits_first[part]
    if bits < 0:
        return 3
    new: Word = 0
    for w in range(table.now.shape[0]):
        new |= table.now[w] & (ALL ^ table.seen[bits + w])
        table.seen[bits + w] |= table.now[w]
    table.work += table.now.shape[0]
    new_pairs: Word = 0
    if table.pairs_first[part] >= 0:
        for w in range(table.now.shape[0]):
            fresh: Word = table.fresh[w]
            while fresh != 0:
                new_pairs |= _note_pairs(table, table.pairs_first[part], 64 * w + lowest_bit(fresh))
                fresh &= fresh - 1
    return 1 if new != 0 else 2 if new_pairs != 0 else 3


def _take(table: Novelty, words: Index) -> Index:
    """Where further words of `seen` start, -1 if there is no room for them."""
    if table.used + words > table.most:
        return -1
    table.used += words
    return table.used - words


def _note_pairs(table: Novelty, pairs: Index, number: Index) -> Word:
    """Note the pairs of a fresh bit with the bits of the state; return a word that is not 0 if one is new."""
    w: Index
    last: Index = number >> 6
    row: Index = pairs + table.row_first[number]
    mask: Word = bit(number & 63)
    new: Word = 0
    for w in range(last):
        new |= table.now[w] & (ALL ^ table.seen[row + w])
        table.seen[row + w] |= table.now[w]
    lower: Word = table.now[last] & (mask - 1)
    new |= lower & (ALL ^ table.seen[row + last])
    table.seen[row + last] |= lower
    table.work += last
    # Pairs with higher bits; those of fresh ones are in rows of their own.
    higher: Word = table.now[last] & (ALL ^ table.fresh[last]) & (ALL ^ (mask | (mask - 1)))
    for w in range(last, table.now.shape[0]):
        if w > last:
            higher = table.now[w] & (ALL ^ table.fresh[w])
        while higher != 0:
            at: Index = pairs + table.row_first[64 * w + lowest_bit(higher)] + last
            new |= mask & (ALL ^ table.seen[at])
            table.seen[at] |= mask
            higher &= higher - 1
            table.work += 1
    return new
