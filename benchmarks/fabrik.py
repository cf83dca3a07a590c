"""Times Fabrik: listing all turns in the middle of games, and proving forced wins.

    python benchmarks/fabrik.py turns --games 20
    python benchmarks/fabrik.py forced screens/levels/fabrik/forced.fabrik

Seconds are processor time of this process. Each strategy is checked by the plain rules; that time is reported
separately. The middle of a game is the second third of its positions.
"""

import argparse
import statistics
import time
from dataclasses import replace
from pathlib import Path

from puzzlemc.encodings.fabrik import bots, fast, rules
from puzzlemc.encodings.fabrik.decide import decide
from puzzlemc.mc.games.match import match
from puzzlemc.mc.games.strategy import check
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.screens.fabrik import BLACK, EMPTY, WHITE, Level, parse

SIDES = (BLACK, WHITE)


def turns(level: Level, games: int, seed: int) -> None:
    """Time the listing of all turns of a position into an array."""
    times, numbers = [], []
    for number in range(games):
        game = match(rules.GAME, level, ("greedy", "greedy"), bots.BOTS, seed + number)
        positions = rules.record(replace(level, moves=game.moves))[3:-1]
        for position in positions[len(positions) // 3 : -len(positions) // 3]:
            started = time.process_time()
            numbers.append(len(fast.turns(level, position)))
            times.append(time.process_time() - started)
    print(f"{len(times)} positions, {statistics.mean(numbers):.0f} turns each (most {max(numbers)})")
    print(f"all turns: mean {1000 * statistics.mean(times):.3f} ms, worst {1000 * max(times):.3f} ms")


def forced(path: Path, seconds: float) -> None:
    """Time the proof and its check for each level of a file."""
    for level in parse(path.read_text(encoding="utf-8"), str(path)):
        started = time.process_time()
        outcome = decide(level, 8, Budget(Limits(seconds)))
        solved = time.process_time()
        if outcome.winner is not None and outcome.strategy is not None:
            check(rules.GAME, level, outcome.strategy)
            checked = time.process_time() - solved
            nodes = len(outcome.strategy.nodes)
            answer = (
                f"{SIDES[outcome.winner]} wins within {outcome.turns}; {nodes} nodes replayed in {checked:.2f} s"
            )
        else:
            answer = f"no win within {outcome.refuted} ({outcome.reason})"
        print(f"{level.title:40} {solved - started:8.3f} s  {answer}", flush=True)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["turns", "forced"])
    parser.add_argument("level", nargs="?", type=Path)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--size", type=int, default=11)
    parser.add_argument("--row", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=60)
    options = parser.parse_args()
    board = Level("", "", options.size, options.row, EMPTY)
    if options.what == "turns":
        turns(board, options.games, options.seed)
    elif options.level is None:
        parser.error("expected a file of levels")
    else:
        forced(options.level, options.timeout)


if __name__ == "__main__":
    main()
