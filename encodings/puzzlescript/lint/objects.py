"""Names that stand for nothing: objects that no level can have, and names of the legend that nothing uses."""

import re
from collections import Counter
from collections.abc import Iterator

from puzzlemc.encodings.puzzlescript.lint.knowledge import Knowledge, Remark

_OF_ENGINE = ("player", "background")  # names that need no use


def absent_objects(known: Knowledge) -> Iterator[Remark]:
    """Yield each object that no level holds, and that no rule which can apply makes."""
    for name in known.game.objects:
        if name not in known.possible:
            line, column = known.source.objects[name]
            words = known.absence(frozenset((name,)))
            yield Remark(line, column, f"object {known.spelled(name)} is never there: {words}")


def unused_names(known: Knowledge) -> Iterator[Remark]:
    """Yield each name of the legend that stands nowhere else in the game.

    A name of one character is a sign of levels, and no warning: many games have a legend for all their objects. A
    word in a comment counts as a use.
    """
    source = known.source
    words = Counter(re.findall(r"\w+", known.game.text.lower()))
    for name in (*source.synonyms, *source.aggregates, *source.properties):
        is_word = len(name.name) > 1 and re.fullmatch(r"\w+", name.name)
        if is_word and words[name.name] < 2 and name.name not in _OF_ENGINE:
            yield Remark(name.line, name.column, f"name {name.name} of the legend is never used")
