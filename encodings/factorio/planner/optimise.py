"""The optimisation problem: greatest output first, then least loss or shortest route; results and upper bounds.

The search is anytime: it reports each better layout as it is found. At a limit, the result is the best layout so
far and an upper bound of the output. A layout is called optimal only if that is proved.

Layouts are compared by exact rates, the solution of a linear program (`flow/network.py`). An inserter moves at
least LEAST; without this minimum, some levels would have better and better layouts, but no best one.
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

Report = Callable[[Layout, Measure], None]


@dataclass(frozen=True)
class Planned:
    """The result of a search for the best layout.

    layout     the best layout with routes, items and rates; None if there is none or none was found
    measure    its output, loss and route
    proved     the criteria that are proved to be optimal, the most important first. If the search is `complete`
               and has no layout, it is proved that there is none
    bound      no layout has more output
    complete   whether the search has finished; if not, `reason` is the limit that ended it
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


def most_on_grid(level: Level) -> int:
    """The greatest number of assemblers that fit on the grid."""
    return (level.width // 3) * (level.height // 3)


def steps(recipe: Recipe) -> list[Fraction]:
    """The parts of its full work that whole numbers of inserters allow an assembler, in increasing order.

    Inserters that bring items and inserters that take from the assembler share the SLOTS cells beside it.
    """
    rates = [recipe.gives[1], *(rate for _, rate in recipe.takes)]
    found = {Fraction(1), *(number * INSERTER / rate for rate in rates for number in range(1, SLOTS + 1))}
    return sorted(
        step for step in found if step <= 1 and sum(ceil(step * rate / INSERTER) for rate in rates) <= SLOTS
    )


class Bounds:
    """Upper bounds of all layouts of a level: by all assemblers that fit, and full belts.

    most  by recipe: an upper bound of its assemblers, by the room on the grid and by planarity

    With `proving`, the order of ports (`planar.stars`) is not used, so that certificates do not rest on it.
    """

    def __init__(self, level: Level, *, proving: bool = False) -> None:
        self._level = level
        room = most_on_grid(level) - (len(level.recipes) - 1)  # each other recipe has an assembler
        self.most: dict[str, int] = {}
        for recipe in level.recipes:
            found = [planar.limit(level, recipe), None if proving else planar.stars(level, recipe)]
            self.most[recipe.name] = max(0, min([room, *(many for many in found if many is not None)]))
        self._balance = self._rows()

    def greatest_output(self, most_work: tuple[Recipe, Fraction] | None = None) -> Fraction:
        """An upper bound of the output; `most_work` is a recipe and a limit of its work, in assemblers."""
        rows = [*self._balance]
        if most_work is not None:
            recipe, work = most_work
            rows.append(({recipe.name: Fraction(1)}, work))
        best = maximize({port: Fraction(1) for port in self._level.outputs}, rows).value
        return Fraction(0) if best is None else best

    def least_work(self, recipe: Recipe, output: Fraction) -> Fraction | None:
        """The least amount of work, in assemblers of a recipe, for an output; None if the output is impossible."""
        wanted: dict[Hashable, Fraction] = {port: Fraction(-1) for port in self._level.outputs}
        best = maximize({recipe.name: Fraction(-1)}, [*self._balance, (wanted, -output)]).value
        return None if best is None else -best

    def _rows(self) -> list[tuple[dict[Hashable, Fraction], Fraction]]:
        """Constraints of all layouts: no more of an item is used than is made or comes in.

        The variables are recipes and ports.
        """
        level = self._level
        rows: list[tuple[dict[Hashable, Fraction], Fraction]] = []
        # An assembler that does only part of its work needs as much room as any other.
        each: dict[Hashable, Fraction] = {
            recipe.name: 1 / max(steps(recipe), default=LEAST) for recipe in level.recipes
        }
        rows.append((dict(each), Fraction(most_on_grid(level))))
        for recipe in level.recipes:
            rows.append(({recipe.name: each[recipe.name]}, Fraction(self.most[recipe.name])))
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
