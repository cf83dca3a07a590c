"""Checks proofs that list the states of a model near the start, by its actions alone.

The proof lists states with costs, F, that no run costs less than C:

1. The initial state is in F at 0, if C > 0.
2. No state of F is a goal; all cost less than C.
3. Where an action of price w leads from a state of F with cost f to another, and f + w < C, that is in F at no
   more than f + w.

*So no run from the initial state to a goal costs less than C*: by 1 and 3, each state of one that does is in F, at
no more than the run has cost so far; its last one is a goal, against 2. That there is no run at all is shown by
the same with all prices 0 and C = 1.

States are rows of machine words, and all actions are tried on many rows at once.
"""

from collections.abc import Callable, Iterator
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action, cost_of
from puzzlemc.mc.model.formula import Bit, Cube, Formula, fold, literals
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.blocks import each
from puzzlemc.mc.proofs.listed import BITS, ListedStates

Words = npt.NDArray[np.uint64]  # shape (states, words)
Costs = npt.NDArray[np.int64]
Truths = npt.NDArray[np.bool_]

MOST_COST = 1 << 16  # costs are numbers of two bytes
AT_ONCE = 1 << 18  # pairs of a state and an action that are tried at once
PARTS = 64 // BITS  # numbers of the file in a word


class Actions(NamedTuple):
    """Number i is enabled where `row & mask[i] == value[i]`, and leads to `row & ~changed[i] | new[i]`."""

    mask: Words
    value: Words
    changed: Words
    new: Words
    price: Costs


class States(NamedTuple):
    """States in the order of their keys, and their costs."""

    rows: Words
    keys: npt.NDArray[np.generic]
    costs: Costs


def check_states(
    model: Model, proof: ListedStates, budget: Budget, bound: Callable[[Words], Costs] | None = None
) -> None:
    """Check that a proof of states that are bits shows what it says. Raises Refuted, LimitReached.

    bound  a lower bound on the cost from each state to a goal, of at least 1 if there is no goal to reach. States
           whose cost and bound are not less than the bound of the proof may be left out
    """
    if proof.bits != tuple(map(str, model.bits)):
        raise Refuted("its states are not of the bits of the model")
    proof.check_form()
    if proof.below is not None and proof.below >= MOST_COST:
        raise Refuted(f"costs of {MOST_COST} and more cannot be listed")
    below = 1 if proof.below is None else proof.below
    place = {b: number for number, b in enumerate(model.bits)}
    initial = literals(model.init)
    if initial is None or initial.keys() != place.keys():
        raise Refuted("the model has more than one initial state")
    metric = None if proof.below is None else proof.metric
    actions, others = _actions(model, place, metric, below)
    states = _states(proof, budget)
    start = _words([initial], place)[1], np.zeros(1, np.int64)
    if below and not (_are_in(states, *start) | _are_far(bound, *start, below))[0]:
        raise Refuted("the initial state is left out")
    if _holds(model.goal, states.rows, place).any():
        raise Refuted("a goal state is listed, but costs less")
    by_formulas = (
        after
        for action in others
        for after in _following_one(states, action, place, _price(action, metric, below), below)
    )
    for rows, costs in chain(_following(states, actions, below), by_formulas):
        budget.check()
        out = ~_are_in(states, rows, costs)
        if not _are_far(bound, rows[out], costs[out], below).all():
            raise Refuted("a listed state leads to one that is left out")


def _words(cubes: list[Cube], place: dict[Bit, int]) -> tuple[Words, Words]:
    """Which bits each cube names, and which of them hold."""
    named, held = (np.zeros((len(cubes), 64 * _word_count(len(place))), np.bool_) for _ in range(2))
    for number, cube in enumerate(cubes):
        for b, value in cube.items():
            named[number, place[b]], held[number, place[b]] = True, value
    both = (np.packbits(each, axis=1, bitorder="little").view("<u8") for each in (named, held))
    one, two = (each.astype(np.uint64) for each in both)
    return one, two


def _word_count(bits: int) -> int:
    return max(1, -(-bits // 64))


def _actions(model: Model, place: dict[Bit, int], metric: str | None, below: int) -> tuple[Actions, list[Action]]:
    """The actions as masks, with their prices, and those that have formulas. Without a metric, prices are 0."""
    plain = [action for action in model.actions if action.cube is not None and not action.formulas]
    guards, updates = [action.cube or {} for action in plain], [action.constants for action in plain]
    prices = np.array([_price(action, metric, below) for action in plain], np.int64)
    others = [action for action in model.actions if action.cube is None or action.formulas]
    return Actions(*_words(guards, place), *_words(updates, place), prices), others


def _price(action: Action, metric: str | None, below: int) -> int:
    return 0 if metric is None else min(below, cost_of(action, metric))


def read_states(proof: ListedStates, budget: Budget) -> tuple[Words, Costs]:
    """The states of a proof as packed states, and their costs. Raises Refuted if some are none, LimitReached."""
    count, bits = sum(block.count for block in proof.forward), len(proof.bits)
    words = _word_count(bits)
    if 4 * count * (8 * words + 8) > budget.limits.memory:
        raise LimitReached("memory")
    numbers = np.zeros((count, words * PARTS), "<u2")
    costs, first = np.empty(count, np.int64), 0
    for some in each(proof.forward, proof.width):
        budget.check()
        costs[first : first + len(some)] = some[:, 0]
        numbers[first : first + len(some), : some.shape[1] - 1] = some[:, 1:]
        first += len(some)
    rows = numbers.view("<u8").astype(np.uint64, copy=False)
    below = 1 if proof.below is None else proof.below
    if (costs >= below).any() or (bits % 64 and (rows[:, -1] >> np.uint64(bits % 64)).any()):
        raise Refuted("what is listed is no state at such a cost")
    return rows, costs


def _states(proof: ListedStates, budget: Budget) -> States:
    """The states of a proof in order. Raises Refuted if some are none, LimitReached."""
    rows, costs = read_states(proof, budget)
    keys = _keys(rows)
    order = np.argsort(keys)
    rows, keys, costs = rows[order], keys[order], costs[order]
    if (keys[1:] == keys[:-1]).any():
        raise Refuted("a state stands twice")
    return States(rows, keys, costs)


def _keys(rows: Words) -> npt.NDArray[np.generic]:
    """One sortable value a row."""
    if rows.shape[1] == 1:
        return rows[:, 0]
    # As texts of equal length: that zeros at the end do not count in comparing them does no harm then.
    return np.ascontiguousarray(rows).view(f"S{8 * rows.shape[1]}")[:, 0]


def _are_in(states: States, rows: Words, costs: Costs) -> Truths:
    """Is each of these among the states, at no more than its cost?"""
    if not len(states.keys):
        return np.zeros(len(rows), np.bool_)
    keys = _keys(rows)
    at = np.minimum(np.searchsorted(states.keys, keys), len(states.keys) - 1)
    found: Truths = (states.keys[at] == keys) & (states.costs[at] <= costs)
    return found


def _are_far(bound: Callable[[Words], Costs] | None, rows: Words, costs: Costs, below: int) -> Truths:
    """Are the cost and the bound of each state together not less than the bound of the proof?"""
    if bound is None:
        return np.zeros(len(rows), np.bool_)
    far: Truths = costs + bound(rows) >= below
    return far


def _following(states: States, actions: Actions, below: int) -> Iterator[tuple[Words, Costs]]:
    """Yield where actions lead from the states, and what that costs in all, if it is less than `below`."""
    count = len(actions.price)
    some = max(1, AT_ONCE // max(1, count))
    for first in range(0, len(states.rows) if count else 0, some):
        rows, costs = states.rows[first : first + some], states.costs[first : first + some]
        enabled = costs[:, None] + actions.price < below
        for word in range(rows.shape[1]):
            enabled &= (rows[:, word, None] & actions.mask[:, word]) == actions.value[:, word]
        source, by = np.nonzero(enabled)
        yield rows[source] & ~actions.changed[by] | actions.new[by], costs[source] + actions.price[by]


def _following_one(
    states: States, action: Action, place: dict[Bit, int], price: int, below: int
) -> Iterator[tuple[Words, Costs]]:
    """Yield where an action with formulas leads from the states, with costs below `below`."""
    for first in range(0, len(states.rows), AT_ONCE):
        rows, costs = states.rows[first : first + AT_ONCE], states.costs[first : first + AT_ONCE] + price
        enabled = _holds(action.guard, rows, place) & (costs < below)
        rows, costs = rows[enabled], costs[enabled]
        after = rows.copy()
        updates: dict[Bit, Truths | bool] = dict(action.constants)
        updates.update((b, _holds(formula, rows, place)) for b, formula in action.formulas.items())
        for b, value in updates.items():
            word, shift = divmod(place[b], 64)
            one = np.uint64(1 << shift)
            after[:, word] = np.where(value, after[:, word] | one, after[:, word] & ~one)
        yield after, costs


def _holds(formula: Formula, rows: Words, place: dict[Bit, int]) -> Truths:
    """In which rows does a formula hold?"""

    def literal(b: Bit, value: bool) -> Truths:
        word, shift = divmod(place[b], 64)
        held: Truths = (rows[:, word] >> np.uint64(shift) & np.uint64(1)) == value
        return held

    def conj(parts: list[Truths]) -> Truths:
        return np.logical_and.reduce(parts) if parts else np.ones(len(rows), np.bool_)

    def disj(parts: list[Truths]) -> Truths:
        return np.logical_or.reduce(parts) if parts else np.zeros(len(rows), np.bool_)

    return fold(formula, literal, conj, disj)
