"""Shortest paths agree with those of NetworkX (its Yen's algorithm), and walks with a count."""

import random
from collections import deque
from itertools import islice

import networkx as nx
import pytest

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.planning.shortest_paths import END, Arc, Arcs, shortest_paths

ALL = 1 << 40  # bytes


def nothing() -> None:
    """Reach no limit."""


def arcs_of(network: nx.MultiDiGraph) -> Arcs:
    """The arcs of a network, whose end is the node END."""
    ahead = nx.single_source_dijkstra_path_length(network.reverse(), END, weight="cost")
    found = {
        node: [
            Arc(data["label"], target, data["cost"], ahead[target])
            for _, target, data in network.out_edges(node, data=True)
            if target in ahead
        ]
        for node in network
    }
    return found.__getitem__


def test_paths_without_loops_are_those_of_networkx() -> None:
    rnd = random.Random(1)
    several = 0
    for _ in range(300):
        nodes = rnd.randint(2, 8)
        network = nx.MultiDiGraph()
        network.add_nodes_from([*range(nodes), END])
        for _ in range(rnd.randint(1, 25)):
            one, other = rnd.randrange(nodes), rnd.randrange(nodes)
            if not network.has_edge(one, other):
                network.add_edge(one, other, label=other, cost=rnd.randint(0, 3))
        for end in rnd.sample(range(nodes), rnd.randint(1, 2)):
            network.add_edge(end, END, label=END, cost=0)
        expected = []
        if nx.has_path(network, 0, END):
            simple = nx.DiGraph(network)
            for path in nx.shortest_simple_paths(simple, 0, END, weight="cost"):
                expected.append((nx.path_weight(simple, path, "cost"), tuple(path[1:-1])))
        found = [(p.cost, p.labels) for p in shortest_paths(arcs_of(network), 0, nothing, ALL, loops=False)]
        assert [cost for cost, _ in found] == sorted(cost for cost, _ in expected)
        assert sorted(found) == sorted(expected)
        several += len(found) > 3
    assert several > 20


def between_two(**more: int) -> Arcs:
    """From 0 to 1 at cost 2, and back without cost; 1 is an end."""
    network = nx.MultiDiGraph()
    network.add_edge(0, 1, label=7, cost=2)
    network.add_edge(1, 0, label=8, cost=0)
    network.add_edge(1, END, label=END, cost=0)
    for label, cost in more.items():
        network.add_edge(0, 1, label=int(label[1:]), cost=cost)
    return arcs_of(network)


def test_walks_go_on_for_ever() -> None:
    found = [*islice(shortest_paths(between_two(), 0, nothing, ALL, loops=True), 3)]
    assert [(path.cost, path.labels) for path in found] == [(2, (7,)), (4, (7, 8, 7)), (6, (7, 8, 7, 8, 7))]


def test_walks_are_counted() -> None:
    """With two arcs from 0 to 1, there are 2 walks with one of them, 4 with two, 8 with three."""
    found = [*islice(shortest_paths(between_two(_9=2), 0, nothing, ALL, loops=True), 14)]
    assert [path.cost for path in found] == [2] * 2 + [4] * 4 + [6] * 8
    assert len({path.labels for path in found}) == 14


def test_steps_without_cost_may_go_round() -> None:
    """Walks of one cost are as many as are asked for."""
    network = nx.MultiDiGraph()
    network.add_edge(0, 0, label=5, cost=0)
    network.add_edge(0, END, label=END, cost=0)
    found = [*islice(shortest_paths(arcs_of(network), 0, nothing, ALL, loops=True), 5)]
    assert sorted(path.labels for path in found) == [(5,) * n for n in range(5)]


def test_arcs_beside_each_other_are_different() -> None:
    found = [*shortest_paths(between_two(_6=1), 0, nothing, ALL, loops=False)]
    assert [(path.cost, path.labels) for path in found] == [(1, (6,)), (2, (7,))]


def test_memory_is_a_limit() -> None:
    paths = shortest_paths(between_two(), 0, nothing, 10_000, loops=True)
    with pytest.raises(LimitReached, match="memory"):
        deque(paths, maxlen=0)
