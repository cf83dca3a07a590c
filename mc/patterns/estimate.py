"""The lower bound of a state: the greatest of several sums of distances. Compiled: see `mc/words.py`.

The distances of an abstract state under all cost partitionings stand side by side. The sums of a successor differ
from those of its parent only by the patterns with a variable that has changed.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.tasks.operators import starts
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.packed.costs import INFINITE
    from puzzlemc.mc.words import Index, Ints, Numbers


@dataclass(frozen=True)
class Table:
    """The distances in one projection under several cost partitionings.

    distances  (abstract states, partitionings that use it); INFINITE in the same states under all of them
    orders     the numbers of these partitionings; the number of all of them for one that counts nothing
    alive      (abstract states,): those that the initial state leads to
    counts     does it count?
    """

    variables: tuple[int, ...]
    factors: tuple[int, ...]
    distances: npt.NDArray[np.int32]
    orders: tuple[int, ...]
    alive: npt.NDArray[np.bool_]
    counts: bool = True


class Estimate:
    """A lower bound on the cost to the goal: a base class, whose bound is 0."""

    def enter(self, values: Numbers) -> Index:
        """The bound of a state, INFINITE if it cannot reach the goal; the state is the parent from now on."""
        return 0

    def expand(self, values: Numbers) -> None:
        """The state, whose bound is finite, is the parent from now on."""
        self.enter(values)

    def successor(self, before: Numbers, after: Numbers, changed: Numbers, count: Index) -> Index:
        """The bound of a successor of the parent, in which the first `count` of these variables have changed."""
        return 0


class Sums(Estimate):
    """The greatest sum of distances; the sum of the last partitioning counts divided by `scale` and rounded up.

    first            (patterns + 1,): where the variables of each pattern start
    variables        (variables of patterns,)
    factors          (variables of patterns,): their factors in the number of an abstract state
    by_variable      (variables of the task + 1,): where the patterns with each variable start
    patterns         (variables of patterns,)
    pattern_factors  (variables of patterns,): the factor of the variable in each of them
    offsets          (patterns,): where the distances of each pattern start in `tables`
    columns          (patterns + 1,): where the partitionings that use each pattern start in `orders`
    orders           (columns,): the number of a partitioning
    tables           the distances, by pattern, abstract state and partitioning
    index            (patterns,): the abstract states of the parent
    sums             (partitionings + 1,): the sums of the parent; the last one counts nothing
    new_index, new_sums  those of the successor
    stamps           (patterns,): the last successor that changed the abstract state
    touched          (patterns,): the patterns whose abstract state has changed
    stamp            the number of successors so far
    """

    first: Numbers  # readonly
    variables: Numbers  # readonly
    factors: Numbers  # readonly
    by_variable: Numbers  # readonly
    patterns: Numbers  # readonly
    pattern_factors: Numbers  # readonly
    tables: Ints  # readonly
    offsets: Numbers  # readonly
    columns: Numbers  # readonly
    orders: Numbers  # readonly
    index: Numbers
    sums: Numbers
    new_index: Numbers
    new_sums: Numbers
    stamps: Numbers
    touched: Numbers
    stamp: Index
    scale: Index

    def __init__(self, tables: Sequence[Table], partitionings: int, variables: int, scale: int = 1) -> None:
        """The bound of `partitionings` partitionings, for states of `variables` variables."""
        self.scale = scale
        self.first = view(starts(len(table.variables) for table in tables))
        self.variables = view(np.array([v for table in tables for v in table.variables], np.int64))
        self.factors = view(np.array([f for table in tables for f in table.factors], np.int64))
        owner = np.repeat(np.arange(len(tables)), [len(table.variables) for table in tables])
        order = np.argsort(np.asarray(self.variables), kind="stable")
        counts = np.bincount(np.asarray(self.variables), minlength=variables)
        self.by_variable = view(starts(counts))
        self.patterns, self.pattern_factors = view(owner[order]), view(np.asarray(self.factors)[order])
        self.offsets = view(starts(table.distances.size for table in tables))
        self.columns = view(starts(len(table.orders) for table in tables))
        self.orders = view(np.array([order for table in tables for order in table.orders], np.int64))
        self.tables = view(np.concatenate([np.zeros(0, np.int32), *(t.distances.reshape(-1) for t in tables)]))
        self.index, self.new_index = (view(np.zeros(len(tables), np.int64)) for _ in range(2))
        self.sums, self.new_sums = (view(np.zeros(partitionings + 1, np.int64)) for _ in range(2))
        self.stamps, self.touched = (view(np.zeros(len(tables), np.int64)) for _ in range(2))
        self.stamp = 0

    def enter(self, values: Numbers) -> Index:
        """The bound of a state, INFINITE if it cannot reach the goal; the state is the parent from now on."""
        p: Index
        i: Index
        for i in range(self.sums.shape[0]):
            self.sums[i] = 0
        for p in range(self.index.shape[0]):
            number: Index = 0
            for i in range(self.first[p], self.first[p + 1]):
                number += self.factors[i] * values[self.variables[i]]
            self.index[p] = number
            first: Index = self.columns[p]
            at: Index = self.offsets[p] + number * (self.columns[p + 1] - first) - first
            if self.tables[at + first] >= INFINITE:
                return INFINITE
            for i in range(first, self.columns[p + 1]):
                self.sums[self.orders[i]] += self.tables[at + i]
        return _greatest(self.sums, self.scale)

    def successor(self, before: Numbers, after: Numbers, changed: Numbers, count: Index) -> Index:
        """The bound of a successor of the parent, in which the first `count` of these variables have changed."""
        p: Index
        i: Index
        k: Index
        touched: Index = 0
        self.stamp += 1
        for k in range(count):
            variable: Index = changed[k]
            difference: Index = after[variable] - before[variable]
            for i in range(self.by_variable[variable], self.by_variable[variable + 1]):
                p = self.patterns[i]
                if self.stamps[p] != self.stamp:
                    self.stamps[p] = self.stamp
                    self.new_index[p] = self.index[p]
                    self.touched[touched] = p
                    touched += 1
                self.new_index[p] += self.pattern_factors[i] * difference
        for i in range(self.sums.shape[0]):
            self.new_sums[i] = self.sums[i]
        for k in range(touched):
            p = self.touched[k]
            first: Index = self.columns[p]
            width: Index = self.columns[p + 1] - first
            old: Index = self.offsets[p] + self.index[p] * width - first
            new: Index = self.offsets[p] + self.new_index[p] * width - first
            if self.tables[new + first] >= INFINITE:
                return INFINITE
            for i in range(first, first + width):
                self.new_sums[self.orders[i]] += self.tables[new + i] - self.tables[old + i]
        return _greatest(self.new_sums, self.scale)


def bound_of(estimate: Estimate, state: Sequence[int]) -> int:
    """The bound of one state; called from Python."""
    return estimate.enter(view(np.array(state, np.int64)))


def _greatest(sums: Numbers, scale: Index) -> Index:
    """The greatest of all sums but the last one, and 0; less than INFINITE."""
    last: Index = sums.shape[0] - 2
    greatest: Index = 0
    i: Index
    for i in range(last):
        greatest = max(greatest, sums[i])
    if last >= 0 and sums[last] > 0:
        greatest = max(greatest, (sums[last] + scale - 1) // scale)
    return min(greatest, INFINITE - 1)
