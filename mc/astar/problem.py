"""A model made ready for compiled search: its actions as tables, its ends as rows, walks, bounds, what is dead.

For models of literal guards, constant updates, one initial state, and a goal that is a disjunction of cubes. Where
the goal states can be listed there are two sides, forward and backward, else one and the cubes of the goal.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from puzzlemc.mc.astar.dead_patterns import DeadRows
from puzzlemc.mc.astar.space import canonical_states, entered, grown, start_space
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.heuristics.distances import distances, has_distances, no_distances
from puzzlemc.mc.heuristics.frozen import Frozen, frozen_of, no_frozen
from puzzlemc.mc.heuristics.pairs import Pairs, no_pairs, pairs_of
from puzzlemc.mc.heuristics.stubborn import StubbornSets, no_stubborn_sets, stubborn_sets_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Cube, Formula, disjuncts, literals
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import run_of
from puzzlemc.mc.packed import buckets
from puzzlemc.mc.packed.actions import Rules, compiled_rules, keeps_objects
from puzzlemc.mc.packed.buckets import Space
from puzzlemc.mc.packed.layout import Layout, Rows, Shorts
from puzzlemc.mc.packed.tables import Tables, Walks, check_locations, tables_of, walks_of
from puzzlemc.mc.packed.walks import free_to_leave_out, with_walks
from puzzlemc.mc.verdict import Reachable, Statistics

FROZEN = 2  # from dead patterns of this size on, frozen objects are worth their time
DEAREST = 1 << 20  # cost of an action, at most: rows wait in an array by their cost


@dataclass
class Side:
    """One of the two searches."""

    tables: Tables
    frozen: Frozen
    stubborn: StubbornSets
    pairs: Pairs
    space: Space

    @property
    def knows(self) -> tuple[Tables, Frozen, StubbornSets, Pairs]:
        """What compiled search takes besides the space."""
        return self.tables, self.frozen, self.stubborn, self.pairs

    @property
    def size(self) -> int:
        """States seen."""
        return int(self.space.counters[buckets.ROWS])

    @property
    def leaves_out(self) -> bool:
        """Does it follow only stubborn sets of actions? Then its rows are not all reachable ones."""
        return len(self.stubborn.first) > 1

    def grow(self) -> None:
        """Give the search larger arrays where they are full."""
        self.space = grown(self.space, self.tables)

    def actions_to(self, number: int) -> list[int]:
        """The numbers of the actions from the row of that number back to where the side started."""
        node_info, actions = self.space.node_info, []
        while node_info[number, buckets.PARENT] >= 0:
            actions.append(int(node_info[number, buckets.ACTION]))
            number = int(node_info[number, buckets.PARENT])
        return actions


@dataclass
class Problem:
    """A model made ready: two sides, or one and the cubes of the goal; walks; what is dead."""

    model: Model
    layout: Layout
    dead: DeadRows
    start: Rows  # (words,): the initial state
    moving: Rules  # the actions that are steps of the search: not the walks
    least_price: int  # least cost of an action that is no walk
    goal_mask: Rows
    goal_value: Rows
    forward: Side
    backward: Side | None
    ends: Rows | None  # the goal states, where they can be listed

    @property
    def sides(self) -> list[Side]:
        """The one side or both."""
        return [self.forward] if self.backward is None else [self.forward, self.backward]

    def statistics(self, limit: int = 0) -> Statistics:
        """The last limit and the states of the sides together."""
        return Statistics(limit + 1, sum(side.size for side in self.sides))

    def reachable(self, actions: Sequence[int], metric: str, *, optimal: bool) -> Reachable:
        """The verdict of the run of the actions of these numbers, with the walks that it needs."""
        run = with_walks(self.forward.tables, self.moving, self.start, actions)
        trace = run_of(self.model, [self.model.actions[number] for number in run])
        return Reachable(trace, trace.cost(metric), optimal, self.statistics())


def moves_object(model: Model, action: Action) -> bool:
    """Does the action change any object?"""
    return not action.update.keys().isdisjoint(model.hints.objects)


def prepare(
    model: Model,
    prices: Sequence[int],
    budget: Budget,
    *,
    patterns: int = 1,
    both_ends: bool = True,
    cheapest: bool = True,
) -> Problem:
    """Prepare a model for search, with a price for each action and dead patterns of up to `patterns` objects.

    both_ends  list the goal states, where that can be done
    cheapest   use stubborn sets and the costs of pairs, which help where a least cost is wanted

    Raises Unsuitable for a model of another kind, LimitReached.
    """
    layout = Layout(model)
    check_locations(layout)
    initial = literals(model.init)
    if initial is None or len(initial) < len(model.bits):
        raise Unsuitable("it has no single initial state")
    goal = _cubes(model.goal)
    if max(prices, default=0) > DEAREST:
        raise Unsuitable(f"an action costs {max(prices)}, more than {DEAREST}")
    rules = compiled_rules(layout, model.actions, range(len(prices)), prices, layout.objects_at)
    walking = free_to_leave_out(layout, model, rules)
    walks, moving = walks_of(layout, rules.take(walking)), rules.take(~walking)
    kept = keeps_objects(layout, model, rules)
    dead = DeadRows(layout, model, moving, walks, kept, patterns, budget)
    budget.check()
    alive = ~dead.enters(rules)
    moving, rules = rules.take(alive & ~walking), rules.take(alive)
    start = layout.row(b for b, held in initial.items() if held)
    to_goal = from_start = no_distances(layout)
    frozen, stubborn, pairs, behind = no_frozen(layout), no_stubborn_sets(layout), no_pairs(), no_pairs()
    if kept and has_distances(layout, model, rules) and len(goal) == 1:
        targets = [b for b, value in goal[0].items() if value and b in model.hints.objects]
        if targets:  # a goal may only say where objects are not
            to_goal = distances(layout, rules.reverse(), layout.codes, targets, budget)
        objects = [b for b, value in initial.items() if value and b in model.hints.objects]
        if both_ends:
            from_start = distances(layout, rules, [int(start[0]) & layout.key], objects, budget)
        if patterns >= FROZEN and to_goal.shape[2]:
            every = layout.row(model.hints.objects)
            frozen = frozen_of(layout, moving, every, np.array([*map(layout.place, targets)], np.int64))
    partners, triples = dead.partners(moving), dead.triples(moving)
    forward_tables = tables_of(layout, moving, to_goal, walks, partners, None, triples)
    # Of each object and target the larger cost counts, so that a bound may be as much as both reaches together.
    forward_tables = forward_tables._replace(
        largest_increase=forward_tables.largest_increase + frozen.largest_increase
    )
    if cheapest and len(frozen.first) > 1 and len(objects) == len(targets):
        stubborn = stubborn_sets_of(layout, moving, forward_tables, every, layout.row(targets))
        wanted, given = (np.array([*map(layout.place, some)], np.int64) for some in (targets, objects))
        memory = budget.limits.memory
        here = start[:1].astype(np.int64) & layout.key
        pairs = pairs_of(layout, moving.reverse(), forward_tables, np.array(layout.codes), wanted, every, memory)
        if from_start.shape[2]:
            behind = pairs_of(layout, moving, forward_tables, here, given, every, memory)
        forward_tables = forward_tables._replace(largest_increase=forward_tables.largest_increase + pairs.most)
    forward = Side(
        forward_tables, frozen, stubborn, pairs, start_space(canonical_states(forward_tables, start[None, :]))
    )
    least_price = int(moving.price.min()) if len(moving) else 0
    ends = _goal_states(layout, model, goal) if both_ends else None
    mask = layout.rows([layout.integer(cube) for cube in goal])
    value = layout.rows([layout.integer(b for b, held in cube.items() if held) for cube in goal])
    if ends is None:
        return Problem(model, layout, dead, start, moving, least_price, mask, value, forward, None, None)
    backward = _backward(layout, moving, walks, from_start, behind, start, ends)
    return Problem(model, layout, dead, start, moving, least_price, mask, value, forward, backward, ends)


def _backward(
    layout: Layout, moving: Rules, walks: Walks, from_start: Shorts, pairs: Pairs, start: Rows, ends: Rows
) -> Side:
    tables = tables_of(layout, moving.reverse(), from_start, walks, None, start if walks.pace else None)
    tables = tables._replace(largest_increase=tables.largest_increase + pairs.most)
    space = start_space(entered(tables, canonical_states(tables, ends)))
    return Side(tables, no_frozen(layout), no_stubborn_sets(layout), pairs, space)


def _goal_states(layout: Layout, model: Model, goal: list[Cube]) -> Rows | None:
    """The goal states as rows, where a cube and a conserved count fix all bits but the location; else None."""
    location = model.hints.location
    first = location.bits if location is not None else ()
    rest = frozenset(layout.bits[len(first) :])
    if len(goal) != 1 or not goal[0].keys() <= rest:
        return None
    held = {b for b, value in goal[0].items() if value}
    is_whole = goal[0].keys() >= rest or any(
        rest == frozenset(formulas) and total == len(held) for formulas, total in model.hints.conserved
    )
    if not is_whole:
        return None
    state = layout.integer(held)
    if location is None:
        return layout.rows([state])
    return layout.rows([code | state for code in layout.codes if not layout.objects_at.get(code, 0) & state])


def _cubes(goal: Formula) -> list[Cube]:
    cube = literals(goal)
    if cube is not None:
        return [cube]
    parts = [literals(part) for part in disjuncts(goal)]
    cubes = [part for part in parts if part is not None]
    if len(cubes) < len(parts):
        raise Unsuitable("its goal is no disjunction of cubes")
    return cubes
