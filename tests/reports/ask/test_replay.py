"""Given solutions: their syntax, their judgement by the plain rules, and the move that lost."""

import json
import os
import time
from importlib.resources import files
from pathlib import Path
from threading import Thread

import pytest
from command import CORNERED, ONE_PUSH, hard, puzzlemc, write
from hypothesis import given
from hypothesis import strategies as st
from terminals import on_terminal

from puzzlemc.encodings.puzzle.text import MAX_MOVES, Move, whole, words
from puzzlemc.encodings.puzzles import Entry, load, puzzle
from puzzlemc.encodings.sokoban.domain import lurd
from puzzlemc.reports.ask.replay import first_lost
from puzzlemc.reports.solve.given import Given, follow
from puzzlemc.reports.solve.result import REFUTED, Result, Solution, compared
from puzzlemc.screens import sokoban
from puzzlemc.screens.base.errors import LevelError

LEVELS = Path(str(files("puzzlemc.screens"))) / "levels"
HALL = "########\n#      #\n# $@ . #\n#      #\n########\nTitle: Hall\n"


def names(text: str) -> str:
    return "".join(move.name for move in lurd.read(text, "x"))


class TestLetters:
    @pytest.mark.parametrize(
        ("text", "moves"),
        [
            ("", ""),
            ("lurdLURD", "lurdLURD"),
            ("3r2U", "rrrUU"),
            (" 3 r\n\n\t2U ", "rrrUU"),
            ("2(rU)", "rUrU"),
            ("l2(r3(uD)2L)d", "l" + 2 * ("r" + 3 * "uD" + "LL") + "d"),
            ("(rU)()", "rU"),
        ],
    )
    def test_letters_stand_for_moves(self, text: str, moves: str) -> None:
        assert names(text) == moves

    def test_errors_have_their_place(self) -> None:
        found = lurd.read("r 2U\n d", "x", 7)
        assert found == [Move("r", 7, 1), Move("U", 7, 4), Move("U", 7, 4), Move("d", 8, 2)]

    @given(st.text("lurdLURD", max_size=50), st.integers(2, 9))
    def test_counts_repeat_moves(self, text: str, count: int) -> None:
        assert names(f"{count}({text})") == count * text
        assert names("".join(f"{count}{letter}" for letter in text)) == "".join(letter * count for letter in text)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("rx", "x:1:2: found 'x', expected l u r d for a walk"),
            ("r\n 3", "x:2:2: found a count at the end of a line, expected l u r d"),
            ("0r", "x:1:2: found the count 0, expected 1 to"),
            ("99999999r", "x:1:9: found the count 99999999, expected 1 to"),
            ("9" * 5000 + "r", "found the count 99999999999999999999, expected 1 to"),
            ("2(r", "x:1:4: found the end within brackets, expected )"),
            ("r)", "x:1:2: found ')', expected l u r d"),
            ("(r2)", "x:1:4: found ')', expected l u r d"),
            ("(" * 50, "found more than 20 nested brackets"),
            ("1000(1000(2r))", f"found more than {MAX_MOVES} moves"),
            ("9(" * 19 + "9r" + ")" * 19, f"found more than {MAX_MOVES} moves"),
            ("1000000(1000000(1000000()))" + "é", "found 'é', expected"),
        ],
    )
    def test_other_texts_are_refused(self, text: str, message: str) -> None:
        with pytest.raises(LevelError) as caught:
            lurd.read(text, "x")
        assert message in str(caught.value)

    @pytest.mark.parametrize("text", ["lurd" * 100_000, "l\n" * 200_000, "l 1u" * 100_000, " " * 400_000])
    def test_letters_are_read_in_linear_time(self, text: str) -> None:
        start = time.thread_time()
        lurd.read(text, "x")
        assert time.thread_time() - start < 30


@given(st.data())
def test_exactly_the_illegal_moves_are_refused_with_a_reason(data: st.DataObject) -> None:
    rules = puzzle("sokoban")
    (level,) = sokoban.parse(HALL, "x")
    position = level.start
    for _ in range(12):
        letter = data.draw(st.sampled_from("lurdLURD"))
        steps = {step.name: step.position for step in rules.rules.steps(level, position)}
        done = follow(rules, rules.starting_at(level, position), [Move(letter, 1, 1)], "x")
        if letter in steps:
            assert done.fault is None
            assert done.positions[-1] == steps[letter]
            position = steps[letter]
        else:
            why = lurd.refusal(level, position, letter)
            assert str(done.fault) == f"x:1:1: move 1, {letter}, is not legal: {why}"
            # For a walk and a push in the same direction: the message names the legal one, if any.
            other = letter.swapcase()
            assert why.endswith((f"is {other}",)) == (other in steps)


def test_moves_may_be_words_or_whole_positions() -> None:
    assert words("1up 2left\n 1up", "x", 3) == [Move("1up", 3, 1), Move("2left", 3, 5), Move("1up", 4, 2)]
    assert whole(' {"a":\n1}\n', "x", 2) == [Move('{"a":\n1}', 2, 1)]
    assert whole(" \n", "x") == []


def run(*arguments: str | Path, text: str = "") -> tuple[int, dict[str, object]]:
    done = puzzlemc("replay", *arguments, "--json", text=text)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


class TestReplay:
    @pytest.fixture
    def hall(self, tmp_path: Path) -> Path:
        return write(tmp_path / "hall.xsb", HALL)

    def test_a_solution_is_solved(self, hall: Path) -> None:
        code, answer = run(hall, "ulldRRR")
        assert (code, answer) == (
            0,
            {
                "id": f"{hall}#1",
                "title": "Hall",
                "puzzle": "sokoban",
                "status": "solves",
                "reason": None,
                "length": 7,
                "moves": 7,
                "pushes": 3,
                "metric": "pushes",
                "best": 3,
                "bound": None,
                "above": 0,
                "lost": None,
            },
        )
        done = puzzlemc("replay", hall, "ulld3R")
        assert (
            done.stdout == f"{hall}#1 · Hall: solves the level: 3 pushes, 7 moves; no solution has fewer pushes\n"
        )

    def test_the_answer_has_the_distance_from_the_best_solution(self, hall: Path) -> None:
        code, answer = run(hall, "rlulldRRR", "--metric", "moves")
        assert (code, answer["best"], answer["above"]) == (0, 7, 2)
        done = puzzlemc("replay", hall, "rlulldRRR", "--metric", "moves")
        assert done.stdout.endswith("; 2 moves too many\n")
        assert run(hall, "ulldRRR", "--metric", "any")[1]["best"] is None

    def test_an_illegal_move_is_reported_with_its_place(self, hall: Path) -> None:
        code, answer = run(hall, "ull\nd5R")
        assert code == 2
        assert answer["reason"] == (
            "the solution:2:3: move 9, R, is not legal: behind the box at row 3, column 7 is a wall"
        )
        assert (answer["status"], answer["length"], answer["pushes"], answer["lost"]) == ("invalid", 8, 4, None)
        done = puzzlemc("replay", hall, "L")
        assert done.returncode == 1
        done = puzzlemc("replay", hall, "Lr2L")
        assert "is not legal" in done.stdout

    def test_legal_moves_that_do_not_solve_are_unsolved(self, hall: Path) -> None:
        code, answer = run(hall, "ulldR")
        assert (code, answer["status"]) == (1, "unsolved")
        assert answer["lost"] == {"move": None, "after": 0, "before": None, "proved": False, "reason": None}
        assert "it is not lost: there is a solution from here on" in puzzlemc("replay", hall, "ulldR").stdout

    @pytest.mark.parametrize(
        ("text", "move", "place"),
        [
            ("ldR", 0, None),
            ("rlL", 3, (1, 3)),
            ("rlLruldr", 3, (1, 3)),
            ("dlU\nrur", 3, (1, 3)),
            ("dlUrurd2l", 3, (1, 3)),
        ],
    )
    def test_the_first_losing_move_is_found(
        self, text: str, move: int, place: tuple[int, int] | None, hall: Path
    ) -> None:
        if not move:
            assert run(hall, text)[0] == 2  # a walk into a box
            return
        code, answer = run(hall, text)
        assert (code, answer["status"]) == (1, "lost"), answer
        lost = answer["lost"]
        assert isinstance(lost, dict)
        assert (lost["move"], lost["proved"], (lost["line"], lost["column"])) == (move, True, place)
        done = puzzlemc("replay", hall, text)
        assert f"move {move}, {lost['name']} in line 1, column 3, loses it" in done.stdout
        assert "the proof was checked" in done.stdout

    def test_a_level_may_be_lost_from_the_start(self, tmp_path: Path) -> None:
        code, answer = run(write(tmp_path / "a.xsb", CORNERED), "l")
        assert (code, answer["status"]) == (1, "lost")
        assert isinstance(answer["lost"], dict)
        assert (answer["lost"]["move"], answer["lost"]["proved"]) == (0, True)

    def test_a_timeout_leaves_the_losing_move_unknown(self, tmp_path: Path) -> None:
        path = tmp_path / "a.xsb"
        path.write_text(hard(9))
        code, answer = run(path, "r", "--timeout", "3")
        assert (code, answer["status"]) == (1, "unsolved")
        assert isinstance(answer["lost"], dict)
        assert answer["lost"]["reason"] == "timeout"

    def test_a_solution_may_be_an_argument_a_file_or_a_pipe(self, hall: Path, tmp_path: Path) -> None:
        write(tmp_path / "a.lurd", "ulld\nRRR\n")
        solved = puzzlemc("solve", hall, "--json", "--metric", "moves").stdout
        two = puzzlemc("solve", hall, write(tmp_path / "b.xsb", ONE_PUSH), "--json").stdout
        frames = puzzlemc("solve", hall, "--format", "json").stdout
        (tmp_path / "c.json").write_text(two)
        (tmp_path / "d.sok").write_text(f"{ONE_PUSH}\nSolution\nR\n\n{HALL}\nSolution\nulld3R\n")
        (tmp_path / "e.json").write_text('["u", "l", "l", "d", "R", "R", "R"]')
        for name in ("a.lurd", "c.json", "d.sok", "e.json"):
            assert run(hall, tmp_path / name)[0] == 0, name
        for text in ("ulldRRR", solved, frames):
            assert run(hall, "-", text=text)[0] == 0
        assert run("-#1", "ulldRRR", text=HALL)[0] == 0

    @pytest.mark.parametrize(
        ("solution", "message"),
        [
            ("q", "the solution:1:1: found 'q', expected l u r d"),
            ("trace", "or brackets; there is no file of that name, either"),
            ("no/file.lurd", "no/file.lurd: found no such file, expected a file with a solution, or moves"),
            ("my trace.sok", "my trace.sok: found no such file, expected a file with a solution, or moves"),
            ("./trace", "./trace: found no such file"),
            (".", ".: found a folder, expected a file with a solution, or moves"),
            ('{"trace": null}', "the solution: found a level without a trace, expected one"),
            (ONE_PUSH, "the solution: found levels, but no solution of"),
            ('{"id": "a"}\n{"id": "b"}', "the solution: found 0 objects about"),
        ],
    )
    def test_inputs_that_are_no_solution_are_errors(self, solution: str, message: str, hall: Path) -> None:
        done = puzzlemc("replay", hall, solution)
        assert (done.returncode, done.stdout) == (2, "")
        assert message in " ".join(done.stderr.split())

    @pytest.mark.parametrize("solution", ["nothing.moves", "/nowhere/trace", "~/trace"])
    def test_a_missing_file_is_not_taken_for_a_move(self, solution: str, tmp_path: Path) -> None:
        """If the moves of a puzzle are words, any word could be one; for Factorio, any text could be a layout."""
        level = write(tmp_path / "level.fold", "1 0 0 0\n")
        plan = LEVELS / "factorio" / "first_belts.factorio#1"
        for where in (level, plan):
            done = puzzlemc("replay", where, solution)
            assert (done.returncode, done.stdout) == (2, "")
            assert f"{solution}: found no such file, expected a file with a solution, or moves" in done.stderr

    def test_moves_that_look_like_a_path_are_moves(self, tmp_path: Path) -> None:
        level = LEVELS / "fabrik" / "blunder.fabrik#1"
        assert run(level, "K6-J1/K1")[0] == 1
        done = puzzlemc("replay", level, "K6-J1/Z9")
        assert "is not legal" in done.stdout

    def test_a_pipe_is_read_like_a_file(self, hall: Path, tmp_path: Path) -> None:
        pipe = tmp_path / "pipe"
        os.mkfifo(pipe)
        writer = Thread(target=lambda: pipe.write_text("ulldRRR"))
        writer.start()
        assert run(hall, pipe)[0] == 0
        writer.join()

    def test_a_solution_may_have_no_moves(self, hall: Path) -> None:
        done = puzzlemc("replay", hall, "")
        assert (done.returncode, done.stdout.splitlines()[0]) == (
            1,
            f"{hall}#1 · Hall: no moves are given, and the level is not solved",
        )

    @pytest.mark.parametrize("columns", [40, 80])
    def test_lines_are_folded_at_words_on_a_terminal(self, columns: int) -> None:
        """As in tables, continuation lines are indented; without a terminal, lines stay whole."""
        level = LEVELS / "sokoban" / "first_steps.xsb#3"
        whole = puzzlemc("replay", level, "RRR").stdout.splitlines()
        shown = on_terminal("replay", level, "RRR", "--quiet", columns=columns)
        lines = shown.text.replace("\r\n", "\n").splitlines()
        assert shown.code == 1
        assert max(map(len, lines)) <= columns < max(map(len, whole))
        assert lines[-5:] == whole[-5:]  # the level
        words, folded = " ".join(whole[1:-5]).split(), " ".join(lines[:-5]).split()
        assert folded[-len(words) :] == words
        begins = next(number for number, line in enumerate(lines) if line.startswith("move 3,"))
        assert all(line.startswith("    ") for line in (*lines[1:begins], *lines[begins + 1 : -5]))

    def test_a_layout_is_measured_or_drawn(self, tmp_path: Path) -> None:
        """It has no moves: a valid layout is measured, a wrong one is drawn, and the output never has its JSON."""
        level = LEVELS / "factorio" / "first_belts.factorio#2"
        solved = puzzlemc("solve", level, "--json").stdout
        (layout,) = json.loads(solved)["trace"]
        done = puzzlemc("replay", level, write(tmp_path / "solved.json", solved))
        measure = "output 60 a minute, loss 0, 11 belts and inserters"
        assert (done.returncode, done.stdout) == (0, f"{level} · One gear: solves the level: {measure}\n")
        wrong = json.loads(layout)
        wrong["CONVEYOR"][2][0] = "west"
        done = puzzlemc("replay", level, write(tmp_path / "wrong.json", json.dumps(wrong)))
        found, fault, *drawing = done.stdout.splitlines()
        assert (done.returncode, found) == (2, f"{level} · One gear: invalid")
        assert "wrong.json: row 3, column 1: conveyor output: the belt to the west" in fault
        assert drawing == ["↓⇢aaa", "↓⇢aaa", "←⇢aaa", "..⇣.⇣", "..→→→"]
        wrong["CONVEYOR"].append(["empty"] * 5)
        done = puzzlemc("replay", level, write(tmp_path / "size.json", json.dumps(wrong)))
        found, fault = done.stdout.splitlines()
        assert done.returncode == 2
        assert fault.endswith("INSERTER: found 5 values, expected a list of 6")

    def test_a_fault_of_a_layout_is_at_no_move(self, tmp_path: Path) -> None:
        tiles = write(tmp_path / "a.tetravex", "Tetravex 2\n0 1 0 0\n0 2 0 0\n1 0 0 0\n2 0 0 0\n")
        done = puzzlemc("replay", tiles, "1 2 4 3")
        assert done.returncode == 2
        assert "before it" not in done.stdout

    def test_standard_input_holds_a_level_or_a_solution(self) -> None:
        done = puzzlemc("replay", "-#1", "-", text=HALL)
        assert done.returncode == 2
        assert "cannot both be standard input" in done.stderr

    def test_solutions_of_other_puzzles_are_replayed(self, tmp_path: Path) -> None:
        fold = write(tmp_path / "a.fold", "1 0 0 0\n")
        (entry,) = load(fold)
        assert run(fold, "1R 1R")[0] == 0
        code, answer = run(fold, "1R")
        assert (code, answer["status"]) == (1, "unsolved")
        code, answer = run(fold, "1L")
        assert (code, answer["reason"]) == (2, "the solution:1:1: move 1, 1L, is not legal")
        tiles = write(tmp_path / "a.tetravex", "Tetravex 2\n0 1 0 0\n0 2 0 0\n1 0 0 0\n2 0 0 0\n")
        assert entry.error is None
        assert run(tiles, "1 2 3 4")[0] == 0
        assert run(tiles, "1 2 4 3")[0] == 2
        game = write(tmp_path / "a.fabrik", "Fabrik 5 3\n")
        code, answer = run(game, "A1 B2 black")
        assert (code, answer["status"], answer["lost"]) == (1, "unsolved", None)


class TestFirstLost:
    @given(st.integers(0, 60), st.integers(0, 60))
    def test_the_first_losing_move_is_found_at_any_place(self, length: int, at: int) -> None:
        asked = []

        def decide(number: int, prove: bool) -> Result:
            asked.append(number)
            lost = number >= at
            return Result("", verdict="unsolvable" if lost else "solvable", checked=prove)

        found = first_lost(length, decide)
        if at > length:
            assert (found.move, found.reason, asked) == (None, "", [length])
        else:
            assert (found.move, found.proved) == (at, True)
            assert asked[-1] == at
            assert len(asked) < 10

    def test_an_unknown_position_leaves_an_interval(self) -> None:
        verdicts = ["solvable"] * 3 + ["unknown"] * 3 + ["unsolvable"] * 3
        found = first_lost(8, lambda number, prove: Result("", verdict=verdicts[number], reason="timeout"))
        assert (found.move, found.reason) == (None, "timeout")
        assert found.after <= 3
        assert found.before is not None
        assert found.before >= 6 or verdicts[found.before] == "unsolvable"


CRATES = """OBJECTS

background .
black

player p
white

crate *
orange

hole o
blue

LEGEND

SOUNDS

COLLISIONLAYERS

background
hole
player, crate

RULES

[ > player | crate ] -> [ > player | > crate ]

WINCONDITIONS

all crate on hole

LEVELS

..p..
..*o.
.....
"""


@pytest.mark.parametrize(
    ("inputs", "status", "move"),
    [
        ("left up down", "unsolved", None),
        ("down undo left", "unsolved", None),
        ("down restart up", "unsolved", None),
        ("left right down", "lost", 3),
        ("down undo up down left", "lost", 4),
        ("left up down right", "solves", None),
        ("left left down right undo up down right right", "solves", None),
    ],
)
def test_a_loss_that_is_undone_is_none(inputs: str, status: str, move: int | None, tmp_path: Path) -> None:
    """A move that changes nothing is no turn, and `undo` and `restart` go back."""
    level = write(tmp_path / "a.txt", CRATES)
    _, said = run(level, inputs)
    lost = said["lost"]
    assert (said["status"], lost["move"] if isinstance(lost, dict) else None) == (status, move)


def test_a_solution_that_contradicts_the_engine_is_a_bug() -> None:
    given = Given("", 1, 1, {"pushes": 1, "moves": 1}, solved=True)
    solution = Solution("", 2, True, {"pushes": 2, "moves": 5})
    known = Result("a#1", verdict="solvable", metric="pushes", solution=solution)
    assert compared(known, [given]).exit_code == REFUTED
    assert "refuted: 2 pushes, but a solution in its file has fewer" in (compared(known, [given]).reason or "")
    stuck = Result("a#1", verdict="unsolvable", metric="pushes")
    assert "refuted: unsolvable, but a solution in its file solves it" in (compared(stuck, [given]).reason or "")


def test_entries_keep_their_solutions_when_sent_to_a_worker(tmp_path: Path) -> None:
    import pickle

    (entry,) = load(write(tmp_path / "a.sok", f"{HALL}Comment: none\n\nSolution\nlurd\n"))
    again: Entry = pickle.loads(pickle.dumps(entry))
    assert again.part is not None
    assert [each.text for each in again.part.solutions] == ["lurd"]
    assert again.part.comment == ""
