"""Sets of choices outside cores: the same as all sets, of which those inside a core are left out."""

import random
from itertools import combinations

import pytest

from examples import examples
from puzzlemc.mc.sat.hitting import hitting_sets

OBJECTS = 6


def is_inside(touched: int, core: tuple[int, int]) -> bool:
    may, must = core
    return touched | may == may and touched & must == must


@pytest.mark.parametrize("seed", range(examples(30, 300)))
def test_all_sets_outside_cores_come_once(seed: int) -> None:
    choose = random.Random(seed)
    choices = [choose.randrange(1, 1 << OBJECTS) & choose.randrange(1 << OBJECTS) or 1 for _ in range(7)]
    cores = [(choose.randrange(1 << OBJECTS), 0) for _ in range(4)]
    cores += [(may, may & -may) for may in choose.sample(range(1, 1 << OBJECTS), 4)]
    size = choose.randrange(4)
    expected = [
        chosen
        for chosen in combinations(range(7), size)
        if all(not choices[one] & choices[other] for one, other in combinations(chosen, 2))
        and not any(is_inside(sum(choices[number] for number in chosen), core) for core in cores)
    ]
    assert sorted(hitting_sets(choices, cores, size)) == expected


def test_a_core_that_is_added_counts_at_once() -> None:
    cores = [(0, 0)]
    found = []
    for (number,) in hitting_sets([1, 2, 4, 8], cores, 1):
        found.append(number)
        cores.append((6, 0))
    assert found == [0, 3]
