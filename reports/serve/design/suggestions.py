"""In a worker: changes of a level that reach a wish, each with its picture and with what differs on the board."""

import time
from collections.abc import Sequence
from threading import Event
from typing import Any

from puzzlemc.encodings.puzzle.design.changes import Cell
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import ModelError
from puzzlemc.reports.documents.levels import entry
from puzzlemc.reports.formats.shapes import picture
from puzzlemc.reports.serve.answers import MEMORY, SECONDS, Send, tiles
from puzzlemc.reports.serve.design.rows import rows_of
from puzzlemc.reports.serve.questions import Suggest
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.suggest.request import HARDER, LONGER, SHORTER, Request
from puzzlemc.reports.suggest.suggest import suggest
from puzzlemc.reports.suggest.suggestion import Suggestion
from puzzlemc.screens.base.errors import LevelError

QUICK_SECONDS = 1.5  # after each stroke; the next one ends it
MOST_EDITS = 3
MOST_QUICK = 2  # edits
MOST = 6  # suggestions
MOST_CELLS = 300  # of a level that is seen whole in a small picture
MARGIN = 4  # cells around those that change
MOST_WORDS = 4  # edits of one that are all in its words


def changes(asked: Suggest, send: Send, wanted: Event) -> None:
    """Answer with changes of a level that reach a wish.

    Where the best change is wished, those of one edit are sent first, then those of two, and so on.
    """
    begun = time.monotonic()
    seconds, most = (QUICK_SECONDS, MOST_QUICK) if asked.quick else (SECONDS, MOST_EDITS)
    by_steps = asked.want in (HARDER, LONGER, SHORTER)
    try:
        given = entry(asked.puzzle, asked.text, asked.level)
        for edits in range(1 if by_steps else most, most + 1):
            left = max(0.0, seconds - (time.monotonic() - begun))
            request = Request(asked.want, (asked.edit,) if asked.edit else (), most=edits, count=MOST)
            found = suggest(given, request, Options(timeout=left, memory=MEMORY, many=True), wanted)
            goes_on = edits < most and found.reason is None
            shown = [_shown(asked, given, each) for each in found.found]
            if wanted.is_set():
                return
            about = {"metric": given.puzzle.metrics[0], "goes_on": goes_on, "failed": ""}
            send({"kind": "suggest", **found.as_json(), **about, "suggestions": shown})
            if not goes_on:
                return
    except (LevelError, ModelError) as error:
        words = error.message if isinstance(error, LevelError) else str(error)
        words = words.replace(f"{asked.puzzle}#{asked.level + 1}", "the level")  # the page shows no other one
        send({"kind": "suggest", "failed": words})


def _shown(asked: Suggest, given: Entry, found: Suggestion) -> dict[str, Any]:
    """A change as the page shows and makes it.

    cells     the places that look different afterwards
    arranged  its moves only make an arrangement: they cost nothing
    pairs     the two places of an edit that changes two, such as a box that goes elsewhere
    paint     the signs of these places: row, column, sign; None if more than them is written in another way
    """
    rules = given.puzzle
    made = entry(rules.name, found.level)
    cells = sorted({place for edit in found.edits for place in edit.cells})
    shown: dict[str, Any] = {
        "kind": found.kind,
        "words": _words(found),
        "cells": cells,
        "pairs": [edit.cells for edit in found.edits if len(edit.cells) == 2],
        "picture": around(picture(rules.picture(made.level, rules.rules.start(made.level))), cells),
        "cost": found.result.cost,
        "arranged": rules.constraint is not None and rules.constraint(made.level) is not None,
        "best": found.best,
        "before": dict(found.before),
        "after": dict(found.after),
    }
    if rules.tiling is not None:
        return shown | tiles(rules, found.level)
    rows, old = rows_of(rules, made, found.level), rows_of(rules, given, asked.text)
    assert rows is not None
    return shown | {
        "sheet": rows._asdict(),
        "paint": None if old is None else _paint(old.rows, rows.rows, cells),
    }


def around(shown: dict[str, Any], cells: Sequence[Cell]) -> dict[str, Any]:
    """A picture with its place in the whole one; of a large one, the part around these cells."""
    height, width = shown["height"], shown["width"]
    if height * width <= MOST_CELLS or not cells:
        return {**shown, "left": 0, "top": 0}
    rows, columns = zip(*cells, strict=True)
    top, left = max(0, min(rows) - MARGIN), max(0, min(columns) - MARGIN)
    bottom, right = min(height, max(rows) + MARGIN + 1), min(width, max(columns) + MARGIN + 1)

    def is_seen(shape: list[Any]) -> bool:
        if shape[0] == "p":
            across, down = zip(*shape[2], strict=True)
        else:
            x, y, *size = shape[2:6]
            across, down = ((x, x + size[0]), (y, y + size[1])) if shape[0] == "b" else ((x,), (y,))
        return bool(min(across) < right and max(across) > left and min(down) < bottom and max(down) > top)

    parts = {name: [shape for shape in shown[name] if is_seen(shape)] for name in ("board", "pieces")}
    return {**shown, **parts, "left": left, "top": top, "width": right - left, "height": bottom - top}


def _words(found: Suggestion) -> str:
    """What is done, in words; of many edits, what is done first."""
    words = [edit.words for edit in found.edits]
    if len(words) <= MOST_WORDS:
        return "; ".join(words)
    return f"{len(words)} edits: {'; '.join(words[:2])}; and so on"


def _paint(
    before: list[list[str]], after: list[list[str]], cells: list[Cell]
) -> list[tuple[int, int, str]] | None:
    if [len(row) for row in before] != [len(row) for row in after]:
        return None
    signs = [
        (r, c, after[r][c]) for r, row in enumerate(after) for c, sign in enumerate(row) if before[r][c] != sign
    ]
    return signs if {(r, c) for r, c, _ in signs} <= {*cells} else None
