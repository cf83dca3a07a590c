"""Ablation of the engines: the same levels with each part switched off alone, and with other variable orders.

    python benchmarks/ablation.py LEVELS… [--metric pushes] [--timeout 10] [--first 60] [--json out.json]

All levels run in one process, one after another. The first word of a row names the engine: `explicit` is compiled
search, `zdd` and `bdd` are bidirectional search on diagrams. The first sum of processor time is over all levels,
including those that reached a limit; the second is over the levels that all rows of the engine solved. The exit
code is 1 if answers contradict each other.
"""

import argparse
import json
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import networkx as nx
from dd import cudd as dd_cudd

import puzzlemc.mc.astar.problem as problem_module
import puzzlemc.mc.engines.explicit as explicit_module
from puzzlemc.encodings.puzzles import load, puzzle
from puzzlemc.mc.engines.registry import engine
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.symbolic.system import System
from puzzlemc.mc.verdict import Reachable, Unknown, Verdict
from puzzlemc.screens.sokoban import Level

RULES = puzzle("sokoban")
Solve = Callable[[Model, str, Budget], Verdict]
Change = Callable[[Model, Level], Model]


class Line(NamedTuple):
    """A row of the table: the solver, a change of the model, and a context that switches a part off."""

    name: str
    solve: Solve
    change: Change = lambda model, _: model
    off: Callable[[], Any] | None = None


def without(size: int) -> Change:
    """Remove the dead patterns of this number of objects."""

    def change(model: Model, _: Level) -> Model:
        kept = tuple(r for r in model.hints.relaxations if r.keep != size)
        return replace(model, hints=replace(model.hints, relaxations=kept))

    return change


def unsplit(model: Model, _: Level) -> Model:
    """Remove the location, and with it the dead patterns."""
    return replace(model, hints=replace(model.hints, location=None, objects={}, relaxations=()))


def ordered(key: Callable[[Level], Callable[[tuple[int, ...]], Any]]) -> Change:
    """Order the bits of boxes by a key of their squares."""

    def change(model: Model, level: Level) -> Model:
        rank = key(level)
        at = {tuple(map(int, b.indices)): b for b in model.hints.objects}
        player = [b for b in model.hints.order if b not in model.hints.objects]
        order = (*player, *(at[cell] for cell in sorted(at, key=rank)))
        return replace(model, hints=replace(model.hints, order=order))

    return change


def cuthill(level: Level) -> Callable[[tuple[int, ...]], Any]:
    """Reverse Cuthill-McKee on the graph of neighbouring squares (George 1971)."""
    floor = set(level.floor)
    graph = nx.Graph()
    graph.add_nodes_from(floor)
    graph.add_edges_from((c, n) for c in floor for n in ((c[0] + 1, c[1]), (c[0], c[1] + 1)) if n in floor)
    rank = {cell: number for number, cell in enumerate(nx.utils.reverse_cuthill_mckee_ordering(graph))}
    return rank.__getitem__


def shuffled(level: Level) -> Callable[[tuple[int, ...]], Any]:
    """A random order, which shows how much the order matters."""
    cells = sorted(level.floor)
    random.Random(0).shuffle(cells)
    return {cell: number for number, cell in enumerate(cells)}.__getitem__


@contextmanager
def replaced(target: object, name: str, value: object) -> Iterator[None]:
    """Replace an attribute in a `with` block."""
    old = getattr(target, name)
    setattr(target, name, value)
    try:
        yield
    finally:
        setattr(target, name, old)


@contextmanager
def sifted_once() -> Iterator[None]:
    """Sift the variables (Rudell 1993) once, before the tenth image of a search on CUDD."""
    image, made = System.image, Counter[System[Any]]()

    def sifting(self: System[Any], *arguments: Any) -> Any:
        made[self] += 1
        if made[self] == 10:
            dd_cudd.reorder(self.diagrams._bdd)
        return image(self, *arguments)

    with replaced(System, "image", sifting):
        yield


def one_end() -> Any:
    """Compiled search from the initial state alone."""
    return replaced(explicit_module, "prepare", partial(explicit_module.prepare, both_ends=False))


def lines() -> list[Line]:
    """The rows of the table, first for compiled search, then for diagrams."""

    def explicit(model: Model, metric: str, budget: Budget) -> Verdict:
        return explicit_module.astar(model, metric, budget)

    def by(name: str, diagrams: str) -> Solve:
        return lambda model, metric, budget: engine(name)(model, metric, budget, diagrams=diagrams)

    zdd, bdd = by("bidirectional", "zdd"), by("bidirectional", "cudd")
    module = problem_module
    orders: list[tuple[str, Change]] = [
        ("row", ordered(lambda _: lambda cell: cell)),
        ("column", ordered(lambda _: lambda cell: (cell[1], cell[0]))),
        ("reverse Cuthill-McKee", ordered(cuthill)),
        ("shuffled", ordered(shuffled)),
    ]
    return [
        Line("explicit", explicit),
        Line("explicit, no bound", explicit, off=lambda: replaced(module, "has_distances", lambda *_: False)),
        Line("explicit, no singles, no bound", explicit, without(1)),
        Line("explicit, no pairs", explicit, without(2)),
        Line("explicit, no triples", explicit, without(3)),
        Line("explicit, one end", explicit, off=one_end),
        Line("explicit, no regions", explicit, off=lambda: replaced(module, "_left_out", lambda *_: frozenset())),
        Line("zdd", zdd),
        Line("zdd, no location, no patterns", zdd, unsplit),
        Line("zdd, no singles", zdd, without(1)),
        Line("zdd, no pairs", zdd, without(2)),
        Line("zdd, one end", by("forward", "zdd")),
        *(Line(f"zdd, {name} order", zdd, change) for name, change in orders),
        Line("cudd", bdd),
        *(Line(f"cudd, {name} order", bdd, change) for name, change in orders),
        Line("cudd, sifted once", bdd, off=sifted_once),
    ]


@dataclass
class Row:
    """What a line came to: for each level its seconds and its answer."""

    name: str
    seconds: list[float] = field(default_factory=list)
    answers: list[str | None] = field(default_factory=list)


def measure(line: Line, levels: list[Level], metric: str, seconds: float) -> Row:
    """Solve all levels."""
    row = Row(line.name)
    for level in levels:
        model = line.change(RULES.encodings["compact"](level).model, level)
        started = time.process_time()
        if line.off is None:
            verdict = line.solve(model, metric, Budget(Limits(seconds)))
        else:
            with line.off():
                verdict = line.solve(model, metric, Budget(Limits(seconds)))
        row.seconds.append(time.process_time() - started)
        cost = str(verdict.cost) if isinstance(verdict, Reachable) else "unsolvable"
        row.answers.append(None if isinstance(verdict, Unknown) else cost)
    return row


def main() -> int:
    """Print the table; 1 if two lines contradict each other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", nargs="+")
    parser.add_argument("--metric", default="pushes", choices=RULES.metrics)
    parser.add_argument("--timeout", type=float, default=10)
    parser.add_argument("--first", type=int)
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    levels: list[Level] = [entry.level for entry in load(arguments.levels) if isinstance(entry.level, Level)]
    levels = levels[: arguments.first]
    rows: list[Row] = []
    for line in lines():
        rows.append(measure(line, levels, arguments.metric, arguments.timeout))
        solved = sum(answer is not None for answer in rows[-1].answers)
        print(f"{line.name:34} {solved:4} of {len(levels)} {sum(rows[-1].seconds):9.2f} s", flush=True)
    for kind in ("explicit", "zdd", "cudd"):
        some = [row for row in rows if row.name.split(",")[0] == kind]
        common = [n for n in range(len(levels)) if all(row.answers[n] is not None for row in some)]
        print(f"\n{len(common)} levels that every line of {kind} solved:")
        for row in some:
            print(f"  {row.name:32} {sum(row.seconds[n] for n in common):9.2f} s")
    if arguments.json:
        arguments.json.write_text(json.dumps([vars(row) for row in rows]))
    split = [n for n in range(len(levels)) if len({row.answers[n] for row in rows} - {None}) > 1]
    for n in split:
        print(f"level {n + 1}: contradiction: { ({row.name: row.answers[n] for row in rows}) }")
    return bool(split)


if __name__ == "__main__":
    raise SystemExit(main())
