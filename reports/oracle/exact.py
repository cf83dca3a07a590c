"""An exact oracle: whether each position is lost, its distance to a solution, and all of its best moves.

A static function has the bits of each position, and no keys: first a fingerprint, by which a reader refuses other
positions, then the codeword of the distance, then that of the set of best moves.
"""

import struct
from collections.abc import Iterator
from itertools import islice

import numpy as np

from puzzlemc.encodings.puzzle.keys import Keys
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.graph.static_function import Hashes, Unsolvable, fingerprints
from puzzlemc.reports.oracle.file import EXACT, Oracle, u32s
from puzzlemc.reports.positions.best_moves import BestMoves, best_moves
from puzzlemc.reports.positions.coded import Field, hashes_of, static_function, words_of
from puzzlemc.reports.positions.explored import Explored, Numbers, Truths
from puzzlemc.reports.positions.prefix_code import lengths

FINGERPRINT = 16  # bits: of positions that are not in the file, one in 65,536 is taken for another one
SEEDS = 4  # that are tried
PART = 1 << 12  # positions whose keys are in memory together
LOST = (1 << 32) - 1  # in the place of a distance
SPARE_BYTES = 8  # behind the entries: readers read words of 64 bits


def exact(level: Explored, keys: Keys) -> Oracle:
    """The oracle of a level.

    Raises ModelError if two positions with different answers have the same key, and LimitReached.
    """
    found = best_moves(level)
    distances, distance = np.unique(np.where(found.lost, LOST, found.left.astype(np.int64)), return_inverse=True)
    sets, best = _sets(level, found)
    distance_table, distance_field = _coded(distance, np.ones(len(level), np.bool_), len(distances))
    set_table, set_field = _coded(best, ~found.lost, len(sets))
    for seed in range(SEEDS):
        hashed = _hashed(level, keys, seed)
        print_of = (fingerprints(hashed) & np.uint64((1 << FINGERPRINT) - 1)).astype(np.int64)
        fields = [(print_of, np.full(len(level), FINGERPRINT)), distance_field, set_field]
        try:
            entries = static_function(hashed, fields, level.budget)
        except Unsolvable:
            continue
        return Oracle(
            EXACT,
            FINGERPRINT,
            seed,
            (len(level), len(entries), len(level.names), len(distance_table), len(set_table)),
            [level.puzzle.name, level.metric, keys.of(level.level, next(level.positions())), *level.names],
            b"".join(struct.pack("<IB", distances[symbol], length) for symbol, length in distance_table)
            + b"".join(
                struct.pack("<BI", length, len(sets[symbol])) + u32s(sets[symbol]) for symbol, length in set_table
            )
            + np.packbits(entries, bitorder="little").tobytes()
            + bytes(SPARE_BYTES),
        )
    raise ModelError(f"{level.puzzle.name}: found two positions with the same key and different answers")


def _sets(level: Explored, found: BestMoves) -> tuple[list[list[int]], Numbers]:
    """The sets of best moves, as numbers of names, and which of them each position has; solved ones have none."""
    edges = np.flatnonzero(found.best & ~level.solved[level.sources])
    edges = edges[np.lexsort((level.name[edges], level.sources[edges]))]
    name = level.name[edges]
    first = np.searchsorted(level.sources[edges], np.arange(len(level) + 1)).tolist()
    numbers: dict[bytes, int] = {}
    each = np.zeros(len(level), np.int64)
    for position in range(len(level)):
        chosen = name[first[position] : first[position + 1]]
        each[position] = numbers.setdefault(chosen.tobytes(), len(numbers))
    return [np.frombuffer(octets, name.dtype).tolist() for octets in numbers], each


def _coded(symbol: Numbers, among: Truths, symbols: int) -> tuple[list[tuple[int, int]], Field]:
    """A prefix code for the symbols of positions: its symbols and lengths, shorter ones first, and the codewords.

    Positions that are not `among` those have an empty codeword.
    """
    counts = dict(enumerate(np.bincount(symbol[among], minlength=symbols).tolist()))
    code = lengths(counts)
    word, size = words_of(code, symbols)
    table = sorted(code.items(), key=lambda pair: pair[::-1])
    return table, (word[symbol], np.where(among, size[symbol], 0))


def _hashed(level: Explored, keys: Keys, seed: int) -> Hashes:
    """The hash of the key of each position."""
    parts = [hashes_of(part, seed) for part in _keys(level, keys)]
    return np.concatenate(parts)


def _keys(level: Explored, keys: Keys) -> Iterator[list[bytes]]:
    """Yield the keys of the positions, PART at a time. Raises LimitReached."""
    positions = level.positions()
    while part := [keys.of(level.level, position).encode() for position in islice(positions, PART)]:
        yield part
