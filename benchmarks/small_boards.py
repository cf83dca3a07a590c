"""Small Fabrik boards solved outright: who wins, how soon; strategies checked by the plain rules.

Run it as    .venv/bin/python benchmarks/small_boards.py [--check NODES] 3,3 4,3
"""

import argparse
import time

from puzzlemc.encodings.fabrik.rules import GAME
from puzzlemc.encodings.fabrik.small import Solution, warm_up
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.graph.strategies import strategies_for
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.strategy import SIDE_NAMES, prove
from puzzlemc.screens.fabrik import EMPTY, Level


def row_of(size: int, length: int, most_nodes: int) -> str:
    """Solve one board; strategies of more than so many nodes are not checked."""
    level = Level("", "", size, length, EMPTY)
    begin = time.perf_counter()
    solution = Solution(level, Watch())
    seconds = time.perf_counter() - begin
    winner, turns = solution.value(EMPTY)
    assert winner is not None
    begin = time.perf_counter()
    try:
        strategies = strategies_for(GAME, level, solution.value, most_nodes=most_nodes)
        proved = prove(GAME, level, strategies)
        assert (proved.winner, proved.turns, proved.exact) == (winner, turns, True)
        nodes = " + ".join(f"{len(strategy.nodes):,}" for strategy in strategies)
        checked = f"{nodes} nodes checked in {time.perf_counter() - begin:.1f} s"
    except LimitReached:
        checked = "not checked"
    name = f"{SIDE_NAMES[winner]} in {turns}"
    return f"| {size} | {length} | {name} | {solution.states:,} | {seconds:.1f} | {checked} |"


def main() -> None:
    """Print a table, a row a board."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("boards", nargs="*", default=["2,2", "3,2", "3,3", "4,2"], help="ROWS,LENGTH of a row")
    parser.add_argument("--check", type=int, default=20_000, help="the most nodes of a strategy that is checked")
    told = parser.parse_args()
    warm_up()
    print("| rows | in a row | who wins | positions | seconds | strategies |\n|---|---|---|---|---|---|")
    for board in told.boards:
        size, length = map(int, board.split(","))
        print(row_of(size, length, told.check), flush=True)


if __name__ == "__main__":
    main()
