"""What works on step systems as on models: state graphs, the portfolio, proofs that list states."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from step_tables import Table, plain, random_table, system

from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.engines.registry import ENGINES, able_to_take
from puzzlemc.mc.errors import LimitReached, Refuted, Unsuitable
from puzzlemc.mc.graph.state_graph import explore
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.packed.layout import Layout
from puzzlemc.mc.proofs.blocks import packed, unpacked
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.proofs.positions import check_positions
from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.mc.steps.steps import CHANGED, NOTHING, WON
from puzzlemc.mc.steps.system import StepSystem
from puzzlemc.mc.verdict import Reachable, Unreachable, resolved

ODDS = [(5, 5, 0, 0), (5, 4, 1, 0), (20, 12, 1, 0)]
Number = tuple[int, bool]  # of a state, and whether it is won


def rules(codes: Table, targets: Table) -> Transition:
    """The plain rules of a table of steps."""

    def steps(_: Any, position: Number) -> Iterator[Step]:
        number, is_won = position
        for name, (code, target) in enumerate(zip(codes[number], targets[number], strict=True)):
            if not is_won and code != NOTHING:
                yield Step(f"go{name}", (int(target), bool(code == WON)), {"turns": 1})

    return Transition(lambda _: (0, False), steps, lambda _, position: position[1])


def number_of(model: StepSystem, state: State) -> Number:
    row = int(Layout(model).pack(state)[0])
    return row >> 1, bool(row & 1)


def check(codes: Table, targets: Table, model: StepSystem, proof: ListedStates) -> None:
    """Check a proof by the plain rules of the table."""
    check_positions(
        rules(codes, targets), None, model.bits, lambda state: number_of(model, state), proof, Budget()
    )


def proof_about(model: StepSystem) -> ListedStates:
    """The proof of `auto`, whose verdict is solvable or unsolvable."""
    verdict = auto(model, "turns", Budget()).verdict
    assert isinstance(verdict, Reachable | Unreachable)
    proof = resolved(verdict.proof)
    assert isinstance(proof, ListedStates)
    assert proof.below == (verdict.cost if isinstance(verdict, Reachable) else None)
    return proof


@pytest.mark.parametrize("odds", ODDS)
def test_the_state_graph_has_all_states_and_steps(odds: tuple[int, int, int, int]) -> None:
    for seed in range(40):
        codes, targets = random_table(seed, odds)
        model = system(codes, targets)
        graph = explore(model, Budget())
        found = {number_of(model, graph.state(k)) for k in range(len(graph))}
        edges = {
            (number_of(model, graph.state(k)), model.actions[a].name, number_of(model, graph.state(int(other))))
            for k in range(len(graph))
            for a, other in zip(
                graph.forth.action[graph.forth.at(k)], graph.forth.other[graph.forth.at(k)], strict=True
            )
        }
        by_rules, waiting = {(0, False)}, [(0, False)]
        steps_by_rules = set()
        while waiting:
            here = waiting.pop()
            for step in rules(codes, targets).steps(None, here):
                steps_by_rules.add((here, step.name, step.position))
                if step.position not in by_rules:
                    by_rules.add(step.position)
                    waiting.append(step.position)
        assert found == by_rules
        assert edges == steps_by_rules
        assert graph.holds(model.goal).sum() == sum(is_won for _, is_won in by_rules)


def test_a_step_that_cannot_be_computed_makes_the_graph_incomplete() -> None:
    codes, targets = random_table(1, (0, 9, 0, 9))
    model = system(codes, targets)
    assert explore(model, Budget()).reason == "bound (a step could not be computed)"
    with pytest.raises(LimitReached):
        model.expand(np.zeros((1, 1), np.uint64))


@pytest.mark.parametrize("odds", ODDS)
def test_proofs_pass_by_the_plain_rules(odds: tuple[int, int, int, int]) -> None:
    for seed in range(40):
        codes, targets = random_table(seed, odds)
        model = system(codes, targets)
        proof = proof_about(model)
        check(codes, targets, model, proof)
        assert proof.below == plain(codes, targets)[1]


def test_a_proof_without_one_state_or_with_a_wrong_cost_is_refuted() -> None:
    refuted = 0
    for seed in range(20):
        codes, targets = random_table(seed, ODDS[seed % 2])
        model = system(codes, targets)
        proof = proof_about(model)
        rows = np.concatenate([unpacked(block, proof.width) for block in proof.forward])
        for k in range(len(rows)):
            left_out = ListedStates("turns", proof.below, proof.bits, packed(np.delete(rows, k, axis=0)))
            with pytest.raises(Refuted):
                check(codes, targets, model, left_out)
            later = rows.copy()
            later[k, 0] += 1
            with pytest.raises(Refuted):  # a state at a later cost than the search has found it at
                check(codes, targets, model, ListedStates("turns", proof.below, proof.bits, packed(later)))
            refuted += 1
        if proof.below is not None:
            larger = ListedStates("turns", proof.below + 1, proof.bits, proof.forward)
            with pytest.raises(Refuted):
                check(codes, targets, model, larger)
    assert refuted > 150


def test_a_solved_position_and_a_strange_row_are_refuted() -> None:
    codes, targets = np.array([[CHANGED], [NOTHING]], np.int64), np.array([[1], [0]], np.int64)
    model = system(codes, targets)
    proof = proof_about(model)
    rows = np.concatenate([unpacked(block, proof.width) for block in proof.forward])
    for bits in (1, 1 << 15):
        more = np.concatenate([rows, np.array([[0, bits]], np.uint16)])
        with pytest.raises(Refuted):
            check(codes, targets, model, ListedStates("turns", None, proof.bits, packed(more)))


def test_engines_that_need_formulas_say_so() -> None:
    codes, targets = random_table(3, ODDS[0])
    model = system(codes, targets)
    assert able_to_take(model) == ["explicit"]
    for name, engine in ENGINES.items():
        if name != "explicit":
            with pytest.raises(Unsuitable, match="not formulas; expected one of auto, explicit"):
                engine(model, "turns", Budget())


def test_successors_of_one_state() -> None:
    codes, targets = (
        np.array([[CHANGED, NOTHING, WON], [0, 0, 0]], np.int64),
        np.array([[1, 0, 1], [0, 0, 0]], np.int64),
    )
    model = system(codes, targets)
    after = [(action.name, number_of(model, state)) for action, state in model.successors(initial_state(model))]
    assert after == [("go0", (1, False)), ("go2", (1, True))]
