"""Proofs: both checkers accept those of right verdicts, and changed ones only if they still prove the claim."""

import pickle
from dataclasses import replace
from functools import partial
from itertools import product

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from oracle import SMALL, all_states, least_cost, least_cost_by_rules
from proofs_shown import shows
from strategies import levels, models, movers

from examples import examples
from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Gates, Signal, conjunction, holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.proofs.checker import check_form, check_proof
from puzzlemc.mc.proofs.circuit import Circuit
from puzzlemc.mc.proofs.clauses import check_by_clauses, drup
from puzzlemc.mc.proofs.diagrams import check_by_diagrams
from puzzlemc.mc.proofs.layered import LayeredProof, is_kept
from puzzlemc.mc.symbolic.prover import prove_bound, prove_unreachable
from puzzlemc.screens.sokoban import Level, parse

CHECKERS = {
    "clauses": partial(check_by_clauses, most_conflicts=-1),
    "diagrams": partial(check_by_diagrams, budget=Budget(SMALL)),
}


def prove(model: Model, metric: str) -> LayeredProof:
    cost = least_cost(model, metric)
    return (
        prove_unreachable(model, Budget(SMALL))
        if cost is None
        else prove_bound(model, metric, cost, Budget(SMALL))
    )


def agree(model: Model, proof: LayeredProof) -> bool:
    """Is the proof accepted? Both checkers must give the same, right answer."""
    accepted = {}
    for name, check in CHECKERS.items():
        try:
            check(model, proof)
        except Refuted:
            accepted[name] = False
        else:
            accepted[name] = True
    assert accepted == dict.fromkeys(CHECKERS, shows(model, proof))
    return accepted["clauses"]


@given(model=st.one_of(models(), movers()))
def test_right_verdicts_have_proofs(model: Model) -> None:
    proof = prove(model, "cost")
    check_form(model, proof)
    assert agree(model, proof)


@given(model=st.one_of(models(), movers()), data=st.data())
def test_changed_proofs_pass_only_if_they_are_right(model: Model, data: st.DataObject) -> None:
    proof = prove(model, "cost")
    changed = data.draw(changes(proof))
    event("still right" if agree(model, changed) else "refuted")


def test_lack_of_memory_is_no_refutation() -> None:
    rows = ["########", "#  .   #", "# $$$  #", "#. @ . #", "# $    #", "#   .  #", "#      #", "########"]
    (level,) = parse("\n".join(rows), "four boxes")
    assert isinstance(level, Level)
    model = puzzle("sokoban").encodings["compact"](level).model
    proof = prove_bound(model, "pushes", 8, Budget(SMALL))
    check_by_diagrams(model, proof, Budget(SMALL))
    with pytest.raises(MemoryError):
        check_by_diagrams(model, proof, Budget(Limits(memory=1)))


@pytest.mark.parametrize("name", CHECKERS)
def test_initial_states_must_be_in_the_first_layer(name: str) -> None:
    """With an empty layer before all others, the rest of a proof is right, but its bound is too high by one."""
    done = boolean("b")
    model = Model(
        (done,), ~done.bits[0], (Action("do", ~done.bits[0], {done.bits[0]: True}, {"cost": 1}),), done.bits[0]
    )
    proof = prove_bound(model, "cost", 1, Budget(SMALL))
    CHECKERS[name](model, proof)
    with pytest.raises(Refuted):
        CHECKERS[name](model, replace(proof, layers=(0, *proof.layers), below=2))


def test_an_action_may_change_nothing(caplog: pytest.LogCaptureFixture) -> None:
    """It is checked like any other action, without a warning."""
    free = boolean("b")
    model = Model((free,), ~free.bits[0], (Action("wait", ~free.bits[0], {}, {"cost": 1}),), free.bits[0])
    CHECKERS["diagrams"](model, prove_unreachable(model, Budget(SMALL)))
    assert not caplog.records


@given(model=st.one_of(models(), movers()), data=st.data())
def test_counts_are_conserved(model: Model, data: st.DataObject) -> None:
    """Over all states: a count holds initially, and after each action if it held before."""
    bits = data.draw(st.lists(st.sampled_from(model.bits), unique=True))
    total = data.draw(st.integers(0, len(bits)))
    for chosen, number in [(bits, total), *model.hints.conserved[:1]]:
        kept = is_kept(model, chosen, number)
        event(f"{len(chosen)} bits: {kept}")
        # In the hint, every bit that moves is counted, and guards fix the values of all these bits.
        assert kept or chosen is bits
        for state in all_states(model) if kept else ():
            assert not holds(model.init, state) or len(state & set(chosen)) == number
            if len(state & set(chosen)) != number:
                continue
            for action in model.actions:
                assert not action.enabled(state) or len(action.fire(state) & set(chosen)) == number


@pytest.mark.parametrize(
    ("init", "guard", "update"),
    [
        ({"a": True}, {"a": True}, {"a": False, "b": True}),  # the guard does not fix the value of b before
        ({"a": True, "b": False}, {"a": True}, {"a": False, "b": True}),
        ({"a": True, "b": False}, {"a": True, "b": False}, {"b": True}),
        ({"a": True, "b": False}, {"a": True, "b": False}, {"a": False, "b": "a"}),
        ({"a": True, "b": True}, {"a": True, "b": False}, {"a": False, "b": True}),
    ],
)
def test_counts_without_a_syntactic_reason_are_not_conserved(
    init: dict[str, bool], guard: dict[str, bool], update: dict[str, bool | str]
) -> None:
    a, b = boolean("a"), boolean("b")
    of = {"a": a.bits[0], "b": b.bits[0]}
    changes = {of[name]: new if isinstance(new, bool) else of[new] for name, new in update.items()}
    act = Action("act", conjunction({of[name]: value for name, value in guard.items()}), changes, {"cost": 1})
    model = Model((a, b), conjunction({of[name]: value for name, value in init.items()}), (act,), of["b"])
    assert not is_kept(model, list(of.values()), 1)


@st.composite
def changes(draw: st.DrawFn, proof: LayeredProof) -> LayeredProof:
    """The proof with one gate, one layer, or the cost of a step changed."""
    circuit = proof.circuit
    what = draw(st.sampled_from(["gate", "layer", "layers", "metric"]))
    if what == "gate" and circuit.gates:
        copy = Circuit(circuit.inputs)
        copy.gates = list(circuit.gates)
        number = draw(st.integers(0, len(copy.gates) - 1))
        one, other = copy.gates[number]
        most = 2 * (len(circuit.inputs) + number) + 1
        copy.gates[number] = draw(st.sampled_from([(one ^ 1, other), (one, other ^ 1), (one, most), (0, other)]))
        return replace(proof, circuit=copy)
    if what == "layer" and proof.layers:
        layers = list(proof.layers)
        number = draw(st.integers(0, len(layers) - 1))
        layers[number] = draw(st.integers(0, 2 * (len(circuit.inputs) + len(circuit.gates)) + 1))
        return replace(proof, layers=tuple(layers))
    if what == "layers" and proof.below is not None:
        return replace(proof, layers=draw(st.permutations(proof.layers)))
    if proof.below is None:
        return replace(proof, layers=(proof.layers[0] ^ 1,))
    return replace(proof, layers=(*proof.layers, draw(st.sampled_from([0, 1]))), below=proof.below + 1)


@settings(max_examples=examples(4, 20))
@given(level=levels())
def test_levels_have_proofs(level: Level) -> None:
    sokoban = puzzle("sokoban")
    costs = {metric: least_cost_by_rules(sokoban, level, metric) for metric in sokoban.metrics}
    for encoding, metric in product(["compact", "tiles"], costs):
        model, cost = sokoban.encodings[encoding](level).model, costs[metric]
        proof = (
            prove_unreachable(model, Budget(SMALL))
            if cost is None
            else prove_bound(model, metric, cost, Budget(SMALL))
        )
        assert check_proof(model, proof, Budget(SMALL)) in {"sat", "diagrams"}
        for check in CHECKERS.values():
            check(model, proof)
        if cost is not None:
            with pytest.raises(Refuted):
                check_proof(model, prove_bound(model, metric, cost + 1, Budget(SMALL)), Budget(SMALL))
            with pytest.raises(Refuted):
                check_proof(model, prove_unreachable(model, Budget(SMALL)), Budget(SMALL))


@settings(max_examples=examples(20, 50))
@given(model=models())
def test_a_refutation_follows_by_unit_propagation(model: Model) -> None:
    """Each clause follows by unit propagation from those before it, and the last one is a contradiction."""
    clauses, proof = drup(model, prove(model, "cost"))
    known = [frozenset(clause) for clause in clauses]
    for line in proof:
        words = line.split()
        clause = frozenset(map(int, words[words[0] == "d" : -1]))
        if words[0] == "d":
            known.remove(clause)
            continue
        assert conflicts(known, {-literal for literal in clause})
        known.append(clause)
    assert conflicts(known, set())


def conflicts(clauses: list[frozenset[int]], true: set[int]) -> bool:
    """Does unit propagation from these literals contradict a clause?"""
    while True:
        units = set()
        for clause in clauses:
            left = {literal for literal in clause if -literal not in true}
            if not left:
                return True
            if len(left) == 1:
                units |= left
        if units <= true:
            return False
        true |= units


def test_bits_may_have_the_names_of_layers_in_the_checker() -> None:
    """A bit may be called `layer0`: a proof that leaves out a step that sets it is still refused."""
    x = boolean("x")
    for name in ("layer0", "layer1", "_layer0"):
        y = boolean(name)
        first = Action("first", {x.bits[0]: False}, {x.bits[0]: True}, {"cost": 1})
        last = Action("last", {x.bits[0]: True}, {y.bits[0]: True}, {"cost": 0})
        model = Model((x, y), {x.bits[0]: False, y.bits[0]: False}, (first, last), {y.bits[0]: True})
        circuit = Circuit(("x", name))
        layers = tuple(circuit.cube({x.bits[0]: held, y.bits[0]: False}) for held in (False, True))
        assert not agree(model, LayeredProof(circuit, layers, (), "cost", 2))
        assert agree(model, LayeredProof(circuit, layers[:1], (), "cost", 1))


def test_a_circuit_with_translated_gates_is_sent_between_processes() -> None:
    one, other = boolean("one").bits[0], boolean("other").bits[0]
    circuit = Circuit(["one", "other"])
    held = circuit.formula(Signal(Gates((one, other), [(2, 4)]), 6))
    sent = pickle.loads(pickle.dumps(circuit))
    assert (sent.inputs, sent.gates, sent.both(2, 4)) == (circuit.inputs, circuit.gates, held)
