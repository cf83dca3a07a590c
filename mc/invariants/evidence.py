"""From sums over the facts of a task to the proof of a verdict on its model, in the author's bits."""

from collections.abc import Sequence

from puzzlemc.mc.invariants.sums import Sum
from puzzlemc.mc.passes.facts import facts_of
from puzzlemc.mc.passes.translation import Translation
from puzzlemc.mc.proofs.sums import SumProof, WeightedFacts
from puzzlemc.mc.tasks.task import Condition


def proof_of(made: Translation, kinds: Sequence[int], goals: Sequence[Condition], sums: Sequence[Sum]) -> SumProof:
    """The proof that each goal has another sum than the initial state. `made` is a whole one."""
    codes = {kinds[variable]: group.codes for variable, group in enumerate(made.groups) if group is not None}
    weighted = []
    for found in sums:
        keys = [
            (
                *(
                    part
                    for kind, value in zip(key[::2], key[1::2], strict=True)
                    for part in (kind, codes[kind][value])
                ),
                w,
            )
            for key, w in sorted(found.weights.items())
        ]
        weighted.append(WeightedFacts(found.prime, tuple(keys)))
    facts = facts_of(made, kinds, goals)
    return SumProof(facts.inputs, facts.variables, facts.apart, facts.goals, tuple(weighted))
