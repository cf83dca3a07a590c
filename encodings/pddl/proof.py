"""Checks proofs that list states, by the plain rules alone: a state is a set of facts, whatever found them.

The bits of the proof are names of facts. Facts of the start that are no bits hold in each listed position. So the
translator does not occur: if it had left out a fact or an action, the positions would not be closed under steps.
"""

from functools import partial

from puzzlemc.encodings.pddl import rules, task_level
from puzzlemc.encodings.pddl.levels import RULES, AnyLevel
from puzzlemc.encodings.pddl.task_level import TaskLevel
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import State, bit
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.proofs.positions import check_positions

CHECKER = "plain rules"


def check_listed(level: AnyLevel, proof: ListedStates, budget: Budget) -> str:
    """Check a proof; return the name of the checker. Raises Refuted, LimitReached."""
    if len(set(proof.bits)) < len(proof.bits):
        raise Refuted("two of its bits have one name")
    bits = tuple(map(bit, proof.bits))
    if isinstance(level, TaskLevel):
        model_bits = task_level.compact(level).model.bits
        check_positions(RULES, level, model_bits, partial(task_level.decoded, level), proof, budget)
        return CHECKER
    always = rules.start(level).difference(proof.bits)

    def decode(state: State) -> rules.Position:
        return always.union(map(str, state))

    check_positions(RULES, level, bits, decode, proof, budget)
    return CHECKER
