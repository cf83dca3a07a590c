"""Fact landmarks of the delete relaxation: facts that each plan makes true at some time (Zhu and Givan 2003).

The landmarks of a fact are the fact itself, and those that each of its supporters needs: the greatest solution of
this equation, by propagation of sets. All of them are found, and with them the orders between them. A landmark of
the relaxation is a landmark of the task.

Compiled: see `mc/words.py`.
"""

from collections.abc import Sequence

import cython
import numpy as np

from puzzlemc.mc.planning.satisficing.relaxed_plan import RelaxedPlan
from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Bytes, Flag, Index, Ints, Word, Words, Words2, bit

WORD = 64


class FactLandmarks:
    """The landmarks of each fact, from a state on.

    sets        (facts, words): the landmarks of each fact that is reached, as bits
    is_reached  (facts,)
    waiting     (nodes + 1,): a ring of nodes to look at
    is_waiting  (nodes,)
    first       where the ring starts
    count       the number of its elements
    union       (words,): scratch space
    work        steps so far: words of sets
    """

    sets: Words2  # readonly
    is_reached: Bytes  # readonly
    waiting: Ints
    is_waiting: Bytes
    first: Index
    count: Index
    union: Words
    work: Index  # readonly

    def __init__(self, relaxed: RelaxedPlan, state: Sequence[int]) -> None:
        facts, nodes = relaxed.fact_count, relaxed.operator.shape[0]
        words = (facts + WORD - 1) // WORD
        self.sets, self.union = view(np.zeros((facts, words), np.uint64)), view(np.zeros(words, np.uint64))
        self.is_reached, self.is_waiting = view(np.zeros(facts, np.uint8)), view(np.zeros(nodes, np.uint8))
        self.waiting, self.first, self.count, self.work = view(np.zeros(nodes + 1, np.int32)), 0, 0, 0
        for variable, value in enumerate(state):
            _begin(self, relaxed, relaxed.first[variable] + value)
        for number in range(relaxed.free.shape[0]):
            _await(self, relaxed.free[number])

    def has(self, fact: int, landmark: int) -> bool:
        """Is the second fact a landmark of the first one?"""
        return bool(self.sets[fact, landmark >> 6] >> (landmark & 63) & 1)

    def of(self, fact: int) -> set[int]:
        """The landmarks of a fact, with the fact itself; all are facts that are reached before it or with it."""
        bits = np.unpackbits(np.asarray(self.sets)[fact : fact + 1].view(np.uint8), bitorder="little")
        return set(np.flatnonzero(bits).tolist())


def propagate(landmarks: FactLandmarks, relaxed: RelaxedPlan, work: int) -> bool:
    """Go on for that much work. Returns whether the sets are final: before, they may have too many facts."""
    return _propagate(landmarks, relaxed, landmarks.work + work)


def _begin(landmarks: FactLandmarks, relaxed: RelaxedPlan, fact: Index) -> None:
    """A fact of the state is its only landmark."""
    landmarks.is_reached[fact] = True
    landmarks.sets[fact, fact >> 6] = bit(fact & 63)
    _await_users(landmarks, relaxed, fact)


def _await(landmarks: FactLandmarks, node: Index) -> None:
    """Put a node into the ring, unless it is there."""
    if not landmarks.is_waiting[node]:
        landmarks.is_waiting[node] = True
        at: Index = (landmarks.first + landmarks.count) % landmarks.waiting.shape[0]
        landmarks.waiting[at] = node
        landmarks.count += 1


def _await_users(landmarks: FactLandmarks, relaxed: RelaxedPlan, fact: Index) -> None:
    i: Index
    for i in range(relaxed.user_first[fact], relaxed.user_first[fact + 1]):
        _await(landmarks, relaxed.user[i])


def _propagate(landmarks: FactLandmarks, relaxed: RelaxedPlan, work: Index) -> Flag:
    i: Index
    while landmarks.count:
        if landmarks.work > work:
            return False
        node: Index = landmarks.waiting[landmarks.first]
        landmarks.first = (landmarks.first + 1) % landmarks.waiting.shape[0]
        landmarks.count -= 1
        landmarks.is_waiting[node] = False
        if _unite(landmarks, relaxed, node):
            for i in range(relaxed.effect_first[node], relaxed.effect_first[node + 1]):
                if _cut(landmarks, relaxed.effect[i]):
                    _await_users(landmarks, relaxed, relaxed.effect[i])
    return True


def _unite(landmarks: FactLandmarks, relaxed: RelaxedPlan, node: Index) -> Flag:
    """Compute the landmarks of the condition; False if it is not reached."""
    i: Index
    w: Index
    first: Index = relaxed.condition_first[node]
    last: Index = relaxed.condition_first[node + 1]
    landmarks.work += 1
    for i in range(first, last):
        if not landmarks.is_reached[relaxed.condition[i]]:
            return False
    words: Index = landmarks.union.shape[0]
    landmarks.work += words * (1 + last - first)
    for w in range(words):
        landmarks.union[w] = 0
    for i in range(first, last):
        fact: Index = relaxed.condition[i]
        for w in range(words):
            landmarks.union[w] |= landmarks.sets[fact, w]
    return True


def _cut(landmarks: FactLandmarks, fact: Index) -> Flag:
    """Keep only landmarks of a fact that are in the union, and the fact itself; has the set changed?"""
    w: Index
    words: Index = landmarks.union.shape[0]
    landmarks.work += words
    has_changed: Flag = not landmarks.is_reached[fact]
    if has_changed:
        landmarks.is_reached[fact] = True
        for w in range(words):
            landmarks.sets[fact, w] = landmarks.union[w]
        landmarks.sets[fact, fact >> 6] |= bit(fact & 63)
        return True
    for w in range(words):
        rest: Word = landmarks.sets[fact, w] & landmarks.union[w]
        if w == fact >> 6:
            rest |= bit(fact & 63)
        has_changed = has_changed or rest != landmarks.sets[fact, w]
        landmarks.sets[fact, w] = rest
    return has_changed
