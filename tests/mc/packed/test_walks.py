"""Walks on packed states: which actions are walks, the regions that they join, and the walks of a plan."""

from collections import deque
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import models

from examples import examples
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.astar.problem import prepare
from puzzlemc.mc.astar.space import canonical_states
from puzzlemc.mc.engines.explicit import astar
from puzzlemc.mc.errors import Refuted, Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.packed.actions import keeps_objects, pack_actions
from puzzlemc.mc.packed.layout import Layout
from puzzlemc.mc.packed.successors import Successors, successors
from puzzlemc.mc.packed.walks import free_to_leave_out
from puzzlemc.mc.packed.walks import with_walks as completed
from puzzlemc.mc.passes.free_moves import walks, with_walks
from puzzlemc.mc.rules.textbook import breadth_first
from puzzlemc.mc.verdict import Reachable
from puzzlemc.mc.words import view
from puzzlemc.screens.sokoban import Level, parse

RULES = puzzle("sokoban")


@st.composite
def rooms(draw: st.DrawFn, side: int, pieces: str = "@$$..") -> Level:
    """A room with some walls and two boxes. With a side of 9, it has more cells than a word has bits."""
    inside = [(row, column) for row in range(side) for column in range(side)]
    random = draw(st.randoms(use_true_random=False))
    random.shuffle(inside)
    board = dict.fromkeys(inside, " ") | dict.fromkeys(inside[: draw(st.integers(0, side))], "#")
    for cell, what in zip(inside[side:], pieces, strict=False):
        board[cell] = what
    rows = ["".join(board[row, column] for column in range(side)) for row in range(side)]
    (level,) = parse("\n".join(["#" * (side + 2), *(f"#{row}#" for row in rows), "#" * (side + 2)]), "random")
    assert isinstance(level, Level)
    return level


def region(model: Model, state: State) -> set[State]:
    """The states that walks lead to, one by one."""
    steps = [model.actions[number] for number in walks(model)]
    found, frontier = {state}, deque([state])
    while frontier:
        before = frontier.popleft()
        for action in steps:
            if action.enabled(before) and (after := action.fire(before)) not in found:
                found.add(after)
                frontier.append(after)
    return found


@pytest.mark.parametrize("side", [4, 9, 13])
@settings(max_examples=examples(5, 30))
@given(data=st.data())
def test_a_region_has_one_packed_state_which_belongs_to_it(side: int, data: st.DataObject) -> None:
    level = data.draw(rooms(side))
    model = RULES.encodings["compact"](level).model
    problem = prepare(model, [action.costs["pushes"] for action in model.actions], Budget())
    tables, layout = problem.forward.tables, problem.layout
    if walks(model):
        assert tables.walks.near.shape[0] == layout.key + 1
        assert (tables.walks.union.shape[0] == 0) == (layout.key >= 64)
    states = region(model, initial_state(model))
    rows = canonical_states(tables, layout.from_integers([layout.integer(state) for state in states]))
    assert len(rows) == 1
    assert layout.read(rows[0]) in states
    location = model.hints.location
    assert location is not None
    least = min(layout.integer(state) & layout.key for state in states)
    assert int(rows[0, 0]) & layout.key == least


@pytest.mark.parametrize("side", [4, 9, 13])
@settings(max_examples=examples(5, 30))
@given(data=st.data())
def test_the_region_of_a_successor_is_that_of_its_location(side: int, data: st.DataObject) -> None:
    """On both sides, along a random path; a region may be that of the row before but for two locations."""
    level = data.draw(rooms(side, "@" + "$." * (2 * side - 5)))
    random = data.draw(st.randoms(use_true_random=False))
    model = RULES.encodings["compact"](level).model
    problem = prepare(model, [action.costs["pushes"] for action in model.actions], Budget())
    layout, location = problem.layout, model.hints.location
    assert location is not None
    for side_of_search in problem.sides:
        tables = side_of_search.tables
        row = random.choice([*np.asarray(side_of_search.space.rows)[: side_of_search.size]])[None, :].copy()
        for _ in range(12):
            found = Successors(tables)
            found.row = view(row.copy())
            count = successors(tables, found)
            numbers = np.asarray(tables.action_info)[np.asarray(found.by)[:count], 1].tolist()
            after = np.asarray(found.after)[:count].copy()
            for i, number in enumerate(numbers):
                action, one = model.actions[number], after[i : i + 1]
                first, last = (row, one) if side_of_search is problem.forward else (one, row)
                assert action.cube is not None
                objects = layout.read(first[0]) - set(location.bits)
                before = objects | {b for b in location.bits if action.cube[b]}
                assert action.enabled(before)
                begin = layout.from_integers([layout.integer(before)])
                assert (canonical_states(tables, begin) == first).all()
                end = layout.from_integers([layout.integer(action.fire(before))])
                assert (canonical_states(tables, end) == last).all()
            if not count:
                break
            row = after[[random.randrange(count)]]


@pytest.mark.parametrize("metric", RULES.metrics)
@settings(max_examples=examples(3, 5))
@given(level=rooms(17, "@$."))
def test_a_location_may_have_more_values_than_a_byte(metric: str, level: Level) -> None:
    """Then the order of location codes differs from that of their bytes."""
    found = breadth_first(RULES.rules, level, Budget())
    verdict = astar(RULES.encodings["compact"](level).model, metric, Budget())
    assert isinstance(verdict, Reachable) == (found.moves is not None)
    if isinstance(verdict, Reachable) and metric == "moves":
        assert verdict.cost == len(found.moves or ())


def can_be_undone(model: Model, numbers: Iterable[int]) -> bool:
    """Does each of these walks have a reverse walk with the same condition on the other bits?

    A guard may also demand that no object stands at the location, which holds in every state.
    """
    location = model.hints.location
    if location is None:
        return False
    object_at = {value: b for b, value in model.hints.objects.items()}
    values = dict(zip(location.codes, location.values, strict=True))
    found = set()
    for number in numbers:
        action = model.actions[number]
        cube = action.cube or {}
        source, target = (tuple(each[b] for b in location.bits) for each in (cube, {**cube, **action.constants}))
        rest = {b: held for b, held in cube.items() if b not in location.bits}
        if (b := object_at.get(values[source])) is not None:
            rest.setdefault(b, False)
        found.add((source, target, frozenset(rest.items())))
    return all((target, source, rest) in found for source, target, rest in found)


@settings(max_examples=examples(120, 300))
@given(model=models(plain=True))
def test_walks_of_packed_states_are_walks_of_the_model(model: Model) -> None:
    layout = Layout(model)
    try:
        rules = pack_actions(layout, model.actions, range(len(model.actions)), None, layout.closed)
    except Unsuitable:
        return
    found = frozenset(int(number) for number in rules.number[free_to_leave_out(layout, model, rules)])
    walking = walks(model)
    assert found == (walking if can_be_undone(model, walking) else frozenset())


@pytest.mark.parametrize("metric", RULES.metrics)
@settings(max_examples=30)
@given(level=rooms(5))
def test_plans_have_the_fewest_walks(metric: str, level: Level) -> None:
    model = RULES.encodings["compact"](level).model
    verdict = astar(model, metric, Budget())
    if not isinstance(verdict, Reachable):
        return
    verdict.trace.check(model)
    walking = walks(model)
    steps = [action for action in verdict.trace.actions if action.costs["pushes"]]
    again = with_walks(model, walking, steps, verdict.trace.states[0])
    assert again.cost("moves") == verdict.trace.cost("moves")


@pytest.mark.parametrize("side", [4, 9])
@settings(max_examples=examples(10, 30))
@given(data=st.data())
def test_a_step_where_no_walks_lead_is_refuted(side: int, data: st.DataObject) -> None:
    """Any steps in any order, with or without walks between them."""
    model = RULES.encodings["compact"](data.draw(rooms(side))).model
    problem = prepare(model, [action.costs["pushes"] for action in model.actions], Budget())
    numbers = problem.moving.number.tolist()
    if not numbers:
        return
    steps = data.draw(st.lists(st.sampled_from(numbers), min_size=1, max_size=6))
    try:
        run = completed(problem.forward.tables, problem.moving, problem.start, steps)
    except Refuted:
        return
    assert [number for number in run if number in set(numbers)] == steps


@pytest.mark.parametrize("spoiled", ["", "guard", "update", "count"])
@settings(max_examples=30)
@given(level=rooms(4), data=st.data())
def test_packed_actions_show_whether_objects_are_conserved(
    spoiled: str, level: Level, data: st.DataObject
) -> None:
    """They are not if an action does not test the object it moves, or drops it, or if no count is conserved."""
    model = RULES.encodings["compact"](level).model
    pushes = [number for number, action in enumerate(model.actions) if action.costs["pushes"]]
    if not pushes:
        return
    number = data.draw(st.sampled_from(pushes))
    push = model.actions[number]
    b = data.draw(st.sampled_from(sorted(model.hints.objects.keys() & push.update.keys(), key=str)))
    assert isinstance(push.guard, dict)
    if spoiled == "guard":
        push = replace(push, guard={c: held for c, held in push.guard.items() if c is not b})
    if spoiled == "update":
        push = replace(push, update={c: new for c, new in push.update.items() if c is not b})
    hints = replace(model.hints, conserved=()) if spoiled == "count" else model.hints
    model = replace(model, actions=(*model.actions[:number], push, *model.actions[number + 1 :]), hints=hints)
    layout = Layout(model)
    rules = pack_actions(layout, model.actions, range(len(model.actions)), None, layout.closed)
    assert keeps_objects(layout, model, rules) == model.keeps_objects == (not spoiled)
