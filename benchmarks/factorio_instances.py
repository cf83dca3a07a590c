"""Forty-one Factorio levels of the sizes and kinds of a published benchmark, made from a seed.

Jimeno Roman's planner was measured on 41 levels, which were not published: 14 of 5×5, 14 of 6×6, 7 of 7×7 and 6
of 8×8 cells, a fifth of them without a layout. These have as many of each size, with one recipe on the small
grids and chains of two or three on the others, one to four inputs and one or two outputs on the border.
"""

import random
from fractions import Fraction

from puzzlemc.screens.factorio import CRITERIA, Level, Port, Recipe

SIZES = [5] * 14 + [6] * 14 + [7] * 7 + [8] * 6


def _recipe(name: str, takes: dict[str, int], gives: int) -> Recipe:
    return Recipe(name, tuple((item, Fraction(rate)) for item, rate in takes.items()), (name, Fraction(gives)))


CABLE = _recipe("copper-cable", {"copper-plate": 120}, 240)
CIRCUIT = _recipe("electronic-circuit", {"iron-plate": 120, "copper-cable": 360}, 120)
GEAR = _recipe("iron-gear-wheel", {"iron-plate": 240}, 120)
PACK = _recipe("automation-science-pack", {"copper-plate": 12, "iron-gear-wheel": 12}, 12)
BELT = _recipe("transport-belt", {"iron-plate": 120, "iron-gear-wheel": 120}, 240)
STICK = _recipe("iron-stick", {"iron-plate": 120}, 240)
INSERTER = _recipe("inserter", {"iron-plate": 120, "iron-gear-wheel": 120, "electronic-circuit": 120}, 120)

ONE = [[CABLE], [GEAR], [STICK]]
TWO = [[CABLE, CIRCUIT], [GEAR, PACK], [GEAR, BELT]]
THREE = [[CABLE, CIRCUIT, GEAR, INSERTER]]


def instance(random: random.Random, side: int, optimize: str, recipes: list[Recipe] | None = None) -> Level:
    """A level with that many rows and columns, solvable or not."""
    if recipes is None:
        kinds = (
            ONE if side == 5 else ONE + TWO if side == 6 else TWO if side == 7 or random.random() < 0.8 else THREE
        )
        recipes = random.choice(kinds)
    made = {recipe.name for recipe in recipes}
    raw = list(dict.fromkeys(item for recipe in recipes for item, _ in recipe.takes if item not in made))
    north_west = [(0, c) for c in range(side)] + [(r, 0) for r in range(1, side - 1)]
    south_east = [(side - 1, c) for c in range(side)] + [(r, side - 1) for r in range(1, side - 1)]
    random.shuffle(north_west)
    random.shuffle(south_east)
    items = raw + random.choices(raw, k=random.choice([0, 0, 1, 2]))
    inputs = tuple(Port(north_west.pop(), item) for item in items)
    outputs = tuple(Port(south_east.pop(), recipes[-1].name) for _ in range(random.choice([1, 1, 1, 2])))
    return Level(f"{side}×{side}", "", side, side, tuple(recipes), inputs, outputs, optimize)


def instances(seed: int, optimize: str = CRITERIA[0]) -> list[Level]:
    """The 41 levels of a seed."""
    generator = random.Random(seed)
    return [instance(generator, side, optimize) for side in SIZES]
