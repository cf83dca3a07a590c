"""`--plans`: the best plans of a level from the command line, for programs and for people."""

import heapq
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from typing import Any

import pytest
from command import as_json, puzzlemc, write
from places import ROOT

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.planning import best_plans as listing
from puzzlemc.mc.planning.shortest_paths import Path as Listed
from puzzlemc.reports.solve.options import Options, choices
from puzzlemc.reports.solve.result import REFUTED
from puzzlemc.reports.solve.solve import solve_entry

JUGS = ROOT / "examples" / "jugs.py"
FOUR = "Title: Four\nsizes: 3 5\ngoal: 4\n"
SHIPPED = ROOT / "screens" / "levels"


@pytest.fixture
def jugs(tmp_path: Path) -> Path:
    return write(tmp_path / "a strange [name] #1.jugs", FOUR)


def test_plans_are_listed_by_cost_and_replayed(jugs: Path) -> None:
    """Neither a state comes twice, nor does a plan go on behind the goal."""
    code, (row,) = as_json("solve", jugs, "--puzzle", JUGS, "--plans", "4")
    assert code == 0
    assert row["optimal"]
    assert not row["all_plans"]
    assert [plan["cost"] for plan in row["plans"]] == [6, 8, 8, 8]
    entry = load([str(jugs)], str(JUGS))[0]
    for plan in row["plans"]:
        played = entry.puzzle.replay(entry.level, plan["trace"])
        assert played.costs["moves"] == plan["cost"] == len(plan["trace"])
        assert len(set(played.positions)) == len(played.positions)
        assert not any(entry.puzzle.rules.solved(entry.level, each) for each in played.positions[:-1])


def test_with_loops_plans_go_on_behind_the_goal(jugs: Path) -> None:
    _, (row,) = as_json("solve", jugs, "--puzzle", JUGS, "--plans", "4", "--loops")
    assert [plan["cost"] for plan in row["plans"]] == [6, 7, 8, 8]
    assert row["plans"][1]["trace"][:6] == row["plans"][0]["trace"]


def test_all_plans_of_the_least_cost(jugs: Path) -> None:
    _, (row,) = as_json("check", jugs, "--puzzle", JUGS, "--plans", "0")
    assert row["all_plans"]
    assert [plan["cost"] for plan in row["plans"]] == [6]


def test_people_see_a_list(jugs: Path) -> None:
    done = puzzlemc("solve", jugs, "--puzzle", JUGS, "--plans", "2")
    assert "2 plans of cost 6 to 8" in done.stdout
    assert "  1: 6 moves: fill 2; pour 2 into 1; empty 1;" in done.stdout
    assert "  2: 8 moves: fill 1;" in done.stdout
    assert done.stdout.count("empty 1") == 3  # the solution stands once


def test_a_file_of_traces_has_no_list(jugs: Path, tmp_path: Path) -> None:
    done = puzzlemc(
        "solve", jugs, "--puzzle", JUGS, "--plans", "2", "--format", "moves", "-o", tmp_path / "traces"
    )
    assert done.returncode == 2
    assert "--json has all that --plans lists" in done.stderr
    assert not (tmp_path / "traces").exists()


def test_an_unsolvable_level_has_no_plans(tmp_path: Path) -> None:
    level = write(tmp_path / "odd.jugs", "sizes: 4 6\ngoal: 3\n")
    code, (row,) = as_json("check", level, "--puzzle", JUGS, "--plans", "3")
    assert code == 1
    assert "plans" not in row


def by_rules(entry: Entry, metric: str) -> Iterator[int]:
    """Yield the costs of all plans without loops, by uniform-cost search over paths of the plain rules."""
    rules, level = entry.puzzle, entry.level
    start = rules.rules.start(level)
    numbers = count()
    heap = [(0, next(numbers), start, frozenset([start]))]
    while heap:
        cost, _, position, seen = heapq.heappop(heap)
        if rules.rules.solved(level, position):
            yield cost
            continue
        for step in rules.rules.steps(level, position):
            if step.position not in seen:
                visited = seen | {step.position}
                heapq.heappush(heap, (cost + step.costs[metric], next(numbers), step.position, visited))


@pytest.mark.parametrize("metric", ["cost", "steps"])
@pytest.mark.parametrize(
    ("name", "wanted"), [("lamps", 8), ("hats", 8), pytest.param("locks", 2, marks=pytest.mark.slow), ("ferry", 8)]
)
def test_plans_of_planning_tasks(name: str, wanted: int, metric: str) -> None:
    """With derived predicates, conditional effects and goals with alternatives, too."""
    pytest.importorskip("fast_downward", reason="needs fast-downward-translate")
    entry = load([str(SHIPPED / "pddl" / f"{name}.pddl")], None)[0]
    found = solve_entry(entry, Options(plans=wanted, metric=metric))
    assert found.plans is not None, found.note
    assert [plan.cost for plan in found.plans.plans] == [*islice(by_rules(entry, metric), wanted)]
    assert len({tuple(plan.trace) for plan in found.plans.plans}) == len(found.plans.plans)


@pytest.mark.parametrize(
    ("level", "options", "words"),
    [
        ("fabrik/forced.fabrik#1", Options(plans=2), "--plans is not for it"),
        ("sokoban/first_steps.xsb#1", Options(plans=2, metric="pushes,moves"), "needs one metric"),
        ("sokoban/first_steps.xsb#1", Options(plans=2, metric="any"), "needs one metric"),
        ("sokoban/first_steps.xsb#1", Options(loops=True), "expected it with --plans"),
    ],
)
def test_what_has_no_plans_is_refused(level: str, options: Options, words: str) -> None:
    entry = load([str(SHIPPED / level)], None)[0]
    with pytest.raises(ModelError, match=words):
        choices(entry.puzzle, options)


def test_walks_without_cost_make_no_plans() -> None:
    entry = load([str(SHIPPED / "sokoban/first_steps.xsb#1")], None)[0]
    found = solve_entry(entry, Options(plans=2))
    assert found.verdict == "solvable"
    assert found.plans is None
    assert "its best plans are not listed: walks cost no pushes" in found.note
    assert solve_entry(entry, Options(plans=2, metric="moves")).plans is not None


def test_a_limit_leaves_the_plans_before_it(jugs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    entry = load([str(jugs)], str(JUGS))[0]
    monkeypatch.setattr(listing, "SHARE", 1 << 20)  # 4 KiB for paths
    found = solve_entry(entry, Options(plans=50))
    assert found.verdict == "solvable"
    assert found.optimal
    assert found.cost == 6
    assert "its best plans are known up to number" in found.note
    assert "memory" in found.note


def test_a_wrong_plan_refutes_the_result(jugs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that ends before the goal, one with another cost, and right ones without the cheapest."""
    entry = load([str(jugs)], str(JUGS))[0]
    ways = {
        "early": lambda found: [Listed(path.labels[:-1], path.cost) for path in found],
        "cost": lambda found: [Listed(path.labels, path.cost + 1) for path in found],
        "later": lambda found: [*found][1:],
    }
    for name, change in ways.items():

        def changed(*given: Any, change: Any = change, **more: Any) -> Any:
            return change([*islice(listing.best_plans(*given, **more), 2)])

        monkeypatch.setattr("puzzlemc.mc.engines.best_plans.best_plans", changed)
        assert solve_entry(entry, Options(plans=2)).exit_code == REFUTED, name
