"""Compares the moves of default solutions with the fewest moves of solutions with as few pushes.

    .venv/bin/python benchmarks/few_moves.py FILE [LEVELS]

Solves the first LEVELS (50) of a file under the puzzle's own metric, and under this and the second metric in
order.
"""

import sys

from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.crew.in_order import solve_all
from puzzlemc.reports.solve.options import Options


def main(path: str, most: int = 50) -> None:
    """Print a row for each level, then the sums."""
    entries = load([path])[:most]
    order = entries[0].puzzle.orders[0]
    one, other = order.split(",")
    print(f"{'level':30}{one:>8}{other:>8}{'fewest':>8}  proved")
    sums = [0, 0]
    plain, best = solve_all(entries, Options()), solve_all(entries, Options(order))
    for found, least in zip(plain, best, strict=True):
        costs, few = found.costs, least.costs[other]
        print(f"{found.title[:28]:30}{costs[one]!s:>8}{costs[other]!s:>8}{few!s:>8}  {least.optimal}", flush=True)
        sums = [sums[0] + (costs[other] or 0), sums[1] + (few or 0)]
    print(f"{'all':30}{'':8}{sums[0]:8}{sums[1]:8}")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:3]))
