"""Changes of the numbers on tiles, and the fewest after which a Tetravex level has a solution.

numbers  one number of a tile becomes another one of the level
tiles    a tile gets any numbers of the level

**Repairs.** *Theorem.* Let F be a set of sides of tiles. There are numbers for F with which the level has a
solution if and only if its tiles can be arranged so that each edge agrees at which neither side is in F. *Proof.*
An arrangement that solves the changed level is one. Conversely, in such an arrangement give each side in F the
number on the other side of its edge; if that is in F, too, both get one number of the level. All edges agree then.
A side at the border keeps its number. ∎

So a side in F fits everything, and one formula asks for all sets F at once: some arrangement with few sides in F,
or with all sides of few tiles. A SAT solver finds the least number, and, by clauses that exclude those found, all
sets with this number. Tiles that a solution cannot move stay in their places.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations, product

from puzzlemc.encodings.puzzle.design.changes import Allowed, Change, Changes, Edit, Repairs
from puzzlemc.encodings.tetravex.parts import fixed_tiles
from puzzlemc.mc.errors import LIMITS, LimitReached, reason_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.sat.solvers import Cadical
from puzzlemc.screens.tetravex import EMPTY, Level, Tile, waiting

NUMBERS, TILES = KINDS = ("numbers", "tiles")
SIDES = ("north", "south", "east", "west")  # in the order of the numbers of a tile
LARGEST = 10  # rows of a board; more take gigabytes
MOST_REPAIRS = 10_000

Side = tuple[int, int]  # the number of a tile, from 0, and of one of its sides
New = Mapping[Side, int]  # the new numbers


def edits(level: Level, allowed: Allowed) -> Iterator[Change]:
    """All single edits that are allowed."""
    colours = sorted({colour for tile in level.tiles for colour in tile})
    free = [tile for tile in range(len(level.tiles)) if tile not in _kept(level, allowed)]
    if NUMBERS in allowed.kinds:
        for tile, side, colour in product(free, range(4), colours):
            if colour != level.tiles[tile][side]:
                yield _changed(level, allowed, {(tile, side): colour})
    if TILES in allowed.kinds:
        for tile in free:
            for numbers in product(colours, repeat=4):
                new = {(tile, side): colour for side, colour in enumerate(numbers)}
                new = {at: colour for at, colour in new.items() if level.tiles[tile][at[1]] != colour}
                if len(new) > 1 or (new and NUMBERS not in allowed.kinds):
                    yield _changed(level, allowed, new)


def repairs(level: Level, allowed: Allowed, budget: Budget) -> Repairs:
    """The smallest repairs: all sets of new numbers, or, if `tiles` may change, one repair for each set of tiles.

    That one has as few new numbers as possible; others with the same tiles are not listed. Of a solvable level,
    the level as it is.
    """
    found: list[Change] = []
    least, tried = 0, 0
    try:
        search = _Freeing(level, allowed, budget)
        for size in range(allowed.most + 1):
            least = size
            for new in search.repairs(size):
                if not size:
                    return Repairs((Change(level, ()),), 0, complete=True, tried=1)
                found.append(_changed(level, allowed, new))
                if len(found) == MOST_REPAIRS:
                    raise LimitReached("bound", f"there are more than {MOST_REPAIRS:,} repairs")
            tried = search.tried
            if found:
                return Repairs(tuple(found), least, complete=TILES not in allowed.kinds, tried=tried)
        return Repairs((), least + 1, complete=False, tried=tried)
    except LIMITS as limit:
        return Repairs(tuple(found), least, complete=False, tried=tried, reason=reason_of(limit))


def _kept(level: Level, allowed: Allowed) -> frozenset[int]:
    """The tiles that lie on cells which must look as they do."""
    return frozenset(tile for tile, cell in _places(level).items() if cell in allowed.keep)


def _places(level: Level) -> dict[int, tuple[int, int]]:
    """Where each tile is in the picture of the start: on the board or beside it."""
    beside = {number - 1: cell for number, cell in waiting(level).items()}
    return beside | {
        number - 1: divmod(cell, level.side) for cell, number in enumerate(level.start) if number != EMPTY
    }


def _changed(level: Level, allowed: Allowed, new: New) -> Change:
    """The level with new numbers on some sides."""
    tiles = [list(tile) for tile in level.tiles]
    sides: dict[int, list[int]] = {}
    for (tile, side), colour in sorted(new.items()):
        tiles[tile][side] = colour
        sides.setdefault(tile, []).append(side)
    made, places = [], _places(level)
    whole = TILES in allowed.kinds
    for tile, changed in sides.items():
        name = f"tile {tile + 1}"
        if not whole or (len(changed) == 1 and NUMBERS in allowed.kinds):
            for side in changed:
                before, after = level.tiles[tile][side], tiles[tile][side]
                words = f"the number in the {SIDES[side]} of {name} becomes {after}, not {before}"
                made.append(Edit(NUMBERS, words, (places[tile],)))
        else:
            old, new_ones = (" ".join(map(str, numbers)) for numbers in (level.tiles[tile], tiles[tile]))
            made.append(Edit(TILES, f"{name} becomes {new_ones} ({', '.join(SIDES)}), not {old}", (places[tile],)))
    return Change(replace(level, tiles=tuple(Tile(*numbers) for numbers in tiles)), tuple(made))


class _Freeing:
    """The formula of arrangements in which some sides fit everything.

    tried  the number of questions to the solver
    """

    def __init__(self, level: Level, allowed: Allowed, budget: Budget) -> None:
        """Write the formula. Raises LimitReached."""
        if level.side > LARGEST:
            raise LimitReached("memory")
        self.tried = 0
        self._level, self._solver, self._last = level, Cadical(budget), 0
        self._colours = sorted({colour for tile in level.tiles for colour in tile})
        cells = tiles = range(len(level.tiles))
        self._on = [self._new(len(tiles)) for _ in cells]
        self._edges = [
            *((cell, 2, cell + 1, 3) for cell in cells if (cell + 1) % level.side),
            *((cell, 1, cell + level.side, 0) for cell in cells[: -level.side]),
        ]
        self._colour = [dict(zip(self._colours, self._new(len(self._colours)), strict=True)) for _ in self._edges]
        self._is_free = self._new(len(tiles))
        self._is_new = [self._new(4) for _ in tiles]
        self._becomes = {
            (tile, side, colour): self._new(1)[0] for tile, side, colour in product(tiles, range(4), self._colours)
        }
        for number in range(len(tiles)):
            budget.check()
            for group in (self._on[number], [row[number] for row in self._on]):
                self._solver.add([group, *([-one, -other] for one, other in combinations(group, 2))])
        for cell, tile in fixed_tiles(level).items():
            self._solver.add([[self._on[cell][tile - 1]]])
        for tile in tiles:
            self._solver.add([-side, self._is_free[tile]] for side in self._is_new[tile])
        self._solver.add([-self._is_free[tile]] for tile in _kept(level, allowed))
        for edge, colour in zip(self._edges, self._colour, strict=True):
            budget.check()
            self._solver.add([[*colour.values()]])
            self._solver.add([-one, -other] for one, other in combinations(colour.values(), 2))
            for cell, side in (edge[:2], edge[2:]):
                self._add_side(cell, side, colour)
        sides = [side for tile in self._is_new for side in tile]
        self._are_tiles = TILES in allowed.kinds
        self._counted = self._is_free if self._are_tiles else sides
        self._more = self._counter(self._counted, allowed.most)
        self._more_sides = self._counter(sides, 4 * allowed.most) if self._are_tiles else []

    def repairs(self, size: int) -> Iterator[New]:
        """Yield the repairs with this number of edits, if no smaller number suffices. Raises LimitReached."""
        few = [] if size >= len(self._counted) else [-self._more[size]]
        while self._solve(few):
            if not size:
                yield {}
                return
            if self._are_tiles:
                solution = self._solver.solution()
                chosen = [free for free in self._is_free if free in solution]
                yield self._fewest_numbers(chosen)
                self._solver.add([[-free for free in chosen]])
            else:
                new = self._new_numbers()
                yield new
                self._solver.add([[-self._becomes[(*side, colour)] for side, colour in new.items()]])

    def _fewest_numbers(self, chosen: list[int]) -> New:
        """A repair of these tiles with as few new numbers as possible. Raises LimitReached."""
        others = [-free for free in self._is_free if free not in chosen]
        for count in range(len(chosen), 4 * len(chosen)):
            if self._solve([*others, -self._more_sides[count]]):
                return self._new_numbers()
        self._solve(others)
        return self._new_numbers()

    def _new_numbers(self) -> New:
        """The new numbers of the last solution."""
        solution, found = self._solver.solution(), {}
        tile_on = [next(tile for tile, held in enumerate(row) if held in solution) for row in self._on]
        for edge, colours in zip(self._edges, self._colour, strict=True):
            colour = next(colour for colour, held in colours.items() if held in solution)
            for cell, side in (edge[:2], edge[2:]):
                tile = tile_on[cell]
                if self._level.tiles[tile][side] != colour:
                    found[tile, side] = colour
        return found

    def _add_side(self, cell: int, side: int, colour: Mapping[int, int]) -> None:
        """A tile on the cell has the number of the edge on this side, or gets it."""
        for tile, numbers in enumerate(self._level.tiles):
            held, changed = self._on[cell][tile], self._is_new[tile][side]
            self._solver.add([[-held, changed, colour[numbers[side]]]])
            self._solver.add(
                [-held, -changed, -literal, self._becomes[tile, side, number]]
                for number, literal in colour.items()
            )

    def _counter(self, literals: list[int], most: int) -> list[int]:
        """Literals that hold if more than 0, 1, … of these hold (totalizer: Bailleux and Boufkhad 2003)."""
        from pysat.card import ITotalizer  # slow to load

        with ITotalizer(literals, ubound=min(most, len(literals) - 1), top_id=self._last) as counter:
            self._solver.add(counter.cnf.clauses)
            self._last = max(self._last, counter.top_id)
            return list(counter.rhs)

    def _solve(self, assumptions: list[int]) -> bool:
        self.tried += 1
        return self._solver.solve(assumptions)

    def _new(self, count: int) -> list[int]:
        """New variables."""
        self._last += count
        return list(range(self._last - count + 1, self._last + 1))


CHANGES = Changes(KINDS, edits, repairs=repairs, hides=lambda level: bool(waiting(level)))
