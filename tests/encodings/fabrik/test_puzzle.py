"""Fabrik on the command line: verdicts, certificates, refusals."""

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from command import puzzlemc, write
from hypothesis import assume, given, settings
from places import ROOT
from strategies import fabrik_levels

from examples import examples
from puzzlemc.encodings.fabrik import rules
from puzzlemc.encodings.fabrik.puzzle import PUZZLE
from puzzlemc.encodings.fabrik.rules import GAME, canonical
from puzzlemc.encodings.fabrik.small import Solution
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.games.explicit import arena_of_rules
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.plain import FIRST
from puzzlemc.reports.certify.certify import certify
from puzzlemc.reports.certify.verify import verify
from puzzlemc.reports.play.session import Session
from puzzlemc.reports.play.words import won
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.fabrik import BLACK, EMPTY, WHITE, Level

WINS = """Title: On four rows
Fabrik 4 3 black
. . . .
. O . .
. . O #
# X . X
"""
FORCED = ROOT / "screens" / "levels" / "fabrik" / "forced.fabrik"
BLUNDER = FORCED.with_name("blunder.fabrik")


def solved(*arguments: object) -> dict[str, Any]:
    (line,) = puzzlemc(*arguments, "--json").stdout.splitlines()
    found = json.loads(line)
    assert isinstance(found, dict)
    return found


def test_a_win_has_a_line_and_a_certificate(tmp_path: Path) -> None:
    done = puzzlemc("solve", f"{FORCED}#1", "--certificate", tmp_path, "--json")
    assert done.returncode == 0
    found = json.loads(done.stdout)
    assert (found["verdict"], found["metric"], found["cost"], found["turns"]) == ("solvable", "turns", 2, 2)
    assert (found["optimal"], found["checked"], found["encoding"], found["diagrams"]) == (True, True, None, None)
    assert len(found["trace"]) == 3
    assert found["trace"][0] in found["game"]["first_moves"]
    assert found["game"] == {
        "to_move": "black",
        "winner": "black",
        "turns": 2,
        "line": found["trace"],
        "first_moves": found["game"]["first_moves"],
    }
    (certificate,) = tmp_path.iterdir()
    checked = puzzlemc("verify", certificate, "--level", f"{FORCED}#1")
    assert checked.returncode == 0
    assert "solvable  ≤ 2 turns  proof checked by plain rules" in checked.stdout  # a win within 2 turns
    assert puzzlemc("verify", certificate, "--level", f"{FORCED}#2").returncode == 4


def lost(folder: Path) -> Path:
    """A level in which White is to move and Black wins: the first shipped level after its first winning move."""
    level = FORCED.read_text().split("Title")[1].rstrip()
    move = solved("solve", f"{FORCED}#1")["trace"][0]
    return write(folder / "lost.fabrik", f"Title{level}\nMoves\n{move}\n")


def test_a_loss_has_a_reason_and_a_certificate(tmp_path: Path) -> None:
    path = lost(tmp_path)
    done = puzzlemc("solve", path, "--certificate", tmp_path / "made", "--json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert (found["verdict"], found["cost"], found["trace"], found["checked"]) == ("unsolvable", None, None, True)
    assert found["reason"].startswith("black wins in ")
    assert (found["game"]["to_move"], found["game"]["winner"]) == ("white", "black")
    (certificate,) = (tmp_path / "made").iterdir()
    checked = puzzlemc("verify", certificate)
    assert checked.returncode == 0
    assert "unsolvable  proof checked by plain rules" in checked.stdout


def test_a_bound_that_is_too_small_gives_unknown() -> None:
    found = solved("solve", f"{FORCED}#7", "--within", 2)
    assert (found["verdict"], found["reason"], found["bound"]) == ("unknown", "bound", 3)
    done = puzzlemc("solve", f"{FORCED}#7", "--within", 2)
    assert done.returncode == 3
    assert "bound; black cannot force a win within 2 turns" in done.stdout
    assert solved("solve", f"{FORCED}#7", "--within", 3)["cost"] == 3


def test_the_blunder_loses_by_force() -> None:
    first, held = puzzlemc("check", BLUNDER, "--within", 3, "--json").stdout.splitlines()
    game = json.loads(first)["game"]
    assert (game["to_move"], game["winner"], game["turns"]) == ("black", "black", 2)
    assert json.loads(held)["verdict"] == "unknown"
    game = json.loads(held)["game"]
    assert game == {"to_move": "black", "winner": None, "turns": None, "refuted": 3}


@pytest.mark.parametrize("text", ["Fabrik 4 3\nMoves\n", "Fabrik 3 3\nMoves\nA1 B2\n"])
def test_two_turns_do_not_decide_a_game_from_its_beginning(tmp_path: Path, text: str) -> None:
    found = solved("solve", write(tmp_path / "a.fabrik", text), "--within", 2)
    assert found["verdict"] == "unknown"


def test_a_small_board_is_solved_from_its_beginning(tmp_path: Path) -> None:
    """Placing workers and the decision are moves, too: of the 6 + 2 moves in all, four are Black's."""
    done = puzzlemc("solve", write(tmp_path / "a.fabrik", "Fabrik 3 2\n"), "--certificate", tmp_path / "made")
    assert done.returncode == 0, done.stderr
    assert re.search(r"solvable +4 ", done.stdout)
    (certificate,) = (tmp_path / "made").iterdir()
    assert puzzlemc("verify", certificate).returncode == 0


def test_a_game_that_is_over_has_its_winner(tmp_path: Path) -> None:
    over = "Fabrik 3 2 {}\nO O .\n. # .\n. . #\n"
    found = solved("solve", write(tmp_path / "a.fabrik", over.format("white")), "--certificate", tmp_path)
    reason = "the game is over: black has 2 in a row, so black has won"
    assert (found["verdict"], found["reason"], found["checked"]) == ("unsolvable", reason, True)
    assert found["game"]["over"] == reason
    found = solved("solve", write(tmp_path / "a.fabrik", over.format("black")), "--certificate", tmp_path)
    assert (found["verdict"], found["cost"], found["trace"]) == ("solvable", 0, [])


def test_every_command_reports_that_a_player_without_a_turn_has_lost(tmp_path: Path) -> None:
    """Tables, `solve`, `replay`, a report and `play` give the same reason."""
    stuck = write(tmp_path / "a.fabrik", "Fabrik 3 3 black\n# O X\nX O O\nO X #\n")
    why = "black cannot put a stone anywhere, so white has won"
    for command in ("check", "solve"):
        done = puzzlemc(command, stuck)
        assert done.returncode == 1
        assert re.search(rf"unsolvable +- .* the game is over: {why}\n", done.stdout), done.stdout
        assert "already solved" not in done.stdout
    assert solved("solve", stuck)["reason"] == f"the game is over: {why}"
    done = puzzlemc("replay", stuck, "")
    assert (done.returncode, done.stdout.split("\n")[0]) == (1, f"{stuck}#1: the game is over: {why}")
    done = puzzlemc("replay", stuck, "A1-B1/C1")
    assert (done.returncode, f"is not legal: the game is over: {why}" in done.stdout) == (2, True)
    assert puzzlemc("report", stuck, "-o", tmp_path / "a.html").returncode == 0
    assert f"The game is over: {why}." in (tmp_path / "a.html").read_text()
    game = PUZZLE.game
    assert game is not None
    (level,) = PUZZLE.screen.parse(stuck.read_text(), "test")
    session = Session(PUZZLE, level)
    assert won(session, game).text == "White has won: black cannot put a stone anywhere."
    white = write(tmp_path / "b.fabrik", "Fabrik 3 3 white\n# O X\nX O O\nO X #\n")
    done = puzzlemc("solve", white)
    assert (done.returncode, "white cannot put a stone anywhere, so black has won" in done.stdout) == (1, True)


def test_a_record_that_loses_has_a_reason(tmp_path: Path) -> None:
    level = write(tmp_path / "a.fabrik", "Fabrik 3 2 black\n. X .\n. # .\n. . #\n")
    done = puzzlemc("replay", level, "A3 C1")
    assert done.returncode == 1
    assert "all 2 moves are legal, but the game is over: white has 2 in a row, so white has won" in done.stdout


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ("A1 B2 black\n C1-C2/A3", "5:2: found C1-C2/A3 as move 4, expected a legal one such as "),
        ("A1 A1", "4:4: found A1 as move 2, expected a legal one such as B1"),
        ("A1 B2 black A2 A3 A3", "expected a legal one"),
    ],
)
def test_the_message_on_an_illegal_record_has_its_position(tmp_path: Path, record: str, message: str) -> None:
    path = write(tmp_path / "a.fabrik", f"% a record\nFabrik 3 3\nMoves\n{record}\n")
    done = puzzlemc("solve", path)
    assert done.returncode == 2
    assert f"{path}:" in done.stdout + done.stderr
    assert message in done.stdout + done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("query", "LEVEL", "AG EF solved"), "fabrik is a game of two sides, and its levels are no models"),
        (("export", "LEVEL", "--to", "smv", "-o", "-"), "its levels are no models"),
        (("compare", "LEVEL"), "its levels are no models"),
        (("generate", "fabrik"), "'fabrik' is unknown, expected one of"),
        (
            ("solve", "LEVEL", "--engine", "bmc"),
            "unknown engine 'bmc' of fabrik, a game of two sides: expected auto",
        ),
        (("solve", "LEVEL", "--encoding", "tiles"), "unknown encoding 'tiles' of fabrik"),
        (("solve", "LEVEL", "--metric", "moves"), "unknown metric 'moves' of fabrik"),
        (("solve", "LEVEL", "--count"), "the solutions of fabrik are not counted"),
        (("solve", "LEVEL", "--within", "0"), "found '0', expected a whole number, at least 1"),
        (("solve", "FOLD", "--within", "3"), "folding is no game of two sides"),
    ],
)
def test_invalid_arguments_are_refused_in_one_line(
    tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    names = {"LEVEL": write(tmp_path / "a.fabrik", WINS), "FOLD": write(tmp_path / "a.fold", "1 0\n")}
    done = puzzlemc(*(names.get(each, each) for each in arguments))
    assert done.returncode == 2, done.stderr
    printed = re.sub(r"[│\s]+", " ", done.stdout + done.stderr)
    assert message in printed
    assert "Traceback" not in printed


def test_the_puzzle_is_listed() -> None:
    done = puzzlemc("puzzles", "fabrik")
    assert done.returncode == 0
    for line in (
        "suffixes   .fabrik",
        "metrics    turns",
        "sides      black white",
        "bots       random greedy strong",
    ):
        assert line in done.stdout


def test_mutants_of_a_certificate_are_refused(tmp_path: Path) -> None:
    """For each changed digit, the strategy still wins within the claimed turns, or the certificate is refused."""
    puzzlemc("solve", f"{FORCED}#7", "--certificate", tmp_path)
    (path,) = tmp_path.iterdir()
    text = path.read_text()
    assert verify(path).certificate is not None
    refused = 0
    changed = tmp_path / "changed"
    for place in range(text.index("strategy "), len(text), 3):
        if text[place].isalnum():
            changed.write_text(text[:place] + ("1" if text[place] != "1" else "2") + text[place + 1 :])
            done = verify(changed)
            assert done.status in {"valid", "refuted", "unreadable"}
            refused += done.status != "valid"
            if done.certificate is not None and done.status == "valid":
                assert done.certificate.verdict == "solvable"
                assert (done.certificate.cost or 0) >= 3
    assert refused > 20


def test_a_certificate_of_another_puzzle_is_refused(tmp_path: Path) -> None:
    puzzlemc("solve", f"{FORCED}#7", "--certificate", tmp_path)
    (path,) = tmp_path.iterdir()
    for name, message in [("sokoban", "expected a game of two sides"), ("chess", "expected one of")]:
        path.write_text(path.read_text().replace('puzzle "fabrik"', f'puzzle "{name}"'))
        done = verify(path)
        assert done.status == "unreadable"
        assert message in (done.reason or "")
        path.write_text(path.read_text().replace(f'puzzle "{name}"', 'puzzle "fabrik"'))


@settings(max_examples=examples(15, 70), deadline=None)
@given(level=fabrik_levels(most=4))
def test_solutions_and_certificates_agree_with_the_attractor(
    level: Level, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Verdict, cost, first moves and certificate of a level, against the attractor over all its positions."""
    assume(level.size**2 - len(level.start.pieces) <= (6 if level.start.turn else 2))
    entry = Entry("a#1", "", PUZZLE, level, None)
    arena = arena_of_rules(GAME, level, Budget())
    winner, plies = arena.value(level.start)
    assert winner is not None
    assert plies is not None
    mover = GAME.turn(level, level.start)
    turns = (plies + (winner == mover)) // 2 if level.start.turn else plies // 2 + 1
    result = solve_entry(entry, Options(timeout=0))
    assert result.checked
    assert result.game is not None
    assert (result.game["winner"], result.game["turns"]) == ((BLACK, WHITE)[winner], turns)
    if winner == mover:
        best = {
            step.name
            for step in GAME.replies(level, level.start)
            if (value := arena.value(step.position)).winner == winner and (value.turns or 0) <= plies - 1
        }
        assert (result.verdict, result.cost, result.costs) == ("solvable", turns, {"turns": turns})
        if level.start.turn:
            assert set(result.game["first_moves"]) == best
    else:
        assert (result.verdict, result.cost) == ("unsolvable", None)
    path = tmp_path_factory.mktemp("made") / "a.strategies"
    certified = certify(entry, Options(timeout=0), result, path)
    assert (certified.verdict, certified.checked, certified.note) == (result.verdict, True, "")
    if turns > 1 and winner == mover:
        for within in range(1, turns):
            short = solve_entry(entry, Options(timeout=0, within=within))
            assert (short.verdict, short.bound, short.reason) == ("unknown", within + 1, "bound")


@pytest.mark.parametrize(("size", "row", "turns"), [(2, 2, 3), (3, 2, 4), (3, 3, 5)])
def test_the_first_side_wins_on_small_empty_boards(size: int, row: int, turns: int) -> None:
    level = Level("", "", size, row, EMPTY)
    result = solve_entry(Entry("a#1", "", PUZZLE, level, None), Options(timeout=0))
    assert (result.verdict, result.cost, result.checked) == ("solvable", turns, True)
    assert Solution(level, Budget()).value(EMPTY) == (FIRST, {3: 5, 4: 6, 5: 8}[turns])


@given(level=fabrik_levels(most=5))
def test_symmetric_positions_have_the_same_moves_and_winner(level: Level) -> None:
    """A symmetric position has the symmetric moves and the same winner."""
    position = level.start
    like = canonical(level, position)
    assert canonical(level, like) == like
    assert rules.winner(level, like) == rules.winner(level, position)
    after, behind = (
        Counter(canonical(level, then) for _, then in rules.moves(level, each)) for each in (position, like)
    )
    assert after == behind


def test_reports_name_the_winner(tmp_path: Path) -> None:
    won = puzzlemc("report", f"{FORCED}#7", "-o", "-")
    assert won.returncode == 0, won.stderr
    for words in (
        "**Black wins in 3 turns**",
        "## Main line",
        "## The first moves by which black wins in 3 turns",
    ):
        assert words in won.stdout
    first = solved("solve", f"{FORCED}#7")["game"]["first_moves"]
    assert all(move in won.stdout for move in first)
    out = tmp_path / "out.json"
    assert puzzlemc("report", f"{FORCED}#7", "-o", out).returncode == 0
    found = json.loads(out.read_text())
    assert found["result"]["game"]["first_moves"] == first
    assert found["missing"] == []


def test_reports_cover_losses_and_unknown_positions(tmp_path: Path) -> None:
    done = puzzlemc("report", f"{FORCED}#7", "--within", "2", "-o", "-")
    assert done.returncode == 3
    assert "Black cannot force a win within 2 turns." in done.stdout
    assert "missing: Who wins" in done.stderr
    over = write(tmp_path / "over.fabrik", "Fabrik 3 2 white\nO O .\n. # .\n. . #\n")
    for suffix in ("html", "md"):
        out = tmp_path / f"out.{suffix}"
        for path, headline in [(lost(tmp_path), "Black wins in 1 turn"), (over, "Black has won")]:
            assert puzzlemc("report", path, "-o", out).returncode == 0
            assert headline in out.read_text()
        assert puzzlemc("report", f"{FORCED}#7", "--within", "2", "-o", out).returncode == 3
        assert "Unknown" in out.read_text()


def test_a_time_limit_gives_unknown_with_a_bound(tmp_path: Path) -> None:
    """On the empty board of eleven rows: the result has the refuted turns, and no options without a meaning."""
    found = solved("solve", write(tmp_path / "a.fabrik", "Fabrik\n"), "--timeout", 1)
    assert (found["verdict"], found["reason"], found["cost"]) == ("unknown", "timeout", None)
    assert (found["encoding"], found["diagrams"], found["checked"]) == (None, None, False)
    assert found["bound"] >= 0


@pytest.mark.parametrize("folder", [False, True])
def test_the_report_on_a_position_without_a_turn_is_complete(tmp_path: Path, folder: bool) -> None:
    level = tmp_path / "over.fabrik"
    level.write_text("Fabrik 3 3 black\n# O X\nO X X\nO O #\n")
    done = puzzlemc("report", level, "-o", f"{tmp_path}/pages/" if folder else tmp_path / "over.md")
    assert (done.returncode, done.stderr) == (0, "")
    assert "--why" not in (tmp_path / ("pages/over.fabrik-1.html" if folder else "over.md")).read_text()
