"""Compares the outcomes of turns with chance, and what can be won by them, with the original engine.

    python benchmarks/chance.py ../shared/puzzlescript [--turns plain] [--part 10]

The folder has two files. `random_chance.jsonl` has random games with chance or a clock: the least number of turns
to a win if one is lucky, and if whatever is drawn (`lucky`, `surely`; null if there is none), the number of
positions and of first boards. `chance_plays.jsonl.gz` has recorded plays: each board has to be among the outcomes
of the turn from the board before. `--part N` takes one game in N.

The output is a line for each difference, and counts. Exit code 1: there is one.
"""

import argparse
import gzip
import json
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias, cast

from plays import Board, course, written

from puzzlemc.encodings.puzzlescript.domain.outcomes import Outcomes, outcomes
from puzzlemc.encodings.puzzlescript.domain.position import MOVES, TICK, Cells, Position, movement, moves
from puzzlemc.encodings.puzzlescript.draws.drawn_turns import drawn_turns
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.rules.chance import Turn
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.puzzlescript import Level, parse

# The outcomes of a turn on a level, from cells, with a movement or "", and whether it is the one at the start.
Drawn: TypeAlias = Callable[[Level, Cells, str, bool], Outcomes]


def plain(level: Level, cells: Cells, given: str, begins: bool) -> Outcomes:
    """The outcomes by the plain rules."""
    return outcomes(level, cells, given, begins=begins)


def fast(level: Level, cells: Cells, given: str, begins: bool) -> Outcomes:
    """The outcomes as searches compute them: by compiled code."""
    turns = drawn_turns(level)
    found = Turn(()) if begins else turns.turn(Position(cells, won=False), given or TICK)
    ends = turns.first if begins else [cast(Position, step.position) for step in found.steps]
    settled, won = (tuple(each.cells for each in ends if each.won == is_won) for is_won in (False, True))
    return Outcomes(settled, won, found.restarts, found.stuck)


TURNS: Mapping[str, Drawn] = {"plain": plain, "fast": fast}


class Answer(NamedTuple):
    """What a search over all outcomes says of a level."""

    lucky: int | None
    surely: int | None
    positions: int
    starts: int


def searched(drawn: Drawn, level: Level) -> Answer:
    """Explore all positions of a level, and solve the game against chance. Raises LimitReached."""
    begins = level.game.run_rules_on_level_start
    first = drawn(level, level.cells, "", True) if begins else Outcomes((level.cells,), (), False, False)
    depth = dict.fromkeys(first.settled, 0)
    lucky = 0 if first.won else None
    waiting, values = list(depth), dict[Cells, int]()
    ways: dict[Cells, list[list[Any]]] = {}  # by board: the ways that lead there, as [boards left, source]
    sure = list[Cells]()
    for cells in waiting:
        for move in moves(level.game):
            found = drawn(level, cells, movement(move), False)
            way = [len(found.settled), cells]
            if found.won and lucky is None:
                lucky = depth[cells] + 1
            for after in found.settled:
                if after not in depth:
                    depth[after] = depth[cells] + 1
                    waiting.append(after)
                if not found.restarted and not found.stuck:
                    ways.setdefault(after, []).append(way)
            is_sure = found.won and not found.settled and not found.restarted and not found.stuck
            if is_sure and cells not in values:
                values[cells] = 1
                sure.append(cells)
    for cells in sure:
        for way in ways.get(cells, ()):
            way[0] -= 1
            if not way[0] and way[1] not in values:
                values[way[1]] = values[cells] + 1
                sure.append(way[1])
    roots = [values.get(cells) for cells in first.settled]
    known = [value for value in roots if value is not None]
    surely = max(known, default=0) if len(known) == len(roots) else None
    return Answer(lucky, surely, len(depth), len(roots))


def compare_games(drawn: Drawn, path: Path, part: int, counts: Counter[str]) -> Iterator[str]:
    """Compare what can be won. Yields the differences."""
    for line in path.read_text(encoding="utf-8").splitlines()[::part]:
        game = json.loads(line)
        (level,) = parse(game["game"], game["name"])
        if not isinstance(level, Level):
            counts["games refused"] += 1
            continue
        try:
            found = searched(drawn, level)
        except LimitReached as limit:
            counts["games beyond a limit"] += 1
            yield f"{game['name']}: {limit}"
            continue
        wanted = Answer(game["lucky"], game["surely"], game["positions"], game["starts"])
        counts["games compared"] += 1
        for name in ("lucky", "surely"):
            counts[f"{name} agree"] += getattr(found, name) == getattr(wanted, name)
        if found != wanted:
            yield f"{game['name']}: found {found}, expected {wanted}"


def read_board(level: Level, text: str) -> Cells:
    """The cells of a recorded board, see `plays.written`."""
    kinds, cells = list[frozenset[str]](), [frozenset[str]()] * len(level.cells)
    for number, each in enumerate(filter(None, text.replace("\n", "").split(","))):
        names, colon, kind = each.rpartition(":")
        if colon:
            kinds.append(frozenset(names.split()))
        column, row = divmod(number, level.height)
        cells[row * level.width + column] = kinds[int(kind)]
    return tuple(cells)


def recorded_plays(path: Path) -> list[dict[str, Any]]:
    """The recorded plays of a file."""
    with gzip.open(path, "rt") as file:
        return [json.loads(line) for line in file]


def compare_plays(drawn: Drawn, recorded: Iterable[Mapping[str, Any]], counts: Counter[str]) -> Iterator[str]:
    """Compare the boards of recorded plays. Yields the differences."""
    for play in recorded:
        try:
            items = course(play["game"].replace("\r\n", "\n")).items
        except LevelError:
            counts["plays refused"] += 1
            continue
        before, number = play["start"], play["level"]
        for at, (given, after, next_number) in enumerate(
            zip(play["inputs"], play["boards"], play["levels"], strict=True)
        ):
            level, following = items[number], items[next_number]
            if isinstance(level, Level) and given not in ("undo", "restart"):
                try:
                    yield from (
                        f"{play['name']}: input {at}, {given}: {fault}"
                        for fault in _fault(drawn, level, before, given, after if following is level else None)
                    )
                    counts["turns compared"] += 1
                except LimitReached as limit:
                    counts["turns beyond a limit"] += 1
                    yield f"{play['name']}: input {at}, {given}: {limit}"
            before, number = after, next_number
        counts["plays compared"] += 1


def _fault(drawn: Drawn, level: Level, before: str, given: int | str, after: str | None) -> Iterator[str]:
    """Yield what is wrong with a turn whose board is recorded, or which has won."""
    cells = read_board(level, before)
    found = drawn(level, cells, "" if given == "tick" else MOVES[int(given)], False)
    if after is None:
        if not found.won:
            yield "it wins, which is no outcome"
        return
    boards = [*found.settled, *found.won, *([level.cells] if found.restarted else [])]
    if after not in {written(Board(level, each)) for each in boards}:
        yield f"its board is none of {len(boards)} outcomes"


def main() -> None:
    """Compare the files of a folder."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--turns", choices=sorted(TURNS), default="plain")
    parser.add_argument("--part", type=int, default=1)
    chosen = parser.parse_args()
    counts: Counter[str] = Counter()
    started, differ, drawn = time.process_time(), 0, TURNS[chosen.turns]
    plays = recorded_plays(chosen.folder / "chance_plays.jsonl.gz")[:: chosen.part]
    for difference in chain(
        compare_games(drawn, chosen.folder / "random_chance.jsonl", chosen.part, counts),
        compare_plays(drawn, plays, counts),
    ):
        print(difference, flush=True)
        differ += 1
    print(", ".join(f"{count} {words}" for words, count in counts.items()))
    print(f"{differ} differences, in {time.process_time() - started:.1f} s of processor time")
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
