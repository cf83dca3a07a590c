"""Several ways to show that a task has no plan, in turns: none is wrong, and all have a turn."""

from collections.abc import Callable
from dataclasses import replace
from itertools import permutations

import pytest
from random_tasks import least_costs, random_task, switches, token_task

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.invariants import refutation
from puzzlemc.mc.invariants.refutation import Refutation
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.planning.satisficing.some import some_plan
from puzzlemc.mc.tasks.semantics import initial_state
from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable

QUICK, ALL = 60, 700


def refuted(task: Task, *, effort: int | None = None) -> Refutation:
    found = Refutation(task, [task.goal], task.domains)
    *_, last = found.turns(Budget(), effort)
    assert last == found.is_shown
    return found


def jump(values: dict[int, tuple[int, int]]) -> Operator:
    """An operator by the values of variables before and after it."""
    before = {v: old for v, (old, _) in values.items()}
    return Operator(str(values), before, tuple(Effect(v, new) for v, (_, new) in values.items()))


def pegs(holes: int, size: int) -> Task:
    """A row of holes, the last `size` of them with pegs; one peg shall be left, in the first hole."""
    jumps = [(n, n + d, n + 2 * d) for n in range(holes) for d in (-1, 1) if 0 <= n + 2 * d < holes]
    return Task(
        tuple(TaskVariable(f"hole{n}", ("empty", "peg")) for n in range(holes)),
        tuple(int(n >= holes - size) for n in range(holes)),
        {n: int(n == 0) for n in range(holes)},
        tuple(
            Operator(f"{a}-{c}", {a: 1, b: 1, c: 0}, (Effect(a, 0), Effect(b, 0), Effect(c, 1)))
            for a, b, c in jumps
        ),
    )


def swaps(size: int) -> Task:
    """Neighbours in a row change places by three: an even permutation, and two shall be exchanged."""
    tokens = tuple(TaskVariable(f"place{n}", tuple(f"token{t}" for t in range(size))) for n in range(size))
    turns = tuple(
        jump({n: (a, b), n + 1: (b, c), n + 2: (c, a)})
        for n in range(size - 2)
        for a, b, c in permutations(range(size), 3)
    )
    groups = tuple(tuple((n, t) for n in range(size)) for t in range(size))
    start = tuple(range(size))
    return Task(tokens, start, dict(enumerate((1, 0, *start[2:]))), turns, (), groups)


@pytest.mark.parametrize("seeds", [range(QUICK), pytest.param(range(QUICK, ALL), marks=pytest.mark.slow)])
@pytest.mark.parametrize("make", [random_task, token_task])
def test_no_task_with_a_plan_is_refuted(make: Callable[[int], Task], seeds: range) -> None:
    shown = 0
    for seed in seeds:
        task = replace(make(seed), mutexes=())
        if refuted(task).is_shown:
            shown += 1
            assert initial_state(task) not in least_costs(task)
    assert shown > len(seeds) // 12


@pytest.mark.parametrize(
    ("task", "by", "effort"),
    [
        (pegs(7, 3), "sums", 1),
        (token_task(16), "pairs", 1),
        (swaps(4), "sums", 2),
    ],
)
def test_each_way_is_taken(task: Task, by: str, effort: int) -> None:
    assert initial_state(task) not in least_costs(task)
    found = refuted(task)
    assert getattr(found, by) is not None
    assert refuted(task, effort=effort).is_shown
    assert not refuted(task, effort=3 - effort).is_shown or effort == 1


def test_work_is_done_in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smaller the first turn, the more turns; the way that shows it comes in the last one."""
    task, counts = swaps(4), []
    for first in (1 << 40, 1 << 20, 1 << 10):
        monkeypatch.setattr(refutation, "FIRST_TURN", first)
        turns = [*Refutation(task, [task.goal], task.domains).turns(Budget())]
        assert turns == [False] * (len(turns) - 1) + [True]
        counts.append(len(turns))
    assert counts[0] == 1 < counts[1] < counts[2] < 40


def test_limits_hold() -> None:
    with pytest.raises(LimitReached):
        next(Refutation(switches(3), [{0: 1}], [2] * 3).turns(Budget(Limits(seconds=0))))


def test_the_search_for_some_plan_ends_with_the_refutation() -> None:
    """2^30 states: no search exhausts them in the time. A refutation that has nothing to say changes nothing."""
    task = pegs(30, 29)
    found = some_plan(
        task, Budget(Limits(seconds=60)), Refutation(task, [task.goal], task.domains).turns(Budget())
    )
    assert (found.plan, found.limit) == (None, None)
    lamp = replace(switches(2), goal={0: 1})
    assert some_plan(lamp, Budget(), iter([False, False])).plan == (0,)
