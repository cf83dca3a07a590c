"""Measures pages that play by themselves, and compares all positions that they know with the engine.

    python benchmarks/shared_pages.py [LEVELS…] [--seconds 300] [--forge]

For each level: the size of its page, and of what is known of its positions in it; the seconds that both take;
and the positions for which the answer is wrong. node runs the scripts of the page: it makes all positions by
the rules of the page, finds the least costs from each by a search of its own, and follows the best moves from
each. Three numbers have to be equal for each position: the cost of the moves that the page gives, the least
cost by the rules of the page, and that by the state graph of the engine; or all three say that it is lost. The
least cost from the start must be that of `puzzlemc solve`.

`--forge` makes one value of each level wrong, which must be found. The exit code is 1 if a position differs, or
if a forged value does not.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.mc.graph.paths import FAR
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.reports.positions.best_moves import BestMoves, best_moves
from puzzlemc.reports.positions.explored import Explored, explored
from puzzlemc.reports.share import page, table
from puzzlemc.reports.share.html import scripts
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry

HERE = Path(__file__).parent
OWN = HERE.parent / "screens" / "levels"
EXAMPLES = HERE.parent / "examples"
CORPUS = HERE.parents[1] / "shared" / "levels"
LEVELS = (
    *(f"{OWN}/sokoban/first_steps.xsb#{number}" for number in (2, 6, 8, 10, 11, 12)),
    *(f"{OWN}/sokoban/unsolvable.xsb#{number}" for number in (5, 6, 8)),
    *(f"{OWN}/puzzlescript/shaft.txt#{number}" for number in (2, 3, 5, 8)),
    *(f"{OWN}/puzzlescript/thaw.txt#{number}" for number in (1, 9, 12)),
    *(f"{OWN}/folding/workshop.fold#{number}" for number in (2, 3, 4, 5)),
    *(f"{OWN}/tetravex/games.tetravex#{number}" for number in (1, 2, 4, 5)),
    f"{OWN}/tetravex/many_ways.tetravex#2",
    *(f"{EXAMPLES}/{name}.py#{number}" for name, number in (("sliding", 2), ("hanoi", 2), ("rush_hour", 1))),
    *(f"{CORPUS}/sokoban/microban1.xsb#{number}" for number in (2, 4, 5, 6, 10)),
)
CONTENT = page.content


def entries(names: list[str]) -> Iterator[Entry]:
    """Yield the levels with these names; those that are missing are left out, with a line that says so."""
    for name in names:
        path = name.partition("#")[0]
        if not Path(path).exists():
            print(f"{name}: not there", file=sys.stderr)
            continue
        yield from load(name, path if path.endswith(".py") else None)


def forged(level: Explored, found: BestMoves) -> BestMoves:
    """Best moves with one that is wrong: of a position that can be solved, or that is lost if there is none."""
    edges = np.flatnonzero(~level.solved[level.sources] & ~found.best & (found.left[level.sources] != FAR))
    best, left = found.best.copy(), found.left.copy()
    if len(edges):
        edge = int(edges[len(edges) // 2])
        best[level.graph.forth.at(int(level.sources[edge]))] = False
        best[edge] = True
    else:
        number = int(np.flatnonzero(~level.solved)[-1])
        left[number] = FAR if left[number] != FAR else 0
        best[level.graph.forth.at(number)] = left[number] != FAR
    return replace(found, best=best, left=left)


def measured(entry: Entry, seconds: float, *, forge: bool) -> dict[str, Any] | None:
    """The figures of the page of a level; None if it does not know all positions."""
    entry = page.as_played(entry)
    metric = entry.puzzle.metrics[0]
    result = solve_entry(entry, Options(metric=metric, timeout=seconds))
    if forge:
        table.best_moves = lambda level: forged(level, best_moves(level))  # type: ignore[attr-defined]
    began = time.process_time()
    found = page.content(entry, result, Budget(Limits(seconds, GIB)))
    spent = time.process_time() - began
    table.best_moves = best_moves  # type: ignore[attr-defined]
    rules, known = found.data["rules"], found.data["known"]
    if known is None:
        return None
    page.content = lambda *_: found  # type: ignore[attr-defined]
    size = len(page.page(entry, result, Budget()))
    page.content = CONTENT  # type: ignore[attr-defined]
    level = explored(entry, metric, Budget(Limits(seconds, GIB)))
    shared = None if rules["kind"] == "table" or entry.puzzle.shared is None else entry.puzzle.shared()
    keys = [*map(str, range(len(level)))]
    if shared is not None:
        keys = [shared.key(level.level, position) for position in level.positions()]
    left = best_moves(level).left
    question = {
        "script": scripts(found.modules, tuple(found.modules)),
        "rules": rules,
        "known": known,
        "metric": metric,
        "keys": keys,
        "left": np.where(left == FAR, -1, left).tolist(),
    }
    command = ["node", "--max-old-space-size=4096", str(HERE / "shared_pages.js")]
    done = subprocess.run(command, input=json.dumps(question), capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    cost = result.costs.get(metric, 0) if result.verdict == "solvable" else -1
    answer["differ"] += result.verdict in ("solvable", "unsolvable") and answer["first"] != cost
    return answer | {"rules": rules["kind"], "page": size, "known": len(json.dumps(known)), "seconds": spent}


def main() -> int:
    """Run the program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", nargs="*", metavar="LEVELS", default=[*LEVELS])
    parser.add_argument("--seconds", type=float, default=300.0, help="for the positions of a level")
    parser.add_argument("--forge", action="store_true", help="make one value of each level wrong")
    options = parser.parse_args()
    failed = count = positions = 0
    print("positions  lost   rules     page   known  bits  seconds  open ms  look-up us  differ  level")
    for entry in entries(options.levels):
        found = measured(entry, options.seconds, forge=options.forge)
        if found is None:
            print(f"{entry.id}: the page does not know all positions")
            continue
        wrong = found["differ"] > 0
        failed += wrong != options.forge
        count, positions = count + 1, positions + found["positions"]
        share, bits = found["lost"] / found["positions"], 6 * found["known"] / found["positions"]
        sizes = f"{found['page']:8} {found['known']:7} {bits:5.2f}"
        times = f"{found['seconds']:8.1f} {found['opened']:8.0f} {found['micros']:11.2f}"
        level = f"{found['positions']:9} {share:5.0%} {found['rules']:>7}"
        print(f"{level} {sizes} {times} {found['differ']:7}  {entry.id}", flush=True)
    print(f"{count} levels, {positions} positions, {failed} levels wrong")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
