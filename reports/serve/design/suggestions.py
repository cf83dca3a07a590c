"""In a worker: changes of a level that reach a wish, each with its picture and with what differs on the board."""

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
from puzzlemc.reports.suggest.request import Request
from puzzlemc.reports.suggest.suggest import suggest
from puzzlemc.reports.suggest.suggestion import Suggestion
from puzzlemc.screens.base.errors import LevelError

QUICK_SECONDS = 0.5  # after each stroke
MOST_EDITS = 3
MOST_QUICK = 2  # edits
MOST = 6  # suggestions


def changes(asked: Suggest, send: Send, wanted: Event) -> None:
    """Answer with changes of a level that reach a wish."""
    try:
        given = entry(asked.puzzle, asked.text, asked.level)
        most = MOST_QUICK if asked.quick else MOST_EDITS
        options = Options(timeout=QUICK_SECONDS if asked.quick else SECONDS, memory=MEMORY, many=True)
        found = suggest(given, Request(asked.want, most=most, count=MOST), options, wanted)
        shown = [_shown(asked, given, each) for each in found.found]
    except (LevelError, ModelError) as error:
        send({"kind": "suggest", "failed": str(error)})
        return
    if not wanted.is_set():
        metric = given.puzzle.metrics[0]
        send({"kind": "suggest", **found.as_json(), "metric": metric, "suggestions": shown, "failed": ""})


def _shown(asked: Suggest, given: Entry, found: Suggestion) -> dict[str, Any]:
    """A change as the page shows and makes it.

    cells  the places that look different afterwards
    pairs  the two places of an edit that changes two, such as a box that goes elsewhere
    paint  the signs of these places: row, column, sign; None if other places have other signs, too
    """
    rules = given.puzzle
    made = entry(rules.name, found.level)
    cells = sorted({place for edit in found.edits for place in edit.cells})
    shown: dict[str, Any] = {
        "kind": found.kind,
        "words": "; ".join(edit.words for edit in found.edits),
        "cells": cells,
        "pairs": [edit.cells for edit in found.edits if len(edit.cells) == 2],
        "picture": picture(rules.picture(made.level, rules.rules.start(made.level))),
        "cost": found.result.cost,
        "optimal": found.result.optimal,
        "best": found.best,
        "before": dict(found.before),
        "after": dict(found.after),
    }
    if rules.tiling is not None:
        return shown | tiles(rules, found.level)
    rows = rows_of(rules, made, found.level)
    return shown | {
        "sheet": rows._asdict(),
        "paint": _paint(rows_of(rules, given, asked.text).rows, rows.rows, cells),
    }


def _paint(
    before: list[list[str]], after: list[list[str]], cells: list[Cell]
) -> list[tuple[int, int, str]] | None:
    if [len(row) for row in before] != [len(row) for row in after]:
        return None
    signs = [
        (r, c, after[r][c]) for r, row in enumerate(after) for c, sign in enumerate(row) if before[r][c] != sign
    ]
    return signs if {(r, c) for r, c, _ in signs} <= {*cells} else None
