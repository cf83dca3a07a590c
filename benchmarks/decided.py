"""Counts the levels of PuzzleScript games that are decided, with more and more of what makes the search short.

    python benchmarks/decided.py FILE... [--seconds 10] [--memory 4] [--sample 100] [--seed 1] [--with plans]

A FILE is a game, or recorded plays as `benchmarks/plays.py` reads them. `--sample` draws that many levels of all.
The limits are processor time with compiling, and GiB of arrays. `--with` names the last reduction; repeat it to
compare several:

none       every object is part of the state
constants  objects that never change leave the state
idle       moves that do nothing are not tried (`action`, mostly)
cone       objects that do not matter for winning leave the state
bounds     positions that break a bound are left out
all        positions that are lost by frozen objects are left out
plans      a width search for some solution keeps pace

The output is a line for each level, and for each `--with` the levels decided, with states and seconds of those
that all of them decide. Exit code 1: two contradict each other.
"""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzlescript.domain.turn import Unsettled
from puzzlemc.encodings.puzzlescript.planes import compilation, encoding
from puzzlemc.encodings.puzzlescript.planes.encoding import planes, relevant_planes
from puzzlemc.encodings.puzzlescript.pruned import pruned_planes
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.packed.layout import Layout
from puzzlemc.mc.search.state_table import ENDED, FOUND, PAUSED
from puzzlemc.mc.steps.frontier import Frontier, advance
from puzzlemc.mc.steps.plans import PlanSearch
from puzzlemc.mc.steps.search import CAPACITY
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.screens.puzzlescript import Game, Level, parse

CHUNK = 200  # states between two looks at the clock


def bounded_planes(level: Level) -> Encoded:
    """`pruned_planes` without frozen objects."""
    encoded = pruned_planes(level)
    assert isinstance(encoded.model, StepSystem)
    return replace(encoded, model=replace(encoded.model, frozen=None))


ENCODINGS: Mapping[str, Callable[[Level], Encoded]] = {
    "none": planes,
    "constants": planes,
    "idle": planes,
    "cone": relevant_planes,
    "bounds": bounded_planes,
    "all": pruned_planes,
    "plans": pruned_planes,
}


class Answer(NamedTuple):
    """What a search says of a level: `verdict` is `unknown` at a limit.

    cost  the least number of turns, or `at most` a number; None without a solution
    """

    verdict: str
    cost: int | str | None
    states: int
    seconds: float


def _all_objects(game: Game, rules: object, possible: frozenset[object]) -> frozenset[str]:
    """All objects but players that are nowhere, as if each could change."""
    return frozenset(game.objects) - (game.players - possible)


@contextmanager
def reduced(last: str) -> Iterator[None]:
    """Switch off the reductions after one."""
    number = list(ENCODINGS).index(last)
    encoding.board.cache_clear()
    encoding.relevant_board.cache_clear()
    with (
        patch.object(compilation, "changing", _all_objects)
        if number < 1
        else patch.object(compilation, "changing", compilation.changing),
        patch.object(compilation.Compilation, "is_idle", lambda self, movement: False)
        if number < 2
        else patch.object(compilation.Compilation, "is_idle", compilation.Compilation.is_idle),
    ):
        yield


def answer(level: Level, last: str, seconds: float, memory: int) -> Answer:
    """Search a level with the reductions up to one."""
    started = time.process_time()
    with reduced(last):
        try:
            model = ENCODINGS[last](level).model
        except Unsettled:
            return Answer("unknown", None, 0, time.process_time() - started)
    assert isinstance(model, StepSystem)
    layout = Layout(model)
    start = layout.pack(initial_state(model))
    space = Frontier(start, CAPACITY, model.bounds, model.frozen)
    plans = PlanSearch(model, layout, start, Budget(Limits(memory=memory)))
    status = PAUSED
    while status not in (ENDED, FOUND) and time.process_time() - started < seconds:
        try:
            status = advance(space, model.steps, memory, CHUNK)
            plan = plans.follow(space.expanded) if last == "plans" else None
        except LimitReached:
            break
        if plan is not None:
            used = time.process_time() - started
            return Answer("solvable", f"at most {plan.cost}", space.used, used)
    used = time.process_time() - started
    if status == FOUND and (space.unsettled < 0 or space.depth < space.unsettled):
        return Answer("solvable", space.depth + 1, space.used, used)
    if status == ENDED and space.unsettled < 0:
        return Answer("unsolvable", None, space.used, used)
    return Answer("unknown", None, space.used, used)


def levels_of(path: Path) -> Iterator[tuple[str, Level]]:
    """Yield the levels of a file that are not refused, with their names."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".jsonl":
        plays = [json.loads(line) for line in text.splitlines() if line.strip()]
        games = {play["game"]: play["name"] for play in plays}
    else:
        games = {text: path.name}
    for game, name in games.items():
        for level in parse(game, name):
            if isinstance(level, Level):
                yield f"{name}#{level.number}", level


def main() -> None:
    """Count the levels."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--memory", type=float, default=4)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--with", dest="last", action="append", choices=list(ENCODINGS))
    chosen = parser.parse_args()
    names = chosen.last or ["plans"]
    levels = [each for path in chosen.files for each in levels_of(path)]
    if chosen.sample is not None and chosen.sample < len(levels):
        levels = random.Random(chosen.seed).sample(levels, chosen.sample)
    found: dict[str, list[Answer]] = {name: [] for name in names}
    contradictions = 0
    for title, level in levels:
        for name in names:
            found[name].append(answer(level, name, chosen.seconds, int(chosen.memory * 2**30)))
        here = [found[name][-1] for name in names]
        known = {each.verdict for each in here if each.verdict != "unknown"}
        costs = {each.cost for each in here if isinstance(each.cost, int)}
        differ = len(known) > 1 or len(costs) > 1
        contradictions += differ
        shown = "; ".join(
            f"{each.verdict} {each.cost or ''} {each.states:,} {each.seconds:.2f} s" for each in here
        )
        print(f"{title}: {shown}{' DIFFERENT' * differ}", flush=True)
    common = [n for n in range(len(levels)) if all(found[name][n].verdict != "unknown" for name in names)]
    for name in names:
        decided = [each for each in found[name] if each.verdict != "unknown"]
        unsolvable = sum(each.verdict == "unsolvable" for each in decided)
        states = sum(found[name][n].states for n in common)
        seconds = sum(found[name][n].seconds for n in common)
        print(
            f"{name}: {len(decided)} of {len(levels)} levels decided, {unsolvable} of them unsolvable; "
            f"{states:,} states and {seconds:.1f} s for the {len(common)} decided by all"
        )
    sys.exit(contradictions > 0)


if __name__ == "__main__":
    main()
