"""What is said of a level after a limit is true, wherever the limit strikes."""

import gc
import weakref
from dataclasses import replace
from functools import partial

import pytest
from cut_off import Checks, moments
from detours import OPEN, RULES
from places import ROOT

from examples import examples
from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.mc.engines.portfolio import Decision, auto
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import run_of
from puzzlemc.mc.verdict import Reachable
from puzzlemc.reports.solve import reachability
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.question import Question
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.solve import solve_entry

LEVELS = ROOT / "screens" / "levels"
FILES = {
    "fabrik/boards.fabrik": [Options()],
    "factorio/first_belts.factorio": [Options()],
    "folding/first_folds.fold": [Options(), Options("any"), Options(prove=True)],
    "folding/torn.fold": [Options(), Options(why=True)],
    "pddl/ferry.pddl": [Options(), Options("any"), Options(engine="explicit")],
    "pddl/lamps.pddl": [Options(), Options("any"), Options(prove=True)],
    "puzzlescript/shaft.txt": [Options(), Options("any")],
    "sokoban/first_steps.xsb": [
        Options("moves"),
        Options("pushes,moves"),
        Options(prove=True),
        Options("pushes", some=True),
        Options("moves", some=True),
    ],
    "sokoban/unsolvable.xsb": [Options(), Options(why=True)],
    "tetravex/one_way.tetravex": [Options(), Options(count=True)],
    "tetravex/impossible.tetravex": [Options(), Options(why=True)],
}


@pytest.mark.parametrize("name", FILES)
def test_a_level_is_cut_off_at_random_moments(name: str) -> None:
    for entry in load([LEVELS / name])[:2]:
        for options in FILES[name]:
            options = replace(options, timeout=0.0, many=True)
            whole = solve_entry(entry, options)
            least = whole.cost if whole.optimal else None
            search = partial(_solve, entry, options)
            for checks in moments(search, len(name), examples(6, 50)):
                bounds: list[int] = []
                found: list[Result] = []
                found.append(solve_entry(entry, options, bounds.append, found.append, cancelled=checks))
                for result in found:
                    judge(result, whole, options)
                assert least is None or max(bounds, default=0) <= least


@pytest.mark.parametrize("some", [False, True])
def test_a_wrong_solution_is_refuted_before_it_is_improved(some: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiled code improves solutions, and would not notice."""
    model = RULES.encodings["compact"](OPEN).model
    found = auto(model, "pushes", Budget())
    assert isinstance(found.verdict, Reachable)
    wrong = replace(found.verdict, trace=run_of(model, [*found.verdict.trace.actions][::-1]))

    def decide(*_: object) -> Decision:
        return found._replace(verdict=wrong)

    def improve(*_: object, **__: object) -> list[str]:
        raise AssertionError("a wrong solution is improved")

    monkeypatch.setattr(reachability, "decide", decide)
    entry = Entry("room", "", replace(RULES, improve=improve, improvements=improve), OPEN, None)
    result = solve_entry(entry, Options("pushes", some=some), better=lambda _: None)
    assert result.verdict == "error"
    assert "refuted" in (result.reason or "")


def _solve(entry: Entry, options: Options, checks: Checks) -> Result:
    return solve_entry(entry, options, better=lambda _: None, cancelled=checks)


def judge(result: Result, whole: Result, options: Options) -> None:
    """`whole` is the result of a search without limits."""
    assert result.verdict in ("unknown", whole.verdict), result.reason
    if result.verdict == "unknown":
        assert result.reason == "timeout"
    if result.verdict == "solvable":
        assert result.checked
    if whole.optimal and whole.cost is not None:
        assert result.cost is None or result.cost >= whole.cost
        assert not result.optimal or result.cost == whole.cost
        assert (result.bound or 0) <= whole.cost


def test_the_model_of_a_level_is_freed_without_a_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch solves levels faster than the collector comes, and a model may be large."""
    models = []

    def decide(question: Question, model: Model) -> Decision:
        models.append(weakref.ref(model))
        return decided(question, model)

    decided = reachability.decide
    monkeypatch.setattr(reachability, "decide", decide)
    entry = Entry("room", "", RULES, OPEN, None)
    gc.disable()
    try:
        assert solve_entry(entry, Options("pushes"), better=lambda _: None).verdict == "solvable"
        assert [model() for model in models] == [None]
    finally:
        gc.enable()
