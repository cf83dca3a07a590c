"""Checks a proof. What checks shares nothing with what searched but the model, its formulas and circuits.

First a SAT solver that no engine uses, up to some conflicts; then, since enumerated sets of states make long
refutations, binary decision diagrams.
"""

from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Signal
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.clauses import check_by_clauses
from puzzlemc.mc.proofs.diagrams import check_by_diagrams
from puzzlemc.mc.proofs.layered import LayeredProof, is_kept

CONFLICTS = 500


def check_proof(model: Model, proof: LayeredProof, budget: Budget) -> str:
    """Check that the proof shows what it says; returns what checked it: `sat` or `diagrams`.

    That is that the goal cannot be reached, or that no run costs less than `proof.below`. Raises Refuted with what
    fails, LimitReached or MemoryError where the limits are too tight.
    """
    check_form(model, proof)
    # Constraints without actions are for SAT, however long it takes; so are circuits, whose diagrams get large.
    is_for_sat = not model.actions or any(
        isinstance(formula, Signal) for action in model.actions for formula in action.formulas.values()
    )
    if check_by_clauses(model, proof, None if is_for_sat else CONFLICTS, budget):
        return "sat"
    check_by_diagrams(model, proof, budget)
    return "diagrams"


def check_form(model: Model, proof: LayeredProof) -> None:
    """Raise Refuted unless bits, layers and counts are such that the layers can be checked."""
    if not model.has_formulas:
        raise Refuted("a circuit shows nothing about steps that are a function of a state")
    bits = {str(b): b for b in model.bits}
    if proof.circuit.inputs != tuple(bits):
        raise Refuted("the inputs of the circuit are not the bits of the model")
    if (proof.below is None) != (proof.metric is None):
        raise Refuted("a bound on the cost needs cost and metric")
    expected = 1 if proof.below is None else proof.below
    if len(proof.layers) != expected:
        raise Refuted(f"{len(proof.layers)} layers, expected {expected}")
    for count in proof.counts:
        shown = ", ".join(count.bits[:3])
        if foreign := set(count.bits) - bits.keys():
            raise Refuted(f"{min(foreign)} is counted, which is no bit of the model")
        if len(set(count.bits)) < len(count.bits):
            raise Refuted(f"{shown}, … are counted, one of them twice")
        if not is_kept(model, [bits[name] for name in count.bits], count.total):
            raise Refuted(f"it does not show that {count.total} of {shown}, … always hold")
