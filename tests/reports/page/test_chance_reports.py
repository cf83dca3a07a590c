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


def test_a_report_answers_the_question_that_is_asked(tmp_path: Path) -> None:
    """Of a strategy that wins whatever is drawn, it has all inputs."""
    game, out = f"{GAMES / 'goose.txt'}#2", tmp_path / "out"
    report = puzzlemc("report", game, "--chance", "surely", "-o", "-")
    assert (report.returncode, report.stderr) == (0, "")
    assert "**Solvable whatever is drawn in 5 turns**" in report.stdout
    assert "No strategy wins in fewer turns: the proof was checked by the plain rules." in report.stdout
    assert "## Longest play of the strategy" in report.stdout
    assert "3: left (4 turns): left:1 → 2, left:2 → won" in report.stdout
    lost = f"{GAMES / 'dice.txt'}#3"
    done = puzzlemc("report", lost, game, "--chance", "surely", "--format", "md", "-o", f"{out}/")
    assert (done.returncode, done.stderr) == (0, "")
    index = (out / "index.md").read_text()
    assert index.count("| asked: surely |") == 2
    assert "**No strategy always wins**" in (out / "dice.txt-3.md").read_text()
    page = tmp_path / "report.html"
    assert puzzlemc("report", game, "--chance", "surely", "-o", page).returncode == 0
    text = page.read_text()
    assert "--chance surely -o report.html" in text
    assert "3: left (4 turns)" in text
    assert puzzlemc("report", game, "--chance", "sure", "-o", page).returncode == 2


def test_a_report_has_the_probability(tmp_path: Path) -> None:
    pytest.importorskip("stormpy", reason="the extra `chance` is not installed")
    asked = ("--chance", "probability", "--format", "md", "-o", f"{tmp_path}/out/")
    done = puzzlemc("report", f"{GAMES / 'pads.txt'}#2", *asked)
    assert (done.returncode, done.stderr) == (0, "")
    assert "| probability 1/2 (0.5) |" in (tmp_path / "out" / "index.md").read_text()
    report = (tmp_path / "out" / "pads.txt-2.md").read_text()
    assert "**Best probability of winning: 1/2 (0.5)**" in report
    assert "The probability was checked in exact arithmetic" in report


@pytest.mark.parametrize(
    ("asked", "verdict", "headline", "proof"),
    [
        (
            "surely",
            "unsolvable",
            "No strategy always wins",
            "No strategy wins whatever is drawn: the proof was checked",
        ),
        ("surely", "unknown", "Unknown", "Does a strategy always win? Not known: time ran out first."),
        (
            "almost",
            "unsolvable",
            "No strategy wins with probability 1",
            "No strategy wins with probability 1: the",
        ),
        ("probability", "unsolvable", "Best probability of winning: 0", "No draws win: the proof was checked"),
    ],
)
def test_each_answer_is_said(asked: str, verdict: str, headline: str, proof: str) -> None:
    one = list(load([GAMES / "goose.txt"], "puzzlescript"))[1]
    reason = "timeout" if verdict == "unknown" else None
    result = Result(one.id, puzzle="puzzlescript", verdict=verdict, metric="turns", reason=reason, checked=True)
    report = chance_report(one, result, asked)
    assert (report.headline, report.remark) == (headline, f"asked: {asked}")
    assert report.proof.startswith(proof)
    uncertified = replace(report, result=result.without_certificate("no certificate: it has none"))
    assert ("The proof: no certificate: it has none." in uncertified.missing) == (asked == "surely")
    answers = {question: answer for question, answer, _, _ in report.cards}
    assert answers.pop(report.words.asked) == ("No" if verdict == "unsolvable" else "Not known")
    assert set(answers.values()) == {"Not asked"}


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
