"""Facts about a model: values of variables, which are bits with the codes that they may have.

Proofs by sums and by tables are about facts. `possible.py` checks that no reachable state has other ones.
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
class Facts:
    """What is said of a model.

    inputs     the names of the bits, in the order of the model
    variables  what the facts are about; a bit may be in several
    apart      pairs of literals that never hold together in a reachable state
    goals      conjunctions of literals; one of them holds in each goal state
    """

    inputs: tuple[str, ...]
    variables: tuple[CodedBits, ...]
    apart: tuple[Literals, ...]
    goals: tuple[Literals, ...]
