"""Advice about positions of levels that are too large for a map."""

from threading import Event
from typing import Any

import pytest

from puzzlemc.reports.serve import positions
from puzzlemc.reports.serve.questions import Play

SOKOBAN = """title Sokoban

OBJECTS
Background
black

Wall
grey

Player
blue

Crate
orange

Target
green

LEGEND
. = Background
# = Wall
P = Player
* = Crate
@ = Crate and Target
O = Target

SOUNDS

COLLISIONLAYERS
Background
Target
Player, Wall, Crate

RULES
[ > Player | Crate ] -> [ > Player | > Crate ]

WINCONDITIONS
All Target on Crate

LEVELS

"""
# A push to the right makes a block of four crates. All positions together are far too many to be seen.
ROOM = """##############
#O...........#
#O...........#
#O......*....#
#OP.....*....#
#O..*.*......#
#O...**......#
#............#
##############
"""


def test_a_lost_position_is_said_before_the_move_that_lost_it_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "MAP_SECONDS", 0.1)
    monkeypatch.setattr(positions, "ADVICE_SECONDS", 0.5)
    sent: list[dict[str, Any]] = []
    question = Play(n=1, puzzle="puzzlescript", text=SOKOBAN + ROOM, moves=["down", "right", "right"])
    positions.play(question, sent.append, Event())
    assert "faults" not in sent[0], sent
    assert [each["kind"] for each in sent] == ["position", "advice", "advice", "why"]
    _, first, last, why = sent
    assert (first["solvable"], first["since"], first["exact"]) == (False, 3, False)
    assert (last["solvable"], last["since"]) == (False, 3)
    assert "stay for ever where none is needed" in why["words"]
