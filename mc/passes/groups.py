"""Finite-domain variables out of single bits (Helmert 2009), whatever the author of a model chose.

A *group* is a list of bits with the codes that they may have together. Bits that exclude each other in pairs have
a code for each of them, and one for none of them unless every transition keeps one: that exactly one holds is
proved by induction. The bits of a variable that the author coded otherwise, as in binary, have the codes that are
reachable if nothing else is looked at; these are closed under the transitions, too.

Every bit is in one group. Groups of exactly one come first, the largest first. Two such covers may be there, as
objects by place and places by object; of two with as many groups, the one with fewer arcs between its groups is
taken.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from puzzlemc.mc.passes.exclusions import Rows
from puzzlemc.mc.passes.normal_form import TRUE, Term, Terms, TooLarge, product, restricted
from puzzlemc.mc.passes.transitions import Transition

MOST_CODES = 1024  # of an author's variable
MOST_TERMS = 64  # of a condition for a new code
CLIQUE_WORK = 20_000_000  # rows of bits that the search for cliques may look at


@dataclass(frozen=True)
class Group:
    """Bits, and the codes that they may have: bit number k of a code is the value of `bits[k]`."""

    bits: tuple[int, ...]
    codes: tuple[int, ...]

    @cached_property
    def value(self) -> dict[int, int]:
        """code -> its index."""
        return {code: index for index, code in enumerate(self.codes)}

    @cached_property
    def place(self) -> dict[int, int]:
        """bit -> its position."""
        return {b: position for position, b in enumerate(self.bits)}

    @cached_property
    def is_one_hot(self) -> bool:
        """Does at most one bit hold in each code?"""
        return all(code & (code - 1) == 0 for code in self.codes)

    @cached_property
    def _negative(self) -> int:
        """The literals that say that a bit is false, as a row of bits."""
        return sum(1 << 2 * b for b in self.bits)

    @cached_property
    def _positive(self) -> dict[int, int]:
        """code of one bit -> the literal that this bit is true."""
        return {1 << k: 2 * b + 1 for k, b in enumerate(self.bits)}

    @cached_property
    def masks(self) -> dict[int, int]:
        """code -> the literals that hold under it, as a row of bits."""
        return {code: sum(1 << p for p in self.literals(code)) for code in self.codes}

    def consistent(self, literals: int) -> list[int]:
        """The codes of which all literals are among those in a row of bits."""
        if self.is_one_hot:  # a bit that cannot be false is the one that holds
            forced = self._negative & ~literals
            b = (forced.bit_length() - 1) >> 1
            if forced & (forced - 1) or (forced and not literals >> (2 * b + 1) & 1):
                return []
            if forced:
                code = 1 << self.place[b]
                return [code] if code in self.value else []
            return [code for code in self.codes if not code or literals >> self._positive[code] & 1]
        return [code for code, mask in self.masks.items() if mask & literals == mask]

    def literals(self, code: int) -> Term:
        """What holds under a code."""
        return frozenset(2 * b + (code >> k & 1) for k, b in enumerate(self.bits))


@dataclass(frozen=True)
class Grouping:
    """What finds groups: the transitions, and rows of the literals that may hold together."""

    transitions: Sequence[Transition]
    rows: Rows

    @cached_property
    def setting(self) -> dict[int, list[Transition]]:
        """bit -> the transitions that set it."""
        found = defaultdict(list)
        for transition in self.transitions:
            for b in transition.changed:
                found[b].append(transition)
        return found

    def beside(self, literals: Iterable[int]) -> int:
        """The literals that may hold together with each of these."""
        mask = (1 << len(self.rows)) - 1
        for p in literals:
            mask &= self.rows[p]
        return mask

    def before(self, group: Group, transition: Transition) -> list[int]:
        """The codes that a group may have where the transition fires."""
        if group.is_one_hot:
            for p in transition.guard:
                if p & 1 and p >> 1 in group.place:
                    code = 1 << group.place[p >> 1]
                    return [code] if code in group.value else []
        return group.consistent(self.beside(transition.guard))

    def after(self, group: Group, transition: Transition, code: int) -> list[tuple[int, Terms]]:
        """The codes that a group may have after a transition that fires where it has `code`, and the terms
        under which each of them comes. Raises TooLarge."""
        if transition.formulas.keys().isdisjoint(group.bits):
            for b in transition.constants.keys() & group.place.keys():
                code = code & ~(1 << group.place[b]) | transition.constants[b] << group.place[b]
            return [(code, TRUE)]
        known = transition.guard | group.literals(code)
        mask = self.beside(known)
        found = [(0, TRUE)]
        for k, b in enumerate(group.bits):
            new = transition.constants.get(b, code >> k & 1)
            if b not in transition.formulas:
                found = [(made | new << k, terms) for made, terms in found]
                continue
            no, yes = (restricted(terms, known) for terms in transition.formulas[b])
            both = [
                (made | value << k, product([terms, part], MOST_TERMS))
                for made, terms in found
                for value, part in ((0, no), (1, yes))
            ]
            found = [(made, self._possible(terms, mask)) for made, terms in both]
            found = [(made, terms) for made, terms in found if terms]
        return found

    def _possible(self, terms: Terms, mask: int) -> Terms:
        """The terms whose literals may hold together, and with those that `mask` was made from."""
        return [t for t in terms if all((mask & self.beside(t)) >> p & 1 for p in t)]

    def may_lose(self, bits: tuple[int, ...], initial: Term, kept: Sequence[Term] = ()) -> bool:
        """May none of these bits, which exclude each other, hold in a reachable state?

        kept  conjunctions of literals that hold in no state before a transition
        """
        if not any(2 * b + 1 in initial for b in bits):
            return True
        group = Group(bits, tuple(1 << k for k in range(len(bits))))
        touching = {id(t): t for b in bits for t in self.setting[b]}
        try:
            return any(
                code == 0 and any(not any(each <= t.guard | term for each in kept) for term in terms)
                for t in touching.values()
                for old in self.before(group, t)
                for code, terms in self.after(group, t, old)
            )
        except TooLarge:
            return True

    def exact(self, found: Sequence[tuple[int, ...]], initial: Term) -> list[tuple[int, ...]]:
        """The groups of bits that exclude each other of which exactly one bit holds in each reachable state.

        By induction over all of them at once, since transitions may copy one group to another.
        """
        left = [bits for bits in found if any(2 * b + 1 in initial for b in bits)]
        while True:
            kept = [frozenset(2 * b for b in bits) for bits in left]
            still = [bits for bits in left if not self.may_lose(bits, initial, kept)]
            if len(still) == len(left):
                return left
            left = still

    def coded(self, bits: tuple[int, ...], initial: Term) -> Group | None:
        """The group of these bits with all codes that are reachable; None if they are too many."""
        start = sum((2 * b + 1 in initial) << k for k, b in enumerate(bits))
        codes = {start: None}
        waiting = [start]
        touching = list({id(t): t for b in bits for t in self.setting[b]}.values())
        try:
            while waiting:
                group = Group(bits, (waiting.pop(),))
                for t in touching:
                    for old in self.before(group, t):
                        new = [code for code, _ in self.after(group, t, old) if code not in codes]
                        codes |= dict.fromkeys(new)
                        waiting += new
                if len(codes) > MOST_CODES:
                    return None
        except TooLarge:
            return None
        return Group(bits, tuple(sorted(codes)))


def cliques(rows: Rows, bits: Sequence[int]) -> list[tuple[int, ...]]:
    """Maximal sets of bits that exclude each other, such that each two that do are in one of them.

    Each clique grows from two that are in no clique yet, by the bit that excludes most of those left. After
    CLIQUE_WORK steps, pairs are left out.
    """
    among = sum(1 << 2 * b + 1 for b in bits)
    apart = {2 * b + 1: among & ~rows[2 * b + 1] & ~(1 << 2 * b + 1) for b in bits}
    missing = dict(apart)
    found, most = [], CLIQUE_WORK
    for seed in apart:
        while missing[seed] and most > 0:
            clique = [seed]
            left = apart[seed]
            fresh = missing[seed]
            while left:
                scores = [(p, (apart[p] & left).bit_count()) for p in _members(fresh & left or left)]
                most -= len(scores)
                if len(scores) == left.bit_count() and all(score == len(scores) - 1 for _, score in scores):
                    clique += [p for p, _ in scores]  # they all exclude each other
                    break
                best = max(scores, key=lambda score: score[1])[0]
                clique.append(best)
                left &= apart[best]
                fresh = among
            mask = sum(1 << p for p in clique)
            for p in clique:
                missing[p] &= ~mask
            found.append(tuple(sorted(p >> 1 for p in clique)))
    return found


def groups(
    grouping: Grouping,
    initial: Term,
    live: Sequence[int],
    coded: Iterable[Sequence[int]],
) -> tuple[list[Group], list[tuple[int, ...]]]:
    """A group for each of the live bits, and the cliques of bits that exclude each other.

    `coded` are the bits of each variable that the author coded by several bits.
    """
    found = cliques(grouping.rows, live)
    exact = grouping.exact(found, initial)
    left = set(live)
    own = []
    for author in coded:
        bits = tuple(b for b in author if b in left)
        if len(bits) < 2 or any(set(bits) <= set(clique) for clique in found):
            continue
        group = grouping.coded(bits, initial)
        if group is not None and len(group.codes) < 1 << len(bits):
            own.append(group)
            left.difference_update(bits)
    covers = [_cover(found, exact, left, None)]
    first = next((group for group in covers[0] if 0 not in group.codes), None)
    if first is not None:
        crossing = (
            bits for bits in exact if bits != first.bits and set(bits) & set(first.bits) and left >= set(bits)
        )
        second = max(crossing, key=len, default=None)
        if second is not None:
            covers.append(_cover(found, exact, left, second))
    best = min(covers, key=lambda cover: (len(cover), _arcs(grouping.transitions, [*own, *cover])))
    return [*own, *best], found


def _cover(
    found: Sequence[tuple[int, ...]],
    exact: Sequence[tuple[int, ...]],
    live: set[int],
    first: tuple[int, ...] | None,
) -> list[Group]:
    """Groups with each live bit in one of them; `first` is one of the exact cliques, and comes first."""
    left = set(live)
    chosen = []
    order = sorted(exact, key=lambda bits: (bits != first, -len(bits), bits))
    for bits in order:
        if left >= set(bits):
            chosen.append(Group(bits, tuple(1 << k for k in range(len(bits)))))
            left -= set(bits)
    rest = [tuple(b for b in bits if b in left) for bits in found]
    while rest := [bits for bits in rest if len(bits) > 1]:
        bits = max(rest, key=len)
        chosen.append(Group(bits, (0, *(1 << k for k in range(len(bits))))))
        left -= set(bits)
        rest = [tuple(b for b in each if b in left) for each in rest]
    return [*chosen, *(Group((b,), (0, 1)) for b in sorted(left))]


def _arcs(transitions: Sequence[Transition], cover: Sequence[Group]) -> int:
    """The number of pairs of groups of which a transition sets one and reads or sets the other."""
    group_of = {b: number for number, group in enumerate(cover) for b in group.bits}
    pairs: set[tuple[int, int]] = set()
    for t in transitions:
        terms = (term for values in t.formulas.values() for part in values for term in part)
        read = {group_of[p >> 1] for p in t.guard.union(*terms) if p >> 1 in group_of}
        changed = {group_of[b] for b in t.changed if b in group_of}
        pairs.update((min(u, v), max(u, v)) for u in changed for v in read | changed if u != v)
    return len(pairs)


def _members(mask: int) -> Iterable[int]:
    """The numbers of the bits that are set, from the lowest."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low
