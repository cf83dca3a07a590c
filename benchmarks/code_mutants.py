"""Plants mistakes in the code, one at a time, and tells which of them the tests find.

    python benchmarks/code_mutants.py [NUMBER...] [--tests FOLDER] [--json FILE]

Each mutant is one change of one line, with the files of tests that ought to find it. Its file is restored after
the tests, also where they are interrupted. A mutant whose line is no longer in its file is reported as stale. Work
in a clone of your own: meanwhile the code is wrong. `--tests` takes the tests from another folder than `tests`,
such as those of an older commit: so one sees what a change of the tests has lost.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
SECONDS = 600


class Mutant(NamedTuple):
    """One mistake: in this file `old`, which is there once, becomes `new`; `tests` are files below `tests`."""

    path: str
    old: str
    new: str
    tests: str


MUTANTS = [
    # Engines and sets of states
    Mutant(
        "mc/symbolic/side.py",
        "self._open[cost + step] = states if",
        "self._open[cost + 1] = states if",
        "mc/engines/test_engines.py",
    ),
    Mutant(
        "mc/symbolic/system.py",
        "queue[target] = union(queue[target], there) if target in queue else there",
        "queue[target] = there",
        "mc/engines/test_engines.py mc/symbolic/test_diagrams.py",
    ),
    Mutant(
        "mc/symbolic/zdd.py",
        "(_forget, variable[b]) for b in constants if b not in guard]",
        "(_forget, variable[b]) for b in constants if b in guard]",
        "mc/symbolic/test_diagrams.py",
    ),
    Mutant(
        "mc/engines/bmc.py",
        "budget.record_bound(least * (steps + 1))",
        "budget.record_bound(least * (steps + 2))",
        "mc/sat/test_sat.py encodings/folding/test_folding.py",
    ),
    Mutant(
        "mc/sat/unroll.py",
        "self._step += [(before, -after, *by), (-before, after, *by)]",
        "self._step += [(before, -after, *by)]",
        "mc/sat/test_sat.py mc/engines/test_engines.py",
    ),
    Mutant(
        "mc/sat/unroll.py",
        "one.update.keys() & (other.reads | other.update.keys())",
        "one.update.keys() & other.update.keys()",
        "mc/sat/test_sat.py mc/engines/test_engines.py",
    ),
    Mutant(
        "mc/engines/lexicographic.py",
        "best = min(runs, key=lambda run:",
        "best = max(runs, key=lambda run:",
        "reports/solve/test_best_so_far.py",
    ),
    # Proofs
    Mutant(
        "mc/proofs/clauses.py",
        "there.imply(outside, proof.layers[number] ^ 1)",
        "there.imply(outside, proof.layers[number])",
        "mc/proofs/test_proofs.py",
    ),
    Mutant(
        "mc/proofs/clauses.py",
        "self.clauses.append([-asked, *self._outside[:1]])",
        "self.clauses.append([-asked, *self._outside[-1:]])",
        "mc/proofs/test_proofs.py",
    ),
    Mutant(
        "mc/model/trace.py",
        "if action.fire(before) != after:",
        "if action.fire(before) != after and number:",
        "mc/model/test_model.py",
    ),
    # Temporal logic, graphs, games, cores
    Mutant(
        "mc/temporal/explicit_structure.py",
        "return self.stuck & f |",
        "return self.stuck & ~f |",
        "mc/temporal/test_ctl.py",
    ),
    Mutant(
        "mc/games/strategy.py",
        "defence.turns == turns - 1)",
        "defence.turns == turns)",
        "mc/games/test_games.py",
    ),
    Mutant(
        "mc/sat/cores.py",
        "minimal = self._lower_bound >= len(objects) or",
        "minimal = self._lower_bound >= len(objects) - 1 or",
        "reports/solve/test_reasons.py",
    ),
    # Puzzles
    Mutant(
        "encodings/sokoban/model/compact.py",
        "Relaxation(keep, tuple(targets), keep - over)",
        "Relaxation(keep, tuple(targets), keep)",
        "encodings/sokoban/test_sokoban.py",
    ),
    Mutant(
        "encodings/sokoban/model/compact.py",
        "frozenset() if spare(level) else level.cells - far.keys()",
        "level.cells - far.keys()",
        "reports/page/test_page.py",
    ),
    Mutant(
        "encodings/folding/compact.py",
        "last = {cell: number for number, block in enumerate(order)",
        "last = {cell: number for number, block in reversed([*enumerate(order)])",
        "encodings/folding/test_folding.py encodings/test_levels.py",
    ),
    Mutant("encodings/folding/tiles.py", "2 * side + step)", "2 * side)", "encodings/folding/test_folding.py"),
    Mutant(
        "encodings/folding/count.py",
        "if one.folds == folds), Fraction())",
        "if one.folds >= folds), Fraction())",
        "encodings/folding/test_folding.py",
    ),
    Mutant(
        "encodings/tetravex/rules.py",
        "(east is None or east.west == tile.east)",
        "(east is None or east.west <= tile.east)",
        "encodings/tetravex/test_tetravex.py",
    ),
    Mutant(
        "encodings/fabrik/rules.py",
        "for player in (other(mover(position)), mover(position)):",
        "for player in (mover(position), other(mover(position))):",
        "encodings/fabrik/test_rules.py",
    ),
    Mutant(
        "encodings/fabrik/rules.py",
        "if position.turn and next(turns(level, position), None) is None:\n        return other(position.turn)",
        "if position.turn and next(turns(level, position), None) is None:\n        return position.turn",
        "encodings/fabrik/test_rules.py",
    ),
    Mutant(
        "encodings/factorio/domain/rules.py",
        "if not 0 < part <= 1:",
        "if not 0 < part <= 2:",
        "encodings/factorio/test_planner.py",
    ),
    Mutant(
        "encodings/factorio/domain/rules.py",
        "and numbers[ahead] <= number:",
        "and numbers[ahead] < number:",
        "encodings/factorio/test_planner.py",
    ),
    Mutant(
        "encodings/factorio/planner/capacity.py",
        "many = ceil(step * rate / INSERTER)",
        "many = ceil(step * rate / INSERTER) + 1",
        "encodings/factorio/test_bounds.py encodings/factorio/test_planner.py",
    ),
    # Screens
    Mutant(
        "screens/base/selection.py",
        "for place in range(first, last + 1):",
        "for place in range(first, max(first + 1, last)):",
        "screens/base/test_source.py",
    ),
    Mutant(
        "screens/sokoban/board.py",
        "if count > MAX_SIDE:",
        "if count >= MAX_SIDE:",
        "screens/sokoban/test_reader.py",
    ),
    Mutant(
        "screens/base/part.py",
        "if number > MAX_LEVELS:",
        "if number >= MAX_LEVELS:",
        "screens/tetravex/test_reader.py",
    ),
    # Reports
    Mutant(
        "reports/solve/result.py",
        "return next((code for code in PRECEDENCE if code in found), SOLVABLE)",
        "return next((code for code in PRECEDENCE[::-1] if code in found), SOLVABLE)",
        "reports/cli/test_cli.py",
    ),
    Mutant(
        "reports/solve/result.py",
        "if cost > bound:",
        "if cost > bound + 1:",
        "reports/solve/test_bound_meets_cost.py reports/solve/test_costs.py",
    ),
    Mutant(
        "reports/batch/expect.py",
        "elif (found := Expectation.of(row)) != before:",
        "elif (found := Expectation.of(row)) == before:",
        "reports/batch/test_results.py",
    ),
    Mutant(
        "reports/crew/identity.py",
        '_digest(rules, "shape", _written(turned)),',
        '_digest(rules, "shape", _written(grid)),',
        "reports/batch/test_batch.py",
    ),
    Mutant(
        "reports/play/session.py",
        "self._at = max(0, self._at - 1) if to is None",
        "self._at = self._at - 1 if to is None",
        "reports/play/test_play.py",
    ),
    Mutant(
        "reports/play/session.py",
        "self._moves[self._at :] = [move]",
        "self._moves[self._at : self._at + 1] = [move]",
        "reports/play/test_play.py",
    ),
    Mutant(
        "reports/page/heat.py",
        "return 1 + round((MOST_SHADES - 1) * (states",
        "return 1 + round(MOST_SHADES * (states",
        "reports/page/test_page.py",
    ),
    Mutant(
        "reports/page/html.py",
        "first, last = sums[begin] + 1, sums[step]",
        "first, last = sums[begin], sums[step]",
        "reports/page/test_page.py",
    ),
    Mutant(
        "reports/formats/dimacs.py",
        "clause(done[time], *literals)",
        "clause(*literals)",
        "reports/formats/test_tools.py",
    ),
    Mutant(
        "reports/output/plain.py",
        "return escape(plain_lines(text))",
        "return plain_lines(text)",
        "reports/output/test_plain.py",
    ),
    Mutant(
        "reports/ask/replay.py",
        "alive, lost = -1, length",
        "alive, lost = 0, length",
        "reports/ask/test_replay.py",
    ),
    Mutant(
        "reports/ask/replay.py",
        "return INVALID if self.fault else SOLVES if self.solved else UNSOLVED",
        "return INVALID if self.fault else SOLVES",
        "reports/ask/test_replay.py",
    ),
    Mutant(
        "reports/certify/verify.py",
        "return CODES[self.status] or (BAD_OUTPUT if self.note else 0)",
        "return BAD_OUTPUT if self.note else 0",
        "reports/certify/test_certificates.py",
    ),
    Mutant(
        "reports/workers/interrupt.py",
        "raise HungUp(128 + number)",
        "raise HungUp(0)",
        "reports/output/test_left_behind.py",
    ),
    # The rooms
    Mutant(
        "mc/limits.py",
        "GIB = 2**30\n",
        "GIB = 2**30\n\n\ndef _up() -> None:\n    import puzzlemc.mc.verdict\n",
        "test_layout.py",
    ),
    Mutant("mc/engines/symbolic.py", '"""', '"""Sokoban: ', "test_layout.py"),
]


def run(mutant: Mutant, tests: Path) -> dict[str, object]:
    """Plant a mutant, run its tests up to the first that fails, and take it back."""
    path = ROOT / mutant.path
    before = path.read_text(encoding="utf-8")
    if mutant.old not in before:
        return {"found": "stale"}
    files = [str(tests / name) for name in mutant.tests.split()]
    began = time.monotonic()
    try:
        path.write_text(before.replace(mutant.old, mutant.new, 1), encoding="utf-8")
        options = ["-x", "-q", "-m", "not slow", "-p", "no:cacheprovider"]
        command = [sys.executable, "-P", "-m", "pytest", *options, *files]
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False, cwd=ROOT)
        failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
        by = failed[0].split(" - ")[0] if failed else ""
        found = {0: "SURVIVED", 1: "found"}.get(done.returncode, f"exit {done.returncode}")
    except subprocess.TimeoutExpired:
        found, by = "found", "by the limit of time"
    finally:
        path.write_text(before, encoding="utf-8")
    return {"found": found, "by": by, "seconds": round(time.monotonic() - began)}


def main() -> None:
    """Run the mutants that are asked for, all by default."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", nargs="*", type=int, metavar="NUMBER", help="of mutants, from 1")
    parser.add_argument("--tests", type=Path, default=ROOT / "tests")
    parser.add_argument("--json", type=Path, help="append a line for each mutant to this file")
    options = parser.parse_args()
    survived = 0
    for number, mutant in enumerate(MUTANTS, 1):
        if options.numbers and number not in options.numbers:
            continue
        outcome = {"number": number, "file": mutant.path, **run(mutant, options.tests)}
        survived += outcome["found"] == "SURVIVED"
        print("  ".join(str(value) for value in outcome.values()), flush=True)
        if options.json:
            with options.json.open("a", encoding="utf-8") as file:
                file.write(json.dumps(outcome) + "\n")
    sys.exit(min(survived, 1))


if __name__ == "__main__":
    main()
