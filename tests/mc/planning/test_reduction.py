"""Tasks without operators that are in no plan: all cheapest plans are kept, and some operators go."""

from collections.abc import Callable, Iterator

import pytest
from random_tasks import least_costs, random_task, token_task
from task_reference import check_plan, uniform_cost

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.planning import reduction as reducing
from puzzlemc.mc.planning.reduction import reduction
from puzzlemc.mc.planning.satisficing import some
from puzzlemc.mc.planning.satisficing.finders import finders
from puzzlemc.mc.planning.satisficing.some import some_plan
from puzzlemc.mc.tasks.semantics import applied, holds, initial_state, successors
from puzzlemc.mc.tasks.task import Effect, Operator, Searched, Task, TaskVariable

QUICK, ALL = 60, 700


@pytest.fixture
def _late(monkeypatch: pytest.MonkeyPatch) -> None:
    """The finders have no plan in their first round, as in large tasks."""

    def late(task: Task, budget: Budget, work: int) -> Iterator[Searched | None]:
        yield None
        yield from finders(task, budget, work)

    monkeypatch.setattr(some, "finders", late)


@pytest.mark.usefixtures("_late")
@pytest.mark.parametrize("seeds", [range(QUICK), pytest.param(range(QUICK, ALL), marks=pytest.mark.slow)])
@pytest.mark.parametrize("make", [random_task, lambda seed: random_task(seed, plain=True), token_task])
def test_an_operator_that_goes_is_in_no_plan(make: Callable[[int], Task], seeds: range) -> None:
    """No operator that was left out leads from a state on a way to the goal to another one."""
    gone = 0
    for seed in seeds:
        task = make(seed)
        smaller = reduction(task, Budget())
        if smaller is None:
            continue
        left_out = set(range(len(task.operators))).difference(smaller.numbers)
        gone += len(left_out)
        living = least_costs(task)
        states = [initial_state(task)]
        for state in states:
            for number, after in successors(task, state):
                assert not (number in left_out and state in living and after in living), seed
                if after not in states:
                    states.append(after)
        assert [task.operators[n] for n in smaller.numbers] == [*smaller.task.operators]
        found = uniform_cost(smaller.task, Budget())
        assert (found.plan is None) == (states[0] not in living)
        if found.plan is not None:
            assert check_plan(task, smaller.plan(found.plan)) == living[states[0]]
            plan = some_plan(task, Budget()).plan
            assert plan is not None
            check_plan(task, plan)
    assert gone > len(seeds) // 3


def corridor(length: int) -> Task:
    """A painter in a corridor, who can paint the cell before or behind, and cannot enter a painted one. All cells
    but the first have to be painted: whoever paints the cell behind is on the wrong side of it."""
    cells = range(length)
    variables = (
        TaskVariable("at", tuple(f"cell{c}" for c in cells)),
        *(TaskVariable(f"cell{c}", ("plain", "painted")) for c in cells),
    )
    steps = [(c, c + d) for c in cells for d in (-1, 1) if 0 <= c + d < length]
    moves = [Operator(f"move {c} {d}", {0: c, 1 + d: 0}, (Effect(0, d),)) for c, d in steps]
    paints = [Operator(f"paint {c} {d}", {0: c, 1 + d: 0}, (Effect(1 + d, 1),)) for c, d in steps]
    return Task(variables, (0,) * (length + 1), dict.fromkeys(range(2, length + 1), 1), (*moves, *paints))


@pytest.mark.usefixtures("_late")
def test_cells_are_not_painted_from_the_wrong_side() -> None:
    task = corridor(8)
    smaller = reduction(task, Budget())
    assert smaller is not None
    names = {operator.name for operator in smaller.task.operators}
    assert {f"paint {c} {c + 1}" for c in range(7)} <= names
    assert names.isdisjoint(f"paint {c} {c - 1}" for c in range(1, 8))
    found = some_plan(task, Budget())
    assert found.plan is not None
    state = initial_state(task)
    for number in found.plan:
        state = applied(task, task.operators[number], state)
    assert holds(task.goal, state)


def test_it_is_left_where_it_takes_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reducing, "MOST_WORK", 10_000)
    assert reduction(corridor(8), Budget()) is None
    monkeypatch.undo()
    with pytest.raises(LimitReached):
        reduction(corridor(8), Budget(Limits(seconds=0)))
    assert some_plan(corridor(8), Budget(Limits(seconds=0))).limit == "timeout"
