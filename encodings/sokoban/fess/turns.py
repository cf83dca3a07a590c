"""Which cell of the feature space comes next.

Cells in turn give each the same share (Shoham and Schaeffer 2020), and most of the work to positions that are far
behind. An *eager* search goes in turn every other time only. Else it takes the best cell half of the times, the
second best a quarter, and so on: the best has the most targets filled, less its strays, and then the fewest parts.
"""

from puzzlemc.encodings.sokoban.fess.sides import CELLS, CURSOR, REGIONS, STRAYS, TICK
from puzzlemc.mc.jit import kernel

PER_PART = STRAYS + 1


@kernel()
def next_in_turn(heads, scalars):  # type: ignore[no-untyped-def]
    """The next cell after the last one in which a position waits, or -1."""
    cursor = scalars[CURSOR]
    for _ in range(len(heads)):
        cursor += 1
        if cursor >= len(heads):
            cursor = 0
        if heads[cursor] >= 0:
            scalars[CURSOR] = cursor
            return cursor
    return -1


@kernel()
def next_best(heads, skipped):  # type: ignore[no-untyped-def]
    """The best cell in which a position waits but so many, or -1."""
    last = len(heads) // CELLS - 1
    for merit in range(last, -STRAYS - 1, -1):
        for parts in range(REGIONS + 1):
            for strays in range(max(0, -merit), min(STRAYS, last - merit) + 1):
                cell = (merit + strays) * CELLS + parts * PER_PART + strays
                if heads[cell] >= 0:
                    if skipped == 0:
                        return cell
                    skipped -= 1
    return -1


@kernel()
def next_cell(heads, scalars, eager):  # type: ignore[no-untyped-def]
    """The cell that comes next, or -1 where nothing waits."""
    scalars[TICK] += 1
    tick = scalars[TICK]
    if not eager or tick & 1 == 0:
        return next_in_turn(heads, scalars)
    # Of the odd numbers, half leave 1 when divided by 4, a quarter 3 by 8, and so on.
    skipped, tick = 0, (tick + 1) >> 1
    while tick & 1 == 0:
        skipped += 1
        tick >>= 1
    cell = next_best(heads, skipped)
    return cell if cell >= 0 else next_in_turn(heads, scalars)
