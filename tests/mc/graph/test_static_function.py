"""Static functions have the bits that they were made of."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from examples import examples
from puzzlemc.mc.graph.static_function import Hashes, Unsolvable, fingerprints, hashes, look_up, solve


def hashed(texts: list[bytes], seed: int = 0) -> Hashes:
    first = np.cumsum([0, *map(len, texts)])
    return hashes(np.frombuffer(bytearray(b"".join(texts)), np.uint8), first, seed)


def test_the_first_half_is_the_published_hash() -> None:
    texts = [b"", b"hello", b"hello, world", b"The quick brown fox jumps over the lazy dog"]
    assert [int(hash) & 0xFFFFFFFF for hash in hashed(texts)] == [0, 0x248BFA47, 0x149BBB7F, 0x2E4FF723]
    assert int(hashed([b""], 1)[0]) & 0xFFFFFFFF == 0x514E28B7


@settings(max_examples=examples(20, 300))
@given(
    st.dictionaries(st.tuples(st.binary(max_size=9), st.integers(0, 5)), st.booleans(), max_size=80),
    st.integers(0, 9),
)
def test_every_bit_is_found(bits: dict[tuple[bytes, int], bool], seed: int) -> None:
    keys = hashed([key for key, _ in bits], seed)
    numbers = np.array([number for _, number in bits], np.int64)
    values = np.array([*bits.values()], np.uint8)
    assert (look_up(solve(keys, numbers, values), keys, numbers) == values).all()


def test_many_bits_take_little_more_room() -> None:
    count = 200_000
    keys = hashed([b"key %d" % number for number in range(count)])
    numbers = np.arange(count) % 3
    values = np.random.default_rng(0).integers(0, 2, count).astype(np.uint8)
    solution = solve(keys, numbers, values)
    assert len(solution) < 1.1 * count
    assert (look_up(solution, keys, numbers) == values).all()
    others = hashed([b"other %d" % number for number in range(count)])
    assert 0.49 < look_up(solution, others, numbers).mean() < 0.51
    assert len(np.unique(fingerprints(keys))) > 0.999 * count


def test_contradictions_are_refused() -> None:
    keys = hashed([b"one", b"one"])
    with pytest.raises(Unsolvable):
        solve(keys, np.zeros(2, np.int64), np.array([0, 1], np.uint8))
