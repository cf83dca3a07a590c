"""In a worker: the verdicts and the pictures of all levels of a text, such as a game whose rules have changed.

Each level has a key, which is equal for levels with equal verdicts. The keys come first: the page has the verdicts
of levels that a change did not touch. The others are judged with a short limit of time, and those that it does not
decide again with a longer one, after all the others. Digests of the rows of levels tell which ones were moved.
"""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from hashlib import sha256
from itertools import islice
from threading import Event
from typing import Any

import msgspec

from puzzlemc.encodings.puzzles import Entry, puzzles
from puzzlemc.mc.errors import LIMITS
from puzzlemc.reports.ask.lint import remarks
from puzzlemc.reports.crew.identity import identify
from puzzlemc.reports.documents.levels import MOST_LEVELS, SOURCE, stripped
from puzzlemc.reports.serve.answers import QUICK, Send, brief, refused, start_picture
from puzzlemc.reports.serve.questions import Review
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.solve import placed_warnings, solve_entry
from puzzlemc.screens.base.errors import LevelError

FIRST = replace(QUICK, timeout=0.3)
DIGITS = 32  # of a key
NO_KEY = ""  # of a level with an error, which is always answered


def review(asked: Review, send: Send, wanted: Event) -> None:
    """Answer with the keys of all levels of a text; then with what the page does not know: verdicts and pictures.

    The warnings about them come after the first verdicts. A text that cannot be cut has no levels.
    """
    every = _entries(asked.puzzle, asked.text)
    levels = every[:MOST_LEVELS]
    keys = [_key(each) for each in levels]
    rows = [_digest(_rows(each).encode("utf-8", "surrogatepass")) for each in levels]
    send({"kind": "levels", "titles": [each.title for each in levels], "keys": keys, "rows": rows})
    known = {*asked.known} - {NO_KEY}
    order = sorted(range(len(levels)), key=lambda number: (number < asked.first, number))
    new = [number for number in order if keys[number] not in known]
    for options in (FIRST, QUICK):
        left = []
        for number in new:
            found = levels[number]
            if found.error is not None:
                send(_answer(number, keys, refused(found.error), final=True))
                continue
            result = solve_entry(found, options, cancelled=wanted)
            if wanted.is_set():
                return
            final = options is QUICK or _is_decided(result)
            if final or result.trace is not None:
                send(_answer(number, keys, brief(result), final=final))
            if not final:
                left.append(number)
            if options is FIRST:
                _send_picture(number, found, known, send)
        if options is FIRST:
            for number in order:
                if number not in new and not wanted.is_set():
                    _send_picture(number, levels[number], known, send)
            send({"kind": "lint", "warnings": _warnings(every)})
        new = left


def _entries(puzzle: str, text: str) -> list[Entry]:
    """The levels of a text, one more than are answered at most; none if all of them are errors."""
    if puzzle not in puzzles():
        return []
    rules = puzzles()[puzzle]
    parts = list(islice(rules.screen.cut(text, SOURCE), MOST_LEVELS + 1))
    if all(isinstance(each, LevelError) for each in parts):
        return []
    return [
        Entry(f"{rules.name}#{number}", "", rules, error=each)
        if isinstance(each, LevelError)
        else Entry(f"{rules.name}#{number}", each.title, rules, part=each)
        for number, each in enumerate(parts, start=1)
    ]


def _rows(entry: Entry) -> str:
    """What is of a level alone, without messages and comments above it: the same when it is moved."""
    part = entry.part
    if part is None or part.own is None:
        return entry.text or ""
    return stripped("\n".join(part.own.text.split("\n")[part.line - part.own.first :]))


def _key(entry: Entry) -> str:
    """The key of a level."""
    if entry.error is not None:
        return NO_KEY
    written = entry.puzzle.text.sliced_content
    if written is None:
        return identify(entry).content.hex()[:DIGITS]
    return _digest(f"{entry.puzzle.name}\n{written(entry.level)}".encode("utf-8", "surrogatepass"))


def _digest(written: bytes) -> str:
    return sha256(written).hexdigest()[:DIGITS]


def _is_decided(result: Result) -> bool:
    """Would a longer search find the same?"""
    return result.verdict == "unsolvable" or (result.verdict == "solvable" and result.optimal is not False)


def _answer(number: int, keys: Sequence[str], found: dict[str, Any], *, final: bool) -> dict[str, Any]:
    return {"kind": f"level {number}", "number": number, "key": keys[number], "final": final, **found}


def _send_picture(number: int, found: Entry, known: Iterable[str], send: Send) -> None:
    """Answer with the picture of a level, or with its digest alone if the page knows it."""
    if found.error is not None:
        return
    with suppress(*LIMITS):  # the rules at the start of a level of a game may never end
        picture = start_picture(found)
        look = _digest(msgspec.json.encode(picture))
        shown = {} if look in known else {"picture": picture}
        level = identify(found).content.hex()
        send({"kind": f"picture {number}", "number": number, "look": look, "level": level, **shown})


def _warnings(levels: Sequence[Entry]) -> list[dict[str, Any]]:
    """What is odd in a text, in the order of its lines.

    That is what its reader and lint say. Lint says nothing if a level has an error, or if the text has more levels
    than are read.
    """
    found = {each for level in levels[:MOST_LEVELS] if level.error is None for each in placed_warnings(level)}
    if len(levels) <= MOST_LEVELS:
        found |= {(line, column, words) for _, line, column, words in remarks(levels)}
    return [{"message": words, "line": line, "column": column or None} for line, column, words in sorted(found)]
