"""Prefix codes of least length (Huffman 1952), in the canonical form: lengths determine the codewords."""

import heapq
from collections.abc import Mapping


def lengths(counts: Mapping[int, float]) -> dict[int, int]:
    """The length of the codeword of each symbol; 0 if there is one symbol. Symbols without counts have none."""
    heap = [(count, symbol, [symbol]) for symbol, count in sorted(counts.items()) if count > 0]
    found = {symbol: 0 for _, symbol, _ in heap}
    heapq.heapify(heap)
    while len(heap) > 1:
        one, other = heapq.heappop(heap), heapq.heappop(heap)
        for symbol in one[2] + other[2]:
            found[symbol] += 1
        heapq.heappush(heap, (one[0] + other[0], min(one[1], other[1]), one[2] + other[2]))
    return found


def codewords(of: Mapping[int, int]) -> dict[int, str]:
    """The codewords of symbols, by their lengths: shorter ones first, then smaller symbols."""
    found: dict[int, str] = {}
    word, before = 0, 0
    for length, symbol in sorted((length, symbol) for symbol, length in of.items()):
        word <<= length - before
        found[symbol] = f"{word:0{length}b}" if length else ""
        word, before = word + 1, length
    return found
