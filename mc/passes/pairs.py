"""Pairs of literals that may hold together: the fixpoint of h², with rows of bits (Haslum and Geffner 2000).

A *rule* has literals that it reads, literals that may hold after it, and literals that it ends. If all pairs of
the literals that it reads may hold together, then each literal p after it may hold together with every other one
after it, and with every literal q that it does not end and that may hold together with all literals that it reads.
Literals are numbers: those of bits, or facts of variables.

The pairs grow until no rule adds one. Only the fixpoint says that a pair is impossible: a search that stopped
before it says nothing.

Compiled: see `mc/words.py`. Work is counted in words of 64 pairs.
"""

import cython
import numpy as np
import numpy.typing as npt

from puzzlemc.mc.words import view

if not cython.compiled:
    from puzzlemc.mc.words import Flag, Index, Numbers, Word, Words, Words2, bit, lowest_bit


class PairSystem:
    """Rules, and pairs as a symmetric matrix of bits: row p, bit q.

    can      the pairs found so far; a literal with itself if it may hold at all
    allowed  no other pair is ever added
    grown    literal -> when its row has grown last; of the last entry: when a literal was added
    seen     rule -> when it was applied last
    row      the literals that may hold beside a literal after the current rule
    rule     the next rule; has_grown: did a rule before it add a pair in this round?
    clock    the number of rules that were applied
    """

    can: Words2
    allowed: Words2
    first_read: Numbers
    reads: Numbers
    first_effect: Numbers
    effects: Numbers
    first_ended: Numbers
    ended: Numbers
    seen: Numbers
    grown: Numbers
    row: Words
    rule: Index
    clock: Index
    has_grown: Flag

    def __init__(
        self,
        can: npt.NDArray[np.uint64],
        allowed: npt.NDArray[np.uint64],
        reads: list[list[int]],
        effects: list[list[int]],
        ended: list[list[int]],
    ) -> None:
        """Take the matrices as they are; for each rule, the literals that it reads, makes true and ends."""
        self.can = view(can)
        self.allowed = view(allowed)
        self.first_read = view(_starts(reads))
        self.reads = view(_joined(reads))
        self.first_effect = view(_starts(effects))
        self.effects = view(_joined(effects))
        self.first_ended = view(_starts(ended))
        self.ended = view(_joined(ended))
        self.seen = view(np.zeros(len(reads), np.int64))
        self.grown = view(np.ones(len(can) + 1, np.int64))
        self.row = view(np.zeros(can.shape[1], np.uint64))
        self.rule, self.clock, self.has_grown = 0, 1, False


def _starts(lists: list[list[int]]) -> npt.NDArray[np.int64]:
    """Where each list begins in the joined list, and where the last one ends."""
    first = np.zeros(len(lists) + 1, np.int64)
    np.cumsum([len(each) for each in lists], out=first[1:])
    return first


def _joined(lists: list[list[int]]) -> npt.NDArray[np.int64]:
    """The lists one behind the other; compiled code takes no array without elements."""
    return np.array([n for each in lists for n in each] or [0], np.int64)


def close(system: PairSystem, work: int) -> bool:
    """Add pairs until no rule adds one. False if that takes more work than `work` words: the next call goes on."""
    return _close(system, work)


def _close(system: PairSystem, work: Index) -> Flag:
    """Has the fixpoint been reached within `work`?"""
    words: Index = system.can.shape[1]
    rules: Index = system.seen.shape[0]
    i: Index
    while work >= 0:
        if system.rule == rules:
            if not system.has_grown:
                return True
            system.rule, system.has_grown = 0, False
        rule: Index = system.rule
        system.rule += 1
        reads: Index = system.first_read[rule + 1] - system.first_read[rule]
        work -= reads + 1
        if not _is_due(system, rule):
            continue
        work -= reads * reads
        system.clock += 1
        system.seen[rule] = system.clock
        if _fires(system, rule):
            work -= (reads + system.first_effect[rule + 1] - system.first_effect[rule] + 1) * words
            _fill_row(system, rule)
            for i in range(system.first_effect[rule], system.first_effect[rule + 1]):
                if _add(system, system.effects[i], system.clock):
                    system.has_grown = True
    return False


def _is_due(system: PairSystem, rule: Index) -> Flag:
    """Has a row that the rule reads grown since it was applied last?"""
    since: Index = system.seen[rule]
    if system.first_read[rule] == system.first_read[rule + 1]:
        return system.grown[system.grown.shape[0] - 1] >= since
    i: Index
    for i in range(system.first_read[rule], system.first_read[rule + 1]):
        if system.grown[system.reads[i]] >= since:
            return True
    return False


def _fires(system: PairSystem, rule: Index) -> Flag:
    """May all literals that the rule reads hold together?"""
    i: Index
    j: Index
    for i in range(system.first_read[rule], system.first_read[rule + 1]):
        p: Index = system.reads[i]
        for j in range(i, system.first_read[rule + 1]):
            q: Index = system.reads[j]
            if not system.can[p, q >> 6] & bit(q & 63):
                return False
    return True


def _fill_row(system: PairSystem, rule: Index) -> None:
    """Write to `row` the literals that may hold after the rule beside any literal of its effects."""
    words: Index = system.row.shape[0]
    begin: Index = system.first_read[rule]
    end: Index = system.first_read[rule + 1]
    p: Index
    w: Index
    i: Index
    if begin == end:
        for w in range(words):
            system.row[w] = 0
        for p in range(system.can.shape[0]):
            if system.can[p, p >> 6] & bit(p & 63):
                system.row[p >> 6] |= bit(p & 63)
    else:
        p = system.reads[begin]
        for w in range(words):
            system.row[w] = system.can[p, w]
        for i in range(begin + 1, end):
            p = system.reads[i]
            for w in range(words):
                system.row[w] &= system.can[p, w]
    for i in range(system.first_ended[rule], system.first_ended[rule + 1]):
        p = system.ended[i]
        if system.row[p >> 6] & bit(p & 63):
            system.row[p >> 6] ^= bit(p & 63)
    for i in range(system.first_effect[rule], system.first_effect[rule + 1]):
        p = system.effects[i]
        system.row[p >> 6] |= bit(p & 63)


def _add(system: PairSystem, p: Index, clock: Index) -> Flag:
    """Add the pairs of a literal with those of `row`. Was one new?"""
    found: Flag = False
    w: Index
    for w in range(system.row.shape[0]):
        new: Word = system.row[w] & system.allowed[p, w]
        new ^= new & system.can[p, w]
        if new == 0:
            continue
        found = True
        system.can[p, w] |= new
        while new:
            q: Index = (w << 6) + lowest_bit(new)
            new &= new - 1
            system.can[q, p >> 6] |= bit(p & 63)
            system.grown[q] = clock
            if q == p:
                system.grown[system.grown.shape[0] - 1] = clock
    if found:
        system.grown[p] = clock
    return found
