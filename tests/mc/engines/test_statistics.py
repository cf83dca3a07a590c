"""The number of states of a verdict is that of all searches for it."""

from typing import Any

import pytest

from puzzlemc.encodings.sokoban.model.compact import compact
from puzzlemc.mc.engines import explicit
from puzzlemc.mc.engines.lexicographic import lexicographic
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.verdict import Reachable, Verdict
from puzzlemc.screens.sokoban import parse

(LEVEL,) = parse("#########\n#   .   #\n# $ # $ #\n#  .@.  #\n# $ #   #\n#       #\n#########\n", "board")


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[Verdict]:
    """The verdicts of all searches of the engine `explicit`, two of which end early for larger dead patterns."""
    found: list[Verdict] = []
    search = explicit._search

    def noted(*arguments: Any, **options: Any) -> Verdict:
        found.append(search(*arguments, **options))
        return found[-1]

    monkeypatch.setattr(explicit, "PATTERNS", {1: 1, 2: 2})
    monkeypatch.setattr(explicit, "_search", noted)
    return found


def test_the_states_are_those_of_all_searches(searches: list[Verdict]) -> None:
    verdict = explicit.astar(compact(LEVEL).model, "pushes", Budget())
    sizes = [each.statistics.states or 0 for each in searches]
    assert isinstance(verdict, Reachable)
    assert len(sizes) == 3
    assert verdict.statistics.states == sum(sizes) > max(sizes)
    assert verdict.statistics.layers == (verdict.cost or 0) + 1


def test_two_metrics_in_order_have_the_states_of_both_searches() -> None:
    sizes: list[int] = []

    def decide(*arguments: Any) -> Verdict:
        found = explicit.astar(*arguments)
        sizes.append(found.statistics.states or 0)
        return found

    verdict = lexicographic(decide, compact(LEVEL).model, "pushes,moves", Budget())
    assert len(sizes) == 2
    assert verdict.statistics.states == sum(sizes) > max(sizes)
