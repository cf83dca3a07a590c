"""The assemblers and inserters that an output needs, as clauses: the part of the rates that SAT can use directly.

An inserter moves at most 50 items a minute. So the inserters that bring an item to an assembler, and those that
take its product, bound its work. Since inserters are whole, only a few bounds are possible (`steps`). An output
requires a minimal amount of work for each recipe, and the assemblers together must be able to do it. These clauses
follow from the rates; without them, many cuts would be needed, one for each layout.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import ceil

from puzzlemc.encodings.factorio.flow.network import INSERTER
from puzzlemc.encodings.factorio.model.clauses import Tag
from puzzlemc.encodings.factorio.model.constraint import Plan, around, enters
from puzzlemc.encodings.factorio.planner.optimise import Bounds, steps
from puzzlemc.screens.factorio import OPPOSITE, Cell, Recipe

TAG = Tag("inserter rate")
MOST_SUMS = 5_000  # of the counters of a recipe


@dataclass(frozen=True)
class _Counter:
    """A counter of the assemblers of a recipe that can do at least a certain part of their work.

    reach  variables: at least 1, 2, … assemblers can
    more   the difference between this part and the part of the counter before
    """

    more: Fraction
    reach: list[int]


class Capacity:
    """Counters over a plan: for each recipe and each step of work, the assemblers that can do at least that."""

    def __init__(self, plan: Plan, bounds: Bounds) -> None:
        self._plan, self._bounds = plan, bounds
        self._made: dict[tuple[object, ...], int | None] = {}
        self._tallies: dict[tuple[Cell, str], list[int]] = {}
        self._possible: dict[str, frozenset[Fraction]] = {}
        self._counters = {recipe.name: self._counted(recipe) for recipe in plan.level.recipes}

    def needed(self, output: Fraction, more: bool) -> Iterator[tuple[int, ...]]:
        """Clauses that every layout with at least that output satisfies; with `more`, with a greater output."""
        for recipe in self._plan.level.recipes:
            work = self._bounds.least_work(recipe, output)
            if work is None:
                yield ()
            elif work > 0:
                # The work is a convex function of the output with value 0 at 0: where it is positive, it grows.
                literal = self._enough(recipe.name, 0, work, more)
                if literal is None:
                    yield ()
                else:
                    yield (literal,)

    def floor(self, output: Fraction) -> Fraction:
        """An output such that every layout with more needs all that `needed` says of `output`.

        The counters of a recipe have few sums. Let `below` be the greatest sum that is less than the work for
        `output`. Every output that needs more work than `below` needs at least the next sum, as `output` does.
        """
        found = Fraction(0)
        for recipe in self._plan.level.recipes:
            work = self._bounds.least_work(recipe, output)
            if work is None:
                return output
            if work > 0:
                below = max((some for some in self._sums(recipe.name) if some < work), default=work)
                found = max(found, self._bounds.greatest_output((recipe, below)))
        return min(found, output)

    def _sums(self, name: str) -> frozenset[Fraction]:
        """The sums that the counters of a recipe can have; none if there are too many."""
        if name not in self._possible:
            found, counters = {Fraction(0)}, self._counters[name]
            parts = list(accumulate(counter.more for counter in counters))
            for _ in range(max((len(counter.reach) for counter in counters), default=0)):
                found |= {some + part for some in found for part in parts}
                if len(found) > MOST_SUMS:
                    found = set()
                    break
            self._possible[name] = frozenset(found)
        return self._possible[name]

    def _counted(self, recipe: Recipe) -> list[_Counter]:
        """A counter for each step of the work of an assembler."""
        plan, cnf = self._plan, self._plan.cnf
        level, name = plan.level, recipe.name
        found, before = [], Fraction(0)
        most = self._bounds.most[name]
        for beyond in cnf.tally(
            TAG, ("stand", name), [plan.assembler[c, name] for c in level.centres()], most + 1
        )[most:]:
            cnf.add(Tag("recipes", None, name), -beyond)
        can = {centre: plan.assembler[centre, name] for centre in level.centres()}
        for number, step in enumerate(steps(recipe)):
            for centre, given in can.items():
                made = cnf.new(("can", centre, name, number))
                cnf.add(TAG, -made, given)
                for item, rate in (("", recipe.gives[1]), *recipe.takes):
                    beside = self._beside(centre, item)
                    many = ceil(step * rate / INSERTER)
                    if many > len(beside):
                        cnf.add(TAG, -made)
                    else:
                        cnf.add(TAG, -made, beside[many - 1])
                # One direction suffices: the solver sets the variable only where a counter needs it.
                can[centre] = made
            reach = cnf.tally(TAG, ("can", name, number), list(can.values()), most)
            found.append(_Counter(step - before, reach))
            before = step
        return found

    def _beside(self, centre: Cell, item: str) -> list[int]:
        """A counter of the inserters that bring an item to an assembler; with "", of those that take from it."""
        if (centre, item) not in self._tallies:
            plan = self._plan
            nearby = around(plan.level, centre)
            if item:
                literals = [enters(plan, cell, OPPOSITE[away], item) for cell, away in nearby]
            else:
                literals = [plan.inserter[cell, away] for cell, away in nearby]
            self._tallies[centre, item] = plan.cnf.tally(TAG, ("beside", centre, item), literals, len(literals))
        return self._tallies[centre, item]

    def _enough(self, name: str, index: int, work: Fraction, more: bool) -> int | None:
        """A variable that implies that the counters from an index on reach some work; None if they cannot.

        A decision diagram over the counters (Eén and Sörensson 2006), as implications in one direction.
        """
        key = (name, index, work, more)
        if key not in self._made:
            counters, cnf = self._counters[name], self._plan.cnf
            most = sum((counter.more * len(counter.reach) for counter in counters[index:]), Fraction(0))
            if most < work or (more and most == work):
                self._made[key] = None
                return None
            made = cnf.new(("enough", *key))
            self._made[key] = made
            counter = counters[index]
            for number in range(len(counter.reach) + 1):
                rest = work - number * counter.more
                given = [counter.reach[number]] if number < len(counter.reach) else []
                if rest < 0 or (not more and rest == 0):
                    break
                below = self._enough(name, index + 1, rest, more) if index + 1 < len(counters) else None
                cnf.add(TAG, -made, *given, *([] if below is None else [below]))
        return self._made[key]
