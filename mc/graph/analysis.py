"""Analysis of all reachable states of a model: their number and depth, dead states, the number of solutions.

Everything is exact and nothing is pruned. Terms, used here and in reports:

depth      of a state, under a metric: the least cost of a path from an initial state to it
solvable   a goal state is reachable from the state; otherwise the state is *dead*
stuck      no action is enabled in the state
lost       dead and stuck
losing     an action that leads from a solvable state to a dead one
solution   under a metric: a cheapest path from an initial state to a goal state. A *paid* step is an action that
           costs something, with the state that it leads to. Two solutions are equal if they have the same paid
           steps. Actions without cost are not counted.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import LIMITS, reason_of
from puzzlemc.mc.graph.fixpoints import leaving
from puzzlemc.mc.graph.numbering import counted_cubes
from puzzlemc.mc.graph.paths import FAR, Plans, cheapest_path, distances, paid_steps
from puzzlemc.mc.graph.state_graph import Edges, Indices, StateGraph, explore
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import cost_of
from puzzlemc.mc.model.formula import literals
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.packed.layout import Layout, Truths

Losses: TypeAlias = npt.NDArray[np.int64]  # (losing edges, 2): the state that it leaves, and the edge


EXPLORING = 0.5  # the share of the time for the state graph; the analysis gets the rest


@dataclass(frozen=True)
class Visits:
    """The number of reachable states in which an atom holds, and the number of solvable states among them.

    For atoms about places, these are heat maps. An atom is *dead* if it holds in reachable states but in no
    solvable one. If `solvable` is not known, `known_dead` of the states are known to be dead.
    """

    states: int
    solvable: int | None
    known_dead: int = 0

    @property
    def is_dead(self) -> bool:
        """Does the atom hold in some reachable state, and in no solvable one?"""
        return self.states > 0 and self.solvable == 0


@dataclass(frozen=True)
class ShortestSolutions:
    """The shortest solutions under a metric.

    cost         the cost of each of them
    count        their exact number, of any size
    trace        one of them, with the fewest actions
    forced       the length of the common prefix of all of them, in paid steps
    on_some      the number of states on at least one of them; counts initial states and targets of paid steps
    on_all       the number of these states that are on all of them
    ends         the number of targets of last paid steps: solutions that differ only in order have the same
    """

    cost: int
    count: int
    trace: Trace
    forced: int
    on_some: int
    on_all: int
    ends: int

    @property
    def is_unique(self) -> bool:
        """Is there exactly one?"""
        return self.count == 1


@dataclass(frozen=True)
class Losing:
    """Losing actions by depth under a metric.

    by_depth     `by_depth[d]` is the number of losing actions from states of depth d
    first        the cheapest trace that ends with a losing action; None if there is none
    on_shortest  the number of losing actions from states on shortest solutions
    """

    by_depth: tuple[int, ...]
    first: Trace | None
    on_shortest: int

    @property
    def earliest(self) -> int | None:
        """The least depth of a state with a losing action."""
        return next((depth for depth, count in enumerate(self.by_depth) if count), None)


@dataclass(frozen=True)
class ByMetric:
    """The part of an analysis that depends on the metric.

    states     `states[d]` is the number of reachable states of depth d; for an incomplete graph, the known depths
    dead       the same for the dead states
    solutions  the shortest solutions; None if there are none, or if they are not known (see `Analysis.missing`)
    losing     the losing actions; None if they are not known
    """

    states: tuple[int, ...]
    dead: tuple[int, ...] | None
    solutions: ShortestSolutions | None
    losing: Losing | None

    @property
    def diameter(self) -> int:
        """The depth of the deepest state."""
        return len(self.states) - 1


@dataclass(frozen=True)
class Analysis:
    """The analysis of a model. Numbers that a limit left unknown are None and named in `missing`.

    graph     the state graph
    states    the number of reachable states; for an incomplete graph, of the states found
    goals     the number of goal states among them
    edges     the number of edges
    solvable, dead, stuck, lost   numbers of states, see the head of this file
    atoms     by name, in the order of the model
    metrics   by metric, in the given order; without the metrics of which nothing is known
    reason    None if everything is known; else the limit, `timeout` or `memory`
    missing   what is not known, in words
    is_solvable  for each state, whether a goal state is reachable; shape (states,)
    known_dead   the number of states that are known to be dead, if `dead` is not known
    """

    graph: StateGraph
    states: int
    goals: int
    edges: int | None = None
    solvable: int | None = None
    dead: int | None = None
    stuck: int | None = None
    lost: int | None = None
    atoms: Mapping[str, Visits] = field(default_factory=dict)
    metrics: Mapping[str, ByMetric] = field(default_factory=dict)
    reason: str | None = None
    missing: tuple[str, ...] = ()
    is_solvable: Truths | None = None
    known_dead: int = 0

    @property
    def is_complete(self) -> bool:
        """Is everything known?"""
        return self.reason is None


def analyse(model: Model, metrics: Sequence[str], budget: Budget) -> Analysis:
    """Analyse all reachable states of a model, under each of the metrics, as far as the limits allow.

    Raises ModelError if there are too many initial states to list, or an action has no cost for a metric.
    """
    seconds = None if budget.left is None else EXPLORING * budget.left
    graph = explore(model, budget.part(replace(budget.limits, seconds=seconds)))
    step_costs = {metric: np.array([cost_of(a, metric) for a in model.actions], np.int32) for metric in metrics}
    goal = graph.holds(model.goal)
    known = Analysis(graph, len(graph), int(goal.sum()), atoms=_visits(graph, None))
    # If every action costs 1, the rounds of the search are the depths, even in an incomplete graph.
    rounds = tuple(int(count) for count in np.diff(graph.rounds))
    units = {metric for metric in metrics if (step_costs[metric] == 1).all()}
    known = replace(
        known, metrics={metric: ByMetric(rounds, None, None, None) for metric in metrics if metric in units}
    )
    if graph.reason is not None:
        return replace(known, reason=graph.reason, missing=_missing(known, metrics, depths=True))
    stuck = graph.stuck
    known = replace(known, edges=len(graph.forth.other), stuck=int(stuck.sum()))
    try:
        budget.check()
        left = _distances(graph.back, np.zeros(len(model.actions), np.int32), np.flatnonzero(goal))
        solvable = left != FAR
        known = replace(
            known,
            is_solvable=solvable,
            solvable=int(solvable.sum()),
            dead=int((~solvable).sum()),
            lost=int((stuck & ~solvable).sum()),
        )
        budget.check()
        known = replace(known, atoms=_visits(graph, solvable))
        losses = leaving(graph.forth.adjacency, solvable)
        for metric in metrics:
            budget.check()
            left = _distances(graph.back, step_costs[metric], np.flatnonzero(goal))
            by_metric = _by_metric(graph, step_costs[metric], solvable, losses, metric in units, left, budget)
            known = replace(known, metrics={**known.metrics, metric: by_metric})
    except LIMITS as limit:
        known = replace(known, reason=reason_of(limit))
    # In the given order.
    known = replace(
        known, metrics={metric: known.metrics[metric] for metric in metrics if metric in known.metrics}
    )
    return known if known.reason is None else replace(known, missing=_missing(known, metrics, depths=False))


def with_known_dead(analysis: Analysis, dead: Truths) -> Analysis:
    """An analysis that a limit cut short, with the states that are known to be dead by other means."""
    visits = _visits(analysis.graph, dead)
    atoms = {name: replace(each, known_dead=visits[name].solvable or 0) for name, each in analysis.atoms.items()}
    return replace(analysis, known_dead=int(dead.sum()), atoms=atoms)


def unexplored(model: Model, reason: str) -> Analysis:
    """The analysis of a model whose initial states could not be listed."""
    nothing = np.zeros(0, np.int32)
    graph = StateGraph(
        model,
        np.zeros((0, Layout(model).words), np.uint64),
        Edges(np.zeros(1, np.int64), nothing, nothing),
        (0, 0),
        reason,
    )
    return Analysis(graph, 0, 0, reason=reason)


def _missing(known: Analysis, metrics: Sequence[str], *, depths: bool) -> tuple[str, ...]:
    """What is not known, in words; `depths` says that not all states of each depth are known."""
    missing = []
    if depths:
        depth = len(known.graph.rounds) - 2
        missing.append(f"states more than {depth} action{'s' * (depth != 1)} away from the start")
    for what, value in [
        ("how many actions there are between states, and which states have none", known.edges),
        ("which states can still be solved, and which are dead", known.solvable),
    ]:
        if value is None:
            missing.append(what)
    for metric in metrics:
        if metric not in known.metrics:
            missing.append(f"depths, shortest solutions and losing actions by {metric}")
        elif known.metrics[metric].losing is None:
            missing.append(f"dead states by depth, shortest solutions and losing actions by {metric}")
    return tuple(missing)


def _distances(edges: Edges, step_cost: Indices, starts: npt.NDArray[np.int64]) -> Indices:
    """The least cost of each state from the starts, FAR for unreachable states."""
    return distances(edges.adjacency, step_cost, starts.astype(np.int32))


def _visits(graph: StateGraph, solvable: Truths | None) -> dict[str, Visits]:
    """For each atom, in how many states and in how many solvable states it holds."""
    chosen = np.zeros(len(graph), np.bool_) if solvable is None else solvable
    cubes = {name: cube for name, atom in graph.model.atoms.items() if (cube := literals(atom)) is not None}
    masks, values = np.zeros((2, len(cubes), graph.rows.shape[1]), np.uint64)
    for number, cube in enumerate(cubes.values()):
        masks[number] = graph.layout.pack(list(cube))
        values[number] = graph.layout.pack([b for b, value in cube.items() if value])
    visits = dict(zip(cubes, counted_cubes(graph.rows, chosen, masks, values), strict=True))
    for name, atom in graph.model.atoms.items():
        if name not in visits:
            holds = graph.holds(atom)
            visits[name] = [int(holds.sum()), int((holds & chosen).sum())]
    return {
        name: Visits(visits[name][0], None if solvable is None else visits[name][1]) for name in graph.model.atoms
    }


def _by_metric(
    graph: StateGraph,
    step_cost: Indices,
    solvable: Truths,
    losses: Losses,
    unit: bool,
    left: Indices,
    budget: Budget,
) -> ByMetric:
    """The part of the analysis for one metric. `left` is the least cost of each state to the goal."""
    if unit:
        depth = np.repeat(np.arange(len(graph.rounds) - 1, dtype=np.int32), np.diff(graph.rounds))
    else:
        depth = _distances(graph.forth, step_cost, np.arange(graph.initial))
    budget.check()
    states = np.bincount(depth)
    source = losses[:, 0]
    on_shortest, solutions = 0, None
    best = int(left[: graph.initial].min(initial=FAR))
    if best != FAR:
        gone_by, left_by = (
            depth[source],
            left[source],
        )  # a losing action leaves a solvable state: no FAR among them
        on_shortest = int((gone_by + left_by == best).sum())
        solutions = _solutions(graph, step_cost, depth, left, best, budget)
    return ByMetric(
        states=tuple(states.tolist()),
        dead=tuple(np.bincount(depth[~solvable], minlength=len(states)).tolist()),
        solutions=solutions,
        losing=Losing(
            tuple(np.bincount(depth[source], minlength=len(states)).tolist()),
            _first_loss(graph, step_cost, depth, losses),
            on_shortest,
        ),
    )


def _first_loss(graph: StateGraph, step_cost: Indices, depth: Indices, losses: Losses) -> Trace | None:
    """The cheapest trace that ends with a losing action."""
    if not len(losses):
        return None
    total = depth[losses[:, 0]] + step_cost[graph.forth.action[losses[:, 1]]]
    cheapest = losses[total == total.min()]
    states, actions = _cheapest_run(graph, step_cost, depth, cheapest[:, 0])
    edge = int(cheapest[cheapest[:, 0] == states[-1]][0, 1])
    return graph.trace([*states, int(graph.forth.other[edge])], [*actions, int(graph.forth.action[edge])])


def _cheapest_run(
    graph: StateGraph, step_cost: Indices, depth: Indices, lasts: npt.NDArray[np.int64]
) -> tuple[list[int], list[int]]:
    """States and actions of a path to one of `lasts`, with the fewest actions among the cheapest paths."""
    back = graph.back
    ends = np.unique(lasts).astype(np.int32)
    s, by = cheapest_path(back.adjacency, step_cost, depth, graph.initial, ends)
    states, actions = [s], []
    while by[s] >= 0:
        actions.append(int(back.action[by[s]]))
        s = int(np.searchsorted(back.first, by[s], side="right")) - 1  # the state that the edge leads to
        states.append(s)
    return states, actions


def _solutions(
    graph: StateGraph, step_cost: Indices, depth: Indices, left: Indices, best: int, budget: Budget
) -> ShortestSolutions:
    """The shortest solutions, of cost `best`, counted over their paid steps. Raises LimitReached."""

    goals = np.flatnonzero((left == 0) & (depth == best) & graph.holds(graph.model.goal))
    trace = graph.trace(*_cheapest_run(graph, step_cost, depth, goals))
    capacity, written = 0, 1 << 16
    while written > capacity:
        capacity = written
        plans = Plans(step_cost, depth, left, best, graph.initial, capacity)
        paid_steps(graph.forth.adjacency, plans)
        written = plans.step_count
        budget.check()
    entries, steps = plans.found
    count, steps = len(entries), np.unique(steps, axis=0)
    next_entries: list[list[int]] = [[] for _ in range(count)]
    for source, _, target in steps.tolist():
        next_entries[source].append(target)
    cost = depth[entries]
    order = np.argsort(cost, kind="stable").tolist()
    before = [int(at < graph.initial) for at in entries.tolist()]
    after = [int(paid == best) for paid in cost.tolist()]
    for number_of_entry in order:
        for target in next_entries[number_of_entry]:
            before[target] += before[number_of_entry]
    budget.check()
    for number_of_entry in reversed(order):
        for target in next_entries[number_of_entry]:
            after[number_of_entry] += after[target]
    starts = [at for at in range(count) if entries[at] < graph.initial]
    total = sum(after[at] for at in starts)
    forced, at = 0, starts[0]
    while len(starts) == 1 and len(next_entries[at]) == 1:
        forced, at = forced + 1, next_entries[at][0]
    on_all = sum(b * a == total for b, a in zip(before, after, strict=True))
    ends = sum(paid == best for paid in cost.tolist())
    return ShortestSolutions(best, total, trace, forced, count, on_all, ends)
