"""A cheapest plan of a finite-domain task, by A* with pattern databases out of the task.

Preparation and search take turns. Each stage has more patterns, more cost partitionings and more expansions than
the one before, so that an easy task is solved before much is prepared. If the bounds of the new stage are not
better for states of the search, the search goes on with the old ones. All is counted work: no decision depends on
a clock.
"""

import math
from dataclasses import dataclass

from puzzlemc.mc.errors import LIMITS, LimitReached, Unsuitable, reason_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.patterns.database import Abstracted, Database, database
from puzzlemc.mc.patterns.generation import interesting_patterns
from puzzlemc.mc.patterns.partitioning import Partitionings
from puzzlemc.mc.planning.packed_task import PackedTask
from puzzlemc.mc.planning.running import RunningSearch
from puzzlemc.mc.planning.search import ENDED, FOUND
from puzzlemc.mc.tasks.semantics import initial_state
from puzzlemc.mc.tasks.task import State, Task
from puzzlemc.mc.tasks.textbook import Searched


@dataclass(frozen=True)
class Stage:
    """What is prepared before a part of the search.

    largest       the largest number of variables in a pattern
    pattern_size  the most abstract states of a pattern
    total_size    the most abstract states of all patterns together
    work          the most steps of searches in projections
    samples       the number of sample states
    expansions    of the search; None for any number
    """

    largest: int
    pattern_size: int
    total_size: int
    work: int
    samples: int
    expansions: int | None


STAGES = (
    Stage(2, 2_000, 20_000, 4_000_000, 10, 2_000),
    Stage(3, 20_000, 100_000, 50_000_000, 50, 100_000),
    Stage(5, 200_000, 1_000_000, 400_000_000, 300, None),
)
GAIN = 1.02  # the least factor by which a new stage must raise the mean bound
TABLE_SHARE = 4  # databases and their distances take at most this part of the memory
DATABASE_WORK = 20_000  # steps that take as long as to set up a database, beside its transitions
TRANSITIONS = 20  # the most transitions for each abstract state of the largest pattern
SHORTEST_WALK = 4


class Preparation:
    """The databases and cost partitionings for a task, stage by stage. `bytes` is the size of all databases."""

    def __init__(self, task: Task, budget: Budget, divisor: int) -> None:
        self._budget = budget
        self._most_bytes = budget.limits.memory // TABLE_SHARE
        self.abstracted = Abstracted(task, divisor)
        self._databases: dict[tuple[int, ...], Database | None] = {}
        self.bytes = 0

    def partition(self, stage: Stage, samples: list[State]) -> Partitionings:
        """The cost partitionings of a stage. Raises LimitReached."""
        databases, work = self._choose(stage)
        partitionings = Partitionings(self.abstracted, databases, self._budget.check, work)
        partitionings.diversify(samples, stage.work, self._most_bytes - self.bytes)
        return partitionings

    def _choose(self, stage: Stage) -> tuple[list[Database], int]:
        """The databases of a stage, and the work to build them."""
        task, chosen, total, work = self.abstracted.task, [], 0, 0
        for variables in interesting_patterns(task, stage.largest):
            size = math.prod(task.domains[variable] for variable in variables)
            if work > stage.work // 2 or self.bytes > self._most_bytes // 2:
                break
            if size > stage.pattern_size or total + size > stage.total_size:
                continue
            self._budget.check()
            if variables not in self._databases:
                built = database(self.abstracted, variables, TRANSITIONS * stage.pattern_size)
                self._databases[variables] = built
                self.bytes += built.bytes if built is not None else 0
                work += DATABASE_WORK
            built = self._databases[variables]
            if built is not None:
                chosen.append(built)
                total += size
                work += built.work
        return chosen, work


def cheapest_plan(task: Task, budget: Budget) -> Searched:
    """A cheapest plan of the task, or the proof by exhaustion that it has none.

    Raises Unsuitable if a cost is too large.
    """
    divisor = math.gcd(*(operator.cost for operator in task.operators)) or 1
    if max((operator.cost for operator in task.operators), default=0) // divisor >= INFINITE:
        raise Unsuitable(f"an operator costs {INFINITE * divisor} or more")
    try:
        return _search(task, budget, divisor)
    except LIMITS as limit:
        return Searched(None, 0, budget.bound, reason_of(limit))


def _search(task: Task, budget: Budget, divisor: int) -> Searched:
    preparation = Preparation(task, budget, divisor)
    packed = PackedTask(task, preparation.abstracted.operators)
    initial = initial_state(task)
    running, best = None, None
    for stage in STAGES:
        if running is None:
            samples = [initial]
        else:
            samples = [initial, *running.states(stage.samples)]
        found = preparation.partition(stage, samples)
        if running is None or best is None or found.mean(samples) > GAIN * best.mean(samples):
            best = found
            memory = budget.limits.memory - preparation.bytes - found.bytes
            running = RunningSearch(packed, found.estimate(), initial, budget, memory, divisor)
        status = running.run(stage.expansions)
        if status == FOUND:
            plan = tuple(running.plan())
            return Searched(plan, running.search.expanded, running.search.bound * divisor)
        if status == ENDED:
            return Searched(None, running.search.expanded, running.search.bound * divisor)
    raise LimitReached("bound")
