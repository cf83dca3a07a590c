"""Checks proofs that list the states of a step system, by the plain rules alone.

The proof lists states with costs, F, that no run costs less than C. Each state is read as a position.

1. The start is in F at 0, if C > 0.
2. No position of F is solved; all cost less than C.
3. If a step of price w leads from a position of F with cost f to another one, and f + w < C, then that is in F
   at no more than f + w.

*So no run from the start to a solved position costs less than C*: by 1 and 3, each position of such a run is in F;
its last one is solved, against 2. That there is no run at all is shown by the same with all prices 0 and C = 1.

Only positions and the plain rules occur in these conditions. So a wrong reading of the states cannot make a wrong
proof pass.
"""

from collections.abc import Callable, Hashable, Mapping
from typing import Any

from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import Bit, State
from puzzlemc.mc.proofs.blocks import each
from puzzlemc.mc.proofs.listed import BITS, ListedStates
from puzzlemc.mc.rules.plain import Transition

BYTES_PER_POSITION = 1 << 12  # an estimate: a few hundred sets, most of them shared


def check_positions(
    rules: Transition,
    level: Any,
    bits: tuple[Bit, ...],
    decode: Callable[[State], Hashable],
    proof: ListedStates,
    budget: Budget,
) -> None:
    """Check that the listed states show what the proof says.

    `bits` are those of the model, `decode` reads a state as a position. Raises Refuted, LimitReached.
    """
    if proof.bits != tuple(map(str, bits)):
        raise Refuted("its states are not of the bits of the model")
    proof.check_form()
    below = 1 if proof.below is None else proof.below
    check_costs(rules, level, proof, _positions(bits, decode, proof, below, budget), budget)


def check_costs(
    rules: Transition, level: Any, proof: ListedStates, costs: Mapping[Hashable, int], budget: Budget
) -> None:
    """Check the conditions for listed positions, given with their costs. Raises Refuted, LimitReached."""
    below = 1 if proof.below is None else proof.below
    if below and costs.get(rules.start(level)) != 0:
        raise Refuted("the initial position is left out")
    for position, cost in costs.items():
        budget.check()
        if rules.solved(level, position):
            raise Refuted("a solved position is listed, but costs less")
        for step in rules.steps(level, position):
            after = cost + (0 if proof.below is None else step.costs[proof.metric])
            if after < below and costs.get(step.position, below) > after:
                raise Refuted("a listed position leads to one that is left out")


def _positions(
    bits: tuple[Bit, ...], decode: Callable[[State], Hashable], proof: ListedStates, below: int, budget: Budget
) -> dict[Hashable, int]:
    """The listed positions with their costs. Raises Refuted if a row is no state, LimitReached."""
    if BYTES_PER_POSITION * sum(block.count for block in proof.forward) > budget.limits.memory:
        raise LimitReached("memory")
    costs: dict[Hashable, int] = {}
    for rows in each(proof.forward, proof.width):
        for row in rows.tolist():
            budget.check()
            cost, *numbers = row
            held = [
                BITS * at + bit for at, number in enumerate(numbers) for bit in range(BITS) if number >> bit & 1
            ]
            if cost >= below or any(place >= len(bits) for place in held):
                raise Refuted("what is listed is no state at such a cost")
            try:
                position = decode(frozenset(bits[place] for place in held))
            except (LookupError, ValueError):
                raise Refuted("what is listed is no position") from None
            if position in costs:
                raise Refuted("a position stands twice")
            costs[position] = cost
    return costs
