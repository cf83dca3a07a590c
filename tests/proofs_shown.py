"""The claim of a proof, checked on all states of a small model."""

from collections import Counter

from oracle import all_states

from puzzlemc.mc.model.formula import State, holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.layered import LayeredProof, price


def shows(model: Model, proof: LayeredProof) -> bool:
    """Are the three conditions true in all states in which the counts are right?"""

    def counted(state: State) -> bool:
        held = Counter(str(b) for b in state)
        return all(sum(held[name] for name in count.bits) == count.total for count in proof.counts)

    states = [state for state in all_states(model) if counted(state)]
    member: list[set[State]] = [set() for _ in proof.layers]
    for state in states:
        names = {str(b) for b in state}
        for layer, found in zip(proof.layers, member, strict=True):
            if proof.circuit.holds(layer, names.__contains__):
                found.add(state)
    within = [set().union(*member[: number + 1]) for number in range(len(member))]
    for state in states:
        if member and holds(model.init, state) and state not in member[0]:
            return False
        for number, layer in enumerate(member):
            if state not in layer:
                continue
            if holds(model.goal, state):
                return False
            for action in model.actions:
                up = number + price(proof, action)
                if up < len(member) and action.enabled(state) and action.fire(state) not in within[up]:
                    return False
    return True
