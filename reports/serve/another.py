"""In a worker: another level like one that is drawn: as large, with as many objects, and about as hard."""

import time
from threading import Event
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.generation import GenerationRequest, SeriesGeneration
from puzzlemc.mc.errors import LIMITS, ModelError
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.reports.serve.answers import Send, sheet
from puzzlemc.reports.serve.levels import entry
from puzzlemc.reports.serve.questions import Another
from puzzlemc.screens.base.errors import LevelError

SECONDS = 8.0
MEMORY = 1 << 30
NEAR = 0.2  # of the wanted cost: a level this near to it is taken


def another(asked: Another, send: Send, wanted: Event) -> None:
    """Answer with the text of a level like this one."""
    try:
        found = entry(asked.puzzle, asked.text)
        rules = found.puzzle
        if rules.drawing is None or (count := rules.drawing().count) is None:
            raise ModelError("levels of this puzzle are not generated")
        shown = rules.screen.picture(found.level, rules.rules.start(found.level))
        size = int(shown.width), int(shown.height)
        budget = Budget(Limits(SECONDS, MEMORY), None, 0, wanted)
        level = _drawn(rules, size, count(found.level), asked, budget)
        if level is None:
            raise ModelError("found no such level in time")
        text = rules.screen.draw(level)
    except LIMITS:
        send({"kind": "another", "failed": "found no such level in time"})
    except (LevelError, ModelError) as error:
        send({"kind": "another", "failed": str(error)})
    else:
        send({"kind": "another", "failed": "", "text": text, **sheet(asked.puzzle, text)})


def _drawn(rules: Puzzle, size: tuple[int, int], objects: int, asked: Another, budget: Budget) -> Any:
    """A level of this size. Raises ModelError and LimitReached."""
    width, height = size
    generation = rules.generation
    if isinstance(generation, SeriesGeneration):
        return _nearest(generation, GenerationRequest(width, height, objects, 1, asked.seed), asked.cost, budget)
    assert generation is not None
    return generation.draw(height, width, objects, asked.seed, budget, unique=False, drawn=_ignore)[0]


def _ignore(level: object) -> None:
    """Of a level whose solutions are not counted yet, nothing is done."""


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
