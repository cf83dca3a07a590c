"""Words of suggestions: sets of edits, and a level before and after a change."""

from collections.abc import Sequence
from itertools import zip_longest

from puzzlemc.encodings.puzzle.design.changes import Edit
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.suggest.suggestion import Suggestion, Suggestions

BETWEEN = "   "  # columns between the two drawings
MARK = "^"  # under a changed cell


def as_text(found: Suggestions) -> str:
    """The answer for people: what is known in words, and each suggestion with the level before and after it."""
    name = " · ".join(filter(None, (found.result.id, found.result.title)))
    lines = [plain(f"{name}: {found.result.verdict}"), *(plain(each) for each in found.words)]
    for number, each in enumerate(found.found, 1):
        lines += ["", plain(f"{number}. {edits_in_words(each.edits)}"), plain(_costs(found, each))]
        lines.append(side_by_side(found.drawing, each.drawing))
    return "\n".join(lines)


def _costs(found: Suggestions, each: Suggestion) -> str:
    """The costs and numbers before and after a change."""
    before, after = found.result, each.result
    words = [before.costs_in_words or before.verdict, "→", after.costs_in_words or after.verdict]
    return " ".join(words)


def edits_in_words(edits: Sequence[Edit]) -> str:
    """What is changed, as one sentence."""
    return "; ".join(edit.words for edit in edits)


def sets_of(size: int, count: int) -> str:
    """What a set of so many edits is called: a single edit, a pair, a set."""
    name = {1: "single edit", 2: "pair of edits", 3: "triple of edits"}.get(size, f"set of {size} edits")
    if count == 1:
        return name
    return "single edits" if size == 1 else name.replace(" of ", "s of ", 1)


def none_of(size: int) -> str:
    """No change of at most this number of edits; empty for none."""
    if size < 1:
        return ""
    return "no single edit" if size == 1 else f"no change of at most {size} edits"


def changed(count: int) -> str:
    """The verb for so many sets."""
    return "makes" if count == 1 else "make"


def side_by_side(before: str, after: str, between: str = BETWEEN) -> str:
    """Two drawings beside each other. Under each line that differs, signs mark the places that do."""
    old, new = before.split("\n"), after.split("\n")
    width = max(map(len, old + new))
    lines = []
    for one, other in zip_longest(old, new, fillvalue=""):
        lines.append(f"{one:<{width}}{between}{other}".rstrip())
        length = max(len(one), len(other))
        marks = "".join(
            " " if left == right else MARK
            for left, right in zip(one.ljust(length), other.ljust(length), strict=True)
        )
        if marks.strip():
            lines.append(f"{marks:<{width}}{between}{marks}".rstrip())
    return "\n".join(lines)
