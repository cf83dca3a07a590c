"""The preparation of a search in stages: which databases are built, and how the costs are shared out among them.

All is counted work, whose unit is a step of a search in a projection: no decision depends on a clock.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from puzzlemc.mc.limits import Budget
from puzzlemc.mc.patterns.counterexamples import grow
from puzzlemc.mc.patterns.database import Abstracted, Database, database
from puzzlemc.mc.patterns.generation import interesting_patterns
from puzzlemc.mc.patterns.partitioning import Partitionings
from puzzlemc.mc.tasks.task import State, Task


@dataclass(frozen=True)
class Stage:
    """What is prepared before a part of the search.

    largest       the largest number of variables in a systematic pattern
    pattern_size  the most abstract states of a pattern
    total_size    the most abstract states of all patterns together
    work          the most work
    samples       the number of sample states
    expansions    of the search
    """

    largest: int
    pattern_size: int
    total_size: int
    work: int
    samples: int
    expansions: int


STAGES = (
    Stage(2, 2_000, 20_000, 4_000_000, 10, 5_000),
    Stage(2, 20_000, 100_000, 20_000_000, 40, 100_000),
    Stage(3, 100_000, 400_000, 80_000_000, 100, 400_000),
    Stage(3, 400_000, 1_500_000, 300_000_000, 300, 1 << 18),
)
TABLE_SHARE = 4  # databases and their distances take at most this part of the memory
DATABASE_WORK = 20_000  # steps that take as long as to set up a database, beside its transitions
COUNTEREXAMPLE_WORK = 200_000  # steps that take as long as to follow an abstract plan
BUILDING = 4  # steps that take as long as to build a transition
TRANSITIONS = 20  # the most transitions for each abstract state of the largest pattern
SYSTEMATIC_SHARE, PATTERN_SHARE = 4, 2  # parts of the work for systematic patterns, and for all patterns


class Preparation:
    """The databases and cost partitionings for a task, stage by stage. `bytes` is the size of all databases."""

    def __init__(self, task: Task, budget: Budget, divisor: int, together: Sequence[int] | None = None) -> None:
        """`together` are pairs of facts, as of `Abstracted`."""
        self._budget = budget
        self._most_bytes = budget.limits.memory // TABLE_SHARE
        self.abstracted = Abstracted(task, divisor, together)
        self._built: dict[tuple[int, ...], Database] = {}
        self._work = 0
        self.bytes = 0

    def partition(
        self, stage: Stage, samples: Sequence[State], before: Partitionings | None = None
    ) -> Partitionings:
        """The cost partitionings of a stage, with the useful ones of the stage before. Raises LimitReached."""
        self._work = 0
        chosen = self._systematic(stage)
        self._grow(stage, chosen)
        for each in () if before is None else before.databases:
            chosen.setdefault(each.variables, each)
        partitionings = Partitionings(self.abstracted, [*chosen.values()], self._budget.check, self._work)
        partitionings.diversify(samples, stage.work, self._most_bytes - self.bytes, before)
        return partitionings

    def _systematic(self, stage: Stage) -> dict[tuple[int, ...], Database]:
        """The databases of interesting patterns, small ones first."""
        chosen: dict[tuple[int, ...], Database] = {}
        total = 0
        for variables in interesting_patterns(self.abstracted.task, stage.largest):
            if self._work > stage.work // SYSTEMATIC_SHARE:
                break
            size = math.prod(self.abstracted.task.domains[variable] for variable in variables)
            if total + size <= stage.total_size:
                built = self._build(stage, variables)
                if built is not None:
                    chosen[variables] = built
                    total += size
        return chosen

    def _grow(self, stage: Stage, chosen: dict[tuple[int, ...], Database]) -> None:
        """Add databases of patterns that grow by counterexamples, until a round over all goals adds none."""
        task = self.abstracted.task
        goals = sorted(set(task.goal).difference(task.derived))
        total = sum(each.size for each in chosen.values())
        rnd = random.Random(0)
        has_grown = True
        while has_grown:
            has_grown = False
            rnd.shuffle(goals)
            for goal in goals:
                if self._work > stage.work // PATTERN_SHARE or total > stage.total_size:
                    return
                built = grow(self.abstracted, goal, partial(self._build_grown, stage), rnd)
                if built is not None and built.variables not in chosen:
                    chosen[built.variables] = built
                    total += built.size
                    has_grown = True

    def _build_grown(self, stage: Stage, variables: tuple[int, ...]) -> Database | None:
        """The database of the variables, before counterexamples are looked for in it."""
        built = self._build(stage, variables)
        if built is not None:
            self._work += COUNTEREXAMPLE_WORK + built.work
        return built

    def _build(self, stage: Stage, variables: tuple[int, ...]) -> Database | None:
        """The database of a pattern; None if it is too large, or if work or memory are used up."""
        self._budget.check()
        known = self._built.get(variables)
        if known is not None:
            self._work += known.work
            return known
        size = math.prod(self.abstracted.task.domains[variable] for variable in variables)
        has_used = self._work > stage.work // PATTERN_SHARE or self.bytes > self._most_bytes // 2
        if size > stage.pattern_size or has_used:
            return None
        self._work += DATABASE_WORK
        most = TRANSITIONS * stage.pattern_size
        built = database(self.abstracted, variables, most, stage.work // SYSTEMATIC_SHARE)
        if built is not None:
            self._built[variables] = built
            self._work += BUILDING * built.work
            self.bytes += built.bytes
        return built
