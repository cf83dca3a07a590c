"""Compares PuzzleScript games with the original engine: each turn from each position that it reaches.

    python benchmarks/reference.py ../shared/puzzlescript/engine --seeds 0 1000
    python benchmarks/reference.py ../shared/puzzlescript/engine GAME.txt… games.jsonl

plays the games of the files (a line of JSON has the text as `game`), and the random games of these seeds (see
`written_games.py`). The engine runs under node, by `reference.js`: as a player meets it on a page, where a message
stands until it is closed. For each level, the start and all turns from up to `--most` positions are compared with
the turns of each reading: of `planes` and `cells`; of `plain` from the first `--slow` positions only, and of
`circuit` likewise, on each `--circuits`-th game.

The output is each first difference of a level and a reading, and counts: levels that were compared, and those that
only one of both refuses, with the reasons if `--reasons` is given. Exit code 1: a turn differs.
"""

import argparse
import json
import subprocess
import sys
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from written_games import written

from puzzlemc.encodings.puzzlescript.cells import encoding as by_cells
from puzzlemc.encodings.puzzlescript.circuit import encoding as by_circuit
from puzzlemc.encodings.puzzlescript.domain.position import Cells, movement, moves
from puzzlemc.encodings.puzzlescript.domain.turn import Ending, Unsettled
from puzzlemc.encodings.puzzlescript.domain.turn import turn as plain
from puzzlemc.encodings.puzzlescript.planes.encoding import board
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.screens.puzzlescript import Level, parse

DRIVER = Path(__file__).with_name("reference.js")
READINGS = {
    "plain": plain,
    "planes": lambda level, cells, movement, *, begins: board(level).turn(cells, movement, begins=begins),
    "cells": by_cells.turn,
    "circuit": by_circuit.turn,
}


class Answer(NamedTuple):
    """What the engine says of a level.

    errors     how many, and what the compiler says
    start      "settled", "won" or "unsettled"
    positions  the cells of each; the start first
    targets    the cells that a restart goes back to from each position
    turns      of each expanded position, for each move: the number of a position, "won" or "unsettled"
    """

    errors: int
    said: Sequence[str]
    start: str
    positions: Sequence[Cells]
    targets: Sequence[Cells]
    turns: Sequence[Sequence[int | str]]


class Engine:
    """The engine in a process of its own."""

    def __init__(self, folder: Path, most: int) -> None:
        command = ["node", DRIVER, folder]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._most = most

    def ask(self, game: str, level: int) -> Answer | None:
        """The answer about a level, None if the engine raises an exception."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"game": game, "level": level, "most": self._most}) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        if "crash" in answer:
            return None
        kinds = [frozenset(kind.split()) for kind in answer["kinds"]]
        positions, targets = (
            [tuple(kinds[kind] for kind in board) for board in answer[name]] for name in ("positions", "targets")
        )
        return Answer(answer["errors"], answer["said"], answer["start"], positions, targets, answer["turns"])

    def close(self) -> None:
        """End the process."""
        self._process.communicate()


def outcome(
    reading: str, level: Level, cells: Cells, given: str, target: Cells, *, begins: bool = False
) -> Cells | str:
    """The cells after a turn, "won" or "unsettled"; after a restart, those from `target` on. Raises Unsuitable."""
    try:
        ending, after, checkpoint = READINGS[reading](level, cells, given, begins=begins)
        if ending is Ending.RESTARTED:
            return started(reading, level, target if checkpoint is None else checkpoint)
        if ending is Ending.STUCK:
            return "unsettled"
    except Unsettled:
        return "unsettled"
    return "won" if ending is Ending.WON else after


def started(reading: str, level: Level, target: Cells) -> Cells | str:
    """The cells at the start of a level, or of a checkpoint, "won" or "unsettled"."""
    if not level.game.run_rules_on_level_start:
        return target
    return outcome(reading, level, target, "", target, begins=True)


def differences(reading: str, level: Level, answer: Answer, most: int, counts: Counter[str]) -> Iterator[str]:
    """Yield what differs from the answer of the engine. Raises Unsuitable."""
    start: Cells | str = answer.positions[0] if answer.start == "settled" else answer.start
    if started(reading, level, level.cells) != start:
        yield f"{reading}: the start is {answer.start}"
    expanded = zip(answer.positions, answer.targets, answer.turns[:most], strict=False)
    for cells, target, turns in expanded:
        for name, after in zip(moves(level.game), turns, strict=True):
            counts[f"turns by {reading}"] += 1
            wanted = answer.positions[after] if isinstance(after, int) else after
            found = outcome(reading, level, cells, movement(name), target)
            if found != wanted:
                words = [each if isinstance(each, str) else shown(level, each) for each in (cells, wanted, found)]
                yield f"{reading}: {name} from\n{words[0]}\nengine:\n{words[1]}\nfound:\n{words[2]}"
                return


def shown(level: Level, cells: Cells) -> str:
    """A board, a line for each row."""
    names = [" ".join(sorted(here - {level.game.background})) or "." for here in cells]
    rows = [names[row * level.width : (row + 1) * level.width] for row in range(level.height)]
    return "\n".join("  " + " | ".join(row) for row in rows)


class Comparison:
    """A comparison of games, with its options and counts."""

    def __init__(self, engine: Engine, slow: int, circuits: int) -> None:
        self.engine, self.slow, self.circuits = engine, slow, circuits
        self.counts: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()

    def compare(self, game: str, name: str) -> list[str]:
        """Compare all levels of a game. Returns the differences."""
        found, levels = list[str](), parse(game, name)
        self.counts["games"] += 1
        for number, level in enumerate(levels, start=1):
            answer = self.engine.ask(game, number)
            if answer is None:
                self.counts["levels at which the engine raises an exception"] += 1
                continue
            if not isinstance(level, Level):
                words = str(level).split(": ", 1)[-1].split("\n")[0]
                self.counts["refused by both" if answer.errors else "refused by the reader only"] += 1
                if not answer.errors:
                    self.reasons[f"refused by the reader only, {name}: {words}"] += 1
                continue
            if answer.errors:
                self.counts["refused by the engine only"] += 1
                self.reasons[f"refused by the engine only, {name}: {answer.said[0]}"] += 1
            self.counts["levels compared"] += 1
            self.counts["positions"] += len(answer.turns)
            for reading in READINGS:
                most = len(answer.turns) if reading in ("planes", "cells") else self.slow
                if reading == "circuit" and self.counts["games"] % self.circuits:
                    continue
                try:
                    found += [f"{name}: {each}" for each in differences(reading, level, answer, most, self.counts)]
                except Unsuitable:
                    self.counts["levels without a circuit"] += 1
                except Exception:
                    found.append(f"{name}: {reading}: {traceback.format_exc()}")
        return found


def games(files: Sequence[Path], seeds: range) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of games."""
    for file in files:
        text = file.read_text(encoding="utf-8")
        if file.suffix == ".jsonl":
            for number, line in enumerate(text.splitlines(), start=1):
                yield f"{file.name}:{number}", json.loads(line)["game"]
        else:
            yield file.name, text
    for seed in seeds:
        yield f"seed {seed}", written(seed)


def main() -> None:
    """Compare the games."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("engine", type=Path, help="the folder of the engine")
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--seeds", nargs=2, type=int, default=(0, 0), metavar=("FIRST", "END"))
    parser.add_argument("--most", type=int, default=40, help="positions of a level that are expanded")
    parser.add_argument("--slow", type=int, default=5, help="positions for `plain` and `circuit`")
    parser.add_argument(
        "--circuits", type=int, default=10, help="one in this number of games is played by circuits"
    )
    parser.add_argument("--reasons", action="store_true", help="show who refuses what")
    chosen = parser.parse_args()
    comparison = Comparison(Engine(chosen.engine, chosen.most), chosen.slow, chosen.circuits)
    differ = 0
    for name, game in games(chosen.files, range(*chosen.seeds)):
        found = comparison.compare(game, name)
        differ += bool(found)
        for difference in found:
            print(difference, flush=True)
    comparison.engine.close()
    if chosen.reasons:
        print("\n".join(comparison.reasons))
    print(", ".join(f"{count} {words}" for words, count in comparison.counts.items()))
    print(f"{differ} games differ")
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
