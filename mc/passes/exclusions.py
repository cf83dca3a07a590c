"""Which literals of a model exclude each other, and which transitions are on no way to the goal.

Forward, pairs grow from the initial state (h², Haslum and Geffner 2000). The states whose pairs were all found are
an inductive invariant: it has the initial state, and no transition leaves it. Backward, pairs grow from the goal
states within this invariant, by reversed transitions (Alcázar and Torralba 2015). A state with a pair that was
not found is *dead*: no transition leads from a dead state to another kind of state of the invariant, and no goal
state is dead. A transition that would start or end in a dead state is on no way to the goal. It is left out, and
pairs grow forward once more.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

from puzzlemc.mc.passes.normal_form import Term, Terms, is_consistent
from puzzlemc.mc.passes.pairs import PairSystem, close
from puzzlemc.mc.passes.transitions import Transition

MOST_BITS = 8192  # a matrix then has 32 MiB
MOST_WORK = 2_000_000_000  # words in a fixpoint, about two seconds
MOST_CASES = 1000  # of the formulas of a transition, two bits at a time

Rows = tuple[int, ...]  # row p has bit q if the literals p and q may hold together
Rule = tuple[list[int], list[int], list[int]]


@dataclass(frozen=True)
class Exclusions:
    """Pairs of literals by rows of bits: those of a pair that is missing exclude each other.

    reachable    holds in each reachable state of the model
    living       of a state that reaches the goal, too: any other state of `reachable` is dead
    pairs        holds in each state that the transitions left reach
    transitions  those that may be on a way to the goal
    """

    reachable: Rows
    living: Rows
    pairs: Rows
    transitions: list[Transition]


@dataclass(frozen=True)
class Forward:
    """What pairs show of the reachable states, whatever the goal is.

    allowed, start  the matrix of all pairs but contrary ones, and the pairs of the initial state
    """

    transitions: Sequence[Transition]
    bits: int
    allowed: npt.NDArray[np.uint64]
    start: Sequence[int]
    reachable: npt.NDArray[np.uint64]
    most: int

    @cached_property
    def whole(self) -> Exclusions:
        """The exclusions without a goal: no state counts as dead."""
        rows = rows_of(self.reachable)
        return Exclusions(rows, rows, rows, [t for t in self.transitions if together(t.guard, rows)])

    def towards(self, goal: Terms) -> Exclusions:
        """The exclusions for a goal; those without one, if it takes too much work."""
        within = self.whole.reachable
        ends = [0] * (2 * self.bits)
        for wanted in goal:
            for p, row in enumerate(_beside(wanted, self.bits)):
                ends[p] |= row & within[p]
        backward = [_reversed(t) for t in self.transitions]
        alive = _closed(matrix(2 * self.bits, ends), self.reachable, backward, self.most)
        if alive is None:
            return self.whole
        living = rows_of(alive)
        left = [t for t in self.transitions if together(t.guard, living) and together(_after(t), living)]
        if len(left) == len(self.whole.transitions):
            return replace(self.whole, living=living)
        rules = [rule for t in left for rule in _rules(t)]
        again = _closed(matrix(2 * self.bits, self.start), self.allowed, rules, self.most)
        if again is None:
            return self.whole
        pairs = rows_of(again)
        return Exclusions(within, living, pairs, [t for t in left if together(t.guard, pairs)])


def forward(transitions: Sequence[Transition], initial: Term, bits: int, most: int = MOST_WORK) -> Forward | None:
    """What pairs show of the reachable states, None if there are too many bits or if it takes more work than
    `most`."""
    if bits > MOST_BITS:
        return None
    allowed = matrix(2 * bits, [((1 << 2 * bits) - 1) ^ (1 << (p ^ 1)) for p in range(2 * bits)])
    start = _pairs_of(initial, bits)
    rules = [rule for t in transitions for rule in _rules(t)]
    reachable = _closed(matrix(2 * bits, start), allowed, rules, most)
    return None if reachable is None else Forward(transitions, bits, allowed, start, reachable, most)


def together(literals: Iterable[int], rows: Rows) -> bool:
    """May all these literals hold together?"""
    mask = 0
    for p in literals:
        mask |= 1 << p
    return all(mask & rows[p] == mask for p in literals)


def _rules(transition: Transition) -> Iterable[Rule]:
    """The rules of a transition: one for each case of two bits whose new values are formulas.

    A rule speaks of literals after it, of which at most two are of formulas. So each pair is in one of the rules.
    """
    constants = [2 * b + v for b, v in transition.constants.items()]
    ended = _literals_of(transition.changed)
    cases = [(2 * b + v, t) for b, values in transition.formulas.items() for v in (0, 1) for t in values[v]]
    if not cases:
        return [(list(transition.guard), constants, ended)]
    if len(transition.formulas) == 1:
        chosen: Iterable[tuple[tuple[int, Term], ...]] = ((case,) for case in cases)
    elif len(cases) ** 2 > 2 * MOST_CASES:
        return [(list(transition.guard), constants + _literals_of(transition.formulas), ended)]
    else:
        chosen = (pair for pair in combinations(cases, 2) if pair[0][0] >> 1 != pair[1][0] >> 1)
    found = []
    for some in chosen:
        guard = transition.guard.union(*(t for _, t in some))
        if is_consistent(guard):
            found.append((list(guard), constants + [p for p, _ in some], ended))
    return found


def _reversed(transition: Transition) -> Rule:
    """The rule from what holds after a transition to what held before it."""
    changed = frozenset(transition.changed)
    before = [p for p in transition.guard if p >> 1 in changed]
    free = _literals_of(changed - {p >> 1 for p in before})
    return list(_after(transition)), before + free, _literals_of(changed)


def _literals_of(bits: Iterable[int]) -> list[int]:
    """Both literals of each bit."""
    return [p for b in bits for p in (2 * b, 2 * b + 1)]


def _after(transition: Transition) -> Term:
    """The literals that hold after a transition in any case."""
    changed = frozenset(transition.changed)
    kept = (p for p in transition.guard if p >> 1 not in changed)
    return frozenset([*(2 * b + v for b, v in transition.constants.items()), *kept])


def _pairs_of(literals: Term, bits: int) -> list[int]:
    """The pairs of these literals."""
    mask = 0
    for p in literals:
        mask |= 1 << p
    return [mask if p in literals else 0 for p in range(2 * bits)]


def _beside(wanted: Term, bits: int) -> list[int]:
    """The pairs that are consistent with these literals, those of contrary literals included."""
    mask = (1 << 2 * bits) - 1
    for p in wanted:
        mask &= ~(1 << (p ^ 1))
    return [mask if mask >> p & 1 else 0 for p in range(2 * bits)]


def _closed(
    can: npt.NDArray[np.uint64], allowed: npt.NDArray[np.uint64], rules: Sequence[Rule], most: int
) -> npt.NDArray[np.uint64] | None:
    """The matrix of all pairs that the rules add, None if this takes too much work."""
    system = PairSystem(can, allowed, *([rule[part] for rule in rules] for part in range(3)))
    return can if close(system, most) else None


def matrix(size: int, rows: Iterable[int]) -> npt.NDArray[np.uint64]:
    """Rows of bits as words."""
    words = max(1, -(-size // 64))
    data = b"".join(row.to_bytes(8 * words, "little") for row in rows)
    return np.frombuffer(data, "<u8").reshape(size, words).astype(np.uint64)


def rows_of(pairs: npt.NDArray[np.uint64]) -> Rows:
    """Words as rows of bits."""
    return tuple(int.from_bytes(row.astype("<u8").tobytes(), "little") for row in pairs)
