"""Proofs that list the states of a model as bits: written by compiled search, checked by the model's actions."""

import random
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from command import as_json, puzzlemc
from hypothesis import event, given, settings
from hypothesis import strategies as st
from oracle import SMALL, least_cost, least_cost_by_rules
from places import ROOT
from strategies import boards, busy_models, models, squares

from puzzlemc.encodings.puzzles import load, puzzle
from puzzlemc.mc.engines.explicit import astar
from puzzlemc.mc.errors import LimitReached, Refuted, Unsuitable
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import State, holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import initial_state
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.proofs.blocks import Block, each, packed
from puzzlemc.mc.proofs.layered import LayeredProof
from puzzlemc.mc.proofs.listed import ListedStates
from puzzlemc.mc.proofs.states import check_states
from puzzlemc.mc.verdict import Reachable, Unknown, resolved
from puzzlemc.reports.certify.certificate import read
from puzzlemc.reports.certify.certificate import write as write_certificate
from puzzlemc.reports.certify.verify import verify
from puzzlemc.screens import folding, tetravex

METRIC = "cost"


def is_accepted(model: Model, proof: ListedStates) -> bool:
    try:
        check_states(model, proof, Budget(SMALL))
    except Refuted:
        return False
    return True


def listing(model: Model, below: int | None, states: dict[State, int]) -> ListedStates:
    """The proof that lists these states with their costs."""
    width = 1 + -(-len(model.bits) // 16)
    rows = np.zeros((len(states), width), np.uint16)
    for row, (state, cost) in zip(rows, states.items(), strict=True):
        row[0] = cost
        for number, b in enumerate(model.bits):
            row[1 + number // 16] |= (b in state) << number % 16
    return ListedStates(METRIC, below, tuple(map(str, model.bits)), packed(rows))


def costs_from_start(model: Model) -> dict[State, int]:
    """The least cost of each reachable state."""
    best = {initial_state(model): 0}
    waiting = list(best)
    for state in waiting:  # label correcting
        for action in model.actions:
            if action.enabled(state) and best[state] + action.costs[METRIC] < best.get(action.fire(state), 99):
                best[action.fire(state)] = best[state] + action.costs[METRIC]
                waiting.append(action.fire(state))
    return best


def shows(model: Model, below: int | None, states: dict[State, int]) -> bool:
    """The conditions of a listed proof, checked state by state."""
    most = 1 if below is None else below
    if most and states.get(initial_state(model), most) > 0:
        return False
    for state, cost in states.items():
        if cost >= most or holds(model.goal, state):
            return False
        for action in model.actions:
            after = cost + (0 if below is None else action.costs[METRIC])
            if after < most and action.enabled(state) and states.get(action.fire(state), most) > after:
                return False
    return True


PLAIN = st.one_of(models(plain=True), busy_models()).filter(
    lambda model: all(action.is_plain for action in model.actions)
)
BY_FORMULAS = st.one_of(models(), busy_models())


@given(model=BY_FORMULAS, more=st.integers(-1, 2))
def test_the_list_of_reachable_states_proves_exactly_the_true_claims(model: Model, more: int) -> None:
    cost = least_cost(model, METRIC)
    event(f"cost {cost}")
    best = costs_from_start(model)
    if cost is None:
        assert is_accepted(model, listing(model, None, dict.fromkeys(best, 0)))
        below = max(0, max(best.values()) + more)
    else:
        assert not is_accepted(model, listing(model, None, dict.fromkeys(best, 0)))
        below = max(0, cost + more)
    near = {state: g for state, g in best.items() if g < below}
    assert is_accepted(model, listing(model, below, near)) == (cost is None or below <= cost)


@given(model=BY_FORMULAS, seed=st.integers(0, 1 << 20), below=st.one_of(st.none(), st.integers(0, 6)))
def test_changed_lists_pass_only_if_they_still_prove_the_claim(model: Model, seed: int, below: int | None) -> None:
    chance = random.Random(seed)
    states = costs_from_start(model)
    if below is None:
        states = dict.fromkeys(states, 0)
    kept = {state: g for state, g in states.items() if below is None or g < below}
    for _ in range(4):
        changed = dict(kept)
        for _ in range(chance.choice([0, 1, 1, 2])):
            if not changed:
                break
            state = chance.choice(sorted(changed, key=lambda some: sorted(map(str, some))))
            if chance.random() < 0.5:
                del changed[state]
            else:
                changed[state] = max(0, changed[state] + chance.choice([-1, 1]))
        expected = shows(model, below, changed)
        event(f"shows it: {expected}")
        assert is_accepted(model, listing(model, below, changed)) == expected
        cost = least_cost(model, METRIC)
        assert not expected or cost is None or (below is not None and below <= cost)


def test_a_state_at_too_high_a_cost_does_not_count() -> None:
    """Three steps of cost 1 to the goal: with a state listed above its cost, the solution would seem to cost 4."""
    variables = [boolean("b", number) for number in range(3)]
    bits = [variable.bits[0] for variable in variables]
    actions = tuple(
        Action(str(number), {b: False, **dict.fromkeys(bits[:number], True)}, {b: True}, {METRIC: 1})
        for number, b in enumerate(bits)
    )
    model = Model(tuple(variables), dict.fromkeys(bits, False), actions, {bits[2]: True})
    chain = [frozenset(bits[:number]) for number in range(3)]
    for costs, below, expected in [
        ([0, 1, 2], 3, True),
        ([0, 1, 3], 4, False),
        ([0, 2, 3], 4, False),
        ([1, 2, 3], 4, False),
        ([0, 1, 1], 3, False),
    ]:
        listed = dict(zip(chain, costs, strict=True))
        assert is_accepted(model, listing(model, below, listed)) == expected, (costs, below)


@given(model=PLAIN, most=st.sampled_from([None, 1, 4]))
def test_the_search_provides_the_proof(model: Model, most: int | None) -> None:
    try:
        verdict = astar(model, METRIC, Budget(SMALL), most, proving="bits")
    except Unsuitable:
        return
    proof = resolved(verdict.proof)
    if proof is None:  # walks, or a bidirectional search
        return
    event(type(verdict).__name__)
    assert isinstance(proof, ListedStates)
    check_states(model, proof, Budget(SMALL))
    if isinstance(verdict, Unknown):
        assert proof.below == verdict.bound
    else:
        assert proof.below == (verdict.cost if isinstance(verdict, Reachable) else None)


@pytest.mark.parametrize("name", ["folding", "tetravex"])
def test_levels_have_proofs_by_listed_states(name: str, tmp_path: Path) -> None:
    """Verdicts and costs agree with the plain rules, and certificates of both formats agree."""
    rules = puzzle(name)
    seen = set()

    @settings(max_examples=25, deadline=None)
    @given(level=boards() if name == "folding" else squares(rules="put"))
    def each_level(level: folding.Level | tetravex.Level) -> None:
        model = rules.encodings["compact"](level).model
        if not model.actions:
            return
        verdict = astar(model, "moves", Budget(SMALL), proving="bits")
        cost = verdict.cost if isinstance(verdict, Reachable) else None
        assert cost == least_cost_by_rules(rules, level, "moves")
        proof = resolved(verdict.proof)
        assert isinstance(proof, ListedStates)
        check_states(model, proof, Budget(SMALL))
        seen.add(cost)
        if cost is not None:
            assert not is_accepted(model, replace(proof, below=cost + 1))
            assert not is_accepted(model, replace(proof, below=None))

    each_level()
    assert len(seen) > 2


def test_states_may_have_more_bits_than_a_word() -> None:
    """Bits beyond the first number and the first word count, and there are no bits beyond the last."""
    bits = [boolean("b", number) for number in range(70)]
    names = [variable.bits[0] for variable in bits]
    model = Model(tuple(bits), dict.fromkeys(names, False), (), {names[69]: True})
    nothing: State = frozenset()
    assert is_accepted(model, listing(model, None, {nothing: 0}))
    assert not is_accepted(model, listing(model, None, {frozenset(names[:1]): 0}))
    assert not is_accepted(model, listing(model, None, {nothing: 0, frozenset(names[69:]): 0}))
    proof = listing(model, None, {nothing: 0})
    (row,) = each(proof.forward, proof.width)
    for column, number in [(5, 1 << 6), (5, 1 << 15), (0, 1)]:
        changed = row.copy()
        changed[0, column] = number
        other = packed(np.concatenate([row, changed]))
        assert not is_accepted(model, replace(proof, forward=other)), column
    assert not is_accepted(model, replace(proof, forward=packed(np.concatenate([row, row]))))


def certificate(folder: Path, *options: object) -> Path:
    level = ROOT / "screens/levels/folding/workshop.fold"
    code, (result,) = as_json("check", f"{level}#1", "--certificate", folder, *options)
    assert (code, result["checked"]) == (0, True)
    (file,) = folder.iterdir()
    return file


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda proof: replace(proof, bits=proof.bits[::-1]), "not of the bits of the model"),
        (lambda proof: replace(proof, bits=proof.bits[:-1]), "not of the bits of the model"),
        (lambda proof: replace(proof, forward=()), "the initial state is left out"),
        (lambda proof: replace(proof, forward=(Block(1, b"x"),)), "does not have the 1 states"),
    ],
)
def test_the_message_names_the_fault(change: object, message: str, tmp_path: Path) -> None:
    path = certificate(tmp_path / "proofs")
    assert verify(path).by == "steps"
    kept = read(path)
    assert isinstance(kept.proof, ListedStates)
    assert callable(change)
    write_certificate(replace(kept, proof=change(kept.proof)), path)
    done = verify(path)
    assert (done.status, message in str(done.reason)) == ("refuted", True), done.reason


@pytest.mark.parametrize(
    ("found", "changed"),
    [
        (rb'"ahead": [0-9]+', b'"ahead": 0'),
        (rb'"behind": 0', b'"behind": null'),
        (rb'("forward": .*),\n *"backward": \[\]', rb'"forward": [], "backward": [[1, 1]]'),
    ],
)
def test_listed_states_take_no_costs_or_sets_of_another_kind(found: bytes, changed: bytes, tmp_path: Path) -> None:
    path = certificate(tmp_path / "proofs")
    data, count = re.subn(found, changed, path.read_bytes(), count=1)
    assert count == 1
    head, end, states = data.partition(b"\n}\n")
    path.write_bytes(head + end + (states[:1] if b"[[1, 1]]" in changed else states))
    done = verify(path)
    assert (done.status, "and no others" in str(done.reason)) == ("refuted", True), done.reason
    assert done.as_json()["id"] == read(path).id  # the rest of the certificate is still read


def test_the_check_respects_limits(tmp_path: Path) -> None:
    found = read(certificate(tmp_path / "proofs"))
    proof = found.proof
    assert isinstance(proof, ListedStates)
    (level,) = folding.parse(found.level, "level")
    assert isinstance(level, folding.Level)
    model = puzzle("folding").encodings["compact"](level).model
    for limits, reason in [(Limits(memory=1 << 10), "memory"), (Limits(seconds=0), "timeout")]:
        with pytest.raises(LimitReached, match=reason):
            check_states(model, proof, Budget(limits))
    many = replace(proof, forward=tuple(Block(1 << 16, b"") for _ in range(1 << 14)))
    with pytest.raises(LimitReached, match="memory"):
        check_states(model, many, Budget(SMALL))


def test_a_list_of_bits_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = certificate(tmp_path / "proofs")
    found = read(path)
    assert isinstance(found.proof, ListedStates)
    assert found.proof.below == found.cost
    write_certificate(found, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == path.read_bytes()
    path.write_bytes(path.read_bytes().replace(b'"bits": ', b'"objects": 3, "bits": '))
    done = verify(path)
    assert (done.status, "proof.objects: found a field" in str(done.reason)) == ("unreadable", True), done.reason


def test_other_engines_still_write_circuits(tmp_path: Path) -> None:
    path = certificate(tmp_path / "proofs", "--engine", "bidirectional")
    assert isinstance(read(path).proof, LayeredProof)
    assert verify(path).by in {"sat", "diagrams"}


def test_an_unsolvable_level_has_a_proof_under_any(tmp_path: Path) -> None:
    """Best-first search gives no proof: a quick search for one follows, and the certificate lists its states."""
    torn = ROOT / "screens/levels/folding/torn.fold"
    code, (result,) = as_json("check", f"{torn}#9", "--metric", "any", "--certificate", tmp_path / "proofs")
    assert (code, result["verdict"], result["checked"]) == (1, "unsolvable", True)
    (file,) = (tmp_path / "proofs").iterdir()
    assert verify(file).by == "steps"
    done = puzzlemc("verify", file, "--drat", tmp_path / "drat")
    assert "its proof is no circuit" in done.stderr + done.stdout


def test_a_bound_on_cost_does_not_prove_that_a_layout_is_best(tmp_path: Path) -> None:
    """Solutions are compared by output here, so the bound `no solution costs less than 0` proves nothing."""
    level = ROOT / "screens/levels/factorio/first_belts.factorio"
    code, _ = as_json("check", f"{level}#1", "--certificate", tmp_path)
    assert code == 0
    (file,) = tmp_path.iterdir()
    found = read(file)
    assert found.optimal
    model = puzzle(found.puzzle).encodings[found.encoding](load([f"{level}#1"])[0].level).model
    claim = ListedStates(found.metric, 0, tuple(map(str, model.bits)), ())
    write_certificate(replace(found, proof=claim), file)
    done = verify(file)
    assert (done.status, "a bound on costs does not show" in str(done.reason)) == ("refuted", True), done
