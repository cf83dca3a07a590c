"""The anytime window search of Sokoban: its solutions are valid, never worse than before, and reproducible."""

import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command import as_json, write
from hypothesis import given
from hypothesis import strategies as st
from lexicographic import least
from places import ROOT
from small_rooms import HALL, level_of
from strategies import levels

from puzzlemc.encodings.puzzles import load
from puzzlemc.encodings.sokoban.domain.names import moves
from puzzlemc.encodings.sokoban.improve import local_search, multi_start
from puzzlemc.encodings.sokoban.improve.improvement import improve
from puzzlemc.encodings.sokoban.improve.multi_start import improvements
from puzzlemc.encodings.sokoban.model.compact import compact
from puzzlemc.encodings.sokoban.puzzle import PUZZLE as SOKOBAN
from puzzlemc.mc.engines.registry import engine
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.verdict import Reachable
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.sokoban import Level

SHIPPED = ROOT / "screens" / "levels" / "sokoban"
ENOUGH = 1 << 16  # expansions: more than small levels have positions


def solution(level: Level, metric: str) -> list[str] | None:
    """A solution found by an engine; under `any` it is often long."""
    name = "best-first" if metric == ANY else "explicit"
    verdict = engine(name)(compact(level).model, metric, Budget())
    return moves(verdict.trace) if isinstance(verdict, Reachable) else None


def costs(level: Level, plan: list[str]) -> tuple[int, int]:
    played = SOKOBAN.replay(level, plan)
    return played.costs["pushes"], played.costs["moves"]


@given(level=levels(), found=st.sampled_from(["pushes", "moves", ANY]), expansions=st.integers(0, 60))
def test_the_solution_never_becomes_worse(level: Level, found: str, expansions: int) -> None:
    plan = solution(level, found)
    if plan is None:
        return
    better = improve(level, plan, found, expansions)
    assert better == improve(level, plan, found, expansions)
    before, after = costs(level, plan), costs(level, better)
    if found == "moves":
        before, after = before[::-1], after[::-1]
    assert after <= before


@given(
    level=levels(), found=st.sampled_from(["pushes", "moves", ANY]), metric=st.sampled_from(["pushes", "moves"])
)
def test_improvements_become_better_until_the_solution_is_optimal(level: Level, found: str, metric: str) -> None:
    plan = solution(level, found)
    if plan is None:
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(local_search, "FEWEST", 1)  # so that windows have to grow
        patch.setattr(local_search, "AT_ONCE", 1)
        patch.setattr(multi_start, "FIRST_SIZE", 1)  # so that there are several searches
        solutions = [plan, *improvements(level, plan, metric, Budget())]
    ordered = [costs(level, each) if metric == "pushes" else costs(level, each)[::-1] for each in solutions]
    assert all(after < before for before, after in itertools.pairwise(ordered))
    assert ordered[-1] == least(level, "pushes,moves" if metric == "pushes" else "moves,pushes")


def test_improvements_end_at_limits() -> None:
    level = level_of(HALL)
    plan = solution(level, ANY)
    assert plan is not None
    budget = Budget(Limits(memory=1 << 10))  # too little for the first windows
    assert not list(improvements(level, plan, "pushes", budget))
    budget = Budget()
    budget.cancel()
    with pytest.raises(LimitReached):
        next(improvements(level, plan, "pushes", budget))


@given(
    level=levels(), found=st.sampled_from(["pushes", "moves", ANY]), metric=st.sampled_from(["pushes", "moves"])
)
def test_with_enough_expansions_the_solution_becomes_optimal(level: Level, found: str, metric: str) -> None:
    """The last window is the whole plan, so the result is optimal by both metrics in order."""
    plan = solution(level, found)
    if plan is None:
        return
    after = costs(level, improve(level, plan, metric, ENOUGH))
    expected = least(level, "pushes,moves" if metric == "pushes" else "moves,pushes")
    assert after == (expected if metric == "pushes" or expected is None else expected[::-1])


@given(level=levels(), detours=st.lists(st.tuples(st.integers(0, 200), st.integers(0, 3)), max_size=8))
def test_detours_are_removed(level: Level, detours: list[tuple[int, int]]) -> None:
    plan = solution(level, "pushes")
    if plan is None:
        return
    for at, which in detours:
        position = SOKOBAN.play(level, plan[: at % (len(plan) + 1)]).positions[-1]
        steps = [step for step in SOKOBAN.rules.steps(level, position) if step.name.islower()]
        if steps:
            there = steps[which % len(steps)].name
            back = {"l": "r", "r": "l", "u": "d", "d": "u"}[there]
            plan[at % (len(plan) + 1) : at % (len(plan) + 1)] = [there, back]
    assert costs(level, improve(level, plan, "pushes", ENOUGH)) == least(level, "pushes,moves")


def test_the_default_solution_has_few_moves(tmp_path: Path) -> None:
    (entry,) = load([str(write(tmp_path / "a.xsb", HALL))])
    found = solve_entry(entry, Options())
    plain = solution(entry.level, "pushes")
    assert plain is not None
    assert found.optimal
    assert found.cost == costs(entry.level, plain)[0]
    assert found.costs["moves"] == solve_entry(entry, Options("pushes,moves")).costs["moves"]
    assert found.costs["moves"] < costs(entry.level, plain)[1]


class Jumping:
    """A clock that advances by a microsecond up to a tenth of a second with each call."""

    def __init__(self, seed: int) -> None:
        self._now = 0.0
        steps = [1e-6, 1e-1, 1e-4, 3e-2, 1e-5, 1e-3]
        self._steps: Iterator[float] = itertools.cycle(steps[seed:] + steps[:seed])

    def __call__(self) -> float:
        self._now += next(self._steps)
        return self._now


def answers(options: Options) -> list[tuple[Any, ...]]:
    rows = []
    for entry in load([str(SHIPPED / "first_steps.xsb")]):
        found = solve_entry(entry, options)
        rows.append((found.verdict, found.cost, found.trace, found.search.engine))
    return rows


@pytest.mark.parametrize("metric", ["pushes", "moves", "any", "pushes,moves"])
@pytest.mark.parametrize("name", ["auto", "bidirectional"])
def test_answers_do_not_depend_on_time(metric: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name == "bidirectional" and metric not in {"pushes", "any"}:
        pytest.skip("diagrams of every move take long")
    options = Options(metric, name, timeout=0)
    expected = answers(options)
    for seed in range(1 if name == "bidirectional" else 3):
        monkeypatch.setattr(time, "perf_counter", Jumping(seed))
        assert answers(options) == expected
    monkeypatch.undo()
    assert answers(Options(metric, name, timeout=1000, memory=2)) == expected


def test_traces_do_not_depend_on_jobs_or_other_levels() -> None:
    names = [str(SHIPPED / "first_steps.xsb")] * 4
    traces = [
        [(row["trace"], row["engine"]) for row in as_json("solve", *which, *more)[1]]
        for which, more in [(names, ["--jobs", "1"]), (names, ["--jobs", "3"]), (names[:1], [])]
    ]
    assert traces[0] == traces[1] == traces[2] * 4
