"""The instructions of a game: its goal and its keys."""

import pytest
from places import ROOT

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.encodings.puzzlescript.instructions import instructions

SHAFT = (ROOT / "screens" / "levels" / "puzzlescript" / "shaft.txt").read_text(encoding="utf-8")
GOAL = "All Plate on Boulder"
PROPERTY = "\n".join(["", "Thing = Plate or Boulder", "Both = Plate and Boulder", ""])


def read(text: str) -> str:
    """The goal and the keys of a game."""
    found = instructions(puzzle("puzzlescript").screen.parse(text, "here")[0])
    return f"{found.goal} {found.keys}"


def test_a_game_tells_its_goal_and_its_keys() -> None:
    assert "noaction\n" in SHAFT
    assert read(SHAFT) == "Goal: all Plate on Boulder. The arrow keys move the player."
    clock = SHAFT.replace("noaction\n", "realtime_interval 0.5\n")
    assert read(clock).endswith("The arrow keys move the player; X is the action; the full stop lets time pass.")


@pytest.mark.parametrize(
    ("lines", "goal"),
    [
        ("any Thing (of two)\nNo BOTH", "some Thing (Plate or Boulder), and no BOTH (Plate and Boulder)."),
        ("Some Miner ON Thing", "some Miner on Thing (Plate or Boulder)."),
        ("no plate\nall boulder on", "no plate, and all boulder."),
    ],
)
def test_win_conditions_are_said_with_the_objects_of_their_names(lines: str, goal: str) -> None:
    text = SHAFT.replace("\nPlayer = ", f"{PROPERTY}Player = ", 1).replace(GOAL, lines)
    assert read(text).startswith(f"Goal: {goal} The arrow keys")


def test_a_rule_may_win() -> None:
    wins = SHAFT.replace("RULES\n======\n", "RULES\n======\n\n[ Player | Plate ] -> win\n", 1)
    assert read(wins).startswith("Goal: all Plate on Boulder. A rule of the game may win, too.")
    assert read(wins.replace(GOAL, "")).startswith("A rule of the game says when it is won.")
    assert read(SHAFT.replace(GOAL, "")).startswith("The game has no goal.")
