"""A solution whose cost equals a lower bound is optimal, whatever ended the search."""

from pathlib import Path

import pytest
from detours import OPEN, detour, entry_of
from small_rooms import rooms

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.engines import explicit
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.output.words import counted
from puzzlemc.reports.solve import reachability
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.solve import solve_entry


def solved_within(looks: int, entry: Entry, options: Options, patch: pytest.MonkeyPatch) -> Result:
    """The result of a search whose time ends at this number of looks at the clock."""
    left = looks

    def check(_: Budget) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise LimitReached("timeout")

    with patch.context() as inner:
        inner.setattr(explicit, "PATTERNS", {1: 1 << 14})
        inner.setattr("puzzlemc.mc.astar.space.STEPS", 1)
        inner.setattr(Budget, "check", check)
        return solve_entry(entry, options)


def limited(options: Options, patch: pytest.MonkeyPatch) -> list[tuple[Entry, Result]]:
    """Random rooms, each with searches that end at many moments."""
    found = []
    for level in list(rooms(12)):
        entry = entry_of(level)
        for looks in range(5, 200, 9):
            result = solved_within(looks, entry, options, patch)
            found.append((entry, result))
            if result.verdict != "unknown" and result.optimal is not False:
                break
    return found


@pytest.mark.parametrize("metric", ["pushes", "moves"])
def test_an_answer_is_optimal_if_its_cost_equals_the_bound(metric: str, monkeypatch: pytest.MonkeyPatch) -> None:
    options = Options(metric, engine="explicit")
    met = 0
    for entry, result in limited(options, monkeypatch):
        if result.verdict != "solvable":
            continue
        assert result.cost is not None
        if result.optimal:
            assert result.bound is None
            assert "perhaps" not in result.note
        else:
            assert result.bound is not None
            assert result.bound < result.cost
        met += bool(result.optimal)
        least = solve_entry(entry, options).cost
        assert least is not None
        assert (result.cost == least) if result.optimal else ((result.bound or 0) <= least <= result.cost)
    assert met


@pytest.mark.parametrize(("metric", "least"), [("pushes", 2), ("moves", 5)])
@pytest.mark.parametrize("below", [0, 1])
def test_a_solution_that_is_improved_to_the_bound_is_optimal(
    metric: str, least: int, below: int, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(reachability, "auto", lambda *_, **__: detour(metric, least - below))
    options = Options(metric)
    entry = entry_of(OPEN)
    result = solve_entry(entry, options)
    if below:
        assert (result.cost, result.optimal, result.bound) == (least, False, least - 1)
        assert result.note == f"perhaps not the cheapest; at least {counted(least - 1, metric)}"
    else:
        assert (result.cost, result.optimal, result.bound, result.note) == (least, True, None, "")
    certified = certify(entry, options, result, tmp_path / "proof.json")
    assert (certified.verdict, certified.checked, certified.note) == ("solvable", True, result.note)
    done = verify(tmp_path / "proof.json", [entry])
    assert done.status == "valid"
    assert ("(optimal)" in done.as_text()) is not bool(below)


def test_a_solution_below_the_bound_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reachability, "auto", lambda *_, **__: detour("pushes", 3))
    result = solve_entry(entry_of(OPEN), Options("pushes"))
    assert (result.verdict, result.exit_code) == ("error", 4)
    assert result.reason == "room: refuted: a solution of 2 pushes, and a proof that none has fewer than 3"
    # The row shows the refuted answer.
    assert (result.cost, result.checked, result.metric) == (2, True, "pushes")
    assert result.search.engine is not None
    assert result.trace
