"""Solves small Fabrik boards completely, writes and verifies certificates, and checks that mutants are refuted.

Run it as    .venv/bin/python benchmarks/small_boards.py [--folder DIR] [--nodes N] [--mutants N] 3,3 4,3

A certificate has the strategy of the winner and, if it has few enough nodes, the strategy by which the loser
survives until the winner's last turn. Symmetric positions count as one. A mutant has one number, move or node
changed. It must be refuted, or it must still prove that the same side wins, and not in fewer turns.
"""

import argparse
import contextlib
import random
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from puzzlemc.encodings.fabrik.decide import Forcing
from puzzlemc.encodings.fabrik.rules import SYMMETRIC
from puzzlemc.encodings.fabrik.small import SmallSearch, Solution
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.games.strategies import defence, strategy_for
from puzzlemc.mc.games.strategy import SIDE_NAMES, Node, Strategy, prove
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.certify.strategies import StrategyFile, write
from puzzlemc.reports.certify.verify import verify
from puzzlemc.screens.fabrik import EMPTY, Level, draw

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))


def row_of(size: int, length: int, most_nodes: int, mutants: int, folder: Path) -> str:
    """Solve one board and return its row; strategies with more than `most_nodes` nodes are left out."""
    level = Level("", "", size, length, EMPTY)
    begin = time.process_time()
    solution = Solution(level, Budget())
    winner, turns = solution.value(EMPTY)
    seconds = time.process_time() - begin
    assert winner is not None
    begin = time.process_time()
    with patch("puzzlemc.mc.games.strategies.MOST_NODES", most_nodes):
        strategies = [strategy_for(SYMMETRIC, level, solution.value, winner, turns, True)]
    own_turns = strategies[0].own_turns
    wins = Forcing(level, winner, SmallSearch(solution, winner), Budget()).wins
    with contextlib.suppress(LimitReached):
        strategies.append(defence(SYMMETRIC, level, 1 - winner, own_turns - 1, wins, most_nodes))
    made = time.process_time() - begin
    path = folder / f"{size}-{length}.strategies"
    write(
        StrategyFile(f"{size} rows, {length} in a row", "fabrik", draw(level), tuple(strategies), like=True), path
    )
    done = verify(path)
    assert done.status == "valid", done.reason
    assert done.certificate is not None
    assert done.certificate.verdict == ("solvable" if winner == 0 else "unsolvable")
    assert done.certificate.optimal == (winner == 0 and len(strategies) == 2)
    nodes = " + ".join(f"{len(strategy.nodes):,}" for strategy in strategies)
    name = f"{SIDE_NAMES[winner]} in {turns}"
    refuted = mutated(level, strategies, mutants, winner, own_turns)
    return (
        f"| {size} | {length} | {name} | {solution.states:,} | {seconds:.1f} | {nodes} | {made:.1f} "
        f"| {path.stat().st_size:,} | {done.seconds:.1f} | {refuted} of {mutants} |"
    )


def mutated(level: Level, strategies: list[Strategy], mutants: int, winner: int, own_turns: int) -> int:
    """Change strategies at random; return the number of refuted changes. Assert that no other proves too much."""
    chance, refuted = random.Random(1), 0
    for _ in range(mutants):
        at = chance.randrange(len(strategies))
        nodes = list(strategies[at].nodes)
        number = chance.randrange(len(nodes))
        nodes[number] = changed(nodes[number], len(nodes), chance)
        changed_ones = [*strategies[:at], replace(strategies[at], nodes=tuple(nodes)), *strategies[at + 1 :]]
        try:
            proved = prove(SYMMETRIC, level, changed_ones)
        except Refuted:
            refuted += 1
            continue
        assert proved.winner == winner, proved
        assert proved.own_bound <= own_turns <= (proved.own_turns or 0), proved
    return refuted


def changed(node: Node, nodes: int, chance: random.Random) -> Node:
    """The node with one change."""
    other = chance.randrange(nodes)
    if node.after and chance.random() < 0.5:
        place = chance.randrange(len(node.after))
        if node.after[place] != other:
            return replace(node, after=(*node.after[:place], other, *node.after[place + 1 :]))
    if node.move is not None and chance.random() < 0.5:
        return replace(node, move="A1" if node.move != "A1" else "B2")
    return replace(node, turns=(node.turns or 0) + chance.choice([-1, 1]))


def main() -> None:
    """Print a table with a row for each board."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boards", nargs="*", default=["2,2", "3,2", "3,3", "4,2"], help="ROWS,LENGTH of a row")
    parser.add_argument("--folder", type=Path, help="a folder for the certificates")
    parser.add_argument("--nodes", type=int, default=20_000, help="the most nodes of a strategy")
    parser.add_argument("--mutants", type=int, default=50, help="the number of changes to try")
    options = parser.parse_args()
    heads = ("rows", "in a row", "who wins", "sets of stones", "s", "nodes", "s", "bytes", "verified in")
    print("| " + " | ".join((*heads, "mutants refuted")) + " |")
    print("|---" * 10 + "|")
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        folder.mkdir(exist_ok=True)
        for board in options.boards:
            size, length = map(int, board.split(","))
            try:
                print(row_of(size, length, options.nodes, options.mutants, folder), flush=True)
            except LimitReached:
                print(f"| {size} | {length} | a strategy has more than {options.nodes} nodes |", flush=True)


if __name__ == "__main__":
    main()
