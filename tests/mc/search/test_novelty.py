"""The novelty of states, against sets of sets in plain Python."""

import random
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pytest

from puzzlemc.mc.search.novelty import Novelty

PARTS = 3
MEMORY = 1 << 20


def packed(bits: frozenset[int], count: int) -> npt.NDArray[np.uint64]:
    words = [sum(1 << bit % 64 for bit in bits if bit // 64 == word) for word in range((count + 63) // 64)]
    return np.array(words, np.uint64)


def walk(count: int, seed: int) -> list[tuple[frozenset[int], frozenset[int], int]]:
    """States with their fresh bits and parts: each comes from an earlier one by a change of a few bits."""
    chance = random.Random(seed)
    first = frozenset(chance.sample(range(count), count // 4))
    tree = [(first, first, 0)]
    for _ in range(120):
        state, _, part = chance.choice(tree)
        now = state ^ frozenset(chance.sample(range(count), chance.randint(1, 3)))
        other = part if chance.random() < 0.8 else chance.randrange(PARTS)
        tree.append((now, now - state if other == part else now, other))
    return tree


@pytest.mark.parametrize("width", [1, 2])
@pytest.mark.parametrize("count", [5, 12, 64, 65, 150])
def test_it_is_the_size_of_the_smallest_new_set(count: int, width: int) -> None:
    seen: list[set[tuple[int, ...]]] = [set() for _ in range(PARTS)]
    table = Novelty(count, PARTS, MEMORY, width)
    rated = []
    for state, fresh, part in walk(count, count):
        sets = {size: set(combinations(sorted(state), size)) for size in (1, 2)}
        novelty = next((size for size in range(1, width + 1) if not sets[size] <= seen[part]), 3)
        seen[part] |= sets[1] | sets[2]
        assert table.of(packed(state, count), packed(fresh, count), part) == novelty
        rated.append(novelty)
    assert set(rated) == {1, 2, 3} - ({2} if width == 1 else set())


def test_states_without_memory_are_not_new() -> None:
    """There are 2 words of bits for each part, and for one of them 70 places of rows, and 2 rows of 2 words."""
    one = packed(frozenset({1, 69}), 70)
    table = Novelty(70, PARTS, 8 * (1 + 2 * 2 + 70 + 2 * 2), 2)
    assert [table.of(one, one, part) for part in range(PARTS)] == [1, 1, 3]
    other = packed(frozenset({1, 2}), 70)
    bits = packed(frozenset({2}), 70)
    assert [table.of(other, bits, part) for part in range(PARTS)] == [1, 1, 3]
    both = packed(frozenset({2, 69}), 70)
    assert [table.of(both, bits, part) for part in range(PARTS)] == [3, 3, 3]  # there is no row of 2
    bits = packed(frozenset({69}), 70)
    assert [table.of(both, bits, part) for part in range(PARTS)] == [2, 3, 3]
    assert [table.of(both, bits, part) for part in range(PARTS)] == [3, 3, 3]


def test_the_pairs_of_two_fresh_bits_are_new_once() -> None:
    """Each of the two bits has a row, which has the pair."""
    table = Novelty(130, PARTS, MEMORY)
    states = [packed(frozenset(bits), 130) for bits in ({1, 100}, {2, 129}, {1, 129}, {1, 129}, {2, 100})]
    assert [table.of(state, state, 0) for state in states] == [1, 1, 2, 3, 2]


def test_work_grows_with_the_words_and_not_with_the_true_bits() -> None:
    """Of 640 bits, 600 are true, and one or two are fresh each time: most of their pairs are known."""
    true = frozenset(range(600))
    table = Novelty(640, 1, MEMORY)
    table.of(packed(true, 640), packed(true, 640), 0)
    for bit in (600, 601):  # they come, after another state without them
        table.of(packed(true | {bit}, 640), packed(frozenset({bit}), 640), 0)
    before = table.work
    assert table.of(packed(true | {600}, 640), packed(frozenset({600}), 640), 0) == 3
    assert table.work - before == 2 * 10


def test_a_smaller_limit_holds_from_then_on() -> None:
    table = Novelty(64, PARTS, MEMORY, 2)
    one = packed(frozenset({1}), 64)
    assert table.of(one, one, 0) == 1
    used = table.bytes
    table.allow(used + 8)
    assert [table.of(one, one, part) for part in (1, 2)] == [1, 3]
    assert table.bytes == used + 8


def test_the_last_of_too_many_parts_are_one() -> None:
    """The places of all parts would take more than the memory."""
    table = Novelty(64, 1 << 40, 1 << 12)
    assert table.bytes < 1 << 12
    one = packed(frozenset({1}), 64)
    assert [table.of(one, one, part) for part in (0, 1, 1 << 39, (1 << 40) - 1)] == [1, 1, 1, 3]
