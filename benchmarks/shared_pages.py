"""Measures pages that play by themselves, and compares all positions that they know with the engine.

    python benchmarks/shared_pages.py [LEVELS…] [--seconds 300] [--forge]

For each level: the size of what is known of its positions, and of its rules if they are a table; the seconds
that both take; and the positions for which the answer is wrong. node reads both with the scripts of the page:
it makes all positions by the rules of the page, finds the least costs from each by a search of its own, and
follows the best moves from each. Three numbers have to be equal for each position: the cost of the moves that
the page gives, the least cost by the rules of the page, and that by the state graph of the engine; or all three
say that it is lost. The least cost from the start must be that of `puzzlemc solve`.

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
from puzzlemc.reports.formats.shapes import shapes
from puzzlemc.reports.share import table, tabulated
from puzzlemc.reports.share.best_moves import BestMoves, best_moves
from puzzlemc.reports.share.bundle import bundle
from puzzlemc.reports.share.positions import Explored, explored
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry

HERE = Path(__file__).parent
SHARE = HERE.parent / "reports" / "share"
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


def asked(level: Explored) -> dict[str, Any]:
    """The rules of the page as node gets them: a script, or a table."""
    shared = None if level.puzzle.shared is None else level.puzzle.shared()
    given = None if shared is None else shared.level(level.level)
    names = ("known",) if given is not None else ("known", "table")
    modules = {name: (SHARE / f"{name}.js").read_text("utf-8") for name in names}
    if shared is None or given is None:
        made = tabulated.rules(level)
        rules = {"table": made, "script": bundle(modules, "table").replace("module_table", "module_rules")}
        return rules | {"keys": [*map(str, range(len(level)))]}
    modules["rules"] = shared.text()
    looks = {name: shapes(each) for name, each in given.looks.items()}
    keys = [shared.key(level.level, position) for position in level.positions()]
    return {"script": bundle(modules, "rules", "known"), "level": given.data, "looks": looks, "keys": keys}


def measured(entry: Entry, seconds: float, *, forge: bool) -> dict[str, Any] | None:
    """The figures of a level; None if its positions are too many, or its rules too large for a table."""
    metric = entry.puzzle.metrics[0]
    began = time.process_time()
    level = explored(entry, metric, Budget(Limits(seconds, GIB)))
    if level is None:
        return None
    question = asked(level)
    if question.get("table", question) is None:
        return None
    made = time.process_time()
    shared = level.puzzle.shared() if level.puzzle.shared is not None and "table" not in question else None
    right = best_moves(level)
    if forge:
        table.best_moves = lambda _: forged(level, right)  # type: ignore[attr-defined]
    data = table.known(level, None if shared is None else shared.key)
    table.best_moves = best_moves  # type: ignore[attr-defined]
    if data is None:
        return None
    packed = time.process_time()
    left = np.where(right.left == FAR, -1, right.left).tolist()
    question |= {"data": data, "metric": metric, "left": left}
    command = ["node", "--max-old-space-size=4096", str(HERE / "shared_pages.js")]
    done = subprocess.run(command, input=json.dumps(question), capture_output=True, text=True, check=True)
    answer: dict[str, Any] = json.loads(done.stdout)
    size = sum(len(json.dumps(each)) for each in (data, question.get("table")) if each is not None)
    return answer | {
        "level": level,
        "rules": "table" if "table" in question else "script",
        "bytes": size,
        "known": len(json.dumps(data)),
        "explored": made - began,
        "packed": packed - made,
    }


def main() -> int:
    """Run the program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", nargs="*", metavar="LEVELS", default=[*LEVELS])
    parser.add_argument("--seconds", type=float, default=300.0, help="for the positions of a level")
    parser.add_argument("--forge", action="store_true", help="make one value of each level wrong")
    options = parser.parse_args()
    failed = count = positions = 0
    print("positions  lost  rules   bytes  known  bits  explore s  pack s  open ms  look-up us  differ  level")
    for entry in entries(options.levels):
        found = measured(entry, options.seconds, forge=options.forge)
        if found is None:
            print(f"{entry.id}: too large")
            continue
        solved = solve_entry(entry, Options(metric=found["level"].metric, timeout=options.seconds))
        cost = solved.costs.get(found["level"].metric, 0) if solved.verdict == "solvable" else -1
        differs = solved.verdict in ("solvable", "unsolvable") and found["first"] != cost
        wrong = found["differ"] + differs
        failed += wrong == 0 if options.forge else wrong > 0
        count, positions = count + 1, positions + found["positions"]
        share, bits = found["lost"] / found["positions"], 6 * found["known"] / found["positions"]
        print(
            f"{found['positions']:9} {share:5.0%} {found['rules']:>6} {found['bytes']:7} {found['known']:6}"
            f" {bits:5.2f} {found['explored']:10.1f} {found['packed']:7.1f} {found['opened']:8.0f}"
            f" {found['micros']:11.2f} {wrong:7}  {entry.id}",
            flush=True,
        )
    print(f"{count} levels, {positions} positions, {failed} levels wrong")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
