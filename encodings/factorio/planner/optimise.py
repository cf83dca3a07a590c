"""The best layout of a level: the greatest output, and of those layouts the least loss or the shortest route.

A run is anytime: it tells each better layout as it is found, and when time is up, the best and what bounds it.
Only what is proved is called optimal.

Whether two layouts are equally good is a matter of exact rates, which are a linear program (`flow.py`). Where an
inserter could move less and less for more and more output, LEAST is what it moves.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from fractions import Fraction
from math import ceil

from puzzlemc.encodings.factorio.domain.rules import Measure
from puzzlemc.encodings.factorio.flow.network import BELT, INSERTER, LEAST
from puzzlemc.encodings.factorio.flow.simplex import maximize
from puzzlemc.encodings.factorio.model import planar
from puzzlemc.screens.factorio import Layout, Level, Recipe

SLOTS = 12  # cells beside an assembler

Tell = Callable[[Layout, Measure], None]


@dataclass(frozen=True)
class Planned:
    """What a run has found.

    layout     the best layout, all told; None where there is none or none was found
    measure    how good it is
    proved     the criteria that are proved to be best, the most important first. Where there is no layout and the
               run is `complete`, it is proved that there is none
    bound      no layout has more output
    complete   whether the run has come to its end; else `reason` says what came first
    """

    layout: Layout | None
    measure: Measure | None
    proved: tuple[str, ...]
    bound: Fraction
    complete: bool
    reason: str = ""

    @property
    def optimal(self) -> bool:
        """Is the layout proved to be the best?"""
        return self.complete and self.layout is not None


def room(level: Level) -> int:
    """How many assemblers stand on a grid at the most."""
    return (level.width // 3) * (level.height // 3)


def most_assemblers(level: Level, recipe: Recipe) -> int:
    """How many assemblers of a recipe stand on a grid at the most: what room is left, and belts cannot cross."""
    others = len(level.recipes) - 1
    bound = planar.limit(level, recipe)
    return max(0, room(level) - others) if bound is None else max(0, min(bound, room(level) - others))


def steps(recipe: Recipe) -> list[Fraction]:
    """What parts of its work inserters let an assembler do, rising: up to each, it takes one inserter more.

    Those that bring items and those that take from it share the twelve cells beside it.
    """
    rates = [recipe.gives[1], *(rate for _, rate in recipe.takes)]
    found = {Fraction(1), *(number * INSERTER / rate for rate in rates for number in range(1, SLOTS + 1))}
    return sorted(
        step for step in found if step <= 1 and sum(ceil(step * rate / INSERTER) for rate in rates) <= SLOTS
    )


def greatest_output(level: Level) -> Fraction:
    """A bound that looks at no grid: as many assemblers as there is room for, belts that carry what they can."""
    best = maximize({port: Fraction(1) for port in level.outputs}, _balance(level)).value
    return Fraction(0) if best is None else best


def least_work(level: Level, recipe: Recipe, output: Fraction) -> Fraction | None:
    """How many assemblers of a recipe that output keeps busy, at the least; None where there is no way to it."""
    wanted: dict[Hashable, Fraction] = {port: Fraction(-1) for port in level.outputs}
    best = maximize({recipe.name: Fraction(-1)}, [*_balance(level), (wanted, -output)]).value
    return None if best is None else -best


def _balance(level: Level) -> list[tuple[dict[Hashable, Fraction], Fraction]]:
    """What holds for any layout: no item goes away that is not made or brought. Variables: recipes and ports."""
    rows: list[tuple[dict[Hashable, Fraction], Fraction]] = []
    # An assembler that can do but a part of its work takes as much room as others.
    each: dict[Hashable, Fraction] = {
        recipe.name: 1 / max(steps(recipe), default=LEAST) for recipe in level.recipes
    }
    rows.append((dict(each), Fraction(room(level))))
    for recipe in level.recipes:
        rows.append(({recipe.name: each[recipe.name]}, Fraction(most_assemblers(level, recipe))))
    balance: dict[str, dict[Hashable, Fraction]] = {item: {} for item in level.items}
    for recipe in level.recipes:
        balance[recipe.gives[0]][recipe.name] = -recipe.gives[1]
        for item, rate in recipe.takes:
            balance[item][recipe.name] = rate
    for ports, sign in ((level.inputs, -1), (level.outputs, 1)):
        for port in ports:
            balance[port.item][port] = Fraction(sign)
            rows.append(({port: Fraction(1)}, BELT))
    return rows + [(form, Fraction(0)) for form in balance.values()]
