"""In a worker: what a page asks about a level. Each answer is sent as soon as it is known.

The verdict comes first; then the reason, if there is no solution; then how hard the level is, for levels with few
states.
"""

from collections.abc import Callable, Set
from importlib import import_module
from itertools import islice
from threading import Event
from typing import TYPE_CHECKING, Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.design.measures import Number
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.explanation import place_of
from puzzlemc.encodings.puzzle.text import nameless
from puzzlemc.encodings.puzzles import Entry, puzzles
from puzzlemc.mc.errors import LIMITS, ModelError
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.reports.crew.identity import identify
from puzzlemc.reports.documents.levels import SOURCE, around, entry, puzzle_of, titles
from puzzlemc.reports.formats.shapes import picture, shapes
from puzzlemc.reports.measures.measure import measured, measures
from puzzlemc.reports.serve.questions import Glance, Judge, Open
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.solve import placed_warnings, solve_entry
from puzzlemc.screens.base.errors import LevelError

if TYPE_CHECKING:
    from puzzlemc.mc.graph.analysis import Analysis

Send = Callable[[dict[str, Any]], None]

MEMORY = 1.0  # GiB
SECONDS = 60.0  # for a verdict
WHY_SECONDS = 20.0
HARD_SECONDS = 4.0  # for the state graph and its analysis
HARD_BYTES = 1 << 28
SHOWN = {"lost": "lost_share", "shortest": "solution_orders"}  # measures that the analysis has, too
NUMBERS_SECONDS = 2.0  # for the measures of a level
MOST_FAULTS = 20
MOST_HEAT_MAPS = 12
MOST_PLACES = 2500
QUICK = Options(timeout=5.0, memory=MEMORY, many=True)  # for the levels of a list


def judge(asked: Judge, send: Send, wanted: Event) -> None:
    """Answer a question about a level."""
    _send_tiles(asked, send)
    try:
        asked_of = entry(asked.puzzle, asked.text, asked.level)
    except LevelError as error:
        send({"kind": "faults", "faults": faults(error)})
        return
    rules, level = asked_of.puzzle, asked_of.level
    drawing = None if rules.drawing is None else rules.drawing()
    if drawing is None:
        shown = {"picture": start_picture(asked_of), "how": _how(rules, level)}
        send({"kind": "picture", **shown, **_signs(asked_of)})
    else:
        if lost := sorted(drawing.lost(level)):
            send({"kind": "lost", "cells": lost})
        if odd := [words for _, _, words in placed_warnings(asked_of)]:
            send({"kind": "odd", "words": odd})
    options = Options(metric=asked.metric, timeout=SECONDS, memory=MEMORY, many=True)
    progress: dict[str, Any] = {"bound": 0, "best": None}

    def report(bound: int) -> None:
        progress["bound"] = bound
        send({"kind": "progress", **progress})

    def better(result: Result) -> None:
        progress["best"] = result.cost
        send({"kind": "progress", **progress})
        send(_verdict(rules, level, result) | {"kind": "best"})
        _draw(asked_of, result, send)

    result = solve_entry(asked_of, options, report, better, 0.0, wanted)
    if wanted.is_set():
        return
    _draw(asked_of, result, send)
    send(_verdict(rules, level, result))
    if result.verdict == "unsolvable":
        explain_unsolvable(asked_of, result.reason or "", send, wanted)
    if result.verdict in {"solvable", "unsolvable"} and rules.game is None and rules.optimisation is None:
        _measure(asked_of, result, send, wanted)


def _send_tiles(asked: Judge, send: Send) -> None:
    """Answer with the tiles of a level that is drawn tile by tile, also if it has faults, and with its lines."""
    if asked.puzzle in puzzles() and (found := tiles(puzzles()[asked.puzzle], asked.text, asked.level)):
        send({"kind": "tiles", **found})


def tiles(rules: Puzzle, text: str, level: int = 0) -> dict[str, Any]:
    """The tiles of a level of a text, and its lines; nothing if it has none."""
    if rules.tiling is None:
        return {}
    for part in islice(rules.screen.cut(text, SOURCE), level, level + 1):
        found = None if isinstance(part, LevelError) else rules.tiling().read(part)
        if found is not None and not isinstance(part, LevelError):
            return {"tiles": found._asdict() | {"line": part.line, "lines": part.text.count("\n") + 1}}
    return {}


def glance(asked: Glance, send: Send, wanted: Event) -> None:
    """Answer with the picture of a level, and a verdict within a few seconds."""
    try:
        found = entry(asked.puzzle, asked.text)
    except LevelError as error:
        send(refused(error))
        return
    identity = identify(found)
    shown: dict[str, Any] = {"picture": start_picture(found), "level": identity.content.hex()}
    if not asked.solve:
        send(shown)
        return
    result = solve_entry(found, QUICK, cancelled=wanted)
    if asked.keep:
        shown["solved"] = result, identity
    send(brief(result) | shown)


def refused(error: LevelError) -> dict[str, Any]:
    """What a list of levels shows of one with an error."""
    return {"verdict": "error", "reason": error.message, "faults": faults(error)}


def _signs(found: Entry) -> dict[str, Any]:
    """What can be painted into the rows of a level that is written as text, and where they are in the text."""
    rules, part = found.puzzle, found.part
    if rules.signs is None or part is None:
        return {}
    brushes = [[each.sign, each.name, shapes(each.shapes)] for each in rules.signs()(found.level)]
    return {"signs": brushes, "line": part.line, "column": part.column}


def _how(rules: Puzzle, level: Any) -> str:
    """How a level is played."""
    if rules.display.instructions is None:
        return rules.how_to_play
    instructions = rules.display.instructions(level)
    return f"{instructions.goal} {instructions.keys}"


def start_picture(found: Entry) -> dict[str, Any]:
    """The picture of a level at its start."""
    rules, level = found.puzzle, found.level
    start = rules.rules.start(level) if rules.game is None else rules.game.rules.start(level)
    return picture(rules.picture(level, start))


def brief(result: Result) -> dict[str, Any]:
    """What a list of levels shows of a result."""
    free = result.cost == 0 and bool(result.trace)  # a constraint: its moves only construct a solution
    cost = None if free else result.cost
    found = {"verdict": result.verdict, "cost": cost, "metric": result.metric, "best": result.best}
    statistics = result.search.statistics
    return found | {"optimal": result.optimal, "states": None if statistics is None else statistics.states}


def open_text(asked: Open, send: Send, wanted: Event) -> None:
    """Answer with the level of a text, as its puzzle writes it, and its rows to draw on."""
    name = asked.puzzle or puzzle_of(asked.text)
    if name is None:
        send({"kind": "faults", "faults": [{"message": "found no level of a puzzle that is known here"}]})
        return
    text = asked.text.replace("\r\n", "\n")
    try:
        found = entry(name, text)
    except LevelError as error:
        problems = faults(error)
    else:
        problems, text = [], _drawn(found.puzzle, found.level, text)
    opened = {"kind": "opened", "puzzle": name, "text": text, "faults": problems}
    send(opened | {"count": len(titles(name, asked.text))} | sheet(name, text))


def _drawn(rules: Puzzle, level: Any, text: str) -> str:
    """A level as its puzzle writes it, between the lines of a text that stand around it."""
    above, below = around(rules, text)
    if not above and not below:
        return rules.screen.draw(level)
    return "\n".join(filter(None, (above, rules.screen.draw(nameless(level)), below)))


def sheet(name: str, text: str) -> dict[str, Any]:
    """The rows of a text that is drawn cell by cell."""
    load = puzzles()[name].drawing if name in puzzles() else None
    rows = load().sheet(text) if load is not None else None
    return {} if rows is None else {"sheet": rows._asdict()}


def faults(error: LevelError) -> list[dict[str, Any]]:
    """All errors of a text with their places."""
    found = [error, *error.others][:MOST_FAULTS]
    return [{"message": each.message, "line": each.line, "column": each.column} for each in found]


def _verdict(rules: Puzzle, level: Any, result: Result) -> dict[str, Any]:
    constraint = None if rules.constraint is None else rules.constraint(level)
    return {
        "kind": "verdict",
        "verdict": result.verdict,
        "metric": result.metric,
        "cost": result.cost,
        "costs": dict(result.costs),
        "optimal": result.optimal,
        "bound": result.bound,
        "reason": result.reason,
        "note": result.note,
        "moves": None if result.trace is None else list(result.trace),
        "arranges": None if constraint is None else rules.display.number_meaning,
        "checked": result.checked,
        "engine": result.search.engine,
        "seconds": result.effort.wall_seconds,
        "game": result.game,
        "best": result.best,
    }


def _draw(asked: Entry, result: Result, send: Send) -> None:
    """The picture of a solution, if it is one position that an optimiser has found."""
    rules, level = asked.puzzle, asked.level
    if rules.optimisation is None or result.trace is None:
        return
    positions = rules.replay(level, list(result.trace)).positions
    send({"kind": "layout", "picture": picture(rules.picture(level, positions[-1])), "best": result.best})


def explain_unsolvable(asked: Entry, reason: str, send: Send, wanted: Event) -> None:
    """Answer with the smallest part of a level that has no solution, and its cells; else with words.

    `reason` is what the search says, in place of words about the part.
    """
    from puzzlemc.reports.solve.reasons import why_unsolvable  # slow to load

    words, why = reason, None
    if asked.puzzle.explanation.needs_search:
        budget = Budget(Limits(WHY_SECONDS, int(MEMORY * (1 << 30))), None, 0, wanted)
        try:
            words, why = why_unsolvable(asked.puzzle, asked.level, budget, reason, many=True)
        except LIMITS:
            return
    if why is not None:
        cells = [place for name in why.objects if (place := _place(name)) is not None]
        send({"kind": "why", "words": words, "scope": why.scope, "objects": list(why.objects), "cells": cells})
    elif words and not wanted.is_set():
        send({"kind": "why", "words": words, "scope": "", "cells": []})


def _place(name: str) -> tuple[int, int] | None:
    try:
        return place_of(name)
    except ValueError:
        return None


def _measure(asked: Entry, result: Result, send: Send, wanted: Event) -> None:
    """How hard the level is: its states, lost ones among them, and its shortest solutions."""
    from puzzlemc.mc.graph.analysis import analyse  # slow to load

    rules = asked.puzzle
    metric = rules.metrics[0]
    found: dict[str, Any] = {}
    budget = Budget(Limits(HARD_SECONDS, HARD_BYTES), None, 0, wanted)
    try:
        if rules.counting is not None and rules.counting.can(asked.level):
            found["count"], found["what"] = rules.counting.count(asked.level, budget), rules.counting.what
        encoded = rules.encode_faithfully(
            asked.level if rules.pointing is None else rules.pointing().level(asked.level)
        )
        known = analyse(encoded.model, (metric,), budget)
    except (ModelError, *LIMITS):
        known = None
    if wanted.is_set():
        return
    if known is not None and known.reason is None:
        found |= {"states": known.states, "lost": known.dead, "heat": _heat(encoded, known)}
        by_metric = known.metrics.get(metric)
        shortest = by_metric.solutions if by_metric is not None else None
        if shortest is not None and (rules.constraint is None or rules.constraint(asked.level) is None):
            found |= {"shortest": shortest.count, "forced": shortest.forced}
    if found:
        send({"kind": "hard", **found})
    shown = {name for key, name in SHOWN.items() if key in found}
    if result.verdict == "solvable" and (numbers := _numbers(asked, shown, wanted)):
        send({"kind": "numbers", "numbers": numbers})


def _numbers(asked: Entry, shown: Set[str], wanted: Event) -> list[tuple[str, Number, str, bool]]:
    """How hard the level is, by measures of its puzzle: title, number, definition, and whether it is a share.

    shown  the names of measures that are not wanted: the page has them from elsewhere
    """
    budget = Budget(Limits(NUMBERS_SECONDS, HARD_BYTES), None, 0, wanted)
    found = {} if wanted.is_set() else measured(asked, budget)
    known = [
        each for each in measures(asked.puzzle) if found.get(each.name) is not None and each.name not in shown
    ]
    return [(each.title, found[each.name], each.definition, each.name.endswith("_share")) for each in known]


def _heat(encoded: Encoded, known: "Analysis") -> dict[str, list[tuple[int, int, int, int]]]:
    """For each family of atoms that change: row, column, positions in which the atom holds, lost ones of them."""
    found = {}
    for family, places in islice(encoded.places.items(), MOST_HEAT_MAPS):
        visits = [(place, known.atoms[name]) for place, name in places.items() if name in known.atoms]
        if len(visits) <= MOST_PLACES and any(each.states not in {0, known.states} for _, each in visits):
            found[family] = [
                (*place, each.states, each.states - (each.solvable or 0)) for place, each in visits if each.states
            ]
    return found


def warm() -> None:
    """Load the code of searches and reasons, so that the first question does not wait for it."""
    from puzzlemc.mc.engines.registry import load_explicit

    load_explicit()
    import_module("puzzlemc.reports.solve.reasons")
    for name, rules in puzzles().items():
        if rules.drawing is not None:  # the first one is enough: what others need besides is loaded soon
            judge(Judge(0, name, rules.drawing().first), lambda _: None, Event())
            break
