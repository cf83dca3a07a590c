"""Pairing of boxes with targets: a largest matching, by augmenting paths (Kuhn 1955).

Compiled: see `mc/words.py`.
"""

import cython
import numpy as np

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.fess.domain.games import Boxes
    from puzzlemc.mc.words import ALL, Flag, Index, Ints, Ints2, Word, Words, Words3, bit, lowest_bit


class Pairing:
    """A matching of boxes and targets, both by number.

    owner  by target: the number of its box, if it is taken
    taken  the targets that have a box, as bits
    gains  the targets that one more box would add to the matching if it reached them, as bits; see `find_gains`
    tried  the targets seen by a search for an augmenting path, as bits
    path   the boxes of an augmenting path, and the target for which each is asked
    work   visited boxes, so far
    """

    owner: Ints  # readonly
    taken: Words  # readonly
    gains: Words  # readonly
    tried: Words  # readonly
    path: Ints2  # readonly
    work: Index  # public

    def __init__(self, boxes: int, targets: int) -> None:
        """An empty matching, with room for `boxes` boxes and `targets` targets."""
        self.owner, self.path = view(np.zeros(targets, np.int32)), view(np.zeros((boxes + 2, 2), np.int32))
        self.taken, self.gains, self.tried = (view(np.zeros(targets // 64 + 1, np.uint64)) for _ in range(3))
        self.work = 0


def clear(pairing: Pairing) -> None:
    """Empty the matching."""
    word: Index
    for word in range(pairing.taken.shape[0]):
        pairing.taken[word] = 0


def augment(pairing: Pairing, ways: Words3, lane: Index, boxes: Boxes, first: Index) -> Flag:
    """Give a box, by number, a target of its own; False if there is no augmenting path.

    ways  (lanes, cells, words): the targets that a box reaches from a cell, as bits
    """
    words: Index = pairing.taken.shape[0]
    depth: Index = 0
    last: Index = -1
    word: Index
    for word in range(words):
        pairing.tried[word] = 0
    pairing.path[0, 0] = first
    while depth >= 0:
        box: Index = boxes.cells[pairing.path[depth, 0]]
        asked: Index = -1
        pairing.work += 1
        for word in range(words):
            left: Word = ways[lane, box, word] & (ALL ^ pairing.tried[word])
            if left == 0:
                continue
            empty: Word = left & (ALL ^ pairing.taken[word])
            if empty:
                last = word * 64 + lowest_bit(empty)
                break
            if asked < 0:
                asked = word * 64 + lowest_bit(left)
        if last >= 0:
            break
        if asked < 0:
            depth -= 1
            continue
        pairing.tried[asked >> 6] |= bit(asked & 63)
        depth += 1
        pairing.path[depth, 0] = pairing.owner[asked]
        pairing.path[depth, 1] = asked
    if last < 0:
        return False
    pairing.taken[last >> 6] |= bit(last & 63)
    # Each box on the path gets the target for which the next box was asked.
    while depth >= 0:
        pairing.owner[last] = pairing.path[depth, 0]
        last = pairing.path[depth, 1]
        depth -= 1
    return True


def find_gains(pairing: Pairing, ways: Words3, lane: Index, boxes: Boxes) -> None:
    """Find the targets from which an alternating path leads to a free target, in a largest matching.

    At first `gains` has the free targets.
    """
    targets: Index = pairing.owner.shape[0]
    words: Index = pairing.taken.shape[0]
    changed: Flag = True
    target: Index
    word: Index
    while changed:
        changed = False
        for target in range(targets):
            own: Word = bit(target & 63)
            if pairing.taken[target >> 6] & own == 0 or pairing.gains[target >> 6] & own:
                continue
            pairing.work += 1
            for word in range(words):
                if ways[lane, boxes.cells[pairing.owner[target]], word] & pairing.gains[word]:
                    pairing.gains[target >> 6] |= own
                    changed = True
                    break
