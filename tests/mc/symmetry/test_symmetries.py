"""Symmetries of tasks keep what states lead to, and a search of one state for all that are alike loses no plan."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from planner_contract import agrees
from random_tasks import least_costs, random_task, reachable_states, switches, token_task
from symmetric_tasks import image_of, lamps, like_tokens, symmetric_task
from task_reference import check_plan, uniform_cost

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.patterns.estimate import Sums, Table, bound_of
from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.planning import optimal
from puzzlemc.mc.planning.optimal import STAGES, PatternSearch, cheapest_plan
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.search import BOUND, Search, advance
from puzzlemc.mc.planning.stubborn_sets import StubbornSets
from puzzlemc.mc.search.state_table import ENDED, FOUND
from puzzlemc.mc.symmetry import representatives, selection
from puzzlemc.mc.symmetry.automorphisms import automorphisms
from puzzlemc.mc.symmetry.partition import Partition, maps_edges
from puzzlemc.mc.symmetry.selection import cheapest, choices
from puzzlemc.mc.tasks.semantics import holds, initial_state, successors
from puzzlemc.mc.tasks.task import Axiom, Condition, Effect, Operator, State, Task, TaskVariable
from puzzlemc.mc.words import view

MANY = pytest.mark.parametrize("seeds", [range(150), pytest.param(range(150, 2000), marks=pytest.mark.slow)])


@pytest.fixture
def early(monkeypatch: pytest.MonkeyPatch) -> None:
    """States are folded after two expansions, by all symmetries that are known."""
    monkeypatch.setattr(optimal, "cheapest", lambda some, _: some[-1])
    monkeypatch.setattr(optimal, "STAGES", [*(replace(stage, expansions=2) for stage in STAGES[:-1]), STAGES[-1]])


@pytest.fixture
def blind(early: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing tells the distance of a state from the goal, too."""
    stage = replace(STAGES[0], pattern_size=0, total_size=0, expansions=2)
    monkeypatch.setattr(optimal, "STAGES", [stage] * len(STAGES))
    monkeypatch.setattr(optimal, "potential", lambda *_: None)


def maps(task: Task) -> list[dict[tuple[int, int], tuple[int, int]]]:
    """The symmetries that are found, by facts."""
    facts = [(v, value) for v, size in enumerate(task.domains) for value in range(size)]
    return [
        dict(zip(facts, (facts[n] for n in image), strict=True)) for image in choices(task)[-1].images.tolist()
    ]


def costs_after(task: Task, state: State) -> Counter[tuple[State, int]]:
    """The states after a state, each with the least cost of an operator that leads there."""
    least: dict[State, int] = {}
    for number, successor in successors(task, state):
        cost = task.operators[number].cost
        least[successor] = min(cost, least.get(successor, cost))
    return Counter(least.items())


@MANY
def test_a_symmetry_keeps_what_states_lead_to(seeds: range) -> None:
    """By the plain meaning of operators and axioms, of reachable states and of their images."""
    found = 0
    for seed in seeds:
        task, _ = symmetric_task(seed)
        states = reachable_states(task)[:20]
        for image in maps(task)[:6]:
            found += 1
            for state in states:
                other = image_of(image, state)
                assert holds(task.goal, state) == holds(task.goal, other)
                after = costs_after(task, state)
                assert Counter({(image_of(image, s), c): n for (s, c), n in after.items()}) == costs_after(
                    task, other
                )
    assert found > len(seeds)


@pytest.mark.parametrize("most", [1, 1000])
def test_representatives_are_like_their_states(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of successors, too, which are found from that of their parent."""
    monkeypatch.setattr(representatives, "MOST_APPLIED", most)
    other = tried = 0
    for task in [make(seed) for seed in range(25) for make in (lambda seed: symmetric_task(seed)[0], like_tokens)]:
        symmetries = choices(task)[-1]
        for state in reachable_states(task)[:20] if symmetries.count else ():
            least = symmetries.representative(state)
            assert without_derived(task, least) in orbit(task, state)
            for _, after in successors(task, state):
                found = without_derived(task, symmetries.representative_after(state, after))
                assert found in orbit(task, after)
                other += found != without_derived(task, after)
                tried += 1
    assert other > tried // 10 > 50


def test_representatives_of_lamps_that_are_alike_are_sorted() -> None:
    rnd = random.Random(0)
    task = lamps(7, last=1)
    symmetries = choices(task)[1]  # neighbours that are exchanged
    for _ in range(50):
        state = tuple(rnd.randrange(4) for _ in range(7))
        assert symmetries.representative(state) == tuple(sorted(state))
        for _, after in successors(task, state):
            assert symmetries.representative_after(state, after) == tuple(sorted(after))


def without_derived(task: Task, state: Sequence[int]) -> State:
    """The values of the variables that are not derived."""
    return tuple(value for variable, value in enumerate(state) if variable not in task.derived)


def orbit(task: Task, state: State) -> set[State]:
    """The states that symmetries make of one, without values of derived variables."""
    images, found, waiting = maps(task), {state}, [state]
    while waiting:
        here = waiting.pop()
        for other in (image_of(image, here) for image in images):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return {without_derived(task, each) for each in found}


@MANY
def test_the_symmetry_that_a_task_was_made_with_is_found(seeds: range) -> None:
    """What it connects is in one orbit of the symmetries that are found."""
    missed = 0
    for seed in seeds:
        task, known = symmetric_task(seed)
        graph = nx.Graph()
        graph.add_nodes_from(known)
        graph.add_edges_from(pair for image in maps(task) for pair in image.items())
        missed += not all(nx.has_path(graph, one, other) for one, other in known.items())
    assert missed == 0


@MANY
def test_the_answer_is_that_of_the_textbook(seeds: range, early: None) -> None:
    verdicts = Counter(agrees(cheapest_plan, symmetric_task(seed)[0], optimal=True) for seed in seeds)
    assert min(verdicts["solvable"], verdicts["unsolvable"]) > len(seeds) // 20


def test_tasks_without_symmetries_too(early: None) -> None:
    for seed in range(60):
        agrees(cheapest_plan, random_task(seed), optimal=True)
        agrees(cheapest_plan, token_task(seed), optimal=True)
    assert not choices(switches(4))[-1].count


def finished(task: Task, *, folds: bool) -> PatternSearch:
    """A search that has ended."""
    search = PatternSearch(task, Budget(), folds=folds)
    for _ in search.turns():
        pass
    return search


def test_one_state_is_searched_for_all_that_are_alike(blind: None) -> None:
    """Of eight lamps of four values there are C(11, 3) = 165 states by how many have each value, of 65,536."""
    task = lamps(8, last=1)
    folded, whole = finished(task, folds=True), finished(task, folds=False)
    assert (folded.search.used, whole.search.used) == (165, 4**8)
    plan = folded.plan()
    assert plan is not None
    assert check_plan(task, plan) == 24
    other = finished(
        lamps(8, last=2), folds=True
    )  # one lamp is not like the others: C(10, 3) states by 3 of its own
    assert other.search.used == 120 * 3


def test_a_search_of_many_states(blind: None) -> None:
    """More than there is room for at first: of 24 lamps there are C(27, 3) states by how many have each value."""
    assert finished(lamps(24, last=1), folds=True).search.used == 2925


def task_of(
    values: Sequence[Sequence[str]], goal: int, operators: Sequence[tuple[Condition, *tuple[Effect, ...]]]
) -> Task:
    """A task in which all variables have their first values at first, and the last value of one is the goal."""
    variables = tuple(TaskVariable(f"v{n}", tuple(each)) for n, each in enumerate(values))
    made = tuple(Operator(f"o{n}", given, effects) for n, (given, *effects) in enumerate(operators))
    return Task(variables, (0,) * len(values), {goal: len(values[goal]) - 1}, made)


def test_effects_that_fire_together_keep_their_order() -> None:
    """The last effect on a variable counts, so values differ; if one effect excludes the other, they are alike."""
    lamp, switch = ("off", "red", "green"), ("no", "yes")
    ends = ({0: 1}, Effect(1, 1)), ({0: 2}, Effect(1, 1))
    assert not choices(task_of([lamp, switch], 1, [({}, Effect(0, 1), Effect(0, 2)), *ends]))[-1].count
    turns = [({}, Effect(2, value)) for value in range(2)]
    either = Effect(0, 1, {2: 0}), Effect(0, 2, {2: 1})
    assert choices(task_of([lamp, switch, switch], 1, [({}, *either), *turns, *ends]))[-1].count
    for either in (
        (Effect(0, 1), Effect(0, 2, {2: 1})),
        (Effect(0, 1, {2: 1}), Effect(0, 2, {2: 1})),
    ):
        assert not choices(task_of([lamp, switch, switch], 1, [({}, *either), *turns, *ends]))[-1].count


def test_costs_tell_operators_apart() -> None:
    task = lamps(2, last=1)
    assert choices(task)[-1].count
    assert not choices(task.with_costs(1 + operator.precondition.get(0, 0) for operator in task.operators))[
        -1
    ].count


def test_axioms_and_defaults_tell_variables_apart() -> None:
    """Of two switches only one lights the lamp; and a lamp that nothing lights is off, not on."""
    switch, lamp = TaskVariable("switch", ("no", "yes")), TaskVariable("lamp", ("no", "yes"), 0)
    operators = Operator("0", {}, (Effect(0, 1),)), Operator("1", {}, (Effect(1, 1),))
    task = Task((switch, switch, lamp), (0, 0, 0), {2: 1}, operators, (Axiom({0: 1}, 2, 1),))
    assert not choices(task)[-1].count
    task = replace(task, axioms=(Axiom({0: 1}, 2, 1), Axiom({1: 1}, 2, 1)))
    assert choices(task)[-1].count
    ways = Operator("off", {2: 0}, (Effect(0, 1),)), Operator("on", {2: 1}, (Effect(1, 1),))
    ends = Operator("0", {0: 1}, (Effect(3, 1),)), Operator("1", {1: 1}, (Effect(3, 1),))
    task = Task((switch, switch, lamp, switch), (0, 0, 0, 0), {3: 1}, (*ways, *ends))
    assert not choices(task)[-1].count


def test_states_of_an_unsolvable_task_are_closed(blind: None) -> None:
    """Those that no plan leads from; also if the search has seen only one that is like them."""
    tried = 0
    for seed in range(200):
        task, _ = symmetric_task(seed)
        if uniform_cost(task, Budget()).plan is None:
            search = finished(task, folds=True)
            tried += search.symmetries.count > 0
            assert search.plan() is None
            assert all(search.is_closed(state) for state in reachable_states(task)[:10])
            far = tuple(task.goal.get(v, 0) for v in range(len(task.domains)))
            assert set(task.goal) & set(task.derived) or not search.is_closed(far)
    assert tried > 3


def test_large_tasks_are_searched_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    task = lamps(6, last=1)
    most = choices(task)[-1].count
    monkeypatch.setattr(selection, "MOST_WORK", 300)
    assert choices(task)[-1].count < most
    monkeypatch.setattr(selection, "MOST_SIZE", 10)
    assert choices(task)[-1].count == 0


def test_the_symmetries_that_a_search_uses_are_worth_their_work() -> None:
    """Neighbours that are exchanged sort the lamps, and all pairs do no more; one state is like no other."""
    task = lamps(8, last=1)
    some = choices(task)
    assert [each.count for each in some] == [0, 7, 28]
    states = [tuple(int(n in chosen) for n in range(8)) for chosen in combinations(range(8), 4)]
    assert cheapest(some, states) is some[1]
    assert cheapest(some, [initial_state(task)]) is some[0]
    assert cheapest(some, states[:16]) is some[1]  # one, and successors of it


def test_costs_are_those_of_all_states_alike(early: None) -> None:
    """Of each reachable state: also where the initial state has no symmetry of its own."""
    for seed in range(40):
        task, _ = symmetric_task(seed, plain=True)
        costs = least_costs(task)
        for state in reachable_states(task)[:8]:
            found = cheapest_plan(replace(task, initial=state), Budget())
            assert (found.plan is None) == (state not in costs)
            assert found.plan is None or found.bound == costs[state]


def orbits(count: int, images: list[np.ndarray]) -> set[frozenset[int]]:
    graph = nx.empty_graph(count)
    graph.add_edges_from((v, int(w)) for image in images for v, w in enumerate(image))
    return {frozenset(part) for part in nx.connected_components(graph)}


def listed(graph: nx.Graph) -> list[np.ndarray]:
    """All automorphisms of a graph with colours, by another package."""
    same = nx.algorithms.isomorphism.categorical_node_match("colour", None)
    every = nx.algorithms.isomorphism.GraphMatcher(graph, graph, same).isomorphisms_iter()
    return [np.array([each[v] for v in range(len(graph))]) for each in every]


def found_in(graph: nx.Graph) -> list[np.ndarray]:
    """The automorphisms that are found."""
    colours = np.array([graph.nodes[v]["colour"] for v in graph])
    return [*automorphisms(Partition(colours, np.array(graph.edges, np.int64).reshape(-1, 2)), 10**6)]


def test_vertices_that_refinement_does_not_tell_apart() -> None:
    """Of two graphs that are strongly regular with the same numbers: a board of rooks, and Shrikhande's."""
    steps = [(1, 0), (0, 1), (1, 1)]
    places = [(x, y) for x in range(4) for y in range(4)]
    shrikhande = nx.Graph((at, ((at[0] + x) % 4, (at[1] + y) % 4)) for at in places for x, y in steps)
    graph = nx.disjoint_union(nx.line_graph(nx.complete_bipartite_graph(4, 4)), shrikhande)
    nx.set_node_attributes(graph, 0, "colour")
    found = found_in(graph)
    assert found
    for image in found:
        assert all(graph.has_edge(image[v], image[w]) for v, w in graph.edges)


@pytest.mark.parametrize("seed", range(60))
def test_orbits_are_those_of_all_automorphisms(seed: int) -> None:
    """Of small graphs, whose automorphisms are listed by another package."""
    count = 3 + seed % 5
    graph = nx.gnp_random_graph(count, (0.3, 0.5, 0.7)[seed % 3], seed)
    nx.set_node_attributes(graph, {v: v % (1 + seed % 2) for v in graph}, "colour")
    every, found = listed(graph), found_in(graph)
    assert {tuple(image.tolist()) for image in found} <= {tuple(image.tolist()) for image in every}
    assert orbits(count, found) == orbits(count, every)


def folding_search(task: Task, estimate: Sums) -> Search:
    """A search by all symmetries that are known."""
    packed, every = PackedTask(task, Operators(task)), StubbornSets(task, is_on=False)
    return Search(packed, estimate, initial_state(task), choices(task)[-1], every)


@MANY
def test_bounds_that_differ_between_states_alike(seeds: range) -> None:
    """Any bound that no plan contradicts gives the least cost; where it is not consistent, states open again."""
    reopened = 0
    for seed in seeds:
        rnd = random.Random(seed)
        task = like_tokens(seed)
        states, costs = reachable_states(task), least_costs(task)
        factors = np.cumprod([1, *task.domains])[:-1]
        distances = np.zeros((int(np.prod(task.domains)), 1), np.int32)
        for state in states:
            most = costs.get(state, rnd.choice((20, INFINITE)))
            distances[state @ factors] = most if most >= INFINITE or rnd.random() < 0.3 else rnd.randint(0, most)
        table = Table(
            tuple(range(len(factors))), tuple(factors.tolist()), distances, (0,), np.ones(len(distances), np.bool_)
        )
        estimate = Sums([table], 1, len(factors))
        search = folding_search(task, estimate)
        status = advance(search, 1 << 24, 1 << 30)
        reopened += search.used > len(np.unique(np.asarray(search.rows)[: search.used], axis=0))
        assert (status == FOUND) == (initial_state(task) in costs)
        if status == FOUND:
            assert check_plan(task, search.path(search.goal)) == costs[initial_state(task)] == search.bound
    assert reopened


def test_a_state_that_replaces_another_may_be_dead() -> None:
    """A jump leads to lamps of 1 and 2, and steps at a lower cost to 2 and 1, which alone is known to be dead."""
    changes = ((0, 2, 9), (0, 1, 1), (1, 2, 3))
    lamp = tuple(map(str, range(3)))
    variables = TaskVariable("lamp 0", lamp), TaskVariable("lamp 1", lamp), TaskVariable("goal", ("no", "yes"))
    operators = tuple(
        Operator(f"{n}: {before} {after}", {n: before}, (Effect(n, after),), cost)
        for n in range(2)
        for before, after, cost in changes
    )
    task = Task(variables, (1, 0, 0), {2: 1}, operators)
    distances = np.zeros((9, 1), np.int32)
    distances[2 + 3 * 1] = INFINITE
    estimate = Sums([Table((0, 1), (1, 3), distances, (0,), np.ones(9, np.bool_))], 1, 3)
    search = folding_search(task, estimate)
    assert advance(search, 1 << 20, 100) == ENDED
    states = search.first_states(search.used)
    assert (2, 1, 0) in states
    assert len(states) == len({tuple(sorted(state)) for state in states}) > 3
    closed = np.flatnonzero(np.asarray(search.node_info)[: search.used, BOUND] < 0).tolist()
    assert all(bound_of(estimate, states[number]) < INFINITE for number in closed)


def test_a_map_is_an_automorphism_if_it_keeps_edges() -> None:
    """Of a path of four vertices: it is turned round, and its ends do not change places alone."""
    cells = Partition(np.zeros(4, np.int64), np.array([[0, 1], [1, 2], [2, 3]]))
    assert maps_edges(cells, view(np.array([3, 2, 1, 0], np.int32)))
    assert not maps_edges(cells, view(np.array([3, 1, 2, 0], np.int32)))
