"""The possible states of a model, as a proof says; and the check that all reachable states are possible.

1. A state is *possible* if its variables have codes of the proof and no two literals hold that the proof says are
   apart. The initial state is possible.
2. Actions lead from possible states to possible ones. An action is looked at by cases, the codes of the variables
   that it reads or sets. After it, these have codes of the proof, and a literal that it makes true is apart from
   none that may hold then: one that stays was apart from the case before.
3. Each possible goal state satisfies one of the goals of the proof, as a SAT solver shows.

The code here shares nothing with the search for facts.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import FALSE, Bit, Cube, Formula, Gates, Signal, constant, fold, literals
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.restriction import restricted
from puzzlemc.mc.proofs.circuit import Circuit
from puzzlemc.mc.proofs.clauses import check_by_clauses
from puzzlemc.mc.proofs.facts import Facts
from puzzlemc.mc.proofs.layered import LayeredProof

Case = dict[int, int]  # variable -> the index of its code


def check_facts(model: Model, facts: Facts) -> None:
    """Raise Refuted unless what is said is about the bits of the model and well formed."""
    if not model.has_formulas:
        raise Refuted("facts show nothing about steps that are a function of a state")
    if facts.inputs != tuple(map(str, model.bits)):
        raise Refuted("the bits of the proof are not those of the model")
    named = [b for variable in facts.variables for b in variable.bits]
    named += [abs(p) for some in (*facts.apart, *facts.goals) for p in some]
    if not all(1 <= b <= len(facts.inputs) for b in named):
        raise Refuted("a number is not that of a bit")
    if any(len(pair) != 2 for pair in facts.apart):
        raise Refuted("literals are apart in pairs")
    # Only the bits of variables are looked at after an action: what is said of another one would not be checked.
    known = {b for variable in facts.variables for b in variable.bits}
    if not all(abs(p) in known for some in (*facts.apart, *facts.goals) for p in some):
        raise Refuted("a literal is of a bit that is in no variable")
    codes: dict[int, tuple[int, ...]] = {}
    for variable in facts.variables:
        if len(set(variable.bits)) < len(variable.bits) or len(set(variable.codes)) < len(variable.codes):
            raise Refuted("a variable has a bit or a code twice")
        if not all(0 <= code < 1 << len(variable.bits) for code in variable.codes):
            raise Refuted("a code has more bits than its variable")
        if codes.setdefault(variable.kind, variable.codes) != variable.codes:
            raise Refuted("variables of one kind have different codes")


class PossibleStates:
    """The possible states of a model. A set of literals is a number: bit 2i is set if bit i is false in it, and
    bit 2i + 1 if it is true."""

    def __init__(self, model: Model, facts: Facts) -> None:
        self.model, self.facts = model, facts
        self.number = {b: i for i, b in enumerate(model.bits)}
        self.apart = [1 << (p ^ 1) for p in range(2 * len(model.bits))]  # literal -> those that exclude it
        for one, other in facts.apart:
            p, q = _literal(one), _literal(other)
            self.apart[p] |= 1 << q
            self.apart[q] |= 1 << p
        self.masks = [
            [sum(1 << (2 * (b - 1) + (code >> k & 1)) for k, b in enumerate(v.bits)) for code in v.codes]
            for v in facts.variables
        ]
        self.excluded = [[self.against(mask) for mask in masks] for masks in self.masks]
        self.variables_of: dict[int, list[int]] = {}
        for number, v in enumerate(facts.variables):
            for b in v.bits:
                self.variables_of.setdefault(b - 1, []).append(number)

    def against(self, mask: int) -> int:
        """The literals that are excluded by one of these."""
        found = 0
        while mask:
            low = mask & -mask
            found |= self.apart[low.bit_length() - 1]
            mask ^= low
        return found

    @cached_property
    def circuit(self) -> tuple[Circuit, int]:
        """The possible states as a circuit."""
        circuit = Circuit(self.facts.inputs)
        inputs = [circuit.input(name) for name in self.facts.inputs]
        parts = []
        for v in self.facts.variables:
            codes = [circuit.conj(inputs[b - 1] ^ 1 ^ (c >> k & 1) for k, b in enumerate(v.bits)) for c in v.codes]
            parts.append(circuit.disj(codes))
        for one, other in self.facts.apart:
            parts.append(circuit.both(*(inputs[abs(p) - 1] ^ (p < 0) for p in (one, other))) ^ 1)
        return circuit, circuit.conj(parts)

    def check_initial(self) -> None:
        """Check step 1. Raises Refuted."""
        initial = literals(self.model.init)
        if initial is None or initial.keys() != self.number.keys():
            raise Refuted("the model has more than one initial state")
        mask = self.mask(initial)
        if self.against(mask) & mask:
            raise Refuted("the initial state has two literals that should be apart")
        if not all(any(code & mask == code for code in codes) for codes in self.masks):
            raise Refuted("a variable has a code in the initial state that it should not have")

    def check_goals(self, budget: Budget) -> None:
        """Check that each possible goal state satisfies one of the goals. Raises Refuted."""
        circuit, possible = self.circuit
        inputs = [circuit.input(name) for name in self.facts.inputs]
        goals = circuit.disj(circuit.conj(inputs[abs(p) - 1] ^ (p < 0) for p in goal) for goal in self.facts.goals)
        other = circuit.both(possible, goals ^ 1)
        still = replace(self.model, init=FALSE, actions=())
        check_by_clauses(still, LayeredProof(circuit, (other,)), None, budget)

    def initial(self) -> Case:
        """The codes of the variables in the initial state, which is possible."""
        initial = literals(self.model.init)
        assert initial is not None
        mask = self.mask(initial)
        return {
            number: next(index for index, code in enumerate(codes) if code & mask == code)
            for number, codes in enumerate(self.masks)
        }

    def mask(self, cube: Mapping[Bit, bool]) -> int:
        """The literals of a cube."""
        return sum(1 << (2 * self.number[b] + value) for b, value in cube.items())

    def left(self, variable: int, excluded: int) -> list[int]:
        """The codes of a variable, by index, that have no excluded literal, and no two that are apart."""
        own = self.excluded[variable]
        return [index for index, mask in enumerate(self.masks[variable]) if not mask & (excluded | own[index])]

    def cases(self, touched: Sequence[int], guard: int) -> Iterator[tuple[Case, int]]:
        """The possible codes of some variables where literals hold, and what they exclude."""
        excluded = self.against(guard)
        if excluded & guard:
            return

        def extended(case: Case, excluded: int, rest: Sequence[int]) -> Iterator[tuple[Case, int]]:
            if not rest:
                yield case, excluded
                return
            for index in self.left(rest[0], excluded):
                more = excluded | self.excluded[rest[0]][index]
                yield from extended({**case, rest[0]: index}, more, rest[1:])

        yield from extended({}, excluded, touched)

    def codes_left(self, goal: Sequence[int]) -> list[list[int]]:
        """The codes of each variable, by index, that are possible in states of a goal."""
        mask = 0
        for p in goal:
            mask |= 1 << _literal(p)
        excluded = self.against(mask)
        while True:
            left = [self.left(v, excluded) for v in range(len(self.masks))]
            more = excluded
            for v, indices in enumerate(left):
                if len(indices) == 1:
                    more |= self.excluded[v][indices[0]]
            if more == excluded:
                return left
            excluded = more

    def steps(self, action: Action, budget: Budget) -> Iterator[tuple[Case, Case, int]]:
        """The cases in which an action may fire: the codes before, those that change, and what is excluded.

        Raises Refuted unless it leads to possible states.
        """
        number = self.number
        formulas = {b: formula for b, formula in action.formulas.items() if number[b] in self.variables_of}
        updated = {number[b] for b in action.update}
        read = {number[b] for formula in (action.guard, *formulas.values()) for b in _bits_of(formula)}
        touched = sorted({v for b in read | updated for v in self.variables_of.get(b, ())})
        cube = action.cube
        for case, excluded in self.cases(touched, 0 if cube is None else self.mask(cube)):
            budget.check()
            known = self._bits_in(case)
            gates: dict[Gates, dict[int, bool | None]] = {}
            if cube is None and _value(action.guard, known, gates) is False:
                continue
            after = {b: new for b, new in action.constants.items() if b in known}
            for b, formula in formulas.items():
                value = _value(formula, known, gates)
                if value is None:
                    raise Refuted(f"action {action.name} sets {b} to what the variables of the proof do not tell")
                after[b] = value
            changed = {}
            for v in touched:
                index = self._index_after(v, case[v], after)
                if index is None:
                    raise Refuted(f"action {action.name} gives a variable a code that it should not have")
                if index != case[v]:
                    changed[v] = index
            if not self._is_apart(known, {**known, **after}, excluded):
                raise Refuted(f"action {action.name} makes two literals true that should be apart")
            yield case, changed, excluded

    def _is_apart(self, known: Cube, after: Cube, excluded: int) -> bool:
        """Is what an action makes true in a case apart from nothing that may hold after it?"""
        there = self.mask(after)
        new = there & ~self.mask(known)
        touched = sum(3 << 2 * self.number[b] for b in known)
        return not self.against(new) & (there | ~(excluded | touched))

    def _bits_in(self, case: Case) -> dict[Bit, bool]:
        """The values of bits in a case."""
        bits = self.model.bits
        known = {}
        for v, index in case.items():
            variable = self.facts.variables[v]
            for k, b in enumerate(variable.bits):
                known[bits[b - 1]] = bool(variable.codes[index] >> k & 1)
        return known

    def _index_after(self, v: int, index: int, after: Mapping[Bit, bool]) -> int | None:
        """The index of the code of a variable after bits are set; None if it has no such code."""
        variable = self.facts.variables[v]
        code = variable.codes[index]
        for k, b in enumerate(variable.bits):
            value = after.get(self.model.bits[b - 1])
            if value is not None:
                code = code & ~(1 << k) | value << k
        return variable.codes.index(code) if code in variable.codes else None


def _value(formula: Formula, known: Cube, gates: dict[Gates, dict[int, bool | None]]) -> bool | None:
    """The value of a formula where some bits are known; None if they do not tell it. `gates` keeps values."""
    if not isinstance(formula, Signal):
        return constant(restricted(formula, known))

    def literal(b: Bit, value: bool) -> bool | None:
        return known[b] == value if b in known else None

    def conj(parts: list[bool | None]) -> bool | None:
        return False if False in parts else None if None in parts else True

    def disj(parts: list[bool | None]) -> bool | None:
        return True if True in parts else None if None in parts else False

    return fold(formula, literal, conj, disj, gates)


def _literal(number: int) -> int:
    return 2 * (abs(number) - 1) + (number > 0)


def _bits_of(formula: Formula) -> frozenset[Bit]:
    return frozenset(formula) if isinstance(formula, Mapping) else formula.support
