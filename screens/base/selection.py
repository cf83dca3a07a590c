"""Selects levels of a file: `FILE#3`, `FILE#3-7`, `FILE#3,5,9`, or `FILE#Title`.

A selection that consists of numbers gives the places of levels, from 1. A title that consists of numbers is given
with an equals sign before it, `FILE#=1001`, and so is a title that begins with an equals sign.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import Part

SIGN = "#"
LITERAL = "="  # before a title that looks like numbers

MOST_NAMED = 5  # levels in a message
MOST_NEAR = 10_000  # titles that are searched for similar ones
MOST_TITLE = 100  # characters of a title that are shown or compared

_PLACES = re.compile(r"[0-9]{1,9}(?:-[0-9]{1,9})?(?:,[0-9]{1,9}(?:-[0-9]{1,9})?)*+", re.ASCII)


def is_places(which: str) -> bool:
    """Return whether a selection gives the places of levels, and no title."""
    return _PLACES.fullmatch(which) is not None


def selected(
    which: str, levels: Sequence[Part | LevelError], source: str
) -> Iterator[tuple[int, Part | LevelError]]:
    """Yield the selected levels with their places from 1. Raises LevelError before the first."""
    for first, last in _spans(which, levels, source):
        for place in range(first, last + 1):
            yield place, levels[place - 1]


def _spans(which: str, levels: Sequence[Part | LevelError], source: str) -> list[tuple[int, int]]:
    """Return the first and the last place of each selected run of levels. Raises LevelError."""
    if not is_places(which):
        place = _titled(which, levels, source)
        return [(place, place)]
    spans = []
    for span in which.split(","):
        first, _, last = span.partition("-")
        spans.append((int(first), int(last or first)))
        if spans[-1][0] > spans[-1][1]:
            raise LevelError(f"found {SIGN}{which}, expected the smaller number of {span} first", source=source)
    if min(first for first, _ in spans) < 1 or max(last for _, last in spans) > len(levels):
        _raise_if_wrong_as_a_whole(levels)
        numbers = "a number" if which.isdecimal() else "numbers"
        same = _places(which, levels)
        hint = f"; {SIGN}{LITERAL}{which} is the level of that title" if same else ""
        message = f"has {_counted(levels)}, expected {numbers} from 1 to {len(levels)}, found {SIGN}{which}{hint}"
        raise LevelError(message, source=source)
    return spans


def _titled(which: str, levels: Sequence[Part | LevelError], source: str) -> int:
    """Return the place of the only level with that title. Raises LevelError if there is none, or more than one."""
    title = which.removeprefix(LITERAL).strip()
    if not title:
        message = f"found nothing after {SIGN}, expected a number, numbers such as 3-7 or 3,5, or a title"
        raise LevelError(message, source=source)
    places = _places(title, levels)
    if len(places) == 1:
        return places[0]
    _raise_if_wrong_as_a_whole(levels)
    if places:
        shown = ", ".join(f"{SIGN}{place}" for place in places[:MOST_NAMED])
        more = " …" if len(places) > MOST_NAMED else ""
        message = f"found {len(places)} levels with the title {_shown(title)}, expected one of {shown}{more}"
        raise LevelError(message, source=source)
    message = f"found no level with the title {_shown(title)} among {_counted(levels)}{_near(title, levels)}"
    raise LevelError(message, source=source)


def _places(title: str, levels: Sequence[Part | LevelError]) -> list[int]:
    return [place for place, item in enumerate(levels, 1) if isinstance(item, Part) and item.title == title]


def _near(title: str, levels: Sequence[Part | LevelError]) -> str:
    """Return the part of a message that lists similar titles, empty if there are none."""
    titles: dict[str, list[tuple[int, str]]] = {}
    for place, item in enumerate(levels[:MOST_NEAR], 1):
        if isinstance(item, Part) and item.title:
            titles.setdefault(item.title[:MOST_TITLE].casefold(), []).append((place, item.title))
    if not titles:
        return "" if len(levels) > MOST_NEAR else ", none of which has a title"
    wanted = title[:MOST_TITLE].casefold()
    near = [each for each in titles if wanted in each] + get_close_matches(wanted, titles, MOST_NAMED)
    found = [(place, name) for each in dict.fromkeys(near) for place, name in titles[each]]
    if not found:
        return ""
    names = ", ".join(f"{SIGN}{place} {_shown(name)}" for place, name in found[:MOST_NAMED])
    return f"; similar titles: {names}"


def _shown(title: str) -> str:
    return repr(title if len(title) <= MOST_TITLE else f"{title[:MOST_TITLE]}…")


def _counted(levels: Sequence[Part | LevelError]) -> str:
    return "1 level" if len(levels) == 1 else f"{len(levels)} levels"


def _raise_if_wrong_as_a_whole(levels: Sequence[Part | LevelError]) -> None:
    """Raise the error of a whole text, which is more helpful than the number of its levels."""
    if len(levels) == 1 and isinstance(levels[0], LevelError):
        raise levels[0]
