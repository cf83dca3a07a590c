"""Compiled explicit search, and the portfolio, against search by the plain rules and on random models."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from oracle import least_cost, least_cost_by_rules
from strategies import levels, models
from test_engines import check_invariant, counter, shuffle

from puzzlemc.encodings.puzzles import puzzle, replay
from puzzlemc.mc import auto as portfolio
from puzzlemc.mc.auto import auto
from puzzlemc.mc.compiled import compiled
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import Limits, Watch
from puzzlemc.mc.model import Hints, Model
from puzzlemc.mc.verdict import Reachable, Unknown, Unreachable, Verdict
from puzzlemc.screens.sokoban import Level

RULES = puzzle("sokoban")


def check(model: Model, verdict: Verdict, expected: int | None) -> None:
    if expected is None:
        assert isinstance(verdict, Unreachable)
    else:
        assert isinstance(verdict, Reachable)
        assert verdict.optimal
        assert verdict.cost == expected
        verdict.trace.check(model)


@settings(max_examples=500)
@given(model=models(plain=True))
def test_agrees_with_plain_search(model: Model) -> None:
    try:
        verdict = compiled(model, "cost", Watch())
    except ModelError:
        return  # a goal that is no disjunction of cubes
    check(model, verdict, least_cost(model, "cost"))
    if isinstance(verdict, Unreachable):
        check_invariant(model, verdict)


@settings(max_examples=300)
@given(level=levels())
@pytest.mark.parametrize("metric", RULES.metrics)
@pytest.mark.parametrize("hints", ["all", "none", "no relaxations"])
def test_agrees_with_the_rules_of_sokoban(metric: str, hints: str, level: Level) -> None:
    encoded = RULES.encodings["compact"](level)
    model = encoded.model
    if hints == "none":
        model = replace(model, hints=Hints())
    if hints == "no relaxations":
        model = replace(model, hints=replace(model.hints, relaxations=()))
    verdict = compiled(model, metric, Watch())
    expected = least_cost_by_rules(RULES, level, metric)
    check(model, verdict, expected)
    if isinstance(verdict, Reachable):
        moves = [encoded.move(action) for action in verdict.trace.actions]
        assert replay(RULES, level, moves).costs[metric] == expected


def test_more_bits_than_a_word() -> None:
    model = shuffle(140)
    verdict = compiled(replace(model, goal=model.bits[0] & model.bits[70] & model.bits[5]), "cost", Watch())
    assert isinstance(verdict, Reachable)
    assert verdict.cost == 2
    verdict.trace.check(model=replace(model, goal=model.bits[0] & model.bits[70] & model.bits[5]))


def test_limits_are_unknown_with_a_bound() -> None:
    verdict = compiled(counter(40), "cost", Watch(Limits(seconds=0.5)))
    assert isinstance(verdict, Unknown)
    assert (verdict.reason, verdict.bound > 1000) == ("timeout", True)
    verdict = compiled(shuffle(60), "cost", Watch(Limits(memory=32 << 20)))
    assert isinstance(verdict, Unknown)
    assert (verdict.reason, verdict.bound > 2) == ("memory", True)
    verdict = compiled(shuffle(60), "cost", Watch(), most_states=1000)
    assert isinstance(verdict, Unknown)
    assert verdict.reason == "bound"


@pytest.mark.parametrize("levels_before", [0, 100])
@settings(max_examples=100)
@given(model=models())
def test_auto_agrees_with_plain_search(levels_before: int, model: Model) -> None:
    portfolio._levels = levels_before
    answer = auto(model, "cost", Watch(), "zdd")
    check(model, answer.verdict, least_cost(model, "cost"))
    assert answer.engine in ("bidirectional", "explicit")
    assert (answer.diagrams is None) == (answer.engine == "explicit")


def test_auto_turns_from_memory_to_diagrams() -> None:
    portfolio._levels = 100
    # 2**20 states that explicit search cannot hold in its share of 8 MiB, and whose diagram stays small
    # where pairs that must agree stand next to each other.
    model = shuffle(40)
    order = tuple(b for pair in zip(model.bits[:20], model.bits[20:], strict=True) for b in pair)
    limits = Limits(seconds=60, memory=16 << 20)
    answer = auto(replace(model, hints=Hints(order=order)), "cost", Watch(limits), "zdd")
    assert isinstance(answer.verdict, Unreachable)
    assert answer.engine == "bidirectional"
