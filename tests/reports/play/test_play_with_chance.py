"""Levels with chance in play: hints follow a strategy whatever is drawn, else the way of a lucky player."""

import threading

import pytest
from advised import advised, wait
from oracle import SMALL
from places import ROOT

from puzzlemc.encodings.puzzles import Entry, load
from puzzlemc.reports.play import answers, words
from puzzlemc.reports.play.advisor import Advisor
from puzzlemc.reports.play.answers import Advice
from puzzlemc.reports.play.news import messages_of_puzzle
from puzzlemc.reports.play.session import Session

GAMES = ROOT / "tests" / "chance_games"


def entry(name: str) -> Entry:
    file, _, number = name.partition("#")
    return list(load([GAMES / f"{file}.txt"], "puzzlescript"))[int(number) - 1]


def settle(session: Session, advisor: Advisor, heard: threading.Event) -> None:
    """Wait for all that will be known of the position."""
    advisor.look(session.moves, session.positions)
    wait(lambda: advisor.is_settled(session.position), heard)


def shown(session: Session, advisor: Advisor) -> list[str]:
    return [each.text for each in messages_of_puzzle(session, advisor, hinted=True, distance=True)]


@pytest.mark.parametrize(
    ("name", "turns"), [("goose#2", 5), ("keys#1", 7), ("glaze#1", 8), ("lamps#2", 4), ("hedgehog#1", 10)]
)
def test_a_player_who_follows_hints_wins_whatever_is_drawn(
    name: str, turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = entry(name)
    asked = list[str]()
    solve = answers.solve_entry
    monkeypatch.setattr(answers, "solve_entry", lambda e, o, **k: asked.append(o.chance) or solve(e, o, **k))
    with advised(one, maps=False) as (advisor, heard):
        plays = set[tuple[str, ...]]()
        for _ in range(12):
            session = Session(one.puzzle, one.level)
            while not session.is_solved:
                settle(session, advisor, heard)
                advice = advisor.known(session.position)
                assert advice is not None
                assert (advice.solvable, advice.optimal, advice.sure) == (True, True, True)
                assert session.costs["turns"] + advice.cost <= turns
                session.play(advisor.to_play(session.position))
            plays.add(session.moves)
        assert len(plays) > 1, "nothing was drawn"
    assert asked == ["surely"]  # once, for all positions


def test_the_messages_say_that_the_strategy_is_sure() -> None:
    one = entry("goose#2")
    with advised(one, maps=False) as (advisor, heard):
        session = Session(one.puzzle, one.level)
        settle(session, advisor, heard)
        assert shown(session, advisor) == [
            "Won within 5 turns, whatever is drawn.",
            "Hint: go down, whatever comes. n plays it.",
        ]
        best = advisor.known(session.position)
        while not session.is_solved:
            session.play(advisor.to_play(session.position))
        assert words.solved(session, best).text == f"Solved in {session.at} turn{'s' * (session.at > 1)}!"


def test_the_first_draw_is_a_hint() -> None:
    one = entry("keys#1")
    with advised(one, maps=False) as (advisor, heard):
        session = Session(one.puzzle, one.level)
        settle(session, advisor, heard)
        assert "Hint: begin, whatever comes. n plays it." in shown(session, advisor)
        assert {advisor.to_play(session.position) for _ in range(40)} == {"start:1", "start:2"}


def test_without_a_strategy_the_hint_is_luck() -> None:
    one = entry("pads#2")
    with advised(one, maps=False) as (advisor, heard):
        session = Session(one.puzzle, one.level)
        while not session.is_solved:
            settle(session, advisor, heard)
            if session.at == 0:
                assert shown(session, advisor) == [
                    "Solvable in 3 turns with luck; no strategy is sure to win from here.",
                    "Hint: go right, outcome 2, with luck. n plays it.",
                ]
            elif session.at == 1:  # from here it is sure
                assert shown(session, advisor)[0] == "Won within 2 turns, whatever is drawn."
            session.play(advisor.to_play(session.position))
        assert session.costs["turns"] == 3


def test_a_position_that_luck_cannot_win_is_lost() -> None:
    one = entry("pads#2")
    with advised(one, maps=False) as (advisor, heard):
        session = Session(one.puzzle, one.level)
        session.play("right:1")
        settle(session, advisor, heard)
        assert advisor.known(session.position) == Advice(False)


def test_a_level_with_chance_has_no_map() -> None:
    one = entry("pads#2")
    assert answers.survey(one, SMALL) == 0
