"""Solutions as a person pastes them: read in any spelling, and judged by the plain rules alone."""

from importlib.resources import files
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from puzzlemc.encodings.puzzles import Entry, load, puzzle
from puzzlemc.reports.ask.pasted import judged
from puzzlemc.reports.documents.levels import entry
from puzzlemc.reports.play.records import write
from puzzlemc.screens.base.errors import LevelError

LEVELS = Path(str(files("puzzlemc.screens"))) / "levels"
HALL = "########\n#      #\n# $@ . #\n#      #\n########\nTitle: Hall\n"
CHANCE = Path(__file__).parents[2] / "chance_games"
BEST = list("ulldRRR")


def hall() -> Entry:
    return entry("sokoban", HALL)


def first(name: str) -> Entry:
    return load([str(LEVELS / name)])[0]


@pytest.mark.parametrize(
    "text",
    [
        "ulldRRR",
        "ulldrrr",  # the case of letters does not matter
        "ULLD3R",
        "u2ld 3r",
        "up left left down 3 right",
        "up, left, left, Down, right, 2right",
        "↑←←↓\n→→→",
        '{"moves": ["u", "l", "l", "d", "R", "R", "R"]}',
        '{"trace": "ulldRRR", "moves": 7}',
        f"{HALL}\nulldRRR\n",
        write(puzzle("sokoban"), hall().level, BEST),
    ],
)
def test_a_solution_is_right_in_any_spelling(text: str) -> None:
    done = judged(hall(), text, "x")
    assert (done.moves, done.costs, done.read, done.solved, done.since) == (
        BEST,
        {"pushes": 3, "moves": 7},
        7,
        True,
        7,
    )


@pytest.mark.parametrize(
    ("text", "legal", "message"),
    [
        ("lll", 1, "x:1:2: move 2, l, is not legal: behind the box at row 3, column 2 is a wall"),
        ("ulldrrr\nq", 7, "x:2:1: move 8, q, is not legal: expected one of l u r d"),
        ("3right 9r", 3, "x:1:9: move 4, r, is not legal: there is a wall at row 3, column 8"),
        ("Up 5 Up", 1, "x:1:6: move 2, Up, is not legal: expected one of l u r d"),
    ],
)
def test_the_wrong_move_is_named_with_the_reason(text: str, legal: int, message: str) -> None:
    done = judged(hall(), text, "x")
    assert (len(done.moves), done.read, done.solved) == (legal, legal, False)
    assert message in str(done.fault)


@pytest.mark.parametrize(
    ("text", "message"), [("hello", "1:1: found 'h', expected l u r d"), ("2(rU", "brackets")]
)
def test_a_text_without_moves_is_refused(text: str, message: str) -> None:
    with pytest.raises(LevelError, match="found") as caught:
        judged(hall(), text, "x")
    assert message in str(caught.value)


def test_moves_after_the_solution_and_moves_that_end_before_it() -> None:
    more = judged(hall(), "ulldRRRl", "x")
    assert (more.solved, more.since) == (True, 7)  # a step aside
    over = judged(hall(), "ulldRRRR", "x")
    assert (over.solved, over.since, over.fault) == (False, 7, None)
    short = judged(hall(), "ulldRR", "x")
    assert (short.solved, short.since, short.fault) == (False, None, None)


@pytest.mark.parametrize(
    ("name", "text", "moves", "fault"),
    [
        ("puzzlescript/shaft.txt", "RRR", ["right"] * 3, ""),
        ("puzzlescript/shaft.txt", "3r", ["right"] * 3, ""),
        ("puzzlescript/shaft.txt", "left right undo 3 right", ["right"] * 3, ""),  # `left` changes nothing
        (
            "puzzlescript/shaft.txt",
            "rrx",
            ["right"] * 2,
            "1:3: move 3, action, is not legal: found 'action', expected one of up",
        ),
        (
            "puzzlescript/shaft.txt",
            "rrrl",
            ["right"] * 3,
            "1:4: move 4, left, is not legal: the level is won already",
        ),
        ("folding/first_folds.fold", "1r", ["1R"], ""),
        ("folding/first_folds.fold", "3r", [], "1:1: move 1, 3r, is not legal: legal moves are 1R"),
        (
            "folding/first_folds.fold",
            "1R 1U",
            ["1R"],
            "1:4: move 2, 1U, is not legal: the level is solved before it",
        ),
        (
            "pddl/ferry.pddl",
            "(sail island north)\n(sail island north)",
            ["sail(island,north)"],
            "2:1: move 2, sail",
        ),
        (
            "fabrik/boards.fabrik",
            "b1-c3/d2 Z9",
            ["B1-C3/D2"],
            "1:10: move 2, Z9, is not legal: legal moves are D1",
        ),
    ],
)
def test_moves_of_any_puzzle_are_read(name: str, text: str, moves: list[str], fault: str) -> None:
    done = judged(first(name), text, "x")
    assert (done.moves, done.solved) == (moves, not fault)
    assert fault in str(done.fault)


def test_draws_are_named_and_keys_that_go_back_too() -> None:
    level = load([str(CHANCE / "pads.txt")])[0]
    done = judged(level, "right:2 undo right:2 right right down", "x")
    assert (done.moves, done.solved, done.costs) == (["right:2", "right", "right", "down"], True, {"turns": 4})
    back = judged(level, "right:2 right undo undo", "x")
    assert (back.moves, back.costs, back.read, back.solved) == ([], {"turns": 0}, 4, False)


def test_a_saved_game_of_two_sides_is_read() -> None:
    level = first("fabrik/boards.fabrik")
    done = judged(level, write(level.puzzle, level.level, ["B1-C3/D2"]), "x")
    assert (done.moves, done.solved, done.fault) == (["B1-C3/D2"], False, None)


@given(st.text("lurdLURD", max_size=30))
def test_the_judgement_is_that_of_the_plain_rules(text: str) -> None:
    level, rules = hall().level, puzzle("sokoban").rules
    position, legal = rules.start(level), 0
    for letter in text:  # a letter means the step of its direction
        steps = {step.name.lower(): step for step in rules.steps(level, position)}
        if letter.lower() not in steps:
            break
        position, legal = steps[letter.lower()].position, legal + 1
    if legal:  # else the text has no moves, or the first one is wrong
        done = judged(hall(), text, "x")
        assert (done.read, done.fault is None) == (legal, legal == len(text))
        assert done.solved == (legal == len(text) and rules.solved(level, position))
