"""Pattern databases: the least costs to the goal in a projection, for any costs of the operators.

States that violate a group of mutually exclusive facts, and states that the initial state does not lead to, are
left out of a projection (constrained pattern databases; Haslum, Bonet and Geffner 2005).
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.patterns import distances as compiled
from puzzlemc.mc.patterns.distances import Transitions
from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.patterns.projection import Pattern, counts, project, reach, sort, transitions
from puzzlemc.mc.patterns.shared_steps import NO_STEPS, shared_steps
from puzzlemc.mc.search.bucket_queue import BucketQueue
from puzzlemc.mc.tasks.mutexes import inductive_groups
from puzzlemc.mc.tasks.operators import starts
from puzzlemc.mc.tasks.task import Fact, Task

Costs = npt.NDArray[np.int64]
Distances = npt.NDArray[np.int32]

CALL_WORK = 3_000  # steps that take as long as to start a search in a projection


class Abstracted:
    """A task prepared for projections: its operators as arrays, by variable, and its groups of exclusive facts.

    inductive  the groups that are proved; others of the task may be wrong
    """

    def __init__(self, task: Task, divisor: int = 1, together: Sequence[int] | None = None) -> None:
        """Costs are divided by a common divisor.

        together  for each fact those that it may hold with, as bits; other states are left out of projections
        """
        self.task = task
        self._together, self._first = together, starts(task.domains).tolist()
        self.operators = Operators(task, divisor)
        self.costs: Costs = np.asarray(self.operators.costs)
        self.queue = BucketQueue(1024)
        changed = task.arrays.effect[:, 0]
        order = np.argsort(changed, kind="stable")
        first = np.cumsum(np.bincount(changed, minlength=len(task.variables)))[:-1]
        self.changing = [np.unique(numbers) for numbers in np.split(task.arrays.effect_owner[order], first)]
        self._groups: dict[int, list[frozenset[Fact]]] = {}
        self.inductive = inductive_groups(task)
        for group in self.inductive:
            for variable in {variable for variable, _ in group}:
                self._groups.setdefault(variable, []).append(group)

    def groups(self, variables: Sequence[int]) -> list[frozenset[Fact]]:
        """The groups with facts of at least two of the variables."""
        among = set(variables)
        found = dict.fromkeys(group for variable in variables for group in self._groups.get(variable, []))
        return [group for group in found if len(among & {variable for variable, _ in group}) > 1]

    def together(self, one: int, other: int) -> npt.NDArray[np.bool_] | None:
        """Which values of two variables, or of one and itself, may hold together; None if nothing is known."""
        if self._together is None or {one, other} & set(self.task.derived):
            return None
        first, size = self._first[other], self.task.domains[other]
        rows = self._together[self._first[one] : self._first[one + 1]]
        return np.array([[row >> fact & 1 for fact in range(first, first + size)] for row in rows], np.bool_)


class Database:
    """The projection of a task to a pattern.

    variables  those of the pattern
    size       the number of abstract states, with those that are left out
    work       the number of steps of a search in the projection
    stored     the number of transitions that are stored
    bytes      the size of its arrays
    start      the abstract state of the initial state
    alive      (states,): those that it leads to
    """

    def __init__(
        self,
        pattern: Pattern,
        rows: npt.NDArray[np.int64],
        transitions: Transitions,
        alive: npt.NDArray[np.bool_],
        least: Costs,
        start: int,
    ) -> None:
        self.variables = tuple(int(variable) for variable in np.asarray(pattern.variables))
        self.factors = tuple(int(factor) for factor in np.asarray(pattern.factors))
        self.size = pattern.size
        self.start = start
        self._domains = tuple(int(size) for size in np.asarray(pattern.domains))
        self._rows, self._transitions, self._least = rows, transitions, least
        self.alive = alive
        self.work, self.stored = transitions.work + CALL_WORK, len(np.asarray(transitions.source))
        self.bytes = transitions.bytes + rows.nbytes + least.nbytes + alive.nbytes

    @cached_property
    def relevant(self) -> npt.NDArray[np.int64]:
        """The operators that have transitions."""
        has = np.zeros(len(self._least), np.bool_)
        has[np.asarray(self._transitions.operators)] = True
        return np.flatnonzero(has)

    def distances(self, costs: Costs, queue: BucketQueue) -> Distances:
        """The least cost from each abstract state to the goal; INFINITE without a way, or if it is left out."""
        return compiled.distances(self._transitions, costs, queue)

    def saturated(self, distances: Distances) -> Costs:
        """The least costs of the operators that have the same distances; they may be negative."""
        saturated = self._least.copy()
        compiled.saturate(self._transitions, distances, saturated)
        saturated[saturated == -INFINITE] = 0
        return saturated

    def informs(self, distances: Distances) -> bool:
        """Is a finite distance greater than 0?"""
        return bool(((distances > 0) & (distances < INFINITE)).any())

    def has_dead_ends(self, distances: Distances) -> bool:
        """Is the goal out of reach of a state that is not left out?"""
        return bool((distances[self.alive] >= INFINITE).any())

    def is_dead_end(self, distances: Distances, state: Sequence[int]) -> bool:
        """Is the goal out of reach of the abstract state of a state, and this one not left out?"""
        at = self.index(state)
        return bool(self.alive[at] and distances[at] >= INFINITE)

    def steps(self, at: int) -> list[tuple[int, int]]:
        """The operators that may change an abstract state, each with the abstract state after it."""
        values = [at // factor % size for factor, size in zip(self.factors, self._domains, strict=True)]
        read, number, difference = self._rows.T
        applicable = np.zeros(len(read), np.bool_)
        for some in set(read.tolist()):
            places = [place for place in range(len(values)) if some >> place & 1]
            part = sum(values[place] * self.factors[place] for place in places)
            applicable |= (read == some) & (number == part)
        first, operators = self._transitions.operator_first, self._transitions.operators
        return [
            (operators[i], at + int(difference[row]))
            for row in map(int, np.flatnonzero(applicable))
            for i in range(first[row], first[row + 1])
        ]

    def index(self, state: Sequence[int]) -> int:
        """The number of the abstract state of a state."""
        return sum(factor * state[variable] for variable, factor in zip(self.variables, self.factors, strict=True))


def database(abstracted: Abstracted, variables: Sequence[int], most: int, most_shared: int = 0) -> Database | None:
    """The database of a pattern.

    None if it has more than `most` abstract operators, or transitions, with those of states that are left out,
    beside `most_shared` whose operators do not read all of the pattern: these need not be stored.
    """
    task = abstracted.task
    pattern = Pattern(variables, task.domains)
    changes = np.zeros(len(task.operators), np.bool_)
    for variable in variables:
        changes[abstracted.changing[variable]] = True
    chosen = np.flatnonzero(changes)
    rows = project(abstracted.operators, chosen, pattern, most)
    if rows is None:
        return None
    least = np.zeros(len(task.operators), np.int64)
    least[chosen] = -INFINITE
    least[rows[rows[:, 2] == 0, 3]] = 0  # it may change nothing here
    rows = rows[rows[:, 2] != 0]
    order = np.lexsort(rows[:, 2::-1].T)
    rows = rows[order]
    is_first = np.ones(len(rows), np.bool_)
    is_first[1:] = (rows[1:, :3] != rows[:-1, :3]).any(axis=1)
    allowed = _allowed(abstracted, pattern)
    each = rows[is_first]
    count = counts(pattern, each)
    shared = _shared(count, pattern.size, (1 << len(variables)) - 1, most, most_shared)
    if shared is None:
        return None
    stored, ahead, behind = np.ones(len(each), np.uint8), NO_STEPS, NO_STEPS
    if shared:
        stored[np.isin(each[:, 0], shared)] = False
        ahead, behind = (
            shared_steps(_parts(pattern, shared), shared, each, is_forward=forth) for forth in (True, False)
        )
    left = sum(times for read, times in count.items() if read not in shared)
    source, target, row = transitions(pattern, each, allowed, stored, left)
    start = sum(int(f) * task.initial[v] for v, f in zip(variables, np.asarray(pattern.factors), strict=True))
    alive = reach(start, source, target, ahead, allowed)
    kept = alive[source].astype(np.bool_)
    source, target, row = source[kept], target[kept], row[kept]
    into, by_target = sort(target, pattern.size)
    goals = np.flatnonzero(alive & _agrees(pattern, task)).astype(np.int32)
    first = np.append(np.flatnonzero(is_first), len(rows)).astype(np.int64)
    arrays = Transitions(
        source[by_target],
        row[by_target],
        into,
        behind,
        alive & allowed,
        goals,
        first,
        rows[:, 3].astype(np.int32),
    )
    return Database(pattern, np.ascontiguousarray(each[:, :3]), arrays, alive.astype(np.bool_), least, start)


def _shared(counts: Mapping[int, int], size: int, whole: int, most: int, most_shared: int) -> list[int] | None:
    """The sets of variables whose transitions are shared, so that `most` others are left; None if that is too few.

    counts  the number of transitions that read just each set
    size    the number of states: each has a group for each of the sets
    whole   the set of all variables, whose transitions are not shared
    """
    found: list[int] = []
    left = sum(counts.values())
    for read in sorted(counts, key=lambda read: -counts[read]):
        if left > most and read != whole:
            found.append(read)
            left -= counts[read]
    fits = max(left, size * len(found)) <= most and sum(counts[read] for read in found) <= most_shared
    return found if fits else None


def _parts(pattern: Pattern, sets: Sequence[int]) -> Iterator[npt.NDArray[np.int64]]:
    """For each set of variables, as a word: the number of each abstract state if all others were 0."""
    for read in sets:
        part = np.zeros(pattern.size, np.int64)
        for place, factor in enumerate(np.asarray(pattern.factors)):
            if read >> place & 1:
                part += factor * _values(pattern, place)
        yield part


def _allowed(abstracted: Abstracted, pattern: Pattern) -> npt.NDArray[np.uint8]:
    """The abstract states that have at most one fact of each group, and no pair that excludes each other."""
    variables = [int(variable) for variable in np.asarray(pattern.variables)]
    allowed = np.ones(pattern.size, np.bool_)
    for group in abstracted.groups(variables):
        count = np.zeros(pattern.size, np.uint8)
        for place, variable in enumerate(variables):
            values = [value for other, value in group if other == variable]
            if values:
                is_one = np.zeros(pattern.domains[place], np.bool_)
                is_one[values] = True
                count += is_one[_values(pattern, place)]
        allowed &= count <= 1
    for place, variable in enumerate(variables):
        for before, other in enumerate(variables[: place + 1]):
            may_hold = abstracted.together(variable, other)
            if may_hold is not None and not may_hold.all():
                allowed &= may_hold[_values(pattern, place), _values(pattern, before)]
    return allowed.astype(np.uint8)


def _agrees(pattern: Pattern, task: Task) -> npt.NDArray[np.bool_]:
    """The abstract states that agree with the goal."""
    agrees = np.ones(pattern.size, np.bool_)
    for place, variable in enumerate(np.asarray(pattern.variables)):
        if int(variable) in task.goal:
            agrees &= _values(pattern, place) == task.goal[int(variable)]
    return agrees


def _values(pattern: Pattern, place: int) -> npt.NDArray[np.int64]:
    """The value of a variable in each abstract state."""
    found: npt.NDArray[np.int64] = np.arange(pattern.size) // pattern.factors[place] % pattern.domains[place]
    return found
