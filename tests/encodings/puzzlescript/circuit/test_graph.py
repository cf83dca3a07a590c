"""The and-inverter graph of a level: simplification, questions to the solver, and compaction."""

import random
from itertools import product

import pytest

from puzzlemc.encodings.puzzlescript.circuit.graph import Graph, Prover, compacted
from puzzlemc.mc.errors import Unsuitable

NAMES = ("a", "b", "c", "d")


def test_simplified_conjunctions_keep_their_values() -> None:
    chance = random.Random(1)
    graph = Graph(NAMES)
    meanings = {0: frozenset[tuple[bool, ...]](), 1: frozenset(product((False, True), repeat=4))}
    for number, name in enumerate(NAMES):
        literal = graph.input(name)
        meanings[literal] = frozenset(point for point in meanings[1] if point[number])
        meanings[literal ^ 1] = meanings[1] - meanings[literal]
    for _ in range(2_000):
        one, other = chance.choices(list(meanings), k=2)
        both = graph.both(one, other)
        expected = meanings[one] & meanings[other]
        assert meanings.setdefault(both, expected) == expected
        assert meanings.setdefault(both ^ 1, meanings[1] - expected) == meanings[1] - expected


def test_the_prover_answers_for_all_points() -> None:
    graph = Graph(NAMES)
    a, b, c, _ = map(graph.input, NAMES)
    prover = Prover(graph, [[a, b]])
    assert not prover.is_possible(graph.conj([a, b, c]))
    assert prover.is_possible(graph.conj([a, b ^ 1, c]))
    assert prover.is_possible(1)
    assert not prover.is_possible(0)


def test_a_compacted_graph_has_the_gates_of_its_literals_only() -> None:
    graph = Graph(NAMES)
    a, b, c, d = map(graph.input, NAMES)
    graph.both(a, b)
    wanted = graph.both(graph.both(c, d), a)
    gates, number = compacted(graph, [wanted])
    assert gates == ((c, d), (a, 10))
    assert number[wanted >> 1] == 6


def test_a_graph_has_a_largest_size() -> None:
    graph = Graph(NAMES)
    graph.most = 3
    with pytest.raises(Unsuitable, match="gates"):
        graph.conj([graph.both(one, other) for one, other in product((2, 3, 4, 5), (6, 7, 8, 9))])
