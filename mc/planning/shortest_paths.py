"""The paths from a node to an end in a graph with costs, the cheapest first (Yen 1971).

The paths that are not listed yet are a set of branches: those that begin with some steps and do not go on with
some others (Lawler 1972). Each branch has a lower bound, by the distances in the whole graph. The branch with the
least bound is searched by A*, and the cheapest of its paths divides it into smaller branches: a path takes at
most the time of one such search for each of its steps. The graph is asked only for nodes that a search reaches.
"""

import heapq
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, count
from typing import NamedTuple, TypeAlias

from puzzlemc.mc.errors import LimitReached

END = -1  # the node behind all ends; a step to it costs nothing, and is no step of a path
ENTRY_BYTES, NODE_BYTES = 400, 16  # of a branch, and of each node of its path


class Arc(NamedTuple):
    """A step of a path: its label, the node behind it, its cost, and the distance of that node from the end."""

    label: int
    target: int
    cost: int
    ahead: int


class Path(NamedTuple):
    """The labels of the steps of a path, and its cost."""

    labels: tuple[int, ...]
    cost: int


Arcs: TypeAlias = Callable[[int], Sequence[Arc]]


class _Way(NamedTuple):
    """A path up to END, by its nodes and arcs, and its cost up to each of its nodes."""

    nodes: tuple[int, ...]
    arcs: tuple[Arc, ...]
    costs: tuple[int, ...]


class _Branch(NamedTuple):
    """All paths that begin as `way` does up to its node number `at`, and do not go on with the arcs `closed`."""

    way: _Way
    at: int
    closed: frozenset[Arc]


class _Chain(NamedTuple):
    """An arc, and those before it."""

    arc: Arc
    before: "_Chain | None"

    def arcs(self) -> list[Arc]:
        """All of them, the first one first."""
        found: list[Arc] = []
        chain: _Chain | None = self
        while chain is not None:
            found.append(chain.arc)
            chain = chain.before
        return found[::-1]


def shortest_paths(
    arcs: Arcs, start: int, check: Callable[[], None], memory: int, *, loops: bool
) -> Iterator[Path]:
    """Yield the paths from `start` to END, the cheapest first; without `loops`, no node comes twice.

    arcs   those from a node to nodes from which END can be reached
    check  raises LimitReached

    Raises LimitReached, also if the branches need more than `memory` bytes.
    """
    numbers, used = count(), 0
    heap: list[tuple[int, bool, int, int, _Branch, _Way | None]] = []

    def add(cost: int, branch: _Branch, way: _Way | None) -> None:
        nonlocal used
        used += ENTRY_BYTES + (NODE_BYTES * len(way.nodes) if way is not None else 0)
        if used > memory:
            raise LimitReached("memory")
        heapq.heappush(heap, (cost, way is None, -branch.at, next(numbers), branch, way))

    add(0, _Branch(_Way((start,), (), (0,)), 0, frozenset()), None)
    while heap:
        check()
        _, _, _, _, branch, way = heapq.heappop(heap)
        if way is None:
            way = _cheapest(arcs, branch, check, loops=loops)
            if way is not None:
                add(way.costs[-1], branch, way)
            continue
        yield Path(tuple(arc.label for arc in way.arcs[:-1]), way.costs[-1])
        for at in range(branch.at, len(way.arcs)):
            closed = branch.closed if at == branch.at else frozenset[Arc]()
            part = _Branch(way, at, closed | {way.arcs[at]})
            least = min((arc.cost + arc.ahead for arc in _first(arcs, part, loops=loops)), default=None)
            if least is not None:
                add(way.costs[at] + least, part, None)


def _first(arcs: Arcs, branch: _Branch, *, loops: bool) -> Iterator[Arc]:
    """Yield the arcs with which paths of a branch may go on."""
    way, at, closed = branch
    visited = () if loops else frozenset(way.nodes[: at + 1])
    for arc in arcs(way.nodes[at]):
        if arc not in closed and arc.target not in visited:
            yield arc


def _cheapest(arcs: Arcs, branch: _Branch, check: Callable[[], None], *, loops: bool) -> _Way | None:
    """The cheapest path of a branch, by A* (Hart, Nilsson and Raphael 1968); None if it has none."""
    way, at, _ = branch
    closed = set[int]() if loops else set(way.nodes[: at + 1])
    numbers = count()
    heap: list[tuple[int, int, int, _Chain]] = []

    def add(cost: int, arc: Arc, before: _Chain | None) -> None:
        heapq.heappush(heap, (cost + arc.ahead, -cost, next(numbers), _Chain(arc, before)))

    for arc in _first(arcs, branch, loops=loops):
        add(arc.cost, arc, None)
    while heap:
        check()
        _, negative, _, chain = heapq.heappop(heap)
        node = chain.arc.target
        if node == END:
            found = chain.arcs()
            return _Way(
                (*way.nodes[: at + 1], *(arc.target for arc in found)),
                (*way.arcs[:at], *found),
                (*way.costs[:at], *accumulate((arc.cost for arc in found), initial=way.costs[at])),
            )
        if node in closed:
            continue
        closed.add(node)
        for arc in arcs(node):
            if arc.target not in closed:
                add(arc.cost - negative, arc, chain)
    return None
