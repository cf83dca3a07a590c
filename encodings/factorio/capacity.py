"""How many assemblers and inserters an output takes, counted over the whole grid: what SAT alone sees of rates.

An assembler makes at most what its recipe gives, and an inserter moves at most 50 items a minute. So for more
output there have to be so many assemblers of a recipe, so many inserters that take from them, and so many that
bring them each item. That follows from the rates, and says in one clause what cuts would say layout by layout.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor

from puzzlemc.encodings.factorio.clauses import Tag
from puzzlemc.encodings.factorio.constraint import Plan
from puzzlemc.encodings.factorio.flow import INSERTER
from puzzlemc.encodings.factorio.optimise import least_work
from puzzlemc.screens.factorio_level import DIRECTIONS, OPPOSITE, Recipe, area

MOST = 16  # inserters that are counted


class Capacity:
    """Counters over a plan, for each recipe: assemblers, inserters that take from them, and that give, by item."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        level, cnf = plan.level, plan.cnf
        tag = Tag("inserter rate")
        self._counters: list[tuple[Recipe, Fraction, list[int]]] = []  # recipe, work of one, counter
        for recipe in level.recipes:
            name = recipe.name
            centres = [plan.assembler[cell, name] for cell in level.centres()]
            self._counters.append((recipe, Fraction(1), cnf.tally(tag, ("assemblers", name), centres, MOST)))
            covered = {
                cell: cnf.either(
                    tag,
                    ("covered", cell, name),
                    [plan.assembler[centre, name] for centre in area(cell) if (centre, name) in plan.assembler],
                )
                for cell in level.cells()
            }
            leaving: list[int] = []
            entering: dict[str, list[int]] = {item: [] for item, _ in recipe.takes}
            for cell in level.cells():
                takes, gives = [], []
                for word in DIRECTIONS:
                    inserter = plan.inserter[cell, word]
                    ahead, behind = level.ahead(cell, word), level.ahead(cell, OPPOSITE[word])
                    if ahead is not None and behind is not None:
                        pair = [inserter, covered[behind]]
                        takes.append(cnf.both(tag, ("leaves", cell, word, name), pair))
                        pair = [inserter, covered[ahead]]
                        gives.append(cnf.both(tag, ("gives", cell, word, name), pair))
                leaving.append(cnf.either(tag, ("leaves", cell, name), takes))
                given = cnf.either(tag, ("gives", cell, name), gives)
                for item, cells in entering.items():
                    pair = [given, plan.item[cell, item]]
                    cells.append(cnf.both(tag, ("gives", cell, name, item), pair))
            counter = cnf.tally(tag, ("leaving", name), leaving, MOST)
            self._counters.append((recipe, INSERTER / recipe.gives[1], counter))
            for item, rate in recipe.takes:
                counter = cnf.tally(tag, ("entering", name, item), entering[item], MOST)
                self._counters.append((recipe, INSERTER / rate, counter))

    def needed(self, output: Fraction, more: bool) -> Iterator[tuple[int, ...]]:
        """Clauses that hold for layouts with that output at least, or with more."""
        for recipe, one, counter in self._counters:
            work = least_work(self._plan.level, recipe, output)
            if work is None:
                yield ()
                return
            # The work is convex in the output, and 0 for none: where it is not 0, more output takes more.
            number = floor(work / one) + 1 if more and work > 0 else ceil(work / one)
            if number > MOST:
                number = MOST
            if number > len(counter):
                yield ()
            elif number > 0:
                yield (counter[number - 1],)
