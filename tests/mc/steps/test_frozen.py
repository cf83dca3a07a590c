"""Frozen bits: which stay for ever, which states are lost by them, and what a search leaves out."""

import random

import numpy as np
import pytest
from step_tables import system

from puzzlemc.mc.search.state_table import ENDED, StateTable
from puzzlemc.mc.steps.frontier import Frontier, advance
from puzzlemc.mc.steps.frozen import SHARE, TRIAL, Demand, Escape, FrozenBits
from puzzlemc.mc.steps.steps import CHANGED, NOTHING
from puzzlemc.mc.words import view

BITS = 90  # two words
NONE = frozenset[int]()


def table_of(*states: int) -> StateTable:
    table = StateTable(len(states), 2, 1)
    rows = [[state & (1 << 64) - 1, state >> 64] for state in states]
    table.rows = view(np.array(rows, np.uint64))
    return table


def plain(state: int, escapes: dict[int, list[Escape]], demands: list[Demand]) -> tuple[frozenset[int], bool]:
    """The frozen bits of a state, and whether it is lost."""
    true = {number for number in range(BITS) if state >> number & 1}
    tight = {k for k, demand in enumerate(demands) if len(true & demand.counted) <= demand.least}
    frozen = true & escapes.keys()
    while free := {
        each
        for each in frozen
        if any(not escape.blockers & frozen and not escape.ruins & tight for escape in escapes[each])
    }:
        frozen -= free
    lost = any(
        true & demand.forbidden or len(true & demand.counted) - len(frozen & demand.useless) < demand.least
        for demand in demands
    )
    return frozenset(frozen), lost


@pytest.mark.parametrize("seed", range(60))
def test_it_finds_what_a_plain_fixed_point_does(seed: int) -> None:
    dice = random.Random(seed)

    def some(most: int) -> frozenset[int]:
        return frozenset(dice.sample(range(BITS), dice.randrange(most)))

    demands = [Demand(some(30), dice.randrange(-1, 8), some(12), some(2)) for _ in range(dice.randrange(1, 4))]
    escapes = {
        number: [
            Escape(some(5), frozenset(dice.sample(range(len(demands)), dice.randrange(2))))
            for _ in range(dice.randrange(4))
        ]
        for number in some(BITS)
    }
    known = FrozenBits(2, escapes, demands)
    states = [sum(1 << number for number in some(40)) for _ in range(30)]
    table = table_of(*states)
    for number, state in enumerate(states):
        frozen, lost = plain(state, escapes, demands)
        assert frozenset(known.frozen_in(table, number)) == frozen
        assert known.is_lost(table, number) == lost


def test_objects_that_block_each_other_are_frozen() -> None:
    ring = {number: [Escape(frozenset({(number + 1) % 4}))] for number in range(4)}
    known = FrozenBits(2, ring, [Demand(NONE, 0, frozenset({2}), NONE)])
    table = table_of(0b1111, 0b0111)
    assert known.frozen_in(table, 0) == [0, 1, 2, 3]
    assert known.is_lost(table, 0)
    assert known.frozen_in(table, 1) == []
    assert not known.is_lost(table, 1)


def test_an_escape_is_ruinous_while_nothing_is_to_spare() -> None:
    known = FrozenBits(
        2, {0: [Escape(NONE, frozenset({0}))]}, [Demand(frozenset({0, 1, 2}), 2, frozenset({0}), NONE)]
    )
    table = table_of(0b011, 0b111)
    assert [known.is_lost(table, number) for number in range(2)] == [True, False]


def counting(states: int) -> tuple[np.ndarray, np.ndarray]:
    """State s leads to s + 1; the bits of a packed state are those of 2 s."""
    codes = np.full((states, 1), CHANGED, np.int64)
    codes[-1] = NOTHING
    return codes, np.minimum(np.arange(1, states + 1), states - 1)[:, None].astype(np.int64)


def test_a_search_leaves_out_what_is_lost() -> None:
    model = system(*counting(40))
    lost = FrozenBits(1, {4: []}, [Demand(NONE, 0, frozenset({4}), NONE)])  # from state 8 on
    for frozen, states in ((None, 40), (lost, 8)):
        space = Frontier(np.zeros(1, np.uint64), 16, None, frozen)
        assert advance(space, model.steps, 1 << 20, 1000) == ENDED
        assert space.used == states
    assert (lost.tests, lost.hits) == (1, 1)


def test_the_test_ends_where_it_finds_little() -> None:
    states = 4 * TRIAL
    model = system(*counting(states))
    known = FrozenBits(1, {1: [Escape(NONE)], 40: []}, [Demand(NONE, 0, frozenset({40}), NONE)])
    space = Frontier(np.zeros(1, np.uint64), 16, None, known)
    assert advance(space, model.steps, 1 << 30, 2 * states) == ENDED
    assert space.used == states
    assert known.tests == TRIAL
    assert known.hits * SHARE < TRIAL
