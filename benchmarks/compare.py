"""Compare two files of results from `benchmarks/run.py`, level by level.

    python benchmarks/compare.py old.json new.json

Runs are matched by set, as it was named on the command line, metric and configuration; levels by their ids. Ratios
are new processor time by old, so more than 1 is slower, over the levels that both have settled. The exit code is 1
where an answer has changed, 2 where there is nothing to compare.
"""

import argparse
import json
import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

SETTLED = ("solvable", "unsolvable")
SHORTEST = 1e-4  # seconds; what took less counts as this, so that there is always a ratio

Level = dict[str, Any]  # as `run.py` writes it
Run = dict[str, Any]
Key = tuple[str, str, str]


@dataclass(frozen=True)
class Pair:
    """A level in both files."""

    run: Key
    old: Level
    new: Level

    @property
    def name(self) -> str:
        """Level, metric and configuration."""
        return f"{self.new['id']} {' '.join(self.run[1:])}"

    @property
    def settled(self) -> bool:
        """Did both find the same answer?"""
        return self.old["verdict"] == self.new["verdict"] and self.new["verdict"] in SETTLED

    @property
    def ratio(self) -> float:
        """How many times as long the new one took."""
        return max(float(self.new["seconds"]), SHORTEST) / max(float(self.old["seconds"]), SHORTEST)

    @property
    def error(self) -> str | None:
        """In words, how the answers contradict each other."""
        verdicts = [self.old["verdict"], self.new["verdict"]]
        if sorted(verdicts) == sorted(SETTLED):
            return " -> ".join(verdicts)
        if self.settled and self.old["optimal"] and self.new["optimal"] and self.old["cost"] != self.new["cost"]:
            return f"optimal cost {self.old['cost']} -> {self.new['cost']}"
        return None

    @property
    def change(self) -> str | None:
        """In words, how one file has an answer that the other has not."""
        if self.old["verdict"] == self.new["verdict"] or self.error:
            return None
        return f"{_verdict(self.old)} -> {_verdict(self.new)}"


def _verdict(level: Level) -> str:
    return str(level["verdict"]) + (f" ({level['reason']})" if level["reason"] else "")


def runs(document: dict[str, Any]) -> dict[Key, Run]:
    """The runs of a file by set, metric and configuration."""
    return {(run["set"], run["metric"], run["configuration"]): run for run in document["runs"]}


def pairs(key: Key, old: Run, new: Run) -> list[Pair]:
    """The levels that two runs have in common, with their results in both."""
    before = {level["id"]: level for level in old["levels"]}
    return [Pair(key, before[level["id"]], level) for level in new["levels"] if level["id"] in before]


def summary(by_run: dict[Key, list[Pair]], old: dict[Key, Run], new: dict[Key, Run]) -> Table:
    """The table with a row for each run. Its last columns are the means over all levels, as in `run.py`."""
    table = Table(box=None, header_style="")
    for head in ("set", "metric", "configuration"):
        table.add_column(head)
    for head in (
        "levels",
        "settled",
        "gained",
        "lost",
        "old s",
        "new s",
        "ratio",
        "geometric",
        "old ms",
        "new ms",
    ):
        table.add_column(head, justify="right")
    for key, found in by_run.items():
        settled = [pair for pair in found if pair.settled]
        seconds = [sum(level["seconds"] for level in side) for side in _sides(settled)]
        logarithms = [math.log(pair.ratio) for pair in settled]
        means = [1000 * run["seconds"] / max(1, len(run["levels"])) for run in (old[key], new[key])]
        table.add_row(
            *key,
            str(len(found)),
            str(len(settled)),
            str(sum(pair.new["verdict"] in SETTLED and pair.old["verdict"] not in SETTLED for pair in found)),
            str(sum(pair.old["verdict"] in SETTLED and pair.new["verdict"] not in SETTLED for pair in found)),
            *(f"{each:.2f}" for each in seconds),
            f"{max(seconds[1], SHORTEST) / max(seconds[0], SHORTEST):.2f}" if settled else "-",
            f"{math.exp(sum(logarithms) / len(logarithms)):.2f}" if settled else "-",
            *(f"{each:.2f}" for each in means),
        )
    return table


def _sides(found: list[Pair]) -> tuple[list[Level], list[Level]]:
    return [pair.old for pair in found], [pair.new for pair in found]


def main() -> int:
    """Compare, print, and return the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--most", type=int, default=10, help="the number of slow-downs and speed-ups to list")
    parser.add_argument(
        "--least", type=float, default=5, metavar="MS", help="list levels of MS or more in either file"
    )
    arguments = parser.parse_args()
    before, after = (json.loads(path.read_text(encoding="utf-8")) for path in (arguments.old, arguments.new))
    old, new = runs(before), runs(after)

    for title in ("date", "revision", "python", "cpu", "settings"):
        values = [str(document.get(title)) for document in (before, after)]
        print(f"{title:9} {values[0]}" if values[0] == values[1] else f"{title:9} {values[0]} -> {values[1]}")
    packages = [document.get("packages", {}) for document in (before, after)]
    for package in sorted(packages[0].keys() | packages[1].keys()):
        versions = [str(each.get(package)) for each in packages]
        if versions[0] != versions[1]:
            print(f"{package:9} {versions[0]} -> {versions[1]}")
    for key in sorted(old.keys() ^ new.keys()):
        print(f"only in the {'old' if key in old else 'new'} file: {' '.join(key)}")
    by_run = {key: pairs(key, old[key], new[key]) for key in old if key in new}
    everything = [pair for found in by_run.values() for pair in found]
    if not everything:
        print("no level of the same set, metric and configuration in both files", file=sys.stderr)
        return 2
    for key, found in by_run.items():
        alone = [len(run[key]["levels"]) - len(found) for run in (old, new)]
        if any(alone):
            print(f"{' '.join(key)}: {alone[0]} levels only in the old file, {alone[1]} only in the new one")

    # Wider than any table, so that nothing is cut if the output is not a terminal.
    console = Console(width=1000, highlight=False, markup=False, emoji=False)
    console.print()
    console.print(summary(by_run, old, new))
    settled = sorted((pair for pair in everything if pair.settled), key=lambda pair: pair.ratio)
    slow = [pair for pair in settled if 1000 * max(pair.old["seconds"], pair.new["seconds"]) >= arguments.least]
    for title, chosen in (
        ("slow-downs", [pair for pair in reversed(slow) if pair.ratio > 1]),
        ("speed-ups", [pair for pair in slow if pair.ratio < 1]),
    ):
        if chosen:
            print(f"\nlargest {title}")
        for pair in chosen[: arguments.most]:
            times = f"{pair.old['seconds']:.4f} -> {pair.new['seconds']:.4f} s"
            print(f"{pair.ratio:8.2f}  {times:>22}  {pair.name}")
    changes = [pair for pair in everything if pair.change]
    errors = [pair for pair in everything if pair.error]
    print(f"\n{len(everything)} levels in both, {len(changes)} changes, {len(errors)} errors")
    for pair in changes:
        print(f"CHANGE {pair.name}: {pair.change}")
    for pair in errors:
        print(f"ERROR {pair.name}: {pair.error}")
    return int(bool(errors))


if __name__ == "__main__":
    sys.exit(main())
