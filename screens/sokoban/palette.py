"""The colours that only Sokoban has."""

from puzzlemc.screens.base.picture import Palette

PALETTE: Palette = {
    "box": ("#c98d4a", "#c98d4a"),
    "box edge": ("#8f5c22", "#8a5a24"),
    "box home": ("#4fa56b", "#459a61"),
    "box home edge": ("#246b3d", "#1f5f37"),
    "player": ("#1f5fbf", "#5b9bf5"),
    "player edge": ("#ffffff", "#10151c"),
}
