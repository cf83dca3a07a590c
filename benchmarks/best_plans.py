"""Compares the best plans of planning tasks, all sequences of steps to the goal, with those of SymK.

    python benchmarks/best_plans.py FILES.sas [--plans 10] [--seconds 30] [--peer-site DIR]

SymK (Speck, Mattmüller and Nebel 2020) is in the package up-symk, which may be installed in a folder of its own
(`pip install --target DIR up-symk`). Each line has the file, the processor seconds of both, and the costs of the
plans, or what is missing. The last line has the sums. Ends with 1 if the costs of a task differ.
"""

import argparse
import json
import re
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from peers import package_folder, run

MEMORY = 4.0  # GiB
COST = re.compile(r"; cost = (\d+)")


class Found(NamedTuple):
    """The costs of the best plans, fewer if a limit came first, and the processor time."""

    costs: list[int]
    seconds: float


def ours(file: Path, count: int, seconds: float) -> Found:
    """The best plans by this program."""
    options = ["--metric", "cost", "--plans", str(count), "--loops", "--json", "--timeout", str(seconds)]
    program = [sys.executable, "-c", "from puzzlemc.reports.cli.start import main; main()"]
    with tempfile.TemporaryDirectory() as folder:
        done = run([*program, "check", str(file), *options], Path(folder), 2 * seconds + 10, 2 * MEMORY)
    answer = json.loads(done.output) if done.output.strip() else {}
    return Found([plan["cost"] for plan in answer.get("plans") or ()], done.cpu)


def symk(driver: Path, file: Path, count: int, seconds: float) -> Found:
    """The best plans by SymK."""
    search = f"symk_bd(plan_selection=top_k(num_plans={count},dump_plans=false))"
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(driver), "--plan-file", "plan", str(file), "--search", search]
        done = run(command, Path(folder), seconds, MEMORY)
        texts = [each.read_text(encoding="utf-8") for each in Path(folder).glob("plan*")]
    return Found(sorted(int(found[1]) for text in texts if (found := COST.search(text))), done.cpu)


def main() -> int:
    """Compare, and print a line for each file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--plans", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=30.0, help="of wall clock, for each program and file")
    parser.add_argument("--peer-site", help="the folder of up-symk")
    asked = parser.parse_args()
    driver = package_folder("up_symk", asked.peer_site) / "symk" / "fast-downward.py"
    if not driver.is_file():
        parser.error(f"there is no {driver}")
    both = wrong = 0
    spent = [0.0, 0.0]
    for file in map(Path.absolute, asked.files):
        found = ours(file, asked.plans, asked.seconds), symk(driver, file, asked.plans, asked.seconds)
        mine, theirs = (each.costs for each in found)
        words = f"{mine}"
        if len(mine) == len(theirs) == asked.plans:
            both += 1
            spent = [sum(pair) for pair in zip(spent, (each.seconds for each in found), strict=True)]
        # A list that a limit has cut is right up to its end; SymK finds plans of one cost in any order.
        if mine != theirs:
            least = min(len(mine), len(theirs))
            is_wrong = mine[:least] != theirs[:least]
            wrong += is_wrong
            words = f"{'DIFFERENT: ' * is_wrong}{mine} and {theirs}"
        print(f"{file.name},{found[0].seconds:.2f},{found[1].seconds:.2f},{words}", flush=True)
    print(f"both listed all plans of {both} tasks: {spent[0]:.1f} s and {spent[1]:.1f} s; {wrong} differ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
