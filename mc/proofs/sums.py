"""Proofs by sums: no run reaches the goal, since no action changes a sum of weights, and each goal state has
another; or since no action raises a sum, and each goal state has a larger one.

Weights belong to facts and to pairs of facts. Variables of one kind share their weights.
"""

from dataclasses import dataclass

from puzzlemc.mc.proofs.facts import Facts


@dataclass(frozen=True)
class WeightedFacts:
    """Weights modulo a prime, for a sum that no action changes; or, if `prime` is 0, whole numbers as weights of
    single facts, for a sum that no action raises: a potential.

    weights  rows (kind, code, weight) for a fact; (kind, code, kind, code, weight) for two facts of different
             variables. Of two facts of one kind, the first is that of the variable that comes first
    """

    prime: int
    weights: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class SumProof(Facts):
    """A proof that no run reaches the goal.

    sums  for each of the goals a sum that is another one in all its states than in the initial state
    """

    sums: tuple[WeightedFacts, ...]

    @property
    def below(self) -> int | None:
        """It shows no bound on costs."""
        return None
