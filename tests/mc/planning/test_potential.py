"""Potentials are consistent lower bounds; a search takes one where it bounds the initial state better."""

from collections.abc import Callable

import pytest
from random_tasks import least_costs, random_task, reachable_states, token_task

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.patterns.database import Abstracted
from puzzlemc.mc.patterns.estimate import bound_of
from puzzlemc.mc.patterns.partitioning import Partitionings
from puzzlemc.mc.planning.optimal import PatternSearch
from puzzlemc.mc.planning.potential import potential
from puzzlemc.mc.tasks.semantics import initial_state, successors
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable


def pegs(rows: int, columns: int, hole: int, last: int) -> Task:
    """A board full of pegs but for one hole; one peg has to be left, in a given place."""
    cells = [(row, column) for row in range(rows) for column in range(columns)]
    number = {cell: n for n, cell in enumerate(cells)}
    operators = []
    for row, column in cells:
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            over, to = (number.get((row + n * down, column + n * right)) for n in (1, 2))
            if over is not None and to is not None:
                n = number[row, column]
                effects = Effect(n, 0), Effect(over, 0), Effect(to, 1)
                operators.append(Operator(f"{n} to {to}", {n: 1, over: 1, to: 0}, effects, 2))
    facts = tuple(TaskVariable(f"peg {n}", ("no", "yes")) for n in range(len(cells)))
    initial = tuple(int(n != hole) for n in range(len(cells)))
    return Task(facts, initial, {n: int(n == last) for n in range(len(cells))}, tuple(operators))


@pytest.mark.parametrize("make", [random_task, token_task])
@pytest.mark.parametrize("seeds", [range(60), pytest.param(range(60, 1000), marks=pytest.mark.slow)])
def test_the_bound_is_consistent(make: Callable[[int], Task], seeds: range) -> None:
    counted = exact = 0
    for seed in seeds:
        task = make(seed)
        abstracted = Abstracted(task)
        found = potential(abstracted, 1)
        if found is None:
            continue
        least = least_costs(task)
        alone = Partitionings(abstracted, [], lambda: None, potential=found).estimate()
        for state in reachable_states(task):
            bound = found.bound(state)
            assert bound <= least.get(state, INFINITE)
            assert bound_of(alone, state) == bound
            for number, after in successors(task, state):
                assert bound <= task.operators[number].cost + found.bound(after)
        start = initial_state(task)
        counted += found.bound(start) > 0
        exact += found.bound(start) == least.get(start)
    assert counted > len(seeds) // 4
    assert exact > len(seeds) // 10


def test_each_jump_takes_a_peg() -> None:
    found = potential(Abstracted(pegs(4, 4, 1, 1)), 2)
    assert found is not None
    assert found.bound(pegs(4, 4, 1, 1).initial) == 14


def test_a_search_takes_it_where_patterns_know_less() -> None:
    search = PatternSearch(pegs(4, 6, 1, 1), Budget())
    for _ in search.turns():
        pass
    assert search.partitionings.potential is not None
    assert search.unit * search.search.first_bound == search.searched().bound == 44
    assert search.searched().expanded < 50_000  # without it, 311,360
    assert any("a potential" in words for words in search.statistics().found)
