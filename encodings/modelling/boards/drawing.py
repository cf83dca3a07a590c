"""How boards are drawn by hand: a brush for each sign of the legend."""

from puzzlemc.encodings.puzzle.drawing import Brush, Drawing
from puzzlemc.screens.modelling.grid import GridReader
from puzzlemc.screens.modelling.legend import BLANK, EMPTY_ROW, Legend
from puzzlemc.screens.modelling.pictures import cell

KEYS = "abcdefghijklmnopqrstuvwxyz123456789"
NO_CELL = "no cell"


def drawing(reader: GridReader, first: str = "") -> Drawing:
    """How the boards of a reader are drawn. `first` is the text of a level to begin with."""
    legend = reader.legend
    blank = _blank(reader)
    signs = [blank, *(sign for sign in legend.signs.values() if sign != blank)]
    taken = set[str]()
    brushes = []
    for sign in signs:
        name = sign_name(legend, sign)
        brushes.append(Brush(sign, name, _key(name, taken), cell(legend, reader.looks, legend.words[sign])))
    if BLANK not in legend.words:
        brushes.append(Brush(BLANK, NO_CELL, _key(NO_CELL, taken)))
    other = {sign: legend.signs[frozenset(words)] for sign, words in legend.words.items() if sign not in signs}
    hollow = EMPTY_ROW if EMPTY_ROW not in legend.words else ""
    return Drawing(
        brushes=tuple(brushes),
        first=first or _first(reader, blank),
        hollow=hollow,
        outside=BLANK,
        other=other | ({hollow: BLANK} if hollow else {}),
        onto=_onto(legend, signs),
        single=tuple(_without(legend, word, blank) for word in reader.single),
    )


def _blank(reader: GridReader) -> str:
    """The sign of new cells: one word, below the most others, rather no wall, and none that a level has once."""
    legend = reader.legend
    below = {word: sum(word in words[1:] for words in legend.words.values()) for word in legend.order}

    def unfit(sign: str) -> tuple[bool, int, bool, bool]:
        top, *others = legend.words[sign]
        return bool(others), -below[top], top == "wall", top in reader.single

    return min(legend.signs.values(), key=unfit)


def sign_name(legend: Legend, sign: str) -> str:
    """The words of a sign, without its ground if no other sign has the same other words."""
    words = legend.words[sign]
    alike = [each for each in legend.signs if len(each) > 1 and each - legend.grounds == {*words} - legend.grounds]
    short = [word for word in words if word not in legend.grounds]
    return " on ".join(short if short and len(alike) == 1 else words)


def _key(name: str, taken: set[str]) -> str:
    """The first letter of a name that is no key yet, or another letter or digit; empty if all are taken."""
    found = next((letter for letter in name.lower() + KEYS if letter in KEYS and letter not in taken), "")
    taken.add(found)
    return found


def _onto(legend: Legend, signs: list[str]) -> dict[str, str]:
    """For a sign painted on another: the sign with the words of both, or of both without the topmost old one."""
    found = {}
    for painted in signs:
        own = legend.words[painted]
        for old in signs:
            words = legend.words[old]
            if own[0] == words[0] and {*own} < {*words}:
                found[f"{painted} {old}"] = old
                continue
            both = legend.signs.get(frozenset(own + words))
            if both is None:
                both = legend.signs.get(frozenset(own + words[1:]))
            if both not in (None, painted, old):
                found[f"{painted} {old}"] = both
    return found


def _without(legend: Legend, word: str, blank: str) -> dict[str, str]:
    """The signs with a word, and what each is without it."""
    return {sign: legend.signs.get(found - {word}, blank) for found, sign in legend.signs.items() if word in found}


def _first(reader: GridReader, blank: str) -> str:
    """A small board with each word that a level has once, and each sign in which something lies on the ground."""
    once = [next(sign for found, sign in reader.legend.signs.items() if word in found) for word in reader.single]
    others = [
        sign
        for sign, words in reader.legend.words.items()
        if len(words) > 1 and {*words}.isdisjoint(reader.single) and sign in reader.legend.signs.values()
    ]
    inside = [*once, *others] or [blank]
    edge = blank * (len(inside) + 2)
    rows = (edge, blank + "".join(inside) + blank, edge)
    return "\n".join(row.rstrip() or EMPTY_ROW for row in rows)
