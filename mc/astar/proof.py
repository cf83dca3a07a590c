"""Bidirectional proofs, read out of a search: its closed rows, up to the costs that it has exhausted."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np

from puzzlemc.mc.astar.closed_rows import closed_rows, take_apart
from puzzlemc.mc.astar.problem import Problem, Side
from puzzlemc.mc.lexicographic import COMMA
from puzzlemc.mc.model.formula import Bit
from puzzlemc.mc.model.variables import Variable
from puzzlemc.mc.packed.costs import INFINITE, NEVER
from puzzlemc.mc.packed.layout import Layout, Numbers, PackedStates
from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
from puzzlemc.mc.proofs.blocks import Block, Places, packed
from puzzlemc.mc.proofs.listed import BITS, ListedStates
from puzzlemc.mc.proofs.proof import Form, Listing
from puzzlemc.mc.search.buckets import COST

Costs: TypeAlias = tuple[int | None, int | None]  # of the forward and the backward set; None: any
Sets: TypeAlias = tuple[tuple[Block, ...], tuple[Block, ...]]

MOST_PLACES = 1 << 16  # numbers of two bytes
CHUNK = 1 << 14  # rows that are unpacked at once


@dataclass(frozen=True)
class _Half:
    """What a side can contribute to a proof: all relevant rows with a cost below `most`, by their numbers."""

    side: Side
    most: int
    numbers: Numbers

    def costs(self) -> Numbers:
        costs: Numbers = np.asarray(self.side.space.node_info)[self.numbers, COST].astype(np.int64)
        return costs


def proof_of(problem: Problem, form: Form, metric: str, cost: int | None, exhausted: Numbers) -> Listing | None:
    """The proof that no plan costs less than `cost`; if that is None, that there is no plan. None without a proof.

    `exhausted[side]` = (least open g, least deferred f, last exhausted limit), from `search.meet`. The closed rows
    of both sides are a proof if the costs up to which they are complete sum to `cost` minus one step. The closed
    rows of one side are a proof if they are complete up to `cost`.
    """
    if form == "bits" and COMMA in metric and cost is not None:
        return None
    places = _Places.of(problem) if form == "positions" else _Bits.of(problem)
    if places is None or (cost is not None and cost >= (MOST_PLACES if COMMA not in metric else INFINITE)):
        return None
    of_rows = partial(_with_costs, places, wide=COMMA in metric)
    if cost is not None and cost <= problem.least_step_cost:  # any single step costs as much
        start = of_rows(np.asarray(problem.forward.space.rows)[: min(1, cost)], np.zeros(min(1, cost), np.int64))
        return places.proof(metric, cost, (cost, 0), (packed(start), ()))
    below = INFINITE if cost is None else cost
    halves = []
    for side, (open_buckets, next_buckets, limit) in zip(problem.sides, exhausted.tolist(), strict=True):
        if open_buckets == NEVER and next_buckets >= below:
            most = below
        else:
            most = min(open_buckets, below) if below <= limit + 1 else 0
        halves.append(_Half(side, most, closed_rows(side.tables, side.space, most, below)))
    counted = [np.sort(half.costs()) for half in halves]
    splits = [tuple(below * (one is half) for one in halves) for half in halves if half.most == below]
    if cost is not None and len(halves) == 2:
        ahead, behind = (half.most for half in halves)
        together = below - problem.least_step_cost
        splits += [(a, together - a) for a in range(max(1, together - behind), min(ahead, together - 1) + 1)]
    if not splits:
        return None
    split = min(splits, key=lambda each: sum(map(np.searchsorted, counted, each)))
    blocks: list[tuple[Block, ...]] = []
    for half, most in zip(halves, split, strict=True):
        kept = half.costs() < most
        rows, costs = np.asarray(half.side.space.rows)[half.numbers[kept]], half.costs()[kept]
        blocks.append(packed(of_rows(rows, costs if cost is not None else np.zeros_like(costs))))
    none = [None if cost is None and most else most for most in split]
    is_double = len(halves) == 2
    sets = blocks[0], blocks[1] if is_double else ()
    return places.proof(metric, cost, (none[0], none[1] if is_double else 0), sets)


def _with_costs(places: "_Places | _Bits", rows: PackedStates, costs: Numbers, *, wide: bool) -> Places:
    """The numbers that a proof lists for each row; `wide` costs have their upper half in the last column."""
    found = places.of_rows(rows, costs & MOST_PLACES - 1)
    return np.column_stack([found, (costs // MOST_PLACES).astype(np.uint16)]) if wide else found


def _in_order(value: Hashable) -> Any:
    """The sort key of a value of the location: values are cells or numbers, which have an order."""
    return value


class _Places:
    """Translates rows to places: a place is the number of a value of the location, in sorted order."""

    def __init__(self, layout: Layout, location: Variable, objects: Mapping[Bit, Hashable], count: int) -> None:
        number = {value: place for place, value in enumerate(sorted(location.values, key=_in_order))}
        self.objects = count
        self._layout = layout
        self._location = np.zeros(layout.key + 1, np.int64)
        for code, value in zip(layout.codes, location.values, strict=True):
            self._location[code] = number[value]
        self._object = np.zeros(64 * layout.words, np.int64)
        for b, value in objects.items():
            self._object[layout.place(b)] = number[value]

    @classmethod
    def of(cls, problem: Problem) -> "_Places | None":
        """The places of a model whose states are a location and a fixed number of objects; else None."""
        layout, hints = problem.layout, problem.model.hints
        location, objects = hints.location, hints.objects
        if location is None or len(location.values) >= MOST_PLACES:
            return None
        if objects and not problem.keeps_objects:
            return None
        if not {*location.bits, *objects} >= set(layout.bits) or not set(objects.values()) <= set(location.values):
            return None
        row = np.asarray(problem.forward.space.rows)[0]
        return cls(layout, location, objects, sum(b in objects for b in layout.read(row)))

    def of_rows(self, rows: PackedStates, costs: Numbers) -> Places:
        """The cost, the location and the objects of each row, in this order."""
        places = np.empty((len(rows), 2 + self.objects), np.uint16)
        places[:, 0] = costs
        for first in range(0, len(rows), CHUNK):
            part = rows[first : first + CHUNK]
            found = take_apart(part, self._layout.key, self._location, self._object, self.objects)
            places[first : first + CHUNK, 1:] = found
        return places

    def proof(self, metric: str, cost: int | None, most: Costs, sets: Sets) -> BidirectionalProof:
        """The proof with these sets of states, forward and backward, each complete up to its cost in `most`."""
        return BidirectionalProof(metric, cost, *most, self.objects, *sets)


class _Bits:
    """Translates rows to the bits of the model, in the order of the model."""

    def __init__(self, layout: Layout, bits: Sequence[Bit]) -> None:
        self._names = tuple(map(str, bits))
        self._columns = [layout.place(b) for b in bits]
        self._layout = layout

    @classmethod
    def of(cls, problem: Problem) -> "_Bits | None":
        """For a search with one side and without walks, bounds and dead patterns; else None."""
        hints = problem.model.hints
        is_plain = problem.backward is None and not hints.objects and not hints.relaxations
        has_walks = len(problem.moving) < len(problem.model.actions)
        return cls(problem.layout, problem.model.bits) if is_plain and not has_walks else None

    def of_rows(self, rows: PackedStates, costs: Numbers) -> Places:
        """The cost and the bits of each row."""
        width = 1 + -(-len(self._names) // BITS)
        places = np.zeros((len(rows), width), np.uint16)
        places[:, 0] = costs
        for first in range(0, len(rows), CHUNK):
            held = self._layout.unpacked(rows[first : first + CHUNK])[:, self._columns]
            octets = np.zeros((len(held), 2 * (width - 1)), np.uint8)
            octets[:, : -(-len(self._names) // 8)] = np.packbits(held, axis=1, bitorder="little")
            places[first : first + CHUNK, 1:] = octets.view("<u2")
        return places

    def proof(self, metric: str, cost: int | None, most: Costs, sets: Sets) -> ListedStates:
        """The proof with these states; the search has one side, so the backward set is empty."""
        return ListedStates(metric, cost, self._names, sets[0])
