"""Random Tetravex levels, solved by puzzlemc and by constraint solvers through MiniZinc.

    python benchmarks/tetravex.py [--sizes 3 4 5 6 7 8 9 10] [--seeds 3] [--timeout 60] [--peers gecode cp-sat]

Seconds are processor time: of puzzlemc in this process, from level to replayed solution; of a solver, the whole
command, since it has no other way to be called. A peer is a solver that `minizinc --solver` knows, or `cp-sat`
where the package `ortools` is installed, whose time is of building and solving alone. Prints a row a size: the
median over the seeds, and how many were solved. The exit code is 1 if a peer's answer is another.
"""

import argparse
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from puzzlemc.encodings.puzzles import puzzle, replay
from puzzlemc.encodings.tetravex_generate import random_level
from puzzlemc.reports import minizinc
from puzzlemc.reports.solve import Options, solve_entry
from puzzlemc.screens.source import Entry
from puzzlemc.screens.tetravex import Level

RULES = puzzle("tetravex")


def ours(level: Level, timeout: float) -> tuple[bool | None, float]:
    """Is there a solution (None: not found out in time), and seconds."""
    result = solve_entry(Entry("level", "", "tetravex", level, None), Options(timeout=timeout))
    return {"solvable": True, "unsolvable": False}.get(result.verdict), result.seconds


def through_minizinc(solver: str) -> Callable[[Level, float], tuple[bool | None, float]]:
    """The same by a solver of MiniZinc."""

    def solve(level: Level, timeout: float) -> tuple[bool | None, float]:
        with tempfile.TemporaryDirectory() as folder:
            model, data = Path(folder, "level.mzn"), Path(folder, "level.dzn")
            for path, text in zip((model, data), minizinc.write(level), strict=True):
                path.write_text(text)
            command = ["minizinc", "--solver", solver, "--time-limit", str(int(timeout * 1000)), model, data]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        if "UNSATISFIABLE" in done.stdout:
            return False, seconds
        if "----------" not in done.stdout:
            return None, seconds
        replay(RULES, level, re.findall("[0-9]+", done.stdout)[: len(level.tiles)])
        return True, seconds

    return solve


def cp_sat(level: Level, timeout: float) -> tuple[bool | None, float]:
    """The same by CP-SAT, with one thread: a tile a cell, all different, and tables of the sides of tiles."""
    from ortools.sat.python import cp_model

    started = time.process_time()
    model = cp_model.CpModel()
    side, number = level.side, len(level.tiles)
    top = max(max(tile) for tile in level.tiles)
    across = [[model.new_int_var(0, top, "") for _ in range(side + 1)] for _ in range(side)]
    down = [[model.new_int_var(0, top, "") for _ in range(side)] for _ in range(side + 1)]
    held = [model.new_int_var(0, number - 1, "") for _ in range(number)]
    model.add_all_different(held)
    rows = [(index, *tile) for index, tile in enumerate(level.tiles)]
    for cell, tile in enumerate(held):
        row, column = divmod(cell, side)
        sides = [down[row][column], down[row + 1][column], across[row][column + 1], across[row][column]]
        model.add_allowed_assignments([tile, *sides], rows)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = timeout
    status = solver.solve(model)
    seconds = time.process_time() - started
    return {cp_model.OPTIMAL: True, cp_model.FEASIBLE: True, cp_model.INFEASIBLE: False}.get(status), seconds


def main() -> int:
    """Solve, compare, print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(range(3, 11)))
    parser.add_argument("--colours", type=int, default=10)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--peers", nargs="*", default=["gecode"])
    options = parser.parse_args()
    solvers = {"puzzlemc": ours}
    for peer in options.peers:
        solvers[peer] = cp_sat if peer == "cp-sat" else through_minizinc(peer)
    ours(random_level(3, options.colours, random.Random(0)), options.timeout)  # imports are not timed
    print(f"{'size':>4}" + "".join(f"{name:>12}{'solved':>8}" for name in solvers))
    wrong = 0
    for size in options.sizes:
        row = f"{size:>4}"
        for solve in solvers.values():
            levels = [random_level(size, options.colours, random.Random(seed)) for seed in range(options.seeds)]
            answers = [solve(level, options.timeout) for level in levels]
            wrong += sum(answer is False for answer, _ in answers)  # a random level has a solution
            solved = sum(answer is True for answer, _ in answers)
            row += f"{statistics.median(s for _, s in answers):>12.2f}{f'{solved}/{len(answers)}':>8}"
        print(row, flush=True)
    print(f"{wrong} wrong answers")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
