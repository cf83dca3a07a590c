"""Deadlock patterns: boxes that cannot reach targets, whatever the other boxes do.

Each position with the boxes of a pattern is dead if the player is in the same component of the floor between these
boxes. `relaxation.py` finds the patterns. Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.sokoban.board.floods import Marks, flood, new_stamp
    from puzzlemc.encodings.sokoban.board.floor import Floor
    from puzzlemc.encodings.sokoban.fess.domain.games import Boxes, lift, put_down
    from puzzlemc.mc.words import ALL, Flag, Index, Ints, Ints2, Word, Words2, bit

    PATTERNS = 1 << 14
    BLOCK = 16  # patterns that are adjacent in memory
    BLOCKS = PATTERNS * 4 // BLOCK  # the most full blocks


class Patterns:
    """The patterns that a side has learned.

    floor, marks  working arrays
    rows, parts   (patterns, words): the boxes of a pattern, and the component of the player, as bits
    first, fill   by cell: the first block of the patterns with a box there, or -1, and the number of its entries
    folded        (blocks, BLOCK): all words of the row of a pattern, combined into one
    numbers       (blocks, BLOCK): the numbers of the patterns
    after         by block: the next block of the same cell, which is full, or -1
    number        of patterns; `blocks`, the number of blocks
    """

    floor: Floor  # readonly
    marks: Marks  # readonly
    rows: Words2  # readonly
    parts: Words2  # readonly
    first: Ints  # readonly
    fill: Ints  # readonly
    folded: Words2  # readonly
    numbers: Ints2  # readonly
    after: Ints  # readonly
    number: Index  # public
    blocks: Index  # public

    def __init__(self, near: npt.NDArray[np.int16]) -> None:
        """No patterns on a board."""
        cells = len(near) - 1
        words, most = cells // 64 + 1, BLOCKS + cells
        self.floor, self.marks = Floor(near), Marks(cells)
        self.rows = view(np.zeros((PATTERNS, words), np.uint64))
        self.parts = view(np.zeros((PATTERNS, words), np.uint64))
        self.first, self.fill = view(np.full(cells + 1, -1, np.int32)), view(np.zeros(cells + 1, np.int32))
        self.folded = view(np.zeros((most, BLOCK), np.uint64))
        self.numbers = view(np.zeros((most, BLOCK), np.int32))
        self.after = view(np.full(most, -1, np.int32))
        self.number = self.blocks = 0


def is_pattern(patterns: Patterns, boxes: Boxes, box: Index, player: Index) -> Flag:  # public
    """Does a position contain a pattern with this box?"""
    block: Index = patterns.first[box]
    if block < 0:
        return False
    fill: Index = patterns.fill[box]
    folded: Word = 0
    at: Index
    place: Index
    for at in range(boxes.row.shape[0]):
        folded |= boxes.row[at]
    folded ^= ALL
    while block >= 0:
        for place in range(fill):
            # This test reads adjacent memory and excludes most patterns.
            if patterns.folded[block, place] & folded:
                continue
            number: Index = patterns.numbers[block, place]
            if patterns.parts[number, player >> 6] & bit(player & 63):
                fits: Flag = True
                for at in range(boxes.row.shape[0]):
                    if patterns.rows[number, at] & (ALL ^ boxes.row[at]):
                        fits = False
                        break
                if fits:
                    return True
        block = patterns.after[block]
        fill = BLOCK
    return False


def has_pattern(patterns: Patterns, boxes: Boxes, player: Index) -> Flag:  # public
    """Does a position contain a pattern?"""
    found: Flag = False
    at: Index
    for at in range(boxes.count):
        found = found or is_pattern(patterns, boxes, boxes.cells[at], player)
    return found


def learn(patterns: Patterns, boxes: Boxes, player: Index) -> None:  # public
    """Store a pattern if there is room: these boxes, with the player in the component of that cell."""
    number: Index = patterns.number
    if number >= PATTERNS or patterns.blocks + boxes.count > patterns.after.shape[0]:
        return
    folded: Word = 0
    at: Index
    cell: Index
    for at in range(patterns.rows.shape[1]):
        patterns.rows[number, at] = 0
        patterns.parts[number, at] = 0
    for at in range(boxes.count):
        cell = boxes.cells[at]
        patterns.rows[number, cell >> 6] |= bit(cell & 63)
        folded |= bit(cell & 63)
    for at in range(boxes.count):
        cell = boxes.cells[at]
        if patterns.first[cell] < 0 or patterns.fill[cell] == BLOCK:
            patterns.after[patterns.blocks] = patterns.first[cell]
            patterns.first[cell] = patterns.blocks
            patterns.fill[cell] = 0
            patterns.blocks += 1
        patterns.folded[patterns.first[cell], patterns.fill[cell]] = folded
        patterns.numbers[patterns.first[cell], patterns.fill[cell]] = number
        patterns.fill[cell] += 1
    put_down(patterns.floor, boxes)
    new_stamp(patterns.marks)
    size: Index = flood(patterns.floor, player, patterns.marks)
    lift(patterns.floor, boxes)
    for at in range(size):
        cell = patterns.marks.cells[at]
        patterns.parts[number, cell >> 6] |= bit(cell & 63)
    patterns.number += 1
