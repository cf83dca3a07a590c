"""The order in which cells of the feature space are expanded.

Round robin gives each cell the same share (Shoham and Schaeffer 2020), so most work goes to positions far from the
goal. An *eager* search uses round robin every other time only. At the other times it takes the best cell half of
the time, the second best a quarter, and so on. The best cell has the most filled targets minus boxes out of plan,
and then the fewest components of the floor.
"""

from puzzlemc.encodings.sokoban.fess.domain.counters import CELLS, CURSOR, OUT_OF_PLAN, REGIONS, TICK
from puzzlemc.mc.jit import kernel

PER_PART = OUT_OF_PLAN + 1


@kernel()
def next_in_turn(heads, counters):  # type: ignore[no-untyped-def]
    """The next cell in turn with an open position, or -1."""
    cursor = counters[CURSOR]
    for _ in range(len(heads)):
        cursor += 1
        if cursor >= len(heads):
            cursor = 0
        if heads[cursor] >= 0:
            counters[CURSOR] = cursor
            return cursor
    return -1


@kernel()
def next_best(heads, skipped):  # type: ignore[no-untyped-def]
    """The best cell with an open position after skipping `skipped` better ones, or -1."""
    last = len(heads) // CELLS - 1
    for merit in range(last, -OUT_OF_PLAN - 1, -1):
        for parts in range(REGIONS + 1):
            for astray in range(max(0, -merit), min(OUT_OF_PLAN, last - merit) + 1):
                cell = (merit + astray) * CELLS + parts * PER_PART + astray
                if heads[cell] >= 0:
                    if skipped == 0:
                        return cell
                    skipped -= 1
    return -1


@kernel()
def next_cell(heads, counters, eager):  # type: ignore[no-untyped-def]
    """The next cell, or -1 if no position is open."""
    counters[TICK] += 1
    tick = counters[TICK]
    if not eager or tick & 1 == 0:
        return next_in_turn(heads, counters)
    # Of the odd numbers, half leave 1 when divided by 4, a quarter 3 by 8, and so on.
    skipped, tick = 0, (tick + 1) >> 1
    while tick & 1 == 0:
        skipped += 1
        tick >>= 1
    cell = next_best(heads, skipped)
    return cell if cell >= 0 else next_in_turn(heads, counters)
