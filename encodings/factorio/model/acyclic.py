"""That routes have no cycles, in few clauses: by vertex elimination (Rankooh and Rintanen 2022), without numbers.

An arc leads from a piece to one that gets from it. Cells are taken away one by one; where items can go through the
one that goes, an arc between its neighbours takes its place. There is no cycle just where never two cells have
arcs both ways. The layouts are those of the route numbers of `constraint.py`, each once; on a grid of n × n cells
the clauses grow about with n³ instead of n⁴, and a solver that looks for layouts alone is faster by far.
"""

from puzzlemc.encodings.factorio.model.clauses import Cnf, Tag
from puzzlemc.screens.factorio import DIRECTIONS, Cell, Level


def order(level: Level) -> list[tuple[Cell, list[Cell]]]:
    """The cells as they are taken away, with their neighbours then: those that make the least new arcs first."""
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
    """Add clauses that arcs between cells make no cycle.

    The variable of an arc has to hold where there is one; it holds as well where there is but a longer way.
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
