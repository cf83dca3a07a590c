"""Compares `check` with Fast Downward on problems in PDDL: both read the same files.

    python benchmarks/pddl.py FILE|FOLDER... [--search 'astar(blind())'] [--timeout 60] [--driver fast-downward.py]
    python benchmarks/pddl.py --examples [FOLDER]

One line a problem: file, verdict and cost of both, wall clock of both. The last line has the number of different
answers; ends with 1 if there are any. `--driver` is by default that of the package `up-fast-downward`.

`--examples` writes the example problems of unified-planning that the engine takes as files first, and counts what
the others have that it does not take.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
import warnings
from collections import Counter
from importlib.util import find_spec
from pathlib import Path

from puzzlemc.encodings.puzzles import load
from puzzlemc.screens.pddl.files import definitions

SOLVED, UNSOLVABLE = (0, 1, 2, 3), (10, 11, 12)  # exit codes; 12 is that of an exhausted search
PROGRAM = (sys.executable, "-c", "from puzzlemc.reports.cli.app import main; main()")
SAVED_SECONDS = 10  # that Fast Downward has more, for the translator


def usual_driver() -> str:
    """The driver in the package up-fast-downward; empty without it."""
    found = find_spec("up_fast_downward")
    places = () if found is None else found.submodule_search_locations or ()
    return next((f"{place}/downward/fast-downward.py" for place in places), "")


def peer(driver: str, search: str, domain: str, problem: str, timeout: float) -> tuple[str, int | None]:
    """Verdict and cost by Fast Downward."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "domain.pddl").write_text(domain, encoding="utf-8")
        Path(folder, "problem.pddl").write_text(problem, encoding="utf-8")
        limit = f"{int(timeout) + SAVED_SECONDS}s"
        command = [sys.executable, driver, "--overall-time-limit", limit, "domain.pddl", "problem.pddl"]
        done = subprocess.run(
            [*command, "--search", search], cwd=folder, capture_output=True, text=True, check=False
        )
    cost = re.search(r"Plan cost: ([0-9]+)", done.stdout)
    if done.returncode in SOLVED and cost is not None:
        return "solvable", int(cost[1])
    return ("unsolvable" if done.returncode in UNSOLVABLE else f"code {done.returncode}"), None


def write_examples(folder: Path) -> None:
    """Write the examples of unified-planning that the engine takes, each to a folder of its own."""
    warnings.simplefilter("ignore")  # of that library
    from unified_planning.io import PDDLWriter
    from unified_planning.shortcuts import get_environment
    from unified_planning.test.examples import get_example_problems

    from puzzlemc.reports.ask.unified_problem import supported_kind

    get_environment().credits_stream = None
    reasons = Counter[str]()
    known = supported_kind()
    for name, example in get_example_problems().items():
        kind = example.problem.kind
        if not kind <= known:
            reasons.update(kind.features - known.features)
            continue
        writer = PDDLWriter(example.problem)
        try:
            texts = {"domain.pddl": writer.get_domain(), "problem.pddl": writer.get_problem()}
        except NotImplementedError:  # as of some metrics
            reasons["no PDDL can be written of it:"] += 1
            continue
        (folder / name).mkdir(parents=True, exist_ok=True)
        for file, text in texts.items():
            (folder / name / file).write_text(text, encoding="utf-8")
    print("not taken:", ", ".join(f"{name} {count}" for name, count in reasons.most_common()), file=sys.stderr)


def main() -> int:
    """Compare; return 1 if an answer differs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", help="problems, or folders of them")
    parser.add_argument("--search", default="astar(blind())", help="the search of Fast Downward")
    parser.add_argument("--timeout", type=float, default=60, help="seconds of wall clock for each problem")
    parser.add_argument("--driver", default=usual_driver(), help="the path of fast-downward.py")
    parser.add_argument(
        "--examples", action="store_true", help="write unified-planning's examples to the path first"
    )
    arguments = parser.parse_args()
    if not arguments.driver:
        parser.error("found no Fast Downward, expected --driver, or pip install up-fast-downward")
    if arguments.examples:
        arguments.paths = arguments.paths or [tempfile.mkdtemp()]
        write_examples(Path(arguments.paths[0]))
    different = compared = 0
    for entry in load(arguments.paths):
        limit = ("--timeout", str(arguments.timeout), "--quiet", "--json")
        done = subprocess.run([*PROGRAM, "check", entry.id, *limit], capture_output=True, text=True, check=False)
        own = json.loads(done.stdout)
        if own["verdict"] == "error" or entry.level is None:
            print(f"{entry.id}\t{own['reason']}")
            continue
        texts = {each.kind: each.source.text for each in definitions(entry.level.text, entry.id)}
        began = time.monotonic()
        verdict, cost = peer(
            arguments.driver, arguments.search, texts["domain"], texts["problem"], arguments.timeout
        )
        seconds = time.monotonic() - began
        is_known = own["verdict"] in ("solvable", "unsolvable") and not verdict.startswith("code")
        is_other = is_known and (own["verdict"], own["cost"] if own["optimal"] else cost) != (verdict, cost)
        compared, different = compared + is_known, different + is_other
        row = (own["verdict"], own["cost"], verdict, cost, f"{own['wall_seconds']:.2f}", f"{seconds:.2f}")
        print(
            entry.id,
            *("-" if each is None else each for each in row),
            "DIFFERENT" * is_other,
            sep="\t",
            flush=True,
        )
    print(f"{compared} compared, {different} different")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
