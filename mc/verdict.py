"""Verdicts. Each carries its evidence; "not found" is never "impossible".

Reachable      with a trace, a run of the model from an initial state to a goal state
Unreachable    with an inductive invariant: it holds initially, every action keeps it, it excludes the goal
Unknown        with the limit that stopped the search, and the cost below which no solution exists
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from puzzlemc.mc.errors import LIMITS, reason_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
from puzzlemc.mc.proofs.layered import Proof


@dataclass(frozen=True)
class Statistics:
    """What a search did: layers, states (exact; None where not counted), and diagram nodes at the end."""

    layers: int = 0
    states: int | None = None
    nodes: int | None = None


# Takes the proof of a verdict out of the search that gave it. Raises MemoryError.
LazyProof: TypeAlias = Callable[[], BidirectionalProof | None]


def no_proof() -> BidirectionalProof | None:
    """The proof of a verdict whose engine has none."""
    return None


def known(ends: BidirectionalProof | None) -> LazyProof:
    """A proof that has been taken out of a search already."""
    return lambda: ends


@dataclass(frozen=True)
class Reachable:
    """The goal is reachable; `optimal` says that no cheaper trace exists, and `ends` may have the proof."""

    trace: Trace
    cost: int
    optimal: bool
    statistics: Statistics = field(default_factory=Statistics)
    ends: LazyProof = no_proof


@dataclass(frozen=True)
class Unreachable:
    """The goal is not reachable; `invariant` decides whether a state satisfies the inductive invariant.

    `proof` is the invariant as a circuit, where the engine has it; `ends` may have another proof.
    """

    invariant: Callable[[State], bool]
    statistics: Statistics = field(default_factory=Statistics)
    proof: Proof | None = None
    ends: LazyProof = no_proof


@dataclass(frozen=True)
class Unknown:
    """A limit stopped the search. `reason`: timeout, memory or bound; no solution costs less than `bound`.

    `ends` may have the proof of that, or of a lower bound; `best` is the cheapest run that was found, if any.
    """

    reason: str
    bound: int
    statistics: Statistics = field(default_factory=Statistics)
    ends: LazyProof = no_proof
    best: Reachable | None = None


def cheapest(*runs: Reachable | None) -> Reachable | None:
    """The cheapest of the runs that there are, the first of equal ones."""
    return min((run for run in runs if run is not None), key=lambda run: run.cost, default=None)


Verdict: TypeAlias = Reachable | Unreachable | Unknown


def within_limits(budget: Budget, attempt: Callable[[], Verdict]) -> Verdict:
    """The verdict of `attempt`, *unknown* where it reaches a limit."""
    try:
        return attempt()
    except LIMITS as limit:
        return Unknown(reason_of(limit), budget.bound)
