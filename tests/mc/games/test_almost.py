"""Wins with probability 1, against all memoryless strategies of small processes."""

from collections.abc import Mapping
from fractions import Fraction

import pytest
from decisions import TABLE, Table, memoryless, reached, tables
from hypothesis import given, settings

from examples import examples
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.games.almost import almost, confirm
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.rules.decisions import DecisionProcess

HALF = Fraction(1, 2)


def wins(table: Table, strategy: Mapping[int, str], start: int = 0) -> bool:
    """Does a strategy win with probability 1: can it win from each node that it may come to?"""
    goal = max(table)
    return all(goal in reached(table, strategy, node) for node in reached(table, strategy, start))


@settings(max_examples=examples(300, 3000), deadline=None)
@given(tables())
def test_it_is_found_where_some_memoryless_strategy_wins(table: Table) -> None:
    found = almost(TABLE, table, Budget())
    assert found.reason is None
    assert bool(found.strategy) == any(wins(table, each) for each in memoryless(table))
    if found.strategy:
        assert confirm(TABLE, table, found.strategy, Budget()) <= len(table)


@settings(max_examples=examples(100, 1000), deadline=None)
@given(tables(5))
def test_only_strategies_that_win_are_confirmed(table: Table) -> None:
    for strategy in memoryless(table):
        if wins(table, strategy):
            confirm(TABLE, table, strategy, Budget())
        else:
            with pytest.raises(Refuted):
                confirm(TABLE, table, strategy, Budget())


def test_a_strategy_needs_a_choice_wherever_it_may_come_to() -> None:
    table: Table = {0: {"a": {0: HALF, 1: HALF}}, 1: {"a": {2: HALF, 0: HALF}, "b": {1: Fraction(1)}}, 2: {}}
    assert confirm(TABLE, table, {0: "a", 1: "a"}, Budget()) == 1
    for strategy in ({0: "a"}, {0: "a", 1: "c"}):
        with pytest.raises(Refuted, match="no choice"):
            confirm(TABLE, table, strategy, Budget())


def partly_unknown(unknown: set[tuple[int, str]]) -> DecisionProcess:
    """The process of a table in which it is not known what follows some inputs."""

    def after(table: Table, node: int, name: str) -> Mapping[int, Fraction]:
        if (node, name) in unknown:
            raise LimitReached("bound", "too many")
        return table[node][name]

    return DecisionProcess(TABLE.start, TABLE.inputs, after, TABLE.solved)


def test_what_is_not_known_decides_only_where_it_may() -> None:
    lost: Table = {0: {"a": {1: HALF, 2: HALF}, "b": {0: Fraction(1)}}, 1: {"a": {1: Fraction(1)}}, 2: {}}
    won: Table = {**lost, 1: {"a": {0: HALF, 2: HALF}}}
    process = partly_unknown({(0, "b")})
    assert almost(process, won, Budget()).strategy
    unknown = almost(process, lost, Budget())
    assert (bool(unknown.strategy), unknown.reason, unknown.words) == (False, "bound", "too many")
    beyond = almost(partly_unknown({(1, "a")}), {**lost, 0: {"a": {1: Fraction(1)}}}, Budget())
    assert beyond.reason == "bound"
    apart: Table = {
        0: {"a": {1: HALF, 2: HALF}},
        1: {"a": {1: Fraction(1)}},
        2: {"a": {3: HALF}, "b": {2: HALF}},
        3: {},
    }
    known = almost(partly_unknown({(2, "b")}), apart, Budget())
    assert (bool(known.strategy), known.reason) == (False, None)


def test_a_limit_is_a_reason() -> None:
    found = almost(TABLE, {0: {"a": {1: Fraction(1)}}, 1: {}}, Budget(Limits(seconds=0.0)))
    assert (bool(found.strategy), found.reason) == (False, "timeout")
