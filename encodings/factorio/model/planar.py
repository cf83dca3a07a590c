"""What belts that cannot cross make impossible: a way to an output at all, or more assemblers of a recipe.

A *net* is a connected set of cells: pieces that carry some items, with assemblers of some recipes between. Going
back from a piece of an item one comes, piece by piece, to where it comes in, or to an assembler that makes it and
so to each item that this takes; going on, to where an item goes out. Nets of other items and recipes have no cell
in common, and the grid is a planar graph, also with one more vertex for all that is outside. Two things follow:

crossing   if cells on the border that are tied to each other by nets stand crosswise, there is no layout
limit      assemblers of a recipe that takes two items or more touch a net of each and one of what they give, and
           most nets touch the outside. A planar bipartite graph of V vertices has at most 2V - 4 edges; so with
           one input of each item and one output, there is one such assembler and no more (a second one would give
           the graph K3,3 of three houses and three wells)

Solvers that look at cells have a hard time to see that.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, product

from puzzlemc.screens.factorio import Cell, Level, Recipe

MOST_CHOICES = 1000  # ways to choose nets that are looked at


@dataclass(frozen=True)
class _Net:
    """A kind of nets: what they are made of, and cells of which each has one."""

    items: frozenset[str]
    recipes: frozenset[str]
    ports: frozenset[Cell]

    def apart(self, other: "_Net") -> bool:
        """Have the two kinds nothing in common?"""
        return not (self.items & other.items or self.recipes & other.recipes)

    def join(self, other: "_Net") -> "_Net":
        return _Net(self.items | other.items, self.recipes | other.recipes, self.ports | other.ports)


def crossing(level: Level) -> tuple[Cell, Cell] | None:
    """Two cells where items come in or go out whose nets cannot but cross, whatever way they go."""
    border = _border(level)
    ties = [(port.cell, net) for port in level.inputs for net in _onward(level, port.item, frozenset())]
    ties += [(port.cell, net) for port in level.outputs for net in _back(level, port.item, frozenset())]
    ties = [(cell, net) for cell, net in ties if {cell, *net.ports} <= border.keys()]
    for number, (cell, net) in enumerate(ties):
        for other, other_net in ties[:number]:
            if net.apart(other_net) and all(
                _crosswise(border[cell], border[end], border[other], border[other_end])
                for end in net.ports
                for other_end in other_net.ports
            ):
                return other, cell
    return None


def limit(level: Level, recipe: Recipe) -> int | None:
    """How many assemblers of a recipe there can be, as belts cannot cross; None where that says nothing."""
    border = _border(level)
    without = frozenset([recipe.name])
    choices: list[list[_Net | None]] = [[None, *_onward(level, recipe.gives[0], without)]]
    choices += [[None, *_back(level, item, without)] for item, _ in recipe.takes]
    best: int | None = None
    for chosen in islice(product(*choices), MOST_CHOICES):
        nets = [net for net in chosen if net is not None]
        if len(nets) < 3 or not all(net.apart(other) for i, net in enumerate(nets) for other in nets[:i]):
            continue
        # With m assemblers, nets n of which b touch the outside: edges of assemblers and of the outside, at most
        # 2V - 4, are len(nets) m + b ≤ 2 (m + n + 1) - 4.
        n = sum(len(net.ports) for net in nets)
        b = sum(cell in border for net in nets for cell in net.ports)
        most = (2 * n - b - 2) // (len(nets) - 2)
        best = most if best is None else min(best, most)
    return best


def _back(level: Level, item: str, without: frozenset[str]) -> Iterator[_Net]:
    """The kinds of nets back from an item to where it, or what it is of, comes in; not by recipes `without`."""
    ports = frozenset(port.cell for port in level.inputs if port.item == item)
    makers = [recipe for recipe in level.recipes if recipe.gives[0] == item]
    if any(maker.name in without for maker in makers):
        return
    # Each maker by one of what it takes.
    ways = (
        [net for taken, _ in maker.takes for net in _back(level, taken, without | {maker.name})]
        for maker in makers
    )
    for chosen in product(*ways):
        net = _Net(frozenset([item]), frozenset(maker.name for maker in makers), ports)
        for other in chosen:
            net = net.join(other)
        if net.ports:
            yield net


def _onward(level: Level, item: str, without: frozenset[str]) -> Iterator[_Net]:
    """The kind of nets on from an item to where it, or what is made of it, goes out, if there is one."""
    net = _Net(frozenset([item]), frozenset(), frozenset(p.cell for p in level.outputs if p.item == item))
    for recipe in level.recipes:
        if recipe.rate(item):
            if recipe.name in without:
                return
            after = next(_onward(level, recipe.gives[0], without | {recipe.name}), None)
            if after is None:
                return
            net = net.join(after).join(_Net(frozenset(), frozenset([recipe.name]), frozenset()))
    if net.ports:
        yield net


def _border(level: Level) -> dict[Cell, int]:
    """The cells on the border, numbered clockwise."""
    height, width = level.height, level.width
    cells = [(0, column) for column in range(width)] + [(row, width - 1) for row in range(1, height)]
    cells += [(height - 1, column) for column in reversed(range(width - 1))]
    cells += [(row, 0) for row in reversed(range(1, height - 1))]
    return {cell: number for number, cell in reversed(list(enumerate(cells)))}


def _crosswise(one: int, end: int, other: int, other_end: int) -> bool:
    """Does a chord of a circle cross another? Not where they share an end."""
    low, high = sorted((one, end))
    return (low < other < high) != (low < other_end < high) and not {low, high} & {other, other_end}
