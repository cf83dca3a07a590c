"""Verdicts. Each carries its evidence; "not found" is never "impossible".

Reachable      with a trace, a run of the model from an initial state to a goal state
Unreachable    with an inductive invariant: it holds initially, every action keeps it, it excludes the goal
Unknown        with the limit that stopped the search, and the cost below which no solution exists

A verdict may also have a proof: that the goal is unreachable, that no trace costs less, or of the bound.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias, TypeVar

from puzzlemc.mc.errors import LIMITS, reason_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.proofs.proof import Proof


@dataclass(frozen=True)
class Statistics:
    """The size of a search: layers, states (exact; None: not counted), and diagram nodes at the end.

    `found` has lines on what the search found in the model.
    """

    layers: int = 0
    states: int | None = None
    nodes: int | None = None
    found: tuple[str, ...] = ()

    def after(self, earlier: "Statistics") -> "Statistics":
        """The statistics of this search and an earlier one for the same verdict: their states together."""
        if self.states is None or earlier.states is None:
            return self
        return replace(self, states=self.states + earlier.states)


# Extracts the proof of a verdict from the states of its search; None: the search has none. Raises MemoryError.
LazyProof: TypeAlias = Callable[[], Proof | None]


def resolved(proof: Proof | LazyProof | None) -> Proof | None:
    """Return the proof itself. Raises MemoryError if a lazy proof does not fit into memory."""
    return proof() if callable(proof) else proof


@dataclass(frozen=True)
class Reachable:
    """The goal is reachable.

    cost     of the trace under the metric; its number of actions under `any`
    optimal  no cheaper trace exists, which `proof` shows; always False under `any`
    note     why cheaper ones are not excluded, in words; empty if a limit says it
    """

    trace: Trace
    cost: int
    optimal: bool
    statistics: Statistics = field(default_factory=Statistics)
    proof: Proof | LazyProof | None = None
    note: str = ""


@dataclass(frozen=True)
class Unreachable:
    """The goal is not reachable; `invariant` decides whether a state satisfies the inductive invariant.

    `note` says why in words, if that can be said in few.
    """

    invariant: Callable[[State], bool]
    statistics: Statistics = field(default_factory=Statistics)
    proof: Proof | LazyProof | None = None
    note: str = ""


@dataclass(frozen=True)
class Unknown:
    """A limit stopped the search.

    reason  `timeout`, `memory`, `bound` (a limit of the engine's own) or `cancelled`
    bound   no solution costs less
    proof   shows the bound, or a lower one
    best    the cheapest run that was found, if any
    note    more about the reason, in words
    """

    reason: str
    bound: int
    statistics: Statistics = field(default_factory=Statistics)
    proof: Proof | LazyProof | None = None
    best: Reachable | None = None
    note: str = ""


def cheapest(*runs: Reachable | None) -> Reachable | None:
    """Return the cheapest run, the first of several; None if there is none."""
    return min((run for run in runs if run is not None), key=lambda run: run.cost, default=None)


T = TypeVar("T")
Verdict: TypeAlias = Reachable | Unreachable | Unknown


def within_limits(budget: Budget, attempt: Callable[[], T]) -> T | Unknown:
    """Return the verdict of `attempt`; *unknown* if `attempt` reaches a limit."""
    try:
        return attempt()
    except LIMITS as limit:
        return Unknown(reason_of(limit), budget.bound)
