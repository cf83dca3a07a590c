"""The logic of `play`: the game, its records, advice on positions, and the visible part of the board."""

import json
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest
from advised import Inline, advised, wait
from hypothesis import given, settings
from hypothesis import strategies as st
from line_pegs import line_pegs
from oracle import SMALL, least_cost_by_rules
from strategies import levels

from puzzlemc.encodings.puzzle.by_hand import Span, scene
from puzzlemc.encodings.puzzles import Entry, puzzle
from puzzlemc.mc.errors import LimitReached, Refuted
from puzzlemc.reports.play import words
from puzzlemc.reports.play.advisor import Advisor
from puzzlemc.reports.play.answers import Advice
from puzzlemc.reports.play.progress import Progress, usual_place
from puzzlemc.reports.play.referee import Forced, Referee
from puzzlemc.reports.play.session import Session
from puzzlemc.reports.play.view import Corner, corner, picture
from puzzlemc.screens.base.errors import LevelError

SOKOBAN = puzzle("sokoban")
PUSH = "########\n#      #\n#  $.  #\n# @    #\n########\n"
GAMES = {
    "sokoban": (PUSH, "#####\n#@$.#\n#####\n", ["r", "U", "r"]),
    "folding": ("1 0 0 2\n", "1 0 0 3\n", ["1R"]),
    "tetravex": ("Tetravex 2\n0 1 2 3\n4 5 6 2\n1 7 8 9\n5 3 1 8\nPut\n0 0\n0 0\n", "", []),
    "fabrik": ("Fabrik 4 3\n", "Fabrik 5 3\n", []),
}


def entry_of(name: str, text: str) -> Entry:
    """The level in a text, as an entry."""
    found = puzzle(name)
    (level,) = found.screen.parse(text, "a text")
    return Entry("a text#1", "", found, level)


def session_of(name: str, text: str) -> Session:
    entry = entry_of(name, text)
    return Session(entry.puzzle, entry.level)


def play_some(session: Session, count: int) -> None:
    """Play the last of the legal moves, this number of times."""
    for _ in range(count):
        *_, step = session.puzzle.rules.steps(session.level, session.position)
        session.play(step.name)


# The game


def test_moves_are_taken_back_and_played_again() -> None:
    session = session_of("sokoban", PUSH)
    start = session.position
    for move in ("r", "U", "r"):
        session.play(move)
    assert (session.moves, dict(session.costs)) == (("r", "U", "r"), {"pushes": 1, "moves": 3})
    end = session.position
    assert session.undo()
    assert session.undo()
    assert (session.moves, session.at, len(session.positions)) == (("r",), 1, 2)
    assert dict(session.costs) == {"pushes": 0, "moves": 1}
    assert session.redo()
    session.undo(0)
    session.play("r")  # the same move that was taken back
    assert session.redo()
    assert session.redo()
    assert session.position == end
    assert not session.can_redo
    assert not session.redo()
    assert session.restart()
    assert (session.position, session.moves) == (start, ())
    assert not session.restart()
    assert not session.undo()
    assert session.can_redo


def test_another_move_clears_the_moves_to_redo() -> None:
    session = session_of("sokoban", PUSH)
    for move in ("r", "U", "r"):
        session.play(move)
    session.undo(1)
    session.play("r")
    assert session.moves == ("r", "r")
    assert not session.can_redo
    assert dict(session.costs) == {"pushes": 0, "moves": 2}


def test_an_illegal_move_changes_nothing() -> None:
    session = session_of("sokoban", PUSH)
    session.play("r")
    session.undo()
    with pytest.raises(Refuted, match="D is not a legal move"):
        session.play("D")
    assert session.at == 0
    assert session.can_redo


# Records


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_saved_and_read_back(name: str) -> None:
    text, _, moves = GAMES[name]
    session = session_of(name, text)
    for move in moves:
        session.play(move)
    if not moves:
        play_some(session, 3)
    again = session_of(name, text)
    again.load(session.record(), "saved")
    assert (again.moves, again.positions) == (session.moves, session.positions)
    assert again.costs == session.costs


@pytest.mark.parametrize("name", [name for name, (_, other, _) in GAMES.items() if other])
def test_a_game_of_another_level_is_refused(name: str) -> None:
    text, other, _ = GAMES[name]
    session = session_of(name, text)
    play_some(session, 1)
    before = session.moves
    with pytest.raises(LevelError, match="found a game of another level"):
        session.load(session_of(name, other).record(), "saved")
    assert session.moves == before


def test_a_broken_game_is_refused() -> None:
    session = session_of("folding", GAMES["folding"][0])
    session.play("1R")
    whole = json.loads(session.record())
    broken = [
        ("", "found no JSON"),
        (session.record()[:-5], "found no JSON"),
        ("[" * 100_000, "found no JSON"),
        ("[]", "found no level and list of moves"),
        (json.dumps({**whole, "moves": "1R"}), "found no level and list of moves"),
        (json.dumps({**whole, "moves": [1]}), "found no level and list of moves"),
        (json.dumps({**whole, "level": None}), "found no level and list of moves"),
        (json.dumps({**whole, "puzzle": "chess"}), "found a game of 'chess'"),
        (json.dumps({**whole, "moves": ["1R", "1R"]}), "move 2: 1R is not a legal move"),
    ]
    for text, message in broken:
        with pytest.raises(LevelError, match=message):
            session.load(text, "broken")
        assert session.moves == ("1R",)


# Advice on positions


def far(session: Session, position: object) -> int | None:
    """The least number of pushes to a solution, by the plain rules."""
    assert SOKOBAN.starting_at is not None
    return least_cost_by_rules(SOKOBAN, SOKOBAN.starting_at(session.level, position), "pushes")


def check_advice(advisor: Advisor, session: Session) -> None:
    """Does the advice on the position agree with the plain rules?"""
    position, best = session.position, far(session, session.position)
    advice = advisor.known(position)
    assert advice is not None
    assert advice.solvable is (best is not None)
    if best is None:
        assert advice.moves == ()
        return
    assert (advice.cost, advice.optimal) == (best, True)
    here, spent = position, 0
    for move in advice.moves:
        (step,) = (each for each in SOKOBAN.rules.steps(session.level, here) if each.name == move)
        assert not spent, "the hint continues after the next push"
        here, spent = step.position, step.costs["pushes"]
    assert spent == bool(best)
    assert far(session, here) == best - spent
    if not best:
        assert SOKOBAN.rules.solved(session.level, here)


def reports_loss(advisor: Advisor, session: Session, move: int) -> bool:
    """Is the move that lost the game known? Asserts that no other move is named."""
    named = advisor.lost_by(session.positions)
    assert named in (0, move)
    return named == move


@pytest.mark.parametrize("maps", [True, False], ids=["map", "no map"])
def test_hints_for_a_long_walk_come_push_by_push(maps: bool) -> None:
    entry = entry_of("sokoban", "##########\n#        #\n#@$     .#\n#        #\n##########\n")
    session = Session(entry.puzzle, entry.level)
    for move in "drr":  # away from the path
        session.play(move)
    with advised(entry, maps=maps) as (advisor, heard):
        for _ in range(8):
            advisor.look(session.moves, session.positions)
            wait(lambda: advisor.is_settled(session.position), heard)
            check_advice(advisor, session)
            advice = advisor.known(session.position)
            for move in advice.moves if advice is not None else ():
                session.play(move)
    assert session.is_solved


@pytest.mark.parametrize("maps", [True, False], ids=["map", "no map"])
@settings(max_examples=25)
@given(level=levels(), chances=st.lists(st.integers(0, 1000), max_size=8), hasty=st.booleans())
def test_advice_agrees_with_the_plain_rules(level: Any, chances: Sequence[int], hasty: bool, maps: bool) -> None:
    session = Session(SOKOBAN, level)
    with advised(Entry("random#1", "", SOKOBAN, level), maps=maps) as (advisor, heard):
        for chance in [0, *chances]:
            steps = list(SOKOBAN.rules.steps(level, session.position))
            pushes = [step for step in steps if step.costs["pushes"]] or steps
            if steps and chance:
                session.play((pushes if chance % 3 else steps)[chance % len(pushes if chance % 3 else steps)].name)
            advisor.look(session.moves, session.positions)
            if not hasty:
                wait(lambda: advisor.is_settled(session.position), heard)
                check_advice(advisor, session)
        wait(lambda: advisor.is_settled(session.position), heard)
        check_advice(advisor, session)
        lost = [far(session, position) is None for position in session.positions]
        first = lost.index(True) if True in lost else 0
        wait(lambda: reports_loss(advisor, session, first), heard)


@pytest.mark.parametrize("maps", [True, False], ids=["map", "no map"])
def test_the_losing_move_is_found_without_earlier_advice(maps: bool) -> None:
    entry = entry_of("sokoban", PUSH)
    session = Session(entry.puzzle, entry.level)
    for move in "rrllrUrrlldrlr":
        session.play(move)
    with advised(entry, maps=maps) as (advisor, heard):
        advisor.look(session.moves, session.positions)
        wait(lambda: reports_loss(advisor, session, 6), heard)
        wait(lambda: advisor.reason(session.positions) is not None, heard)
        news = words.lost_by(session, advisor.lost_by(session.positions), advisor.reason(session.positions))
        why = "Why: this box, in row 2, column 4, can never leave its row, and can reach no goal there."
        assert news.text == f"Lost by move 6, push up. U goes back to the position before it. {why}"
        session.play("l")  # every further position is lost at once
        advice = advisor.look(session.moves, session.positions)
        assert advice is not None
        assert advice.solvable is False
        assert advisor.lost_by(session.positions) == 6
        session.undo(5)
        assert advisor.lost_by(session.positions) == 0


def test_a_level_lost_from_the_start_has_no_losing_move() -> None:
    entry = entry_of("sokoban", "#####\n#$  #\n#.@ #\n#   #\n#####\n")
    session = Session(entry.puzzle, entry.level)
    session.play("r")
    with advised(entry, maps=True) as (advisor, heard):
        advisor.look(session.moves, session.positions)
        wait(lambda: all(advisor.is_settled(position) for position in session.positions), heard)
        assert advisor.lost_by(session.positions) == 0
        wait(lambda: advisor.reason(session.positions) is not None, heard)
        assert advisor.reason(session.positions) == (
            "this box, in row 2, column 2, can never leave its corner, and no goal is there"
        )


def test_a_lost_or_undecided_position_has_no_hint() -> None:
    session = session_of("sokoban", PUSH)
    lost = words.hint(session, Advice(False), settled=True)
    assert lost.text == "No hint: no move leads to a solution."
    undecided = words.hint(session, Advice(None, reason="timeout"), settled=True)
    assert undecided.text == "No hint: it is unknown whether a solution exists (timeout)."
    assert words.hint(session, Advice(None, reason="timeout"), settled=False).text == "Hint: searching …"


def test_a_level_without_a_reason_names_the_number_of_positions() -> None:
    searched = "None of the 27 reachable positions is solved."
    assert words.unsolvable("", 27).text == f"Lost from the start: this level has no solution. {searched}"
    assert words.unsolvable("", 0).text == "Lost from the start: this level has no solution."
    assert words.unsolvable(None, 27).text.endswith("no solution. Why? Searching …")


def test_the_message_names_the_metric() -> None:
    session = session_of("sokoban", "#####\n#@$.#\n#####\n")
    session.play("R")
    news = words.solved(session, Advice(True, 1, optimal=True))
    assert news.text == "Solved in 1 push, 1 move! No solution has fewer pushes."


# Games of two sides

FORCED = "Fabrik 4 3 black\n. X # .\n# O O X\n. . . .\n. . . .\n"


@contextmanager
def refereed(entry: Entry, worker: Any, bots: dict[int, str]) -> Iterator[tuple[Referee, threading.Event]]:
    heard = threading.Event()
    referee = Referee(entry, (worker, worker), SMALL, bots, 7, heard.set)
    referee.start()
    try:
        yield referee, heard
        assert referee.failed == ""
    finally:
        referee.close()


def test_a_forced_win_is_found_with_its_first_moves() -> None:
    entry = entry_of("fabrik", FORCED)
    session = Session(entry.puzzle, entry.level)
    with refereed(entry, Inline(), {}) as (referee, heard):
        referee.ask(session.position)
        wait(lambda: referee.known(session.position) is not None, heard)
        found = referee.known(session.position)
        assert found is not None
        assert (found.winner, found.turns, found.refuted) == (0, 3, 2)
        session.play(found.move)
        referee.ask(session.position)
        wait(lambda: referee.known(session.position) is not None, heard)
        after = referee.known(session.position)
        assert after is not None
        assert (after.winner, after.turns, after.move) == (0, 2, "")


def test_an_interrupted_search_keeps_the_refuted_number_of_turns() -> None:
    class Slow(Inline):
        def run(self, function: Any, *arguments: Any, receive: Any = None, **_: Any) -> Any:
            receive(3)
            raise LimitReached("timeout")

    entry = entry_of("fabrik", FORCED)
    session = Session(entry.puzzle, entry.level)
    with refereed(entry, Slow(), {}) as (referee, heard):
        referee.ask(session.position)
        wait(lambda: referee.known(session.position) == Forced(refuted=2, reason="timeout"), heard)


def test_a_bot_plays_the_same_for_the_same_seed() -> None:
    entry = entry_of("fabrik", "Fabrik 4 3\n")
    session = Session(entry.puzzle, entry.level)
    games = []
    for _ in range(2):
        session.restart()
        with refereed(entry, Inline(), {0: "random", 1: "greedy"}) as (referee, heard):
            for number in range(6):
                assert referee.bots_move(session.position) is None or number
                referee.ask_bot(session.position, referee.bots[session.side], number)
                wait(lambda: referee.bots_move(session.position) is not None, heard)
                session.play(cast(str, referee.bots_move(session.position)))
        games.append(session.moves)
    assert games[0] == games[1]


# The visible part of the board


@given(
    room=st.tuples(st.integers(1, 30), st.integers(1, 12)),
    size=st.tuples(st.integers(1, 60), st.integers(1, 40)),
    focus=st.tuples(st.integers(0, 59), st.integers(0, 39)),
    before=st.tuples(st.integers(0, 59), st.integers(0, 39)),
)
def test_the_view_contains_the_focus_and_moves_as_little_as_possible(
    room: tuple[int, int], size: tuple[int, int], focus: tuple[int, int], before: tuple[int, int]
) -> None:
    wide, high = size
    x, y = focus[0] % wide, focus[1] % high
    rows = [[chr(0x4E00 + 60 * line + column) for column in range(wide)] for line in range(high)]
    shown = scene(
        [tuple(Span("".join(line[start : start + 7])) for start in range(0, wide, 7)) for line in rows],
        (x, y, 1, 1),
    )
    most = (max(0, wide - room[0]), max(0, high - room[1]))
    was = Corner(min(before[0], most[0]), min(before[1], most[1]))
    at = corner(shown, room, Corner(*before))
    assert at.x <= x < at.x + room[0]
    assert at.y <= y < at.y + room[1]
    assert 0 <= at.x <= most[0]
    assert 0 <= at.y <= most[1]
    for now, then, length, place in ((at.x, was.x, room[0], x), (at.y, was.y, room[1], y)):
        if then <= place < then + length:
            assert now == then
        else:
            assert place in (now, now + length - 1)  # at the edge that it crossed
    text = picture(shown, room, at, dark=True).plain
    lines = [line.strip() for line in text.strip("\n").split("\n")]
    assert lines == ["".join(row[at.x : at.x + room[0]]) for row in rows[at.y : at.y + room[1]]]


# Progress kept between games


def test_solved_levels_are_kept_with_their_least_costs(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "puzzlemc" / "played.json"
    progress = Progress(path)
    assert progress.best("a") is None
    progress.solved("a", {"pushes": 5, "moves": 9})
    progress.solved("a", {"pushes": 5, "moves": 12})  # no better
    assert Progress(path).best("a") == {"pushes": 5, "moves": 9}
    progress.solved("a", {"pushes": 4, "moves": 30})
    assert Progress(path).best("a") == {"pushes": 4, "moves": 30}
    assert [file.name for file in path.parent.iterdir()] == ["played.json"]


def test_two_games_at_once_keep_the_progress_of_both(tmp_path: Path) -> None:
    one, other = Progress(tmp_path / "played.json"), Progress(tmp_path / "played.json")
    one.solved("a", {"moves": 3})
    other.solved("b", {"moves": 4})
    other.solved("a", {"moves": 9})
    both = Progress(tmp_path / "played.json")
    assert (both.best("a"), both.best("b")) == ({"moves": 3}, {"moves": 4})


@pytest.mark.parametrize(
    "text",
    [
        "no JSON",
        "[]",
        '{"format": "other", "version": 1, "levels": {}}',
        '{"format": "puzzlemc-played", "version": 2, "levels": {}}',
        '{"format": "puzzlemc-played", "version": 1, "levels": {"a": {"moves": -1}}}',
        '{"format": "puzzlemc-played", "version": 1, "levels": {"a": {"moves": "x"}}}',
        "[" * 100_000,
    ],
)
def test_a_file_with_other_contents_is_unchanged(tmp_path: Path, text: str) -> None:
    path = tmp_path / "played.json"
    path.write_text(text)
    progress = Progress(path)
    progress.solved("b", {"moves": 4})
    assert progress.best("b") == {"moves": 4}
    assert path.read_text() == text


def test_a_missing_folder_for_progress_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (None, tmp_path / "file" / "played.json", tmp_path):
        progress = Progress(path)
        progress.solved("a", {"moves": 4})
        assert progress.best("a") == {"moves": 4}


def test_the_environment_names_the_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert usual_place() == tmp_path / "puzzlemc" / "played.json"
    monkeypatch.setenv("HOME", str(tmp_path))
    for unusable in ("", "relative/folder"):
        monkeypatch.setenv("XDG_STATE_HOME", unusable)
        assert usual_place() == tmp_path / ".local" / "state" / "puzzlemc" / "played.json"


@pytest.mark.parametrize("maps", [True, False], ids=["map", "no map"])
def test_sums_show_that_positions_are_lost(tmp_path: Path, maps: bool) -> None:
    entry = line_pegs(tmp_path, "01011")
    session = Session(entry.puzzle, entry.level)
    with advised(entry, maps=maps) as (advisor, heard):
        advisor.look(session.moves, session.positions)
        wait(lambda: advisor.is_settled(session.position), heard)
        known = advisor.known(session.position)
        assert known is not None
        assert known.solvable
        session.play("5to3")
        session.play("2to4")
        advisor.look(session.moves, session.positions)
        wait(lambda: advisor.is_settled(session.position), heard)
        known = advisor.known(session.position)
        assert known is not None
        assert known.solvable is False
        wait(lambda: bool(advisor.reason(session.positions)), heard)
        reason = advisor.reason(session.positions)
        assert reason is not None
        assert reason.startswith("a sum is never more than ")


def test_positions_of_which_sums_say_nothing_stay_unknown(tmp_path: Path) -> None:
    entry = line_pegs(tmp_path, "01100")
    session = Session(entry.puzzle, entry.level)
    session.play("3to1")  # solved
    with advised(entry, maps=False) as (advisor, heard):
        advisor.look(session.moves, session.positions)
        wait(lambda: advisor.is_settled(session.position), heard)
        known = advisor.known(session.position)
        assert known is not None
        assert known.solvable is None
