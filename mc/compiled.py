"""Explicit search in compiled code, with dead patterns: what is quickest where states are few.

For models of literal guards, constant updates, one initial state, and a goal that is a disjunction of cubes.
Where the goal states can be listed, it searches from both ends, by the stopping rule of `bidirectional`; where
actions that only change the location can be taken back, they are no steps of the search, and `walk` puts them into
the trace.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from puzzlemc.mc import explicit as bit_parallel
from puzzlemc.mc import kernel
from puzzlemc.mc.dead_rows import DeadRows
from puzzlemc.mc.distances import distances, has_distances, nothing_told
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.formula import Bit, Formula, literals
from puzzlemc.mc.kernel import Ints, Space, Tables, Words
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import ANY, Action, Model, cost_of
from puzzlemc.mc.packing import Packing, Rule
from puzzlemc.mc.shared import within_limits
from puzzlemc.mc.space import STEPS, bytes_per_state, entered, roomier, settled, start_space
from puzzlemc.mc.verdict import Reachable, Statistics, Trace, Unknown, Unreachable, Verdict


def compiled(model: Model, metric: str, watch: Watch, most_states: int | None = None) -> Verdict:
    """Decide reachability of the goal state by state, in order of cost, in compiled code.

    Stops with *unknown*, reason `bound`, past `most_states`. Raises Unsuitable where the model has formulas
    that are no cubes or more than one initial state, ModelError where it has no cost for the metric.
    """
    if metric == ANY and model.hints.objects:  # any solution will do, and walks are many
        prices = [int(moves_object(model, action)) for action in model.actions]
    else:
        prices = [cost_of(action, metric) for action in model.actions]

    def attempt() -> Verdict:
        room = watch.limits.memory // bytes_per_state(Packing(model).words)
        most = room if most_states is None else min(room, most_states)
        for patterns, states in (*PATTERNS.items(), (max(PATTERNS) + 1, most)):
            verdict = _search(prepare(model, prices, watch, patterns=patterns), metric, watch, min(states, most))
            if not (isinstance(verdict, Unknown) and verdict.reason == "bound") or states >= most:
                break
        if isinstance(verdict, Unknown) and verdict.reason == "bound" and most == room:
            return Unknown("memory", watch.bound, verdict.statistics)
        return verdict

    return within_limits(watch, attempt)


def moves_object(model: Model, action: Action) -> bool:
    """Does the action change any object?"""
    return not action.update.keys().isdisjoint(model.hints.objects)


def explicit(model: Model, metric: str, watch: Watch, diagrams: str = "") -> Verdict:
    """Compiled search where the model is of the kind for it, else bit-parallel. `diagrams` is not used."""
    try:
        return compiled(model, metric, watch)
    except Unsuitable:
        return bit_parallel.explicit(model, metric, watch)


DEAREST = 1 << 12  # cost of an action, at most: rows wait in an array by their cost
# Number of objects in a dead pattern -> states that a search sees before it begins again with larger patterns.
PATTERNS = {1: 1 << 14, 2: 1 << 18}


@dataclass
class Side:
    """One of the two searches."""

    tables: Tables
    space: Space

    @property
    def size(self) -> int:
        """States seen."""
        return int(self.space.scalars[kernel.ROWS])


@dataclass
class Problem:
    """A model made ready: two sides, or one and the cubes of the goal; walks; what is dead."""

    model: Model
    packing: Packing
    dead: DeadRows
    walks: frozenset[Rule]
    least_price: int  # least cost of an action that is no walk
    goal_mask: Words
    goal_value: Words
    forward: Side
    backward: Side | None

    @property
    def sides(self) -> list[Side]:
        """The one side or both."""
        return [self.forward] if self.backward is None else [self.forward, self.backward]

    def statistics(self, limit: int = 0) -> Statistics:
        """The last limit and the states of the sides together."""
        return Statistics(limit + 1, sum(side.size for side in self.sides))


def prepare(
    model: Model, prices: Sequence[int], watch: Watch, *, patterns: int = 1, both_ends: bool = True
) -> Problem:
    """Make a model ready, with a price for each action, and dead patterns of up to so many objects.

    Raises Unsuitable for a model of another kind.
    """
    packing = Packing(model)
    initial = literals(model.init)
    if initial is None or len(initial) < len(model.bits):
        raise Unsuitable("it has no single initial state")
    goal = _cubes(model.goal)
    if max(prices, default=0) > DEAREST:
        raise Unsuitable(f"an action costs {max(prices)}, more than {DEAREST}")
    rules = [packing.rule(model.actions[number], price, number) for number, price in enumerate(prices)]
    walks = _walks(packing, rules, goal)
    dead = DeadRows(packing, model, rules, walks, patterns, watch)
    rules = [rule for rule in rules if not dead.enters(rule)]
    moving = [rule for rule in rules if rule not in walks]
    start = packing.rows([packing.integer(b for b, held in initial.items() if held)])
    to_goal = from_start = nothing_told(packing)
    if has_distances(packing, model, rules) and len(goal) == 1:
        held = [b for b, value in goal[0].items() if value and b in model.hints.objects]
        to_goal = distances(packing, [rule.reverse(rule.price) for rule in rules], packing.excluded, held)
        objects = [b for b, value in initial.items() if value and b in model.hints.objects]
        from_start = distances(packing, rules, [int(start[0, 0]) & packing.key], objects)
    forward_tables = packing.tables(moving, to_goal, dead.partners, walks, None, dead.triples)
    forward = Side(forward_tables, start_space(settled(forward_tables, start)))
    least_price = min((rule.price for rule in moving), default=0)
    ends = _goal_states(packing, model, goal) if both_ends else None
    if ends is None:
        mask = packing.rows([packing.integer(cube) for cube in goal])
        value = packing.rows([packing.integer(b for b, held in cube.items() if held) for cube in goal])
        return Problem(model, packing, dead, walks, least_price, mask, value, forward, None)
    costly = any(walk.price for walk in walks)
    back = [rule.reverse(rule.price) for rule in moving]
    backward_tables = packing.tables(back, from_start, None, walks, start[0] if costly else None)
    backward = Side(backward_tables, start_space(entered(backward_tables, settled(backward_tables, ends))))
    nothing = start[:0]  # no goal to look for: the sides meet
    return Problem(model, packing, dead, walks, least_price, nothing, nothing, forward, backward)


def _search(problem: Problem, metric: str, watch: Watch, most: int) -> Verdict:
    forward, backward = problem.forward, problem.backward
    best = np.array([kernel.NEVER, -1, -1], np.int64)  # cost, row of the forward side, row of the backward side
    if backward is not None:
        start, there = forward.space.rows[0], backward.space
        at = int(there.slots[kernel.find(there.rows, there.slots, start)])
        if at >= 0:
            best[:] = 0, 0, at
    limit, status, hit = 0, kernel.PAUSED, -1
    split = np.zeros(2, np.int64)
    while status in (kernel.PAUSED, kernel.FULL):
        watch.check()
        if sum(side.size for side in problem.sides) >= most:
            return Unknown("bound", watch.bound, problem.statistics(limit))
        for side in problem.sides:
            side.space = roomier(side.space, side.tables)
        if backward is None:
            mask, value = problem.goal_mask, problem.goal_value
            status, hit, limit = kernel.search(forward.tables, mask, value, forward.space, limit, STEPS, False)
        else:
            tables, spaces = (forward.tables, backward.tables), (forward.space, backward.space)
            status, limit = kernel.meet(*tables, *spaces, best, limit, split, problem.least_price, STEPS)
        watch.prove(min(limit, int(best[0])))
    if status == kernel.FOUND:
        actions = actions_to(problem.model, forward.space, hit)[::-1]
        return found(problem, actions, metric, optimal=metric != ANY)
    if status == kernel.MET:
        return found(problem, _actions_met(problem, best), metric, optimal=metric != ANY)
    if problem.forward.tables.pace:  # rows are not all states that a run enters: without costs they tell of all
        return _search(prepare(problem.model, [0] * len(problem.model.actions), watch), metric, watch, most)
    over = forward if backward is None or kernel.is_over(forward.space) else backward
    invariant = problem.dead.invariant(over.space, over.tables, backward=over is backward)
    return Unreachable(invariant, problem.statistics(limit))


def found(problem: Problem, actions: list[Action], metric: str, *, optimal: bool) -> Reachable:
    """The verdict of the run of these actions, with the walks that it needs."""
    trace = walk(problem.packing, problem.model, problem.walks, actions)
    return Reachable(trace, trace.cost(metric), optimal, problem.statistics())


def _actions_met(problem: Problem, best: Ints) -> list[Action]:
    """The actions of the run through the rows where the sides met."""
    assert problem.backward is not None
    before = actions_to(problem.model, problem.forward.space, int(best[1]))
    return before[::-1] + actions_to(problem.model, problem.backward.space, int(best[2]))


def _goal_states(packing: Packing, model: Model, goal: list[dict[Bit, bool]]) -> Words | None:
    """The goal states as rows, where a cube and a conserved count tell all bits but the location; else None."""
    location = model.hints.location
    first = location.bits if location is not None else ()
    rest = frozenset(packing.bits[len(first) :])
    if len(goal) != 1 or not goal[0].keys() <= rest:
        return None
    held = {b for b, value in goal[0].items() if value}
    told = goal[0].keys() >= rest or any(
        rest == frozenset(formulas) and total == len(held) for formulas, total in model.hints.conserved
    )
    if not told:
        return None
    goal_bits = packing.integer(held)
    if location is None:
        return packing.rows([goal_bits])
    codes = [packing.integer(b for b, on in location.literals(v).items() if on) for v in location.values]
    return packing.rows([code | goal_bits for code in codes if not packing.excluded.get(code, 0) & goal_bits])


def _walks(packing: Packing, rules: list[Rule], goal: list[dict[Bit, bool]]) -> frozenset[Rule]:
    """The rules that only move between locations, if all have one price and a way back; else none.

    Neither may the goal depend on the location.
    """
    key = packing.key
    walks = [rule for rule in rules if not (rule.clear | rule.set) & ~key]
    ways = {(rule.source(key), rule.target(key), rule.mask, rule.value & ~key) for rule in walks}
    # An action that may be anywhere would not tell `walk` where to go for it.
    if any(packing.integer(cube) & key for cube in goal) or any(rule.mask & key != key for rule in rules):
        return frozenset()
    if any((end, start, mask, value) not in ways for start, end, mask, value in ways):
        return frozenset()
    return frozenset(walks) if len({rule.price for rule in walks}) == 1 else frozenset()


def _cubes(goal: Formula) -> list[dict[Bit, bool]]:
    cube = literals(goal)
    if cube is not None:
        return [cube]
    if goal.is_zero():
        return []
    parts = [literals(part) for part in goal.xs] if goal.ASTOP == "or" else [None]
    cubes = [part for part in parts if part is not None]
    if len(cubes) < len(parts):
        raise Unsuitable("its goal is no disjunction of cubes")
    return cubes


def actions_to(model: Model, space: Space, number: int) -> list[Action]:
    """The actions from the row of that number back to where its side started."""
    actions: list[Action] = []
    while space.facts[number, kernel.PARENT] >= 0:
        actions.append(model.actions[int(space.facts[number, kernel.ACTION])])
        number = int(space.facts[number, kernel.PARENT])
    return actions


def walk(packing: Packing, model: Model, walks: Iterable[Rule], actions: list[Action]) -> Trace:
    """The run of the actions from the initial state, with the fewest walks between them."""
    initial = literals(model.init) or {}
    states = [frozenset(b for b, held in initial.items() if held)]
    taken: list[Action] = []
    steps: dict[int, list[Rule]] = {}
    for rule in walks:
        steps.setdefault(rule.value & packing.key, []).append(rule)
    for action in actions:
        here = packing.integer(states[-1])
        came: dict[int, Rule | None] = {here: None}
        waiting = deque([here])
        while waiting and not _enabled(packing, action, waiting[0]):
            at = waiting.popleft()
            for rule in steps.get(at & packing.key, ()):
                after = at & ~rule.clear | rule.set
                if at & rule.mask == rule.value and after not in came:
                    came[after] = rule
                    waiting.append(after)
        at, way = waiting[0], []
        while (last := came[at]) is not None:
            way.append(model.actions[last.number])
            at = at & ~(last.clear | last.set) | last.value & (last.clear | last.set)
        for step in [*reversed(way), action]:
            taken.append(step)
            states.append(step.fire(states[-1]))
    return Trace(tuple(states), tuple(taken))


def _enabled(packing: Packing, action: Action, integer: int) -> bool:
    cube = literals(action.guard) or {}
    return all(bool(integer & packing.one[b]) == value for b, value in cube.items())
