"""Building a layout by hand, one thing at a time: the positions and steps of a level for a player.

    belt (1,3) east       a belt or an inserter on a free cell
    gear (4,5)            an assembler of that recipe with this centre, on nine free cells

No step removes a thing, and no step has a cost.
"""

from collections.abc import Iterator
from dataclasses import replace

from puzzlemc.encodings.factorio.domain.rules import faults
from puzzlemc.mc.rules.plain import Step, Transition
from puzzlemc.screens.factorio import DIRECTIONS, Cell, Layout, Level, Words, area, place_name

NOTHING = {"moves": 0}


def start(level: Level) -> Layout:
    """The empty grid."""
    empty = (("",) * level.width,) * level.height
    return Layout(empty, empty, ())


def steps(level: Level, layout: Layout) -> Iterator[Step]:
    """All steps: each puts one thing on free cells."""
    taken = {cell for centre, _ in layout.assemblers for cell in area(centre)}
    for grid in (layout.belts, layout.inserters):
        taken |= {cell for cell in level.cells() if grid[cell[0]][cell[1]]}
    for row, column in level.cells():
        if (row, column) not in taken:
            for word in DIRECTIONS:
                belts = replace(layout, belts=_put(layout.belts, (row, column), word))
                yield Step(f"belt {place_name((row, column))} {word}", belts, NOTHING)
                inserters = replace(layout, inserters=_put(layout.inserters, (row, column), word))
                yield Step(f"inserter {place_name((row, column))} {word}", inserters, NOTHING)
    for centre in level.centres():
        if taken.isdisjoint(area(centre)):
            for recipe in level.recipes:
                assemblers = tuple(sorted((*layout.assemblers, (centre, recipe.name))))
                name = f"{recipe.name} {place_name(centre)}"
                yield Step(name, replace(layout, assemblers=assemblers), NOTHING)


def solved(level: Level, layout: Layout) -> bool:
    """Is the layout valid?"""
    return not faults(level, layout)


def _put(grid: Words, cell: Cell, word: str) -> Words:
    return tuple(tuple(word if (i, j) == cell else old for j, old in enumerate(row)) for i, row in enumerate(grid))


RULES = Transition(start, steps, solved)
