"""Games whose boards look like those of Sokoban and mean something else: such boards are refused by name.

The key `Game` or `Variant` of a `.sok` file names the game, which is Sokoban unless another one is named. On a
board of Hexoban or Trioban, cells have other neighbours. `Boxorder` and `Goalorder`, the keys of Sokoban+, give
each box a goal of its own. `.slc` files have the same names as attributes and elements.
"""

import os
import re
from bisect import bisect_right

from puzzlemc.screens.base.signatures import unpacked_name

_BY_SUFFIX = {".hsb": "Hexoban", ".sokohex": "Hexoban", ".tsb": "Trioban", ".sokotri": "Trioban"}

_NAMES, _ORDERS = ("game", "variant"), ("boxorder", "goalorder")
KEYS = (*_NAMES, *_ORDERS)
_KEYED = re.compile(rf"^[ \t]*+({'|'.join(KEYS)})[ \t]*[:=][ \t]*(\S.*)", re.MULTILINE | re.IGNORECASE)
_SAME = re.compile(r"(?:(?:classic|normal|regular|standard|x?sokoban)\b[ \t()/-]*+)+", re.IGNORECASE)


def refusal(key: str, value: str) -> str:
    """Return why a key with a value makes a board none of Sokoban, empty if it does not."""
    key, value = key.lower(), value.strip()
    if key in _ORDERS:
        return f"found {key.title()}, which gives each box a goal of its own, expected Sokoban" if value else ""
    is_name = key in _NAMES and re.search(r"[^\W\d_]", value)
    return f"found the game {value[:40]!r}, expected Sokoban" if is_name and not _SAME.fullmatch(value) else ""


def game_of_file(source: str) -> str:
    """Return the other game whose files have the suffix of this one, empty if there is none."""
    return _BY_SUFFIX.get(os.path.splitext(unpacked_name(source))[1].lower(), "")


def refusals(text: str, spans: list[tuple[int, int]]) -> dict[int, tuple[int, str]]:
    """Return for each board of another game the place of the key that says so in the text, and the message.

    `spans` are the starts and ends of the boards. A game that is named above the first board is that of all boards
    for which no other one is named. A key between two boards belongs to the board that it touches, and to
    both if it touches neither or both.
    """
    found: dict[int, tuple[int, str]] = {}
    named = set[int]()
    ends = [end for _, end in spans]
    of_all: tuple[int, str] | None = None
    for keyed in _KEYED.finditer(text):
        place, message = keyed.start(1), refusal(keyed[1], keyed[2])
        below = bisect_right(ends, place)
        is_name = keyed[1].lower() in _NAMES
        if below == 0 and is_name:
            of_all = of_all or ((place, message) if message else None)
            continue
        for board in _owners(text, spans, below, place):
            named |= {board} if is_name else set()
            if message:
                found.setdefault(board, (place, message))
    if of_all is not None:
        found = {board: of_all for board in range(len(spans)) if board not in named} | found
    return found


def _owners(text: str, spans: list[tuple[int, int]], below: int, place: int) -> list[int]:
    """Return the boards to which a key above the board `below` belongs."""
    if below in (0, len(spans)):
        return [min(below, len(spans) - 1)]
    above = below - 1
    touches_above = text.find("\n\n", spans[above][1], place) < 0
    touches_below = text.find("\n\n", place, spans[below][0]) < 0
    if touches_above == touches_below:
        return [above, below]
    return [above if touches_above else below]
