"""A cheapest plan of a finite-domain task, by A* with pattern databases out of the task.

Preparation and search take turns. Each stage has more patterns, more cost partitionings and more expansions than
the one before, so that an easy task is solved before much is prepared. If the bounds of the new stage are not
better for states of the search, the search goes on with the old ones. All is counted work: no decision depends on
a clock.
"""

import math
from collections.abc import Iterator

from puzzlemc.mc.errors import LIMITS, Unsuitable, reason_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.patterns.partitioning import Partitionings
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.preparation import STAGES, Preparation
from puzzlemc.mc.planning.running import RunningSearch
from puzzlemc.mc.planning.search import FOUND, PAUSED
from puzzlemc.mc.tasks.semantics import initial_state
from puzzlemc.mc.tasks.task import Task
from puzzlemc.mc.tasks.textbook import Searched

GAIN = 1.02  # the least factor by which a stage must raise the mean bound
LAST_EXPANSIONS = 500_000  # in a turn of the last stage; later turns are longer
IN_VAIN = 2  # stages one after the other that do not; after them, nothing more is prepared


def cheapest_plan(task: Task, budget: Budget) -> Searched:
    """A cheapest plan of the task, or the proof by exhaustion that it has none.

    Raises Unsuitable if a cost is too large.
    """
    for found in in_turns(task, budget):
        if found is not None:
            return found
    raise AssertionError("a search ends with a result")


def in_turns(task: Task, budget: Budget) -> Iterator[Searched | None]:
    """As `cheapest_plan`, with a pause after each turn, in which None comes. The result comes last.

    Each turn takes some times the work of the turn before. Raises Unsuitable if a cost is too large.
    """
    divisor = math.gcd(*(operator.cost for operator in task.operators)) or 1
    if max((operator.cost for operator in task.operators), default=0) // divisor >= INFINITE:
        raise Unsuitable(f"an operator costs {INFINITE * divisor} or more")
    try:
        yield from _search(task, budget, divisor)
    except LIMITS as limit:
        yield Searched(None, 0, budget.bound, reason_of(limit))


def _search(task: Task, budget: Budget, divisor: int) -> Iterator[Searched | None]:
    preparation = Preparation(task, budget, divisor)
    packed = PackedTask(task, preparation.abstracted.operators)
    initial = initial_state(task)
    best = preparation.partition(STAGES[0], [initial])
    running = RunningSearch(packed, best.estimate(), initial, budget, _memory(budget, preparation, best), divisor)
    status, in_vain = running.run(STAGES[0].expansions), 0
    for stage in STAGES[1:]:
        if status != PAUSED or in_vain == IN_VAIN:
            break
        yield None
        samples = [initial, *running.states(stage.samples)]
        found = preparation.partition(stage, samples)
        if found.mean(samples) > GAIN * best.mean(samples):
            best, in_vain = found, 0
            memory = _memory(budget, preparation, best)
            running = RunningSearch(packed, best.estimate(), initial, budget, memory, divisor)
        else:
            in_vain += 1
        status = running.run(stage.expansions or LAST_EXPANSIONS)
    expansions = LAST_EXPANSIONS
    while status == PAUSED:
        yield None
        status = running.run(expansions)
        expansions *= 2
    plan = tuple(running.plan()) if status == FOUND else None
    yield Searched(plan, running.search.expanded, running.search.bound * divisor)


def _memory(budget: Budget, preparation: Preparation, partitionings: Partitionings) -> int:
    """What is left for a search, whose estimate has a copy of the distances."""
    return budget.limits.memory - preparation.bytes - 2 * partitionings.bytes
