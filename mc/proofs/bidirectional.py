"""What a proof from both ends says: states with costs, closed from the start and closed from the goal.

That no run costs less than `below` is shown by two sets: what is near the start, up to cost `ahead`, and what is
near the goal, up to cost `behind`. Here is only what they are and how they are written; what must hold of them,
and why that is a proof, stands with the code of a puzzle that checks it.

A state is a row of small numbers, its cost first. Where a puzzle has a checker of its own, there follows where the
location is, and where each object is, in rising order; places are numbered by their order. Else the bits of the
model follow, 16 in a number, the first of them lowest. Costs by two metrics in order take one number more.

Rows are sorted, and cut into blocks; in a block the first number of all rows comes first, then the second, each
as its difference to the row before; then zlib compresses it.
"""

import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import Refuted

Form: TypeAlias = Literal["positions", "bits"]  # what the states of a proof are
Places = npt.NDArray[np.uint16]  # shape (states, width): cost, location, objects; or cost, bits

BLOCK = 1 << 16  # states in a block, at most
WIDEST = 1 << 12  # numbers of a state, at most
BITS = 16  # in a number
LEVEL = 4  # of zlib: half the time of 6, for 7 bytes in 100 more


@dataclass(frozen=True)
class Block:
    """Compressed states, `count` of them."""

    count: int
    data: bytes | memoryview


@dataclass(frozen=True)
class BidirectionalProof:
    """A proof that no run costs less than `below` under the metric; `below` None: that there is none at all.

    ahead, behind      the sets have all that matters of a cost less than that; None: of any cost
    objects            how many a state has; None where states are bits
    forward, backward  the sets
    bits               the names of a model's bits, where states are these: then only the forward set is used
    scale              of two metrics in order: all costs are the first times this, plus the second. Then the last
                       number of a state has what does not fit into its first: the cost divided by 2^16
    """

    metric: str
    below: int | None
    ahead: int | None
    behind: int | None
    objects: int | None
    forward: tuple[Block, ...]
    backward: tuple[Block, ...]
    bits: tuple[str, ...] = ()
    scale: int | None = None

    @property
    def width(self) -> int:
        """Numbers of a state."""
        numbers = 1 + -(-len(self.bits) // BITS) if self.objects is None else 2 + self.objects
        return numbers if self.scale is None else numbers + 1

    @property
    def states(self) -> int:
        """How many both sets have together."""
        return sum(block.count for block in self.forward + self.backward)

    @property
    def size(self) -> int:
        """Bytes of both sets."""
        return sum(len(block.data) for block in self.forward + self.backward)


def packed(places: Places) -> tuple[Block, ...]:
    """States as blocks."""
    columns = range(places.shape[1])
    # By the objects, then by location, then by cost.
    order = np.lexsort([places[:, column] for column in (0, 1, *reversed(columns[2:]))])
    return tuple(_packed(places[order[first : first + BLOCK]]) for first in range(0, len(places), BLOCK))


def _packed(places: Places) -> Block:
    rows = np.ascontiguousarray(places.T)
    rows[:, 1:] -= rows[:, :-1].copy()
    low, high = rows.astype(np.uint8), (rows >> np.uint16(8)).astype(np.uint8)
    return Block(len(places), zlib.compress(low.tobytes() + high.tobytes(), LEVEL))


def unpacked(block: Block, width: int) -> Places:
    """The states of a block. Raises Refuted where there are not just as many."""
    if not (0 < block.count <= BLOCK and width <= WIDEST):
        most = f"{BLOCK} states of {WIDEST} numbers"
        raise Refuted(f"a block of {block.count} states of {width} numbers, expected no more than {most}")
    shape = (width, block.count)
    size = 2 * shape[0] * shape[1]
    try:
        machine = zlib.decompressobj()
        data = machine.decompress(block.data, size + 1)
        is_whole = machine.eof and not machine.unused_data
    except zlib.error:
        is_whole = False
    if not is_whole or len(data) != size:
        raise Refuted(f"a block does not have the {block.count} states that it says")
    low, high = np.frombuffer(data, np.uint8).reshape(2, *shape).astype(np.uint16)
    rows = low | high << np.uint16(8)
    np.cumsum(rows, axis=1, dtype=np.uint16, out=rows)
    return np.ascontiguousarray(rows.T)


def each(blocks: tuple[Block, ...], width: int) -> Iterator[Places]:
    """Yield the states of one block after the other. Raises Refuted."""
    for block in blocks:
        yield unpacked(block, width)
