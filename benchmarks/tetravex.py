"""Compares puzzlemc, MiniZinc with Gecode, and CP-SAT on random Tetravex levels, in one run.

    python benchmarks/tetravex.py --sizes 3 4 5 6 7 8 --each 5 --timeout 60

Solvable levels are generated from the seed, or read from `--levels`. Times are seconds of processor time on one
core: for puzzlemc from the level to the replayed answer in this process, which has solved another level before;
for Gecode all its processes with their start; for CP-SAT from the level to the answer of its solver. Solvers that
are not installed are left out: minizinc must be on the path, and `--cp-sat` names a Python with ortools.
"""

import argparse
import json
import os
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from puzzlemc.encodings.puzzles import Entry, load, puzzle
from puzzlemc.encodings.tetravex.count import count
from puzzlemc.encodings.tetravex.generate import random_level
from puzzlemc.encodings.tetravex.minizinc import write
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.tetravex import Level

CP_SAT = """
import json, sys, time
from ortools.sat.python import cp_model
level = json.load(sys.stdin)
started = time.process_time()
n, tiles = level["side"], level["tiles"]
model = cp_model.CpModel()
size = n * n
where = [model.NewIntVar(0, size - 1, "") for _ in range(size)]
model.AddAllDifferent(where)
colours = max(max(tile) for tile in tiles)
edge = [[model.NewIntVar(0, colours, "") for _ in range(4)] for _ in range(size)]
for cell in range(size):
    for side in range(4):
        model.AddElement(where[cell], [tile[side] for tile in tiles], edge[cell][side])
    if cell % n < n - 1:
        model.Add(edge[cell][2] == edge[cell + 1][3])
    if cell < size - n:
        model.Add(edge[cell][1] == edge[cell + n][0])
solver = cp_model.CpSolver()
solver.parameters.num_workers = 1
solver.parameters.max_time_in_seconds = level["timeout"]
status = solver.Solve(model)
found = [solver.Value(v) + 1 for v in where] if status in (cp_model.OPTIMAL, cp_model.FEASIBLE) else None
print(json.dumps({"board": found, "seconds": time.process_time() - started}))
"""

Answer = tuple[list[str] | None, float]  # the board, or None after the time limit; seconds


def ours(level: Level, timeout: float) -> Answer:
    """Solve with puzzlemc in this process."""
    result = solve_entry(Entry("", "", puzzle("tetravex"), level, None), Options(timeout=timeout))
    return (list(result.trace) if result.trace is not None else None), result.effort.seconds


def gecode(level: Level, timeout: float) -> Answer:
    """Solve with MiniZinc and Gecode; the time is that of its processes."""
    with tempfile.TemporaryDirectory() as folder:
        for suffix, text in write(level).items():
            (Path(folder) / f"t{suffix}").write_text(text)
        command = ["minizinc", "--solver", "gecode", "--time-limit", str(int(timeout * 1000)), "t.mzn", "t.dzn"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    lines = [line for line in done.stdout.splitlines() if line.startswith("[")]
    return ([str(tile) for tile in json.loads(lines[0])] if lines else None), seconds


def cp_sat(python: str) -> Callable[[Level, float], Answer]:
    """Solve with CP-SAT with one worker, in a process of the given interpreter."""

    def run(level: Level, timeout: float) -> Answer:
        task = json.dumps({"side": level.side, "tiles": level.tiles, "timeout": timeout})
        command = [python, "-c", CP_SAT]
        done = subprocess.run(command, input=task, capture_output=True, text=True, check=True)
        answer = json.loads(done.stdout)
        return ([str(tile) for tile in answer["board"]] if answer["board"] else None), answer["seconds"]

    return run


def main() -> int:
    """Solve, check every board by the plain rules, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--levels", nargs="*", default=[])
    parser.add_argument("--sizes", nargs="*", type=int, default=[])
    parser.add_argument("--colours", type=int, default=10)
    parser.add_argument("--each", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--count", action="store_true", help="also count the solutions")
    parser.add_argument("--cp-sat", metavar="PYTHON")
    options = parser.parse_args()
    solvers: dict[str, Callable[[Level, float], Answer]] = {"puzzlemc": ours}
    if shutil.which("minizinc"):
        solvers["gecode"] = gecode
    if options.cp_sat:
        solvers["cp-sat"] = cp_sat(options.cp_sat)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})

    groups: dict[str, list[Level]] = {entry.id: [entry.level] for entry in load(options.levels) if entry.level}
    for size in options.sizes:
        chance = random.Random(f"{options.seed} {size}")
        groups[f"{size}×{size}"] = [random_level(size, options.colours, chance) for _ in range(options.each)]
    rules = puzzle("tetravex")
    ours(random_level(7, 10, random.Random(0)), 60)
    print(f"{'levels':24}{'':>4}" + "".join(f"{name + ' mean':>16}{'median':>9}{'solved':>8}" for name in solvers))
    for name, levels in groups.items():
        row = f"{Path(name).name:24}{len(levels):>4}"
        for solve in solvers.values():
            times, solved = [], 0
            for level in levels:
                board, seconds = solve(level, options.timeout)
                times.append(seconds)
                if board is not None:
                    rules.replay(level, board)
                    solved += 1
            row += f"{statistics.mean(times):16.3f}{statistics.median(times):9.3f}{solved:8}"
        if options.count:
            started = time.process_time()
            try:
                numbers = [count(level, Budget(Limits(options.timeout))) for level in levels]
                row += f"   solutions {' '.join(map(str, numbers))} in {time.process_time() - started:.2f} s"
            except LimitReached as limit:
                row += f"   solutions not counted: {limit.reason}"
        print(row, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
