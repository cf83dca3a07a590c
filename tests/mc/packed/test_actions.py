"""The successors of packed states by actions of all kinds."""

from collections import Counter

import numpy as np
import pytest
from random_systems import random_system

from examples import examples
from puzzlemc.encodings.modelling.language.evaluation import Evaluation
from puzzlemc.encodings.modelling.model.compilation import encoded
from puzzlemc.mc.graph.state_graph import explore
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import TRUE, Bit, Gates, Signal
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.packed import actions
from puzzlemc.mc.packed.actions import Steps
from puzzlemc.mc.packed.layout import Layout, PackedStates, Truths


def test_successors_are_those_of_each_state_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the states are not taken all at once, and where an action is enabled in none of them."""
    monkeypatch.setattr(actions, "AT_ONCE", 7)
    compared, by_formulas = 0, 0
    for seed in range(examples(12, 300)):
        model = encoded(Evaluation(random_system(seed)), ["moves"]).model
        graph = explore(model, Budget())
        rows, layout = graph.rows[:60], graph.layout
        found = Counter[tuple[int, int, bytes]]()
        for after, source, numbers in Steps(layout, model, range(len(model.actions))).successors(rows):
            found.update(zip(source.tolist(), numbers.tolist(), map(bytes, after), strict=True))
        expected = Counter(
            (place, number, bytes(layout.pack(action.fire(state))))
            for place, state in enumerate(map(layout.read, rows))
            for number, action in enumerate(model.actions)
            if action.enabled(state)
        )
        assert found == expected, seed
        compared += len(expected)
        by_formulas += sum(not model.actions[number].is_plain for _, number, _ in expected)
    assert compared > examples(400, 10_000)
    assert by_formulas > examples(75, 1000)


def test_actions_share_the_values_of_their_circuits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A circuit that all actions have is evaluated once for many states, not once for each action."""
    variables = [boolean("b", number) for number in range(12)]
    bits = [variable.bits[0] for variable in variables]
    gates = Gates(tuple(bits), [(2 * one, 2 * (one + 1)) for one in range(1, 12)])
    update = {b: Signal(gates, 2 * (13 + number) + 1) for number, b in enumerate(bits[:-1])}
    model = Model(
        tuple(variables),
        dict.fromkeys(bits, False),
        tuple(Action(f"a{number}", TRUE, update, {"moves": 1}) for number in range(30)),
        dict.fromkeys(bits, True),
    )
    read = Counter[Bit]()
    column = Layout.column

    def counted(self: Layout, states: PackedStates, b: Bit) -> Truths:
        read[b] += 1
        return column(self, states, b)

    monkeypatch.setattr(Layout, "column", counted)
    layout = Layout(model)
    found = list(Steps(layout, model, range(30)).successors(np.zeros((5, 1), np.uint64)))
    assert [len(after) for after, _, _ in found] == [5] * 30
    assert all(layout.read(after[0]) == frozenset(bits[:-1]) for after, _, _ in found)
    assert set(read.values()) == {1}
