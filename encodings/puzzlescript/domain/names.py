"""The names of objects in formulas.

A formula holds names of letters, digits and `_` that are no word of CTL. An object with another name, which may
have any characters, is `object_N`: the N-th object in the order of the layers.
"""

import re
from collections.abc import Mapping
from functools import lru_cache

from puzzlemc.screens.puzzlescript.game import Game

WON, SOLVED = "won", "solved"
ON = "_on_"  # between the names of two objects that a win condition is about
_NAME = re.compile(r"[a-z_][a-z0-9_]*\Z")
_RESERVED = {WON, SOLVED, "stuck", "dead", "and", "or", "not", "true", "false"}


@lru_cache(maxsize=16)
def formula_names(game: Game) -> Mapping[str, str]:
    """Object -> its name in formulas."""
    found: dict[str, str] = {}
    for number, name in enumerate(game.objects, 1):
        shown = name if _NAME.match(name) and name not in _RESERVED else f"object_{number}"
        while shown != name and shown in game.objects:
            shown += "_"
        found[name] = shown
    return found
