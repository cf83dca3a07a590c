"""The Factorio planner as a puzzle: what the registry knows of it.

A level is a constraint, and costs nothing. Its solution is one text, the layout in the planner's JSON.

compact   the clauses of a valid layout; a planner of its own finds the best one

Its plain rules as steps build a layout by hand.
"""

from collections.abc import Callable
from typing import Any

from puzzlemc.encodings.factorio.domain import building, rules
from puzzlemc.encodings.puzzle import Format, Puzzle, Words, drawn, later
from puzzlemc.encodings.puzzle.moves import whole
from puzzlemc.mc.limits import Budget
from puzzlemc.screens import factorio as screen
from puzzlemc.screens.factorio import Level
from puzzlemc.screens.factorio.json_form import write_level


def _later(module: str, name: str) -> Callable[..., Any]:
    return later(f"puzzlemc.encodings.factorio.{module}", name)


def why(level: Level, budget: Budget) -> str:
    """Why a level has no layout, in words; empty for one that has one."""
    return str(_later("planner.reasons", "why")(level, budget) or "")


PUZZLE = Puzzle(
    name="factorio",
    screen=screen,
    metrics=("moves",),
    encodings={"compact": _later("planner.encodings", "constraint")},
    rules=building.RULES,
    write_trace=list,
    read_trace=whole,
    atoms={"solved": "the layout is valid"},
    constraint=lambda _: rules.RULES,
    methods={},
    generate=_later("planner.generate", "generate"),
    best=_later("planner.layouts", "best"),
    surpass=_later("planner.surpass", "surpass"),
    judge=_later("planner.layouts", "judged"),
    judge_flow=_later("planner.layouts", "judged_flow"),
    why=why,
    tints=screen.tints,
    words=Words(trace="The layout", apart="layouts that route items in another way count apart", kinds="items"),
    formats={
        ".factorio": drawn(screen),
        ".json": Format(lambda _, levels: write_level(levels[0][0]), many=False),
    },
    exports={"blueprint": _later("planner.layouts", "as_blueprint"), "json": _later("planner.layouts", "as_json")},
)
