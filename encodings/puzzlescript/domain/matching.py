"""Matches of the left side of a rule.

A cell of a left side is a condition on a cell of the board. A row of them matches cells in a line. Its matches are
found row by row of the board if the rule has a horizontal direction, column by column if it has a vertical one. An
ellipsis matches any number of cells, also none.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from puzzlemc.encodings.puzzlescript.domain.board import OPPOSITE, Board
from puzzlemc.screens.puzzlescript.game import Row, Term

Match: TypeAlias = tuple[int, ...]  # the cells that a row matches, without those of its ellipses


class Names(NamedTuple):
    """The meaning of the names in terms.

    members  the objects of a property; an object is the only member of itself
    layer    the layer of an object or a property
    layers   the objects of each layer
    """

    members: Mapping[str, frozenset[str]]
    layer: Mapping[str, int]
    layers: Sequence[frozenset[str]]

    def is_object(self, name: str) -> bool:
        """Is this the name of an object, not of a property?"""
        return self.members[name] == {name}


class Condition(NamedTuple):
    """The condition of a rule on one cell.

    objects  the cell contains all of them
    some     the cell contains an object of each of these sets
    absent   the cell contains none of them
    moving   the layer has this movement
    still    the layer has no movement
    """

    objects: frozenset[str]
    some: tuple[frozenset[str], ...]
    absent: frozenset[str]
    moving: tuple[tuple[int, str], ...]
    still: tuple[int, ...]


@dataclass(frozen=True)
class Pattern:
    """A row of a left side, split into parts at its ellipses. `objects` are all that its conditions name."""

    direction: str
    parts: tuple[tuple[Condition, ...], ...]
    objects: frozenset[str]


def condition(terms: Iterable[Term], names: Names) -> Condition:
    """The condition that the terms of a cell express."""
    objects, some, absent, moving, still = set[str](), [], set[str](), [], []
    for movement, name in terms:
        if movement == "no":
            absent |= names.members[name]
            continue
        if names.is_object(name):
            objects.add(name)
        else:
            some.append(names.members[name])
        if movement == "stationary":
            still.append(names.layer[name])
        elif movement:
            moving.append((names.layer[name], movement))
    return Condition(frozenset(objects), tuple(some), frozenset(absent), tuple(moving), tuple(still))


def pattern(row: Row, direction: str, names: Names) -> Pattern:
    """A row of a left side, prepared for matching."""
    parts: list[list[Condition]] = [[]]
    for cell in row:
        if cell is None:
            parts.append([])
        else:
            parts[-1].append(condition(cell, names))
    needed = frozenset[str]().union(*(each.objects for part in parts for each in part))
    return Pattern(direction, tuple(map(tuple, parts)), needed)


def holds(board: Board, wanted: Condition, cell: int) -> bool:
    """Does a cell of the board meet a condition?"""
    here, movements = board.cells[cell], board.movements
    return (
        wanted.objects <= here
        and wanted.absent.isdisjoint(here)
        and not any(each.isdisjoint(here) for each in wanted.some)
        and all(movements.get((cell, layer)) == movement for layer, movement in wanted.moving)
        and not any((cell, layer) in movements for layer in wanted.still)
    )


def still_matches(board: Board, row: Pattern, match: Match) -> bool:
    """Does a match that was found on an earlier board also hold on this one?"""
    cells = iter(match)
    return all(holds(board, wanted, next(cells)) for part in row.parts for wanted in part)


def matches(board: Board, row: Pattern) -> list[Match]:
    """All matches of a row in the order of the language: by first cells, then by lengths of gaps."""
    if not all(board.places[name] for name in row.objects):
        return []
    ahead = board.ahead[row.direction]
    return [match for cell in _first_cells(board, row) for match in _on_line(board, row.parts, ahead[cell])]


def _on_line(board: Board, parts: tuple[tuple[Condition, ...], ...], line: range) -> Iterator[Match]:
    """Yield the matches of parts with gaps between them; the first part is at the start of the line."""
    part, others = parts[0], parts[1:]
    here, beyond = line[: len(part)], line[len(part) :]
    if len(here) < len(part) or not all(map(holds, [board] * len(part), part, here)):
        return
    if not others:
        yield tuple(here)
        return
    for gap in range(len(beyond) + 1):
        for match in _on_line(board, others, beyond[gap:]):
            yield (*here, *match)


def _first_cells(board: Board, row: Pattern) -> Iterable[int]:
    """The cells where a match may begin, in order.

    The first part has conditions that few cells meet. The search begins at the cells that the rarest object or
    movement of these conditions has, and goes back to the start of the row.
    """
    order = board.by_columns if row.direction in ("up", "down") else None
    candidates = [
        (distance, cells) for distance, wanted in enumerate(row.parts[0]) for cells in _cells_with(board, wanted)
    ]
    if not candidates:
        return sorted(range(len(board.cells)), key=order)
    distance, cells = min(candidates, key=lambda each: len(each[1]))
    back = board.ahead[OPPOSITE[row.direction]]
    return sorted((back[cell][distance] for cell in cells if len(back[cell]) > distance), key=order)


def _cells_with(board: Board, wanted: Condition) -> Iterator[Collection[int]]:
    """Yield the cells that have each object and each movement of a condition."""
    for name in wanted.objects:
        yield board.places[name]
    for layer, movement in wanted.moving:
        yield [cell for (cell, at), given in board.movements.items() if at == layer and given == movement]
