"""A cheap run of Sokoban: it solves the level, costs no more than that of any setting, and a limit loses none."""

import random
from collections.abc import Callable, Iterator, Sequence

import pytest
from oracle import least_cost_by_rules

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.encodings.sokoban.fess.portfolio.plan_finder import ALL
from puzzlemc.encodings.sokoban.fess.portfolio.plan_finder import guess as true_guess
from puzzlemc.encodings.sokoban.improve import cheap_plan as module
from puzzlemc.encodings.sokoban.improve.cheap_plan import cheap_runs
from puzzlemc.encodings.sokoban.improve.improvement import improve as true_improve
from puzzlemc.mc.errors import LIMITS, LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.screens.sokoban import Level, parse

RULES = puzzle("sokoban")
WORK = 1 << 22
PlanFinder = Callable[..., list[str] | None]


def cheap_run(level: Level, metric: str, budget: Budget, work: int | None) -> list[str] | None:
    """The last run that is found. Raises the limit where there is none."""
    runs: list[list[str]] = []
    try:
        runs.extend(cheap_runs(level, metric, budget, work))
    except LIMITS:
        if not runs:
            raise
    if metric in module.COSTS:
        costs = [module.COSTS[metric](run) for run in runs]
        assert costs == sorted(set(costs), reverse=True)
    return runs[-1] if runs else None


@pytest.fixture
def level() -> Level:
    (level,) = parse("########\n#      #\n# $  . #\n#  @   #\n########\n", "level")
    assert isinstance(level, Level)
    return level


@pytest.fixture
def no_improvement(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module.improve, "improve", lambda level, letters, metric, expansions: letters)


def open_rooms(count: int) -> Iterator[Level]:
    """Rooms with a few pillars, two boxes that stand at no wall, and goals anywhere."""
    rng = random.Random(7)
    for _ in range(count):
        cells = {(r, c): "#" if rng.random() < 0.1 else " " for r in range(5) for c in range(6)}
        boxes = rng.sample([(r, c) for r in range(1, 4) for c in range(1, 5)], 2)
        others = rng.sample(sorted(cells.keys() - boxes), len(boxes) + 1)
        cells |= dict.fromkeys(boxes, "$") | dict.fromkeys(others, ".") | {others[0]: "@"}
        lines = ["".join(cells[r, c] for c in range(6)) for r in range(5)]
        (level,) = parse("\n".join(["#" * 8, *(f"#{line}#" for line in lines), "#" * 8]), "random")
        if isinstance(level, Level):
            yield level


def told(answers: Sequence[str | Exception | None]) -> tuple[PlanFinder, list[tuple[object, object]]]:
    """A search that gives these answers in turn, and what it was asked: work and settings."""
    waiting, asked = list(answers), []

    def guess(level: Level, budget: Budget, work: int | None, settings: object = ALL) -> list[str] | None:
        asked.append((work, settings))
        answer = waiting.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return None if answer is None else list(answer)

    return guess, asked


@pytest.mark.parametrize("metric", ["pushes", "moves"])
def test_it_solves_and_costs_no_more_than_any_setting(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # So little is improved that it matters which run is taken.
    monkeypatch.setattr(module, "IMPROVED", 1)
    found, least = 0, 0
    for level in open_rooms(60):
        run = cheap_run(level, metric, Budget(), WORK)
        best = least_cost_by_rules(RULES, level, metric)
        assert (run is None) <= (best is None)  # these are small: whatever can be solved is
        if run is None or best is None:
            continue
        cost = RULES.replay(level, run).costs[metric]
        assert cost >= best
        for setting in ALL:
            alone = true_guess(level, Budget(), WORK // len(ALL), (setting,))
            if alone is not None:
                assert cost <= RULES.replay(level, true_improve(level, alone, metric, 1)).costs[metric]
        assert cheap_run(level, metric, Budget(), WORK) == run
        found += 1
        least += cost == best
    assert found > 20
    assert least > found // 2


@pytest.mark.usefixtures("no_improvement")
def test_the_cheapest_by_the_metric_is_taken(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = ["RRRr", "lllRR", None, "llllllR"]
    for metric, best in (("pushes", "llllllR"), ("moves", "RRRr")):
        guess, asked = told(answers)
        monkeypatch.setattr(module, "guess", guess)
        assert cheap_run(level, metric, Budget(), 400) == list(best)
        assert asked == [(100, (setting,)) for setting in ALL]


def test_what_counts_is_the_cost_once_improved(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    better = {"RR": "RR", "RRR": "RrRr", "RRRR": "lR", "lR": "R"}
    monkeypatch.setattr(module, "guess", told(["RR", "RRR", "RRRR", None])[0])
    monkeypatch.setattr(
        module.improve, "improve", lambda level, letters, metric, expansions: list(better["".join(letters)])
    )
    assert cheap_run(level, "pushes", Budget(), 400) == ["R"]


@pytest.mark.usefixtures("no_improvement")
def test_where_none_finds_a_run_there_is_none(level: Level, monkeypatch: pytest.MonkeyPatch) -> None:
    guess, asked = told([None] * len(ALL))
    monkeypatch.setattr(module, "guess", guess)
    assert cheap_run(level, "pushes", Budget(), 400) is None
    assert len(asked) == len(ALL)


@pytest.mark.usefixtures("no_improvement")
@pytest.mark.parametrize("limit", [LimitReached("timeout"), MemoryError()])
def test_a_limit_loses_no_run(level: Level, limit: Exception, monkeypatch: pytest.MonkeyPatch) -> None:
    for answers in (["RR", limit], [None, "RR", limit], ["RR", "RRR", limit]):
        monkeypatch.setattr(module, "guess", told(answers)[0])
        assert cheap_run(level, "pushes", Budget(), 400) == ["R", "R"]
    monkeypatch.setattr(module, "guess", told([None, limit])[0])
    with pytest.raises(type(limit)):
        cheap_run(level, "pushes", Budget(), 400)


@pytest.mark.parametrize("limit", [LimitReached("timeout"), MemoryError()])
def test_a_limit_while_a_run_is_improved_loses_it_not(
    level: Level, limit: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def improve(*_: object) -> list[str]:
        raise limit

    guess, asked = told(["RR"])
    monkeypatch.setattr(module, "guess", guess)
    monkeypatch.setattr(module.improve, "improve", improve)
    assert cheap_run(level, "pushes", Budget(), 400) == ["R", "R"]
    assert len(asked) == 1


@pytest.mark.parametrize("turn", range(len(ALL) + 1))
def test_after_the_limit_nothing_is_improved(level: Level, turn: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It comes while a setting looks for a run, or while that of the last one is improved."""
    budget, asked, improved = Budget(), [], []

    def guess(*_: object) -> list[str]:
        asked.append(turn)
        if len(asked) > turn:
            budget.cancel()
        return ["R", "R"]

    def improve(*_: object) -> list[str]:
        improved.append(turn)
        if len(improved) == len(ALL):
            budget.cancel()
        return ["R", "R"]

    monkeypatch.setattr(module, "guess", guess)
    monkeypatch.setattr(module.improve, "improve", improve)
    assert cheap_run(level, "pushes", budget, 400) == ["R", "R"]
    assert len(improved) == turn


@pytest.mark.parametrize(("metric", "work"), [(ANY, 400), (ANY, None), ("pushes", None)])
@pytest.mark.parametrize("found", ["rruLdl", None])
def test_where_no_cost_or_no_work_is_told_all_search_together(
    level: Level, monkeypatch: pytest.MonkeyPatch, metric: str, work: int | None, found: str | None
) -> None:
    guess, asked = told([found])
    monkeypatch.setattr(module, "guess", guess)
    assert cheap_run(level, metric, Budget(), work) == (found and list(found))
    assert asked == [(work, ALL)]
