"""Pairs by rows of bits are those of h² by its definition, and a limit of work gives no pairs at all."""

import random
from dataclasses import replace
from itertools import combinations, product

import pytest

from puzzlemc.mc.passes.exclusions import MOST_BITS, forward, together
from puzzlemc.mc.passes.groups import cliques
from puzzlemc.mc.passes.normal_form import Term
from puzzlemc.mc.passes.transitions import Transition


def random_transitions(rng: random.Random, bits: int) -> list[Transition]:
    """Transitions by literals alone."""
    found = []
    for number in range(rng.randint(1, 3 * bits)):
        guard = frozenset(2 * b + rng.randint(0, 1) for b in rng.sample(range(bits), rng.randint(0, min(3, bits))))
        new = {b: rng.random() < 0.5 for b in rng.sample(range(bits), rng.randint(1, min(3, bits)))}
        new = {b: value for b, value in new.items() if 2 * b + value not in guard}
        if new:
            found.append(Transition(number, guard, new))
    return found


def after(transition: Transition, p: int) -> bool | None:
    """Is a literal true after a transition? None if it is not changed."""
    return None if p >> 1 not in transition.constants else transition.constants[p >> 1] == bool(p & 1)


def pairs_by_definition(transitions: list[Transition], initial: Term, bits: int) -> set[frozenset[int]]:
    """The literals and pairs of literals that h² reaches (Haslum and Geffner 2000), by regression."""
    every = [frozenset(some) for some in combinations(range(2 * bits), 2) if some[0] >> 1 != some[1] >> 1]
    every += [frozenset([p]) for p in range(2 * bits)]
    found = {some for some in every if some <= initial}
    grown = True
    while grown:
        grown = False
        for some, t in product(every, transitions):
            values = [after(t, p) for p in some]
            if some in found or False in values or True not in values:
                continue
            needed = t.guard | {p for p, value in zip(some, values, strict=True) if value is None}
            if any(p ^ 1 in needed for p in needed):
                continue
            if all(frozenset(pair) in found for pair in product(needed, repeat=2)):
                found.add(some)
                grown = True
    return found


@pytest.mark.parametrize("seed", range(60))
def test_pairs_are_those_of_the_definition(seed: int) -> None:
    rng = random.Random(seed)
    bits = 33 if seed == 0 else rng.randint(2, 7)  # 66 literals are in two words
    transitions = random_transitions(rng, bits)
    initial = frozenset(2 * b + rng.randint(0, 1) for b in range(bits))
    ahead = forward(transitions, initial, bits)
    assert ahead is not None
    found = ahead.whole
    wanted = pairs_by_definition(transitions, initial, bits)
    rows = {frozenset([p, q]) for p in range(2 * bits) for q in range(2 * bits) if found.reachable[p] >> q & 1}
    assert rows == wanted
    assert all(together(some, found.reachable) == (some in wanted) for some in rows | wanted)


@pytest.mark.parametrize("seed", range(30))
def test_a_dead_state_leads_only_to_dead_states(seed: int) -> None:
    rng = random.Random(seed)
    bits = rng.randint(2, 6)
    transitions = random_transitions(rng, bits)
    initial = frozenset(2 * b + rng.randint(0, 1) for b in range(bits))
    goal = [frozenset(2 * b + rng.randint(0, 1) for b in rng.sample(range(bits), 2)) for _ in range(2)]
    ahead = forward(transitions, initial, bits)
    assert ahead is not None
    found = ahead.towards(goal)
    for values in product((0, 1), repeat=bits):
        state = frozenset(2 * b + value for b, value in enumerate(values))
        if not together(state, found.reachable):
            continue
        if any(wanted <= state for wanted in goal):
            assert together(state, found.living)
        for t in transitions:
            if t.guard <= state:
                new = frozenset(2 * b + t.constants.get(b, bool(value)) for b, value in enumerate(values))
                assert together(new, found.reachable)
                assert together(state, found.living) or not together(new, found.living)
                assert t in found.transitions or not (
                    together(state, found.living) and together(new, found.living)
                )


def test_too_much_work_gives_no_pairs() -> None:
    rng = random.Random(1)
    transitions = random_transitions(rng, 40)
    initial = frozenset(2 * b for b in range(40))
    ahead = forward(transitions, initial, 40)
    assert ahead is not None
    assert forward(transitions, initial, 40, most=10) is None
    assert forward([], frozenset(), MOST_BITS + 1) is None
    goal = [frozenset(2 * b + 1 for b in range(40))]
    assert ahead.towards(goal) != ahead.whole
    assert replace(ahead, most=10).towards(goal) == ahead.whole


def test_cliques_cover_each_pair_that_excludes_itself() -> None:
    for seed in range(30):
        rng = random.Random(seed)
        bits = range(rng.randint(2, 12))
        apart = {pair for pair in combinations(bits, 2) if rng.random() < 0.6}
        rows = [(1 << 2 * len(bits)) - 1] * (2 * len(bits))
        for one, other in (*apart, *(pair[::-1] for pair in apart)):
            rows[2 * one + 1] &= ~(1 << 2 * other + 1)
        found = cliques(tuple(rows), list(bits))
        assert {pair for clique in found for pair in combinations(clique, 2)} == apart
