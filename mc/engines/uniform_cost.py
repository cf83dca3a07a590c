"""Uniform-cost search over packed states in numpy: the reference for all other engines.

Layer by layer, in order of cost (Dijkstra 1959): all actions are tried on all states of the frontier at once. The
closed list is a few sorted arrays. Nothing is pruned, and the only hint that is used is the location, which groups
the actions. Guards and updates may be any formulas.
"""

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY, Action, cost_of
from puzzlemc.mc.model.formula import State, literals
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.packed.actions import AT_ONCE, Steps, packed_initial_states
from puzzlemc.mc.packed.layout import Layout, Numbers, PackedStates, Truths, keys
from puzzlemc.mc.proofs.blocks import WIDEST, Block, packed
from puzzlemc.mc.proofs.listed import BITS, ListedStates
from puzzlemc.mc.steps.proof import MOST_COST, places_of
from puzzlemc.mc.verdict import Reachable, Statistics, Unreachable, Verdict, within_limits

Arrivals: TypeAlias = tuple[PackedStates, Numbers, Numbers]  # states, numbers of their parents, of the actions

BATCH = 1 << 17  # states
TRIES = (
    4  # of actions with formulas for each state of the limit: a round of few states takes as long as one of many
)
MOST_SORTED = 1 << 20  # keys that are sorted at once


def uniform_cost(
    model: Model, metric: str, budget: Budget, *, most_states: int | None = None, proving: bool = False
) -> Verdict:
    """Decide reachability of the goal by uniform-cost search.

    Stops with *unknown*, reason `bound`, past `most_states`, or past TRIES * `most_states` tries of an action with
    formulas on some states. With `proving`, the verdict has a proof that lists states, if the model allows it.
    Raises Unsuitable if the model has too many initial states, ModelError if an action has no cost for the metric.
    """
    return within_limits(budget, lambda: _search(model, metric, budget, most_states, proving=proving))


def _search(model: Model, metric: str, budget: Budget, most_states: int | None, *, proving: bool) -> Verdict:
    layout = Layout(model)
    step_costs: dict[int, list[int]] = {}
    for number, action in enumerate(model.actions):
        step_costs.setdefault(cost_of(action, metric), []).append(number)
    steps = {step_cost: Steps(layout, model, numbers) for step_cost, numbers in sorted(step_costs.items())}

    history = History(layout)
    initial = packed_initial_states(layout, model.init)
    nowhere = np.full(len(initial), -1, np.int64)
    queue: dict[int, list[Arrivals]] = {0: [(initial, nowhere, nowhere)]}
    layers, pending = 0, len(initial)
    by_formulas, tried = sum(not action.is_plain for action in model.actions), 0
    while queue:
        cost = min(queue)
        budget.record_bound(cost)
        arriving = queue.pop(cost)
        layers += 1
        while arriving:  # each round inserts a batch; actions without cost add arrivals to the same layer
            batch, arriving = _split(arriving)
            budget.check()
            pending -= sum(len(part[0]) for part in batch)
            rows, first = history.enter(batch, cost)
            goal = np.nonzero(layout.holds(model.goal, rows))[0]
            if len(goal):
                trace = history.trace(model, first + int(goal[0]))
                proof = history.proof(model, metric, cost) if proving and metric != ANY else None
                return Reachable(trace, cost, metric != ANY, Statistics(layers, len(history.closed)), proof)
            tried += by_formulas * -(-len(rows) // AT_ONCE)
            if most_states is not None and (len(history.closed) > most_states or tried > TRIES * most_states):
                raise LimitReached("bound")
            for step_cost, step in steps.items() if len(rows) else ():
                for after, source, action_numbers in step.successors(rows):
                    into = arriving if step_cost == 0 else queue.setdefault(cost + step_cost, [])
                    new = ~history.closed.holds(keys(after))
                    into.append((after[new], source[new] + first, action_numbers[new]))
                    pending += len(into[-1][0])
                    budget.check()
                    if (history.size + pending) * history.bytes_per_state > budget.limits.memory:
                        raise LimitReached("memory")
    closed = history.closed
    return Unreachable(
        lambda state: bool(closed.holds(keys(layout.pack(state)[None, :]))[0]),
        Statistics(layers, len(closed)),
        history.proof(model, metric, None) if proving else None,
    )


def _split(arriving: list[Arrivals]) -> tuple[list[Arrivals], list[Arrivals]]:
    """Split the arrays into a batch, which is inserted between two checks of the budget, and the rest."""
    count, size = 0, 0
    while count < len(arriving) and (count == 0 or size + len(arriving[count][0]) <= BATCH):
        size += len(arriving[count][0])
        count += 1
    return arriving[:count], arriving[count:]


class Closed:
    """The closed list: a few sorted arrays of keys, each at least twice as long as the next, up to a limit."""

    def __init__(self) -> None:
        self._runs: list[npt.NDArray[np.generic]] = []

    def holds(self, wanted: npt.NDArray[np.generic]) -> Truths:
        """Is each of the keys in the set?"""
        present = np.zeros(len(wanted), np.bool_)
        for run in self._runs:
            at = np.searchsorted(run, wanted)
            at[at == len(run)] = 0
            present |= run[at] == wanted
        return present

    def add(self, fresh: npt.NDArray[np.generic]) -> None:
        """Add keys, which must be sorted and not yet in the set."""
        while self._runs and len(self._runs[-1]) < min(2 * len(fresh), MOST_SORTED):
            fresh = np.sort(np.concatenate([self._runs.pop(), fresh]), kind="stable")
        if len(fresh):
            self._runs.append(fresh)

    def __len__(self) -> int:
        return sum(map(len, self._runs))


class History:
    """All states, numbered in the order of insertion, with their parents and the actions that led to them."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._parts: list[Arrivals] = []
        self._starts: list[int] = []
        self._costs: list[int] = []
        self.size = 0
        self.closed = Closed()
        # A state, its key in the closed list, a copy of the key while it is sorted, its parent and action.
        self.bytes_per_state = 3 * 8 * layout.words + 16

    def enter(self, arriving: list[Arrivals], cost: int) -> tuple[PackedStates, int]:
        """Insert the new states of a cost, each once; return them and the number of the first one."""
        rows, parents, actions = (np.concatenate(column) for column in zip(*arriving, strict=True))
        fresh, index = np.unique(keys(rows), return_index=True)
        new = ~self.closed.holds(fresh)
        index = index[new]
        self.closed.add(fresh[new])
        first = self.size
        self._starts.append(first)
        self._costs.append(cost)
        self._parts.append((rows[index], parents[index], actions[index]))
        self.size += len(index)
        return rows[index], first

    def proof(self, model: Model, metric: str, cost: int | None) -> ListedStates | None:
        """The proof that no run costs less than `cost`, whose states are all here; None: that there is no run.

        None if it has no bits, if they are packed in another order, or if states or costs do not fit a proof.
        """
        width = 1 + -(-len(model.bits) // BITS)
        literal = literals(model.init)
        is_listed = literal is not None and len(literal) == len(model.bits) and self._layout.bits == model.bits
        if not model.bits or not is_listed or width > WIDEST or (cost is not None and cost >= MOST_COST):
            return None
        blocks: list[Block] = []
        for (rows, _, _), paid in zip(self._parts, self._costs, strict=True):
            if cost is None or paid < cost:
                for first in range(0, len(rows), BATCH):
                    blocks += packed(places_of(rows[first : first + BATCH], width, 0 if cost is None else paid))
        return ListedStates(metric, cost, tuple(map(str, model.bits)), tuple(blocks))

    def trace(self, model: Model, number: int) -> Trace:
        """The trace from an initial state to the state of that number."""
        states: list[State] = []
        actions: list[Action] = []
        while True:
            part = int(np.searchsorted(self._starts, number, side="right")) - 1
            rows, parents, action_numbers = self._parts[part]
            at = number - self._starts[part]
            states.append(self._layout.read(rows[at]))
            number = int(parents[at])
            if number < 0:
                return Trace(tuple(reversed(states)), tuple(reversed(actions)))
            actions.append(model.actions[int(action_numbers[at])])
