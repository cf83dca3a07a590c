"""Best-first search by potential, in compiled code: a solution soon, with no claim that it is shortest.

The potential of a state is the sum of the weights of the literals that hold in it, an estimate of its distance to
the goal. A guard fixes the old values of what its action sets, so an action changes the potential by a constant:
states wait in buckets by potential, and the lowest bucket goes first (Pearl 1984). It prunes dead patterns and
searches all that is left, so it decides unreachability, too.
"""

from puzzlemc.mc import kernel
from puzzlemc.mc.compiled import actions_to, found, prepare
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import Action, Model
from puzzlemc.mc.shared import within_limits
from puzzlemc.mc.space import STEPS, bytes_per_state, roomier
from puzzlemc.mc.verdict import Unknown, Unreachable, Verdict


def best_first(model: Model, metric: str, watch: Watch, diagrams: str = "") -> Verdict:
    """Decide reachability by potential; the trace of a reachable goal is not claimed to be optimal.

    `diagrams` is not used. Raises ModelError where the model is none for compiled search, has no potential, or has
    no cost for the metric.
    """
    return within_limits(watch, lambda: _search(model, metric, watch))


def _search(model: Model, metric: str, watch: Watch) -> Verdict:
    # Whatever only moves between locations is free here, so that one row stands for a region under any metric.
    problem = prepare(model, [int(moves_object(model, action)) for action in model.actions], watch, both_ends=False, patterns=2)
    most = watch.limits.memory // bytes_per_state(problem.packing.words)
    side = problem.forward
    while True:
        watch.check()
        side.space = roomier(side.space, side.tables)
        mask, value = problem.goal_mask, problem.goal_value
        status, hit, _ = kernel.search(side.tables, mask, value, side.space, kernel.HOPELESS - 1, STEPS, True)
        if status == kernel.FOUND:
            return found(problem, actions_to(model, side.space, hit)[::-1], metric, optimal=False)
        if status == kernel.ENDED:
            return Unreachable(problem.dead.invariant(side.space, side.tables, backward=False), problem.statistics())
        if side.size >= most:
            return Unknown("memory", watch.bound, problem.statistics())


def moves_object(model: Model, action: Action) -> bool:
    """Does the action change any object?"""
    return not action.update.keys().isdisjoint(model.hints.objects)
