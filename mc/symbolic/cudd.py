"""Sets of states as binary decision diagrams (Bryant 1986), by CUDD through `dd`.

Constant updates quantify the updated bits and set them anew; updates by formula go through a relation
over the bits that they touch, with the next-state variable of a bit right below it. The order is static:
the dynamic reordering that `dd` turns on is off.
"""

from collections.abc import Callable, Iterator, Sequence, Set
from functools import partial, reduce
from typing import Any, TypeAlias

from dd import cudd

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Limits
from puzzlemc.mc.model.formula import Bit, Cube, Formula, Gates, State, fold
from puzzlemc.mc.symbolic.diagrams import Updates

SetOfStates: TypeAlias = Any  # dd has no types here: dd.cudd.Function
SetFunction: TypeAlias = Callable[[SetOfStates], SetOfStates]

BYTES_PER_NODE = 64  # with its share of the unique table and of the cache, which CUDD grows itself


class Cudd:
    """The protocol `Diagrams` over one CUDD manager."""

    name = "cudd"

    def __init__(self, bits: Sequence[Bit], primed: Set[Bit], capacity: int) -> None:
        self._capacity = capacity
        self._bdd = cudd.BDD(memory_estimate=capacity * BYTES_PER_NODE, initial_cache_size=1 << 14)
        self._bdd.configure(reordering=False, max_memory=capacity * BYTES_PER_NODE)
        self._name = {b: f"x{number}" for number, b in enumerate(bits)}
        self._bit = {name: b for b, name in self._name.items()}
        self._next = {b: f"y{number}" for number, b in enumerate(bits) if b in primed}
        for b in bits:
            self._bdd.declare(self._name[b])
            if b in primed:
                self._bdd.declare(self._next[b])
        self.empty = self._bdd.false
        self.universe = self._bdd.true

    @staticmethod
    def capacities(limits: Limits) -> Iterator[int]:
        # CUDD's tables grow by themselves: one manager is enough.
        largest = limits.memory // BYTES_PER_NODE
        yield largest if limits.nodes is None else min(largest, limits.nodes)

    @staticmethod
    def ran_out(error: Exception) -> bool:
        return isinstance(error, MemoryError) or (isinstance(error, ValueError) and "NULL" in str(error))

    def is_empty(self, f: SetOfStates, /) -> bool:
        return bool(f == self.empty)

    def union(self, f: SetOfStates, g: SetOfStates, /) -> SetOfStates:
        return f | g

    def intersection(self, f: SetOfStates, g: SetOfStates, /) -> SetOfStates:
        return f & g

    def difference(self, f: SetOfStates, g: SetOfStates, /) -> SetOfStates:
        return f & ~g

    def _set(self, formula: Formula, known: dict[Gates, dict[int, SetOfStates]] | None = None) -> SetOfStates:
        def literal(b: Bit, value: bool) -> SetOfStates:
            variable = self._bdd.var(self._name[b])
            return variable if value else ~variable

        return fold(
            formula,
            literal,
            lambda parts: reduce(lambda f, g: f & g, parts, self.universe),
            lambda parts: reduce(lambda f, g: f | g, parts, self.empty),
            known,
        )

    def selector(self, formula: Formula) -> SetFunction:
        selected = self._set(formula)
        return lambda f: f & selected

    def image(self, guard: Cube, constants: Cube) -> SetFunction:
        return self._exchange(self._cube(guard), [self._name[b] for b in constants], self._cube(constants))

    def preimage(self, guard: Cube, constants: Cube) -> SetFunction:
        return self._exchange(self._cube(constants), [self._name[b] for b in constants], self._cube(guard))

    def _exchange(self, before: SetOfStates, names: list[str], after: SetOfStates) -> SetFunction:
        """The function: restrict to the cube `before`, quantify the named bits, restrict to the cube `after`."""
        if not names:
            return lambda f: f & before & after
        return lambda f: cudd.and_exists(f, before, names) & after

    def relational_image(self, guard: Formula, constants: Cube, formulas: Updates) -> SetFunction:
        relation, arrived = self._relation(guard, formulas), self._cube(constants)
        updated = [self._name[b] for b in (*constants, *formulas)]
        unprime = self._renaming({self._next[b]: self._name[b] for b in formulas})
        return lambda f: unprime(cudd.and_exists(f, relation, updated)) & arrived

    def relational_preimage(self, guard: Formula, constants: Cube, formulas: Updates) -> SetFunction:
        relation, arrived = self._relation(guard, formulas), self._cube(constants)
        fixed = [self._name[b] for b in constants]
        prime = self._renaming({self._name[b]: self._next[b] for b in formulas})
        primed = [self._next[b] for b in formulas]
        return lambda f: cudd.and_exists(prime(cudd.and_exists(f, arrived, fixed)), relation, primed)

    def _renaming(self, names: dict[str, str]) -> SetFunction:
        return partial(self._bdd.let, names) if names else lambda f: f

    def _relation(self, guard: Formula, formulas: Updates) -> SetOfStates:
        """The transition relation: the guard, and each next-state bit equivalent to its formula."""
        known: dict[Gates, dict[int, SetOfStates]] = {}
        relation = self._set(guard, known)
        for b, new in formulas.items():
            relation = relation & self._bdd.var(self._next[b]).equiv(self._set(new, known))
        return relation

    def _cube(self, literals: Cube) -> SetOfStates:
        return self._bdd.cube({self._name[b]: value for b, value in literals.items()})

    def single(self, state: State) -> SetOfStates:
        return self._cube({b: b in state for b in self._name})

    def contains(self, f: SetOfStates, state: State) -> bool:
        values = {name: b in state for name, b in self._bit.items()}
        return bool((self._bdd.let(values, f) if values else f) == self.universe)

    def count(self, f: SetOfStates) -> int:
        # CUDD counts in floating point. Here: integers, from the bottom of the diagram up, as the number of
        # assignments to the variables from the level of a node on, of a node without its complement mark.
        depth = len(self._bdd.vars)
        nodes: dict[int, tuple[int, SetOfStates]] = {}
        stack = [f]
        while stack:
            node = stack.pop()
            node = ~node if node.negated else node
            if node.var is not None and int(node) not in nodes:
                nodes[int(node)] = (node.level, node)
                stack += [node.low, node.high]
        number: dict[int, int] = {}

        def below(node: SetOfStates, level: int) -> int:
            """The number of satisfying assignments to the variables from `level` on, at most the node's own."""
            top = depth if node.var is None else node.level
            plain = 1 if node.var is None else number[int(~node if node.negated else node)]
            found = (1 << (depth - top)) - plain if node.negated else plain
            return found << (top - level)

        for key, (level, node) in sorted(nodes.items(), key=lambda item: -item[1][0]):
            number[key] = below(node.low, level + 1) + below(node.high, level + 1)
        return below(f, 0) >> len(self._next)

    def size(self, f: SetOfStates) -> int:
        return int(f.dag_size)

    def pick(self, f: SetOfStates) -> State:
        values = self._bdd.pick(f, care_vars=set(self._bit))
        assert values is not None, "a state of the empty set was asked for"
        return frozenset(self._bit[name] for name, value in values.items() if value)

    def held(self, f: SetOfStates) -> Set[Bit]:
        return {b for name, b in self._bit.items() if f & self._bdd.var(name) != self.empty}

    def subsets(self, bits: Set[Bit]) -> SetOfStates:
        return self._cube({b: False for b in self._name if b not in bits})

    def tidy(self) -> int:
        nodes = len(self._bdd)  # the live ones
        if nodes > self._capacity:
            raise LimitReached("memory")
        return nodes
