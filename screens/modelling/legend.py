"""A legend: what each sign of a board stands for.

    {"#": "wall", ".": "floor", "@": "sledge on floor", "!": "flag on floor"}

A sign stands for words. Those behind `on` lie below those before it.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.nearest import nearest
from puzzlemc.screens.base.comments import SIGN

BLANK = " "  # no cell, unless the legend has it
EMPTY_ROW = "_"  # a row without cells, or of blanks: a blank line would end the level

_ON = re.compile(r"(?:^|\s+)on(?:\s+|$)")


class Legend:
    """The signs of a board and their words. Several signs may have the same words: the first one is written.

    words    of each sign, the topmost first
    order    all words, the lower ones first. Of two words that never lie on each other, the first one in the
             legend is the lower one
    grounds  the words that lie on no other
    """

    def __init__(self, legend: Mapping[str, str]) -> None:
        """Read a legend. Raises ModelError."""
        if not isinstance(legend, Mapping) or not legend:
            raise ModelError(
                f"the legend of a grid: found {legend!r}, expected signs and words, as {{'#': 'wall'}}"
            )
        self.words = {sign: _words(sign, meaning) for sign, meaning in legend.items()}
        self.order = _ordered(self.words.values())
        self.grounds = frozenset(self.order) - {word for words in self.words.values() for word in words[:-1]}

    @cached_property
    def known(self) -> str:
        """All signs, for messages."""
        return " ".join("a blank" if sign == BLANK else sign for sign in self.words)

    def check(self, word: str, where: str) -> None:
        """Raise ModelError for a word that no sign has. `where` says who uses it."""
        if word not in self.order:
            near = nearest(str(word), self.order)
            raise ModelError(f"{where}: found {word!r}, expected one of: {', '.join(self.order)}{near}")

    def nearest_sign(self, words: Collection[str]) -> str:
        """Return the sign with these words, or else with some of them, the highest ones; a blank without one."""
        exact = self.signs.get(frozenset(words))
        if exact is not None:
            return exact
        height = {word: place for place, word in enumerate(self.order)}
        most: tuple[tuple[int, ...], str] = ((), BLANK)
        for found, sign in self.signs.items():
            if found <= frozenset(words):
                most = max(most, (tuple(sorted((height[word] for word in found), reverse=True)), sign))
        return most[1]

    @cached_property
    def signs(self) -> dict[frozenset[str], str]:
        """The first sign of each set of words."""
        found: dict[frozenset[str], str] = {}
        for sign, words in self.words.items():
            found.setdefault(frozenset(words), sign)
        return found


def _words(sign: str, meaning: str) -> tuple[str, ...]:
    """Return the words of a sign, the topmost first. Raises ModelError."""
    where = f"the legend of a grid: {sign!r}"
    if not isinstance(sign, str) or len(sign) != 1 or not sign.isprintable() or (sign.isspace() and sign != BLANK):
        raise ModelError(f"{where}: found a sign that is no character, expected one that can be seen, or a blank")
    if sign == SIGN:
        raise ModelError(f"{where}: found the sign that begins a comment, expected another one")
    words = tuple(_ON.split(meaning.strip())) if isinstance(meaning, str) else ()
    if not words or not all(words) or len({*words}) != len(words):
        raise ModelError(f"{where}: found {meaning!r}, expected a word, or several, as 'box on floor'")
    return words


def _ordered(signs: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
    """Return all words, the lower ones first. Raises ModelError if there is no such order."""
    below: dict[str, set[str]] = {}
    for words in signs:
        for place, word in enumerate(words):
            below.setdefault(word, set()).update(words[place + 1 :])
    order: list[str] = []
    while len(order) < len(below):
        lowest = next((word for word, under in below.items() if word not in order and under <= {*order}), None)
        if lowest is None:
            found = ", ".join(word for word in below if word not in order)
            raise ModelError(f"the legend of a grid: found that {found} lie on each other, expected an order")
        order.append(lowest)
    return tuple(order)


def listed(words: str | Iterable[str]) -> tuple[str, ...]:
    """Return one word, or several, as a tuple."""
    return (words,) if isinstance(words, str) else tuple(words)
