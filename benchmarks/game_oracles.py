"""Measures oracles for games, and compares all their positions with the plain rules, in each language.

    python benchmarks/game_oracles.py [LEVELS…] [--forge]

For each level: positions, how many of them are lost, bytes of the file for a position, those of a packed table
(bits of the position in whole bytes, four bytes for the distance, one for the set of best moves) and of JSON with
keys; nanoseconds of a question in each language; and the positions for which an answer differs from a search by
the plain rules: lost or not, the distance, and all best moves. Of a level that has such places, also what its
sound file proves: how many of the lost positions, and how many that have a solution, which must be none.

`--forge` makes one distance of each level wrong, which must be found. The exit code is 1 if a position differs, or
if a forged one does not.
"""

import argparse
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from oracle_readers import Reader, answers, keys_file, readers
from plain_positions import searched

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.reports.oracle import exact as module
from puzzlemc.reports.oracle.exact import exact
from puzzlemc.reports.oracle.keys import keys_of
from puzzlemc.reports.oracle.lost import lost_only
from puzzlemc.reports.positions.best_moves import BestMoves, best_moves
from puzzlemc.reports.positions.explored import Explored, explored

ROOT = Path(__file__).parents[1]
OWN = ROOT / "screens" / "levels"
LEVELS = (
    *(f"{OWN}/sokoban/first_steps.xsb#{number}" for number in (2, 6, 8, 9, 10, 11, 12)),
    *(f"{OWN}/sokoban/unsolvable.xsb#{number}" for number in (5, 6)),
    *(f"{OWN}/puzzlescript/thaw.txt#{number}" for number in (1, 12)),
    *(f"{OWN}/puzzlescript/shaft.txt#{number}" for number in (2, 3)),
    f"{OWN}/folding/first_folds.fold#8",
    f"{OWN}/folding/workshop.fold#2",
    f"{ROOT}/examples/sliding.py#1",
    f"{ROOT}/examples/hanoi.py#2",
    f"{ROOT}/examples/pegs.py#1",
)
ROUND = 100_000  # questions that are timed
HEAD = ("positions", "lost", "bytes", "packed", "json")


def entries(names: Sequence[str]) -> Iterator[Entry]:
    """Yield the levels with these names."""
    for name in names:
        path = name.partition("#")[0]
        yield from load(name, path if path.endswith(".py") else None)


def forged(level: Explored) -> BestMoves:
    """Best moves with one wrong distance: that of the last position."""
    found = best_moves(level)
    left = found.left.copy()
    left[-1] = 0 if found.lost[-1] else left[-1] + 1
    return replace(found, left=left)


def row(entry: Entry, asked: Sequence[Reader], folder: Path, *, forge: bool) -> tuple[list[str], int, int]:
    """The columns of a level, its positions, and the differences."""
    metric = entry.puzzle.metrics[0]
    level = explored(entry, metric, Budget(Limits(None, 4 * GIB)))
    keys = keys_of(entry.puzzle)
    if forge:
        module.best_moves = forged  # type: ignore[attr-defined]
    place = folder / "level.oracle"
    place.write_bytes(exact(level, keys).written())
    module.best_moves = best_moves  # type: ignore[attr-defined]
    of = searched(entry.puzzle, entry.level, metric)
    texts = [keys.of(entry.level, position) for position in of.number]
    right = []
    for number, holds in enumerate(of.solved):
        if number not in of.least:
            right.append(("lost",))
        else:
            cost = str(of.least[number][0])
            right.append(("solved", cost) if holds else ("open", cost, *of.best(number)))
    table = dict(zip(texts, right, strict=True))
    packed = -(-len(level.graph.layout.bits) // 8) + 4 + 1
    lost = len(right) - len(of.least)
    each = [place.stat().st_size / len(texts), packed, len(json.dumps(table, separators=(",", ":"))) / len(texts)]
    columns = [str(len(texts)), str(lost), *(f"{size:.2f}" for size in each)]
    pair = keys_file(place.with_suffix(".keys"), texts), place
    differ = len(level) != len(texts)
    for reader in asked:
        (text,) = reader.ask([pair])
        differ += sum(said != answer for said, answer in zip(answers(text)[1], right, strict=True))
        (spent,) = reader.ask([pair], -(-ROUND // len(texts)))
        columns.append(spent.partition(" ")[0].partition(".")[0])
    columns.append(str(differ))
    sound = lost_only(entry.puzzle, entry.level, metric, keys, Budget(Limits(None, 4 * GIB)))
    if sound is not None:
        place.write_bytes(sound.written())
        is_lost = np.array([status == "lost" for status, *_ in right])
        wrong, proved = 0, 0
        for reader in asked:
            said = np.array([status == "lost" for status, *_ in answers(reader.ask([pair])[0])[1]])
            wrong, proved = wrong + int((said & ~is_lost).sum()), int((said & is_lost).sum())
        columns.append(f"{proved} of {lost}, {place.stat().st_size} bytes, {wrong} wrong")
        differ += wrong
    return columns, len(texts), differ


def main() -> int:
    """Run the program."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("levels", nargs="*", metavar="LEVELS", default=[*LEVELS])
    parser.add_argument("--forge", action="store_true", help="make one distance of each level wrong")
    given = parser.parse_args()
    wrong = count = levels = 0
    with TemporaryDirectory() as name:
        asked = readers(Path(name), checked=False)
        print(*("level", *HEAD, *(f"ns, {each.language}" for each in asked), "differ", "proved lost"), sep="\t")
        for entry in entries(given.levels):
            columns, positions, differ = row(entry, asked, Path(name), forge=given.forge)
            print(os.path.relpath(entry.id, ROOT), *columns, sep="\t", flush=True)
            levels += 1
            count += positions
            wrong += (differ == 0) if given.forge else (differ > 0)
    print(f"{levels} levels, {count} positions, {len(asked)} languages, {wrong} levels wrong")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
