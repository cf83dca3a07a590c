"""One test class for every diagram package: its sets against Python's sets."""

from collections.abc import Mapping
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import cubes, formulas

from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Limits
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.expressions import And, Or
from puzzlemc.mc.model.formula import Bit, Formula, State, bit, conjunction, holds
from puzzlemc.mc.symbolic.diagrams import Diagrams
from puzzlemc.mc.symbolic.packages import diagram_class, installed_packages

BITS = tuple(bit("d", number) for number in range(5))
STATES = [frozenset(held) for size in range(len(BITS) + 1) for held in combinations(BITS, size)]

states = st.frozensets(st.sampled_from(STATES))
updates = st.dictionaries(st.sampled_from(BITS), st.booleans(), max_size=3)
mixed_updates = st.dictionaries(st.sampled_from(BITS), st.one_of(st.booleans(), formulas(BITS)), max_size=3)


def fired(guard: Formula, update: Mapping[Bit, bool | Formula], before: State) -> State | None:
    """The state after an action by definition; None if the action is disabled."""
    if not holds(guard, before):
        return None
    values = {b: new if isinstance(new, bool) else holds(new, before) for b, new in update.items()}
    return frozenset(b for b in BITS if values.get(b, b in before))


@pytest.mark.parametrize("name", installed_packages())
class TestDiagrams:
    def manager(self, name: str) -> Diagrams:
        return diagram_class(name)(BITS, frozenset(BITS), 1 << 12)

    def build(self, manager: Diagrams, members: frozenset[State]) -> object:
        found = manager.empty
        for state in members:
            found = manager.union(found, manager.single(state))
        return found

    def members(self, manager: Diagrams, f: object) -> frozenset[State]:
        found = frozenset(state for state in STATES if manager.contains(f, state))
        assert manager.count(f) == len(found)
        assert manager.is_empty(f) == (not found)
        assert not found or manager.pick(f) in found
        return found

    @given(f=states, g=states)
    def test_operations_agree_with_those_on_sets(
        self, name: str, f: frozenset[State], g: frozenset[State]
    ) -> None:
        manager = self.manager(name)
        left, right = self.build(manager, f), self.build(manager, g)
        assert self.members(manager, left) == f
        assert self.members(manager, manager.union(left, right)) == f | g
        assert self.members(manager, manager.intersection(left, right)) == f & g
        assert self.members(manager, manager.difference(left, right)) == f - g

    def test_constants_are_the_empty_and_the_full_set(self, name: str) -> None:
        manager = self.manager(name)
        assert self.members(manager, manager.empty) == frozenset()
        assert self.members(manager, manager.universe) == frozenset(STATES)

    @given(f=states, formula=formulas(BITS))
    def test_a_formula_selects_its_states(self, name: str, f: frozenset[State], formula: Formula) -> None:
        manager = self.manager(name)
        expected = frozenset(state for state in f if holds(formula, state))
        assert self.members(manager, manager.selector(formula)(self.build(manager, f))) == expected

    @given(f=states, guard=cubes(BITS), update=updates)
    def test_images_by_literals_agree_with_the_definition(
        self, name: str, f: frozenset[State], guard: dict[Bit, bool], update: dict[Bit, bool]
    ) -> None:
        manager = self.manager(name)
        self.check_images(
            manager,
            f,
            conjunction(guard),
            update,
            manager.image(guard, update),
            manager.preimage(guard, update),
        )

    @given(f=states, guard=formulas(BITS), update=mixed_updates)
    def test_images_by_relation_agree_with_the_definition(
        self, name: str, f: frozenset[State], guard: Formula, update: dict[Bit, bool | Formula]
    ) -> None:
        manager = self.manager(name)
        action = Action("", guard, update, {})
        image = manager.relational_image(guard, action.constants, action.formulas)
        preimage = manager.relational_preimage(guard, action.constants, action.formulas)
        self.check_images(manager, f, guard, update, image, preimage)

    def check_images(self, manager, f, guard, update, image, preimage) -> None:  # type: ignore[no-untyped-def]
        after = {state: fired(guard, update, state) for state in STATES}
        built = self.build(manager, f)
        forward = frozenset(after[state] for state in f if after[state] is not None)
        assert self.members(manager, image(built)) == forward
        backward = frozenset(state for state in STATES if after[state] in f)
        assert self.members(manager, preimage(built)) == backward

    def test_counts_are_exact_past_floating_point(self, name: str) -> None:
        bits = [bit("wide", number) for number in range(200)]
        manager = diagram_class(name)(bits, frozenset(bits[::3]), 1 << 20)
        odd = manager.difference(manager.universe, manager.single(frozenset(bits[:7])))
        assert manager.count(odd) == 2**200 - 1
        pairs = manager.selector(And(*[Or(bits[i], bits[i + 1]) for i in range(0, 200, 2)]))(manager.universe)
        assert manager.count(pairs) == 3**100

    def test_a_full_manager_raises(self, name: str) -> None:
        cls = diagram_class(name)
        bits = [bit("full", number) for number in range(32)]
        capacity = next(cls.capacities(Limits(nodes=1 << 15)))
        assert capacity <= 1 << 15
        manager = cls(bits, frozenset(), capacity)

        def fill() -> None:
            f = manager.universe
            for low, high in zip(bits[:16], bits[16:], strict=True):
                f = manager.selector(Or(And(low, high), And(~low, ~high)))(f)
                manager.tidy()

        with pytest.raises((LimitReached, MemoryError, ValueError)) as caught:
            fill()
        assert cls.ran_out(caught.value) or str(caught.value) == "memory"

    def test_table_sizes_stay_within_the_limits(self, name: str) -> None:
        cls = diagram_class(name)
        rooms = list(cls.capacities(Limits(memory=1 << 30)))
        assert rooms == sorted(set(rooms))
        assert rooms[-1] * 16 <= 1 << 30
        assert list(cls.capacities(Limits(memory=1 << 30, nodes=1000))) == [1000]
