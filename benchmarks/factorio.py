"""Factorio levels by puzzlemc and by a model for Z3, in one run.

    python benchmarks/factorio.py --z3 8 --timeout 60

The 41 levels are made from the seed (`factorio_instances.py`). puzzlemc plans all of them. Z3 gets a sample of all
sizes, because it takes minutes for many of them. Times are seconds of wall clock from level to answer. Each level
has a process of its own, and the processes run one after the other. The model for Z3 has the constraints of
`rules.py` as Jimeno Roman's planner states them: directions and items as small integers, route numbers as
integers, and rates as reals, optimised by Z3. Without `z3-solver`, only puzzlemc runs.
"""

import argparse
import importlib.util
import json
import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from multiprocessing.connection import Connection
from typing import Any

from factorio_instances import instances

from puzzlemc.encodings.factorio.domain.rules import faults
from puzzlemc.encodings.factorio.model.constraint import around
from puzzlemc.encodings.factorio.planner.optimise import Planned
from puzzlemc.encodings.factorio.planner.search import LayoutSearch
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.screens.factorio import (
    CRITERIA,
    DIRECTIONS,
    MINIMIZE_LOSS,
    MINIMIZE_ROUTE,
    OPPOSITE,
    Level,
    area,
)

Answer = tuple[str, str]  # verdict and output; the output of none is empty


def by_sat(level: Level, seconds: float) -> Answer:
    """What puzzlemc says."""
    return _answer(level, LayoutSearch(level, Budget(Limits(seconds=seconds))).run())


def _answer(level: Level, found: Planned) -> Answer:
    if found.layout is not None:
        assert not faults(level, found.layout)
    verdict = "timeout" if not found.complete else "solved" if found.layout else "none"
    return verdict, str(found.measure.output) if found.measure else ""


def by_z3(level: Level, seconds: float) -> Answer:
    """What Z3 says."""
    import z3

    def real(value: Fraction) -> Any:
        return z3.RealVal(str(value))

    cells = list(level.cells())
    number = {word: index for index, word in enumerate(("", *DIRECTIONS))}
    items = {item: index + 1 for index, item in enumerate(level.items)}
    belt, inserter, route, item = (
        {cell: z3.Int(f"{name}{cell}") for cell in cells} for name in ("belt", "inserter", "route", "item")
    )
    got, passed = ({cell: z3.Real(f"{name}{cell}") for cell in cells} for name in ("got", "passed"))
    made = {cell: z3.Int(f"made{cell}") for cell in level.centres()}  # the number of the recipe
    inputs = {port.cell: port.item for port in level.inputs}
    outputs = {port.cell: port.item for port in level.outputs}
    optimizer = z3.Optimize()
    optimizer.set("timeout", max(1, int(1000 * seconds)))
    add = optimizer.add
    covered = {cell: z3.Or([made[c] > 0 for c in area(cell) if c in made]) for cell in cells}
    for cell, value in made.items():
        add(value >= 0, value <= len(level.recipes))
        for other in made:
            if cell < other and max(abs(cell[0] - other[0]), abs(cell[1] - other[1])) < 3:
                add(z3.Or(value == 0, made[other] == 0))
    for index in range(len(level.recipes)):
        add(z3.Or([value == index + 1 for value in made.values()]))
    for cell in cells:
        b, i = belt[cell], inserter[cell]
        add(
            b >= 0,
            b <= 4,
            i >= 0,
            i <= 4,
            z3.Or(b == 0, i == 0),
            z3.Implies(covered[cell], z3.And(b == 0, i == 0)),
        )
        piece = z3.Or(b > 0, i > 0)
        add((route[cell] > 0) == piece, route[cell] >= 0, route[cell] < len(cells))
        add((item[cell] > 0) == piece, item[cell] >= 0, item[cell] <= len(items))
        add(z3.Implies(z3.Not(piece), z3.And(got[cell] == 0, passed[cell] == 0)))
        add(got[cell] >= 0, passed[cell] >= 0, got[cell] <= 450)
        feeders, sums, takers = [], [], []
        for word in DIRECTIONS:
            beside, code, back = level.ahead(cell, word), number[word], number[OPPOSITE[word]]
            if beside is None:
                if cell not in outputs:
                    add(b != code)
                add(i != code, i != back)
                continue
            behind = level.ahead(cell, OPPOSITE[word])
            points = z3.And(b != code, z3.Or(belt[beside] == back, inserter[beside] == back))
            feeders.append(points)
            sums.append(z3.If(points, passed[beside], 0))
            takers.append(z3.If(inserter[beside] == code, got[beside], 0))
            if cell in outputs:
                add(z3.Implies(b == code, belt[beside] == 0))
            else:
                onward = z3.And(belt[beside] > 0, belt[beside] != back)
                add(z3.Implies(b == code, z3.Or(onward, inserter[beside] == code)))
                go = z3.And(route[beside] > route[cell], item[beside] == item[cell])
                add(z3.Implies(b == code, go))
            if behind is None or behind in outputs:
                add(i != code)
                continue
            add(z3.Implies(i == code, z3.Or(belt[behind] > 0, covered[behind])))
            ahead = z3.And(belt[beside] > 0, belt[beside] != back)
            add(z3.Implies(i == code, z3.Or(ahead, covered[beside])))
            add(z3.Implies(z3.And(i == code, belt[behind] == code), belt[beside] == 0))
            go = z3.And(route[beside] > route[cell], item[beside] == item[cell])
            add(z3.Implies(z3.And(i == code, belt[beside] > 0), go))
            came = z3.And(route[behind] < route[cell], item[behind] == item[cell])
            add(z3.Implies(z3.And(i == code, belt[behind] > 0), came))
            add(z3.Implies(z3.And(i == code, covered[behind]), route[cell] == 1))
        if cell in inputs:
            add(b > 0, route[cell] == 1, item[cell] == items[inputs[cell]])
        else:
            add(z3.Implies(b > 0, z3.And(z3.Or(feeders), got[cell] == z3.Sum(sums))))
        if cell in outputs:
            add(b > 0, route[cell] > 1, item[cell] == items[outputs[cell]])
        add(z3.Implies(b > 0, passed[cell] == got[cell] - z3.Sum(takers)))
        add(z3.Implies(i > 0, z3.And(passed[cell] == got[cell], got[cell] > 0, got[cell] <= 50)))
    for centre, value in made.items():
        beside_it = around(level, centre)
        for index, recipe in enumerate(level.recipes):
            part, share = z3.Real(f"part{centre}{index}"), z3.Real(f"share{centre}{index}")
            rules = [part > 0, part <= 1]
            leaving, takes = [], [items[name] for name, _ in recipe.takes]
            for cell, away in beside_it:
                out = inserter[cell] == number[away]
                leaving.append(z3.If(out, got[cell], 0))
                rules.append(z3.Implies(out, z3.And(item[cell] == items[recipe.gives[0]], got[cell] == share)))
                enter = inserter[cell] == number[OPPOSITE[away]]
                rules.append(z3.Implies(enter, z3.Or([item[cell] == code for code in takes])))
            rules.append(z3.Sum(leaving) == part * real(recipe.gives[1]))
            for name, rate in recipe.takes:
                brought = [
                    z3.If(
                        z3.And(inserter[cell] == number[OPPOSITE[away]], item[cell] == items[name]), got[cell], 0
                    )
                    for cell, away in beside_it
                ]
                rules.append(z3.Sum(brought) == part * real(rate))
            add(z3.Implies(value == index + 1, z3.And(rules)))
    output = z3.Sum([passed[cell] for cell in outputs])
    optimizer.maximize(output)
    if level.optimize == MINIMIZE_LOSS:
        lost = [
            z3.If(z3.And(belt[cell] == number[word], inserter[ahead] == number[word]), passed[cell], 0)
            for cell in cells
            for word in DIRECTIONS
            if (ahead := level.ahead(cell, word)) is not None
        ]
        optimizer.minimize(z3.Sum(lost))
    elif level.optimize == MINIMIZE_ROUTE:
        optimizer.minimize(z3.Sum([z3.If(route[cell] > 0, 1, 0) for cell in cells]))
    status = optimizer.check()
    if status == z3.sat:
        return "solved", str(optimizer.model().eval(output))
    return ("none" if status == z3.unsat else "timeout"), ""


SOLVERS: dict[str, Callable[[Level, float], Answer]] = {"puzzlemc": by_sat, "z3": by_z3}
NEEDS = {"z3": "z3"}


def timed(name: str, level: Level, seconds: float) -> tuple[Answer, float]:
    """The answer of a solver and the seconds that it took; it is ended some seconds after its time."""
    mine, other = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=_work, args=(other, name, level, seconds))
    started = time.perf_counter()
    process.start()
    other.close()
    answer: Answer = ("timeout", "")
    took = seconds
    try:
        if mine.poll(seconds + 5):
            answer, took = mine.recv()
    except EOFError:
        answer = ("failed", "")
        took = time.perf_counter() - started
    process.kill()
    process.join()
    return answer, took


def _work(pipe: Connection, name: str, level: Level, seconds: float) -> None:
    started = time.perf_counter()
    answer = SOLVERS[name](level, seconds)
    pipe.send((answer, time.perf_counter() - started))


def main() -> None:
    """Write a line a level to standard error, the table to standard output."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--optimize", choices=CRITERIA, default=CRITERIA[0])
    parser.add_argument("--timeout", type=float, default=60, help="seconds for each level and solver")
    parser.add_argument("--z3", type=int, default=8, help="levels that Z3 gets")
    parser.add_argument("--json", action="store_true", help="the results as JSON instead of the table")
    options = parser.parse_args()
    levels = instances(options.seed, options.optimize)
    results: list[dict[str, Any]] = []
    for name, many in (("puzzlemc", len(levels)), ("z3", options.z3)):
        if name in NEEDS and importlib.util.find_spec(NEEDS[name]) is None:
            continue
        for index in range(many):
            place = index * len(levels) // many
            (verdict, output), took = timed(name, levels[place], options.timeout)
            results.append(
                {
                    "solver": name,
                    "level": place,
                    "size": levels[place].width,
                    "verdict": verdict,
                    "output": output,
                    "seconds": round(took, 3),
                }
            )
            print(*results[-1].values(), file=sys.stderr, flush=True)
    print(json.dumps(results, indent=1) if options.json else table(results))


def table(results: list[dict[str, Any]]) -> str:
    """Medians and time-outs by solver, over all its levels, and over those that all solvers got."""
    solvers = list(dict.fromkeys(result["solver"] for result in results))
    shared = set.intersection(*({r["level"] for r in results if r["solver"] == name} for name in solvers))
    lines = [
        "| solver | levels | solved | none | timeouts | median s | median s, shared levels |",
        "|" + "---|" * 7,
    ]
    for name in solvers:
        mine = [result for result in results if result["solver"] == name]
        counts = [
            sum(result["verdict"] == verdict for result in mine) for verdict in ("solved", "none", "timeout")
        ]
        medians = [
            statistics.median(result["seconds"] for result in some)
            for some in (mine, [result for result in mine if result["level"] in shared])
        ]
        lines.append(
            f"| {name} | {len(mine)} | {' | '.join(map(str, counts))} | {medians[0]:.2f} | {medians[1]:.2f} |"
        )
    return "\n".join([*lines, "", f"shared: {len(shared)} levels"])


if __name__ == "__main__":
    main()
