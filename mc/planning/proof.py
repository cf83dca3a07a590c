"""The proof of an answer of A* with pattern databases, out of the search: its tables, and the states that it
expanded."""

import math
import zlib

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.packed.costs import INFINITE
from puzzlemc.mc.passes.facts import facts_of, without_goal_variable
from puzzlemc.mc.passes.translation import Translation
from puzzlemc.mc.planning import search as compiled
from puzzlemc.mc.planning.optimal import PatternSearch
from puzzlemc.mc.proofs.blocks import WIDEST, Block, packed
from puzzlemc.mc.proofs.facts import CodedBits, Facts
from puzzlemc.mc.proofs.listed import BITS, ListedStates
from puzzlemc.mc.proofs.tables import DEAD, NEVER, Potential, Table, TableProof

MOST_BYTES = 1 << 28  # of all tables
MOST_CASES = 1 << 18  # of all actions
MOST_COST = 1 << 16  # costs are numbers of two bytes
CHUNK = 1 << 16  # states that are written at once
LEVEL = 4  # of zlib


def proof_of(made: Translation, search: PatternSearch, metric: str, cost: int | None) -> TableProof | None:
    """The proof that no solution costs less than `cost`; if that is None, that there is no solution.

    `made` is a whole translation, and its task that of the search, which has ended. None if the proof would be too
    large.
    """
    task, goals = without_goal_variable(made)
    width = 1 + -(-len(made.model.bits) // BITS)
    if width > WIDEST or not goals or (cost is not None and cost >= MOST_COST) or _cases(made) > MOST_CASES:
        return None
    facts = facts_of(made, range(len(task.variables)), goals)
    tables = _tables(made, search, has_costs=cost is not None)
    if tables is None:
        return None
    blocks = _states(made, search, facts, width, cost)
    potential = None if cost is None else _potential(made, search, facts)
    return TableProof(facts, tables, ListedStates(metric, cost, facts.inputs, blocks), potential)


def _cases(made: Translation) -> int:
    """The values of the variables that operators set or have in a condition, and do not require."""
    task, count = made.task, 0
    for operator in task.operators:
        named = {v for effect in operator.effects for v in (effect.variable, *effect.condition)}
        count += math.prod(task.domains[v] for v in named.difference(operator.precondition))
    return count


def _tables(made: Translation, search: PatternSearch, *, has_costs: bool) -> tuple[Table, ...] | None:
    """The tables; without costs, those that say where a state is dead. None if they are too large."""
    found, left = [], MOST_BYTES
    for each in search.partitionings.tables():
        values = np.where(each.distances >= INFINITE, DEAD, search.unit * each.distances.astype(np.int64))
        rows = each.orders if has_costs and each.counts else ()
        if not rows:
            values = np.where(values[:, :1] == DEAD, DEAD, 0)
        values[~each.alive] = NEVER
        variables = each.variables
        if made.groups[variables[-1]] is None:  # before a run has ended, the variable of the goal has value 0
            variables = variables[:-1]
            values = values[: each.factors[-1]]
        if (values > NEVER).any() or ((values >= DEAD) & (values != values[:, :1])).any():
            return None
        left -= 2 * values.size
        if left < 0:
            return None
        if variables and (rows or (values == DEAD).any()):
            found.append(Table(variables, rows, zlib.compress(values.astype("<u2").tobytes(), LEVEL)))
    return tuple(found)


def _potential(made: Translation, search: PatternSearch, facts: Facts) -> Potential | None:
    """The potential of the search, if it has one, in costs of the task."""
    found = search.partitionings.potential
    if found is None:
        return None
    held = len(made.groups) - (None in made.groups)
    weights = [tuple(search.unit * weight for weight in own) if any(own) else () for own in found.weights[:held]]
    weights += [()] * (len(facts.variables) - held)
    return Potential(tuple(weights), found.scale)


def _states(
    made: Translation, search: PatternSearch, facts: Facts, width: int, cost: int | None
) -> tuple[Block, ...]:
    """The states that were expanded, and whose cost and bound are less than `cost`."""
    running = search.search
    info, rows = np.asarray(running.node_info)[: running.used], np.asarray(running.rows)
    bounds, costs = info[:, compiled.BOUND].astype(np.int64), info[:, compiled.COST].astype(np.int64)
    chosen = bounds < 0
    if cost is not None:
        chosen &= search.unit * (costs - 1 - bounds) < cost
    numbers = np.flatnonzero(chosen)
    fields = [np.asarray(each) for each in (running.task.word, running.task.shift, running.task.mask)]
    bits = [_bits(variable) for variable in facts.variables]
    held = len(made.groups) - (None in made.groups)  # the first variables of the proof are those of the task
    blocks: list[Block] = []
    for first in range(0, len(numbers), CHUNK):
        some = numbers[first : first + CHUNK]
        words = rows[some]
        listed = np.zeros((len(some), BITS * (width - 1)), np.uint8)
        for v, variable in enumerate(facts.variables):
            values = np.zeros(len(some), np.uint64)
            if v < held:
                word, shift, mask = (field[v] for field in fields)
                values = words[:, word] >> np.uint64(shift) & mask
            listed[:, [b - 1 for b in variable.bits]] = bits[v][values.astype(np.int64)]
        places = np.zeros((len(some), width), np.uint16)
        places[:, 0] = 0 if cost is None else search.unit * costs[some]
        places[:, 1:] = np.packbits(listed, axis=1, bitorder="little").view("<u2")
        blocks += packed(places)
    return tuple(blocks)


def _bits(variable: CodedBits) -> npt.NDArray[np.uint8]:
    """The bits of each code of a variable."""
    return np.array([[code >> k & 1 for k in range(len(variable.bits))] for code in variable.codes], np.uint8)
