"""From what is known of the facts of a task to the proof of a verdict on its model, in the author's bits."""

from collections.abc import Iterator, Sequence

from puzzlemc.mc.invariants.fact_pairs import FactPairs
from puzzlemc.mc.invariants.sums import Sum
from puzzlemc.mc.passes.facts import facts_of
from puzzlemc.mc.passes.translation import Translation
from puzzlemc.mc.proofs.circuit import FALSE, TRUE, Circuit
from puzzlemc.mc.proofs.layered import LayeredProof
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


MOST_PAIRS = 1 << 18  # in a circuit


def proof_by_pairs(made: Translation, pairs: FactPairs) -> LayeredProof | None:
    """The proof that pairs of facts exclude each goal or the start; None if it has more than MOST_PAIRS.

    `made` is a whole translation with nothing but groups of bits, and `pairs` those of its task. The invariant has
    the states in which each variable has a value, without those that lose a pair in a forward round first.
    """
    circuit = Circuit([str(b) for b in made.model.bits])
    facts, values = [], []
    for group in made.groups:
        if group is not None:
            cubes = [{made.bits[b]: bool(code >> k & 1) for k, b in enumerate(group.bits)} for code in group.codes]
            facts += [circuit.cube(cube) for cube in cubes]
            values.append(circuit.disj(facts[-len(cubes) :]))
    lost = [[*_lost(pairs, number)] for number in range(len(pairs.rounds))]
    if sum(map(len, lost)) > MOST_PAIRS:
        return None
    kept = FALSE if len(lost) % 2 == 0 else TRUE
    for number, some in reversed([*enumerate(lost)]):
        holds = circuit.disj(circuit.both(facts[p], facts[q]) for p, q in some)
        kept = circuit.both(holds ^ 1, kept) if number % 2 == 0 else circuit.both(holds ^ 1, kept ^ 1) ^ 1
    return LayeredProof(circuit, (circuit.conj([*values, kept]),))


def _lost(pairs: FactPairs, number: int) -> Iterator[tuple[int, int]]:
    """The pairs that a round loses first. A fact that it loses is a pair with itself, for all its pairs."""
    rows = pairs.rounds[number]
    before = pairs.rounds[number - 1] if number else pairs.of_different_variables
    for p, (row, had) in enumerate(zip(rows, before, strict=True)):
        if had >> p & 1 and not row >> p & 1:
            yield p, p
        elif had >> p & 1:
            for q in range(p + 1, len(rows)):
                if (had & ~row) >> q & 1 and rows[q] >> q & 1:
                    yield p, q
