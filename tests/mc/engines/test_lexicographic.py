"""Every engine minimises two metrics in order, compared with plain search; and proofs of both costs."""

import json
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from command import as_json, puzzlemc, write
from hypothesis import assume, event, given, settings
from hypothesis import strategies as st
from lexicographic import LARGE, least
from oracle import SMALL, all_states, dijkstra
from places import ROOT
from strategies import levels, models, odd_levels

from examples import examples
from puzzlemc.encodings.puzzles import load
from puzzlemc.encodings.sokoban.domain.rules import METRICS
from puzzlemc.encodings.sokoban.model.compact import compact
from puzzlemc.encodings.sokoban.model.tiles import tiles
from puzzlemc.encodings.sokoban.proof.bidirectional import check
from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.engines.registry import engine, variants
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.lexicographic import first, pairs, second
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.formula import State, holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
from puzzlemc.mc.verdict import Reachable, Unreachable, Verdict, resolved
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.sokoban import Level

ORDERS = pairs(METRICS)
VARIANTS = variants(optimal=True)
TWO_BOXES = "#######\n#     #\n# $ . #\n#  $. #\n# @   #\n#######\n"  # 7 moves suffice
WAY = "########\n#  .  .#\n# $  $ #\n#   @  #\n########\n"


def best_costs(verdict: Verdict, metric: str) -> tuple[int, int] | None:
    """Both costs of the trace of a verdict, which must be optimal; None if the goal is unreachable."""
    if isinstance(verdict, Unreachable):
        return None
    assert isinstance(verdict, Reachable)
    assert verdict.optimal
    assert verdict.cost == verdict.trace.cost(first(metric))
    return verdict.cost, verdict.trace.cost(second(metric))


@settings(max_examples=examples(100, 500))
@given(level=st.one_of(levels(), odd_levels()), metric=st.sampled_from(ORDERS))
def test_compiled_search_finds_the_lexicographic_optimum(level: Level, metric: str) -> None:
    model, expected = compact(level).model, least(level, metric)
    event("unsolvable" if expected is None else "solvable")
    assert best_costs(engine("explicit")(model, metric, Budget()), metric) == expected
    assert best_costs(auto(model, metric, Budget(), many=True).verdict, metric) == expected


@settings(max_examples=examples(12, 30))
@given(level=levels(), metric=st.sampled_from(ORDERS), encoding=st.sampled_from([compact, tiles]))
def test_every_engine_finds_the_lexicographic_optimum(level: Level, metric: str, encoding: Any) -> None:
    model, expected = encoding(level).model, least(level, metric)
    for variant in VARIANTS:
        assert best_costs(variant(model, metric, Budget(SMALL)), metric) == expected, str(variant)


@given(model=models(), data=st.data())
def test_auto_and_variants_take_any_costs_of_any_model(model: Model, data: st.DataObject) -> None:
    prices = data.draw(st.lists(st.integers(0, 3), min_size=len(model.actions), max_size=len(model.actions)))
    actions = [
        replace(action, costs={**action.costs, "other": price})
        for action, price in zip(model.actions, prices, strict=True)
    ]
    model = replace(model, actions=tuple(actions))

    def successors(state: State) -> Iterable[tuple[State, int]]:
        for action in model.actions:
            if action.enabled(state):
                yield action.fire(state), LARGE * action.costs["cost"] + action.costs["other"]

    best = dijkstra([state for state in all_states(model) if holds(model.init, state)], successors)  # type: ignore[arg-type]
    cost = min((cost for state, cost in best.items() if holds(model.goal, state)), default=None)  # type: ignore[arg-type]
    for variant in VARIANTS:
        verdict = variant(model, "cost,other", Budget(SMALL))
        assert best_costs(verdict, "cost,other") == (None if cost is None else divmod(cost, LARGE)), str(variant)


def proved(level: Level, metric: str) -> BidirectionalProof:
    model = compact(level).model
    assume(model.hints.objects)  # a level on which no box can be anywhere has no states to list
    proof = resolved(engine("explicit")(model, metric, Budget(), proving="positions").proof)
    assert proof is not None
    return proof


def is_accepted(level: Level, proof: BidirectionalProof) -> bool:
    try:
        check(level, proof, Budget())
    except Refuted:
        return False
    return True


@given(level=st.one_of(levels(), odd_levels()), metric=st.sampled_from(ORDERS), more=st.integers(1, 3))
def test_a_proof_shows_exactly_both_costs(level: Level, metric: str, more: int) -> None:
    expected, proof = least(level, metric), proved(level, metric)
    check(level, proof, Budget())
    if expected is None:
        assert proof.below is None
        return
    assert proof.below is not None
    assert proof.scale
    assert divmod(proof.below, proof.scale) == expected
    for below in (proof.below + more, proof.below + more * proof.scale):
        reach = replace(proof, below=below, ahead=proof.ahead and proof.ahead + below - proof.below)
        assert not is_accepted(level, replace(proof, below=below))
        assert not is_accepted(level, reach)


@given(level=levels())
def test_a_scale_that_is_too_small_is_refuted(level: Level) -> None:
    expected, proof = least(level, "pushes,moves"), proved(level, "pushes,moves")
    if expected is None or expected[0] < 2:
        return
    scale = (expected[0] - 1) * len(level.floor)
    assert proof.scale is not None
    assert proof.scale > scale
    rescaled = replace(proof, scale=scale, below=scale * expected[0] + expected[1])
    with pytest.raises(Refuted, match="is too small for a bound on pushes"):
        check(level, rescaled, Budget())


@pytest.mark.parametrize("metric", ORDERS)
def test_all_checkers_check_a_certificate(metric: str, tmp_path: Path) -> None:
    level = write(tmp_path / "a.xsb", WAY)
    _, (row,) = as_json("solve", level, "--metric", metric, "--certificate", tmp_path)
    assert (row["metric"], row["pushes"], row["moves"]) == (metric, 4, 13)
    assert (row["cost"], row["optimal"], row["checked"]) == (row[first(metric)], True, True)
    (path,) = tmp_path.glob("*.cert")
    done = verify(path)
    assert done.status == "valid"
    costs = {"pushes": "4 pushes", "moves": "13 moves"}
    assert f"  {' and '.join(costs[name] for name in metric.split(','))} (optimal)  " in done.as_text()
    done = puzzlemc("verify", tmp_path)
    assert (done.returncode, f"{costs['moves']}" in done.stdout, "1 of 1 valid" in done.stdout) == (0, True, True)
    (tmp_path / "none").mkdir()
    assert "found no certificate in this folder" in puzzlemc("verify", tmp_path / "none").stderr
    tool = ROOT / "tools" / "check_certificate.py"
    done = subprocess.run([sys.executable, str(tool), str(path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    whole = path.read_bytes()
    scale = whole.split(b'"scale": ')[1].split(b",")[0]
    below = whole.split(b'"below": ')[1].split(b",")[0]
    wrong = b'"below": %d' % (int(below) + int(scale))
    path.write_bytes(whole.replace(b'"below": ' + below, wrong, 1))
    assert verify(path).status == "refuted"
    done = subprocess.run([sys.executable, str(tool), str(path)], capture_output=True, text=True)
    assert done.returncode == 4, done.stdout


@pytest.mark.parametrize("metric", ORDERS)
def test_a_bound_on_scalarised_costs_is_no_bound_on_the_first_metric(metric: str, tmp_path: Path) -> None:
    level = write(tmp_path / "a.xsb", WAY)
    as_json("solve", level, "--metric", metric, "--certificate", tmp_path)
    (path,) = tmp_path.glob("*.cert")
    head, mark, states = path.read_bytes().partition(b"\n}\n")
    changed = json.loads(head + mark) | {"verdict": "unknown", "cost": None, "trace": None, "optimal": False}
    path.write_bytes(json.dumps(changed, indent=1).encode() + b"\n" + states)
    assert verify(path).status == "refuted"
    tool = ROOT / "tools" / "check_certificate.py"
    done = subprocess.run([sys.executable, str(tool), str(path)], capture_output=True, text=True)
    assert done.returncode == 4, done.stdout
    assert "a bound must be on a single metric" in done.stdout


@pytest.mark.parametrize("metric", ["pushes", "moves"])
def test_another_engine_proves_a_model_that_compiled_search_cannot_take(metric: str, tmp_path: Path) -> None:
    level = write(tmp_path / "a.xsb", WAY)
    choice = ("--engine", "explicit", "--encoding", "tiles", "--metric", metric)
    _, (row,) = as_json("solve", level, *choice, "--certificate", tmp_path)
    assert (row["optimal"], row["checked"]) == (True, True)


def test_a_second_search_that_does_not_end_proves_nothing(tmp_path: Path) -> None:
    """If only the optimum of the first metric is proved, there is a trace, and it is not called optimal."""
    (entry,) = load([str(write(tmp_path / "a.xsb", WAY))])
    result = solve_entry(entry, Options("pushes,moves", "bmc"))
    assert (result.verdict, result.cost, result.optimal) == ("solvable", 4, False)
    assert result.note == "not proved: that no trace of 4 pushes has fewer moves"
    result = certify(entry, replace(Options("pushes,moves"), prove=True), result, tmp_path / "a.json")
    assert verify(tmp_path / "a.json").status == "valid"


def test_an_unproved_first_metric_is_not_reported_as_optimal(tmp_path: Path) -> None:
    """A trace of `ic3` need not be shortest: then neither of the two metrics is proved optimal."""
    (entry,) = load([str(write(tmp_path / "a.xsb", TWO_BOXES))])
    least = solve_entry(entry, Options("moves,pushes")).cost
    result = solve_entry(entry, Options("moves,pushes", "ic3"))
    assert least is not None
    assert result.cost is not None
    assert (result.verdict, result.optimal, result.is_unproved) == ("solvable", False, True)
    assert (result.bound or 0) <= least < result.cost
    assert "not proved" not in result.note
    assert result.cost_in_digits("moves").endswith(f"≤ {result.cost}")


def test_invalid_pairs_of_metrics_are_errors(tmp_path: Path) -> None:
    level = write(tmp_path / "a.xsb", WAY)
    for metric in ("pushes,pushes", "pushes,any", "moves,", ",moves", "pushes,moves,pushes"):
        done = puzzlemc("check", level, "--metric", metric)
        assert done.returncode == 2
        assert "expected one of" in done.stderr
    with pytest.raises(ModelError, match="no cost for metric"):
        engine("forward")(compact(load([str(level)])[0].level).model, "pushes,steps", Budget(Limits()))
