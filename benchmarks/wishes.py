"""Measures what `suggest` does for solvable levels: an intended solution, one shortest solution, harder levels.

    .venv/bin/python benchmarks/wishes.py FILE [--levels N] [--most N] [--timeout SECONDS]

Takes the first levels of a file that are small enough, and asks for each

    intended  a solution around up to four random cells that costs more than the best one, so that it is intended
    unique    as few edits as possible after which one shortest solution is left
    harder    the most changes of the pushed box, by up to --most edits

A row has the number before and after, the edits, and whether that is proved; then the processor time.
"""

import argparse
import random
import statistics
import time
from collections.abc import Iterator

from puzzlemc.encodings.puzzle.text import joined
from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.reports.suggest.request import Request
from puzzlemc.reports.suggest.suggest import changes_of, suggest
from puzzlemc.reports.suggest.suggestion import Suggestions

MOST_CELLS = 45  # of a level that is taken, beside walls
TRIES = 60  # for an intended solution
SHOWN = {"intended": "pushes", "unique": "solution_sets", "harder": "box_changes"}


def detour(entry: Entry, seed: int) -> str | None:
    """A solution that is worse than the best one, but solves a level with some more walls."""
    choose = random.Random(seed)
    closing = changes_of(entry).closing
    assert closing is not None
    cells = list(closing.cells(entry.level))
    best = solve_entry(entry, Options(timeout=5)).cost
    worst = None
    for _ in range(TRIES if best is not None else 0):
        closed = choose.sample(cells, min(len(cells), choose.randint(1, 4)))
        level = closing.avoiding(entry.level, frozenset(closed))
        found = None if level is None else solve_entry(Entry("", "", entry.puzzle, level), Options(timeout=5))
        if found is None or found.cost is None or found.trace is None or found.cost <= best:
            continue
        if worst is None or found.cost > worst[0]:
            worst = found.cost, joined(found.trace)
    return None if worst is None else worst[1]


def rows(entry: Entry, number: int, arguments: argparse.Namespace) -> Iterator[tuple[str, float, Suggestions]]:
    """The wishes of a level, the processor time of each, and the answer."""
    options = Options(timeout=arguments.timeout)
    solution = detour(entry, number)
    wishes = [] if solution is None else [("intended", f"intended={solution}")]
    for name, want in [*wishes, ("unique", "unique"), ("harder", "harder")]:
        started = time.process_time()
        found = suggest(entry, Request(want, most=arguments.most), options)
        yield name, time.process_time() - started, found


def main() -> None:
    """Print a row for each level and wish, then a row for each wish."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--levels", type=int, default=30)
    parser.add_argument("--most", type=int, default=2)
    parser.add_argument("--timeout", type=float, default=30)
    arguments = parser.parse_args()
    entries = [each for each in load([arguments.file]) if each.level and len(each.level.floor) <= MOST_CELLS]
    seconds: dict[str, list[float]] = {}
    counts: dict[str, list[int]] = {}
    heads = f"{'before':>8}{'after':>7}{'edits':>6}{'least':>6}  proved   seconds  words"
    print(f"{'level':28}{'wish':10}{heads}")
    for number, entry in enumerate(entries[: arguments.levels]):
        for name, taken, found in rows(entry, number, arguments):
            # The best answer: the one with the most, or with the fewest edits that reach the wish.
            best = max(found.found, key=lambda each: each.after[SHOWN[name]] or 0, default=None)
            best = best if name == "harder" else next(iter(found.found), None)
            before = "" if best is None else best.before.get(SHOWN[name], "")
            after = "" if best is None else best.after[SHOWN[name]]
            edits = 0 if best is None else len(best.edits)
            proved = "reached" if found.reached else "-" if best is None else "yes" if best.best else "found"
            title = entry.title[:26] or entry.id[-26:]
            numbers = f"{before!s:>8}{after!s:>7}{edits:6}{found.least:6}"
            print(f"{title:28}{name:10}{numbers}  {proved:7} {taken:8.2f}  {found.words[0][:80]}", flush=True)
            seconds.setdefault(name, []).append(taken)
            counts.setdefault(name, []).append(-1 if found.reached else edits)
    for name, each in seconds.items():
        done = counts[name]
        by = {size: done.count(size) for size in sorted({*done})}
        print(f"{name}: {len(each)} levels; by edits (-1: as it is, 0: none): {by};", end=" ")
        print(f"median {statistics.median(each):.2f} s, most {max(each):.2f} s")


if __name__ == "__main__":
    main()
