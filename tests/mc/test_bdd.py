"""Diagrams by CUDD and by OxiDD, against sets of assignments."""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from puzzlemc.mc import bdd

NAMES = tuple("abcde")
POINTS = tuple(dict(zip(NAMES, values, strict=True)) for values in product((False, True), repeat=len(NAMES)))
PACKAGES = ("cudd", "oxidd") if bdd.has_cudd() else ("oxidd",)

Set = frozenset[int]  # numbers of points
sets = st.frozensets(st.integers(0, len(POINTS) - 1))
cubes = st.dictionaries(st.sampled_from(NAMES), st.booleans())
names = st.frozensets(st.sampled_from(NAMES))


@pytest.fixture(params=PACKAGES, scope="module", autouse=True)
def package(request: pytest.FixtureRequest) -> Iterator[None]:
    """All tests of the module once for each package."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bdd, "has_cudd", lambda: request.param == "cudd")
        yield


def new() -> Any:
    """A manager with all names."""
    manager = bdd.new_manager(1 << 24, 1 << 8)
    manager.declare(*NAMES)
    return manager


def built(manager: Any, members: Set) -> Any:
    found = manager.false
    for number in members:
        found = found | manager.cube(POINTS[number])
    return found


def read(manager: Any, f: Any) -> Set:
    return frozenset(n for n, point in enumerate(POINTS) if manager.let(point, f) == manager.true)


def holding(condition: Callable[[Mapping[str, bool]], bool]) -> Set:
    return frozenset(n for n, point in enumerate(POINTS) if condition(point))


def number(point: Mapping[str, bool]) -> int:
    return POINTS.index(dict(point))


@settings(max_examples=30)
@given(f=sets, g=sets, h=sets)
def test_operations_agree_with_those_on_sets(f: Set, g: Set, h: Set) -> None:
    manager = new()
    one, other, third = (built(manager, each) for each in (f, g, h))
    assert read(manager, one) == f
    assert read(manager, one & other) == f & g
    assert read(manager, one | other) == f | g
    assert read(manager, ~one) == holding(lambda _: True) - f
    assert read(manager, one.equiv(other)) == holding(lambda _: True) - (f ^ g)
    assert read(manager, manager.ite(one, other, third)) == (f & g) | (h - f)
    assert (one == other) == (f == g)
    assert (one != other) == (f != g)


@settings(max_examples=30)
@given(f=sets, g=sets, quantified=names)
def test_quantified_variables_may_have_any_value(f: Set, g: Set, quantified: frozenset[str]) -> None:
    manager = new()
    found = bdd.and_exists(built(manager, f), built(manager, g), quantified)
    kept = [name for name in NAMES if name not in quantified]
    seen = {tuple(POINTS[n][name] for name in kept) for n in f & g}
    assert read(manager, found) == holding(lambda point: tuple(point[name] for name in kept) in seen)


@settings(max_examples=30)
@given(f=sets, g=sets, h=sets, fixed=cubes)
def test_variables_are_replaced_all_at_once(f: Set, g: Set, h: Set, fixed: dict[str, bool]) -> None:
    manager = new()
    one = built(manager, f)
    assert read(manager, manager.cube(fixed)) == holding(lambda point: point.items() >= fixed.items())
    if fixed:
        assert read(manager, manager.let(fixed, one)) == holding(lambda point: number({**point, **fixed}) in f)
    swapped = manager.let({"a": built(manager, g), "b": built(manager, h)}, one)
    expected = holding(lambda point: number({**point, "a": number(point) in g, "b": number(point) in h}) in f)
    assert read(manager, swapped) == expected


@settings(max_examples=30)
@given(f=sets)
def test_a_member_is_picked_and_the_first_variable_known(f: Set) -> None:
    manager = new()
    one = built(manager, f)
    point = manager.pick(one, care_vars=NAMES)
    assert (number(point) in f) if f else point is None
    first = next(
        (
            name
            for name in NAMES
            if read(manager, manager.let({name: True}, one)) != read(manager, manager.let({name: False}, one))
        ),
        None,
    )
    assert one.var == first
    assert (len(one) <= 1) == (first is None)
    assert [manager.level_of_var(name) for name in NAMES] == sorted(map(manager.level_of_var, NAMES))


def test_a_full_manager_says_so() -> None:
    """With all first halves above all second halves, the diagram of these equations doubles with each pair."""
    manager = bdd.new_manager(1 << 14, 1 << 4)
    pairs = [(f"x{number}", f"y{number}") for number in range(24)]
    manager.declare(*(x for x, _ in pairs), *(y for _, y in pairs))

    def conjunction() -> None:
        held = manager.true
        for x, y in pairs:
            held = held & manager.var(x).equiv(manager.var(y))

    with pytest.raises((MemoryError, ValueError, RuntimeError)) as error:
        conjunction()
    assert bdd.ran_out(error.value)
    assert not bdd.ran_out(ValueError("of another kind"))
