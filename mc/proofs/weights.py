"""Checks proofs by sums, each action by itself.

1. A state is *possible* if its variables have codes of the proof and no two literals hold that the proof says are
   apart. The initial state is possible.
2. Actions lead from possible states to possible ones. An action is looked at by cases, the codes of the variables
   that it reads or sets. After it, these have codes of the proof, and a literal that it makes true is apart from
   none that may hold then: one that stays was apart from the case before.
3. No action changes a sum in a possible state, or raises a potential. In a case, the change is a constant and a
   function of the code of each other variable. Each function is constant on the codes that are possible, and all
   together make 0, or no more than 0.
4. Each possible goal state satisfies one of the goals, as a SAT solver shows; and in no possible state of a goal,
   its sum is that of the initial state, or a potential no larger.

*So no goal state is reachable.* The code here shares nothing with the search for sums.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise

from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import FALSE, Bit, Cube, Formula, constant, literals, restricted
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.circuit import Circuit
from puzzlemc.mc.proofs.clauses import check_by_clauses
from puzzlemc.mc.proofs.layered import LayeredProof
from puzzlemc.mc.proofs.sums import SumProof, WeightedFacts

PRIMES = (2, 3, 5, 7, 11, 13)
POTENTIAL = 0  # in place of a prime

Case = dict[int, int]  # variable -> the index of its code


def check_sums(model: Model, proof: SumProof, budget: Budget) -> None:
    """Check that the proof shows that no run of the model reaches the goal.

    Raises Refuted with what fails; LimitReached, MemoryError.
    """
    check_form(model, proof)
    states = _PossibleStates(model, proof)
    states.check_initial()
    weights = [_Weights(proof, weighted) for weighted in proof.sums]
    for action in model.actions:
        _check_action(states, weights, action, budget)
    states.check_goals(budget)
    for number, (goal, weighted) in enumerate(zip(proof.goals, proof.sums, strict=True), 1):
        budget.check()
        if not _distinguishes(states, weighted, goal):
            raise Refuted(f"sum {number} may be the same in a state of its goal as in the initial state")


def check_form(model: Model, proof: SumProof) -> None:
    """Raise Refuted unless the proof speaks of the bits of the model and of facts that exist."""
    if not model.has_formulas:
        raise Refuted("sums over facts show nothing about steps that are a function of a state")
    if proof.inputs != tuple(map(str, model.bits)):
        raise Refuted("the bits of the proof are not those of the model")
    if len(proof.goals) != len(proof.sums):
        raise Refuted(f"{len(proof.sums)} sums for {len(proof.goals)} goals")
    named = [b for variable in proof.variables for b in variable.bits]
    named += [abs(p) for some in (*proof.apart, *proof.goals) for p in some]
    if not all(1 <= b <= len(proof.inputs) for b in named):
        raise Refuted("a number is not that of a bit")
    if any(len(pair) != 2 for pair in proof.apart):
        raise Refuted("literals are apart in pairs")
    # Only the bits of variables are looked at after an action: what is said of another one would not be checked.
    known = {b for variable in proof.variables for b in variable.bits}
    if not all(abs(p) in known for some in (*proof.apart, *proof.goals) for p in some):
        raise Refuted("a literal is of a bit that is in no variable")
    codes: dict[int, tuple[int, ...]] = {}
    for variable in proof.variables:
        if len(set(variable.bits)) < len(variable.bits) or len(set(variable.codes)) < len(variable.codes):
            raise Refuted("a variable has a bit or a code twice")
        if not all(0 <= code < 1 << len(variable.bits) for code in variable.codes):
            raise Refuted("a code has more bits than its variable")
        if codes.setdefault(variable.kind, variable.codes) != variable.codes:
            raise Refuted("variables of one kind have different codes")
    for weighted in proof.sums:
        if weighted.prime not in (*PRIMES, POTENTIAL):
            raise Refuted(f"found sums modulo {weighted.prime}, expected one of {', '.join(map(str, PRIMES))}")
        if weighted.prime == POTENTIAL and any(len(row) != 3 for row in weighted.weights):
            raise Refuted("a potential has weights of single facts")
        for row in weighted.weights:
            facts = list(zip(row[:-1:2], row[1:-1:2], strict=True)) if len(row) in (3, 5) else []
            if not facts or not all(kind in codes and code in codes[kind] for kind, code in facts):
                raise Refuted("a weight is not that of one fact or of two")


class _PossibleStates:
    """The possible states of a proof. A set of literals is a number: bit 2i is set if bit i is false in it, and
    bit 2i + 1 if it is true."""

    def __init__(self, model: Model, proof: SumProof) -> None:
        self.model, self.proof = model, proof
        self.number = {b: i for i, b in enumerate(model.bits)}
        self.apart = [1 << (p ^ 1) for p in range(2 * len(model.bits))]  # literal -> those that exclude it
        for one, other in proof.apart:
            p, q = _literal(one), _literal(other)
            self.apart[p] |= 1 << q
            self.apart[q] |= 1 << p
        self.masks = [
            [sum(1 << (2 * (b - 1) + (code >> k & 1)) for k, b in enumerate(v.bits)) for code in v.codes]
            for v in proof.variables
        ]
        self.excluded = [[self.against(mask) for mask in masks] for masks in self.masks]
        self.variables_of: dict[int, list[int]] = {}
        for number, v in enumerate(proof.variables):
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
        circuit = Circuit(self.proof.inputs)
        inputs = [circuit.input(name) for name in self.proof.inputs]
        parts = []
        for v in self.proof.variables:
            codes = [circuit.conj(inputs[b - 1] ^ 1 ^ (c >> k & 1) for k, b in enumerate(v.bits)) for c in v.codes]
            parts.append(circuit.disj(codes))
        for one, other in self.proof.apart:
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
        inputs = [circuit.input(name) for name in self.proof.inputs]
        goals = circuit.disj(circuit.conj(inputs[abs(p) - 1] ^ (p < 0) for p in goal) for goal in self.proof.goals)
        other = circuit.both(possible, goals ^ 1)
        still = replace(self.model, init=FALSE, actions=())
        check_by_clauses(still, LayeredProof(circuit, (other,)), None, budget)

    def initial_sum(self, weighted: WeightedFacts) -> int:
        """The sum of the initial state."""
        initial = literals(self.model.init)
        assert initial is not None
        mask = self.mask(initial)
        state = {
            number: next(index for index, code in enumerate(codes) if code & mask == code)
            for number, codes in enumerate(self.masks)
        }
        return _Weights(self.proof, weighted).total(state)

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


class _Weights:
    """The weights of one sum, by variables and indices of codes."""

    def __init__(self, proof: SumProof, weighted: WeightedFacts) -> None:
        self.prime = weighted.prime
        self._kinds = [v.kind for v in proof.variables]
        self._codes = [v.codes for v in proof.variables]
        self._table: dict[tuple[int, ...], int] = {}
        for *key, weight in weighted.weights:
            self._table[tuple(key)] = weight
        self.has_pairs = any(len(key) == 4 for key in self._table)

    def one(self, variable: int, index: int) -> int:
        """The weight of a fact."""
        return self._table.get((self._kinds[variable], self._codes[variable][index]), 0)

    def two(self, one: int, at: int, other: int, there: int) -> int:
        """The weight of two facts."""
        if (self._kinds[other], other) < (self._kinds[one], one):
            one, at, other, there = other, there, one, at
        key = (self._kinds[one], self._codes[one][at], self._kinds[other], self._codes[other][there])
        return self._table.get(key, 0)

    def total(self, state: Case) -> int:
        """The sum over facts."""
        facts = list(state.items())
        total = sum(self.one(*fact) for fact in facts)
        if self.has_pairs:
            total += sum(self.two(*facts[i], *facts[j]) for i in range(len(facts)) for j in range(i))
        return total % self.prime if self.prime else total

    def beside(self, facts: Case, variable: int, index: int) -> int:
        """The weights of pairs of one fact with others."""
        return sum(self.two(other, there, variable, index) for other, there in facts.items())


def _literal(number: int) -> int:
    return 2 * (abs(number) - 1) + (number > 0)


def _check_action(states: _PossibleStates, sums: Sequence[_Weights], action: Action, budget: Budget) -> None:
    """Check that an action leads to possible states and keeps the sums. Raises Refuted."""
    number = states.number
    formulas = {b: formula for b, formula in action.formulas.items() if number[b] in states.variables_of}
    updated = {number[b] for b in action.update}
    read = {number[b] for formula in (action.guard, *formulas.values()) for b in _bits_of(formula)}
    touched = sorted({v for b in read | updated for v in states.variables_of.get(b, ())})
    cube = action.cube
    for case, excluded in states.cases(touched, 0 if cube is None else states.mask(cube)):
        budget.check()
        known = _bits_in(states, case)
        if cube is None and constant(restricted(action.guard, known)) is False:
            continue
        after = {b: new for b, new in action.constants.items() if b in known}
        for b, formula in formulas.items():
            value = constant(restricted(formula, known))
            if value is None:
                raise Refuted(f"action {action.name} sets {b} to what the variables of the proof do not tell")
            after[b] = value
        changed = {}
        for v in touched:
            index = _index_after(states, v, case[v], after)
            if index is None:
                raise Refuted(f"action {action.name} gives a variable a code that it should not have")
            if index != case[v]:
                changed[v] = index
        if not _is_apart(states, known, {**known, **after}, excluded):
            raise Refuted(f"action {action.name} makes two literals true that should be apart")
        for weights in sums:
            if changed and not _is_kept(states, weights, case, changed, excluded):
                how = f"changes a sum modulo {weights.prime}" if weights.prime else "raises a potential"
                raise Refuted(f"action {action.name} {how}")


def _is_apart(states: _PossibleStates, known: Cube, after: Cube, excluded: int) -> bool:
    """Is what an action makes true in a case apart from nothing that may hold after it?"""
    there = states.mask(after)
    new = there & ~states.mask(known)
    touched = sum(3 << 2 * states.number[b] for b in known)
    return not states.against(new) & (there | ~(excluded | touched))


def _is_kept(states: _PossibleStates, weights: _Weights, case: Case, changed: Case, excluded: int) -> bool:
    """Does the sum stay the same if these variables change, whatever the others are? Or does a potential not rise?
    True in no possible state."""
    old = {v: case[v] for v in changed}
    total = weights.total({**case, **changed}) - weights.total(case)
    if weights.has_pairs:
        for u in range(len(states.masks)):
            if u in case:
                continue
            values = {
                (weights.beside(changed, u, index) - weights.beside(old, u, index)) % weights.prime
                for index in states.left(u, excluded)
            }
            if not values:
                return True
            if len(values) > 1:
                return False
            total += values.pop()
    return total % weights.prime == 0 if weights.prime else total <= 0


def _distinguishes(states: _PossibleStates, weighted: WeightedFacts, goal: Sequence[int]) -> bool:
    """Is a sum another one in all possible states of a goal than in the initial state, or a potential larger?"""
    weights, initial = _Weights(states.proof, weighted), states.initial_sum(weighted)
    left = _codes_left(states, goal)
    if not all(left):
        return True  # there is no such state
    if not weights.prime:
        return sum(min(weights.one(v, index) for index in indices) for v, indices in enumerate(left)) > initial
    return _sum_of_all(weights, left) not in {None, initial}


def _codes_left(states: _PossibleStates, goal: Sequence[int]) -> list[list[int]]:
    """The codes of each variable, by index, that are possible in states of a goal."""
    mask = 0
    for p in goal:
        mask |= 1 << _literal(p)
    excluded = states.against(mask)
    while True:
        left = [states.left(v, excluded) for v in range(len(states.masks))]
        more = excluded
        for v, indices in enumerate(left):
            if len(indices) == 1:
                more |= states.excluded[v][indices[0]]
        if more == excluded:
            return left
        excluded = more


def _sum_of_all(weights: _Weights, left: Sequence[Sequence[int]]) -> int | None:
    """The sum in all states in which the variables have codes that are left; None if it is not one number."""
    first = {v: indices[0] for v, indices in enumerate(left)}
    free = {v: indices for v, indices in enumerate(left) if len(indices) > 1}
    for v, indices in free.items():
        rest = {u: index for u, index in first.items() if u != v}
        sums = {weights.one(v, i) + weights.beside(rest, v, i) * weights.has_pairs for i in indices}
        if len({value % weights.prime for value in sums}) > 1:
            return None
        # A pair of free variables may not matter: its weights are a function of one plus a function of the other.
        for u in free if weights.has_pairs else ():
            for i, j in pairwise(free[v]):
                steps = {weights.two(u, x, v, j) - weights.two(u, x, v, i) for x in free[u]} if u < v else {0}
                if len({step % weights.prime for step in steps}) > 1:
                    return None
    return weights.total(first)


def _bits_of(formula: Formula) -> frozenset[Bit]:
    return frozenset(formula) if isinstance(formula, Mapping) else formula.support


def _bits_in(states: _PossibleStates, case: Case) -> dict[Bit, bool]:
    """The values of bits in a case."""
    bits = states.model.bits
    known = {}
    for v, index in case.items():
        variable = states.proof.variables[v]
        for k, b in enumerate(variable.bits):
            known[bits[b - 1]] = bool(variable.codes[index] >> k & 1)
    return known


def _index_after(states: _PossibleStates, v: int, index: int, after: Mapping[Bit, bool]) -> int | None:
    """The index of the code of a variable after bits are set; None if it has no such code."""
    variable = states.proof.variables[v]
    code = variable.codes[index]
    for k, b in enumerate(variable.bits):
        value = after.get(states.model.bits[b - 1])
        if value is not None:
            code = code & ~(1 << k) | value << k
    return variable.codes.index(code) if code in variable.codes else None
