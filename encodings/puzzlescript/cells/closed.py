"""A set of listed positions, and the check that their steps do not leave it.

A step may lead out of it to a position that breaks a bound (see `bounds`), or that is lost by objects that stay
for ever (see `frozen`): no win comes after that. Compiled: see `mc/words.py`.
"""

from collections.abc import Sequence

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.puzzlescript.cells.frozen import FrozenObjects
from puzzlemc.encodings.puzzlescript.cells.turns import Turns
from puzzlemc.mc.search.state_table import StateTable
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.encodings.puzzlescript.cells.board import differs
    from puzzlemc.encodings.puzzlescript.cells.frozen import lost_by_frozen
    from puzzlemc.encodings.puzzlescript.cells.turns import (
        CROWDED,
        DRAWN,
        RESTARTED,
        SETTLED,
        UNFINISHED,
        VICTORY,
        take,
    )
    from puzzlemc.mc.search.state_table import find
    from puzzlemc.mc.words import Flag, Index, Ints, Ints2, Numbers, Word, Words, Words2, bit, lowest_bit

    # Numbers of bits.
    NO_BIT = -1
    IGNORED = -2
    # What the check of a position says.
    CLOSED = 0  # its steps lead to listed positions
    WINS = 1  # a step wins
    LEFT_OUT = 2  # a step leads to a position that is not listed, or listed at a higher cost
    UNSETTLED = 3  # a turn does not settle, or goes on behind a checkpoint to which a rule may go back
    FULL = 4  # a turn needs more room for matches


class ListedPositions(StateTable):
    """Packed positions that are listed with costs.

    Bit b of a packed position says that an object is in a cell. Other objects are where they are at the start.

    costs      (positions,)
    price      the cost of a step
    below      all costs are less
    fixed      (cells, words): the objects that no bit is about
    bit_cell, bit_word, bit_mask   the cell of each bit, and the word and the mask of its object; -1 for no object
    number     (cells, objects): the bit, NO_BIT if there is none, IGNORED if the object makes no difference
    after      (1, words): a successor
    checked    the number of positions that are checked
    least, most    (bounds,): numbers of cells with objects, by bound
    bound_cells, bound_starts      the cells of the bounds, and where those of each begin
    bound_objects  (bounds, words): the masks of their objects
    frozen         what is known of objects that stay for ever
    """

    costs: Numbers
    price: Index
    below: Index
    fixed: Words2
    bit_cell: Ints
    bit_word: Ints
    bit_mask: Words
    number: Ints2
    after: Words2
    checked: Index  # readonly
    least: Ints
    most: Ints
    bound_cells: Ints
    bound_starts: Ints
    bound_objects: Words2
    frozen: FrozenObjects

    def __init__(
        self,
        rows: npt.NDArray[np.uint64],
        costs: npt.NDArray[np.int64],
        fixed: npt.NDArray[np.uint64],
        number: npt.NDArray[np.int32],
        claim: tuple[int, int],
        frozen: FrozenObjects,
    ) -> None:
        """Positions of shape (positions, words), none twice, with their costs. `claim` is `price` and `below`."""
        super().__init__(0, rows.shape[1], 1 << (2 * len(rows) + 1).bit_length())
        self.rows, self.costs, (self.price, self.below) = view(rows), view(costs), claim
        self.fixed, self.number = view(fixed), view(number)
        bits = 64 * rows.shape[1]
        cells, words, masks = np.full(bits, -1, np.int32), np.zeros(bits, np.int32), np.zeros(bits, np.uint64)
        for cell, thing in np.argwhere(number >= 0).tolist():
            b = number[cell, thing]
            cells[b], words[b], masks[b] = cell, thing // 64, 1 << thing % 64
        self.bit_cell, self.bit_word, self.bit_mask = view(cells), view(words), view(masks)
        self.after = view(np.zeros((1, rows.shape[1]), np.uint64))
        self.checked, self.frozen = 0, frozen
        self.bind([], np.zeros((0, fixed.shape[1]), np.uint64))

    def bind(self, bounds: Sequence[tuple[Sequence[int], int, int]], objects: npt.NDArray[np.uint64]) -> None:
        """Set the bounds: cells, the least and the most of them, and the masks of objects (bounds, words)."""
        starts = np.cumsum([0, *(len(cells) for cells, _, _ in bounds)])
        self.bound_cells = view(np.array([cell for cells, _, _ in bounds for cell in cells], np.int32))
        self.bound_starts, self.bound_objects = view(starts.astype(np.int32)), view(objects)
        self.least = view(np.array([least for _, least, _ in bounds], np.int32))
        self.most = view(np.array([most for _, _, most in bounds], np.int32))

    def insert(self) -> bool:
        """Insert all positions into the hash table. Returns False if one stands twice."""
        return _insert(self) == self.rows.shape[0]


def check(listed: ListedPositions, turns: Turns, movements: npt.NDArray[np.int32], states: int) -> int:
    """Check the turns with these movements of `states` further positions, up to the first that is not CLOSED."""
    return _check(listed, turns, view(movements), states)


def _insert(listed: ListedPositions) -> Index:
    """Insert positions up to one that stands twice. Returns the number of those inserted."""
    i: Index
    for i in range(listed.rows.shape[0]):
        slot: Index = find(listed, listed.rows, i)
        if listed.slots[slot] >= 0:
            return i
        listed.slots[slot] = i
        listed.used += 1
    return listed.used


def _check(listed: ListedPositions, turns: Turns, movements: Ints, states: Index) -> Index:
    for _ in range(states):
        if listed.checked == listed.used:
            return CLOSED
        code: Index = _check_state(listed, turns, movements, listed.checked)
        if code != CLOSED:
            return code
        listed.checked += 1
    return CLOSED


def _check_state(listed: ListedPositions, turns: Turns, movements: Ints, state: Index) -> Index:
    after: Index = listed.costs[state] + listed.price
    i: Index
    if after >= listed.below:
        return CLOSED
    _read(listed, turns, state)
    for i in range(movements.shape[0]):
        ending: Index = take(turns, movements[i], False)
        if ending == CROWDED:
            return FULL
        is_left: Flag = turns.goes_back and turns.has_checkpoint and _is_left(turns, ending)
        if ending in (UNFINISHED, DRAWN) or is_left:
            return UNSETTLED
        if ending == VICTORY:
            return WINS
        if ending == SETTLED and not _is_listed(listed, turns, state, after) and not _is_dead(listed, turns):
            return LEFT_OUT
    return CLOSED


def _is_left(turns: Turns, ending: Index) -> Flag:
    """Does a turn with a checkpoint go on behind it? A restart would lead to a board where no turn has ended."""
    if ending == RESTARTED:
        return True
    return ending == SETTLED and differs(turns.board, turns.checkpoint)


def _is_listed(listed: ListedPositions, turns: Turns, state: Index, cost: Index) -> Flag:
    """Is the position of the board listed at most at this cost? A turn that changes nothing finds its own."""
    if not _write(listed, turns, state):
        return False
    found: Index = listed.slots[find(listed, listed.after, 0)]
    return found >= 0 and listed.costs[found] <= cost


def _is_dead(listed: ListedPositions, turns: Turns) -> Flag:
    """Does the position of the board break a bound, or do objects that stay for ever?"""
    b: Index
    i: Index
    w: Index
    for b in range(listed.least.shape[0]):
        count: Index = 0
        for i in range(listed.bound_starts[b], listed.bound_starts[b + 1]):
            some: Word = 0
            for w in range(listed.bound_objects.shape[1]):
                some |= turns.board.objects[listed.bound_cells[i], w] & listed.bound_objects[b, w]
            if some != 0:
                count += 1
        if count < listed.least[b] or count > listed.most[b]:
            return True
    return lost_by_frozen(listed.frozen, turns.board.objects)


def _read(listed: ListedPositions, turns: Turns, state: Index) -> None:
    """Make a listed position the base of turns."""
    cell: Index
    w: Index
    for cell in range(listed.fixed.shape[0]):
        for w in range(listed.fixed.shape[1]):
            turns.base[cell, w] = listed.fixed[cell, w]
    for w in range(listed.after.shape[1]):
        left: Word = listed.rows[state, w]
        while left != 0:
            b: Index = 64 * w + lowest_bit(left)
            left &= left - 1
            if listed.bit_cell[b] >= 0:
                turns.base[listed.bit_cell[b], listed.bit_word[b]] |= listed.bit_mask[b]


def _write(listed: ListedPositions, turns: Turns, state: Index) -> Flag:
    """Pack the objects of the board into `after`. Returns False if that is not possible: no bit is about one.

    It begins with the listed state that the turn came from, and changes the bits that differ.
    """
    cell: Index
    w: Index
    for w in range(listed.after.shape[1]):
        listed.after[0, w] = listed.rows[state, w]
    for cell in range(listed.fixed.shape[0]):
        for w in range(listed.fixed.shape[1]):
            left: Word = turns.base[cell, w] ^ turns.board.objects[cell, w]
            while left != 0:
                b: Index = listed.number[cell, 64 * w + lowest_bit(left)]
                left &= left - 1
                if b == IGNORED:
                    continue
                if b == NO_BIT:
                    return False
                listed.after[0, b >> 6] ^= bit(b & 63)
    return True
