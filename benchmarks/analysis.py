"""Times the full analysis and `AG EF solved` of levels, and compares them with a search by the plain rules.

    python benchmarks/analysis.py LEVELS… [--first 20] [--boxes 4] [--plain] [--timeout 60]

With `--plain`, a search by the plain rules alone computes each number again, and the exit code is 1 if one
differs. Times are seconds of wall clock in one process; loading of compiled code is not included.
"""

import argparse
import sys
import time
from array import array
from collections import deque
from collections.abc import Hashable
from functools import cache
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.mc.graph.analysis import Analysis, analyse
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.mc.temporal.check import Answer, query
from puzzlemc.mc.temporal.parser import parse
from puzzlemc.screens.sokoban import Cell, Level, State

ALWAYS_SOLVABLE = parse("AG EF solved")


class Facts(NamedTuple):
    """The numbers that both methods compute.

    solutions  by metric, the least cost and the number of solutions with it; None if there is none
    way        the fewest steps to a dead state; None if there is none
    """

    states: int
    dead: int
    stuck: int
    losing: int
    depths: dict[str, tuple[int, ...]]
    solutions: dict[str, tuple[int, int] | None]
    way: int | None


def facts_of(analysis: Analysis, answer: Answer) -> Facts:
    """The facts of the analysis and of the answer to `AG EF solved`."""
    assert analysis.dead is not None
    assert analysis.stuck is not None
    some = next(iter(analysis.metrics.values()))
    assert some.losing is not None
    solutions = {metric: found.solutions for metric, found in analysis.metrics.items()}
    return Facts(
        analysis.states,
        analysis.dead,
        analysis.stuck,
        sum(some.losing.by_depth),
        {metric: found.states for metric, found in analysis.metrics.items()},
        {metric: (found.cost, found.count) if found else None for metric, found in solutions.items()},
        None if answer.evidence is None else len(answer.evidence.trace.actions),
    )


class Plain:
    """All positions of a level by the plain rules, numbered as they are met, and all steps, in that order."""

    def __init__(self, rules: Puzzle, level: Any) -> None:
        names: dict[str, int] = {}
        number = {_key(level, rules.rules.start(level)): 0}
        waiting = deque([rules.rules.start(level)])
        moves, first, after, name = array("i", [0]), array("q", [0]), array("i"), array("i")
        costs = {metric: array("i") for metric in rules.metrics}
        goals = array("b")
        while waiting:
            position = waiting.popleft()
            goals.append(rules.rules.solved(level, position))
            for step in rules.rules.steps(level, position):
                key = _key(level, step.position)
                if key not in number:
                    number[key] = len(number)
                    moves.append(moves[len(first) - 1] + 1)
                    waiting.append(step.position)
                after.append(number[key])
                name.append(names.setdefault(step.name, len(names)))
                for metric in rules.metrics:
                    costs[metric].append(step.costs[metric])
            first.append(len(after))
        self.moves, self.first, self.after, self.name = map(np.asarray, (moves, first, after, name))
        self.source = np.repeat(np.arange(len(moves)), np.diff(self.first))
        self.costs = {metric: np.asarray(cost) for metric, cost in costs.items()}
        self.goals = np.asarray(goals).astype(bool)
        self.alive = self.goals.copy()
        while (new := self.source[self.alive[self.after] & ~self.alive[self.source]]).size:
            self.alive[new] = True

    def depths(self, metric: str) -> npt.NDArray[np.int64]:
        """Least costs from the start (Bellman 1958)."""
        depth = np.full(len(self.moves), 1 << 40)
        depth[0] = 0
        changed = depth == 0
        while changed.any():
            steps = np.flatnonzero(changed[self.source])
            before = depth.copy()
            np.minimum.at(depth, self.after[steps], depth[self.source[steps]] + self.costs[metric][steps])
            changed = depth < before
        return depth

    def solutions(self, metric: str, depth: npt.NDArray[np.int64]) -> tuple[int, int] | None:
        """The least cost and the number of solutions, layer by layer over the positions after steps that cost."""
        if not self.alive[0]:
            return None
        best = int(depth[self.goals].min())
        cost = self.costs[metric]

        def region(entry: int) -> set[int]:
            found, waiting = {entry}, [entry]
            while waiting:
                s = waiting.pop()
                for e in range(self.first[s], self.first[s + 1]):
                    t = int(self.after[e])
                    if not cost[e] and self.alive[t] and t not in found:
                        found.add(t)
                        waiting.append(t)
            return found

        layers: dict[int, dict[int, int]] = {0: {0: 1}}
        for here in range(best):
            for entry, count in layers.pop(here, {}).items():
                paid = {
                    (int(self.name[e]), int(self.after[e]), int(cost[e]))
                    for s in region(entry)
                    for e in range(self.first[s], self.first[s + 1])
                    if cost[e] and self.alive[self.after[e]]
                }
                for _, after, price in paid:
                    if depth[after] == here + price <= best:
                        layer = layers.setdefault(here + price, {})
                        layer[after] = layer.get(after, 0) + count
        ends = layers.get(best, {}).items()
        return best, sum(count for entry, count in ends if any(self.goals[s] for s in region(entry)))


def _key(level: Any, position: Any) -> Hashable:
    """A key that identifies a position; for Sokoban, one that needs less memory."""
    if isinstance(position, State):
        place = _places(level)
        return array("H", [place[position.player], *sorted(place[box] for box in position.boxes)]).tobytes()
    return cast(Hashable, position)


@cache
def _places(level: Level) -> dict[Cell, int]:
    return {cell: number for number, cell in enumerate(level.floor)}


def by_plain_rules(rules: Puzzle, level: Any) -> Facts:
    """The facts by the plain rules, position by position."""
    plain = Plain(rules, level)
    depths = {metric: plain.depths(metric) for metric in rules.metrics}
    dead = ~plain.alive
    return Facts(
        len(plain.moves),
        int(dead.sum()),
        int((np.diff(plain.first) == 0).sum()),
        int((plain.alive[plain.source] & dead[plain.after]).sum()),
        {metric: tuple(np.bincount(depth).tolist()) for metric, depth in depths.items()},
        {metric: plain.solutions(metric, depth) for metric, depth in depths.items()},
        int(plain.moves[dead].min()) if dead.any() else None,
    )


def row(entry: Entry, facts: Facts, seconds: tuple[float, float], same: str) -> str:
    """A line of the table."""
    solutions = " | ".join(f"{s[0]} × {s[1]:,}" if s else "none" for s in facts.solutions.values())
    holds = "holds" if facts.way is None else f"no: {facts.way} move{'s' * (facts.way != 1)}"
    name = entry.id.rpartition("/")[2]
    times = f"{seconds[0]:.2f} | {seconds[1]:.2f}"
    share = facts.dead / facts.states
    return f"| {name} | {facts.states:,} | {share:.1%} | {solutions} | {holds} | {times} | {same} |"


def main() -> None:
    """Print the table; the exit code is 1 if the plain rules disagree or a limit is reached."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", nargs="+")
    parser.add_argument("--first", type=int, default=None)
    parser.add_argument("--boxes", type=int, metavar="N", help="only Sokoban levels with at most N boxes")
    parser.add_argument("--plain", action="store_true", help="search by the plain rules, too")
    parser.add_argument("--timeout", type=float, default=60)
    parser.add_argument("--memory", type=float, default=4, help="GiB")
    options = parser.parse_args()
    entries = [entry for entry in load(options.levels) if entry.level is not None][: options.first]
    if options.boxes is not None:
        entries = [entry for entry in entries if len(entry.level.start.boxes) <= options.boxes]
    wrong: list[str] = []
    slowest = [(0.0, ""), (0.0, "")]
    for number, entry in enumerate([entries[0], *entries]):  # the first one twice, to load compiled code
        rules = entry.puzzle
        model = rules.encode_faithfully(entry.level).model
        started = time.perf_counter()
        analysis = analyse(model, rules.metrics, Budget(Limits(options.timeout, int(options.memory * GIB))))
        between = time.perf_counter()
        answer = query(model, ALWAYS_SOLVABLE, Budget(Limits(options.timeout, int(options.memory * GIB))))
        seconds = between - started, time.perf_counter() - between
        if number == 0:
            costs = " | ".join(f"shortest by {metric}" for metric in rules.metrics)
            print(f"| level | states | dead | {costs} | AG EF solved | analysis, s | query, s | plain rules |")
            print(f"|---|---|---|{'---|' * len(rules.metrics)}---|---|---|---|")
            continue
        if not analysis.is_complete or answer.holds is None:
            wrong.append(entry.id)
            print(f"| {entry.id} | {analysis.reason or answer.reason} |")
            continue
        slowest = [max(old, (new, entry.id)) for old, new in zip(slowest, seconds, strict=True)]
        facts = facts_of(analysis, answer)
        del analysis
        same = "–"
        if options.plain:
            same = "equal" if by_plain_rules(rules, entry.level) == facts else "DIFFERENT"
        if same == "DIFFERENT" or answer.holds != (facts.dead == 0):
            wrong.append(entry.id)
        print(row(entry, facts, seconds, same), flush=True)
    for what, (most, name) in zip(("analysis", "query"), slowest, strict=True):
        print(f"slowest {what}: {most:.2f} s, {name}")
    print(f"{len(entries)} levels; wrong or unknown: {', '.join(wrong) or 'none'}")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
