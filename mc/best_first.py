"""Best-first search by potential, in compiled code: a solution soon, with no claim that it is shortest.

The potential of a state is the sum of the weights of the literals that hold in it, an estimate of its distance to
the goal. A guard fixes the old values of what its action sets, so an action changes the potential by a constant:
states wait in buckets by potential, and the lowest bucket goes first (Pearl 1984). It prunes dead patterns and
searches all that is left, so it decides unreachability, too.
"""

import numpy as np

from puzzlemc.mc import kernel
from puzzlemc.mc.compiled import actions_to, found, prepare
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.formula import Bit, literals
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import Model
from puzzlemc.mc.packing import Packing, Rule
from puzzlemc.mc.shared import within_limits
from puzzlemc.mc.space import STEPS, bytes_per_state
from puzzlemc.mc.verdict import Unknown, Unreachable, Verdict


def best_first(model: Model, metric: str, watch: Watch, diagrams: str = "") -> Verdict:
    """Decide reachability by potential; the trace of a reachable goal is not claimed to be optimal.

    `diagrams` is not used. Raises ModelError where the model is none for compiled search, has no potential, or has
    no cost for the metric.
    """
    return within_limits(watch, lambda: _search(model, metric, watch))


def _search(model: Model, metric: str, watch: Watch) -> Verdict:
    weights = _weights(model)
    # Whatever only moves between locations is free here, so that one row stands for a region under any metric.
    problem = prepare(model, [0] * len(model.actions), watch, both_ends=False)
    packing, tables, space = problem.packing, problem.forward.tables, problem.forward.space
    rules = [packing.rule(model.actions[number], 0, number) for number in tables.number]
    lowest = sum(min(0, weight) for weight in weights.values())
    highest = sum(max(0, weight) for weight in weights.values())
    initial = literals(model.init) or {}
    start = sum(weight for b, weight in weights.items() if initial.get(b)) - lowest

    tables = tables._replace(price=np.array([_change(packing, weights, rule) for rule in rules], np.int64))
    sizes = np.full(highest - lowest + 1, -1, np.int64)
    sizes[start] = 0
    space = space._replace(queues=np.full((1, len(space.rows)), -1, np.int64), sizes=sizes)
    space.cost[0] = space.scalars[1] = start
    most = watch.limits.memory // bytes_per_state(packing.words)
    while True:
        watch.check()
        status, hit, space = kernel.greedy(tables, problem.goal_mask, problem.goal_value, space, most, STEPS)
        problem.forward.space = space
        if status == kernel.FOUND:
            return found(problem, actions_to(model, space, hit)[::-1], metric, optimal=False)
        if status == kernel.EXHAUSTED:
            return Unreachable(problem.dead.invariant(space, tables, backward=False), problem.statistics())
        if problem.forward.size >= most:
            return Unknown("memory", watch.bound, problem.statistics())


def _weights(model: Model) -> dict[Bit, int]:
    """What a bit that holds adds to the potential, but for a constant."""
    weights: dict[Bit, int] = {}
    for (b, value), weight in model.hints.potential.items():
        weights[b] = weights.get(b, 0) + (weight if value else -weight)
    if not weights:
        raise ModelError("best-first search needs a potential")
    if model.hints.location is not None and not weights.keys().isdisjoint(model.hints.location.bits):
        raise ModelError("best-first search needs a potential that does not depend on the location")
    return weights


def _change(packing: Packing, weights: dict[Bit, int], rule: Rule) -> int:
    """What the action changes the potential by. Raises ModelError where its guard does not tell."""
    change = 0
    for b, weight in weights.items():
        one = packing.one[b]
        if (rule.clear | rule.set) & one:
            if not rule.mask & one:
                raise ModelError("an action sets a bit of the potential whose old value its guard does not tell")
            change += weight * (bool(rule.set & one) - bool(rule.value & one))
    return change
