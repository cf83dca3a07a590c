"""Checks that the plain rules, encodings, engines and diagram packages agree, on given and on random levels.

    python benchmarks/agreement.py LEVELS… [--first 12] [--random 500] [--puzzle sokoban] [--timeout 120]

For each level, all engines with all diagram packages on all encodings must give the same verdict and cost. For
folding levels, an exact cover computation without engines must give it, too. In every reachable state, the
faithful encodings must have the same successors as the plain rules. If a level has more than `--states` states, an
even sample of at most that number is compared. The exit code is 1 on any disagreement.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from puzzlemc.encodings.folding import count as folding_count
from puzzlemc.encodings.folding import generate as folding_generate
from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzles import load, puzzle
from puzzlemc.mc.engines.registry import variants
from puzzlemc.mc.engines.uniform_cost import History
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.packed.actions import Steps, packed_initial_states
from puzzlemc.mc.packed.layout import Layout, PackedStates
from puzzlemc.mc.verdict import Reachable, Unreachable
from puzzlemc.screens import folding
from puzzlemc.screens.sokoban import Level, parse


def random_sokoban(choice: random.Random) -> Level:
    """A random tiny level with up to three boxes."""
    while True:
        height, width = choice.randint(1, 4), choice.randint(3, 5)
        boxes = choice.randint(1, 3)
        cells = [" "] * (height * width)
        places = choice.sample(range(len(cells)), min(len(cells), boxes + 1 + choice.randint(0, 4)))
        for place, content in zip(places, "@" + "$" * boxes + "#" * 4, strict=False):
            cells[place] = content
        for place in choice.sample(range(len(cells)), min(len(cells), choice.randint(1, boxes))):
            cells[place] = {"@": "+", "$": "*", " ": ".", "#": "#"}[cells[place]]
        rows = ["".join(cells[row * width : (row + 1) * width]) for row in range(height)]
        wall = "#" * (width + 2)
        (level,) = parse("\n".join([wall, *(f"#{row}#" for row in rows), wall]), "random")
        if isinstance(level, Level):
            return level


def random_folding(choice: random.Random) -> object:
    """A tiny board with up to three colours."""
    height, width = choice.randint(1, 4), choice.randint(2, 4)
    colours = choice.randint(1, min(3, height * width))
    loose = choice.choice([0.0, 0.0, 0.3, 1.0])
    return folding_generate.random_level(height, width, colours, choice.randrange(2**32), loose=loose)


def least_folds(level: folding.Level, metric: str) -> str:
    """The least number of folds, by exact covers of the board; `unsolvable` if there are none."""
    folds = folding_count.solutions(level, Budget()).folds
    return "unsolvable" if folds is None else str(folds)


RANDOM: dict[str, Callable[[random.Random], object]] = {"sokoban": random_sokoban, "folding": random_folding}
ORACLES: dict[str, Callable[[Any, str], str]] = {"folding": least_folds}


def reachable(encoded: Encoded) -> tuple[Layout, Steps, list[PackedStates]]:
    """All reachable states of a model as packed states, by breadth-first layers."""
    layout = Layout(encoded.model)
    steps = Steps(layout, encoded.model, list(range(len(encoded.model.actions))))
    history = History(layout)
    start = packed_initial_states(layout, encoded.model.init)
    nowhere = np.full(len(start), -1, np.int64)
    frontier, _ = history.enter([(start, nowhere, nowhere)])
    found = [frontier]
    while len(frontier):
        frontier, _ = history.enter(list(steps.successors(frontier)) or [(start, nowhere, nowhere)])
        found.append(frontier)
    return layout, steps, found


def successors_agree(rules: Puzzle, level: object, encoded: Encoded, most: int) -> tuple[int, int, str]:
    """The number of states, the number compared, and the first disagreement in words (empty if there is none)."""
    layout, steps, found = reachable(encoded)
    rows = np.concatenate(found)
    chosen = rows if len(rows) <= most else rows[:: -(-len(rows) // most)]
    for first in range(0, len(chosen), 4096):
        part = chosen[first : first + 4096]
        after: list[list[tuple[str, object]]] = [[] for _ in part]
        for new, source, action in steps.successors(part):
            for row, origin, number in zip(new, source, action, strict=True):
                states = (layout.read(part[int(origin)]), layout.read(row))
                (name,) = encoded.moves(Trace(states, (encoded.model.actions[int(number)],)))
                after[int(origin)].append((name, encoded.decode(states[1])))
        for row, got in zip(part, after, strict=True):
            position = encoded.decode(layout.read(row))
            expected = {(step.name, step.position) for step in rules.rules.steps(level, position)}
            if set(got) != expected or len(got) != len(expected):
                return len(rows), len(chosen), f"{position}: {got} instead of {expected}"
    return len(rows), len(chosen), ""


def answers(rules: Puzzle, level: object, metric: str, timeout: float) -> Iterator[tuple[str, str]]:
    """Yield each combination of encoding and engine with its answer in words."""
    if rules.name in ORACLES:
        yield "oracle", ORACLES[rules.name](level, metric)
    for name, encode in rules.encodings.items():
        encoded = encode(level)
        for variant in variants(optimal=True):
            verdict = variant(encoded.model, metric, Budget(Limits(timeout)))
            answer = type(verdict).__name__
            if isinstance(verdict, Reachable):
                moves = encoded.moves(verdict.trace)
                if rules.replay(level, moves).costs[metric] != verdict.cost:
                    answer = "a trace with another cost than stated"
                else:
                    answer = str(verdict.cost)
            elif isinstance(verdict, Unreachable):
                answer = "unsolvable"
            yield f"{name} {variant}", answer


def main() -> int:
    """Compare, print the disagreements, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("levels", nargs="*")
    parser.add_argument("--first", type=int, default=12, help="how many of the levels")
    parser.add_argument("--random", type=int, default=500, help="how many random levels")
    parser.add_argument("--puzzle", choices=sorted(RANDOM), default="sokoban", help="of the random levels")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one combination")
    parser.add_argument("--states", type=int, default=500_000, help="states of a level that are compared")
    options = parser.parse_args()

    choice = random.Random(options.seed)
    named: list[tuple[str, Puzzle, object]] = [
        (entry.id, entry.puzzle, entry.level) for entry in load(options.levels)[: options.first]
    ]
    rules = puzzle(options.puzzle)
    named += [(f"random {n}", rules, RANDOM[options.puzzle](choice)) for n in range(1, options.random + 1)]
    disagreements = combinations = unknown = states = compared = 0
    for name, rules, level in named:
        started = time.process_time()
        answered = []
        for metric in rules.metrics:
            by_answer: dict[str, list[str]] = {}
            for combination, answer in answers(rules, level, metric, options.timeout):
                combinations += 1
                if answer == "Unknown":
                    unknown += 1
                    answered.append(f"unknown: {combination} {metric}")
                else:
                    by_answer.setdefault(answer, []).append(combination)
            answered.append(f"{metric} {'/'.join(by_answer)}")
            if len(by_answer) != 1:
                disagreements += 1
                print(f"DISAGREE {name} {metric}: {by_answer}")
        counts = set()
        for encoding in sorted({rules.vocabulary.encoding, "tiles"}):
            encoded = rules.encodings[encoding](level)
            total, looked, difference = successors_agree(rules, level, encoded, options.states)
            counts.add(total)
            states, compared = states + total, compared + looked
            if difference:
                disagreements += 1
                print(f"DISAGREE {name} {encoding}: {difference}")
        if len(counts) != 1:
            disagreements += 1
            print(f"DISAGREE {name}: numbers of reachable states {counts}")
        if not name.startswith("random"):
            seconds = time.process_time() - started
            print(f"{name}: {', '.join(answered)}; {max(counts)} states; {seconds:.0f} s", flush=True)
    print(
        f"{len(named)} levels, {combinations} answers ({unknown} unknown), "
        f"{compared} of {states} states compared with the plain rules, {disagreements} disagreements"
    )
    return int(disagreements > 0)


if __name__ == "__main__":
    sys.exit(main())
