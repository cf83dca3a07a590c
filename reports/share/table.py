"""What is known of each position of a level, packed for a page: lost, or the place of a best move.

A position is found by its key. A static function (`puzzlemc.mc.graph.static_function`) has the bits of each one,
and no keys. They are the codeword of its value. Positions with equal numbers of moves, or with equal moves, have a
prefix code of their own; whichever takes less. Often nine positions in ten are lost, and a codeword takes a bit at
least; so a filter comes first, like a Bloom filter: the others pass it, and few of the lost ones.

A position that can be solved may have several best moves. The one that most positions with the same code share is
taken. Solved positions have no value.

If a page has a table of the positions themselves, the key is the number of the position, and values are a list.
"""

import base64
import json
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from puzzlemc.mc.errors import LIMITS, ModelError, Refuted
from puzzlemc.mc.graph.static_function import Hashes, Unsolvable, fingerprints, look_up
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.positions.best_moves import BestMoves, best_moves
from puzzlemc.reports.positions.coded import hashes_of, static_function, words_of
from puzzlemc.reports.positions.explored import Explored, Numbers, Truths
from puzzlemc.reports.positions.prefix_code import lengths

LOST = 0  # the value of a lost position; other values are places of moves, from 1
MOST_FILTER = 12  # bits of the filter
SEEDS = 4  # that are tried

Key = Callable[[Any, Any], str]


def known(level: Explored, key: Key | None = None) -> dict[str, Any] | None:
    """What is known, for `known.js`; None if a limit is reached, or moves have no names of their own.

    `key` makes the key of a position of the level; None: keys are the numbers of positions. Raises Refuted if two
    positions have the same key.
    """
    try:
        found = best_moves(level)
        cost = {"left": None if found.lost[0] else int(found.left[0])}  # from the start
        if key is None:
            return cost | _list(level, found)
        text = [key(level.level, position).encode() for position in level.positions()]
        return cost | _function(level, found, text)
    except (ModelError, *LIMITS):
        return None


# Values


@dataclass(frozen=True)
class Values:
    """The value of each position, and the context that it is coded in.

    contexts  the name of each context, by its number
    """

    value: Numbers
    context: Numbers
    contexts: list[str]

    def counts(self, among: Truths) -> list[dict[int, float]]:
        """For each context, how often each value occurs among the chosen positions."""
        most = int(self.value.max(initial=0)) + 1
        pairs, times = np.unique((self.context * most + self.value)[among], return_counts=True)
        found: list[dict[int, float]] = [{} for _ in self.contexts]
        for pair, count in zip(pairs.tolist(), times.tolist(), strict=True):
            found[pair // most][pair % most] = count
        return found


def by_number(level: Explored, found: BestMoves) -> Values:
    """The values, coded by the number of moves."""
    numbers = np.diff(level.graph.forth.first)
    each, context = np.unique(numbers, return_inverse=True)
    return Values(_values(level, found, context, len(each)), context, list(map(str, each.tolist())))


def by_names(level: Explored, found: BestMoves) -> Values:
    """The values, coded by the names of all moves."""
    words = np.random.default_rng(0).integers(0, 1 << 63, len(level.names) + 1, np.int64)
    sums = np.zeros(len(level), np.int64)  # of the words of names; they wrap around, which does no harm
    for edges in level.parts():
        np.add.at(sums, level.sources[edges], words[level.name[edges]])
    _, example, context = np.unique(sums, return_index=True, return_inverse=True)
    contexts = []
    for number in example.tolist():
        edges = level.graph.forth.at(number)
        contexts.append("\n".join(level.names[name] for name in sorted(level.name[edges].tolist())))
    return Values(_values(level, found, context, len(contexts)), context, contexts)


def _values(level: Explored, found: BestMoves, context: Numbers, contexts: int) -> Numbers:
    """The value of each position. Of several best moves, the one that most others in its context have, too."""
    most = int(found.places.max(initial=0)) + 1
    value = np.full(len(level), LOST, np.int64)
    source, place = level.sources[found.best], found.places[found.best]
    while len(source):
        pair = context[source] * most + place
        counts = np.bincount(pair, minlength=contexts * most).reshape(contexts, most)
        chosen = counts.argmax(axis=1)
        taken = place == chosen[context[source]]
        value[source[taken]] = place[taken] + 1
        left = value[source] == LOST
        source, place = source[left], place[left]
    return value


# Packing


def _list(level: Explored, found: BestMoves) -> dict[str, Any]:
    """The values by the numbers of positions."""
    value = by_number(level, found).value
    value[level.solved] = LOST
    octets = value.astype("<u2").view(np.uint8).reshape(-1, 2)
    wide = bool(octets[:, 1].any())
    text = octets.T.tobytes() if wide else octets[:, 0].tobytes()
    return {"kind": "list", "positions": len(level), "wide": wide, "data": _base64(zlib.compress(text, 9))}


def _function(level: Explored, found: BestMoves, text: list[bytes]) -> dict[str, Any]:
    """The values by the keys of positions. Raises Refuted for equal keys."""
    asked = ~level.solved
    if len(set(text)) < len(text):
        raise Refuted("two positions have the same key")
    choices = [_Choice(each(level, found), found.lost, asked) for each in (by_number, by_names)]
    choice = min(choices, key=lambda each: each.bits)
    level.budget.check()
    for seed in range(SEEDS):
        keys = hashes_of(text, seed)
        try:
            packed = _packed(choice, keys, asked, level.budget)
        except Unsolvable:
            continue
        return {"kind": "function", "positions": len(level), "seed": seed, **packed}
    raise ModelError("no static function has been found")


class _Choice:
    """The values in one kind of contexts, and the best filter for them.

    filter  the number of bits of the filter, 0 for none
    bits    an estimate of the bits of all
    """

    def __init__(self, values: Values, lost: Truths, asked: Truths) -> None:
        self.values, self.lost = values, lost
        others, lost_ones = values.counts(asked & ~lost), values.counts(asked & lost)
        passing = int((asked & ~lost).sum())
        sizes = {}
        for bits in range(MOST_FILTER + 1):
            counts = [
                one | {value: count / 2**bits for value, count in other.items()}
                for one, other in zip(others, lost_ones, strict=True)
            ]
            codes = list(map(lengths, counts))
            payload = sum(
                code[value] * count
                for code, each in zip(codes, counts, strict=True)
                for value, count in each.items()
            )
            sizes[bits] = bits * passing + payload
        self.filter = min(sizes, key=lambda bits: sizes[bits])
        names = sum(
            len(json.dumps(name)) + 4 * len(each) for name, each in zip(values.contexts, others, strict=True)
        )
        self.bits = sizes[self.filter] + 8 * names


def _packed(choice: _Choice, keys: Hashes, asked: Truths, budget: Budget) -> dict[str, Any]:
    """The filter and the codewords of the positions that pass it. Raises Unsolvable and LimitReached."""
    values, passing, sieve = choice.values, asked, None
    if choice.filter:
        prints = (fingerprints(keys) & np.uint64((1 << choice.filter) - 1)).astype(np.int64)
        size = np.where(asked & ~choice.lost, choice.filter, 0)
        bits = static_function(keys, [(prints, size)], budget)
        passing = asked.copy()
        for j in range(choice.filter):
            rest = np.flatnonzero(passing)
            passing[rest] = look_up(bits, keys[rest], np.full(len(rest), j)) == prints[rest] >> j & 1
        sieve = {
            "bits": choice.filter,
            "entries": len(bits),
            "data": _base64(np.packbits(bits, bitorder="little")),
        }
    codes = list(map(lengths, values.counts(passing)))
    most = int(values.value.max(initial=0)) + 1
    word, size = (np.array(rows) for rows in zip(*(words_of(code, most) for code in codes), strict=True))
    place = values.context, values.value
    bits = static_function(keys, [(word[place], np.where(passing, size[place], 0))], budget)
    return {
        "filter": sieve,
        "codes": {
            name: [number for pair in sorted(code.items()) for number in pair]
            for name, code in zip(values.contexts, codes, strict=True)
            if code
        },
        "entries": len(bits),
        "data": _base64(np.packbits(bits, bitorder="little")),
    }


def _base64(octets: Any) -> str:
    return base64.b64encode(bytes(octets)).decode()
