"""In a worker: levels like one that is drawn, to choose from: as large, with as many objects, about as hard.

The generator of the puzzle makes them. Without one, some cells of the level change places, but not those at its
border if that is of one kind. Of the levels that are tried, those of the nearest cost are kept.
"""

import itertools
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random
from threading import Event
from typing import Any, NamedTuple

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.design.generation import GenerationRequest, SeriesGeneration, SingleGeneration
from puzzlemc.encodings.puzzle.drawing import Sheet
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LIMITS, ModelError
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.reports.documents.levels import entry
from puzzlemc.reports.formats.shapes import picture
from puzzlemc.reports.serve.answers import QUICK, Send, sheet, tiles
from puzzlemc.reports.serve.design.rows import rows_of
from puzzlemc.reports.serve.offers import without
from puzzlemc.reports.serve.questions import Another
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.base.errors import LevelError

SECONDS = 8.0
MEMORY = 1 << 30
MOST = 6  # levels to choose from
NEAR = 0.2  # of the wanted cost: levels this near to it are good enough in the end
SWAPS = (1, 2, 3, 5, 8)  # pairs of cells that change places
TRIED = replace(QUICK, timeout=1.0)
PAUSE = 0.25  # seconds between two answers
MEASURE_SECONDS = 0.5  # for the states of a level, and its shortest solutions
MEASURE_BYTES = 1 << 27


class Wish(NamedTuple):
    """What is asked of new levels. Without a generator, `rows`, `columns` and `objects` are 0.

    unique   exactly one cheapest solution; where a generator counts them, one set of steps
    changes  how often a solution turns to another object, at least
    """

    rows: int
    columns: int
    objects: int
    unique: bool
    cost: int | None
    seed: int
    changes: int = 0


class Made(NamedTuple):
    """A level that was made. `solutions` are those that its generator counts, or else the cheapest ones."""

    away: int  # from the wanted cost
    key: str  # the same for levels that differ by turning
    text: str
    cost: int | None = None
    solutions: int | None = None
    states: int | None = None
    lost: float | None = None  # share of the states
    changes: int | None = None  # how often the solution turns to another object
    sets: int | None = None  # cheapest solutions that differ in more than the order of their steps


Tries = Iterator[Made | None]  # None: no level came of a try


class Request(NamedTuple):
    """A question for levels like one of a puzzle.

    text    of all levels that share one source, such as that of a game; else of the level alone
    number  of the level in its text
    wanted  is set when the question is not wanted any more
    """

    rules: Puzzle
    given: Entry
    text: str
    number: int
    wish: Wish
    budget: Budget
    wanted: Event


def another(asked: Another, send: Send, wanted: Event) -> None:
    """Answer with levels like this one, again and again with the best so far, and with how many were tried."""
    try:
        given = entry(asked.puzzle, asked.text, asked.level)
        rules = given.puzzle
        if refusal := without(rules):
            raise ModelError(refusal)
        wish = _wish(rules, given.level, asked)
        budget = Budget(Limits(SECONDS, MEMORY), None, 0, wanted)
        text, number = (given.text or "", 0) if rules.signs is None else (asked.text, asked.level)
        _choose(Request(rules, given, text, number, wish, budget, wanted), send)
    except (LevelError, ModelError) as error:
        send({"kind": "another", "failed": str(error), "done": True})


def _wish(rules: Puzzle, level: Any, asked: Another) -> Wish:
    """What was asked for, and what the level has where nothing was."""
    own = _size_and_count(rules, level)
    if own is None:
        return Wish(0, 0, 0, asked.unique, asked.cost, asked.seed)
    (width, height), count = own
    rows = asked.rows or height
    columns = rows if rules.tiling is not None else asked.columns or width
    changes = asked.changes if _counts_changes(rules) else 0
    return Wish(rows, columns, asked.objects or count, asked.unique, asked.cost, asked.seed, changes)


def _counts_changes(rules: Puzzle) -> bool:
    """Does the generator know how often a solution turns to another object?"""
    return isinstance(rules.generation, SeriesGeneration) and rules.generation.changes is not None


def _size_and_count(rules: Puzzle, level: Any) -> tuple[tuple[int, int], int] | None:
    """The width and height of a level and the number of its objects, for the generator; None without one."""
    if rules.generation is None:
        return None
    if rules.tiling is not None:
        tiling = rules.tiling()
        return (tiling.rows(level), tiling.rows(level)), tiling.count(level)
    count = None if rules.drawing is None else rules.drawing().count
    if count is None:
        return None
    shown = rules.picture(level, rules.rules.start(level))
    return (int(shown.width), int(shown.height)), count(level)


def _choose(request: Request, send: Send) -> None:
    """Answer with the best levels so far, until they are good enough or time is over."""
    wish, wanted = request.wish, request.wanted
    best: list[Made] = []
    tried, begun = 0, time.monotonic()
    answered = begun
    failed = ""
    try:
        for made in _tries(request):
            tried += 1
            if made is not None and _is_new(made, best, request):
                best = sorted([*best, made], key=lambda each: each.away)[:MOST]
            now = time.monotonic()
            if now - answered > PAUSE:
                send(_answer(request, best, tried) | {"failed": "", "done": False})
                answered = now
            if _enough(best, wish, now - begun):
                break
    except LIMITS:
        pass
    except ModelError as error:
        failed = str(error)
    if not best and not failed:
        failed = "found none like this in time"
    if not wanted.is_set():
        best = [_measured(request, each) for each in best]
        send(_answer(request, best, tried) | {"failed": failed, "done": True})


def _is_new(made: Made, best: Sequence[Made], request: Request) -> bool:
    is_given = request.text.strip().startswith(made.text.strip())  # a game of tiles has more lines
    return not is_given and made.key not in {each.key for each in best}


def _enough(best: Sequence[Made], wish: Wish, seconds: float) -> bool:
    """Is time over, or are there enough levels near to the wanted cost? The longer it takes, the less near."""
    near = NEAR * (wish.cost or 0) * seconds / SECONDS
    return seconds > SECONDS or (len(best) == MOST and best[-1].away <= near)


def _answer(request: Request, best: Sequence[Made], tried: int) -> dict[str, Any]:
    rules, wish = request.rules, request.wish
    size = {"rows": wish.rows, "columns": wish.columns, "square": rules.tiling is not None}
    what = rules.generation.objects.name if rules.generation is not None and wish.objects else ""
    found = {
        "tried": tried,
        "levels": [_shown(request, each) for each in best],
        "wish": {
            **size,
            "objects": wish.objects,
            "what": what,
            "changes": wish.changes if _counts_changes(rules) else None,
        },
    }
    counted = "solutions" if isinstance(rules.generation, SingleGeneration) else "shortest solutions"
    return {"kind": "another", "counted": counted, **found}


def _shown(request: Request, made: Made) -> dict[str, Any]:
    """A level as the page shows it; one of several that share a source is its rows alone."""
    rules = request.rules
    level = entry(rules.name, made.text, request.number).level
    shown: dict[str, Any] = {"picture": picture(rules.picture(level, rules.rules.start(level)))}
    measures: dict[str, Any] = {"cost": made.cost, "metric": rules.metrics[0], "solutions": made.solutions}
    measures |= {"states": made.states, "lost": made.lost, "changes": made.changes, "sets": made.sets}
    if rules.signs is not None:
        return shown | measures | {"sheet": _board(request, made.text)._asdict()}
    return shown | measures | {"text": made.text} | sheet(rules.name, made.text) | tiles(rules, made.text)


def _measured(request: Request, made: Made) -> Made:
    """The level with the numbers of its states and of its shortest solutions, if they are quickly counted."""
    from puzzlemc.mc.graph.analysis import analyse  # slow to load

    rules = request.rules
    level = entry(rules.name, made.text, request.number).level
    if made.states is not None or (rules.constraint is not None and rules.constraint(level) is not None):
        return made
    budget = Budget(Limits(MEASURE_SECONDS, MEASURE_BYTES), None, 0, request.wanted)
    try:
        known = analyse(rules.encode_faithfully(level).model, rules.metrics[:1], budget)
    except (ModelError, *LIMITS):
        return made
    by_metric = known.metrics.get(rules.metrics[0])
    if known.reason is not None or by_metric is None or by_metric.solutions is None or known.dead is None:
        return made
    return made._replace(states=known.states, lost=known.dead / known.states, solutions=by_metric.solutions.count)


# Where levels come from


def _tries(request: Request) -> Tries:
    """Levels like the given one, without end. Raises ModelError if none can be as asked, and LimitReached."""
    rules, wish = request.rules, request.wish
    if not wish.objects:
        return _shuffled(request)
    return _series(request) if isinstance(rules.generation, SeriesGeneration) else _single(request)


def _series(request: Request) -> Tries:
    """Levels of a generator that knows their costs."""
    rules, wish, budget = request.rules, request.wish, request.budget
    assert isinstance(rules.generation, SeriesGeneration)
    generator = rules.generation.load()
    size = wish.columns, wish.rows
    wanted = GenerationRequest(*size, wish.objects, 1, wish.seed, changes=wish.changes, one_set=wish.unique)
    if wish.cost is not None and not wanted.is_plain:  # then starts are drawn from all with such a cost
        near = int(NEAR * wish.cost)
        wanted = replace(wanted, least=max(1, wish.cost - near), most=max(1, wish.cost + near))
    generator.check(wanted)
    for number in itertools.count():
        drawn = generator.draw(wanted, number, budget)
        if drawn is None:
            yield None
            continue
        solutions: Any = drawn.measures.get("solutions")
        turns: Any = drawn.measures.get("box_changes")
        sets: Any = drawn.measures.get("solution_sets")
        text = rules.screen.draw(drawn.level)
        yield Made(_away(wish, drawn.cost), drawn.key, text, drawn.cost, solutions, changes=turns, sets=sets)


def _single(request: Request) -> Tries:
    """Levels of a generator that makes one for each seed."""
    rules, wish, budget = request.rules, request.wish, request.budget
    assert isinstance(rules.generation, SingleGeneration)
    numbers = wish.rows, wish.columns, wish.objects
    for seed in itertools.count(wish.seed):
        level, solutions = rules.generation.draw(*numbers, seed, budget, unique=wish.unique, drawn=_ignore)
        text = rules.screen.draw(level)
        made = Made(0, text, text) if rules.tiling is not None else _solved(request, text)
        yield made and made._replace(solutions=solutions if isinstance(solutions, int) else None)


def _ignore(level: object) -> None:
    """Do nothing with a level whose solutions are not counted yet."""


def _shuffled(request: Request) -> Tries:
    """The given level with some of its cells in the places of each other."""
    board, random = _board(request, request.text), Random(request.wish.seed)
    height, width = len(board.rows), len(board.rows[0])
    border = [(r, c) for r in range(height) for c in range(width) if r in (0, height - 1) or c in (0, width - 1)]
    fixed = border if len({board.rows[r][c] for r, c in border}) == 1 else []
    places = sorted({(r, c) for r in range(height) for c in range(width)} - {*fixed})
    if len({board.rows[r][c] for r, c in places}) < 2:
        raise ModelError("the cells of this level are alike: there is nothing to put elsewhere")
    while True:
        request.budget.check()
        rows = [list(row) for row in board.rows]
        for _ in range(random.choice((*SWAPS, len(places)))):
            (r, c), (to_r, to_c) = random.sample(places, 2)
            rows[r][c], rows[to_r][to_c] = rows[to_r][to_c], rows[r][c]
        solved = _solved(request, _text(request, board._replace(rows=rows)))
        if solved is not None and request.wish.unique:
            solved = _measured(request, solved)
        yield None if solved is None or (request.wish.unique and solved.solutions != 1) else solved


def _board(request: Request, text: str) -> Sheet:
    """The rows of the level in a text."""
    found = rows_of(request.rules, request.given, text)
    assert found is not None
    return found


def _text(request: Request, board: Sheet) -> str:
    """The text of a level with these rows."""
    if request.rules.drawing is not None:
        return request.rules.drawing().text(board)
    assert request.given.part is not None
    left = (request.given.part.column or 1) - 1
    first = request.text.split("\n")[request.given.part.line - 1 :]
    width = len(board.rows[0])
    rows = (
        f"{old[:left]}{''.join(row)}{old[left + width :]}" for old, row in zip(first, board.rows, strict=False)
    )
    return "\n".join([board.above, *rows, board.below])


def _solved(request: Request, text: str) -> Made | None:
    """A level with its least cost; None if it has a fault, or no solution is found soon."""
    try:
        result = solve_entry(entry(request.rules.name, text, request.number), TRIED, cancelled=request.wanted)
    except LevelError:
        return None
    if result.verdict != "solvable":
        return None
    return Made(_away(request.wish, result.cost), text, text, result.cost)


def _away(wish: Wish, cost: int | None) -> int:
    return 0 if wish.cost is None or cost is None else abs(cost - wish.cost)
