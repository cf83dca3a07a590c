"""Proofs by tables out of A*: accepted for what is true, and for nothing else, whatever is changed in them."""

import random
import zlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from oracle import least_cost
from random_models import random_model

from puzzlemc.mc.engines.planning import planner
from puzzlemc.mc.errors import Refuted, Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Gates, Signal
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.mc.passes.translation import translation
from puzzlemc.mc.planning import optimal
from puzzlemc.mc.planning.preparation import Stage
from puzzlemc.mc.planning.proof import proof_of
from puzzlemc.mc.proofs.blocks import each, packed
from puzzlemc.mc.proofs.potentials import check_tables
from puzzlemc.mc.proofs.tables import DEAD, NEVER, TableProof
from puzzlemc.mc.search.growing import UNLIMITED
from puzzlemc.mc.tasks.task import Task
from puzzlemc.mc.verdict import Reachable, resolved

QUICK, ALL = 60, 1000
METRIC = "cost"


def proof_about(model: Model) -> TableProof | None:
    """The proof of the answer about a model; None if it has no task, or takes no proof."""
    try:
        verdict = planner(model, METRIC, Budget(), proving="bits")
    except Unsuitable:
        return None
    proof = resolved(verdict.proof)
    assert proof is None or isinstance(proof, TableProof)
    assert proof is None or proof.below == (verdict.cost if isinstance(verdict, Reachable) else None)
    return proof


def is_accepted(model: Model, proof: TableProof) -> bool:
    try:
        check_tables(model, proof, Budget())
    except Refuted:
        return False
    return True


def with_values(proof: TableProof, number: int, values: np.ndarray) -> TableProof:
    """The proof with other values in a table."""
    table = replace(proof.tables[number], data=zlib.compress(values.astype("<u2").tobytes()))
    return replace(proof, tables=(*proof.tables[:number], table, *proof.tables[number + 1 :]))


def changed(proof: TableProof, rng: random.Random) -> TableProof:
    """The proof of a claim that is too strong, or with a change in one place."""
    kinds = ["value", "row", "table", "state", "cost", "bound", "unsolvable", "apart", "codes", "variables"]
    kind = rng.choice([*kinds, "weight", "divisor"] if proof.potential else kinds)
    tables, listed, facts = proof.tables, proof.listed, proof.facts
    number = rng.randrange(len(tables)) if tables else 0
    rows = np.concatenate([np.zeros((0, listed.width), np.uint16), *each(listed.forward, listed.width)])
    if kind in {"value", "row", "table", "variables"} and tables:
        table = tables[number]
        if kind == "value":
            values = np.frombuffer(zlib.decompress(table.data), "<u2").copy()
            for _ in range(rng.randint(1, 3)):
                values[rng.randrange(len(values))] = rng.choice([0, 1, 2, 5, DEAD, NEVER])
            return with_values(proof, number, values)
        if kind == "row" and table.rows:
            other = replace(table, rows=tuple(rng.sample(range(len(table.rows) + 1), len(table.rows))))
        elif kind == "variables":
            other = replace(table, variables=tuple(rng.sample(table.variables, len(table.variables))))
        else:
            return replace(proof, tables=(*tables[:number], *tables[number + 1 :]))
        return replace(proof, tables=(*tables[:number], other, *tables[number + 1 :]))
    if kind in {"weight", "divisor"}:
        assert proof.potential is not None
        if kind == "divisor":
            divisor = max(0, proof.potential.divisor + rng.choice([-1, 1]))
            return replace(proof, potential=replace(proof.potential, divisor=divisor))
        v = rng.choice([v for v, own in enumerate(proof.potential.weights) if own])
        own = list(proof.potential.weights[v])
        own[rng.randrange(len(own))] += rng.choice([-9, -1, 1, 1, 2, 9])
        weights = (*proof.potential.weights[:v], tuple(own), *proof.potential.weights[v + 1 :])
        return replace(proof, potential=replace(proof.potential, weights=weights))
    if kind == "state" and len(rows):
        rows = np.delete(rows, rng.randrange(len(rows)), axis=0)
    elif kind == "cost" and len(rows):
        row = rows[rng.randrange(len(rows))]
        row[0] = int(row[0]) + rng.choice([1, -1]) & 0xFFFF
    elif kind == "apart" and facts.apart:
        return replace(proof, facts=replace(facts, apart=tuple(p for p in facts.apart if rng.random() < 0.7)))
    elif kind == "codes":
        v = rng.randrange(len(facts.variables))
        variables = list(facts.variables)
        variables[v] = replace(variables[v], codes=variables[v].codes[1:])
        return replace(proof, facts=replace(facts, variables=tuple(variables)))
    elif kind == "unsolvable":
        rows[:, 0] = 0
        return replace(proof, listed=replace(listed, below=None, forward=packed(rows)))
    else:
        return replace(proof, listed=replace(listed, below=(proof.below or 0) + rng.randint(1, 2)))
    return replace(proof, listed=replace(listed, forward=packed(rows)))


@pytest.mark.parametrize("seeds", [range(QUICK), pytest.param(range(QUICK, ALL), marks=pytest.mark.slow)])
def test_what_is_true_is_accepted_and_nothing_else(seeds: range) -> None:
    """The textbook knows the truth."""
    proofs: Counter[str] = Counter()
    for seed in seeds:
        model, rng = random_model(seed), random.Random(seed)
        proof = proof_about(model)
        if proof is None:
            continue
        least = least_cost(model, METRIC)
        assert proof.below == least
        assert is_accepted(model, proof)
        proofs["unsolvable" if least is None else "solvable"] += 1
        for _ in range(5):
            other = changed(proof, rng)
            is_true = least is None or (other.below is not None and other.below <= least)
            if is_accepted(model, other):
                assert is_true
            proofs["changed"] += other != proof
            proofs["false"] += not is_true
    assert min(proofs["solvable"], proofs["false"]) > len(seeds) // 3
    assert proofs["unsolvable"]


@pytest.mark.parametrize("seeds", [range(QUICK), pytest.param(range(QUICK, ALL), marks=pytest.mark.slow)])
def test_potentials_are_part_of_the_proof(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search without tables takes every potential that it finds."""
    stages = Stage(1, 1, 1, 0, 1, 1), Stage(1, 1, 1, 0, 2, 1 << 20)
    monkeypatch.setattr(optimal, "STAGES", stages)
    found: Counter[str] = Counter()
    for seed in seeds:
        model, rng = random_model(seed), random.Random(seed)
        least = least_cost(model, METRIC)
        if least is None:
            continue
        try:
            whole = translation(model, whole=True)
        except Unsuitable:
            continue
        search = optimal.PatternSearch(whole.with_metric(METRIC), Budget())
        for _ in search.turns():
            pass
        proof = proof_of(whole, search, METRIC, least)
        if proof is None or proof.potential is None:
            continue
        found["potentials"] += 1
        assert is_accepted(model, proof)
        for _ in range(8):
            other = changed(proof, rng)
            if is_accepted(model, other):
                assert other.below is not None
                assert other.below <= least
                found["accepted"] += 1
            else:
                found["refuted"] += 1
        weights = proof.potential.weights
        steep = tuple(tuple(99 * weight for weight in own) for own in weights)
        high = tuple(tuple(weight + 999 for weight in own) for own in weights)
        for wrong in (steep, high):  # by them alone, nothing would be left to list
            claim = replace(proof.listed, below=least + 1, forward=())
            other = replace(proof, listed=claim, potential=replace(proof.potential, weights=wrong))
            assert not is_accepted(model, other)
        lower = replace(proof, potential=None)
        found["needed"] += not is_accepted(model, lower)
    assert found["potentials"] > len(seeds) // 10
    assert found["refuted"] > found["potentials"]
    assert found["needed"]


def test_guards_and_updates_are_circuits() -> None:
    """Bits 1 and 2 never hold together, as the gates of a guard and of an update say."""
    variables = [boolean("x", number) for number in (1, 2, 3)]
    x, y, z = (variable.bits[0] for variable in variables)
    graph = Gates((x, y, z), [(3, 5), (8, 6)])  # neither x nor y; and z, too
    actions = (
        Action("x", Signal(graph, 8), {x: True}, {METRIC: 1}),
        Action("y", {x: False}, {y: Signal(graph, 10)}, {METRIC: 1}),
        Action("back", {}, {x: False, y: False, z: True}, {METRIC: 1}),
    )
    model = Model(tuple(variables), {x: False, y: False, z: False}, actions, {y: True})
    proof = proof_about(model)
    assert proof is not None
    assert proof.below == 2
    assert is_accepted(model, proof)
    assert not is_accepted(model, replace(proof, listed=replace(proof.listed, below=3)))


class CheapestPlan:
    """A search of plans that has a cheapest one in its first turn."""

    plan: tuple[int, ...] | None = None
    cost = UNLIMITED

    def __init__(self, task: Task, _: Budget) -> None:
        self._task = task

    def turns(self, *_: int) -> Iterator[None]:
        self.plan = optimal.cheapest_plan(self._task, Budget()).plan
        if self.plan is not None:
            self.cost = sum(self._task.operators[number].cost for number in self.plan)
        while True:
            yield


def test_a_search_that_a_known_plan_prunes_has_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("puzzlemc.mc.engines.planning.Improvement", CheapestPlan)
    monkeypatch.setattr("puzzlemc.mc.planning.portfolio.PLANS_AFTER", 0)
    accepted = 0
    for seed in range(QUICK):
        model = random_model(seed)
        proof = proof_about(model)
        if proof is not None:
            assert is_accepted(model, proof)
            assert proof.below == least_cost(model, METRIC)
            accepted += proof.below is not None
    assert accepted > QUICK // 6
