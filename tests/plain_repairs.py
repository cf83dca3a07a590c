"""Repairs by brute force: all sets of edits of a small level, each level solved by the plain rules."""

import random
from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from puzzlemc.encodings.puzzle.design.changes import Core
from puzzlemc.encodings.sokoban.domain.rules import DIRECTIONS, ahead, solved, start, steps
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.sokoban import Cell, Level, State, parse

Signs = dict[Cell, str]
THINGS = {" ": "", "#": "#", "@": "@", "$": "$", ".": ".", "+": "@.", "*": "$."}
SIGNS = {things: sign for sign, things in THINGS.items()}


class PlainEdit(NamedTuple):
    """What is taken from a cell and what is put on a cell; the objects that it touches, as signs of cells."""

    kind: str
    taken: tuple[tuple[Cell, str], ...]
    put: tuple[tuple[Cell, str], ...]

    @property
    def touched(self) -> frozenset[tuple[Cell, str]]:
        return frozenset(self.taken)

    @property
    def cells(self) -> frozenset[Cell]:
        return frozenset(cell for cell, _ in (*self.taken, *self.put))


def signs_of(level: Level) -> Signs:
    """By cell: the things on it."""
    return {(row, column): THINGS[sign] for row, line in enumerate(level.rows) for column, sign in enumerate(line)}


def read(signs: Signs) -> Level | None:
    """The level, if the reader accepts it and leaves out no box and no goal."""
    height, width = (1 + max(each) for each in zip(*signs, strict=True))
    rows = [
        "".join(SIGNS.get(signs.get((row, column), ""), "?") for column in range(width)) for row in range(height)
    ]
    (level,) = parse("\n".join(row.rstrip() or "-" for row in rows), "changed")
    if isinstance(level, LevelError):
        return None
    boxes = {cell for cell, things in signs.items() if "$" in things}
    goals = {cell for cell, things in signs.items() if "." in things}
    return level if level.start.boxes == boxes and level.goals == goals else None


def plain_edits(level: Level) -> Iterator[PlainEdit]:
    """All edits that can be part of a repair, on cells that are floor or inner walls."""
    signs = signs_of(level)
    walls = {cell for cell, things in signs.items() if things == "#"}
    inner = sorted(
        cell for cell in walls if all({ahead(cell, way)} & (walls | level.cells) for way in DIRECTIONS.values())
    )
    places = sorted({*level.floor, *inner})
    for wall in inner:
        yield PlainEdit("walls", ((wall, "#"),), ())
    for kind, sign in (("boxes", "$"), ("goals", "."), ("player", "@")):
        for old in [cell for cell, things in signs.items() if sign in things]:
            for new in places:
                if new != old:
                    yield PlainEdit(kind, ((old, sign),), ((new, sign),))
    for box in level.start.boxes:
        for goal in level.goals:
            yield PlainEdit("drop", ((box, "$"), (goal, ".")), ())
    for box in places:
        for goal in places:
            yield PlainEdit("add", (), ((box, "$"), (goal, ".")))
    if len(level.start.boxes) < len(level.goals):
        for cell in places:
            yield PlainEdit("boxes", (), ((cell, "$"),))
        for goal in level.goals:
            yield PlainEdit("goals", ((goal, "."),), ())


def covers(core: Core, edits: tuple[PlainEdit, ...]) -> bool:
    """Is a set of edits, of which none adds a box, inside a core?"""
    words = {"$": "box", ".": "goal", "#": "wall", "@": "player"}
    name = {
        (cell, sign): "player" if sign == "@" else f"{words[sign]} {cell[0] + 1},{cell[1] + 1}"
        for edit in edits
        for cell, sign in edit.taken
    }
    vanish = {name[each] for edit in edits if edit.kind == "drop" for each in edit.taken}
    return set(name.values()) <= set(core.freed) and vanish.isdisjoint(core.placed) and set(core.removed) <= vanish


def applied(signs: Signs, edits: tuple[PlainEdit, ...]) -> Signs | None:
    """The board after edits; None if they do not fit together."""
    after = dict(signs)
    for edit in edits:
        for cell, sign in edit.taken:
            if sign not in after[cell]:
                return None
            after[cell] = after[cell].replace(sign, "")
    for edit in edits:
        for cell, sign in edit.put:
            if sign in after[cell] or "#" in after[cell]:
                return None
            after[cell] = "".join(sorted((after[cell], sign), reverse=True)) if after[cell] else sign
    return {cell: "".join(sorted(things, key="@$.#".index)) for cell, things in after.items()}


def is_solvable(level: Level) -> bool:
    """Can the plain rules reach a solved position?"""
    seen = {start(level)}
    waiting = [start(level)]
    for position in waiting:
        if solved(level, position):
            return True
        for step in steps(level, position):
            after = step.position
            assert isinstance(after, State)
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return False


def region_of(level: Level) -> Cell:
    """The least cell to which the player can walk."""
    reached = [level.start.player]
    for cell in reached:
        for way in DIRECTIONS.values():
            other = ahead(cell, way)
            if other in level.cells and other not in level.start.boxes and other not in reached:
                reached.append(other)
    return min(reached)


Essence = tuple[frozenset[Cell], frozenset[Cell], tuple[Cell, ...], Cell]


def essence(level: Level) -> Essence:
    """What two levels share if they differ in the player's cell within a region alone."""
    return level.start.boxes, level.goals, level.floor, region_of(level)


def plain_repairs(
    level: Level, kinds: frozenset[str], keep: frozenset[Cell], most: int
) -> dict[int, set[Essence]]:
    """The essences of the smallest repairs, by their number of edits; empty if there is none."""
    if is_solvable(level):
        return {0: {essence(level)}}
    signs, missing = signs_of(level), len(level.goals) - len(level.start.boxes)
    edits = [edit for edit in plain_edits(level) if edit.kind in kinds and not edit.cells & keep]
    for size in range(1, most + 1):
        found = set()
        for chosen in combinations(edits, size):
            if sum(len(edit.touched) for edit in chosen) != len(frozenset().union(*(e.touched for e in chosen))):
                continue
            filled = sum(edit.kind in ("boxes", "goals") and len(edit.cells) == 1 for edit in chosen)
            drops = sum(edit.kind == "drop" for edit in chosen)
            are_legal = filled <= max(0, missing) and drops < len(level.goals)
            board = applied(signs, chosen) if are_legal else None
            changed = read(board) if board else None
            if changed is not None and is_solvable(changed):
                found.add(essence(changed))
        if found:
            return {size: found}
    return {}


def small_level(choose: random.Random, boxes: int, size: int) -> Level:
    """A random level of at most this number of rows and columns, some with boxes or goals too many."""
    while True:
        height, width = choose.randint(2, size), choose.randint(2, size + 1)
        cells = [(row, column) for row in range(1, height + 1) for column in range(1, width + 1)]
        signs = {(row, column): "#" for row in range(height + 2) for column in range(width + 2)}
        floor = [cell for cell in cells if choose.random() < 0.8]
        count = choose.randint(1, boxes)
        goals = max(1, count + choose.choice((0, 0, 0, 0, -1, 1)))
        if len(floor) <= max(count, goals):
            continue
        signs.update(dict.fromkeys(floor, ""))
        player, *placed = choose.sample(floor, count + 1)
        for cell, sign in [(player, "@"), *((cell, "$") for cell in placed)]:
            signs[cell] = sign
        for cell in choose.sample(floor, goals):
            signs[cell] += "."
        level = read(signs)
        if level is not None:
            return level
