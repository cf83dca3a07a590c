"""Tasks whose goal is excluded by pairs of facts: the invariant and its proof, in the bits of models."""

import random
from dataclasses import replace

import pytest
from random_models import states_of
from random_tasks import least_costs, random_task, token_task

from puzzlemc.encodings.pddl.model import facts_of
from puzzlemc.mc.engines.invariants import PairInvariant, invariants
from puzzlemc.mc.errors import Refuted, Unsuitable
from puzzlemc.mc.invariants import evidence
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.checker import check_proof
from puzzlemc.mc.proofs.layered import LayeredProof
from puzzlemc.mc.tasks.semantics import initial_state
from puzzlemc.mc.tasks.task import Condition, Effect, Operator, Task, TaskVariable
from puzzlemc.mc.verdict import Unknown, Unreachable

SEEDS = range(40)


def model_of(task: Task, goals: list[Condition]) -> Model:
    names = [f"o{number}" for number in range(len(task.operators))]
    return facts_of(task).model(task.operators, names, [goals])


def by_pairs(model: Model) -> Unreachable | None:
    """The verdict, if pairs show it, with a checked proof. Sums that show it are checked, too."""
    try:
        verdict = invariants(model, "any", Budget())
    except Unsuitable:
        return None
    if isinstance(verdict, Unknown):
        return None
    assert isinstance(verdict, Unreachable)
    for state in states_of(model):
        assert verdict.invariant(state)
        assert not holds(model.goal, state)
    if not isinstance(verdict.invariant, PairInvariant):
        return None
    assert isinstance(verdict.proof, LayeredProof)
    check_proof(model, verdict.proof, Budget())
    return verdict


def test_invariants_have_proofs() -> None:
    found = several = 0
    for seed in SEEDS:
        for task in (random_task(seed), random_task(seed, plain=True), token_task(seed)):
            verdict = by_pairs(model_of(task, [task.goal]))
            if verdict is not None:
                found += 1
                assert initial_state(task) not in least_costs(task)
                other = {v: (value + 1) % task.domains[v] for v, value in task.goal.items()}
                several += by_pairs(model_of(task, [task.goal, other])) is not None
    assert found > 20
    assert several > 3


def test_the_start_may_be_in_a_trap() -> None:
    """Each switch lights two of three lamps and puts out the third."""
    lamps = tuple(TaskVariable(f"lamp{n}", ("off", "on", "broken")) for n in range(3))
    switches = tuple(
        Operator(f"all but {dark}", {}, tuple(Effect(n, int(n != dark)) for n in range(3))) for dark in range(3)
    )
    task = Task(lamps, (0, 0, 0), dict.fromkeys(range(3), 1), switches)
    verdict = by_pairs(model_of(task, [task.goal]))
    assert verdict is not None
    assert isinstance(verdict.invariant, PairInvariant)
    assert len(verdict.invariant.pairs.rounds) == 2


def test_a_changed_proof_is_refuted() -> None:
    """A reachable state becomes the goal, or the layer is another literal of the circuit."""
    refuted = 0
    for seed in SEEDS:
        task = random_task(seed, plain=True)
        model = model_of(task, [task.goal])
        verdict = by_pairs(model)
        if verdict is None:
            continue
        assert isinstance(verdict.proof, LayeredProof)
        goal = random.Random(seed).choice(states_of(model))
        with pytest.raises(Refuted):
            check_proof(replace(model, goal={b: b in goal for b in model.bits}), verdict.proof, Budget())
        with pytest.raises(Refuted):
            check_proof(model, replace(verdict.proof, layers=(verdict.proof.layers[0] ^ 1,)), Budget())
        refuted += 1
    assert refuted > 5


def test_no_proof_is_written_of_too_many_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evidence, "MOST_PAIRS", 0)
    task = next(task for task in map(token_task, SEEDS) if initial_state(task) not in least_costs(task))
    verdict = invariants(model_of(task, [task.goal]), "any", Budget(), effort=1)
    assert isinstance(verdict, Unreachable)
    assert verdict.proof is None or not isinstance(verdict.invariant, PairInvariant)
