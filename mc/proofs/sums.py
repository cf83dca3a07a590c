"""Proofs by sums: no run reaches the goal, since no action changes a sum of weights, and each goal state has
another; or since no action raises a sum, and each goal state has a larger one.

Facts are values of variables, which are bits with the codes that they may have. Weights belong to facts and to
pairs of facts. Variables of one kind share their weights.
"""

from dataclasses import dataclass

Literals = tuple[int, ...]  # numbers of bits from 1, negative if the bit is false


@dataclass(frozen=True)
class CodedBits:
    """Bits, by their numbers from 1, and the codes that they have in reachable states: bit k of a code is that of
    `bits[k]`.

    kind  variables of one kind share their weights
    """

    bits: tuple[int, ...]
    codes: tuple[int, ...]
    kind: int


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
class SumProof:
    """A proof that no run reaches the goal.

    inputs     the names of the bits, in the order of the model
    variables  what the facts are about; a bit may be in several
    apart      pairs of literals that never hold together in a reachable state
    goals      conjunctions of literals; one of them holds in each goal state
    sums       for each of the goals a sum that is another one in all its states than in the initial state
    """

    inputs: tuple[str, ...]
    variables: tuple[CodedBits, ...]
    apart: tuple[Literals, ...]
    goals: tuple[Literals, ...]
    sums: tuple[WeightedFacts, ...]

    @property
    def below(self) -> int | None:
        """It shows no bound on costs."""
        return None
