"""A model prepared for compiled search: tables of actions, walks, initial and goal states, bounds, dead patterns.

The model must have literal guards, constant updates, one initial state, and a goal that is a disjunction of cubes.
If the goal states can be listed, there are two sides, forward and backward; else one side, and the cubes of the
goal.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from puzzlemc.mc.astar import sides
from puzzlemc.mc.astar.dead_patterns import DeadPatterns
from puzzlemc.mc.astar.space import bytes_in_use, canonical_states, enlarge, start_rows, start_space
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.heuristics.build_tables import (
    frozen_of,
    no_frozen,
    no_pairs,
    no_stubborn_sets,
    pairs_of,
    stubborn_sets_of,
)
from puzzlemc.mc.heuristics.build_triples import triples_of
from puzzlemc.mc.heuristics.distances import distances, has_distances, no_distances
from puzzlemc.mc.heuristics.pairs import Pairs
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import chosen
from puzzlemc.mc.model.formula import Cube, Formula, disjuncts, literals
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import run_of
from puzzlemc.mc.packed.actions import PackedActions, keeps_objects, pack_actions
from puzzlemc.mc.packed.build_tables import check_locations, tables_of, walks_of
from puzzlemc.mc.packed.images import least_images
from puzzlemc.mc.packed.layout import Layout, PackedStates, Shorts
from puzzlemc.mc.packed.symmetries import images_of
from puzzlemc.mc.packed.tables import Walks
from puzzlemc.mc.packed.walks import free_to_leave_out, with_walks
from puzzlemc.mc.verdict import Reachable, Statistics

FROZEN = 2  # frozen objects are used together with dead patterns of at least this size
LARGEST_COST = 1 << 20  # largest cost of an action: buckets are an array indexed by cost


class Side(sides.Side):
    """One side of a search, with what Python code asks of it."""

    @property
    def size(self) -> int:
        """The number of states in the open and closed lists."""
        return self.space.used

    @property
    def bytes(self) -> int:
        """Bytes of memory of the lists and of the tables that are large."""
        beside_frozen = self.frozen.sets.used * self.frozen.costs.shape[1] * self.frozen.costs.shape[2] * 4
        return bytes_in_use(self.space) + beside_frozen + self.triples.bytes

    @property
    def uses_stubborn_sets(self) -> bool:
        """Does the search follow stubborn sets only? Then it does not reach all reachable states."""
        return self.stubborn.first.shape[0] > 1

    def grow(self) -> None:
        """Enlarge the arrays that are full. Raises LimitReached past the largest cost."""
        enlarge(self.space, self.tables)

    def use_triples(self, layout: Layout, budget: Budget) -> None:
        """Use the bound of triples from now on, with prices for the states so far. Raises LimitReached."""
        rows = np.asarray(self.space.rows)[: self.space.used]
        self.triples = triples_of(layout, self.tables, self.pairs, rows, budget)

    @property
    def uses_images(self) -> bool:
        """Do the lists have the least image of each state only?"""
        return self.images.codes.shape[0] > 0


@dataclass
class Problem:
    """A model prepared for search, with two sides, or with one side and the cubes of the goal."""

    model: Model
    layout: Layout
    dead: DeadPatterns
    start: PackedStates  # (words,): the initial state
    moving: PackedActions  # the actions that are steps of the search, all but the walks
    least_step_cost: int  # the least cost of these
    goal_mask: PackedStates
    goal_value: PackedStates
    forward: Side
    backward: Side | None
    goal_states: PackedStates | None  # the goal states if they can be listed
    keeps_objects: bool  # as in `Model`

    @property
    def bytes(self) -> int:
        """Bytes of memory of both sides."""
        return sum(side.bytes for side in self.sides)

    @property
    def sides(self) -> list[Side]:
        """The forward side, and the backward side if there is one."""
        return [self.forward] if self.backward is None else [self.forward, self.backward]

    def use_images(self) -> None:
        """Keep the least image of each state under symmetries, in a search from both sides that has not begun.

        Only with the bound of pairs: all actions cost the same, and walks nothing.
        """
        if self.backward is None or not self.forward.pairs.at.shape[0] or len(self.goal_mask) != 1:
            return
        tables = self.forward.tables
        start = np.asarray(self.forward.space.rows)[0].copy()
        images = images_of(self.layout, self.model, self.moving, tables.walks, start, self.goal_value[0])
        for side in self.sides:
            side.images = images
            rows = least_images(images, tables.walks, np.asarray(side.space.rows)[: side.space.used].copy())
            side.space = start_space(np.unique(rows, axis=0))

    def statistics(self, limit: int | None = None) -> Statistics:
        """The layers up to the search limit, if there is one, and the states of all sides together."""
        return Statistics(0 if limit is None else limit + 1, sum(side.size for side in self.sides))

    def reachable(self, actions: Sequence[int], metric: str, *, optimal: bool) -> Reachable:
        """The verdict of a plan, given by the numbers of its actions without the walks."""
        run = with_walks(self.forward.tables, self.moving, self.start, actions)
        trace = run_of(self.model, chosen(self.model.actions, run))
        return Reachable(trace, trace.cost(metric), optimal, self.statistics())


def prepare(
    model: Model,
    step_costs: Sequence[int],
    budget: Budget,
    *,
    patterns: int = 1,
    both_ends: bool = True,
    cheapest: bool = True,
) -> Problem:
    """Prepare a model for search. `step_costs` are the costs of its actions.

    patterns   the largest number of objects in a dead pattern; from FROZEN on, also bounds that no checker of
               proofs knows
    both_ends  search from the goal, too, if the goal states can be listed
    cheapest   use stubborn sets and pair excesses, which help to find a least cost

    Raises Unsuitable for a model of another kind, and LimitReached.
    """
    layout = Layout(model)
    check_locations(layout)
    initial = literals(model.init)
    if initial is None or len(initial) < len(model.bits):
        raise Unsuitable("it has no single initial state")
    goal = _cubes(model.goal)
    if max(step_costs, default=0) > LARGEST_COST:
        raise Unsuitable(f"an action costs {max(step_costs)}, more than {LARGEST_COST}")
    actions = pack_actions(layout, model.actions, range(len(step_costs)), step_costs, layout.closed)
    walking = free_to_leave_out(layout, model, actions)
    walks, moving = walks_of(layout, actions.take(walking)), actions.take(~walking)
    kept = keeps_objects(layout, model, actions)
    dead = DeadPatterns(layout, model, actions, walking, walks, kept, patterns, budget)
    budget.check()
    alive = ~dead.enters(actions)
    moving, actions = actions.take(alive & ~walking), actions.take(alive)
    start = layout.pack(b for b, held in initial.items() if held)
    to_goal = from_start = no_distances(layout)
    frozen, stubborn, pairs, behind = no_frozen(layout), no_stubborn_sets(layout), no_pairs(), no_pairs()
    if kept and has_distances(layout, model, actions) and len(goal) == 1:
        targets = [b for b, value in goal[0].items() if value and b in model.hints.objects]
        if targets:  # a goal without targets only forbids places
            to_goal = distances(layout, actions.reverse(), layout.codes, targets, budget)
        objects = [b for b, value in initial.items() if value and b in model.hints.objects]
        if both_ends:
            from_start = distances(layout, actions, [int(start[0]) & layout.key], objects, budget)
        if patterns >= FROZEN and to_goal.shape[2]:
            every = layout.pack(model.hints.objects)
            frozen = frozen_of(layout, moving, every, np.array([*map(layout.place, targets)], np.int64))
    partners, triples = dead.partners(moving), dead.triples(moving)
    forward_tables = tables_of(layout, moving, to_goal, walks, partners, None, triples)
    # The bound takes the larger of two costs for each object and target, so f may grow by both increases together.
    forward_tables.largest_increase += frozen.largest_increase
    if cheapest and frozen.first.shape[0] > 1 and len(objects) == len(targets):
        stubborn = stubborn_sets_of(layout, moving, forward_tables, every, layout.pack(targets))
        wanted, given = (np.array([*map(layout.place, some)], np.int64) for some in (targets, objects))
        memory = budget.limits.memory
        here = start[:1].astype(np.int64) & layout.key
        pairs = pairs_of(layout, moving.reverse(), forward_tables, np.array(layout.codes), wanted, every, memory)
        if from_start.shape[2]:
            behind = pairs_of(layout, moving, forward_tables, here, given, every, memory)
        forward_tables.largest_increase += pairs.most
    forward = Side(
        forward_tables, frozen, stubborn, pairs, start_space(canonical_states(forward_tables, start[None, :]))
    )
    least_step_cost = int(moving.step_cost.min()) if len(moving) else 0
    goal_states = _goal_states(layout, model, goal) if both_ends else None
    mask = layout.from_integers([layout.integer(cube) for cube in goal])
    value = layout.from_integers([layout.integer(b for b, held in cube.items() if held) for cube in goal])
    if goal_states is None:
        return Problem(model, layout, dead, start, moving, least_step_cost, mask, value, forward, None, None, kept)
    backward = _backward(layout, moving, walks, from_start, behind, start, goal_states)
    return Problem(
        model, layout, dead, start, moving, least_step_cost, mask, value, forward, backward, goal_states, kept
    )


def _backward(
    layout: Layout,
    moving: PackedActions,
    walks: Walks,
    from_start: Shorts,
    pairs: Pairs,
    start: PackedStates,
    goal_states: PackedStates,
) -> Side:
    tables = tables_of(layout, moving.reverse(), from_start, walks, None, start if walks.cost else None)
    tables.largest_increase += pairs.most
    space = start_space(start_rows(tables, canonical_states(tables, goal_states)))
    return Side(tables, no_frozen(layout), no_stubborn_sets(layout), pairs, space)


def _goal_states(layout: Layout, model: Model, goal: list[Cube]) -> PackedStates | None:
    """The goal states if a cube and a conserved count determine all bits but the location; else None."""

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
        return layout.from_integers([state])
    return layout.from_integers(
        [code | state for code in layout.codes if not layout.objects_at.get(code, 0) & state]
    )


def _cubes(goal: Formula) -> list[Cube]:
    cube = literals(goal)
    if cube is not None:
        return [cube]
    parts = [literals(part) for part in disjuncts(goal)]
    cubes = [part for part in parts if part is not None]
    if len(cubes) < len(parts):
        raise Unsuitable("its goal is no disjunction of cubes")
    return cubes
