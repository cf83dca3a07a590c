"""The best probability of winning, against all memoryless strategies of small processes."""

import sys
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import ClassVar

import pytest
from decisions import TABLE, Table, memoryless, reached, tables
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.games import probability, storm
from puzzlemc.mc.games.almost import almost
from puzzlemc.mc.games.bounds import are_lower_bounds, are_upper_bounds
from puzzlemc.mc.games.decisions import Graph, Way, explore
from puzzlemc.mc.limits import Budget, Limits

pytest.importorskip("stormpy", reason="the extra `chance` is not installed")

HALF = Fraction(1, 2)


def solved(matrix: list[list[Fraction]]) -> list[Fraction]:
    """The solution of linear equations, whose last column is the right side, by Gauss and Jordan."""
    for place in range(len(matrix)):
        pivot = next(row for row in range(place, len(matrix)) if matrix[row][place])
        matrix[place], matrix[pivot] = matrix[pivot], matrix[place]
        first = matrix[place] = [value / matrix[place][place] for value in matrix[place]]
        for row in range(len(matrix)):
            if row != place:
                factor = matrix[row][place]
                matrix[row] = [value - factor * each for value, each in zip(matrix[row], first, strict=True)]
    return [row[-1] for row in matrix]


def of_strategy(table: Table, strategy: Mapping[int, str]) -> Fraction:
    """The probability with which a strategy wins from node 0: the chain's linear equations."""
    goal = max(table)
    able = [node for node in table if node != goal and goal in reached(table, strategy, node)]
    if 0 not in able:
        return Fraction(0)
    rows = []
    for node in able:
        after = table[node][strategy[node]]
        row = [Fraction(int(each == node)) - after.get(each, 0) for each in able]
        rows.append([*row, after.get(goal, Fraction(0))])
    return solved(rows)[able.index(0)]


def best(table: Table) -> Fraction:
    return max(of_strategy(table, each) for each in memoryless(table))


@settings(max_examples=examples(150, 1500), deadline=None)
@given(tables())
def test_it_is_that_of_the_best_memoryless_strategy(table: Table) -> None:
    found = probability.probability(TABLE, table, Budget())
    assert found.reason is None
    assert found.low == found.high == best(table)
    assert (found.low == 1) == bool(almost(TABLE, table, Budget()).strategy)
    assert (
        of_strategy(table, {node: next(iter(ways)) for node, ways in table.items() if ways} | dict(found.strategy))
        == found.low
    )
    probability.confirm(TABLE, table, found, Budget())


@settings(max_examples=examples(100, 1000), deadline=None)
@given(tables())
def test_bounds_enclose_it(table: Table) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(probability, "MOST_EXACT", 0)
        found = probability.probability(TABLE, table, Budget())
    assert found.reason is None
    assert found.low <= best(table) <= found.high
    assert found.high - found.low < Fraction(1, 10**8)


# A player who goes on may win from node 1, but a way in a circle looks as good there.
CIRCLE: Table = {
    0: {"a": {1: HALF, 2: HALF}},
    1: {"a": {1: HALF, 0: HALF}, "b": {3: HALF, 2: HALF}},
    2: {"a": {2: Fraction(1)}},
    3: {},
}


def explored(table: Table) -> Graph:
    graph = Graph()
    explore(TABLE, table, Budget(), graph)
    return graph


def values(graph: Graph, of_node: Mapping[int, Fraction]) -> list[Fraction]:
    return [of_node[node] for node in graph.nodes]  # type: ignore[index]


class TestBounds:
    """The checks, which nothing wrong may pass."""

    RIGHT: ClassVar = {0: Fraction(1, 4), 1: HALF, 2: Fraction(0), 3: Fraction(1)}

    def test_the_probabilities_are_their_own_bounds(self) -> None:
        graph = explored(CIRCLE)
        found = probability.probability(TABLE, CIRCLE, Budget())
        assert (found.low, found.high) == (Fraction(1, 4), Fraction(1, 4))
        assert are_upper_bounds(graph, values(graph, self.RIGHT), 1)
        assert are_lower_bounds(found.graph, found.ways, values(found.graph, self.RIGHT), 1)

    @pytest.mark.parametrize("node", [0, 1, 3])
    def test_no_upper_bound_is_too_low(self, node: int) -> None:
        graph = explored(CIRCLE)
        less = {**self.RIGHT, node: self.RIGHT[node] - Fraction(1, 10**9)}
        assert not are_upper_bounds(graph, values(graph, less), 1)

    def test_an_upper_bound_is_not_negative(self) -> None:
        graph = explored(CIRCLE)
        assert not are_upper_bounds(graph, values(graph, {**self.RIGHT, 2: Fraction(-1)}), 1)

    def test_nothing_is_above_what_is_not_known(self) -> None:
        graph = explored(CIRCLE)
        graph.open.add(0)
        assert not are_upper_bounds(graph, [Fraction(1)] * 4, 1)

    @pytest.mark.parametrize("node", [0, 1, 2, 3])
    def test_no_lower_bound_is_too_high(self, node: int) -> None:
        found = probability.probability(TABLE, CIRCLE, Budget())
        more = {**self.RIGHT, node: self.RIGHT[node] + Fraction(1, 10**9)}
        assert not are_lower_bounds(found.graph, found.ways, values(found.graph, more), 1)

    def test_a_circle_wins_nothing(self) -> None:
        """Each way keeps the value, and none of them ever leaves the circle."""
        table: Table = {
            0: {"a": {1: Fraction(1)}, "b": {2: Fraction(1)}},
            1: {"a": {0: Fraction(1)}},
            2: {},
        }
        graph = explored(table)
        circle = {0: graph.ways[0][0], graph.nodes.index(1): graph.ways[graph.nodes.index(1)][0]}
        ones = [Fraction(1)] * 3
        assert not are_lower_bounds(graph, circle, ones, 1)
        assert are_lower_bounds(graph, {**circle, 0: graph.ways[0][1]}, ones, 1)

    def test_a_strategy_takes_ways_of_the_graph(self) -> None:
        graph = explored({0: {"a": {1: HALF, 2: HALF}}, 1: {"a": {1: Fraction(1)}}, 2: {}})
        goal = graph.nodes.index(2)
        own = {0: Way("a", (goal,), (1,))}
        assert not are_lower_bounds(graph, own, [Fraction(int(n in (0, goal))) for n in range(3)], 1)

    @settings(max_examples=examples(100, 1000), deadline=None)
    @given(tables(), st.data())
    def test_bounds_that_pass_are_right(self, table: Table, data: st.DataObject) -> None:
        graph, top = explored(table), best(table)
        given = [data.draw(st.sampled_from([0, HALF, 1, top, top / 2])) for _ in graph.nodes]
        assert not are_upper_bounds(graph, given, 1) or given[0] >= top
        ways = {number: data.draw(st.sampled_from(ways)) for number, ways in enumerate(graph.ways) if ways}
        assert not are_lower_bounds(graph, ways, given, 1) or given[0] <= top


def test_wrong_answers_of_storm_are_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    right = storm.exact
    for change in (Fraction(1, 10**12), -Fraction(1, 10**12)):
        monkeypatch.setattr(storm, "exact", lambda *given, by=change: [each + by for each in right(*given)])
        with pytest.raises(Refuted, match="Storm"):
            probability.probability(TABLE, CIRCLE, Budget())


def test_wrong_bounds_of_storm_give_no_wrong_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(probability, "MOST_EXACT", 0)
    for low, high in ((0.0, 0.0), (1.0, 1.0), (0.9, 0.1)):
        monkeypatch.setattr(
            storm, "bounded", lambda nodes, *_, of=(low, high): [[each] * len(nodes) for each in of]
        )
        found = probability.probability(TABLE, CIRCLE, Budget())
        assert found.reason is not None or found.low <= Fraction(1, 4) <= found.high


def test_ways_of_a_strategy_are_confirmed_by_the_rules() -> None:
    found = probability.probability(TABLE, CIRCLE, Budget())
    assert probability.confirm(TABLE, CIRCLE, found, Budget()) == 2
    other: Table = {**CIRCLE, 1: {**CIRCLE[1], "b": {3: Fraction(1, 3), 2: Fraction(2, 3)}}}
    with pytest.raises(Refuted, match="wrong about what may follow b"):
        probability.confirm(TABLE, other, found, Budget())
    with pytest.raises(Refuted, match="nothing is won"):
        probability.confirm(replace(TABLE, solved=lambda *_: False), CIRCLE, found, Budget())


def test_limits_are_reasons(monkeypatch: pytest.MonkeyPatch) -> None:
    late = probability.probability(TABLE, CIRCLE, Budget(Limits(seconds=0.0)))
    assert (late.reason, late.low, late.high) == ("timeout", 0, 1)
    monkeypatch.setattr(probability, "MOST_NODES", 2)
    large = probability.probability(TABLE, CIRCLE, Budget())
    assert (large.reason, large.words) == ("bound", "the level has more than 2 positions")


def test_a_long_fraction_is_enclosed_by_bounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storm, "MOST_DIGITS", 2)
    found = probability.probability(TABLE, CIRCLE, Budget())
    assert found.low < Fraction(1, 4) < found.high


def test_slow_walks_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fair walk of 40 steps between a loss and a win."""
    monkeypatch.setattr(probability, "MOST_EXACT", 0)
    size = 41
    walk: dict[int, Mapping[str, Mapping[int, Fraction]]] = {
        node: {"a": {node - 1: HALF, node + 1: HALF}} for node in range(1, size - 1)
    }
    table: Table = {
        0: {"a": {20: Fraction(1)}},
        **walk,
        1: {"a": {size: HALF, 2: HALF}},
        size - 1: {"a": {size + 1: Fraction(1)}},
        size: {"a": {size: Fraction(1)}},
        size + 1: {},
    }
    found = probability.probability(TABLE, table, Budget())
    assert found.reason is None
    assert found.low <= Fraction(20, 40) <= found.high < found.low + Fraction(1, 10**8)


def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stormpy", None)
    with pytest.raises(ModelError, match=r"needs stormpy: pip install .*\[chance\]"):
        probability.probability(TABLE, CIRCLE, Budget())


def test_an_error_of_storm_is_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storm, "QUESTION", 'R{"steps"}max=? [F "goal"]')
    found = probability.probability(TABLE, CIRCLE, Budget())
    assert found.reason == "bound"
    assert found.words.startswith("Storm ends with an error")
