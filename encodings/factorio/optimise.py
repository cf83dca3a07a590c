"""The best layout of a level: the greatest output, and of those layouts the least loss or the shortest route.

A run is anytime: it tells each better layout as it is found, and when time is up, the best and what bounds it. Only
what is proved is called optimal.

Whether two layouts are equally good is a matter of exact rates, which are a linear program (`flow.py`). Where an
inserter could move less and less for more and more output, LEAST is what it moves.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from puzzlemc.encodings.factorio.flow import BELT
from puzzlemc.encodings.factorio.rules import Measure
from puzzlemc.encodings.factorio.simplex import maximize
from puzzlemc.screens.factorio_level import Layout, Level

Tell = Callable[[Layout, Measure], None]


@dataclass(frozen=True)
class Planned:
    """What a run has found.

    layout     the best layout, all told; None where there is none or none was found
    measure    how good it is
    proved     the criteria that are proved to be best, the most important first. With no layout and `complete`, there
               is none
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


def greatest_output(level: Level) -> Fraction:
    """A bound that looks at no grid: all assemblers that there is room for, and belts that carry what they can."""
    room = Fraction((level.width // 3) * (level.height // 3))
    rows: list[tuple[dict[object, Fraction], Fraction]] = []
    work: dict[object, Fraction] = {recipe.name: Fraction(1) for recipe in level.recipes}
    rows.append((work, room))
    balance: dict[str, dict[object, Fraction]] = {item: {} for item in level.items}
    for recipe in level.recipes:
        balance[recipe.gives[0]][recipe.name] = -recipe.gives[1]
        for item, rate in recipe.takes:
            balance[item][recipe.name] = rate
    for port in level.inputs:
        balance[port.item][port] = Fraction(-1)
        rows.append(({port: Fraction(1)}, BELT))
    for port in level.outputs:
        balance[port.item][port] = Fraction(1)
        rows.append(({port: Fraction(1)}, BELT))
    rows += [(form, Fraction(0)) for form in balance.values()]
    best = maximize({port: Fraction(1) for port in level.outputs}, rows).value
    return Fraction(0) if best is None else best
