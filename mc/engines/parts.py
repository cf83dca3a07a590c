"""Independent parts: groups of objects that a cheap plan brings to targets of their own.

A plan pairs objects with targets: each object ends on one. By single objects, it costs at least the sum of their
distances. Let A be the least sum, and M a pairing with this sum. Another pairing differs from M by cycles of
objects, each of which takes the target of the next one. Let d(i, j) be the least sum, along a path from i to j, of
what each object pays more for the target of the next one. No cycle has a negative sum, so a cycle through i and j
has at least the sum d(i, j) + d(j, i).

Merge any two objects with a sum below s, which gives groups of objects. In a plan that costs less than A + s, each
group goes to its own targets. Such a plan costs at least the sum, over the groups, of the least cost of a plan for
this group and its targets, without the other objects. So the smaller one of A + s and this sum is a lower bound on
the cost of every plan. If the plans of the groups can be executed in turns, they are a plan of all objects, whose
cost is the sum.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.astar.problem import Problem
from puzzlemc.mc.astar.space import canonical_states
from puzzlemc.mc.heuristics.assignment import least_assignment
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Bit, literals
from puzzlemc.mc.model.hints import Relaxation
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.packed.layout import PackedStates
from puzzlemc.mc.packed.successors import Successors, successors
from puzzlemc.mc.verdict import Unknown, Unreachable, Verdict
from puzzlemc.mc.words import view

MOST_ORDERS = 1 << 12  # states of the search for an order in which the plans of all groups can be executed

Numbers = npt.NDArray[np.int64]
Solve = Callable[[Model], Verdict]


@dataclass(frozen=True)
class Groups:
    """Groups of objects with their targets. A plan with another pairing of groups costs at least `otherwise`."""

    objects: tuple[tuple[Bit, ...], ...]
    targets: tuple[tuple[Bit, ...], ...]
    otherwise: int


def groups_of(problem: Problem) -> Iterator[Groups]:
    """Yield the groups of each threshold that leaves several, the largest first.

    None without a bound of pairs: where it exists, walks cost nothing, and each other action moves one object, so
    the groups share no cost.
    """
    model, layout = problem.model, problem.layout
    initial, goal = literals(model.init), literals(model.goal)
    if not problem.forward.pairs.at.shape[0] or initial is None or goal is None:
        return
    objects, targets = (
        [b for b, held in cube.items() if held and b in model.hints.objects] for cube in (initial, goal)
    )
    distance = np.asarray(problem.forward.tables.distance)
    places = [layout.place(b) for b in objects]
    costs = distance[int(problem.start[0]) & layout.key][places].astype(np.int64)
    pairing = least_assignment(costs)
    least = int(costs[np.arange(len(costs)), pairing].sum())
    if pairing.min() < 0 or least >= INFINITE:
        return
    more = np.minimum(exchanges(costs, pairing), INFINITE)
    for threshold in np.unique(more[more > 0])[::-1].tolist():
        number = merged(more < threshold)
        if number.max() > 0:
            groups = sorted((np.flatnonzero(number == group) for group in range(number.max() + 1)), key=len)
            yield Groups(
                tuple(tuple(objects[i] for i in group) for group in groups),
                tuple(tuple(targets[pairing[i]] for i in group) for group in groups),
                least + threshold,
            )


def exchanges(costs: Numbers, pairing: Numbers) -> Numbers:
    """By two objects, a lower bound on what a pairing costs more in which a cycle passes through both."""
    count = len(costs)
    far: Numbers = costs[:, pairing] - costs[np.arange(count), pairing][:, None]
    for via in range(count):
        far = np.minimum(far, far[:, via, None] + far[None, via])
    return far + far.T


def merged(near: npt.NDArray[np.bool_]) -> Numbers:
    """The numbers, from 0, of the connected components of a symmetric relation; by element."""
    number = np.full(len(near), -1, np.int64)
    for start in range(len(near)):
        if number[start] >= 0:
            continue
        found, new = np.zeros(len(near), np.bool_), np.arange(len(near)) == start
        while new.any():
            found |= new
            new = near[new].any(axis=0) & ~found
        number[found] = number.max() + 1
    return number


def part_of(model: Model, objects: Sequence[Bit], targets: Sequence[Bit]) -> Model:
    """The model with these objects and targets only. There must be as many of both."""
    initial, hints = literals(model.init), model.hints
    assert initial is not None
    kept = frozenset(objects)
    return replace(
        model,
        init={b: held and (b in kept or b not in hints.objects) for b, held in initial.items()},
        goal=dict.fromkeys(targets, True),
        hints=replace(
            hints,
            conserved=((tuple(hints.objects), len(objects)),),
            relaxations=tuple(
                Relaxation(each.keep, tuple(targets), each.keep)
                for each in hints.relaxations
                if each.keep <= len(objects)
            ),
            potential={},
            plan_finder=None,
            plan_improver=None,
            known_plan=None,
        ),
    )


def bound_of_parts(problem: Problem, groups: Groups, solve: Solve, budget: Budget) -> tuple[int, list[int] | None]:
    """A lower bound on the cost of a plan, and the actions of a plan if the plans of all groups are one in turns.

    `solve` decides the model of a group. Raises LimitReached.
    """
    total = 0
    plans: list[Sequence[Action]] = []
    for objects, targets in zip(groups.objects, groups.targets, strict=True):
        verdict = solve(part_of(problem.model, objects, targets))
        budget.check()
        if isinstance(verdict, Unreachable):
            return groups.otherwise, None
        if isinstance(verdict, Unknown):
            total += verdict.bound
        elif verdict.optimal:
            total += verdict.cost
            plans.append(verdict.trace.actions)
    if len(plans) < len(groups.objects):
        return min(total, groups.otherwise), None
    moved = frozenset(problem.model.hints.objects)
    return min(total, groups.otherwise), in_turns(
        problem, [[each for each in plan if each.update.keys() & moved] for plan in plans]
    )


def in_turns(problem: Problem, plans: Sequence[Sequence[Action]]) -> list[int] | None:
    """The numbers of all actions of these plans in an order in which they can be executed; None if none is found.

    A depth-first search, in which the groups may take turns in any way.
    """
    tables, actions = problem.forward.tables, problem.model.actions
    found = Successors(tables)
    start: PackedStates = canonical_states(tables, problem.start[None, :])
    waiting: list[tuple[tuple[int, ...], PackedStates, tuple[int, ...]]] = [((0,) * len(plans), start, ())]
    seen: set[tuple[tuple[int, ...], bytes]] = set()
    while waiting and len(seen) < MOST_ORDERS:
        done, row, order = waiting.pop()
        if all(count == len(plan) for count, plan in zip(done, plans, strict=True)):
            return list(order)
        if (done, row.tobytes()) in seen:
            continue
        seen.add((done, row.tobytes()))
        found.row = view(row.copy())
        numbers = np.asarray(tables.action_info)[np.asarray(found.by)[: successors(tables, found)], 1].tolist()
        for i, number in enumerate(numbers):
            for k, plan in enumerate(plans):
                if done[k] < len(plan) and plan[done[k]] is actions[number]:
                    after = np.asarray(found.after)[i : i + 1].copy()
                    waiting.append(((*done[:k], done[k] + 1, *done[k + 1 :]), after, (*order, number)))
    return None
