"""Searches that begin with a known solution."""

import json
from pathlib import Path

import jobs
import pytest
from command import CORNERED, ONE_PUSH, write
from command import puzzlemc as command
from detours import DETOUR, OPEN, entry_of

import puzzlemc
from puzzlemc.encodings.puzzles import load, puzzle
from puzzlemc.mc.engines.explicit import explicit
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.limits import GIB, Budget, Limits
from puzzlemc.mc.verdict import Reachable
from puzzlemc.reports.crew.in_order import solve_all
from puzzlemc.reports.solve import reachability
from puzzlemc.reports.solve.known import Known, known_moves
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.reachability import _with_plan
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.base.errors import LevelError

RULES = puzzle("sokoban")
ROOM = f"{RULES.screen.draw(OPEN)}\nTitle: Two pushes\n"
KNOWN = Known(DETOUR, "detour.lurd")
SECONDS = 5.0  # of a limit that is to be reached


def solved(folder: Path, patch: pytest.MonkeyPatch, metric: str) -> Result:
    """The result of the room if the first search finds nothing, and a detour is known."""
    entries = load([str(write(folder / "a.xsb", ROOM))])
    patch.setattr("puzzlemc.reports.crew.in_order.solve_in_worker", jobs.begin_and_hang)
    (result,) = solve_all(entries, Options(metric, timeout=SECONDS), 1, known={entries[0].id: KNOWN})
    return result


def test_the_answer_is_no_worse_than_the_known_solution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = solved(tmp_path, monkeypatch, "pushes,moves")  # its solutions are not improved
    assert result.verdict == "solvable", result.reason
    assert (result.verdict, result.trace, result.optimal, result.reason) == ("solvable", DETOUR, False, "timeout")
    assert result.checked


def test_the_second_search_improves_the_known_solution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[Result] = []
    with monkeypatch.context() as patch:
        patch.setattr(reachability, "decide", jobs.fail)  # it need not search for a solution
        solve_entry(entry_of(OPEN), Options("pushes", some=True, known=KNOWN), better=found.append)
    assert [found[0].cost, found[-1].cost] == [4, 2]
    assert found[0].trace == DETOUR
    result = solved(tmp_path, monkeypatch, "pushes")
    assert (result.verdict, result.cost, result.optimal, result.checked) == ("solvable", 2, False, True)


def test_the_search_for_the_least_cost_begins_with_the_known_plan() -> None:
    encoded = RULES.encodings["compact"](OPEN)
    best = "ruullDD"  # two moves more than needed
    budget = Budget(Limits(None, GIB))
    blind = explicit(encoded.model, "pushes", budget)
    informed = explicit(_with_plan(encoded, best).model, "pushes", budget)
    assert isinstance(blind, Reachable)
    assert isinstance(informed, Reachable)
    assert (blind.cost, informed.cost, informed.optimal) == (2, 2, True)
    assert encoded.moves(informed.trace) == list(best)
    assert blind.statistics.states is not None
    assert informed.statistics.states is not None
    assert informed.statistics.states < blind.statistics.states


def test_a_known_solution_that_is_not_cheapest_changes_no_answer() -> None:
    result = solve_entry(entry_of(OPEN), Options("pushes", known=KNOWN))
    assert (result.verdict, result.cost, result.optimal) == ("solvable", 2, True)


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("rX", "1:2", "'X'"),
        ("r\nuuuuu", "2:3", "not legal"),
        ("l", "", "found 1 move, after which"),
        ('{"id": "other", "trace": null}', "", "without a trace"),
        (CORNERED, "", "no solution of"),
    ],
)
def test_a_wrong_solution_is_an_error_with_its_place(text: str, where: str, message: str, tmp_path: Path) -> None:
    level = write(tmp_path / "a.xsb", ROOM)
    known = write(tmp_path / "known.txt", text)
    done = command("solve", level, "--improve", known, "--json")
    row = json.loads(done.stdout)
    assert (done.returncode, row["verdict"]) == (2, "error")
    assert row["reason"].startswith(f"{known}:{where}")
    assert message in row["reason"]


@pytest.mark.parametrize("form", ["lurd", "moves", "json"])
def test_traces_of_an_earlier_run_are_known_solutions(form: str, tmp_path: Path) -> None:
    levels = write(tmp_path / "ä b.xsb", ROOM, ONE_PUSH, CORNERED)
    traces = tmp_path / "traces"
    command("solve", levels, "--format", form, "-o", traces)
    assert len(list(traces.iterdir())) == 2
    entries = load([str(levels)])
    again = command("solve", levels, "--improve", traces, "--json")
    assert [json.loads(line)["verdict"] for line in again.stdout.splitlines()] == ["solvable"] * 2 + ["unsolvable"]
    (traces / next(each.name for each in traces.iterdir() if "-1." in each.name)).write_text("X")
    again = command("solve", levels, "--improve", traces, "--json")
    rows = [json.loads(line) for line in again.stdout.splitlines()]
    assert [row["verdict"] for row in rows] == ["error", "solvable", "unsolvable"]
    assert entries[0].id == rows[0]["id"]


def test_results_and_levels_with_solutions_are_known_solutions(tmp_path: Path) -> None:
    levels = write(tmp_path / "levels.xsb", ROOM, ONE_PUSH)
    results = tmp_path / "results.json"
    results.write_text(command("solve", f"{levels}#1", "--json").stdout)  # of one level only
    collection = write(tmp_path / "collection.sok", ROOM, f"Solution:\n{DETOUR}\n", ONE_PUSH)
    for known in (results, collection):
        rows = command("solve", levels, "--improve", known, "--json").stdout.splitlines()
        assert [json.loads(row)["verdict"] for row in rows] == ["solvable"] * 2
    wrong = write(tmp_path / "wrong.sok", ROOM, "Solution:\nl\n", ONE_PUSH)
    done = command("solve", levels, "--improve", wrong, "--json")
    assert [json.loads(row)["verdict"] for row in done.stdout.splitlines()] == ["error", "solvable"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--metric", "any"], "--improve needs a metric"),
        (["--improve", "no such file"], "no such file"),
        (["--improve", "."], "found no trace of these levels"),
    ],
)
def test_bad_usage(arguments: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    level, known = write(tmp_path / "a.xsb", ROOM), write(tmp_path / "a.lurd", DETOUR)
    done = command("solve", level, "--improve", known, *arguments)
    assert done.returncode == 2
    assert message in " ".join(done.stderr.split())


def test_levels_and_solutions_come_from_two_places() -> None:
    done = command("solve", "-", "--improve", "-", text=ONE_PUSH)
    assert done.returncode == 2
    assert "cannot both be standard input" in done.stderr
    done = command("solve", "screens/levels/sokoban/first_steps.xsb#1", "--improve", "-", text="R")
    assert done.returncode == 0


def test_games_have_no_solution_to_improve(tmp_path: Path) -> None:
    known = write(tmp_path / "a.moves", "a1\n")
    done = command("solve", "screens/levels/fabrik/boards.fabrik#1", "--improve", known)
    assert done.returncode == 2
    assert "--improve is not for it" in " ".join(done.stderr.split())


def test_in_python(tmp_path: Path) -> None:
    (level,) = puzzlemc.load(write(tmp_path / "a.xsb", ROOM))
    assert puzzlemc.solve(level, improve=DETOUR).cost == 2
    with pytest.raises(ModelError, match="not legal"):
        puzzlemc.solve(level, improve="uuuuu")


WALK = """title Walk
{prelude}

OBJECTS
background .
black

player p
white

hole o
blue

slug s
green

LEGEND

SOUNDS

COLLISIONLAYERS
background
hole
player, slug

RULES
{rules}

WINCONDITIONS
all {who} on hole

LEVELS

{rows}
"""


def known(folder: Path, text: str, inputs: str) -> list[str] | str:
    """The known moves of a level of PuzzleScript, or the message of the error."""
    (entry,) = load([str(write(folder / "a.txt", text))])
    try:
        return known_moves(entry, Known(inputs, "a.moves")) or []
    except LevelError as error:
        return str(error)


@pytest.mark.parametrize(
    ("inputs", "moves"),
    [
        ("right right right", "right right right"),
        ("up right action right up right", "right right right"),  # some of these are no turns
        ("right undo right right restart undo right", "right right right"),
        ("right restart restart right right left right right", "right right right"),
    ],
)
def test_a_recorded_play_is_known_by_its_turns(inputs: str, moves: str, tmp_path: Path) -> None:
    walk = WALK.format(prelude="author me", rules="", who="player", rows="p..o")
    assert known(tmp_path, walk, inputs) == moves.split()
    (entry,) = load([str(tmp_path / "a.txt")])
    result = solve_entry(entry, Options(known=Known(inputs, "a.moves")))
    assert (result.verdict, result.cost, result.optimal) == ("solvable", 3, True), result.reason


def test_a_play_that_needs_a_restart_is_no_known_solution(tmp_path: Path) -> None:
    """The rules at the start, which a restart plays, move the slug; turns that change nothing else are none."""
    rules = "right [ slug | ] -> [ right slug | ]\n[ moving player ] -> [ moving player ] checkpoint"
    walk = WALK.format(prelude="run_rules_on_level_start", rules=rules, who="slug", rows="p....\n.....\ns...o")
    assert known(tmp_path, walk, "right right right") == ["right", "right", "right"]
    assert "by a restart, expected moves alone" in known(tmp_path, walk, "right restart right")
