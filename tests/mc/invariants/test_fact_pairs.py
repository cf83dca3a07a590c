"""Pairs of facts that exclude each other: true of all reachable states, and of all that reach the goal."""

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import pytest
from random_tasks import least_costs, random_task, reachable_states, token_task

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.invariants import fact_pairs
from puzzlemc.mc.invariants.fact_pairs import FactPairs, changes_of
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.passes.exclusions import together
from puzzlemc.mc.tasks.semantics import completed, holds, initial_state, successors
from puzzlemc.mc.tasks.task import Condition, Effect, Operator, Task, TaskVariable

QUICK, ALL = 60, 700
MAKERS: list[Callable[[int], Task]] = [random_task, lambda seed: random_task(seed, plain=True), token_task]


def pairs_of(task: Task, *, goals: list[Condition] | None = None) -> FactPairs:
    found = FactPairs(task, [task.goal] if goals is None else goals)
    for _ in found.turns(Budget()):
        pass
    return found


@pytest.mark.parametrize("seeds", [range(QUICK), pytest.param(range(QUICK, ALL), marks=pytest.mark.slow)])
@pytest.mark.parametrize("make", MAKERS, ids=["any", "plain", "tokens"])
def test_no_pair_of_a_state_between_start_and_goal_is_lost(make: Callable[[int], Task], seeds: range) -> None:
    """And the invariant of a task without a plan is one, over all states of the task."""
    shown = missed = dead = 0
    for seed in seeds:
        task = make(seed)
        pairs, costs, states = pairs_of(task), least_costs(task), reachable_states(task)
        for state in states:
            facts = pairs.facts(enumerate(state))
            assert together(facts, pairs.rounds[0])
            assert state not in costs or all(together(facts, rows) for rows in pairs.rounds)
            dead += len(pairs.rounds) > 1 and not together(facts, pairs.rounds[1])
        missed += states[0] not in costs and not pairs.is_shown
        if pairs.is_shown:
            shown += 1
            assert states[0] not in costs
            check_invariant(task, pairs)
    assert shown > len(seeds) // 10
    assert missed < max(4, shown // 2)
    assert dead > len(seeds) // 12 or make is token_task


def check_invariant(task: Task, pairs: FactPairs) -> None:
    """The initial state is in the invariant, no goal state is, and no operator leads out of it."""
    assert pairs.holds(initial_state(task))
    for values in product(*map(range, task.domains)):
        state = completed(task, values)
        if pairs.holds(state):
            assert not holds(task.goal, state)
            assert all(pairs.holds(after) for _, after in successors(task, state))


def two(*effects: Effect) -> Task:
    """Two lamps that are off, and one operator."""
    lamps = tuple(TaskVariable(name, ("off", "on")) for name in ("one", "other"))
    return Task(lamps, (0, 0), {0: 1, 1: 1}, (Operator("press", {}, effects),))


@pytest.mark.parametrize(
    ("task", "is_shown"),
    [
        (two(Effect(0, 1), Effect(1, 0)), True),
        (two(Effect(0, 1), Effect(1, 1)), False),
        (two(Effect(0, 1), Effect(1, 1), Effect(1, 0)), True),  # the last effect counts
        (two(Effect(0, 1), Effect(1, 0), Effect(1, 1)), False),
        (two(Effect(0, 1, {1: 0}), Effect(1, 1, {0: 0})), False),  # both at once
        (two(Effect(0, 1, {1: 0}), Effect(1, 1, {0: 1})), False),  # one after the other
        (two(Effect(0, 1, {1: 1}), Effect(1, 1, {0: 1})), True),  # neither begins
        (two(Effect(1, 1, {0: 0}), Effect(1, 0), Effect(0, 1)), True),  # what comes later always ends it
    ],
)
def test_effects(task: Task, is_shown: bool) -> None:
    assert pairs_of(task).is_shown == is_shown


def test_a_trap_is_seen_from_the_goal_alone() -> None:
    """A bridge falls behind who crosses it: whoever has left the key behind is caught. No two facts of the goal
    exclude each other; it is the start that cannot reach it."""
    place, key = TaskVariable("place", ("here", "there")), TaskVariable("key", ("left", "taken"))
    door = TaskVariable("door", ("shut", "open"))
    cross = Operator("cross", {0: 0}, (Effect(0, 1),))
    take = Operator("take", {0: 0, 1: 0}, (Effect(1, 1),))
    unlock = Operator("unlock", {0: 1, 1: 1}, (Effect(2, 1),))
    task = Task((place, key, door), (0, 0, 0), {2: 1}, (cross, take, unlock))
    pairs = pairs_of(task)
    assert not pairs.is_shown
    living = pairs.rounds[1]
    dead = [state for state in reachable_states(task) if not together(pairs.facts(enumerate(state)), living)]
    assert dead == [(1, 0, 0)]
    caught = pairs_of(replace(task, initial=(1, 0, 0)))
    assert caught.is_shown
    check_invariant(replace(task, initial=(1, 0, 0)), caught)


def test_no_operator_leads_to_the_goal() -> None:
    """Each switch lights two of three lamps and puts out the third: each two lamps may be lit, not all three."""
    lamps = tuple(TaskVariable(f"lamp{n}", ("off", "on")) for n in range(3))
    switches = tuple(
        Operator(f"all but {dark}", {}, tuple(Effect(n, int(n != dark)) for n in range(3))) for dark in range(3)
    )
    task = Task(lamps, (0, 0, 0), dict.fromkeys(range(3), 1), switches)
    pairs = pairs_of(task)
    assert (pairs.is_shown, len(pairs.rounds)) == (True, 2)
    check_invariant(task, pairs)
    assert not pairs_of(replace(task, goal={0: 1, 1: 1})).is_shown


def test_each_of_several_goals_counts() -> None:
    task = two(Effect(0, 1), Effect(1, 0))
    assert pairs_of(task, goals=[{0: 1, 1: 1}, {0: 0, 1: 1}]).is_shown
    assert not pairs_of(task, goals=[{0: 1, 1: 1}, {0: 1, 1: 0}]).is_shown
    assert pairs_of(task, goals=[]).is_shown


def test_a_certain_effect_may_be_overridden() -> None:
    task = two(Effect(1, 0), Effect(1, 1, {0: 0}))
    assert not pairs_of(task, goals=[{1: 1}]).is_shown
    assert pairs_of(replace(task, initial=(1, 0)), goals=[{1: 1}]).is_shown


def test_an_effect_that_a_derived_variable_decides_may_happen_or_not() -> None:
    """The press lights one lamp, and the other one if the switch is on."""
    lamps = two(Effect(0, 1), Effect(1, 1, {2: 1}))
    task = replace(
        lamps, variables=(*lamps.variables, TaskVariable("switch", ("off", "on"), 0)), initial=(0, 0, 0)
    )
    for other in (0, 1):
        assert not pairs_of(task, goals=[{0: 1, 1: other}]).is_shown
    assert pairs_of(task, goals=[{0: 0, 1: 1}]).is_shown


def test_many_conditional_effects_are_one_case_and_stay_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fact_pairs, "MOST_EFFECTS", 0)
    shown = 0
    for seed in range(QUICK):
        task = random_task(seed)
        pairs, costs = pairs_of(task), least_costs(task)
        assert not pairs.is_shown or initial_state(task) not in costs
        shown += pairs.is_shown
        for operator in task.operators:
            some = changes_of(operator, frozenset(task.derived))
            assert len([*some.cases()]) == some.most_cases <= 2
    assert shown > QUICK // 10


def test_limits_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fact_pairs, "SLICE", 1)
    task = token_task(1)
    pauses = sum(1 for _ in FactPairs(task, [task.goal]).turns(Budget()))
    assert pauses > 5
    with pytest.raises(LimitReached):
        next(FactPairs(task, [task.goal]).turns(Budget(Limits(seconds=0))))
    monkeypatch.setattr(fact_pairs, "MOST_FACTS", 1)
    none = FactPairs(task, [task.goal])
    assert [*none.turns(Budget())] == []
    assert (none.rounds, none.is_shown) == ([], False)
