"""Clauses that forbid cycles of routes, by vertex elimination (Rankooh and Rintanen 2022).

An arc leads from a piece to each piece that receives its items. Cells are eliminated one at a time; a path through
the eliminated cell becomes an arc between its neighbours. A cycle exists if and only if, at some time, two cells
have arcs in both directions. The layouts are those that have route numbers (`constraint.py`), each of them once.
On a grid of n × n cells there are about n³ clauses instead of n⁴, and a solver finds layouts much faster.
"""

from puzzlemc.encodings.factorio.model.clauses import Cnf, Tag
from puzzlemc.screens.factorio import DIRECTIONS, Cell, Level


def order(level: Level) -> list[tuple[Cell, list[Cell]]]:
    """The elimination order: each cell with its neighbours at that time; least number of new arcs first."""
    beside = {
        cell: {other for word in DIRECTIONS if (other := level.ahead(cell, word)) is not None}
        for cell in level.cells()
    }
    found = []
    while beside:

        def fill(cell: Cell) -> tuple[int, int, Cell]:
            around = beside[cell]
            missing = sum(len(around - beside[other]) - 1 for other in around)
            return missing, len(around), cell

        cell = min(beside, key=fill)
        around = beside.pop(cell)
        for other in around:
            beside[other] = (beside[other] | around) - {cell, other}
        found.append((cell, sorted(around)))
    return found


def forbid_cycles(cnf: Cnf, level: Level, arcs: dict[tuple[Cell, Cell], int], tag: Tag) -> None:
    """Add clauses that forbid cycles of arcs.

    `arcs` has a variable for each possible arc, which must hold if the arc exists.
    """
    arcs = dict(arcs)
    for cell, around in order(level):
        for one in around:
            if (one, cell) not in arcs:
                continue
            for other in around:
                if (cell, other) not in arcs:
                    continue
                through = [-arcs[one, cell], -arcs[cell, other]]
                if one == other:
                    cnf.add(tag, *through)
                else:
                    if (one, other) not in arcs:
                        arcs[one, other] = cnf.new(("arc", one, other))
                    cnf.add(tag, *through, arcs[one, other])
