"""Checks proofs by sums, each action by itself.

1. All reachable states are possible (`possible.py`).
2. No action changes a sum in a possible state, or raises a potential. In a case, the change is a constant and a
   function of the code of each other variable. Each function is constant on the codes that are possible, and all
   together make 0, or no more than 0.
3. Each possible goal state satisfies one of the goals; and in no possible state of a goal, its sum is that of the
   initial state, or a potential no larger.

*So no goal state is reachable.* The code here shares nothing with the search for sums.
"""

from collections.abc import Sequence
from itertools import pairwise

from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.possible import Case, PossibleStates, check_facts
from puzzlemc.mc.proofs.sums import SumProof, WeightedFacts

PRIMES = (2, 3, 5, 7, 11, 13)
POTENTIAL = 0  # in place of a prime


def check_sums(model: Model, proof: SumProof, budget: Budget) -> None:
    """Check that the proof shows that no run of the model reaches the goal.

    Raises Refuted with what fails; LimitReached, MemoryError.
    """
    check_form(model, proof)
    states = PossibleStates(model, proof)
    states.check_initial()
    weights = [_Weights(proof, weighted) for weighted in proof.sums]
    for action in model.actions:
        for case, changed, excluded in states.steps(action, budget):
            for each in weights:
                if changed and not _is_kept(states, each, case, changed, excluded):
                    how = f"changes a sum modulo {each.prime}" if each.prime else "raises a potential"
                    raise Refuted(f"action {action.name} {how}")
    states.check_goals(budget)
    for number, (goal, each) in enumerate(zip(proof.goals, weights, strict=True), 1):
        budget.check()
        if not _distinguishes(states, each, goal):
            raise Refuted(f"sum {number} may be the same in a state of its goal as in the initial state")


def check_form(model: Model, proof: SumProof) -> None:
    """Raise Refuted unless the proof speaks of the bits of the model and of facts that exist."""
    check_facts(model, proof)
    if len(proof.goals) != len(proof.sums):
        raise Refuted(f"{len(proof.sums)} sums for {len(proof.goals)} goals")
    codes = {variable.kind: variable.codes for variable in proof.variables}
    for weighted in proof.sums:
        if weighted.prime not in (*PRIMES, POTENTIAL):
            raise Refuted(f"found sums modulo {weighted.prime}, expected one of {', '.join(map(str, PRIMES))}")
        if weighted.prime == POTENTIAL and any(len(row) != 3 for row in weighted.weights):
            raise Refuted("a potential has weights of single facts")
        for row in weighted.weights:
            facts = list(zip(row[:-1:2], row[1:-1:2], strict=True)) if len(row) in (3, 5) else []
            if not facts or not all(kind in codes and code in codes[kind] for kind, code in facts):
                raise Refuted("a weight is not that of one fact or of two")


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


def _is_kept(states: PossibleStates, weights: _Weights, case: Case, changed: Case, excluded: int) -> bool:
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


def _distinguishes(states: PossibleStates, weights: _Weights, goal: Sequence[int]) -> bool:
    """Is a sum another one in all possible states of a goal than in the initial state, or a potential larger?"""
    initial = weights.total(states.initial())
    left = states.codes_left(goal)
    if not all(left):
        return True  # there is no such state
    if not weights.prime:
        return sum(min(weights.one(v, index) for index in indices) for v, indices in enumerate(left)) > initial
    return _sum_of_all(weights, left) not in {None, initial}


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
