"""Arrangements are permutations of small cost."""

import random
from itertools import pairwise, permutations

from puzzlemc.mc.tasks.symbolic.arrangement import arranged


def cost(row: list[int], edges: list[tuple[int, int]]) -> int:
    """The sum of squared distances."""
    at = {node: place for place, node in enumerate(row)}
    return sum((at[a] - at[b]) ** 2 for a, b in set(edges))


def test_small_graphs_are_arranged_best() -> None:
    rng = random.Random(1)
    for _ in range(10):
        edges = [pair for pair in ((a, b) for b in range(6) for a in range(b)) if rng.random() < 0.4]
        best = min(cost(list(row), edges) for row in permutations(range(6)))
        assert cost(arranged(6, edges), edges) == best


def test_a_path_is_found() -> None:
    nodes = list(range(12))
    random.Random(2).shuffle(nodes)
    row = arranged(12, list(pairwise(nodes)))
    assert row in (nodes, nodes[::-1])


def test_graphs_without_edges_stay() -> None:
    assert arranged(3, []) == [0, 1, 2]
    assert arranged(0, []) == []


def test_both_directions_of_an_edge_are_one() -> None:
    assert arranged(5, [(0, 3), (3, 0), (3, 1)]) == arranged(5, [(3, 0), (1, 3)])
