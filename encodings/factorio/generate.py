"""Random Factorio levels, with an answer that is certain.

Recipes make a chain or a tree: what one gives, a later one takes, or it goes out. What nobody makes comes in. The
cells where items come in and go out are drawn from the edge of the grid.
"""

import random
from collections.abc import Callable
from fractions import Fraction

from pysat.solvers import Solver

from puzzlemc.encodings.factorio.by_sat import BySat
from puzzlemc.encodings.factorio.constraint import plan
from puzzlemc.encodings.factorio.model import rated
from puzzlemc.encodings.factorio.rules import check
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.limits import Watch
from puzzlemc.screens.factorio_json import disagreement
from puzzlemc.screens.factorio_level import CRITERIA, MAX_SIDE, Level, Port, Recipe

RAW = ("iron-plate", "copper-plate", "stone", "coal", "wood", "steel-plate")
MADE = ("copper-cable", "iron-gear-wheel", "electronic-circuit", "pipe", "stone-brick", "engine-unit")
RATES = (30, 60, 90, 120, 240)
MOST_ITEMS = len(MADE)
MOST_DRAWS = 1000


def generate(
    rows: int,
    columns: int,
    colours: int,
    seed: int,
    watch: Watch,
    *,
    unique: bool = False,
    drawn: Callable[[Level], None] = lambda _: None,
) -> tuple[Level, str | None]:
    """A level with at most `colours` kinds of items that come in, and how good its best layout is, in words.

    `drawn` gets the level before that is found. The same arguments give the same level. The words are None where a
    limit stops the search. Raises ModelError for sizes that do not go, and with `unique`: layouts are not counted.
    """
    if unique:
        raise ModelError("layouts are not counted: none can be asked to be the only one")
    if not 2 <= min(rows, columns) <= max(rows, columns) <= MAX_SIDE or not 1 <= colours <= MOST_ITEMS:
        message = f"expected 2 to {MAX_SIDE} rows and columns and 1 to {MOST_ITEMS} colours"
        raise ModelError(f"found {rows}×{columns} cells and {colours} colours, {message}")
    chance = random.Random(seed)
    for _ in range(MOST_DRAWS):
        level = random_level(rows, columns, colours, chance)
        if level is not None:
            drawn(level)
            return level, answer(level, watch)
    raise ModelError(f"found no level of {rows}×{columns} cells and {colours} colours, expected a larger grid")


def random_level(rows: int, columns: int, colours: int, chance: random.Random) -> Level | None:
    """A level, which may have no layout; None where what was drawn does not fit together."""
    room = (rows // 3) * (columns // 3)
    many = chance.randint(0 if chance.random() < 0.2 else min(1, room), min(room, 3))
    at_hand = list(RAW[:colours])
    recipes: list[Recipe] = []
    for item in chance.sample(MADE, many):
        takes = chance.sample(at_hand, min(len(at_hand), chance.randint(1, 2)))
        if recipes and recipes[-1].gives[0] not in takes:
            takes[-1] = recipes[-1].gives[0]
        amounts = tuple((name, Fraction(chance.choice(RATES))) for name in takes)
        recipes.append(Recipe(item, amounts, (item, Fraction(chance.choice(RATES)))))
        at_hand.append(item)
    taken = {item for recipe in recipes for item, _ in recipe.takes}
    given = [recipe.gives[0] for recipe in recipes]
    out = [item for item in given if item not in taken] or chance.sample(at_hand, 1)
    brought = [item for item in RAW if item in taken or item in out]
    brought += [chance.choice(brought)] if chance.random() < 0.2 else []
    edge = [
        (row, column)
        for row in range(rows)
        for column in range(columns)
        if row in (0, rows - 1) or column in (0, columns - 1)
    ]
    if len(brought) + len(out) > len(edge):
        return None
    cells = chance.sample(edge, len(brought) + len(out))
    inputs = tuple(Port(cell, item) for cell, item in zip(sorted(cells[: len(brought)]), brought, strict=True))
    outputs = tuple(Port(cell, item) for cell, item in zip(sorted(cells[len(brought) :]), out, strict=True))
    level = Level("", "", columns, rows, tuple(recipes), inputs, outputs, chance.choice(CRITERIA))
    return level if disagreement(level) is None else None


def answer(level: Level, watch: Watch) -> str | None:
    """How good the best layout is, None where that is not proved in time.

    The layout has passed the plain rules. That there is none, another solver has confirmed. Raises Refuted where
    they contradict the planner.
    """
    planned = BySat(level, watch).run()
    if not planned.complete:
        return None
    if planned.layout is not None and planned.measure is not None:
        found = check(level, planned.layout)
        if found != planned.measure:
            raise Refuted(f"the planner says {planned.measure}, and the plain rules {found}")
        return f"best: output {found.output}, loss {found.loss}, route {found.route}"
    constraints = plan(level)
    if rated(level, constraints, watch) is not None:
        raise Refuted("the planner finds no layout, and there is one")
    with Solver("glucose4", bootstrap_with=constraints.cnf.rows) as solver:
        if solver.solve():
            raise Refuted("one solver finds no layout, and another one does")
    return "no layout"
