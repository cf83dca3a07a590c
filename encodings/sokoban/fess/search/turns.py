"""The order in which cells of the feature space are expanded.

Round robin gives each cell the same share (Shoham and Schaeffer 2020), so most work goes to positions far from the
goal. An *eager* search uses round robin every other time only. At the other times it takes the best cell half of
the time, the second best a quarter, and so on. The best cell has the most filled targets minus boxes out of plan,
and then the fewest components of the floor.

Compiled: see `mc/words.py`.
"""

import cython

if not cython.compiled:
    from puzzlemc.encodings.sokoban.fess.domain.counters import CELLS, OUT_OF_PLAN, REGIONS
    from puzzlemc.mc.words import Flag, Index, Ints


class Turns:
    """The turns of cells.

    cursor  the cell that had the last turn of round robin
    tick    the number of turns
    kinds   the number of kinds of positions
    eager   whether the best cells have turns of their own
    """

    cursor: Index  # readonly
    tick: Index  # public
    kinds: Index  # readonly
    eager: Flag  # readonly

    def __init__(self, eager: bool, kinds: int) -> None:
        self.cursor = self.tick = 0
        self.eager, self.kinds = eager, kinds


def next_cell(turns: Turns, heads: Ints) -> Index:  # public
    """The next cell, or -1 if no position is open; `heads` has the first open position of each cell, or -1."""
    turns.tick += 1
    if not turns.eager or turns.tick & 1 == 0:
        return _next_in_turn(turns, heads)
    # Of the odd numbers, half leave 1 when divided by 4, a quarter 3 by 8, and so on.
    skipped: Index = 0
    tick: Index = (turns.tick + 1) >> 1
    while tick & 1 == 0:
        skipped += 1
        tick >>= 1
    cell: Index = next_best(heads, skipped, turns.kinds, turns.tick >> 1)
    return cell if cell >= 0 else _next_in_turn(turns, heads)


def next_best(heads: Ints, skipped: Index, kinds: Index, shift: Index) -> Index:  # public
    """The best cell with an open position after skipping `skipped` better ones, or -1.

    Kinds are equally good; that of number `shift`, modulo their number, is the first one.
    """
    last: Index = heads.shape[0] // (CELLS * kinds) - 1
    merit: Index
    parts: Index
    astray: Index
    kind: Index
    for merit in range(last, -OUT_OF_PLAN - 1, -1):
        for parts in range(REGIONS + 1):
            for astray in range(max(0, -merit), min(OUT_OF_PLAN, last - merit) + 1):
                first: Index = ((merit + astray) * CELLS + parts * (OUT_OF_PLAN + 1) + astray) * kinds
                for kind in range(kinds):
                    cell: Index = first + (kind + shift) % kinds
                    if heads[cell] >= 0:
                        if skipped == 0:
                            return cell
                        skipped -= 1
    return -1


def _next_in_turn(turns: Turns, heads: Ints) -> Index:
    """The next cell in turn with an open position, or -1."""
    cells: Index = heads.shape[0]
    cursor: Index = turns.cursor
    for _ in range(cells):
        cursor += 1
        if cursor >= cells:
            cursor = 0
        if heads[cursor] >= 0:
            turns.cursor = cursor
            return cursor
    return -1
