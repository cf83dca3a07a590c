"""Proofs out of a breadth-first search over a step system: the states near the start with their depths."""

import numpy as np

from puzzlemc.mc.packed.layout import PackedStates
from puzzlemc.mc.proofs.blocks import WIDEST, Block, Places, packed
from puzzlemc.mc.proofs.listed import BITS, ListedStates
from puzzlemc.mc.steps.frontier import Frontier
from puzzlemc.mc.steps.system import StepSystem

MOST_COST = 1 << 16  # costs are numbers of two bytes
CHUNK = 1 << 16  # states that are compressed at once


def proof_of(system: StepSystem, space: Frontier, metric: str, cost: int | None) -> ListedStates | None:
    """The proof that no solution has fewer than `cost` steps; if that is None, that there is no solution.

    All states of smaller depths must be expanded. None if the states or the costs do not fit a proof.
    """
    width = 1 + -(-len(system.bits) // BITS)
    if width > WIDEST or (cost is not None and cost >= MOST_COST):
        return None
    below = space.used if cost is None else cost
    blocks: list[Block] = []
    rows, ends = np.asarray(space.rows), _ends(space, below)
    for depth, (first, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
        for start in range(first, end, CHUNK):
            blocks += packed(places_of(rows[start : min(start + CHUNK, end)], width, 0 if cost is None else depth))
    return ListedStates(metric, cost, tuple(map(str, system.bits)), tuple(blocks))


def _ends(space: Frontier, most: int) -> list[int]:
    """The number of states up to each depth that is less than `most`, as far as there are states."""
    parents = np.asarray(space.parent)[
        : space.used
    ]  # in order: a state is found from the first one that leads to it
    ends = [1] if most else []
    while len(ends) < most and ends[-1] < space.used:
        ends.append(int(np.searchsorted(parents, ends[-1])))  # the first state whose parent is at this depth
    return ends


def places_of(rows: PackedStates, width: int, cost: int) -> Places:
    """States of one cost as rows of a proof: a column for the cost, and the bits, 16 in a number."""
    numbers = np.ascontiguousarray(rows).astype("<u8", copy=False).view("<u2")
    places = np.zeros((len(rows), width), np.uint16)
    places[:, 0], places[:, 1:] = cost, numbers[:, : width - 1]
    return places
