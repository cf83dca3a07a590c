"""States of a task in binary: each value of a variable is a number in bits; sets of states are binary
decision diagrams.

The bits of a variable are together, the current bit of each right above its next bit. Derived variables have no
bits: their facts are formulas over the others (`derived`).

The order of the bits is static. A manager allocates no more than its memory, tables included; beyond that an
operation fails.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from functools import cached_property, reduce
from typing import TypeAlias

from puzzlemc.mc.bdd import Diagram, and_exists, new_manager, ran_out
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.system.memory import installed
from puzzlemc.mc.tasks.semantics import completed
from puzzlemc.mc.tasks.task import Condition, Fact, State, Task

StateSet: TypeAlias = Diagram

BYTES_PER_NODE = 64  # with its share of the unique table and of the cache
ESTIMATE = 1 << 31  # bytes: CUDD makes its tables for this much memory larger at once, beyond it slowly
EMPTY_BYTES = 1 << 24  # of a manager without nodes
PART_NODES = 1 << 13  # of a set, for each part that it is taken apart into
MOST_UNITED = 1 << 40  # the product of the nodes of two sets whose union is made
CACHE = 1 << 16  # entries of CUDD's cache at first; it grows by itself


class Coding:
    """The manager of the diagrams of a task, and the sets that conditions and states stand for."""

    def __init__(self, task: Task, order: Sequence[int], budget: Budget) -> None:
        """`order` is that of the variables that are not derived, top first."""
        self._task = task
        self._budget = budget
        limits = budget.limits
        self._capacity = limits.nodes
        memory = limits.memory
        if limits.nodes is not None:
            memory = min(memory, EMPTY_BYTES + limits.nodes * BYTES_PER_NODE)
        estimate = min(memory, ESTIMATE, installed() // 2)  # dd refuses one beyond the installed memory
        self._bdd = new_manager(memory, CACHE, estimate)
        self.order = tuple(order)
        self.current: dict[int, tuple[str, ...]] = {}
        self.next: dict[int, tuple[str, ...]] = {}
        for variable in order:
            bits = range((task.domains[variable] - 1).bit_length())
            self.current[variable] = tuple(f"x{variable}.{bit}" for bit in bits)
            self.next[variable] = tuple(f"y{variable}.{bit}" for bit in bits)
            for pair in zip(self.current[variable], self.next[variable], strict=True):
                self._bdd.declare(*pair)
        self.empty, self.universe = self._bdd.false, self._bdd.true
        self.derived: dict[Fact, StateSet] = {}

    # Sets

    def condition(self, condition: Condition, after: Condition | None = None) -> StateSet:
        """The states with these values; with `after`, the pairs of states with these values before and after."""
        literals: dict[str, bool] = {}
        for variable, value in condition.items():
            if variable in self.current:
                literals.update(_literals(self.current[variable], value))
        for variable, value in (after or {}).items():
            literals.update(_literals(self.next[variable], value))
        plain = self._bdd.cube(literals)
        formulas = (self.derived[fact] for fact in condition.items() if fact[0] not in self.current)
        return reduce(lambda f, g: f & g, formulas, plain)

    @cached_property
    def domains(self) -> Mapping[int, StateSet]:
        """For each variable the states in which its bits stand for a value."""
        return {
            variable: self.union(
                [self.condition({variable: value}) for value in range(self._task.domains[variable])]
            )
            if self._task.domains[variable] < 1 << len(bits)
            else self.universe
            for variable, bits in self.current.items()
        }

    @cached_property
    def unchanged(self) -> Mapping[int, StateSet]:
        """For each variable the pairs of states that agree on it."""
        same = {}
        for variable, bits in self.current.items():
            pairs = self.universe
            for now, then in zip(reversed(bits), reversed(self.next[variable]), strict=True):
                pairs = pairs & self._bdd.var(now).equiv(self._bdd.var(then))
            same[variable] = pairs
        return same

    def union(self, sets: Iterable[StateSet]) -> StateSet:
        """The union, by pairs of neighbours, so that small sets are united with small ones.

        Raises LimitReached if two of them are so large that their union may take minutes.
        """
        row = list(sets)
        while len(row) > 1:
            pairs = list(zip(row[::2], row[1::2], strict=False))
            if any(len(f) * len(g) > MOST_UNITED for f, g in pairs):
                raise LimitReached("bound", "a set of states has too many nodes")
            row = [f | g for f, g in pairs] + row[len(row) & ~1 :]
        return row[0] if row else self.empty

    def and_exists(self, f: StateSet, g: StateSet, bits: Set[str]) -> StateSet:
        """The intersection without these bits: they are quantified. Raises LimitReached.

        Parts of a large set come one after the other, with a look at the limits between them: that of a whole set
        may take a minute. CUDD would take it apart by the same variables, so that nothing is computed twice.
        """
        parts = []
        for part in self.parts(f):
            self._budget.check()
            parts.append(and_exists(part, g, bits) if bits else part & g)
        return self.union(parts)

    def parts(self, states: StateSet) -> list[StateSet]:
        """Disjoint parts of a set, by its first variables: more for a larger one."""
        found = [(self.universe, states)]
        for _ in range((len(states) // PART_NODES).bit_length()):
            found = [half for fixed, rest in found for half in self._halves(fixed, rest)]
        return [fixed & rest for fixed, rest in found]

    def _halves(self, fixed: StateSet, rest: StateSet) -> Iterator[tuple[StateSet, StateSet]]:
        """The states of `rest` by the value of its first variable, which goes to `fixed`."""
        if rest.var is None:
            yield fixed, rest
            return
        for value in (True, False):
            half = self._bdd.let({rest.var: value}, rest)
            if half != self.empty:
                yield fixed & self._bdd.cube({rest.var: value}), half

    def renaming(self, variables: Iterable[int], forth: bool) -> Mapping[str, StateSet]:
        """For `let`: current bits of these variables become next bits if `forth`; otherwise the reverse."""
        old, new = (self.current, self.next) if forth else (self.next, self.current)
        return {a: self._bdd.var(b) for v in variables for a, b in zip(old[v], new[v], strict=True)}

    def renamed(self, states: StateSet, names: Mapping[str, StateSet]) -> StateSet:
        """The set with other bits."""
        return self._bdd.let(names, states) if names else states

    # States

    def single(self, state: State) -> StateSet:
        """The set of one state."""
        return self.condition({variable: state[variable] for variable in self.order})

    def contains(self, states: StateSet, state: State) -> bool:
        """Is the state in the set?"""
        return bool((states & self.single(state)) != self.empty)

    def pick(self, states: StateSet) -> State:
        """Some state of a set that is not empty; the same one in each run."""
        names = {name for bits in self.current.values() for name in bits}
        bits = self._bdd.pick(states, care_vars=names)
        assert bits is not None, "a state of the empty set was asked for"
        values = list(self._task.initial)
        for variable, own in self.current.items():
            values[variable] = sum(bits[name] << place for place, name in enumerate(own))
        return completed(self._task, values)

    def nodes(self) -> int:
        """The number of nodes in use. Takes as long as a walk through all of them."""
        return len(self._bdd)

    def check_nodes(self) -> None:
        """Raise LimitReached if there are more nodes than the limit. Costs nothing without a limit."""
        if self._capacity is not None and self.nodes() > self._capacity:
            raise LimitReached("memory")


@contextmanager
def memory_limit() -> Iterator[None]:
    """Turn the failure of an operation, which means that the memory of diagrams is used up, into LimitReached."""
    try:
        yield
    except (MemoryError, ValueError, RuntimeError) as error:
        if ran_out(error):
            raise LimitReached("memory") from None
        raise


def _literals(bits: Sequence[str], value: int) -> Mapping[str, bool]:
    return {name: bool(value >> place & 1) for place, name in enumerate(bits)}
