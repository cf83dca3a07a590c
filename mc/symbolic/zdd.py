"""Sets of states as zero-suppressed decision diagrams (Minato 1993), by OxiDD.

A state is the set of its true bits, so a sparse state costs as many nodes as it has true bits. A literal
guard is a cofactor (`subset0`, `subset1`) and a constant update sets bits (`change`): neither needs
next-state variables. OxiDD has no quantification; an update by formula gives the next-state bits one
after the other by splitting the set with the formula (the functional image of Coudert and Madre 1990).
"""

import operator
from collections.abc import Callable, Iterator, Sequence, Set
from functools import cached_property, partial, reduce
from typing import Any, TypeAlias

from oxidd.zbdd import ZBDDFunction, ZBDDManager

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Limits
from puzzlemc.mc.model.formula import Bit, Cube, Formula, Gates, Signal, State, fold, negation
from puzzlemc.mc.proofs.circuit import FALSE, TRUE, Circuit
from puzzlemc.mc.symbolic.diagrams import Updates

SetOfStates: TypeAlias = ZBDDFunction
SetFunction: TypeAlias = Callable[[SetOfStates], SetOfStates]

Known: TypeAlias = dict[Any, int]
Circuits: TypeAlias = dict[Gates, dict[int, SetOfStates]]  # the sets of literals of circuits

BYTES_PER_NODE = 40  # of capacity, its share of the unique table and the apply cache included
SMALLEST = 1 << 17
FEWEST = 1 << 8  # nodes: OxiDD ends the process where it has no room at all

_subset = (ZBDDFunction.subset0, ZBDDFunction.subset1)
_change = ZBDDFunction.change


def _with(f: SetOfStates, variable: int) -> SetOfStates:
    return f.subset1(variable).change(variable)


def _forget(f: SetOfStates, variable: int) -> SetOfStates:
    return f.subset0(variable) | f.subset1(variable)


def _free(f: SetOfStates, variable: int) -> SetOfStates:
    """f with both values of a variable; the variable must be false in all members of f."""
    return f | f.change(variable)


def _move(f: SetOfStates, old: int, new: int) -> SetOfStates:
    return f.subset1(old).change(new) | f.subset0(old)


def _chain(steps: Sequence[tuple[Callable[[SetOfStates, int], SetOfStates], int]]) -> SetFunction:
    def run(f: SetOfStates) -> SetOfStates:
        for operation, variable in steps:
            f = operation(f, variable)
        return f

    return run


class Zdd:
    """The protocol `Diagrams` over one OxiDD manager."""

    name = "zdd"

    def __init__(self, bits: Sequence[Bit], primed: Set[Bit], capacity: int) -> None:
        self._capacity = capacity
        # Making the apply cache costs time in proportion to its size: a small level gets a small one.
        self._manager = ZBDDManager(capacity, min(capacity, 1 << 22), 1)
        self._variable: dict[Bit, int] = {}
        self._next: dict[Bit, int] = {}
        self._bit: dict[int, Bit] = {}
        number = 0
        for b in bits:
            self._variable[b], self._bit[number] = number, b
            number += 1
            if b in primed:
                self._next[b] = number
                number += 1
        self._manager.add_vars(number)
        self.empty = self._manager.empty()
        self.universe = self._manager.base()
        for variable in reversed(self._bit):
            self.universe = _free(self.universe, variable)

    @staticmethod
    def capacities(limits: Limits) -> Iterator[int]:
        largest = limits.memory // BYTES_PER_NODE
        if limits.nodes is not None:
            largest = min(largest, limits.nodes)
        largest = max(largest, FEWEST)
        capacity = SMALLEST
        while capacity < largest:
            yield capacity
            capacity *= 8
        yield largest

    @staticmethod
    def ran_out(error: Exception) -> bool:
        return isinstance(error, MemoryError)  # OxiDD's DDMemoryError is one

    @staticmethod
    def is_empty(f: SetOfStates, /) -> bool:
        return not f.satisfiable()

    union = staticmethod(operator.or_)
    intersection = staticmethod(operator.and_)
    difference = staticmethod(operator.sub)

    def selector(self, formula: Formula) -> SetFunction:
        return self._selector(formula, {})

    def _selector(self, formula: Formula, known: Circuits) -> SetFunction:
        if isinstance(formula, Signal):
            selected = self._set(formula, known)
            return lambda f: f & selected

        def literal(b: Bit, value: bool) -> SetFunction:
            variable = self._variable[b]
            return partial(_with, variable=variable) if value else lambda f: f.subset0(variable)

        def conj(parts: list[SetFunction]) -> SetFunction:
            def run(f: SetOfStates) -> SetOfStates:
                for part in parts:
                    f = part(f)
                return f

            return run

        def disj(parts: list[SetFunction]) -> SetFunction:
            def run(f: SetOfStates) -> SetOfStates:
                found = self.empty
                for part in parts:
                    found |= part(f)
                return found

            return run

        return fold(formula, literal, conj, disj)

    def _set(self, signal: Signal, known: Circuits) -> SetOfStates:
        """All states in which the signal holds, with any values of the next-state bits.

        A function on sets, as other formulas become, would run once for each path through the gates.
        """

        def literal(b: Bit, value: bool) -> SetOfStates:
            variable = self._variable[b]
            return _with(self._everything, variable) if value else self._everything.subset0(variable)

        return fold(
            signal,
            literal,
            lambda parts: reduce(operator.and_, parts, self._everything),
            lambda parts: reduce(operator.or_, parts, self.empty),
            known,
        )

    @cached_property
    def _everything(self) -> SetOfStates:
        """All states, with any values of the next-state bits."""
        f = self._manager.base()
        for variable in reversed(range(self._manager.num_vars())):
            f = _free(f, variable)
        return f

    def image(self, guard: Cube, constants: Cube) -> SetFunction:
        variable = self._variable
        steps: list[tuple[Any, int]] = [(_subset[value], variable[b]) for b, value in guard.items()]
        steps += [(_forget, variable[b]) for b in constants if b not in guard]
        steps += [(_change, variable[b]) for b, value in {**guard, **constants}.items() if value]
        return _chain(steps)

    def preimage(self, guard: Cube, constants: Cube) -> SetFunction:
        variable = self._variable
        steps: list[tuple[Any, int]] = [
            (_subset[value], variable[b]) for b, value in {**guard, **constants}.items()
        ]
        steps += [(_free, variable[b]) for b in constants if b not in guard]
        steps += [(_change, variable[b]) for b, value in guard.items() if value]
        return _chain(steps)

    def relational_image(self, guard: Formula, constants: Cube, formulas: Updates) -> SetFunction:
        known: Circuits = {}
        enabled = self._selector(guard, known)
        fixed = [(self._variable[b], new) for b, new in constants.items()]
        functions = self._functions(formulas, known)

        def run(f: SetOfStates) -> SetOfStates:
            f = enabled(f)
            for _, primed, true, false in functions:
                f = true(f).change(primed) | false(f)
            for variable, new in fixed:
                f = _forget(f, variable)
                f = f.change(variable) if new else f
            for variable, primed, _, _ in functions:
                f = _move(_forget(f, variable), primed, variable)
            return f

        return run

    def relational_preimage(self, guard: Formula, constants: Cube, formulas: Updates) -> SetFunction:
        known: Circuits = {}
        enabled = self._selector(guard, known)
        fixed = [(self._variable[b], new) for b, new in constants.items()]
        functions = self._functions(formulas, known)

        def run(f: SetOfStates) -> SetOfStates:
            for variable, new in fixed:
                f = _free(_subset[new](f, variable), variable)
            for variable, primed, _, _ in functions:
                f = _free(_move(f, variable, primed), variable)
            f = enabled(f)
            for _, primed, true, false in functions:
                f = true(f.subset1(primed)) | false(f.subset0(primed))
            return f

        return run

    def _functions(self, formulas: Updates, known: Circuits) -> list[tuple[int, int, SetFunction, SetFunction]]:
        return [
            (
                self._variable[b],
                self._next[b],
                self._selector(new, known),
                self._selector(negation(new), known),
            )
            for b, new in formulas.items()
        ]

    def single(self, state: State) -> SetOfStates:
        f = self._manager.base()
        for b in state:
            f = f.change(self._variable[b])
        return f

    def contains(self, f: SetOfStates, state: State) -> bool:
        return bool(f.eval([(variable, b in state) for b, variable in self._variable.items()]))

    def count(self, f: SetOfStates) -> int:
        # A set never mentions the next-state variables: they are false in all of its members.
        return int(f.sat_count(self._manager.num_vars()))

    def size(self, f: SetOfStates) -> int:
        return int(f.node_count())

    def pick(self, f: SetOfStates) -> State:
        values = f.pick_cube()
        assert values is not None, "a state of the empty set was asked for"
        return frozenset(b for variable, b in self._bit.items() if values[variable])

    def held(self, f: SetOfStates) -> Set[Bit]:
        found: set[int] = set()
        seen = {f}
        worklist = [f]
        while worklist:
            children = worklist.pop().cofactors()
            if children is not None:
                for child in children:
                    if child not in seen:
                        seen.add(child)
                        worklist.append(child)
        for node in seen:
            variable = node.node_var()
            if variable is not None:
                found.add(variable)
        return {self._bit[variable] for variable in found}

    def subsets(self, bits: Set[Bit]) -> SetOfStates:
        f = self._manager.base()
        for variable in sorted((self._variable[b] for b in bits), reverse=True):
            f = _free(f, variable)
        return f

    def without(self, f: SetOfStates, patterns: SetOfStates) -> SetOfStates:
        """The states of f that contain none of the patterns. Meant for few patterns of few bits."""
        variable, children = patterns.node_var(), patterns.cofactors()
        if variable is None or children is None:  # no pattern, or the empty one, which is in every state
            return self.empty if patterns.satisfiable() else f
        if not f.satisfiable():
            return f
        high, low = children
        f = self.without(f, low)
        return f.subset0(variable) | self.without(f.subset1(variable), high).change(variable)

    def read(self, f: SetOfStates, circuit: Circuit, known: Known) -> int:
        """The literal of the circuit for membership in the set. `known` is a cache for each circuit."""
        order = sorted(self._bit)
        place = {variable: number for number, variable in enumerate(order)}
        present = [circuit.input(self._bit[variable]) for variable in order]

        def none(start: int, end: int) -> int:
            """The literal: all variables from place `start` to before place `end` are false."""
            if start >= end:
                return TRUE
            if (start, end) not in known:
                known[start, end] = circuit.both(present[start] ^ 1, none(start + 1, end))
            return known[start, end]

        def skipping(start: int, child: SetOfStates) -> int:
            variable = child.node_var()
            return circuit.both(none(start, len(order) if variable is None else place[variable]), known[child])

        def node(variable: int, high: SetOfStates, low: SetOfStates) -> int:
            at = place[variable]
            return circuit.choice(present[at], skipping(at + 1, high), skipping(at + 1, low))

        _write(f, known, node)
        return skipping(0, f)

    def read_patterns(self, f: SetOfStates, circuit: Circuit, known: Known) -> int:
        """The literal of the circuit for: the state contains a member of the set. `known` as in `read`."""

        def node(variable: int, high: SetOfStates, low: SetOfStates) -> int:
            return circuit.disj([circuit.both(circuit.input(self._bit[variable]), known[high]), known[low]])

        _write(f, known, node)
        return known[f]

    def tidy(self) -> int:
        # OxiDD collects garbage by itself only when the manager is almost full. Collect past half of the capacity;
        # if more than half is still alive, raise LimitReached, and the search restarts in a larger manager.

        nodes = self._manager.approx_num_inner_nodes()
        if nodes > self._capacity // 2:
            self._manager.gc()
            nodes = self._manager.num_inner_nodes()
            if nodes > self._capacity // 2:
                raise LimitReached("memory")
        return int(nodes)


def _write(f: SetOfStates, known: Known, node: Callable[[int, SetOfStates, SetOfStates], int]) -> None:
    """Write the literals of f and of all its nodes to `known`, bottom-up."""
    stack = [f]
    while stack:
        top = stack[-1]
        if top in known:
            stack.pop()
            continue
        variable, children = top.node_var(), top.cofactors()
        if variable is None or children is None:
            known[top] = TRUE if top.satisfiable() else FALSE
        elif missing := [child for child in children if child not in known]:
            stack += missing
        else:
            known[top] = node(variable, *children)
