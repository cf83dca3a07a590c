"""Which positions of a small board are won, one cell of a worker at a time instead of one pair of workers.

Let the stones and the player to move be fixed. A turn leaves a worker where it is, moves the other one to any
empty cell, or none, and puts a stone s where both see. So it can lead to any pair of cells {c, d} from which
workers see s, if the pair shares a cell with the pair {a, b} on which the workers are. Hence the player wins from
{a, b} if and only if a or b is a *winning cell*: a cell of some pair {c, d} and stone s, such that s completes a
row, or the opponent does not win with the stones after s and the workers on {c, d}. By the same argument, the
latter says that neither c nor d is a winning cell of the opponent after s.

Workers on c and d both see s if and only if s sees both, past stones only, in two different directions: on one
line the nearer worker hides the farther one. So the winning cells are the union over s of the cells that s sees
and that are not winning for the opponent after s, if these lie in two directions.

There are some hundred times fewer sets of stones than positions, and a set has some 20 successors instead of 500.

The cells depend on a bound as well. With a number of turns n of the *attacker*, there are

winning cells   the attacker is to move, and wins within n own turns
escape cells    the defender is to move, and the attacker does not win within n own turns, whatever he does

The union above gives each kind from the other one; n decreases by 1 with the attacker's turn. The search looks
only for the cells that are wanted, and stops when all of them are found. Stones whose rows have most stones come
first: without this order, it visits 30 times as many sets of stones. Compiled: see `mc/words.py`.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import (
        ALL,
        Flag,
        Index,
        Numbers2,
        Word,
        Words,
        Words2,
        Words3,
        bit,
        count_bits,
        lowest_bit,
        mixed,
    )

    HALF = 13  # cells of half a board, the index of the tables of symmetries
    NO_TURN = -1
    STAYS = 31


class Board:
    """The tables of a board, which all positions share. Sets of cells are words.

    rays    (cells, 8): the cells in each direction; in the first four directions they have smaller numbers
    lines   (cells, lines): the other cells of the winning rows through a cell; padded with a set that no board has
    images  (8, 2, sets of half a board): the image of each half of a set of cells under each symmetry
    order   (cells + 1, cells): scratch, the empty cells in the order of search by the number of stones
    """

    rays: Words2
    lines: Words2
    images: Words3
    order: Numbers2

    def __init__(
        self, rays: npt.NDArray[np.uint64], lines: npt.NDArray[np.uint64], images: npt.NDArray[np.uint64]
    ) -> None:
        self.rays, self.lines, self.images = view(rays), view(lines), view(images)
        count = len(rays)
        self.order = view(np.zeros((count + 1, count), np.int64))


class Table:
    """What is known about the cells of sets of stones: a hash table with linear probing.

    keys   (slots,): stones, bound and kind of cells, 0 in a free slot; the number of slots is a power of two
    cells  (slots,): the cells that are of the kind; and 32 bits above, those that are not
    used   the number of keys
    left   the search stops when it has visited this number of sets of stones, or the table is half full. What it
           has found is kept, and its result is not valid
    """

    keys: Words  # readonly
    cells: Words  # readonly
    used: Index  # readonly
    left: Index  # readonly

    def __init__(self, slots: int) -> None:
        """An empty table."""
        self.keys, self.cells = view(np.zeros(slots, np.uint64)), view(np.zeros(slots, np.uint64))
        self.used = self.left = 0

    def limit(self, visits: int) -> None:
        """Let the search go on for this number of visits."""
        self.left = visits


def _view(board: Board, occupied: Word, cell: Index, direction: Index) -> Word:
    """The empty cells that are seen from a cell in a direction."""
    ray: Word = board.rays[cell, direction]
    blocked: Word = ray & occupied
    if blocked == 0:
        return ray
    nearest: Index = lowest_bit(blocked)
    if direction < 4:
        while blocked & (blocked - 1):
            blocked &= blocked - 1
        nearest = lowest_bit(blocked)
    return ray & (ALL ^ (board.rays[nearest, direction] | bit(nearest)))


def pairing(board: Board, occupied: Word, stone: Index, excluded: Word) -> Word:  # public
    """The cells, but for excluded ones, of all pairs of workers that both see the cell of a stone."""
    cells: Word = 0
    directions: Index = 0
    direction: Index
    for direction in range(8):
        seen: Word = _view(board, occupied, stone, direction) & (ALL ^ excluded)
        if seen:
            cells |= seen
            directions += 1
    return cells if directions > 1 else 0


def completes(board: Board, own: Word, cell: Index) -> Flag:  # public
    """Does a stone on this cell complete a winning row?"""
    number: Index
    for number in range(board.lines.shape[1]):
        line: Word = board.lines[cell, number]
        if own & line == line:
            return True
    return False


def at_once(board: Board, own: Word, other: Word) -> Word:  # public
    """The winning cells of a player who completes a row with the next stone."""
    occupied: Word = own | other
    cells: Word = 0
    cell: Index
    for cell in range(board.rays.shape[0]):
        if not occupied & bit(cell) and completes(board, own, cell):
            cells |= pairing(board, occupied, cell, 0)
    return cells


def _movable(board: Board, occupied: Word) -> Word:
    """The cells of all pairs from which any turn is possible."""
    cells: Word = 0
    cell: Index
    for cell in range(board.rays.shape[0]):
        if not occupied & bit(cell):
            cells |= pairing(board, occupied, cell, 0)
    return cells


def _image(board: Board, symmetry: Index, cells: Word) -> Word:
    return board.images[symmetry, 0, cells & (bit(HALF) - 1)] | board.images[symmetry, 1, cells >> HALF]


def _symmetry(board: Board, own: Word, other: Word) -> Index:
    """The number of the symmetry that gives the least image of the stones."""
    count: Index = board.rays.shape[0]
    chosen: Index = 0
    least: Word = own | other << count
    symmetry: Index
    for symmetry in range(1, 8):
        image: Word = _image(board, symmetry, own) | _image(board, symmetry, other) << count
        if image < least:
            least = image
            chosen = symmetry
    return chosen


def _value(board: Board, own: Word, other: Word, cell: Index) -> Index:
    """The sum of 4 to the number of stones, over all rows through a cell without stones of both colours."""
    value: Index = 0
    number: Index
    for number in range(board.lines.shape[1]):
        line: Word = board.lines[cell, number]
        if line == ALL:
            break
        if not line & other:
            value += bit(2 * count_bits(line & own))
        if not line & own:
            value += bit(2 * count_bits(line & other))
    return value


def _sort(board: Board, own: Word, other: Word) -> Index:
    """Sort the empty cells by falling value; return the number of stones, the row of `order` where they are.

    The row ends with a negative number, unless it is full.
    """
    stones: Index = count_bits(own | other)
    length: Index = 0
    cell: Index
    for cell in range(board.rays.shape[0]):
        if (own | other) & bit(cell):
            continue
        value: Index = _value(board, own, other, cell) << 5 | cell
        at: Index = length
        while at > 0 and board.order[stones, at - 1] >> 5 < value >> 5:
            board.order[stones, at] = board.order[stones, at - 1]
            at -= 1
        board.order[stones, at] = value
        length += 1
    if length < board.rays.shape[0]:
        board.order[stones, length] = -1
    return stones


def _slot(table: Table, key: Word) -> Index:
    """The slot of a key, or the free one for it."""
    mask: Word = table.keys.shape[0] - 1
    slot: Word = mixed(0, key) & mask
    while table.keys[slot] != 0 and table.keys[slot] != key:
        slot = (slot + 1) & mask
    return slot


def insert_all(table: Table, larger: Table) -> None:  # public
    """Insert the keys of a table into a larger one, which is empty."""
    slot: Index
    for slot in range(table.keys.shape[0]):
        if table.keys[slot] != 0:
            to: Index = _slot(larger, table.keys[slot])
            larger.keys[to] = table.keys[slot]
            larger.cells[to] = table.cells[slot]
            larger.used += 1


def cells_of(
    board: Board, table: Table, own: Word, other: Word, wanted: Word, attacks: Flag, within: Index
) -> Word:  # public
    """The wanted cells that are winning cells of the player to move, or escape cells if the other one attacks.

    Nobody has a row. The result is valid if `table.left` is positive afterwards; otherwise, the same call goes on.
    """
    occupied: Word = own | other
    wanted &= ALL ^ occupied
    if wanted == 0 or (attacks and within == 0):
        return 0
    if within == 0:
        return wanted & _movable(board, occupied)
    count: Index = board.rays.shape[0]
    symmetry: Index = _symmetry(board, own, other)
    mine: Word = _image(board, symmetry, own)
    theirs: Word = _image(board, symmetry, other)
    sought: Word = _image(board, symmetry, wanted)
    key: Word = mine | theirs << count | bit(63) | within << 56
    if attacks:
        key |= bit(62)
    slot: Index = _slot(table, key)
    known: Word = table.cells[slot]
    if sought & (ALL ^ (known | known >> 32)):
        if table.left <= 0 or 2 * table.used >= table.keys.shape[0]:
            table.left = 0
            return 0
        table.left -= 1
        found: Word = _search(
            board, table, mine, theirs, sought & (ALL ^ known >> 32), known & ALL >> 32, attacks, within
        )
        if table.left > 0:
            known |= (sought & (ALL ^ found)) << 32
        known |= found
        slot = _slot(table, key)
        if table.keys[slot] == 0:
            table.keys[slot] = key
            table.used += 1
        table.cells[slot] = known
    # Symmetries 1 and 3, a quarter turn either way, are the inverses of each other; the others are their own.
    return _image(board, 4 - symmetry if symmetry in (1, 3) else symmetry, known & sought)


def _search(
    board: Board, table: Table, own: Word, other: Word, wanted: Word, known: Word, attacks: Flag, within: Index
) -> Word:
    """More cells of the kind than are known, until all wanted ones are found."""
    occupied: Word = own | other
    found: Word = known | at_once(board, own, other)
    if wanted & (ALL ^ found) == 0:
        return found
    after: Index = within - 1 if attacks else within
    stones: Index = _sort(board, own, other)
    at: Index
    for at in range(board.rays.shape[0]):
        if board.order[stones, at] < 0 or wanted & (ALL ^ found) == 0:
            break
        cell: Index = board.order[stones, at] & 31
        if completes(board, own, cell):
            continue
        mine: Word = own | bit(cell)
        lost: Word = at_once(board, other, mine)
        seen: Word = pairing(board, occupied, cell, lost)
        need: Word = seen & wanted & (ALL ^ found)
        if need == 0:
            continue
        kept: Word = need & (ALL ^ cells_of(board, table, other, mine, need, not attacks, after))
        if table.left <= 0:
            break
        if kept == 0:
            continue
        pairs: Word = pairing(board, occupied, cell, ALL ^ kept)
        if pairs == 0:  # all are in one direction, and their partners are not among the wanted cells
            rest: Word = seen & (ALL ^ need)
            kept |= rest & (ALL ^ cells_of(board, table, other, mine, rest, not attacks, after))
            if table.left <= 0:
                break
            pairs = pairing(board, occupied, cell, ALL ^ kept)
        found |= pairs
    return found


def unanswered(board: Board, own: Word, other: Word, workers: Word) -> Index:  # public
    """The number of turns, by stone and cells of workers, after which the opponent completes no row at once."""
    occupied: Word = own | other
    number: Index = 0
    stone: Index
    for stone in range(board.rays.shape[0]):
        if occupied & bit(stone):
            continue
        if completes(board, own, stone):
            return 1 << 20
        cells: Word = pairing(board, occupied, stone, at_once(board, other, own | bit(stone)))
        if cells & workers:
            number += count_bits(cells)
    return number


def _meet(board: Board, occupied: Word, stone: Index, one: Index, two: Index) -> Flag:
    """Do workers on two cells both see the cell of a stone?"""
    return pairing(board, occupied, stone, ALL ^ (bit(one) | bit(two))) != 0


def finish(board: Board, own: Word, other: Word, one: Index, two: Index) -> Index:  # public
    """A turn that completes a row, or NO_TURN: its stone, from bit 5 a worker's old cell, from bit 10 the new one.

    The old cell is STAYS if no worker moves.
    """
    occupied: Word = own | other
    stone: Index
    target: Index
    for stone in range(board.rays.shape[0]):
        if occupied & bit(stone) or not completes(board, own, stone):
            continue
        if _meet(board, occupied, stone, one, two):
            return stone | STAYS << 5
        for target in range(board.rays.shape[0]):
            if _meet(board, occupied, stone, one, target):
                return stone | two << 5 | target << 10
            if _meet(board, occupied, stone, two, target):
                return stone | one << 5 | target << 10
    return NO_TURN


def finishes(board: Board, own: Word, other: Word, one: Index, two: Index, turn: Index) -> Flag:  # public
    """Is a turn, a number as in `finish`, legal, and does it complete a row?"""
    occupied: Word = own | other
    stone: Index = turn & 31
    source: Index = turn >> 5 & 31
    if occupied & bit(stone) or not completes(board, own, stone):
        return False
    if source == STAYS:
        return _meet(board, occupied, stone, one, two)
    return source in (one, two) and _meet(board, occupied, stone, one + two - source, turn >> 10)
