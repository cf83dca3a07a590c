"""`play` on a real terminal: each puzzle from start to end, any input, any size, any way to quit."""

import os
import random
import signal
from pathlib import Path

import pytest
from command import puzzlemc
from places import ROOT, WRITTEN
from played import playing
from tug import GAME

from puzzlemc.encodings.puzzles import load
from puzzlemc.reports.play.session import Session

PUSH = "########\n#      #\n#  $.  #\n# @    #\n########\nTitle: Against the wall\n"
FOLD = "Title: From both ends\n1 0 0 2\n"
TILES = "Tetravex 2\n0 1 2 3\n4 5 6 2\n1 7 8 9\n5 3 1 8\n"
FABRIK = "Title: Small\nFabrik 4 3\n"


@pytest.fixture
def push(tmp_path: Path) -> Path:
    path = tmp_path / "push.xsb"
    path.write_text(PUSH)
    return path


def test_sokoban_is_won_with_a_hint_and_a_losing_move_taken_back(push: Path) -> None:
    with playing(push) as terminal:
        terminal.wait("Still solvable in 1 push.", "Against the wall", "0 pushes 0 moves", "q quit")
        terminal.press("right")
        terminal.wait("Still solvable in 1 push.", "0 pushes 1 move")
        terminal.press("w")
        terminal.wait("Lost by this move, push up. u takes it back.", "1 push 2 moves")
        terminal.wait("Why: this box, in row 2, column 4, can never leave its row, and can reach no goal there.")
        terminal.press("h")
        terminal.wait("No hint: no move leads to a solution. Lost by this move")
        terminal.press("right")
        terminal.wait("Lost by move 2, push up. U goes back to the position before it.", "1 push 3 moves")
        terminal.press("U")
        terminal.wait("Still solvable in 1 push.", "0 pushes 1 move")
        terminal.press("h")
        terminal.wait("Hint: go left, then on to push right.")
        terminal.press("n")
        terminal.wait("Hint: go up, then on to push right.", "0 pushes 2 moves")
        terminal.press("n")
        terminal.wait("Hint: push right. n plays it.", "0 pushes 3 moves")
        terminal.press("right")
        terminal.wait("Solved in 1 push, 4 moves! No solution has fewer pushes.")
        terminal.press("right", "u")  # no move to redo, and back
        terminal.wait("Still solvable in 1 push.", "0 pushes 3 moves")
        terminal.press("ctrl+y")
        terminal.wait("Solved")
        terminal.press("R")
        terminal.wait("Restarted", "0 pushes 0 moves")
        terminal.press("q")
        assert terminal.end() == 0
        assert terminal.is_restored()


def test_a_game_of_rules_is_won_with_a_hint_after_a_losing_move(tmp_path: Path) -> None:
    game = tmp_path / "tug.txt"
    game.write_text(f"{GAME}\nmessage To the left\n\n########\n#.o.ps.#\n########\n")
    with playing(game) as terminal:
        terminal.wait("Still solvable in 3 turns.", "To the left", "0 turns")
        terminal.press("right")  # the sled is in the way
        terminal.wait("0 turns")
        terminal.press("h")
        terminal.wait("Hint: go left.", "←")
        terminal.press("n", "left")
        terminal.wait("Still solvable in 1 turn.", "2 turns")
        terminal.press("u", "left", "left")
        terminal.wait("Solved in 3 turns! No solution has fewer turns.")
        terminal.press("q")
        assert terminal.end() == 0
        assert terminal.is_restored()


def test_play_announces_a_level_that_is_lost_from_the_start(tmp_path: Path) -> None:
    (tmp_path / "a.xsb").write_text("#####\n#$  #\n#.@ #\n#   #\n#####\n")
    with playing(tmp_path / "a.xsb") as terminal:
        why = "Why: this box, in row 2, column 2, can never leave its corner, and no goal is there."
        terminal.wait(f"Lost from the start: this level has no solution. {why}")
        terminal.press("n", "U")
        terminal.press("h")
        terminal.wait("No hint: no move leads to a solution. Lost from the start", "0 moves")
    (tmp_path / "b.xsb").write_text("#####\n#@$.#\n#  .#\n#####\n")
    with playing(tmp_path / "b.xsb") as terminal:
        terminal.wait("Lost from the start: this level has no solution. Why: 2 goals but 1 box.")


def test_games_are_saved_and_loaded(push: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.sok"
    other.write_text("#####\n#@$.#\n#####\n\nSolution\nR\n")
    game = tmp_path / "game.sok"
    with playing(push) as terminal:
        terminal.wait("Still solvable")
        terminal.press("right", "left")
        terminal.wait("2 moves")
        terminal.name("S", game)
        terminal.wait("Saved")
        terminal.press("x")  # a key without a meaning: the message is gone
        terminal.wait_without("Saved")
        terminal.name("S", game)
        terminal.wait("exists: enter again")
        terminal.press("enter")
        terminal.wait("Saved")
        assert game.read_text() == PUSH.partition("Title")[0] + "\nSolution\nrl\n"
        terminal.press("u")
        terminal.name("L", other)
        terminal.wait("found a game of another level, expected one of this level 'Against the wall'")
        terminal.name("L", tmp_path / "none")
        terminal.wait("No such file")
        terminal.press("L")
        terminal.wait("escape to cancel")
        terminal.press("escape")
        terminal.wait_without("escape to cancel")
        terminal.name("L", game)
        terminal.wait("Loaded", "2 moves")
    with playing(push, "--load", game) as terminal:
        terminal.wait("0 pushes 2 moves")
    done = puzzlemc("solve", game, "--puzzle", "sokoban")
    assert (done.returncode, "solvable" in done.stdout) == (0, True)


def test_folding_blocks_is_won(tmp_path: Path) -> None:
    (tmp_path / "a.fold").write_text(FOLD)
    with playing(tmp_path / "a.fold") as terminal:
        terminal.wait("Still solvable in 2 moves.", "[1]", "Colour 1 folds →")
        terminal.press("up", "right")
        terminal.wait("1 move", "Still solvable in 1 move.", "Colour 2 folds ←")
        terminal.press("1")
        terminal.wait("Colour 1 does not fold", "[1]")
        terminal.press("tab", "h")
        terminal.wait("2←", "Hint: fold 2 left.")
        terminal.press("left")
        terminal.wait("Solved in 2 moves! No solution has fewer moves.")


@pytest.mark.slow
def test_tetravex_is_won_by_placing_and_swapping(tmp_path: Path) -> None:
    # 1 2 / 3 4 is the only arrangement of the four tiles.
    tiles = "Tetravex 2\n0 1 2 3\n4 5 6 2\n1 7 8 9\n5 3 1 8\n"
    (tmp_path / "a.tetravex").write_text(f"{tiles}Put\n0 0\n0 0\n{tiles}Swap\n2 1\n3 4\n{tiles}")
    with playing(tmp_path / "a.tetravex#1") as terminal:
        terminal.wait("Still solvable in 4 moves.", "1,1: 4 tiles fit")
        terminal.press("right", "enter")
        terminal.wait("Lost by this move, tile N 0 E 2 S 1 W 3 to row 1, column 2.", "The cursor is on a tile")
        terminal.press("u", "left", "\x1b[Z", "enter", "right", "h")  # the previous tile: shift and tab
        terminal.wait("Still solvable in 3 moves.", "1,2: 1 tile fits; the chosen one", "Hint: tile")
        terminal.press("tab", "enter")
        terminal.wait("Still solvable in 2 moves.")
        for left in ("Still solvable in 1 move.", "Solved in 4 moves!"):
            terminal.press("h")
            terminal.wait("Hint: tile")
            terminal.press("n")
            terminal.wait(left)
    with playing(tmp_path / "a.tetravex#2") as terminal:
        terminal.wait("Still solvable in 1 move.")
        terminal.press("enter")
        terminal.wait("Enter swaps with the one at 1,1")
        terminal.press("escape")
        terminal.wait("Enter marks the first")
        terminal.press("enter", "right")
        terminal.wait("Enter swaps with the one at 1,1")
        terminal.press("enter")
        terminal.wait("Solved in 1 move!")
    with playing(tmp_path / "a.tetravex#3") as terminal:
        terminal.wait("Still solvable.", "1,1: 4 tiles fit")
        terminal.press("h")
        for cell in ("1,2:", "2,1:", "2,2:"):
            terminal.wait("Hint: tile")
            terminal.press("n")
            terminal.wait(cell)
        terminal.wait("Hint: tile")
        terminal.press("enter")
        terminal.wait("Solved!")


@pytest.mark.slow
def test_a_collection_is_played_level_by_level(push: Path, tmp_path: Path) -> None:
    state, levels = tmp_path / "state", tmp_path / "levels.xsb"
    one, two = "#####\n#@$.#\n#####\nTitle: One\n", "######\n#@ $.#\n######\nTitle: Two\n"
    levels.write_text(f"{one}\n{two}\n#####\n#@@.#\n#####\nTitle: Bad\n")
    with playing(levels, push, state=state) as terminal:
        terminal.wait("1/4 One", "Still solvable in 1 push.", "N P level")
        terminal.press("P")
        terminal.wait("This is the first level.")
        terminal.press("right")
        terminal.wait("Solved in 1 push, 1 move!", "1 of 4 levels are solved; N goes to the next.", "(best 1, 1)")
        terminal.press("N")
        terminal.wait("2/4 Two", "0 pushes 0 moves", "Still solvable in 1 push.")
        terminal.press("N")  # a broken level is skipped
        terminal.wait("4/4 Against the wall", ":12:3: found a second player")
        terminal.press("N")
        terminal.wait("This is the last level.")
        terminal.press("G")
        terminal.wait("1 of 4 solved.", "1 ✓ One", "best 1 push, 1 move", "▸ 4 Against the wall")
        terminal.press("up", "up", "enter")
        terminal.wait("2/4 Two", "Still solvable in 1 push.")
        terminal.press("right", "right")
        terminal.wait("Solved in 1 push, 2 moves!", "2 of 4 levels are solved")
        terminal.press("q")
        assert terminal.end() == 0
        assert terminal.is_restored()
    other = tmp_path / "renamed"
    other.mkdir()
    levels.rename(other / "new.xsb")
    push.rename(other / "z.xsb")
    with playing(other, state=state) as terminal:
        terminal.wait("4/4 Against the wall")  # the first level that is not solved and can be played
        terminal.press("G")
        terminal.wait("2 of 4 solved.", "2 ✓ Two", "best 1 push, 2 moves")


def test_progress_that_cannot_be_saved_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "a.xsb").write_text("#####\n#@$.#\n#####\n")
    (tmp_path / "file").write_text("")
    with playing(tmp_path / "a.xsb", state=tmp_path / "file") as terminal:
        terminal.wait("Still solvable in 1 push.")
        terminal.press("right")
        terminal.wait("Solved in 1 push, 1 move!", "(best 1, 1)")
        terminal.press("q")
        assert terminal.end() == 0


def test_an_own_puzzle_is_a_list_of_moves() -> None:
    lights, puzzle = (
        WRITTEN / "lights.txt",
        WRITTEN / "own_puzzle.py",
    )
    with playing(f"{lights}#1", "--puzzle", puzzle) as terminal:
        terminal.wait("Still solvable in 2 presses.", "11111", "▸ 1")
        terminal.press("down", "down", "enter")
        terminal.wait("10001", "Still solvable in 3 presses.")
        terminal.press("u", "h")
        terminal.wait("11111", "← hint")
        terminal.press("n")
        terminal.wait("Still solvable in 1 press.", "← hint")
        terminal.press("n")
        terminal.wait("Solved in 2 presses!")


def test_a_list_of_moves_is_filtered_by_what_is_typed() -> None:
    pytest.importorskip("fast_downward", reason="needs fast-downward-translate")
    with playing(ROOT / "screens" / "levels" / "pddl" / "hats.pddl") as terminal:
        terminal.wait("Still solvable in 7 cost.", "as at the start", "▸ move(small,middle,centre)", "/ filter")
        terminal.press("/")
        terminal.wait("/_ 2 of 2 moves")
        terminal.press("r", "i", "g", "h")  # letters that undo and show hints elsewhere
        terminal.wait("/righ_ 1 of 2 moves", "▸ move(small,middle,right)")
        terminal.press("q", "\x7f", "t", " ", "S", "M")
        terminal.wait("/right SM_ 1 of 2 moves")
        terminal.press("enter")
        terminal.wait("+ on(small,right)", "- on(small,middle)", "Still solvable in 6 cost.")
        terminal.press("/", "z")
        terminal.wait("0 of 3 moves")
        terminal.press("enter", "escape")
        terminal.wait_without("of 3 moves")
        terminal.press("u")
        terminal.wait("as at the start", "Still solvable in 7 cost.")
        terminal.press("q")
        assert terminal.end() == 0


def test_bots_play_a_whole_game_of_fabrik(tmp_path: Path) -> None:
    (tmp_path / "a.fabrik").write_text(FABRIK)
    game = tmp_path / "game"
    with playing(tmp_path / "a.fabrik", "--players", "greedy,random", "--seed", "3") as terminal:
        terminal.wait(" has won: ")
        terminal.name("S", game)
        terminal.wait("Saved")
    (entry,) = load(game, "fabrik")
    session = Session(entry.puzzle, entry.level)
    assert session.is_over
    assert session.at > 5


def test_a_person_plays_fabrik_against_a_bot(tmp_path: Path) -> None:
    (tmp_path / "a.fabrik").write_text(FABRIK)
    with playing(tmp_path / "a.fabrik", "--players", "person,greedy") as terminal:
        terminal.wait("Black: enter puts a worker", "0 moves, Black to move")
        terminal.press("up", "enter")
        terminal.wait("Who begins? b: black, w: white", "White (greedy): ", "2 moves, Black to move")
        terminal.press("b")
        while "has won: " not in terminal.text:
            terminal.wait("moves")
            if "Black to move" in terminal.text:
                terminal.press("tab", "enter")  # move a worker up or down, or put a stone
            else:
                terminal.send(b"")
        terminal.press("u")
        terminal.wait("Black to move", "Black: a stone on a + cell")


def test_fabrik_announces_a_forced_win(tmp_path: Path) -> None:
    (tmp_path / "a.fabrik").write_text("Fabrik 4 3 black\n. X # .\n# O O X\n. . . .\n. . . .\n")
    with playing(tmp_path / "a.fabrik", rows=30) as terminal:
        terminal.wait("Black to move")
        terminal.press("h")
        terminal.wait("Black wins by force within 3 turns: worker C1 to")
        terminal.press("n")
        terminal.wait("White to move")
        terminal.press("h")
        terminal.wait("Black wins by force within 2 turns, whatever white does.")


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns"), [(10, 20), (1, 1), (24, 10)])
def test_tiny_terminals_scroll(push: Path, rows: int, columns: int) -> None:
    with playing(push, rows=rows, columns=columns) as terminal:
        if (rows, columns) == (10, 20):
            terminal.wait("[]", "Still solvable in 1")
        terminal.press("right", "w", "u", "?", "down", "x", "left", "w", "right")
        terminal.resize(24, 80)
        terminal.wait("Solved in 1 push, 4 moves!")
        terminal.press("?")
        terminal.wait("take the last move back", "Any other key")
        terminal.press("x")
        terminal.wait("Solved in 1 push, 4 moves!", "┌──┐")
        terminal.press("q")
        assert terminal.end() == 0


def test_large_levels_scroll_with_the_player(tmp_path: Path) -> None:
    width = 150
    rows = ["#" * width, "#@$." + " " * (width - 6) + "$.#", *["#" + " " * (width - 2) + "#"] * 40, "#" * width]
    (tmp_path / "a.xsb").write_text("\n".join(rows))
    with playing(tmp_path / "a.xsb", "--timeout", "1") as terminal:
        terminal.wait("[]", "0 pushes")
        terminal.press("down", *["right"] * 60)
        terminal.wait("61 moves", "@)")
        assert "[]" not in "".join(terminal.screen.display)
        terminal.press(*["down"] * 25)
        terminal.wait("86 moves", "@)")


def test_the_terminal_may_change_its_size(push: Path) -> None:
    with playing(push) as terminal:
        terminal.wait("┌──┐", "Still solvable in 1 push.")
        for rows, columns in ((8, 30), (3, 3), (40, 120), (24, 80)):
            terminal.resize(rows, columns)
            terminal.press("x")
        terminal.wait("┌──┐", "Still solvable in 1 push.")
        assert terminal.running.poll() is None


def test_any_input_is_accepted(push: Path) -> None:
    chance = random.Random(1)
    with playing(push) as terminal:
        terminal.wait("Still solvable")
        pieces = [
            b"\x1b[",
            b"\x1b",
            b"\xff\xfe",
            b"\x1b[<0;999;999M",
            b"\x1b[200~",
            b"\x1b[201~",
            b"\x1bO",
            b"\x00",
        ]
        pieces += [
            b"\x1b]11;rgb:1/2/3\x07",
            b"\x1b[?2026;1$y",
            b"\x1b[1;1R",
            "ä€😀".encode(),
            b"\xc3",
            b";;;;",
            b"\x9b",
        ]
        pieces += [bytes([chance.randrange(128, 256) for _ in range(50)]), b"\x1b[" + b"9" * 500 + b"u"]
        for _ in range(3):
            chance.shuffle(pieces)
            terminal.send(b"".join(pieces))
        terminal.send(b"\x1b[201~\x1b\x1b")
        terminal.press("x", "escape", "escape")
        while "Restarted" not in terminal.text:  # the first key may end an earlier state
            terminal.press("right", "R")
        terminal.press("right")
        terminal.wait("1 move")
        terminal.press("q")
        assert terminal.end() == 0
        assert terminal.is_restored()


@pytest.mark.parametrize(
    ("how", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), ("ctrl+c", 130), ("\x04", 0)], ids=str
)
def test_play_restores_the_terminal(push: Path, how: signal.Signals | str, code: int) -> None:
    with playing(push) as terminal:
        terminal.wait("Still solvable")
        if isinstance(how, signal.Signals):
            terminal.running.send_signal(how)
        else:
            terminal.press(how)
        assert terminal.end() == code
        assert terminal.is_restored()


@pytest.mark.parametrize(
    ("key", "asks", "rows", "columns"), [("S", "Save as", 24, 80), ("L", "Load from", 10, 30)]
)
def test_ctrl_c_quits_at_the_prompt_for_a_name(push: Path, key: str, asks: str, rows: int, columns: int) -> None:
    with playing(push, rows=rows, columns=columns) as terminal:
        terminal.wait("Still solvable")
        terminal.press(key)
        terminal.wait(f"{asks} (enter to {asks.split()[0].lower()}, escape to cancel)")
        terminal.press("x", "ctrl+c")
        assert terminal.end() == 130
        assert terminal.is_restored()
        assert b"Do you want to quit" not in terminal.data


@pytest.mark.parametrize(("ending", "text"), [("fabrik", FABRIK), ("tetravex", TILES)])
def test_the_line_of_keys_omits_the_least_important_keys(tmp_path: Path, ending: str, text: str) -> None:
    path = tmp_path / f"a.{ending}"
    path.write_text(text)
    with playing(path) as terminal:
        terminal.wait("arrows move", "enter put", "u undo h hint ? keys q quit")
        terminal.resize(24, 120)
        terminal.wait("arrows move", "enter put", "u undo r redo h hint n next ? keys q quit")
        for columns, first in ((40, "arrows move"), (14, "? keys")):
            terminal.resize(24, columns)
            terminal.wait_without("undo")
            terminal.wait("? keys q quit")
            line = terminal.screen.display[-1]
            assert line.startswith(first)
            assert line.rstrip().endswith("? keys  q quit")


def test_play_ends_with_its_terminal(push: Path) -> None:
    with playing(push) as terminal:
        terminal.wait("Still solvable")
        terminal.hang_up()
        assert terminal.running.wait(30) == 0


def test_play_without_a_terminal_gives_one_line(push: Path) -> None:
    done = puzzlemc("play", push)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "standard input and standard output have to be a terminal" in " ".join(done.stderr.split())


def test_levels_that_cannot_be_played_give_one_line(
    push: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = ROOT / "screens" / "levels"
    (tmp_path / "bad.sok").write_text(PUSH + "\nSolution\nUU\n")
    with playing(push, "--load", tmp_path / "bad.sok", columns=200) as terminal:
        assert terminal.end() == 2
        assert "move 1: U is not a legal move" in terminal.text
        assert b"\x1b[?1049h" not in terminal.data
    monkeypatch.setattr("puzzlemc.reports.cli.commands.play._is_terminal", lambda _: True)
    for arguments, message in (
        ((folder / "factorio" / "first_belts.factorio#1",), "asks for the best layout"),
        ((push, "--players", "person,person"), "is played by one person"),
        ((f"{folder}/fabrik/boards.fabrik#1", "--players", "person,nobody"), "is unknown, expected one of person"),
        ((f"{folder}/fabrik/boards.fabrik#1", "--players", "greedy"), "expected two names"),
        ((tmp_path / "none.xsb",), "no such file"),
    ):
        done = puzzlemc("play", *arguments)
        assert (done.returncode, done.stdout) == (2, "")
        assert message in " ".join(done.stderr.split())
    assert os.path.exists(push)
