"""Compares the measures of levels with their definitions, and says what they cost.

    python benchmarks/measures.py [--levels 500] [--collection FILE] [--game FILE] [--timeout 20]

1. Random small levels of Sokoban: each measure against its definition, which plain Python computes by the plain
   rules (`tests/plain_measures.py`), and the processor time of both.
2. A table of a collection, and one of a PuzzleScript game: all measures of each level, and their processor time.

Ends with 1 if a measure differs.
"""

import argparse
import sys
import time
from math import isclose
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from plain_measures import Plain, TooManySolutions, random_level

from puzzlemc.encodings.puzzles import load
from puzzlemc.encodings.sokoban.measures.measure import measure
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.reports.measures.measure import measured
from puzzlemc.reports.measures.names import NAMES

ROOT = Path(__file__).parents[1]
MOST = 300  # positions of a level whose measures are computed from their definitions
TOLERANCE = 1e-5  # of means and of the random player, which are rounded


def agreement(levels: int) -> int:
    """Compare the measures of random levels with their definitions; return how many levels differ."""
    compared = solvable = large = different = seed = 0
    own, plainly = [], []
    while compared < levels:
        level = random_level(seed)
        seed += 1
        began = time.process_time()
        plain = Plain(level)
        try:
            expected = plain.measures() if len(plain.pushes) <= MOST else None
        except TooManySolutions:
            expected = None
        if expected is None:
            large += 1
            continue
        plainly.append(time.process_time() - began)
        began = time.process_time()
        found = measure(level, Budget())
        own.append(time.process_time() - began)
        compared += 1
        solvable += "box_changes" in expected
        wrong = [
            f"{name}: {found.get(name)}, expected {expected.get(name)}"
            for name in found.keys() | expected.keys()
            if not _equal(found.get(name), expected.get(name))
        ]
        if wrong:
            different += 1
            print("\n".join((f"seed {seed - 1}", *level.rows, *wrong)))
    print(
        f"{compared} levels, {solvable} of them solvable, {large} larger ones left out: {different} differ; "
        f"median {1000 * median(own):.2f} ms a level, by the plain rules {1000 * median(plainly):.1f} ms"
    )
    return different


def _equal(found: float | None, expected: float | None) -> bool:
    if found is None or expected is None:
        return found is expected
    return isclose(found, expected, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def table(file: Path, seconds: float) -> None:
    """Print all measures of the levels of a file."""
    entries = load([file])
    rows = []
    costs = []
    for entry in entries:
        began = time.process_time()
        found = measured(entry, Budget(Limits(seconds)))
        costs.append(time.process_time() - began)
        rows.append((entry.id.rpartition("#")[2], found, costs[-1]))
    names = [name for name in NAMES if any(name in found for _, found, _ in rows)]
    print(f"\n{file.name}: {len(rows)} levels, median {1000 * median(costs):.1f} ms, at most {max(costs):.2f} s")
    for name in names:
        print(f"  {name}: {sum(name in found for _, found, _ in rows)} known")
    print("  ".join(["level", *names, "ms"]))
    for number, found, cost in rows:
        cells = ("-" if found.get(name) is None else f"{found[name]:g}" for name in names)
        texts = [f"{number:>5}", *(f"{cell:>{len(name)}}" for cell, name in zip(cells, names, strict=True))]
        print("  ".join([*texts, f"{1000 * cost:.0f}"]))


def main() -> int:
    """Compare, then print both tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--levels", type=int, default=500)
    parser.add_argument("--collection", type=Path, default=ROOT / "../shared/levels/sokoban/microban1.xsb")
    parser.add_argument("--game", type=Path, default=ROOT / "screens/levels/puzzlescript/thaw.txt")
    parser.add_argument("--timeout", type=float, default=20.0)
    asked = parser.parse_args()
    different = agreement(asked.levels)
    for file in (asked.collection, asked.game):
        if file.exists():
            table(file, asked.timeout)
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
