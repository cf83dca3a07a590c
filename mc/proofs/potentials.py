"""Checks proofs by tables, by the actions of the model alone.

1. All reachable states are possible (`possible.py`).
2. In each table, the initial state has a combination of codes that is not NEVER. No action leads from such a
   combination to one that is NEVER, and none from a DEAD one to another kind. So no reachable state is NEVER in a
   table, and no run leads from a DEAD state to one that is not.
3. No possible goal state is DEAD, and each of its values is 0.
4. In each case of an action, take the most by which it lowers each table, whatever the other variables are. In no
   row is the sum of these more than the cost of the action. So the sum of a row, which is 0 in goal states, is at
   most the cost of each run to a goal.
5. In no such case does the sum of the weights of a potential fall by more than the cost times its divisor, and in
   no possible goal state is it more than 0. So, divided by the divisor, it is at most the cost of each run to a
   goal; and that is a multiple of what divides the costs of all actions.
6. States are listed as in `states.py`, but for those whose cost and bound are not less than that of the proof.

*So no run costs less*: by 4 to 6, each state of one that does is listed, at no more than the run has cost so far;
its last one is a goal, and no goal is listed. The code here shares nothing with the search.
"""

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action, cost_of
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.compression import decompressed
from puzzlemc.mc.proofs.facts import CodedBits
from puzzlemc.mc.proofs.possible import Case, PossibleStates, check_facts
from puzzlemc.mc.proofs.states import MOST_COST, Costs, Truths, Words, check_states
from puzzlemc.mc.proofs.tables import DEAD, NEVER, Potential, Table, TableProof

Indices = npt.NDArray[np.int64]

WORD = 62  # bits of codes that are numbers in arrays
SELDOM = -(1 << 40)  # less than every value
MOST_WEIGHT = 1 << 32  # of a weight of a potential, and of its divisor: sums are words


def check_tables(model: Model, proof: TableProof, budget: Budget) -> None:
    """Check that the proof shows that no run of the model costs less than its bound.

    Raises Refuted with what fails; LimitReached, MemoryError.
    """
    _check_form(model, proof)
    states = PossibleStates(model, proof.facts)
    states.check_initial()
    tables = _read(proof, budget)
    rows = 1 + max((row for table in proof.tables for row in table.rows), default=-1)
    start = states.initial()
    if any(table.values[table.at({v: [i] for v, i in start.items()})].flat[0] == NEVER for table in tables):
        raise Refuted("the initial state is in a place of a table where no state should be")
    metric = None if proof.below is None else proof.listed.metric
    for action in model.actions:
        _check_action(states, tables, rows, proof.potential, action, metric, budget)
    states.check_goals(budget)
    for goal in proof.facts.goals:
        _check_goal(states, tables, proof.potential, goal)
    unit = 0 if metric is None else math.gcd(*(cost_of(action, metric) for action in model.actions))
    bounds = _Bounds(proof, tables, rows, unit if 0 < unit < MOST_COST else 1)
    check_states(model, proof.listed, budget, bounds.of)


def _check_form(model: Model, proof: TableProof) -> None:
    """Raise Refuted unless the tables are about variables that exist."""
    check_facts(model, proof.facts)
    count, columns = len(proof.facts.variables), sum(len(table.rows) for table in proof.tables)
    for table in proof.tables:
        if not table.variables or len(set(table.variables)) < len(table.variables):
            raise Refuted("a table has no variable, or one twice")
        if not all(0 <= v < count for v in table.variables):
            raise Refuted("a table is about a variable that does not exist")
        if not all(0 <= row < columns for row in table.rows) or len(set(table.rows)) < len(table.rows):
            raise Refuted("a column of a table is in no row, or two are in one")
    if proof.potential is not None:
        weights, divisor = proof.potential.weights, proof.potential.divisor
        if len(weights) != count or not all(
            len(own) in (0, len(variable.codes))
            for own, variable in zip(weights, proof.facts.variables, strict=True)
        ):
            raise Refuted("a potential does not have the weights that it should have")
        if not 1 <= divisor <= MOST_WEIGHT or any(abs(weight) > MOST_WEIGHT for own in weights for weight in own):
            raise Refuted(f"a number of a potential is more than {MOST_WEIGHT}, or its divisor less than 1")


class _Values:
    """The values of a table: an axis for each variable, the last one first, and one for the columns."""

    def __init__(self, table: Table, sizes: Sequence[int], data: bytes) -> None:
        shape = (*reversed(sizes), max(1, len(table.rows)))
        self.values = np.frombuffer(data, "<u2").astype(np.int64).reshape(shape)
        self.variables = table.variables
        self.rows = np.array(table.rows, np.int64)
        self.factors = [math.prod(sizes[:place]) for place in range(len(sizes))]
        self.flat = self.values.reshape(-1, shape[-1])

    def at(self, codes: dict[int, list[int]]) -> tuple[npt.NDArray[np.intp], ...]:
        """What selects the combinations of these codes, by index."""
        return np.ix_(*(codes[v] for v in reversed(self.variables)))


def _read(proof: TableProof, budget: Budget) -> list[_Values]:
    """The values of all tables. Raises Refuted, LimitReached."""
    found, left = [], budget.limits.memory // 2
    for table in proof.tables:
        budget.check()
        sizes = [len(proof.facts.variables[v].codes) for v in table.variables]
        size = 2 * math.prod(sizes) * max(1, len(table.rows))
        left -= 4 * size
        if left < 0:
            raise LimitReached("memory")
        data = decompressed(table.data, size, "a table does not have the values that it should have")
        values = _Values(table, sizes, data)
        special = values.values >= DEAD
        if (special.any(axis=-1) & (values.values != values.values[..., :1]).any(axis=-1)).any():
            raise Refuted("a place of a table is dead, or never, in some columns only")
        if not table.rows and (~special & (values.values != 0)).any():
            raise Refuted("a table that only says what is dead has values")
        found.append(values)
    return found


def _check_action(
    states: PossibleStates,
    tables: Sequence[_Values],
    rows: int,
    potential: Potential | None,
    action: Action,
    metric: str | None,
    budget: Budget,
) -> None:
    """Check an action: steps 2, 4 and 5. Without a metric, costs do not matter. Raises Refuted."""
    for case, changed, excluded in states.steps(action, budget):
        if not changed:
            continue
        left: dict[int, list[int]] = {}
        drops = np.zeros(rows, np.int64)
        is_live = True  # may a state fire in which no table is dead, before or after?
        for table in tables:
            if changed.keys().isdisjoint(table.variables):
                continue
            for v in table.variables:
                if v not in left:
                    left[v] = [case[v]] if v in case else states.left(v, excluded)
            if not all(left[v] for v in table.variables):
                is_live = False  # there is no such state
                break
            is_live = _lower(table, left, changed, drops, action) and is_live
        if metric is None or not is_live:
            continue
        if (drops > cost_of(action, metric)).any():
            raise Refuted(f"action {action.name} lowers a bound by more than its cost")
        if potential is not None:
            own = {v: potential.weights[v] for v in changed if potential.weights[v]}
            if sum(w[case[v]] - w[changed[v]] for v, w in own.items()) > potential.divisor * cost_of(
                action, metric
            ):
                raise Refuted(f"action {action.name} lowers the potential by more than its cost")


def _lower(table: _Values, left: dict[int, list[int]], changed: Case, drops: Costs, action: Action) -> bool:
    """Add the most by which a table drops to the rows; False if it is dead in all places. Raises Refuted."""
    before = table.values[table.at(left)]
    after = table.values[table.at({v: [changed[v]] if v in changed else left[v] for v in table.variables})]
    old, new = before[..., 0], after[..., 0]
    if ((old != NEVER) & (new == NEVER)).any():
        raise Refuted(f"action {action.name} leads to a place of a table where no state should be")
    if ((old == DEAD) & (new != DEAD)).any():
        raise Refuted(f"action {action.name} leads out of a dead place of a table")
    is_finite = (old < DEAD) & (new < DEAD)
    if not is_finite.any():
        return False
    if len(table.rows):
        drops[table.rows] += (
            np.where(is_finite[..., None], before - after, SELDOM).reshape(-1, len(table.rows)).max(axis=0)
        )
    return True


def _check_goal(
    states: PossibleStates, tables: Sequence[_Values], potential: Potential | None, goal: Sequence[int]
) -> None:
    """Check that tables are 0 in all possible states of a goal, and a potential is not more. Raises Refuted."""
    left = states.codes_left(goal)
    if not all(left):
        return  # there is no such state
    for table in tables:
        values = table.values[table.at(dict(enumerate(left)))]
        if ((values > 0) & (values != NEVER)).any():
            raise Refuted("a table has a value in a goal state")
    if potential is not None:
        pairs = zip(left, potential.weights, strict=True)
        if sum(max(weights[index] for index in indices) for indices, weights in pairs if weights) > 0:
            raise Refuted("the potential of a goal state is more than 0")


class _Bounds:
    """The lower bounds of states. `unit` divides the costs of all runs."""

    def __init__(self, proof: TableProof, tables: Sequence[_Values], rows: int, unit: int) -> None:
        self._tables, self._rows, self._unit = tables, rows, unit
        self._below = proof.below
        self._weights: dict[int, Indices] = {}
        if proof.potential is not None:
            self._divisor = proof.potential.divisor
            weights = enumerate(proof.potential.weights)
            self._weights = {v: np.array(own, np.int64) for v, own in weights if own}
        used = {v for table in tables for v in table.variables} | self._weights.keys()
        self._variables = {v: proof.facts.variables[v] for v in sorted(used)}

    def of(self, words: Words) -> Costs:
        """The bound of each state, 0 of one that is not possible."""
        bits = np.unpackbits(words.astype("<u8").view(np.uint8), axis=1, bitorder="little")
        is_known = np.ones(len(words), np.bool_)
        indices = {v: _index(variable, bits, is_known) for v, variable in self._variables.items()}
        sums = np.zeros((len(words), self._rows), np.int64)
        is_dead = np.zeros(len(words), np.bool_)
        for table in self._tables:
            at = sum(factor * indices[v] for v, factor in zip(table.variables, table.factors, strict=True))
            values = table.flat[at]
            is_dead |= values[:, 0] == DEAD
            is_known &= values[:, 0] != NEVER
            if len(table.rows):
                sums[:, table.rows] += values
        found: Costs = np.zeros(len(words), np.int64)
        if self._below is not None:
            found = np.maximum(found, sums.max(axis=1, initial=0))
            if self._weights:
                total = np.sum([own[indices[v]] for v, own in self._weights.items()], axis=0)
                steps = -(-total // (self._divisor * self._unit))
                found = np.maximum(found, self._unit * np.minimum(steps, MOST_COST))
        found[is_dead] = 1 if self._below is None else max(1, self._below)
        found[~is_known] = 0
        return found


def _index(variable: CodedBits, bits: npt.NDArray[np.uint8], is_known: Truths) -> Indices:
    """The index of the code of a variable in each state; where it has none, `is_known` becomes false."""
    codes = _sortable(bits[:, [b - 1 for b in variable.bits]])
    known = _sortable(
        np.array([[code >> k & 1 for k in range(len(variable.bits))] for code in variable.codes], np.uint8)
    )
    order = np.argsort(known)
    found: Indices = order[np.minimum(np.searchsorted(known[order], codes), len(known) - 1)]
    is_known &= known[found] == codes
    return found


def _sortable(bits: npt.NDArray[np.uint8]) -> npt.NDArray[np.generic]:
    """One sortable value a row: a number, or a text of bytes if there are many bits."""
    count = bits.shape[1]
    if count <= WORD:
        numbers: npt.NDArray[np.int64] = bits.astype(np.int64) @ (1 << np.arange(count))
        return numbers
    rows = np.ascontiguousarray(np.packbits(bits, axis=1, bitorder="little"))
    return rows.view(f"S{rows.shape[1]}")[:, 0]
