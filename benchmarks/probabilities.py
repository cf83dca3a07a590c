"""Compares probabilities of levels with chance with the original engine, and with an exact solution written apart.

    python benchmarks/probabilities.py ../shared/puzzlescript [--part 2] [--most 60] [--leaves 2000]

The folder has the engine, and `random_chance.jsonl` with random games. Of each game whose level has few positions,
the engine walks all sequences of draws, one at a time (`probabilities.js`, under node). Compared are

- what follows each position and input, with its probability, and what follows the start;
- the best probability of winning. Here it comes from the numbers of the engine, by the improvement of strategies
  and linear equations in fractions;
- that a strategy wins with probability 1 exactly if this is the best probability, that some draws win exactly if
  it is positive, and that what is won whatever is drawn is won with probability 1.

The output is a line for each difference, and counts. Exit code 1: there is one.
"""

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

from puzzlemc.encodings.puzzlescript.domain.chances import (
    AGAIN,
    PROCESS,
    RESTART,
    SECOND_START,
    START,
    Node,
    Pending,
)
from puzzlemc.encodings.puzzlescript.domain.position import Position, moves
from puzzlemc.encodings.puzzlescript.drawn import REACHABLE, SEARCH, WEIGHTED
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.games.almost import almost
from puzzlemc.mc.games.lucky import lucky
from puzzlemc.mc.games.probability import confirm, probability
from puzzlemc.mc.games.surely import surely
from puzzlemc.mc.limits import Budget
from puzzlemc.screens.puzzlescript import Level, parse

DRIVER = Path(__file__).with_name("probabilities.js")
WON = "won"

# Of each node, for each of its moves: the nodes that may follow, with their probabilities.
Table: TypeAlias = Sequence[Sequence[Mapping[int | str, Fraction]]]


class Engine:
    """The engine in a process of its own, with limits of nodes and of sequences of draws."""

    def __init__(self, folder: Path, most: int, leaves: int) -> None:
        command = ["node", DRIVER, folder]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._limits = {"most": most, "leaves": leaves}

    def ask(self, game: str) -> dict[str, Any]:
        """What the engine says of the first level of a game."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"game": game, **self._limits}) + "\n")
        self._process.stdin.flush()
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        return found

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def nodes(found: Mapping[str, Any]) -> list[Node]:
    """The nodes of an answer."""
    kinds = [frozenset(kind.split()) for kind in found["kinds"]]
    boards = [(tuple(kinds[each] for each in cells), goes_on) for cells, goes_on in found["nodes"][1:]]
    return [
        START,
        *(Pending(AGAIN, cells) if goes_on else Position(cells, won=False) for cells, goes_on in boards),
    ]


def table(found: Mapping[str, Any]) -> Table:
    """What follows each node of an answer."""
    return [[{end: Fraction(share) for end, share in ends} for ends in ways] for ways in found["after"]]


def followed(level: Level, node: Node, name: str) -> dict[Node | str, Fraction]:
    """What follows by the plain rules. As in a step of the engine, a restart takes its first round at once."""
    found: dict[Node | str, Fraction] = {}
    for end, weight in PROCESS.after(level, node, name).items():
        ends = PROCESS.after(level, end, "") if end in (SECOND_START, RESTART) else {end: 1}
        for each, part in ends.items():
            key = WON if isinstance(each, Position) and each.won else each
            found[key] = found.get(key, Fraction(0)) + weight * part
    return found


def differences(level: Level, found: Mapping[str, Any], counts: Counter[str]) -> Iterator[str]:
    """Yield where what follows a node is another thing by the plain rules."""
    known = nodes(found)
    for node, ways in zip(known, table(found), strict=True):
        names = moves(level.game) if isinstance(node, Position) else ("",)
        for name, ends in zip(names, ways, strict=True):
            wanted = {WON if end == WON else known[int(end)]: share for end, share in ends.items()}
            counts["steps compared"] += 1
            counts["steps with draws"] += len(wanted) > 1
            if followed(level, node, name) != wanted:
                yield f"{name or node} from {node}: found {followed(level, node, name)}, expected {wanted}"


def best(after: Table) -> Fraction:
    """The best probability of winning from node 0: strategies are improved until none is better."""
    strategy = _to_a_win(after)
    while True:
        values = _values(after, strategy)
        better = {
            node: number
            for node, ways in enumerate(after)
            for number, ends in enumerate(ways)
            if _expected(ends, values) > values.get(node, 0)
        }
        if not better:
            return values.get(0, Fraction(0))
        strategy |= better


def _to_a_win(after: Table) -> dict[int, int]:
    """For each node that can win, a way that may lead nearer to a win."""
    strategy: dict[int, int] = {}
    while True:
        new = {
            node: number
            for node, ways in enumerate(after)
            if node not in strategy
            for number, ends in enumerate(ways)
            if WON in ends or not strategy.keys().isdisjoint(ends)
        }
        if not new:
            return strategy
        strategy |= new


def _values(after: Table, strategy: Mapping[int, int]) -> dict[int, Fraction]:
    """The probabilities with which a strategy wins, of nodes where it can: linear equations, by elimination."""
    chain = {node: after[node][number] for node, number in strategy.items()}
    able = {node for node, ends in chain.items() if WON in ends}
    while new := {node for node, ends in chain.items() if node not in able and not able.isdisjoint(ends)}:
        able |= new
    rows = {node: {end: share for end, share in chain[node].items() if end in able or end == WON} for node in able}
    order = list(rows)
    for node in order:  # its value in terms of those of later nodes
        row = rows[node]
        stays = 1 - row.pop(node, Fraction(0))
        rows[node] = row = {end: share / stays for end, share in row.items()}
        for other in order[order.index(node) + 1 :]:
            if (factor := rows[other].pop(node, None)) is not None:
                for end, share in row.items():
                    rows[other][end] = rows[other].get(end, Fraction(0)) + factor * share
    values: dict[int, Fraction] = {}
    for node in reversed(order):
        values[node] = _expected(rows[node], values)
    return values


def _expected(ends: Mapping[int | str, Fraction], values: Mapping[int, Fraction]) -> Fraction:
    return sum(
        (share * (1 if end == WON else values.get(int(end), 0)) for end, share in ends.items()), Fraction(0)
    )


def contradictions(level: Level, wanted: Fraction) -> Iterator[str]:
    """Yield what is wrong with the answers about a level."""
    found = probability(WEIGHTED, level, Budget())
    if found.reason is not None or not found.low == found.high == wanted:
        yield f"probability from {found.low} to {found.high} ({found.reason}), expected {wanted}"
    elif wanted:
        confirm(PROCESS, level, found, Budget())
    if bool(almost(REACHABLE, level, Budget()).strategy) != (wanted == 1):
        yield f"almost contradicts probability {wanted}"
    if (lucky(SEARCH, level, Budget()).moves is not None) != (wanted > 0):
        yield f"lucky contradicts probability {wanted}"
    if surely(SEARCH, level, Budget()).moves is not None and wanted != 1:
        yield f"surely contradicts probability {wanted}"


def compare(engine: Engine, lines: Sequence[str], counts: Counter[str]) -> Iterator[str]:
    """Compare the games of lines of JSON. Yields the differences."""
    for line in lines:
        game = json.loads(line)
        (level,) = parse(game["game"], game["name"])
        if not isinstance(level, Level) or not level.game.has_chance:
            counts["games without chance or refused"] += 1
            continue
        found = engine.ask(game["game"])
        if "why" in found:
            counts[f"games left out: {found['why']}"] += 1
            continue
        try:
            wrong = [*differences(level, found, counts)]
            wanted = best(table(found))
            wrong += contradictions(level, wanted)
        except LimitReached as limit:
            counts[f"games left out: {limit}"] += 1
            continue
        counts["games compared"] += 1
        counts[f"probability {'1' if wanted == 1 else '0' if wanted == 0 else 'between'}"] += 1
        yield from (f"{game['name']}: {each}" for each in wrong)


def main() -> None:
    """Compare the games of a folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--part", type=int, default=1, help="one game in N")
    parser.add_argument("--most", type=int, default=60, help="positions of a level")
    parser.add_argument("--leaves", type=int, default=2000, help="sequences of draws of a step")
    chosen = parser.parse_args()
    counts: Counter[str] = Counter()
    started, differ = time.process_time(), 0
    lines = (chosen.folder / "random_chance.jsonl").read_text().splitlines()[:: chosen.part]
    engine = Engine(chosen.folder / "engine", chosen.most, chosen.leaves)
    for difference in compare(engine, lines, counts):
        print(difference, flush=True)
        differ += 1
    engine.close()
    print(", ".join(f"{count} {words}" for words, count in counts.items()))
    print(f"{differ} differences, in {time.process_time() - started:.1f} s of processor time")
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
