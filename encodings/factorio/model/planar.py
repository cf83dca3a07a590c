"""Consequences of planarity: belts cannot cross, so some routes are impossible, and assemblers are bounded.

A *net* is a connected set of cells: pieces that carry certain items, and assemblers of certain recipes between
them. From a piece of an item, a path leads back to a cell where the item comes in, or to an assembler that makes
it and from there to each of its ingredients; and a path leads forward to a cell where an item goes out. Nets that
have no item and no recipe in common share no cell. The grid is a planar graph, also with one more vertex for the
outside. Three facts follow:

crossing   if two nets connect pairs of cells that alternate on the border, there is no layout
limit      an assembler of a recipe with two or more ingredients touches a net of each ingredient and one of its
           product, and most nets touch the outside. A planar bipartite graph of V vertices has at most 2V - 4
           edges. So with one input for each item and one output, there is at most one such assembler (two would
           give the graph K3,3 of three houses and three wells)
stars      if all ports of these nets are on the border, their order there bounds the assemblers as well

Proof of `stars`. Take three or more kinds of nets of which no two share an item or a recipe, and none contains the
recipe itself. An assembler of the recipe has a path in each kind, from a cell beside it to a port. These paths and
its nine cells are its *star*. Paths of different kinds share no cell, and none enters an assembler of the recipe.
Where a path meets a path of the same kind from another assembler, let it go on along that one: from there on both
are equal, with the same port. The grid is a disc, and lines from the ports to a circle around it cross nothing.
So one star divides the disc into sectors, one between each two of its ports that are neighbours on the border.
Another assembler is inside one of the sectors. Its paths stay there, or they meet a path of the same kind that
bounds the sector, and end where that ends. So its ports are on the part of the border between the two neighbours,
ends included. Two such stars are *side by side*: this holds for each of them with respect to the other. Stars with
the same ports are not side by side, because at least three ports are not between two neighbours. So there are no
more assemblers than choices of a port of each kind that are side by side in pairs.

Solvers need very long to find this out from clauses about cells.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise, product
from math import prod

from puzzlemc.screens.factorio import Cell, Level, Recipe

MOST_CHOICES = 1000  # combinations of nets that are tried
MOST_STARS = 40  # stars among which the greatest set is sought


@dataclass(frozen=True)
class _Net:
    """A kind of nets: their items and recipes. Each net of the kind contains one of the cells `ports`."""

    items: frozenset[str]
    recipes: frozenset[str]
    ports: frozenset[Cell]

    def apart(self, other: "_Net") -> bool:
        """Have the two kinds no item and no recipe in common?"""
        return not (self.items & other.items or self.recipes & other.recipes)

    def join(self, other: "_Net") -> "_Net":
        """The kind with the items, recipes and ports of both."""
        return _Net(self.items | other.items, self.recipes | other.recipes, self.ports | other.ports)


def crossing(level: Level) -> tuple[Cell, Cell] | None:
    """Two cells where items come in or go out and whose nets must cross; None if there are no such cells."""
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
    """An upper bound of the number of assemblers of a recipe by planarity; None if planarity gives no bound."""
    border = _border(level)
    best: int | None = None
    for nets in _touched(level, recipe):
        # The vertices are m assemblers, n nets and the outside; b nets touch the outside. The bipartite graph has
        # len(nets) m + b ≤ 2 (m + n + 1) - 4 edges.
        n = sum(len(net.ports) for net in nets)
        b = sum(cell in border for net in nets for cell in net.ports)
        most = (2 * n - b - 2) // (len(nets) - 2)
        best = most if best is None else min(best, most)
    return best


def stars(level: Level, recipe: Recipe) -> int | None:
    """An upper bound of the number of assemblers of a recipe by the order of ports; None if there is no bound."""
    border = _border(level)
    best: int | None = None
    for nets in _touched(level, recipe):
        if prod(len(net.ports) for net in nets) <= MOST_STARS and all(net.ports <= border.keys() for net in nets):
            most = _side_by_side(list(product(*(sorted(border[cell] for cell in net.ports) for net in nets))))
            best = most if best is None else min(best, most)
    return best


def _touched(level: Level, recipe: Recipe) -> Iterator[list[_Net]]:
    """Three or more kinds of nets that each assembler of a recipe touches; no two share anything."""
    without = frozenset([recipe.name])
    choices: list[list[_Net | None]] = [[None, *_onward(level, recipe.gives[0], without)]]
    choices += [[None, *_back(level, item, without)] for item, _ in recipe.takes]
    for chosen in islice(product(*choices), MOST_CHOICES):
        nets = [net for net in chosen if net is not None]
        if len(nets) > 2 and all(net.apart(other) for i, net in enumerate(nets) for other in nets[:i]):
            yield nets


def _side_by_side(stars: Sequence[tuple[int, ...]]) -> int:
    """The greatest number of stars of which each two have room side by side."""
    most = 0
    for number, star in enumerate(stars):
        if most >= len(stars) - number:
            break
        others = [other for other in stars[number + 1 :] if _apart(star, other) and _apart(other, star)]
        most = max(most, 1 + _side_by_side(others))
    return most


def _apart(star: Sequence[int], other: Sequence[int]) -> bool:
    """Are all ends of the other star between two neighbouring ends of this one, or at these ends?"""
    ends = sorted(star)
    outside = all(end <= ends[0] or end >= ends[-1] for end in other)
    return outside or any(all(low <= end <= high for end in other) for low, high in pairwise(ends))


def _back(level: Level, item: str, without: frozenset[str]) -> Iterator[_Net]:
    """The kinds of nets from an item back to cells where it or its ingredients come in.

    They contain no recipe of `without`.
    """
    ports = frozenset(port.cell for port in level.inputs if port.item == item)
    makers = [recipe for recipe in level.recipes if recipe.gives[0] == item]
    if any(maker.name in without for maker in makers):
        return
    # For each maker, the nets of one of its ingredients.
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
    """The kind of nets from an item on to cells where it or its products go out, if there is one."""
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
    """Do two chords of a circle cross? Chords that share an end do not."""
    low, high = sorted((one, end))
    return (low < other < high) != (low < other_end < high) and not {low, high} & {other, other_end}
