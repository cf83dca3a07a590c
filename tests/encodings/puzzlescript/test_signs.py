"""The signs of a game as brushes."""

from places import ROOT

from puzzlemc.encodings.puzzles import puzzle
from puzzlemc.encodings.puzzlescript.signs import signs
from puzzlemc.screens.puzzlescript.game import Level

SHAFT = ROOT / "screens" / "levels" / "puzzlescript" / "shaft.txt"


def test_a_brush_shows_what_it_paints_on_the_background_of_the_level() -> None:
    level = puzzle("puzzlescript").screen.parse(SHAFT.read_text(encoding="utf-8"), "here")[0]
    assert isinstance(level, Level)
    brushes = {brush.sign: brush for brush in signs(level)}
    for sign in "_p":
        colours = {shape.colour for shape in brushes[sign].shapes}
        assert "#2b211a" in colours  # of the object Background
        assert level.game.background_colour not in colours
