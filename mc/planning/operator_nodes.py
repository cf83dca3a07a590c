"""The nodes of operators in the delete relaxation (`relaxation.py`), and which facts the goal needs. Compiled.

See `mc/words.py`.
"""

from typing import TypeAlias

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.patterns.operators import Operators
from puzzlemc.mc.tasks.operators import starts
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints, Numbers, Word, Words, mixed

    NOTHING = -1

Array: TypeAlias = npt.NDArray[np.int32]


class OperatorNodes:
    """The nodes, in the arrays of `Relaxation`, with room for all.

    count       the number of nodes
    first       (variables,): the first fact of each variable
    hashes      (nodes,): a hash value of the condition
    head, tail  (nodes,): the first effect and the last one, NOTHING if there is none
    next        (effects,): the next effect of the same node
    value       (variables,): the values that the operator requires
    required    (variables,): the last operator that requires a value, counted from 1
    stamps      (facts,): `stamp` if the fact is in the condition of the node, or one of its effects so far
    """

    count: Index  # readonly
    operator: Ints  # readonly
    condition_first: Ints  # readonly
    condition: Ints  # readonly
    effect_first: Ints  # readonly
    effect: Ints  # readonly
    first: Numbers
    hashes: Words
    head: Ints
    tail: Ints
    next: Ints
    value: Ints
    required: Ints
    stamps: Ints
    stamp: Index

    def __init__(self, operators: Operators, domains: npt.NDArray[np.int64]) -> None:
        sizes = np.diff(np.asarray(operators.precondition_first))
        effect_first, effects = np.asarray(operators.effect_first), len(np.asarray(operators.effect))
        given = np.diff(np.asarray(operators.condition_first)[: effects + 1])
        owner = np.repeat(np.arange(len(sizes)), np.diff(effect_first))
        nodes = len(sizes) + int((given > 0).sum())
        facts = int(sizes.sum() + given.sum() + sizes[owner[given > 0]].sum())
        self.operator, self.head, self.tail = (view(np.empty(nodes, np.int32)) for _ in range(3))
        self.hashes = view(np.empty(nodes, np.uint64))
        self.condition_first, self.effect_first = (view(np.zeros(nodes + 1, np.int32)) for _ in range(2))
        self.condition = view(np.empty(facts, np.int32))
        self.effect, self.next = (view(np.empty(effects, np.int32)) for _ in range(2))
        self.first = view(np.cumsum([0, *domains], dtype=np.int64))
        self.value, self.required = (view(np.zeros(len(domains), np.int32)) for _ in range(2))
        self.stamps, self.stamp = view(np.zeros(int(domains.sum()), np.int32)), 0
        self.count = _write_all(self, operators)


def _write_all(nodes: OperatorNodes, operators: Operators) -> Index:
    """Write the nodes of all operators; return their number."""
    operator: Index
    begin: Index = 0
    for operator in range(operators.costs.shape[0]):
        end: Index = _group(nodes, operators, operator, begin)
        begin = _write_effects(nodes, operators, operator, begin, end)
    return begin


def _group(nodes: OperatorNodes, operators: Operators, operator: Index, begin: Index) -> Index:
    """Write the conditions of an operator, from node `begin` on, and give each its effects; return the end."""
    i: Index
    at: Index = nodes.condition_first[begin]
    for i in range(operators.precondition_first[operator], operators.precondition_first[operator + 1]):
        variable: Index = operators.precondition[i, 0]
        nodes.value[variable] = operators.precondition[i, 1]
        nodes.required[variable] = operator + 1
        at = _insert(nodes, nodes.condition_first[begin], at, nodes.first[variable] + operators.precondition[i, 1])
    end: Index = _close(nodes, begin, at)
    for i in range(operators.effect_first[operator], operators.effect_first[operator + 1]):
        node: Index = begin
        if operators.condition_first[i] < operators.condition_first[i + 1]:
            at = _write_condition(nodes, operators, operator, begin, end, i)
            if at == NOTHING:
                continue
            node = _find(nodes, begin, end, at)
            if node == end:
                end = _close(nodes, end, at)
        if nodes.head[node] == NOTHING:
            nodes.head[node] = i
        else:
            nodes.next[nodes.tail[node]] = i
        nodes.tail[node] = i
        nodes.next[i] = NOTHING
    return end


def _insert(nodes: OperatorNodes, begin: Index, end: Index, fact: Index) -> Index:
    """Insert a fact into a condition from `begin` to before `end`, in ascending order; return the new end."""
    at: Index = end
    while at > begin and nodes.condition[at - 1] > fact:
        nodes.condition[at] = nodes.condition[at - 1]
        at -= 1
    nodes.condition[at] = fact
    return end + 1


def _write_condition(
    nodes: OperatorNodes, operators: Operators, operator: Index, begin: Index, end: Index, effect: Index
) -> Index:
    """Write the precondition (of node `begin`) and the condition of an effect as node `end`; return where it ends.

    NOTHING if they contradict each other.
    """
    i: Index
    first: Index = nodes.condition_first[end]
    at: Index = first
    for i in range(nodes.condition_first[begin], nodes.condition_first[begin + 1]):
        nodes.condition[at] = nodes.condition[i]
        at += 1
    for i in range(operators.condition_first[effect], operators.condition_first[effect + 1]):
        variable: Index = operators.condition[i, 0]
        value: Index = operators.condition[i, 1]
        if nodes.required[variable] != operator + 1:
            at = _insert(nodes, first, at, nodes.first[variable] + value)
        elif nodes.value[variable] != value:
            return NOTHING
    return at


def _close(nodes: OperatorNodes, node: Index, at: Index) -> Index:
    """End the condition of a node; return the number of the next one."""
    nodes.condition_first[node + 1] = at
    nodes.hashes[node] = _hash(nodes, node, at)
    nodes.head[node] = NOTHING
    return node + 1


def _hash(nodes: OperatorNodes, node: Index, end: Index) -> Word:
    """A hash value of the condition of a node, which ends before `end`."""
    i: Index
    hash: Word = 0
    for i in range(nodes.condition_first[node], end):
        hash = mixed(hash, nodes.condition[i])
    return hash


def _find(nodes: OperatorNodes, begin: Index, end: Index, at: Index) -> Index:
    """The node from `begin` on that has the condition of node `end`, which ends before `at`; or else `end`."""
    i: Index
    node: Index
    hash: Word = _hash(nodes, end, at)
    first: Index = nodes.condition_first[end]
    for node in range(begin, end):
        other: Index = nodes.condition_first[node]
        is_same: Flag = nodes.hashes[node] == hash and nodes.condition_first[node + 1] - other == at - first
        if is_same:
            for i in range(at - first):
                is_same = is_same and nodes.condition[other + i] == nodes.condition[first + i]
        if is_same:
            return node
    return end


def _write_effects(nodes: OperatorNodes, operators: Operators, operator: Index, begin: Index, end: Index) -> Index:
    """Write the effects of nodes; leave out nodes without effects; return where the nodes end."""
    i: Index
    kept: Index = begin
    node: Index
    for node in range(begin, end):
        first: Index = nodes.condition_first[node]
        last: Index = nodes.condition_first[node + 1]
        nodes.stamp += 1
        for i in range(first, last):
            nodes.stamps[nodes.condition[i]] = nodes.stamp
        at: Index = nodes.effect_first[kept]
        effect: Index = nodes.head[node]
        while effect != NOTHING:
            fact: Index = nodes.first[operators.effect[effect, 0]] + operators.effect[effect, 1]
            if nodes.stamps[fact] != nodes.stamp:
                nodes.stamps[fact] = nodes.stamp
                nodes.effect[at] = fact
                at += 1
            effect = nodes.next[effect]
        if at == nodes.effect_first[kept]:
            continue
        to: Index = nodes.condition_first[kept]
        for i in range(first, last):
            nodes.condition[to + i - first] = nodes.condition[i]
        nodes.operator[kept] = operator
        kept += 1
        nodes.condition_first[kept] = to + last - first
        nodes.effect_first[kept] = at
    return kept


def relevant(
    condition_first: Array, condition: Array, effect_first: Array, effect: Array, facts: int
) -> npt.NDArray[np.bool_]:
    """Does the last of all facts need each of them? The arrays are those of `Relaxation`."""
    order = np.argsort(effect, kind="stable")
    maker = np.repeat(np.arange(len(effect_first) - 1, dtype=np.int32), np.diff(effect_first))[order]
    maker_first = starts(np.bincount(effect, minlength=facts)).astype(np.int32)
    found, stack = np.zeros(facts, np.uint8), np.empty(facts, np.int32)
    _mark(view(found), view(stack), view(maker_first), view(maker), view(condition_first), view(condition))
    return found.astype(np.bool_)


def _mark(
    found: Bytes, stack: Ints, maker_first: Ints, maker: Ints, condition_first: Ints, condition: Ints
) -> None:
    """Mark the last fact, and the conditions of the nodes that make a marked fact true."""
    i: Index
    k: Index
    waiting: Index = 1
    stack[0] = found.shape[0] - 1
    found[stack[0]] = True
    while waiting:
        waiting -= 1
        fact: Index = stack[waiting]
        for i in range(maker_first[fact], maker_first[fact + 1]):
            for k in range(condition_first[maker[i]], condition_first[maker[i] + 1]):
                if not found[condition[k]]:
                    found[condition[k]] = True
                    stack[waiting] = condition[k]
                    waiting += 1
