"""`suggest` on levels that the puzzle's own search cannot decide: its proofs spare an engine most edits."""

from dataclasses import replace

import pytest
from wished_levels import level_of

from puzzlemc.encodings.puzzle.design.changes import Allowed
from puzzlemc.encodings.puzzles import Entry, puzzle
from puzzlemc.encodings.sokoban.changes import repairs as own
from puzzlemc.encodings.sokoban.changes.changes import CHANGES
from puzzlemc.encodings.sokoban.changes.edits import single_edits
from puzzlemc.mc.limits import Budget
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.suggest import suggest as suggesting
from puzzlemc.reports.suggest.asked import Asked
from puzzlemc.reports.suggest.request import Request
from puzzlemc.reports.suggest.suggest import suggest
from puzzlemc.screens.sokoban import Level, draw

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


def test_pairs_that_are_made_one_after_the_other_prove_nothing_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """The box and the player can only change places at once; the own search knows this repair."""
    level = level_of("####\n##+#\n##$#\n####\n####")
    request = Request(edits=("boxes", "player"), most=2)
    entry = Entry("x", "x", puzzle("sokoban"), level)
    assert suggest(entry, request, Options()).least == 2
    known = own.repairs(level, Allowed(frozenset(request.edits), most=0), Budget())
    cut = replace(known, changes=(), reason="memory")
    changes = replace(CHANGES, repairs=lambda *_: cut)
    monkeypatch.setattr(suggesting, "changes_of", lambda _: changes)
    found = suggest(entry, request, Options())
    assert (found.found, found.least, found.total) == ((), 2, None)


@pytest.mark.parametrize("text", [ROOM, "######\n#@$. #\n######\n"])
def test_the_own_search_knows_the_level_as_it_is(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It knows whether the level is solvable where a limit has ended the engine."""
    level = level_of(text)
    solved = Asked.solved

    def undecided(self: Asked, changed: Level, seconds: float | None = None) -> Result:
        found = solved(self, changed, seconds)
        return replace(found, verdict="unknown", reason="timeout", solution=None) if changed is level else found

    monkeypatch.setattr(Asked, "solved", undecided)
    found = suggest(Entry("room", "", puzzle("sokoban"), level), Request(most=1), Options())
    if text == ROOM:
        assert found.least == 1
        assert found.found
        (said,) = found.words
        assert said.endswith("single edits make it solvable")
    else:
        assert (found.reached, found.found, found.exit_code) == (True, (), 0)
        assert found.words == ("it is solvable already, as the search for repairs has found",)


def test_pairs_that_are_made_one_after_the_other_are_no_total(monkeypatch: pytest.MonkeyPatch) -> None:
    level = level_of("######\n#$  $#\n#  ..#\n#@   #\n######")
    request = Request(edits=("boxes",), most=2, count=1_000)
    known = own.repairs(level, Allowed(frozenset(request.edits), most=0), Budget())
    changes = replace(CHANGES, repairs=lambda *_: replace(known, changes=(), reason="memory"))
    monkeypatch.setattr(suggesting, "changes_of", lambda _: changes)
    found = suggest(Entry("corners", "", puzzle("sokoban"), level), request, Options())
    assert {len(each.edits) for each in found.found} == {2}
    assert (found.least, found.total) == (2, None)
    assert all(each.best for each in found.found)
