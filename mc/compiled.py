"""Explicit search in compiled code, with dead patterns: what is quickest where states are few.

For models of literal guards, constant updates, one initial state, and a goal that is a disjunction of cubes.
Where the goal states can be listed, it searches from both ends, by the stopping rule of `bidirectional`; where
steps between locations are free, one row stands for a region of them, and `walk` puts the steps into the trace.
"""

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from puzzlemc.mc import kernel
from puzzlemc.mc.dead_rows import DeadRows
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.formula import Bit, Formula, literals
from puzzlemc.mc.distances import distances, has_distances, nothing_told
from puzzlemc.mc.kernel import Ints, Space, Tables, Words
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import ANY, Action, Model, cost_of
from puzzlemc.mc.packing import Packing, Rule
from puzzlemc.mc.shared import within_limits
from puzzlemc.mc.space import STEPS, bytes_per_state, roomier, settled, start_space
from puzzlemc.mc.verdict import Reachable, Statistics, Trace, Unknown, Unreachable, Verdict

def compiled(model: Model, metric: str, watch: Watch, most_states: int | None = None) -> Verdict:
    """Decide reachability of the goal state by state, in order of cost, in compiled code.

    Stops with *unknown*, reason `bound`, past `most_states`. Raises ModelError where the model has formulas that
    are no cubes, more than one initial state, or no cost for the metric.
    """
    prices = [cost_of(action, metric) for action in model.actions]
    return within_limits(watch, lambda: _search(prepare(model, prices, watch), metric, watch, most_states))


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
    """A model made ready: two sides, or one and the cubes of the goal; free steps; what is dead."""

    model: Model
    packing: Packing
    dead: DeadRows
    free: frozenset[Rule]
    least_price: int  # least cost of an action that is not free
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


def prepare(model: Model, prices: Sequence[int], watch: Watch, *, both_ends: bool = True) -> Problem:
    """Make a model ready, with a price for each action. Raises ModelError for a model of another kind."""
    packing = Packing(model)
    initial = literals(model.init)
    if initial is None or len(initial) < len(model.bits):
        raise ModelError("more than one initial state")
    goal = _cubes(model.goal)
    rules = [packing.rule(model.actions[number], price, number) for number, price in enumerate(prices)]
    dead = DeadRows(packing, model, rules, watch)
    rules = [rule for rule in rules if not dead.enters(rule)]
    free = _regions(packing, rules, goal)
    moving = [rule for rule in rules if rule not in free]
    start = packing.rows([packing.integer(b for b, held in initial.items() if held)])
    to_goal = from_start = nothing_told(packing)
    if has_distances(packing, model, rules) and len(goal) == 1:
        held = [b for b, value in goal[0].items() if value and b in model.hints.objects]
        back = [rule.reverse(rule.price) for rule in rules]
        to_goal = distances(packing, back, packing.excluded, held)
        objects = [b for b, value in initial.items() if value and b in model.hints.objects]
        from_start = distances(packing, rules, [int(start[0, 0]) & packing.key], objects)
    forward_tables = packing.tables(moving, to_goal, dead.partners, free)
    forward = Side(forward_tables, start_space(settled(forward_tables, start)))
    least_price = min((rule.price for rule in moving), default=0)
    ends = _goal_states(packing, model, goal) if both_ends else None
    if ends is None:
        mask = packing.rows([packing.integer(cube) for cube in goal])
        value = packing.rows([packing.integer(b for b, held in cube.items() if held) for cube in goal])
        return Problem(model, packing, dead, free, least_price, mask, value, forward, None)
    backward_tables = packing.tables([rule.reverse(rule.price) for rule in moving], from_start, None, free)
    backward = Side(backward_tables, start_space(settled(backward_tables, ends)))
    nothing = start[:0]  # no goal to look for: the sides meet
    return Problem(model, packing, dead, free, least_price, nothing, nothing, forward, backward)


def _search(problem: Problem, metric: str, watch: Watch, most_states: int | None) -> Verdict:
    forward, backward = problem.forward, problem.backward
    room = watch.limits.memory // bytes_per_state(problem.packing.words)
    most = room if most_states is None else min(room, most_states)
    best = np.array([kernel.NEVER, -1, -1], np.int64)  # cost, row of the forward side, row of the backward side
    if backward is not None:
        at = int(backward.space.slots[kernel.find(backward.space.rows, backward.space.slots, forward.space.rows[0])])
        if at >= 0:
            best[:] = 0, 0, at
    limit, status, hit = 0, kernel.PAUSED, -1
    split = np.zeros(2, np.int64)
    while status in (kernel.PAUSED, kernel.FULL):
        watch.check()
        if sum(side.size for side in problem.sides) >= most:
            return Unknown("memory" if most == room else "bound", watch.bound, problem.statistics(limit))
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
    over = forward if backward is None or kernel.is_over(forward.space) else backward
    invariant = problem.dead.invariant(over.space, over.tables, backward=over is backward)
    return Unreachable(invariant, problem.statistics(limit))


def found(problem: Problem, actions: list[Action], metric: str, *, optimal: bool) -> Reachable:
    """The verdict of the run of these actions, with the free steps that it needs."""
    trace = walk(problem.packing, problem.model, problem.free, actions)
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


def _regions(packing: Packing, rules: list[Rule], goal: list[dict[Bit, bool]]) -> frozenset[Rule]:
    """The rules that cost nothing and only move between locations, if there is a way back for each; else none.

    The locations between which they lead from a state form a region, and one of them stands for all.
    """
    key = packing.key
    free = [rule for rule in rules if not rule.price and not (rule.clear | rule.set) & ~key]
    ways = {(rule.source(key), rule.target(key), rule.mask, rule.value & ~key) for rule in free}
    if any(packing.integer(cube) & key for cube in goal) or any(rule.mask & key != key for rule in free):
        return frozenset()
    if any((end, start, mask, value) not in ways for start, end, mask, value in ways):
        return frozenset()
    return frozenset(free)


def _cubes(goal: Formula) -> list[dict[Bit, bool]]:
    cube = literals(goal)
    if cube is not None:
        return [cube]
    if goal.is_zero():
        return []
    parts = [literals(part) for part in goal.xs] if goal.ASTOP == "or" else [None]
    cubes = [part for part in parts if part is not None]
    if len(cubes) < len(parts):
        raise ModelError("the goal is no disjunction of cubes")
    return cubes


def actions_to(model: Model, space: Space, number: int) -> list[Action]:
    """The actions from the row of that number back to where its side started."""
    actions: list[Action] = []
    while space.facts[number, kernel.PARENT] >= 0:
        actions.append(model.actions[int(space.facts[number, kernel.ACTION])])
        number = int(space.facts[number, kernel.PARENT])
    return actions


def walk(packing: Packing, model: Model, free: Iterable[Rule], actions: list[Action]) -> Trace:
    """The run of the actions from the initial state, with the free steps between them that they need."""
    initial = literals(model.init) or {}
    states = [frozenset(b for b, held in initial.items() if held)]
    taken: list[Action] = []
    steps: dict[int, list[Rule]] = {}
    for rule in free:
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
