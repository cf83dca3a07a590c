"""Random Factorio levels that are proved to have a layout.

Recipes have the items and ingredients of the game, with random amounts. Each product is an ingredient of another
recipe or goes out. An ingredient that no recipe makes comes in. The cells where items come in and go out are
random cells on the edge of the grid. Random levels are made until one has a layout.
"""

import random
from collections.abc import Callable
from fractions import Fraction

from puzzlemc.encodings.factorio.domain.rules import Measure, check
from puzzlemc.encodings.factorio.planner.encodings import constraint
from puzzlemc.encodings.factorio.planner.optimise import Planned
from puzzlemc.encodings.factorio.planner.search import LayoutSearch
from puzzlemc.mc.errors import LimitReached, ModelError, Refuted
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.proofs.circuit import Circuit
from puzzlemc.mc.proofs.clauses import check_by_clauses
from puzzlemc.mc.proofs.layered import LayeredProof
from puzzlemc.mc.sat.refinement import written_out
from puzzlemc.screens.factorio import CRITERIA, MAX_SIDE, Layout, Level, Port, Recipe
from puzzlemc.screens.factorio.json_form import disagreement

RAW = ("iron-plate", "copper-plate", "stone", "coal", "wood", "steel-plate")
MADE = {  # by item: its ingredients
    "copper-cable": ("copper-plate",),
    "iron-gear-wheel": ("iron-plate",),
    "pipe": ("iron-plate",),
    "stone-brick": ("stone",),
    "wooden-chest": ("wood",),
    "grenade": ("iron-plate", "coal"),
    "electronic-circuit": ("iron-plate", "copper-cable"),
    "small-electric-pole": ("wood", "copper-cable"),
    "transport-belt": ("iron-plate", "iron-gear-wheel"),
    "engine-unit": ("steel-plate", "iron-gear-wheel", "pipe"),
}
TIMES = (15, 30, 60)  # crafts of an assembler in a minute
MOST_AMOUNT = 3  # items of a kind for each craft
MOST_ITEMS = len(RAW)
MOST_DRAWS = 1000


def generate(
    rows: int,
    columns: int,
    items: int,
    seed: int,
    budget: Budget,
    *,
    unique: bool = False,
    drawn: Callable[[Level], None] = lambda _: None,
) -> tuple[Level, str | None]:
    """A level with at most `items` kinds of items that come in, and the measure of its best layout, in words.

    `drawn` receives the level once it has a layout, before the best one is known. Equal arguments give equal
    levels. The words are None if a limit ends the search for the best layout. Raises LimitReached if no level with
    a layout is found in time, ModelError for impossible sizes, and with `unique`, because layouts are not counted.
    """
    if unique:
        raise ModelError("layouts are not counted: none can be asked to be the only one")
    if not 2 <= min(rows, columns) <= max(rows, columns) <= MAX_SIDE or not 1 <= items <= MOST_ITEMS:
        message = f"expected 2 to {MAX_SIDE} rows and columns and 1 to {MOST_ITEMS} items"
        raise ModelError(f"found {rows}×{columns} cells and {items} items, {message}")
    chance = random.Random(seed)
    for _ in range(MOST_DRAWS):
        level = random_level(rows, columns, items, chance)
        if level is not None:
            planned = plan_of(level, budget, drawn)
            if planned.layout is not None:
                return level, _best(level, planned) if planned.complete else None
            if not planned.complete:
                raise LimitReached(planned.reason)
    raise ModelError(f"found no level of {rows}×{columns} cells and {items} items, expected a larger grid")


def random_level(rows: int, columns: int, items: int, chance: random.Random) -> Level | None:
    """A random level, which may have no layout; None if the random choices do not fit together."""
    room = (rows // 3) * (columns // 3)
    many = chance.randint(0 if chance.random() < 0.2 else min(1, room), min(room, 3))
    at_hand = set(RAW[:items])
    recipes: list[Recipe] = []
    while len(recipes) < many:
        made = {recipe.gives[0] for recipe in recipes}
        possible = [item for item, of in MADE.items() if item not in made and at_hand.issuperset(of)]
        # Recipes that use a product of another one make longer chains.
        further = [item for item in possible if made.intersection(MADE[item])]
        if not possible:
            break
        item = chance.choice(further or possible)
        times = chance.choice(TIMES)
        takes = tuple((name, Fraction(times * chance.randint(1, MOST_AMOUNT))) for name in MADE[item])
        recipes.append(Recipe(item, takes, (item, Fraction(times * chance.randint(1, 2)))))
        at_hand.add(item)
    taken = {item for recipe in recipes for item, _ in recipe.takes}
    given = [recipe.gives[0] for recipe in recipes]
    out = [item for item in given if item not in taken] or chance.sample(sorted(at_hand), 1)
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


def plan_of(level: Level, budget: Budget, drawn: Callable[[Level], None] = lambda _: None) -> Planned:
    """The result of the planner; `drawn` receives the level with its first layout.

    Another solver confirms that there is no layout. Raises Refuted if it contradicts the planner, LimitReached.
    """
    seen: list[Layout] = []

    def found(layout: Layout, _: Measure) -> None:
        if not seen:
            drawn(level)
        seen.append(layout)

    planned = LayoutSearch(level, budget, found).run()
    if planned.layout is None and planned.complete:
        model = written_out(constraint(level).model, budget)
        circuit = Circuit([str(b) for b in model.bits])
        check_by_clauses(model, LayeredProof(circuit, (circuit.formula(model.init),)), None, budget)
    return planned


def _best(level: Level, planned: Planned) -> str:
    """The measure of the best layout. Raises Refuted if the plain rules contradict the planner."""
    assert planned.layout is not None
    found = check(level, planned.layout)
    if found != planned.measure:
        raise Refuted(f"the planner says {planned.measure}, and the plain rules {found}")
    return f"best: output {found.output}, loss {found.loss}, route {found.route}"
