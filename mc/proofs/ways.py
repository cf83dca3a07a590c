"""Checks proofs that list the positions of plain rules by the ways to them.

A position may be any value, which is not written. A row says how it is come to: from which other position that is
listed, by which of its moves, in the order of their names. So it is computed anew, by the plain rules alone; then
the conditions of `positions.py` are checked.
"""

from collections.abc import Hashable
from typing import Any

import numpy as np

from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.proofs.blocks import Places, each
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.proofs.positions import check_costs
from puzzlemc.mc.rules.plain import Transition

# The bits of a row beside the cost: the number of the position, that of the position before it, and the number of
# the move. The start has number 0.
PARTS = {"number": 32, "before": 32, "move": 16}
FORM = tuple(f"{part}[{bit}]" for part, bits in PARTS.items() for bit in range(bits))
BYTES_PER_POSITION = 1 << 10  # an estimate


def check_ways(rules: Transition, level: Any, proof: ListedStates, budget: Budget) -> str:
    """Check that listed positions show what the proof says; return the name of the checker.

    Raises Refuted, LimitReached.
    """
    if proof.bits != FORM:
        raise Refuted("its positions are not listed by the ways to them")
    proof.check_form()
    below = 1 if proof.below is None else proof.below
    check_costs(rules, level, proof, _costs(rules, level, proof, below, budget), budget)
    return "plain rules"


def _costs(rules: Transition, level: Any, proof: ListedStates, below: int, budget: Budget) -> dict[Hashable, int]:
    """The listed positions with their costs. Raises Refuted if a row leads to none, LimitReached."""
    if BYTES_PER_POSITION * sum(block.count for block in proof.forward) > budget.limits.memory:
        raise LimitReached("memory")
    costs: dict[Hashable, int] = {}
    rows = _in_order(proof)
    positions: list[Hashable] = [None] * len(rows)
    last, after = -1, list[Hashable]()  # the position whose steps were computed last, and where these lead
    for cost, number, before, move in rows:
        budget.check()
        if number and before != last:
            steps = sorted(rules.steps(level, positions[before]), key=lambda step: step.name)
            last, after = before, [step.position for step in steps]
        if cost >= below or (number and move >= len(after)):
            raise Refuted("what is listed is no position at such a cost")
        position = after[move] if number else rules.start(level)
        if position in costs:
            raise Refuted("a position stands twice")
        costs[position] = cost
        positions[number] = position
    return costs


def _in_order(proof: ListedStates) -> list[tuple[int, int, int, int]]:
    """Cost, number, number before, and move of each position, in the order of the number before.

    Raises Refuted unless each number stands once, and after the number before it.
    """
    parts: list[Places] = list(each(proof.forward, proof.width))
    rows = np.concatenate(parts).astype(np.int64) if parts else np.zeros((0, proof.width), np.int64)
    numbers, before = rows[:, 1] | rows[:, 2] << 16, rows[:, 3] | rows[:, 4] << 16
    if not np.array_equal(np.sort(numbers), np.arange(len(rows))) or (before >= numbers)[numbers > 0].any():
        raise Refuted("what is listed does not begin at the start")
    order = np.lexsort((numbers, before))
    listed = np.stack((rows[:, 0], numbers, before, rows[:, 5]), axis=1)[order]
    found: list[tuple[int, int, int, int]] = list(map(tuple, listed.tolist()))
    return found
