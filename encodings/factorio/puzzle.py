"""The Factorio planner as a puzzle: what the registry knows of it.

A level is a constraint, and costs nothing. Its solution is one text, the layout in the planner's JSON.

compact   the clauses of a valid layout; a planner of its own finds the best one

Its plain rules as steps build a layout by hand.
"""

from puzzlemc.encodings.factorio import building, layouts, reasons, rules
from puzzlemc.encodings.factorio.generate import generate
from puzzlemc.encodings.factorio.model import constraint
from puzzlemc.encodings.puzzle import Puzzle, Words
from puzzlemc.mc.limits import Watch
from puzzlemc.screens import factorio as screen
from puzzlemc.screens.factorio_level import Level


def why(level: Level, watch: Watch) -> str:
    """Why a level has no layout, in words; empty for one that has one."""
    return str(reasons.why(level, watch) or "")


PUZZLE = Puzzle(
    name="factorio",
    screen=screen,
    metrics=("moves",),
    encodings={"compact": constraint},
    rules=building.RULES,
    write_trace=list,
    atoms={"solved": "the layout is valid"},
    constraint=lambda _: rules.RULES,
    methods={},
    generate=generate,
    best=layouts.best,
    judge=layouts.judged,
    why=why,
    words=Words(trace="The layout", apart="layouts that route items in another way count apart"),
    exports={"blueprint": layouts.as_blueprint, "json": layouts.as_json},
)
