"""The colours that only Fabrik has: stones, workers, and the table under them."""

from puzzlemc.screens.base.picture import Palette

PALETTE: Palette = {
    "table": ("#e6eaef", "#6a7685"),  # black and white stones both need contrast
    "black": ("#30353d", "#15191f"),
    "white": ("#ffffff", "#f2f4f7"),
    "worker": ("#d6453d", "#e5554d"),
    "rim": ("#4a5361", "#9aa6b5"),
    # on a terminal
    "wood": ("#c98d4a", "#c98d4a"),
    "grain": ("#8f5c22", "#8a5a24"),
    "cursor": ("#1f4e79", "#143a5c"),
}
