"""The full analysis against plain searches: on random models, and on random levels by the plain rules."""

from collections.abc import Hashable, Iterator
from dataclasses import replace
from functools import cache
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracle import all_states, dijkstra
from strategies import busy_models, levels, models

from examples import examples
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.graph.analysis import Analysis, analyse
from puzzlemc.mc.graph.quotient import quotient
from puzzlemc.mc.graph.state_graph import explore
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.expressions import And, Not, Or, Zero
from puzzlemc.mc.model.formula import State, conjunction, holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.packed.actions import Steps
from puzzlemc.mc.packed.layout import Numbers, PackedStates
from puzzlemc.screens.sokoban import Level, parse

SOKOBAN = puzzle("sokoban")
Step = tuple[str, State]


class Plain:
    """All properties of a small model, without the code under test."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.initial = [state for state in all_states(model) if holds(model.init, state)]
        self.edges: dict[State, list[tuple[Action, State]]] = {}
        waiting = list(self.initial)
        while waiting:
            state = waiting.pop()
            if state not in self.edges:
                self.edges[state] = [(a, a.fire(state)) for a in model.actions if a.enabled(state)]
                waiting += [after for _, after in self.edges[state]]
        self.goals = {state for state in self.edges if holds(model.goal, state)}
        self.solvable = {state for state in self.edges if not self.goals.isdisjoint(self.reach(state))}

    def reach(self, start: State, *, free: bool = False) -> set[State]:
        """The states that a state leads to; on request by free actions only."""
        found, waiting = {start}, [start]
        while waiting:
            for action, after in self.edges[waiting.pop()]:
                if after not in found and not (free and action.costs["cost"]):
                    found.add(after)
                    waiting.append(after)
        return found

    def depths(self, *, scale: int = 1, each: int = 0) -> dict[Hashable, int]:
        """The least costs of states, where each action costs `scale` times its cost plus `each`."""
        return dijkstra(
            self.initial,
            lambda s: [(after, scale * a.costs["cost"] + each) for a, after in self.edges[s]],  # type: ignore[index]
        )

    def left(self, start: State) -> int:
        """The least cost from a solvable state to a goal."""
        costs = dijkstra([start], lambda s: [(after, a.costs["cost"]) for a, after in self.edges[s]])  # type: ignore[index]
        return min(cost for state, cost in costs.items() if state in self.goals)

    def paid(self, start: State) -> set[tuple[str, State, int]]:
        """The next paid steps from a state."""
        return {
            (a.name, after, a.costs["cost"])
            for state in self.reach(start, free=True)
            for a, after in self.edges[state]
            if a.costs["cost"]
        }

    def solutions(self, start: State, budget: int) -> list[list[Step]]:
        """All sequences of paid steps that cost the budget and end in a region with a goal."""
        if budget == 0:
            return [[]] if self.reach(start, free=True) & self.goals else []
        return [
            [(name, after), *rest]
            for name, after, cost in self.paid(start)
            if cost <= budget
            for rest in self.solutions(after, budget - cost)
        ]

    def number_of_solutions(self, budget: int) -> int:
        """The number of these sequences."""

        @cache
        def count(state: State, left: int) -> int:
            if left == 0:
                return int(bool(self.reach(state, free=True) & self.goals))
            return sum(count(after, left - cost) for _, after, cost in self.paid(state) if cost <= left)

        return sum(count(state, budget) for state in self.initial)


def analysis(model: Model, *metrics: str) -> Analysis:
    found = analyse(model, metrics, Budget())
    assert found.is_complete
    assert not found.missing
    return found


def histogram(values: list[int], length: int) -> tuple[int, ...]:
    return tuple(values.count(depth) for depth in range(length))


@given(st.one_of(models(), busy_models()))
def test_the_numbers_agree_with_a_plain_search(model: Model) -> None:
    named = {f"a{number}": b for number, b in enumerate(model.bits)} | {"goal": model.goal, "never": Zero}
    model = replace(model, atoms=named)
    plain, found = Plain(model), analysis(model, "cost", "any")
    dead = plain.edges.keys() - plain.solvable
    stuck = {state for state, edges in plain.edges.items() if not edges}
    assert found.states == len(plain.edges)
    assert found.edges == sum(map(len, plain.edges.values()))
    assert found.goals == len(plain.goals)
    assert found.solvable == len(plain.solvable)
    assert found.dead == len(dead)
    assert found.stuck == len(stuck)
    assert found.lost == len(stuck & dead)
    assert list(found.atoms) == list(model.atoms)
    for name, formula in model.atoms.items():
        where = {state for state in plain.edges if holds(formula, state)}
        assert (found.atoms[name].states, found.atoms[name].solvable) == (len(where), len(where & plain.solvable))
        assert found.atoms[name].is_dead == (bool(where) and where <= dead)
    losing = [(s, a, t) for s in plain.solvable for a, t in plain.edges[s] if t in dead]
    for metric, depths in [("cost", plain.depths()), ("any", plain.depths(scale=0, each=1))]:
        numbers = found.metrics[metric]
        length = max(depths.values()) + 1
        assert numbers.diameter == length - 1
        assert numbers.states == histogram(list(depths.values()), length)
        assert numbers.dead == histogram([depths[state] for state in dead], length)
        assert numbers.losing is not None
        assert numbers.losing.by_depth == histogram([depths[s] for s, _, _ in losing], length)
        assert (numbers.losing.first is None) == (not losing)
        if numbers.losing.first is not None:
            first = numbers.losing.first
            least = min(depths[s] + (a.costs["cost"] if metric == "cost" else 1) for s, a, _ in losing)
            assert first.cost(metric) == least
            assert first.states[-2] in plain.solvable
            assert first.states[-1] in dead
            here = conjunction({b: b in first.states[-1] for b in model.bits})
            first.check(replace(model, goal=here))


@given(st.one_of(models(), busy_models()))
def test_the_number_of_shortest_solutions_is_right(model: Model) -> None:
    plain = Plain(model)
    numbers = analysis(model, "cost").metrics["cost"]
    depths = plain.depths()
    costs = [depths[state] for state in plain.goals]
    if not costs:
        assert numbers.solutions is None
        assert numbers.losing is not None
        assert numbers.losing.on_shortest == 0
        return
    solutions = numbers.solutions
    assert solutions is not None
    assert solutions.cost == min(costs)
    assert solutions.count == plain.number_of_solutions(min(costs))
    assert solutions.is_unique == (solutions.count == 1)
    solutions.trace.check(model)
    assert solutions.trace.cost("cost") == solutions.cost
    assert numbers.losing is not None
    dead = plain.edges.keys() - plain.solvable
    assert numbers.losing.on_shortest == sum(
        after in dead
        for state in plain.solvable
        if depths[state] + plain.left(state) == solutions.cost
        for _, after in plain.edges[state]
    )
    both = plain.depths(scale=1000, each=1)
    assert len(solutions.trace.actions) == min(
        both[state] % 1000 for state in plain.goals if both[state] // 1000 == solutions.cost
    )
    if solutions.count <= 500:
        runs = [[("", start), *run] for start in plain.initial for run in plain.solutions(start, solutions.cost)]
        assert len(runs) == solutions.count
        visited = [{state for _, state in run} for run in runs]
        assert solutions.on_some == len(set.union(*visited))
        assert solutions.on_all == len(set.intersection(*visited))
        shortest = min(map(len, runs))
        forced = next((n for n in range(shortest) if len({tuple(run[: n + 1]) for run in runs}) > 1), shortest)
        assert solutions.forced == max(0, forced - 1)


def test_many_solutions_are_counted_exactly() -> None:
    """Twelve switches in any order, each set by one of six actions."""
    switches = [boolean("s", number) for number in range(12)]
    bits = [switch.bits[0] for switch in switches]
    actions = tuple(
        Action(f"{name}{number}", ~b, {b: True}, {"cost": 1}) for number, b in enumerate(bits) for name in "uvwxyz"
    )
    model = Model(tuple(switches), Not(Or(*bits)), actions, And(*bits))
    solutions = analysis(model, "cost").metrics["cost"].solutions
    assert solutions is not None
    assert solutions.count == 6**12 * factorial(12) > 2**59
    assert (solutions.forced, solutions.on_some, solutions.on_all) == (0, 2**12, 2)


@settings(max_examples=examples(12, 40))
@given(levels())
def test_the_faithful_encodings_have_the_states_of_the_plain_rules(level: Level) -> None:
    for encoding in SOKOBAN.encodings.values():
        encoded = encoding(level)
        found = analysis(encoded.model, "pushes", "moves")
        for metric in SOKOBAN.metrics:
            depths = dijkstra(
                [SOKOBAN.rules.start(level)],
                lambda position, metric=metric: [
                    (s.position, s.costs[metric]) for s in SOKOBAN.rules.steps(level, position)
                ],  # type: ignore[misc]
            )
            assert found.metrics[metric].states == histogram(list(depths.values()), max(depths.values()) + 1)
            assert {encoded.decode(found.graph.state(number)) for number in range(found.states)} == set(depths)
        assert found.goals == sum(SOKOBAN.rules.solved(level, position) for position in depths)


ROOM = "#######\n#@ $ .#\n#  $ .#\n#     #\n#######"


def room() -> Model:
    (level,) = parse(ROOM, "room")
    assert isinstance(level, Level)
    return SOKOBAN.encodings["compact"](level).model


def test_visits_give_heat_maps_and_dead_squares() -> None:
    found = analysis(room(), "pushes")
    boxes = {name: visits for name, visits in found.atoms.items() if name.startswith("box@")}
    assert sum(visits.states for visits in boxes.values()) == 2 * found.states
    assert sum(v.states for name, v in found.atoms.items() if name.startswith("player@")) == found.states
    assert boxes["box@(2,2)"].is_dead
    assert not boxes["box@(2,6)"].is_dead


def test_a_limit_leaves_only_proved_numbers() -> None:
    model = room()
    whole = analysis(model, "pushes", "moves")
    late = analyse(model, ["pushes", "moves"], Budget(Limits(seconds=0)))
    small = analyse(model, ["pushes", "moves"], Budget(Limits(memory=60_000)))
    for part, reason in [(late, "timeout"), (small, "memory")]:
        assert (part.reason, part.is_complete) == (reason, False)
        assert 0 < part.states < whole.states
        assert (part.edges, part.solvable, part.dead, part.stuck, part.lost) == (None,) * 5
        assert "which states can still be solved, and which are dead" in part.missing
        # Every step is one move, so the explored part is exact in moves; it proves nothing about pushes.
        assert list(part.metrics) == ["moves"]
        known = part.metrics["moves"].states
        assert known == whole.metrics["moves"].states[: len(known)]
        assert sum(known) == part.states
        assert part.metrics["moves"].solutions is None
        assert all(visits.solvable is None for visits in part.atoms.values())


def test_a_model_may_have_no_initial_states_or_no_actions() -> None:
    switch = boolean("s")
    nothing = Model((switch,), Zero, (), switch.bits[0])
    found = analysis(nothing, "any")
    assert (found.states, found.metrics["any"].states, found.metrics["any"].diameter) == (0, (), -1)
    both = Model((switch,), switch.bits[0] | ~switch.bits[0], (), switch.bits[0])
    found = analysis(both, "any")
    assert (found.states, found.goals, found.stuck, found.lost) == (2, 1, 2, 1)
    assert found.metrics["any"].solutions is not None
    assert found.metrics["any"].solutions.count == 1


def test_an_unknown_metric_is_refused() -> None:
    with pytest.raises(ModelError, match="no cost for metric 'tiles'"):
        analyse(room(), ["tiles"], Budget())


@given(models(), st.sampled_from([1, 1 << 22]))
def test_the_graph_has_each_state_and_edge_once(model: Model, chunk: int) -> None:
    plain = Plain(model)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("puzzlemc.mc.graph.state_graph.CHUNK_BYTES", chunk)
        graph = explore(model, Budget())
    states = [graph.state(number) for number in range(len(graph))]
    assert len(set(states)) == len(states)
    for number, state in enumerate(states):
        here = graph.forth.at(number)
        found = [
            (model.actions[a].name, states[t])
            for a, t in zip(graph.forth.action[here], graph.forth.other[here], strict=True)
        ]
        assert sorted(found, key=str) == sorted(((a.name, after) for a, after in plain.edges[state]), key=str)
        back = graph.back.at(number)
        into = [(a, states[s]) for a, s in zip(graph.back.action[back], graph.back.other[back], strict=True)]
        names = sorted(((model.actions[a].name, before) for a, before in into), key=str)
        assert names == sorted(((a.name, s) for s in states for a, t in plain.edges[s] if t == state), key=str)


def test_limits_are_checked_between_chunks_of_formulas_too(monkeypatch: pytest.MonkeyPatch) -> None:
    bits = [boolean("lamp", n).bits[0] for n in range(12)]
    toggles = [Action(str(n), {}, {bits[n]: Not(bits[n])}, {"cost": 1}) for n in range(12)]
    model = Model(
        tuple(boolean("lamp", n) for n in range(12)),
        dict.fromkeys(bits, False),
        tuple(toggles),
        dict.fromkeys(bits, True),
    )
    monkeypatch.setattr("puzzlemc.mc.graph.state_graph.LEAST_ROWS", 1)
    monkeypatch.setattr("puzzlemc.mc.graph.state_graph.CHUNK_BYTES", 8 * 12 * 100)
    taken = []
    plain = Steps.successors

    def counted(steps: Steps, rows: PackedStates) -> Iterator[tuple[PackedStates, Numbers, Numbers]]:
        taken.append(len(rows))
        return plain(steps, rows)

    monkeypatch.setattr(Steps, "successors", counted)
    assert len(explore(model, Budget())) == sum(taken) == 1 << 12
    assert max(taken) == 100


@settings(max_examples=examples(15, 200))
@given(models())
def test_a_quotient_merges_the_states_that_reach_each_other_at_no_cost(model: Model) -> None:
    plain, graph = Plain(model), explore(model, Budget())
    price = np.array([action.costs["cost"] for action in model.actions], np.int32)
    made = quotient(graph, price)
    states = [graph.state(number) for number in range(len(graph))]
    home = dict(zip(states, made.home.tolist(), strict=True))
    free = {state: plain.reach(state, free=True) for state in states}
    for here in states:
        together = {there for there in free[here] if here in free[there]}
        assert {there for there in states if home[there] == home[here]} == together
        assert made.sizes[home[here]] == len(together)
    joined = {(home[here], home[there]) for here in states for _, there in plain.edges[here]}
    assert made.edges.tolist() == sorted([here, there] for here, there in joined if here != there)
    depths = plain.depths()
    if not any(depths.values()):
        depths = plain.depths(scale=0, each=1)
    least = [min(depths[state] for state in states if home[state] == node) for node in range(len(made.sizes))]
    assert made.depths.tolist() == least
