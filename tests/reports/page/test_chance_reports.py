"""Reports on levels with chance: the answer for a lucky player, beside reports on other levels."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from command import puzzlemc, write
from places import ROOT

from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.page.game import chance_report
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.solve import solve_entry

GAMES = ROOT / "tests" / "chance_games"


def test_a_folder_has_reports_on_levels_with_and_without_chance(tmp_path: Path) -> None:
    game = write(tmp_path / "goose.txt", (GAMES / "goose.txt").read_text())
    sure = write(tmp_path / "sure.txt", game.read_text().replace("random [", "["))
    done = puzzlemc("report", f"{game}#2", f"{sure}#1", "-o", f"{tmp_path}/out/", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    rows = json.loads((tmp_path / "out" / "index.json").read_text())
    assert [(row["result"]["cost"], row["complete"], row["missing"]) for row in rows] == [
        (2, False, []),
        (1, True, []),
    ]
    report = json.loads((tmp_path / "out" / "goose.txt-2.json").read_text())
    assert report["result"]["trace"] == ["up:1", "down:2"]
    assert report["proof"].endswith(
        "No moves and draws win in fewer turns: the proof was checked by the plain rules."
    )


def test_the_page_replays_the_draws(tmp_path: Path) -> None:
    """The first move draws the start of the level."""
    path = tmp_path / "keys.html"
    assert puzzlemc("report", f"{GAMES / 'keys.txt'}#1", "-o", path).returncode == 0
    text = path.read_text()
    assert "Solvable with luck in 5 turns" in text
    assert "start:1" in text
    markdown = puzzlemc("report", f"{GAMES / 'keys.txt'}#1", "-o", "-")
    assert (markdown.returncode, "## Solution\n" in markdown.stdout) == (0, True)


@pytest.mark.parametrize("verdict", ["unsolvable", "unknown"])
def test_what_is_not_solved_has_no_solution(verdict: str) -> None:
    one = list(load([GAMES / "goose.txt"], "puzzlescript"))[1]
    reason = "timeout" if verdict == "unknown" else None
    result = Result(one.id, puzzle="puzzlescript", verdict=verdict, metric="turns", reason=reason, checked=True)
    report = chance_report(one, result)
    assert (report.headline, report.remark, report.played.moves) == (verdict.capitalize(), "", ())
    assert bool(report.missing) == (verdict == "unknown")
    assert ("whatever is drawn: the proof was checked" in report.proof) == (verdict == "unsolvable")


def test_luck_is_said_where_the_moves_name_a_draw() -> None:
    first, second = load([GAMES / "goose.txt"], "puzzlescript")
    reports = [chance_report(one, solve_entry(one, Options())) for one in (first, second)]
    assert [each.headline for each in reports] == ["Solvable in 1 turn", "Solvable with luck in 2 turns"]
    assert [each.remark for each in reports] == ["", "needs luck"]
    uncertified = replace(reports[1], result=reports[1].result.without_certificate("no certificate: timeout"))
    assert uncertified.result.note.endswith("; no certificate: timeout")
    assert "the proof was not checked" in uncertified.proof
    assert uncertified.missing == ["The proof: no certificate: timeout."]
    with_hint = replace(reports[1], result=reports[1].result.noted("--certificate writes it"))
    assert (with_hint.proof, with_hint.missing) == (reports[1].proof, [])
