"""The capability of Sokoban to change levels."""

from puzzlemc.encodings.puzzle.design.changes import Changes
from puzzlemc.encodings.sokoban.changes.closing import CLOSING
from puzzlemc.encodings.sokoban.changes.decide import decider
from puzzlemc.encodings.sokoban.changes.edits import KINDS, USUAL, single_edits
from puzzlemc.encodings.sokoban.changes.numbers import numbers
from puzzlemc.encodings.sokoban.changes.repairs import repairs

CHANGES = Changes(
    kinds=KINDS,
    edits=single_edits,
    usual=USUAL,
    repairs=repairs,
    decider=decider,
    closing=CLOSING,
    numbers=numbers,
)
