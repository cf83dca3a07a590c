"""Systems of variables and actions: random ones against textbook search, and classics against models by hand.

    python benchmarks/modelled.py --random 3000
    python benchmarks/modelled.py --classics

`--random` compares answers of engines on random systems, with all kinds of expressions, with Dijkstra's algorithm
over the plain rules: verdicts, costs, and the errors of the plain rules, which must be reported where they are
reached. Exit code 1: an answer is wrong.

`--classics` times puzzles whose models are written by hand (`tests/compatibility/0.1/`), and the same puzzles as
systems: processor time from the level to the answer.
"""

import argparse
import gc
import statistics
import sys
import time
from collections import Counter
from pathlib import Path

from puzzlemc.encodings.modelling.language.evaluation import Evaluation
from puzzlemc.encodings.modelling.model.compilation import encoded
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.engines.registry import ENGINES, INVARIANTS, PLANNER
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.verdict import Reachable, Unknown, Verdict

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
sys.path.insert(0, str(Path(__file__).parents[1] / "tests/compatibility/0.1"))

from classic_systems import Classic, classics
from random_systems import random_system
from system_reference import METRIC, truth, wrong

MOST = 3000  # positions of a random system
SECONDS = 60.0


def compare(seed: int, engines: list[str]) -> Counter[str]:
    """Compare the answers about one random system; what is wrong is in the keys `wrong: …`."""
    system, found = random_system(seed, faults=seed % 3 > 0), Counter[str]()
    evaluation = Evaluation(system)
    known = truth(evaluation, MOST)
    if known is None:
        return Counter(large=1)
    found["systems"] += 1
    found["positions"] += known.positions
    found["solvable"] += known.solved is not None
    found["with errors"] += known.error is not None
    made = encoded(evaluation, [METRIC])
    found["with formulas"] += any(not action.is_plain for action in made.model.actions)
    for name in engines:
        for metric in (METRIC, ANY):
            try:
                verdict = _decide(name, made, metric)
            except Unsuitable:
                continue
            found["unknown" if isinstance(verdict, Unknown) else "answers"] += 1
            fault = wrong(known, made, evaluation, verdict, metric)
            if fault is not None:
                found[f"wrong: system {seed}, {name}, {metric}: {fault}, {known}"] += 1
    return found


def _decide(name: str, made: Encoded, metric: str) -> Verdict:
    budget = Budget(Limits(SECONDS))
    if name == "auto":
        return auto(made.model, metric, budget).verdict
    engine = {INVARIANTS.name: INVARIANTS, PLANNER.name: PLANNER}.get(name) or ENGINES[name]
    return engine(made.model, metric, budget, **({"most_steps": 12} if name == "bmc" else {}))


EVERY = ("auto", PLANNER.name, "bidirectional", "forward", "backward", "explicit", "best-first", INVARIANTS.name)
SLOW = ("bmc", "k-induction", "ic3")  # for one system of ten


def timed(classic: Classic) -> tuple[float, float]:
    """The seconds for a model by hand, and for a system, each the least of three. Prints them."""
    seconds, answers = [], []
    for make in (classic.by_hand, lambda: encoded(Evaluation(classic.system()), [classic.metric]).model):
        times = []
        for _ in range(3):
            gc.collect()
            began = time.process_time()
            decision = auto(make(), classic.metric, Budget(Limits(SECONDS)))
            times.append(time.process_time() - began)
        verdict = decision.verdict
        cost = f" {verdict.cost}" if isinstance(verdict, Reachable) and verdict.optimal else ""
        answers.append(f"{type(verdict).__name__.lower()}{cost}")
        seconds.append(min(times))
    ratio, answer = seconds[1] / seconds[0], " / ".join(dict.fromkeys(answers))
    print(f"{classic.name:42} {seconds[0]:7.3f} {seconds[1]:7.3f} {ratio:6.2f}  {answer}", flush=True)
    return seconds[0], seconds[1]


def compare_all(first: int, number: int) -> int:
    """Compare the answers about random systems. Return how many are wrong."""
    total = Counter[str]()
    for seed in range(first, first + number):
        total += compare(seed, [*EVERY, *(SLOW if seed % 10 == 0 else ())])
    faults = [key for key in total if key.startswith("wrong: ")]
    print(", ".join(f"{number:,} {key}" for key, number in total.items() if key not in faults))
    print(*faults, f"{len(faults)} wrong", sep="\n")
    return len(faults)


def main() -> int:
    """Run what is asked for. Return 1 if an answer is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--random", type=int, default=0, help="number of random systems")
    parser.add_argument("--first", type=int, default=0, help="the first one")
    parser.add_argument("--classics", action="store_true", help="time the classics")
    options = parser.parse_args()
    if options.classics:
        chosen = list(classics())
        timed(chosen[0])  # imports modules
        print(f"{'':42} by hand  system  ratio")
        times = [timed(classic) for classic in chosen]
        ratio = statistics.median(system / by_hand for by_hand, system in times)
        whole = sum(system for _, system in times) / sum(by_hand for by_hand, _ in times)
        print(f"median of the ratios {ratio:.2f}; all together {whole:.2f}")
    return 1 if options.random and compare_all(options.first, options.random) else 0


if __name__ == "__main__":
    sys.exit(main())
