"""`suggest` on levels that the puzzle's own search cannot decide: its proofs spare an engine most edits."""

import pytest
from wished_levels import level_of

from puzzlemc.encodings.puzzle.design.changes import Allowed
from puzzlemc.encodings.puzzles import Entry, puzzle
from puzzlemc.encodings.sokoban.changes import repairs as own
from puzzlemc.encodings.sokoban.changes.edits import single_edits
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.suggest.request import Request
from puzzlemc.reports.suggest.suggest import suggest
from puzzlemc.screens.sokoban import draw

ROOM = """\
########
#$     #
#  $ . #
# @   .#
########
"""


def test_an_engine_decides_the_edits_that_no_proof_covers(monkeypatch: pytest.MonkeyPatch) -> None:
    level = level_of(ROOM)
    allowed = Allowed(frozenset(["boxes"]), most=1)
    expected = {draw(change.level) for change in own.repairs(level, allowed, Budget()).changes}
    monkeypatch.setattr(own, "MOST_POSITIONS", 20)
    known = own.repairs(level, allowed, Budget())
    assert (known.least, known.complete, known.reason) == (1, False, "memory")
    request = Request("solvable", edits=("boxes",), most=1, count=1_000)
    found = suggest(Entry("room", "", puzzle("sokoban"), level), request, Options(timeout=60))
    assert {each.level for each in found.found} == expected
    assert (found.least, found.total, found.reason) == (1, len(expected), None)
    edits = len(list(single_edits(level, allowed)))
    assert len(expected) < found.tried < edits
