"""The benchmark of a game whose rules change finds verdicts that stay and are wrong."""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest
from places import ROOT

from puzzlemc.screens.puzzlescript import Level, parse

SHAFT = (ROOT / "screens" / "levels" / "puzzlescript" / "shaft.txt").read_text(encoding="utf-8")


@pytest.fixture
def benchmark() -> Iterator[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "benchmarks"))
        yield import_module("changed_rule")


def test_a_game_gets_more_levels_and_loses_each_rule(benchmark: Any) -> None:
    more = parse(benchmark.with_more_levels(SHAFT, 20), "shaft")
    assert len(more) == 20
    assert all(isinstance(each, Level) for each in more)
    games = [parse(text, "shaft")[0] for _, text in benchmark.without_rules(SHAFT)]
    lines = {rule.line for rule in _rules(parse(SHAFT, "shaft")[0])}
    assert [lines - {rule.line for rule in _rules(each)} for each in games] == [{line} for line in sorted(lines)]


def _rules(level: Any) -> Any:
    assert isinstance(level, Level), level
    return level.game.rules


def test_verdicts_that_contradict_each_other_differ(benchmark: Any) -> None:
    best, worse, none, open_ = (
        {"verdict": verdict, "cost": cost, "optimal": optimal}
        for verdict, cost, optimal in (
            ("solvable", 5, True),
            ("solvable", 7, False),
            ("unsolvable", None, None),
            ("unknown", None, None),
        )
    )
    assert not benchmark.differ(best, worse)
    assert not benchmark.differ(none, open_)
    assert benchmark.differ(best, none)
    assert benchmark.differ(best, {**best, "cost": 6})
