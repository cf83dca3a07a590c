"""Compares the smallest repairs of unsolvable levels with all single edits, each level solved by itself.

    python benchmarks/repairs.py FILE.. [--levels 30] [--most 2] [--edits KINDS] [--pairs 0] [--seed 1] [--alone]

The levels of the files are changed by up to three random edits until they are unsolvable: --levels of them with a
single edit that repairs, and as many without. The columns: the fewest edits, the number of repairs, the processor
time of the puzzle's own search (of a puzzle without one: edit by edit), the number of levels that single edits
make, the processor time in which an engine decides all of them, and whether those that it finds solvable are the
repairs. Of a level without a single repair, it also decides the levels that two edits make, if these are at most
--pairs. --alone leaves out the engine. --edits: the kinds, with commas between them. Exit code 1: some differ.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from statistics import median
from typing import Any, TypeVar

from puzzlemc.encodings.puzzle.design.changes import Allowed, Changes, Repairs
from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.reports.suggest import one_by_one

SECONDS = 120.0  # for all repairs of a level, and for the verdict on a changed one
ATTEMPTS = 200  # changed levels for each one that is wanted
Result = TypeVar("Result")


def timed(function: Callable[[], Result]) -> tuple[Result, float]:
    """The result of a function, and the processor time that it took."""
    start = time.process_time()
    return function(), time.process_time() - start


def changed(entries: list[Entry], chooser: random.Random, most: int) -> Iterator[Entry]:
    """Yield levels that up to three random edits make of these."""
    for _ in range(most):
        entry = chooser.choice(entries)
        level, changes = entry.level, changes_of(entry)
        for _ in range(chooser.randint(1, 3)):
            edits = list(changes.edits(level, Allowed(kinds_of(changes) - {"drop"})))
            level = chooser.choice(edits).level if edits else level
        yield Entry(entry.id, entry.title, entry.puzzle, level)


def changes_of(entry: Entry) -> Changes:
    """How levels of its puzzle are changed."""
    assert entry.puzzle.changes is not None, f"{entry.puzzle.name} has no edits"
    return entry.puzzle.changes()


def kinds_of(changes: Changes) -> frozenset[str]:
    """The kinds of edits that are made if nobody chooses."""
    return frozenset(changes.usual or changes.kinds)


def repairs(entry: Entry, kinds: frozenset[str], most: int) -> Repairs:
    """The smallest repairs of a level."""
    changes, budget = changes_of(entry), Budget(Limits(seconds=SECONDS))
    allowed = Allowed(kinds, most=most)
    if changes.repairs is None:
        return one_by_one.repairs(entry, allowed, budget)
    return changes.repairs(entry.level, allowed, budget)


def singles(entry: Entry, kinds: frozenset[str]) -> tuple[int, set[str]]:
    """The number of single edits, and the solvable levels that they make, as text, each decided by an engine."""
    levels = edited(entry, entry.level, kinds)
    return len(levels), solvable(entry, levels)


def pairs(entry: Entry, kinds: frozenset[str], most: int) -> set[str] | None:
    """The solvable levels that two edits make, and not one; None if there are more than `most` pairs."""
    single = edited(entry, entry.level, kinds)
    if len(single) ** 2 > 2 * most:
        return None
    double = {text: level for one in single.values() for text, level in edited(entry, one, kinds).items()}
    return solvable(entry, {text: level for text, level in double.items() if text not in single})


def edited(entry: Entry, level: Any, kinds: frozenset[str]) -> dict[str, Any]:
    """The levels that single edits make, by their texts."""
    draw = entry.puzzle.screen.draw
    return {draw(change.level): change.level for change in changes_of(entry).edits(level, Allowed(kinds))}


def solvable(entry: Entry, levels: Mapping[str, Any]) -> set[str]:
    """The texts of the solvable levels, each decided by an engine."""
    decide = one_by_one.by_engine(entry)
    return {text for text, level in levels.items() if decide(level, Budget(Limits(seconds=SECONDS)))}


def main() -> int:
    """Print a row for each level, then medians; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--levels", type=int, default=30)
    parser.add_argument("--most", type=int, default=2)
    parser.add_argument("--edits", default="")
    parser.add_argument("--pairs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--alone", action="store_true")
    given = parser.parse_args()
    entries = load(given.files)
    left = {True: given.levels, False: given.levels}
    times: dict[str, list[float]] = {}
    wrong = 0
    print(f"{'level':24}{'edits':>6}{'repairs':>9}{'seconds':>9}{'singles':>9}{'seconds':>9}  equal")
    for entry in changed(entries, random.Random(given.seed), 2 * given.levels * ATTEMPTS):
        if not any(left.values()):
            break
        kinds = frozenset(filter(None, given.edits.split(","))) or kinds_of(changes_of(entry))
        single = repairs(entry, kinds, 1)
        # Edit by edit, nobody asks whether the level as it is has a solution.
        if single.least < 1 or solvable(entry, {"": entry.level}) or not left[bool(single.changes)]:
            continue
        left[bool(single.changes)] -= 1
        found, seconds = timed(partial(repairs, entry, kinds, given.most))
        size = min((len(change.edits) for change in found.changes), default=0)
        exact = "" if found.complete else " (not all)"
        row = f"{entry.title[:22]:24}{size or f'>{found.least - 1}':>6}{len(found.changes):9}{seconds:9.3f}"
        name = f"{size} edit{'s' * (size > 1)}" if size else f"more than {found.least - 1}"
        times.setdefault(name + exact, []).append(seconds)
        if not given.alone:
            (count, texts), by_engine = timed(partial(singles, entry, kinds))
            own = {entry.puzzle.screen.draw(change.level) for change in found.changes}
            both = pairs(entry, kinds, given.pairs) if size != 1 else None
            equal = (own if size == 1 else set()) == texts and (both is None or own == both)
            wrong += not equal
            times.setdefault("single edits by an engine", []).append(by_engine)
            row += f"{count:9}{by_engine:9.3f}  {'yes' if equal else 'NO'}{'' if both is None else ', and pairs'}"
        print(row + exact, flush=True)
    for name, each in sorted(times.items()):
        print(f"{name}: {len(each)} levels, median {median(each):.3f} s, most {max(each):.3f} s")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
