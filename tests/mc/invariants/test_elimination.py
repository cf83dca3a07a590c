"""Systems of equations agree with all assignments tried one by one."""

import itertools
import random

import pytest

from puzzlemc.mc.invariants.elimination import Equations


def random_rows(rng: random.Random, unknowns: int, prime: int) -> list[dict[int, int]]:
    return [
        {column: rng.randrange(1, prime) for column in rng.sample(range(unknowns), rng.randint(1, 3))}
        for _ in range(rng.randint(0, 5))
    ]


def total(row: dict[int, int], values: tuple[int, ...], prime: int) -> int:
    return sum(coefficient * values[column] for column, coefficient in row.items()) % prime


@pytest.mark.parametrize("prime", [2, 3, 5])
def test_solutions_are_those_of_the_equations(prime: int) -> None:
    rng = random.Random(prime)
    follows = 0
    for _ in range(150):
        unknowns = rng.randint(3, 5)
        rows, asked = random_rows(rng, unknowns, prime), random_rows(rng, unknowns, prime)
        solutions = [
            values
            for values in itertools.product(range(prime), repeat=unknowns)
            if not any(total(row, values, prime) for row in rows)
        ]
        equations = Equations(unknowns, prime, unknowns)
        equations.add(rows)
        assert prime ** (unknowns - equations.rank) == len(solutions)
        for row in asked:
            left = equations.left(row)
            assert bool(left) == any(total(row, values, prime) for values in solutions)
            follows += not left
            for column, value in left.items():
                free = {column: pow(value, -1, prime)}
                found = equations.solution(free)
                values = tuple(found.get(column, 0) for column in range(unknowns))
                assert values in solutions
                assert total(row, values, prime) == 1
    assert follows > 10


@pytest.mark.parametrize("prime", [2, 3])
def test_rows_of_many_words(prime: int) -> None:
    """A chain of equal unknowns across the ends of words."""
    equations = Equations(200, prime, 200)
    equations.add([{i: 1, i + 1: prime - 1} for i in range(199)])
    assert equations.rank == 199
    assert len(equations.solution({199: 1})) == 200
    assert equations.left({0: 1, 150: prime - 1}) == {}


def test_equations_are_removed() -> None:
    equations = Equations(3, 2, 3)
    equations.add([{0: 1, 1: 1}])
    rank = equations.rank
    equations.add([{1: 1, 2: 1}])
    assert equations.left({0: 1, 2: 1}) == {}
    equations.cut(rank)
    assert equations.left({0: 1, 2: 1})
    equations.add([{1: 1}])
    assert equations.left({0: 1}) == {}
