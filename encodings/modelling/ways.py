"""The proof of an explicit search over rules alone: its positions, listed by the ways to them."""

from collections.abc import Hashable, Mapping
from typing import Any

import numpy as np

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.proofs.blocks import packed
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.proofs.ways import BYTES_PER_POSITION, FORM
from puzzlemc.mc.rules.plain import Step, Transition

MOST_LISTED = 1 << 20  # positions
MOST_COST = 1 << 16  # costs are numbers of two bytes
MOST_MOVES = 1 << 16  # of a position, likewise


def listing(
    rules: Transition,
    limits: Limits,
    level: Any,
    parents: Mapping[Hashable, Hashable],
    metric: str,
    below: int | None,
) -> ListedStates | None:
    """The proof that no solution costs less than `below`; if that is None, that there is no solution.

    `parents` holds all positions of smaller costs, each with the position before it on a cheapest way. None if the
    positions do not fit a proof, or the limits.
    """
    budget = Budget(limits)
    if len(parents) > min(MOST_LISTED, limits.memory // BYTES_PER_POSITION) or (below or 0) > MOST_COST:
        return None
    children: dict[Hashable, list[Hashable]] = {}
    for position, parent in parents.items():
        if position != parent:
            children.setdefault(parent, []).append(position)
    rows: list[tuple[int, int, int, int]] = []  # cost, number, number before, move
    start = rules.start(level)
    if below != 0:
        rows.append((0, 0, 0, 0))
    waiting = [(start, 0, 0)] if rows else []
    while waiting:
        position, number, cost = waiting.pop()
        if not (after := children.get(position)):
            continue
        try:
            budget.check()
        except LimitReached:
            return None
        moves = _cheapest(sorted(rules.steps(level, position), key=lambda step: step.name), metric)
        for each in after:
            move, step_cost = moves[each]
            total = 0 if below is None else cost + step_cost
            if move >= MOST_MOVES:
                return None
            if below is None or total < below:
                waiting.append((each, len(rows), total))
                rows.append((total, len(rows), number, move))
    table = np.array(rows, np.int64).reshape(-1, 4)
    price, own, before, by = table.T
    columns = (price, own & 0xFFFF, own >> 16, before & 0xFFFF, before >> 16, by)
    return ListedStates(metric, below, FORM, packed(np.stack(columns, axis=1).astype(np.uint16)))


def _cheapest(steps: list[Step], metric: str) -> dict[Hashable, tuple[int, int]]:
    """For each position that steps lead to, the number and the cost of the cheapest one."""
    found: dict[Hashable, tuple[int, int]] = {}
    for number, step in enumerate(steps):
        price = step.costs.get(metric, 0)
        if step.position not in found or price < found[step.position][1]:
            found[step.position] = number, price
    return found
