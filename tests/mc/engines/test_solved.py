"""Levels that start solved, by every engine; and the errors of engines that cannot take a level."""

import pytest
from command import hard

from puzzlemc.encodings.puzzles import Entry, puzzle
from puzzlemc.mc.engines import portfolio
from puzzlemc.mc.engines.registry import ENGINES
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.symbolic.packages import installed_packages
from puzzlemc.reports.crew.in_order import solve_all
from puzzlemc.reports.solve import reachability
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry

TILES = "0 1 0 1\n1 1 0 0\n1 0 0 1\n0 1 1 1"
SOLVED = {
    "sokoban": ["#####\n#@* #\n#####", "#####\n#@  #\n# * #\n#####"],
    "folding": ["1 2\n2 -1", "1"],
    "tetravex": [f"Tetravex 2\n{TILES}\nSwap\n4 1\n3 2", f"Tetravex 2\n{TILES}\nPut\n4 1\n3 2"],
}
# Levels that do not start solved: some engines cannot take some of the encodings.
OPEN = {
    "sokoban": ["######\n#@$ .#\n######"],
    "folding": ["1 0"],
    "tetravex": [f"Tetravex 2\n{TILES}", f"Tetravex 2\n{TILES}\nSwap\n1 4\n3 2", "Tetravex 1\n0 0 0 0"],
}
# Levels that start solved, for the puzzles that have such levels.
ENCODINGS = [(name, encoding) for name in SOLVED for encoding in puzzle(name).encodings]
PAIRS = [
    (name, diagrams)
    for name in ("auto", *ENGINES)
    for diagrams in (
        installed_packages() if name == "auto" or "diagrams" in ENGINES[name].options else installed_packages()[:1]
    )
]


def entries(name: str, texts: list[str]) -> list[Entry]:
    return [
        Entry("test#1", "", puzzle(name), level, None)
        for text in texts
        for level in puzzle(name).screen.parse(text, "test")
    ]


@pytest.mark.parametrize(("name", "encoding"), ENCODINGS)
@pytest.mark.parametrize(("engine", "diagrams"), PAIRS)
def test_a_solved_level_needs_no_moves(name: str, encoding: str, engine: str, diagrams: str) -> None:
    for entry in entries(name, SOLVED[name]):
        for metric in (None, ANY):
            options = Options(metric, engine, diagrams, encoding, timeout=10, memory=1)
            result = solve_entry(entry, options)
            assert (result.verdict, result.reason) == ("solvable", None)
            assert result.cost == (0 if metric is None else None)
            assert result.optimal == (metric is None) or (engine != "auto" and not ENGINES[engine].optimal)
            assert len(result.trace or ()) == 0
            assert result.checked


@pytest.mark.parametrize(("name", "encoding"), ENCODINGS)
def test_an_engine_that_cannot_take_a_level_names_those_that_can(name: str, encoding: str) -> None:
    for entry in entries(name, OPEN[name]):
        verdicts, able = {}, {}
        for engine in ("auto", *ENGINES):
            result = solve_entry(entry, Options(None, engine, "auto", encoding, timeout=10, memory=1))
            verdicts[engine] = result.verdict
            if result.verdict == "error":
                start, _, end = (result.reason or "").partition("; expected one of ")
                assert start.startswith(f"test#1: {engine} cannot take this model: it")
                able[engine] = end.split(", ")
        assert able.keys() <= {name for name, each in ENGINES.items() if each.takes != "any"}
        for named in able.values():
            assert len(named) >= 7
            assert all(verdicts[engine] == "solvable" for engine in named)


def test_a_solution_of_any_cost_comes_with_a_lower_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the plan finder alone: on a small level another engine finds a solution before."""
    (entry,) = entries("sokoban", ["########\n#@ $  .#\n# $ $..#\n#      #\n########"])
    fewest = solve_entry(entry, Options("pushes", timeout=10))
    assert solve_entry(entry, Options(ANY, timeout=10)).bound is None
    monkeypatch.setattr(portfolio, "stages", lambda *_, **__: (portfolio.Stage(portfolio.PLAN_FINDER.name),))
    some = solve_entry(entry, Options(ANY, timeout=10))
    assert (some.verdict, some.optimal, some.search.engine, some.cost) == ("solvable", False, "guess", None)
    assert some.bound == fewest.cost
    assert some.note == f"no solution has fewer than {fewest.cost} pushes"
    monkeypatch.setattr(reachability, "SOON", 2)
    early = solve_entry(entry, Options(ANY, timeout=10))
    assert early.bound is not None
    assert fewest.cost is not None
    assert early.bound <= fewest.cost


@pytest.mark.parametrize(("boxes", "before"), [(32, 7), (33, 1)])
def test_a_search_for_any_plan_of_many_objects_comes_early(boxes: int, before: int) -> None:
    """Each state with many objects takes long, and a few states decide next to nothing."""
    rows = [f"#{'$.' * 16} #", f"#{'$.' * (boxes - 16)}".ljust(34) + "#"]
    (entry,) = entries("sokoban", ["\n".join(["#" * 36, "#@".ljust(35) + "#", *rows, "#" * 36])])
    model = entry.puzzle.encodings["compact"](entry.level).model
    for many in (True, False):
        chosen = portfolio.stages(model, ANY, many=many)
        unlimited = [at for at, stage in enumerate(chosen) if stage.options.get("work", 0) is None]
        assert unlimited == [before + (not many)]
        assert chosen[unlimited[0]].share == 1  # those before it keep no memory
        assert (chosen[-1].engine, chosen[0].engine == "bidirectional") == ("bidirectional", not many)
        assert portfolio.stages(model, "pushes", many=many) == (portfolio.MANY if many else portfolio.FEW)[""]


def test_an_unknown_verdict_has_a_bound_only_under_a_metric() -> None:
    """Under `any` a search counts actions of the model, which are not a metric of the puzzle."""
    (entry,) = entries("sokoban", [hard(3)])
    for metric, is_bounded in (("pushes", True), (ANY, False)):
        reported: list[int] = []
        result = solve_entry(entry, Options(metric, engine="forward", timeout=1), reported.append)
        assert (result.verdict, result.reason) == ("unknown", "timeout")
        assert result.bound is not None
        assert (result.bound > 0, bool(reported)) == (is_bounded, is_bounded)


def test_progress_reports_the_cost_of_the_best_solution_so_far() -> None:
    some = entries("sokoban", ["#######\n#@ $ .#\n#######"])
    heard: list[str] = []
    for metric, costs in ((None, "2 pushes"), ("moves", "3 moves"), ("moves,pushes", "3 moves")):
        heard.clear()
        (result,) = solve_all(some, Options(metric, engine="bidirectional"), 1, heard=heard.append)
        assert result.verdict == "solvable"
        assert heard[-1] == f"test#1: no solution below {costs}, one of {costs} is found"
