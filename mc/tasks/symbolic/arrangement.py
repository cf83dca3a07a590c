"""Linear arrangement of a graph: nodes in a row, so that adjacent nodes are near. Compiled: see `mc/words.py`.

The cost of an arrangement is the sum of the squared distances of adjacent nodes. Exchanges of two random nodes
that do not increase the cost, from several random arrangements (Kissmann and Edelkamp 2011).
"""

import random
from collections.abc import Iterable, Sequence

import cython
import numpy as np

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Index, Numbers, Word, mixed

STARTS = 20
MOST_WORK = 1_500_000  # looked-up neighbours for each start: a tenth of a second for all
SEED = 1


class Graph:
    """An undirected graph: the neighbours of node n are `neighbours[first[n]:first[n + 1]]`."""

    first: Numbers
    neighbours: Numbers

    def __init__(self, adjacent: Sequence[Sequence[int]]) -> None:
        ends = np.cumsum([0, *map(len, adjacent)], dtype=np.int64)
        self.first = view(ends)
        self.neighbours = view(np.array([n for some in adjacent for n in some], np.int64))


def arranged(size: int, edges: Iterable[tuple[int, int]]) -> list[int]:
    """The nodes 0 to size - 1 in a row of small cost. The same graph has the same row in each run."""
    adjacent: list[set[int]] = [set() for _ in range(size)]
    for node, other in edges:
        adjacent[node].add(other)
        adjacent[other].add(node)
    if not any(adjacent):
        return list(range(size))
    work = min(MOST_WORK, 32 * size * (size + sum(map(len, adjacent))))
    graph = Graph([sorted(some) for some in adjacent])
    shuffle = random.Random(SEED).shuffle
    best, least = list(range(size)), -1
    for start in range(STARTS):
        row = list(range(size))
        if start:
            shuffle(row)
        order, position = np.array(row, np.int64), np.empty(size, np.int64)
        position[order] = np.arange(size)
        _descend(graph, view(order), view(position), start, work)
        row = order.tolist()
        cost = sum(
            int(position[node] - position[other]) ** 2 for node, some in enumerate(adjacent) for other in some
        )
        if least < 0 or cost < least:
            best, least = row, cost
    return best


def _increase(graph: Graph, position: Numbers, node: Index, other: Index, target: Index) -> Index:
    """The increase of the cost of the edges of a node, without one to `other`, if the node goes to `target`."""
    here: Index = position[node]
    found: Index = 0
    at: Index = 0
    there: Index = 0
    for at in range(graph.first[node], graph.first[node + 1]):
        if graph.neighbours[at] != other:
            there = position[graph.neighbours[at]]
            found += (target - there) * (target - there) - (here - there) * (here - there)
    return found


def _descend(graph: Graph, order: Numbers, position: Numbers, seed: Word, work: Index) -> Index:
    """Exchange random nodes while `work` lasts; return the number of exchanges that were made.

    Each trial costs one unit of work, and one for each neighbour that it looks at.
    """
    size: Index = order.shape[0]
    made: Index = 0
    done: Index = 0
    trial: Word = 0
    while done < work:
        trial += 1
        number: Word = mixed(seed, trial)
        i: Index = number & 0x7FFFFFFF
        j: Index = number >> 33
        i %= size
        j %= size
        if i == j:
            done += 1
            continue
        u: Index = order[i]
        v: Index = order[j]
        done += 1 + graph.first[u + 1] - graph.first[u] + graph.first[v + 1] - graph.first[v]
        if _increase(graph, position, u, v, j) + _increase(graph, position, v, u, i) <= 0:
            order[i] = v
            order[j] = u
            position[u] = j
            position[v] = i
            made += 1
    return made
