"""States of a proof as compressed blocks of small numbers.

A state is a row of 16-bit numbers, its cost first. The kind of proof says what the other numbers are.

Rows are sorted and cut into blocks. A block holds the first number of all its rows, then the second, and so on;
each number is written as its difference to the row before. zlib compresses the result.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.proofs.compression import decompressed

Places = npt.NDArray[np.uint16]  # shape (states, width): the cost, and what the kind of proof adds

BLOCK = 1 << 16  # states in a block, at most
WIDEST = 1 << 12  # numbers of a state, at most
LEVEL = 4  # of zlib: half the time of 6, for 7 bytes in 100 more


@dataclass(frozen=True)
class Block:
    """Compressed states, `count` of them."""

    count: int
    data: bytes | memoryview


def packed(places: Places) -> tuple[Block, ...]:
    """Compress states into blocks."""
    columns = range(places.shape[1])
    # By the objects, then by location, then by cost.
    order = np.lexsort([places[:, column] for column in (*columns[:2], *reversed(columns[2:]))])
    return tuple(_packed(places[order[first : first + BLOCK]]) for first in range(0, len(places), BLOCK))


def _packed(places: Places) -> Block:
    rows = np.ascontiguousarray(places.T)
    rows[:, 1:] -= rows[:, :-1].copy()
    low, high = rows.astype(np.uint8), (rows >> np.uint16(8)).astype(np.uint8)
    return Block(len(places), zlib.compress(low.tobytes() + high.tobytes(), LEVEL))


def unpacked(block: Block, width: int) -> Places:
    """Decompress the states of a block. Raises Refuted unless the block holds exactly `block.count` states."""
    if not (0 < block.count <= BLOCK and width <= WIDEST):
        most = f"{BLOCK} states of {WIDEST} numbers"
        raise Refuted(f"a block of {block.count} states of {width} numbers, expected no more than {most}")
    shape = (width, block.count)
    size = 2 * shape[0] * shape[1]
    data = decompressed(block.data, size, f"a block does not have the {block.count} states that it says")
    low, high = np.frombuffer(data, np.uint8).reshape(2, *shape).astype(np.uint16)
    rows = low | high << np.uint16(8)
    np.cumsum(rows, axis=1, dtype=np.uint16, out=rows)
    return np.ascontiguousarray(rows.T)


def each(blocks: tuple[Block, ...], width: int) -> Iterator[Places]:
    """Yield the states of one block after the other. Raises Refuted."""
    for block in blocks:
        yield unpacked(block, width)
