"""The Factorio planner as a puzzle: what the registry knows of it.

A level is a constraint, and costs nothing. Its solution is one text, the layout in the planner's JSON.

compact   the clauses of a valid layout; a planner of its own finds the best one

Its plain rules as steps build a layout by hand.
"""

from puzzlemc.encodings.factorio.domain import building, rules
from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.design.generation import NumberOption, SingleGeneration
from puzzlemc.encodings.puzzle.display import Display
from puzzlemc.encodings.puzzle.explanation import Explanation
from puzzlemc.encodings.puzzle.later import later, later_value
from puzzlemc.encodings.puzzle.proofs import Proofs
from puzzlemc.encodings.puzzle.questions import Optimisation
from puzzlemc.encodings.puzzle.text import Format, Text, drawn, whole
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary
from puzzlemc.mc.limits import Budget
from puzzlemc.screens import factorio as screen
from puzzlemc.screens.base.comments import SIGN
from puzzlemc.screens.factorio import Level
from puzzlemc.screens.factorio.json_form import write_level
from puzzlemc.screens.factorio.palette import PALETTE

_why = later("puzzlemc.encodings.factorio.planner.reasons:why")


def why(level: Level, budget: Budget) -> str:
    """Why a level has no layout, in words; empty for one that has one."""
    return str(_why(level, budget) or "")


PUZZLE = Puzzle(
    name="factorio",
    screen=screen,
    metrics=("moves",),
    encodings={"compact": later("puzzlemc.encodings.factorio.planner.encodings:constraint")},
    rules=building.RULES,
    vocabulary=Vocabulary({"solved": "the layout is valid"}),
    constraint=lambda _: rules.RULES,
    methods={},
    optimisation=Optimisation(
        search=later("puzzlemc.encodings.factorio.planner.layouts:best"),
        assess=later("puzzlemc.encodings.factorio.planner.layouts:judged"),
        simulate=later("puzzlemc.encodings.factorio.planner.layouts:judged_flow"),
    ),
    proofs=Proofs(better_than=later("puzzlemc.encodings.factorio.planner.surpass:surpass")),
    explanation=Explanation(words=why),
    generation=SingleGeneration(
        later("puzzlemc.encodings.factorio.planner.generate:generate"),
        NumberOption("items", "How many kinds of items come in, at most.", 4),
    ),
    text=Text(
        read_moves=whole,
        formats={
            ".factorio": drawn(screen, comments=SIGN),
            ".json": Format(lambda _, levels: write_level(levels[0][0]), many=False),
        },
        exports={
            "blueprint": later("puzzlemc.encodings.factorio.planner.layouts:as_blueprint"),
            "json": later("puzzlemc.encodings.factorio.planner.layouts:as_json"),
        },
    ),
    display=Display(
        tints=screen.tints,
        palette=PALETTE,
        solution_heading="The layout",
        solutions_differ="layouts that route items in another way count apart",
    ),
    drawing=later_value("puzzlemc.encodings.factorio.drawing:DRAWING"),
    how_to_play="Belts, inserters and assemblers carry the items from the inputs to the outputs, by the "
    "recipes. The best layout has the largest output.",
)
