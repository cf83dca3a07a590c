"""In a worker: another level like one that is drawn: as large, with as many objects, and about as hard.

The generator of the puzzle makes it. Without one, the cells of the level are shuffled, but not those at its border
if that is of one kind.
"""

import time
from random import Random
from threading import Event
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.drawing import Drawing
from puzzlemc.encodings.puzzle.generation import GenerationRequest, SeriesGeneration
from puzzlemc.mc.errors import LIMITS, ModelError
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.reports.serve.answers import QUICK, Send, sheet, tiles
from puzzlemc.reports.serve.levels import entry
from puzzlemc.reports.serve.questions import Another
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.screens.base.errors import LevelError

SECONDS = 8.0
MEMORY = 1 << 30
NEAR = 0.2  # of the wanted cost: a level this near to it is taken


def another(asked: Another, send: Send, wanted: Event) -> None:
    """Answer with the text of a level like this one."""
    try:
        found = entry(asked.puzzle, asked.text, asked.level)
        rules = found.puzzle
        if refusal := without(rules):
            raise ModelError(refusal)
        counted = _size_and_count(rules, found.level)
        if counted is not None:
            level = _drawn(rules, *counted, asked, Budget(Limits(SECONDS, MEMORY), None, 0, wanted))
            text = None if level is None else rules.screen.draw(level)
        else:
            assert rules.drawing is not None
            text = _shuffled(rules.drawing(), asked, wanted)
        if text is None:
            raise ModelError("found no such level in time")
    except LIMITS:
        send({"kind": "another", "failed": "found no such level in time"})
    except (LevelError, ModelError) as error:
        send({"kind": "another", "failed": str(error)})
    else:
        send({"kind": "another", "failed": "", "text": text, **sheet(asked.puzzle, text), **tiles(rules, text)})


def without(rules: Puzzle) -> str:
    """Why there is no level like another one; empty if there is."""
    if rules.game is not None:
        return "positions of a game of two sides are not generated: no search says how hard one is"
    if rules.optimisation is not None:
        return "levels with a best solution are not generated: to find how good that is takes too long"
    if rules.drawing is None and (rules.tiling is None or rules.generation is None):
        return "levels of this puzzle are texts: there are no cells to put elsewhere"
    return ""


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


def _shuffled(drawing: Drawing, asked: Another, wanted: Event) -> str | None:
    """The text of the level with its cells in other places, of those that are tried that of the nearest cost."""
    found = drawing.sheet(asked.text)
    if found is None:
        return None
    rows, random = found.rows, Random(asked.seed)
    height, width = len(rows), len(rows[0])
    edge = {rows[r][c] for r in range(height) for c in range(width) if r in (0, height - 1) or c in (0, width - 1)}
    inside = int(len(edge) == 1)
    places = [(r, c) for r in range(inside, height - inside) for c in range(inside, width - inside)]
    until = time.monotonic() + SECONDS / 2
    best: tuple[int, str] | None = None
    while time.monotonic() < until and (best is None or best[0] > NEAR * (asked.cost or 0)):
        if wanted.is_set():
            return None
        signs = [rows[r][c] for r, c in places]
        random.shuffle(signs)
        made = [list(row) for row in rows]
        for (r, c), sign in zip(places, signs, strict=True):
            made[r][c] = sign
        text = drawing.text(found._replace(rows=made))
        if made == rows:
            continue
        try:
            tried = entry(asked.puzzle, text)
        except LevelError:
            continue
        result = solve_entry(tried, QUICK, cancelled=wanted)
        if result.verdict == "solvable":
            away = 0 if asked.cost is None or result.cost is None else abs(result.cost - asked.cost)
            best = min(best or (away, text), (away, text))
    return None if best is None else best[1]


def _drawn(rules: Puzzle, size: tuple[int, int], objects: int, asked: Another, budget: Budget) -> Any:
    """A level of this size. Raises ModelError and LimitReached."""
    width, height = size
    generation = rules.generation
    if isinstance(generation, SeriesGeneration):
        return _nearest(generation, GenerationRequest(width, height, objects, 1, asked.seed), asked.cost, budget)
    assert generation is not None
    return generation.draw(height, width, objects, asked.seed, budget, unique=False, drawn=_ignore)[0]


def _ignore(level: object) -> None:
    """Do nothing with a level whose solutions are not counted yet."""


def _nearest(generation: SeriesGeneration, request: GenerationRequest, cost: int | None, budget: Budget) -> Any:
    """The level of a series whose cost is nearest to the wanted one, of those that are drawn in half the time."""
    generator = generation.load()
    generator.check(request)
    until = time.monotonic() + SECONDS / 2
    best: tuple[int, Any] | None = None
    try:
        for number in range(1 << 20):
            drawn = generator.draw(request, number, budget)
            if drawn is not None and drawn.cost is not None:
                away = 0 if cost is None else abs(drawn.cost - cost)
                if best is None or away < best[0]:
                    best = away, drawn.level
                if away <= NEAR * (cost or 0):
                    break
            if best is not None and time.monotonic() > until:
                break
    except LIMITS:
        if best is None:
            raise
    return None if best is None else best[1]
