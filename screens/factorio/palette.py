"""The colours that only Factorio has: those of a blueprint."""

from puzzlemc.screens.base.picture import Palette

PALETTE: Palette = {
    "plan": ("#1f4e79", "#143a5c"),
    "plan line": ("#3f76a8", "#2c5c88"),
    "chalk": ("#eaf3fb", "#dbe8f4"),
    "machine": ("#2f6699", "#24547f"),
}
