"""Proofs that no run reaches the goal, or none at less than a cost: layers of states, and conserved counts.

Unreachable    one layer, the inductive invariant: it holds initially, every action keeps it, it excludes the goal
At least c     layers 0 to c - 1, none of which meets the goal. Every initial state is in layer 0, and an action of
               cost k leads from layer i into one of the layers 0 to i + k, so a run of cost g < c ends in 0 to g

A proof may rely on counts: exactly n of some bits hold. Each action can be seen to keep them, by adding up, and
the layers need not say again what they say.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from puzzlemc.mc.model.action import Action, cost_of
from puzzlemc.mc.model.formula import Bit, Expression, State, constant, literals
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.circuit import TRUE, Circuit


@dataclass(frozen=True)
class Count:
    """Just `total` of the bits, named, hold in every reachable state."""

    bits: tuple[str, ...]
    total: int

    def __call__(self, state: State) -> bool:
        """Do exactly `total` of the bits hold in a state?"""
        return sum(str(b) in self.bits for b in state) == self.total


@dataclass(frozen=True)
class LayeredProof:
    """Layers of states, as literals of a circuit over the bits of a model.

    circuit  its inputs are the names of the bits, in the order of the model
    counts   conserved counts that the layers rely on
    metric   the cost function; None: the proof is an inductive invariant
    below    no run costs less under the metric; None: no run reaches the goal
    """

    circuit: Circuit
    layers: tuple[int, ...]
    counts: tuple[Count, ...] = ()
    metric: str | None = None
    below: int | None = None

    def counted_in(self, state: State) -> bool:
        """Do all the counts hold in a state?"""
        return all(count(state) for count in self.counts)


def price(proof: LayeredProof, action: Action) -> int:
    """How many layers the action may go up: none in a proof that does not count costs."""
    return 0 if proof.metric is None else cost_of(action, proof.metric)


def kept_counts(model: Model) -> tuple[Count, ...]:
    """The conserved counts of a model's hints that a proof may rely on."""
    bit_of: dict[Expression, Bit] = {b: b for b in model.bits}
    found = []
    for formulas, total in model.hints.conserved:
        bits = tuple(bit_of[formula] for formula in formulas if formula in bit_of)
        if len(bits) == len(formulas) and is_kept(model, bits, total):
            found.append(Count(tuple(map(str, bits)), total))
    return tuple(found)


def proof_by_counting(model: Model) -> LayeredProof | None:
    """The proof that no state with the conserved counts is a goal state: all of them are the invariant.

    None unless the goal is constantly false, or a conjunction of literals that no state with some conserved count
    satisfies.
    """
    counts: tuple[Count, ...] = ()
    if constant(model.goal) is not False:
        if not model.hints.conserved:
            return None
        goal = literals(model.goal) or {}
        if not any(_excludes(goal, formulas, total) for formulas, total in model.hints.conserved):
            return None
        named = {str(b): held for b, held in goal.items()}
        counts = tuple(count for count in kept_counts(model) if _excludes(named, count.bits, count.total))
        if not counts:
            return None
    return LayeredProof(Circuit([str(b) for b in model.bits]), (TRUE,), counts)


def _excludes(goal: Mapping[Any, bool], counted: Sequence[object], total: int) -> bool:
    """Does each state with these literals have another number of the counted bits than `total`?"""
    held = [goal.get(each) for each in counted]
    return not held.count(True) <= total <= len(held) - held.count(False)


def exclusion(model: Model, circuit: Circuit) -> int:
    """The literal of the circuit for: at most one bit of each exclusive group of the model's hints holds."""
    pairs = [pair for group in model.hints.exclusive for pair in combinations(map(circuit.input, group), 2)]
    return circuit.conj([circuit.both(one, other) ^ 1 for one, other in pairs])


def is_kept(model: Model, bits: Sequence[Bit], total: int) -> bool:
    """Do just `total` of the bits hold initially, and does each action plainly keep their number?"""
    counted = set(bits)
    if len(counted) < len(bits):
        return False  # a bit that is counted twice; a hint may say so, and adding up would not see it
    initial = literals(model.init)
    if initial is None or not counted <= initial.keys() or sum(initial[b] for b in counted) != total:
        return False
    for action in model.actions:
        changed = counted.intersection(action.update)
        if not changed:
            continue
        guard, new = action.cube, action.constants
        if guard is None or not changed <= guard.keys() or not changed <= new.keys():
            return False
        if sum(guard[b] for b in changed) != sum(new[b] for b in changed):
            return False
    return True
