"""Cores of unsolvable levels of Sokoban, by plain searches over sets of cells, for proofs of repairs."""

from collections.abc import Iterator, Sequence
from importlib.util import module_from_spec, spec_from_file_location
from itertools import chain, combinations
from typing import Any

import numpy as np
from places import ROOT

from puzzlemc.encodings.puzzle.design.changes import Cell, Core
from puzzlemc.mc.proofs.closed import closed_positions
from puzzlemc.screens.sokoban import Level

WAYS = ((0, -1), (-1, 0), (0, 1), (1, 0))
Edit = tuple[str, frozenset[str]]  # its kind, and the objects that it touches


def checking_program() -> Any:
    """The program that checks certificates about repairs without the package."""
    spec = spec_from_file_location("check_repairs", ROOT / "tools" / "check_repairs.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def beside(cell: Cell, way: Cell) -> Cell:
    return cell[0] + way[0], cell[1] + way[1]


def place_of(name: str) -> Cell:
    row, column = name.split()[1].split(",")
    return int(row) - 1, int(column) - 1


class Cores:
    """The objects of a level, its changes, and its cores."""

    def __init__(self, level: Level, added: int = 0) -> None:
        self.level = level
        walls = {(r, c) for r, row in enumerate(level.rows) for c, what in enumerate(row) if what == "#"}
        inner = [w for w in sorted(walls) if all(beside(w, d) in walls | set(level.floor) for d in WAYS)]
        self.boxes = [self.name("box", cell) for cell in sorted(level.start.boxes)]
        self.goals = [self.name("goal", cell) for cell in sorted(level.goals)]
        self.walls = [self.name("wall", cell) for cell in inner]
        self.added = [f"added {1 + number}" for number in range(added)]
        self.objects = (*self.boxes, *self.goals, *self.walls, "player", *self.added)

    @staticmethod
    def name(kind: str, cell: Cell) -> str:
        return f"{kind} {cell[0] + 1},{cell[1] + 1}"

    def edits(self, kinds: Sequence[str]) -> list[Edit]:
        """The edits that touch something, without those that add."""
        single = {"boxes": self.boxes, "goals": self.goals, "walls": self.walls, "player": ["player"]}
        found = [(kind, frozenset({name})) for kind in kinds if kind in single for name in single[kind]]
        if "drop" in kinds:
            found += [("drop", frozenset({box, goal})) for box in self.boxes for goal in self.goals]
        return found

    def changes(self, kinds: Sequence[str], size: int) -> Iterator[tuple[Edit, ...]]:
        """All changes of this number of edits."""
        lacking = max(0, len(self.goals) - len(self.boxes)) if "boxes" in kinds else 0
        added = self.added if "add" in kinds else self.added[:lacking]
        for adds in range(min(size, len(added)) + 1):
            more = tuple(("add", frozenset({name})) for name in added[:adds])
            for some in combinations(self.edits(kinds), size - adds):
                drops = sum(kind == "drop" for kind, _ in some)
                touched = [name for _, names in some for name in names]
                if len(set(touched)) == len(touched) and drops < len(self.goals):
                    yield *some, *more

    def core(
        self, freed: frozenset[str], placed: frozenset[str] = frozenset(), removed: frozenset[str] = frozenset()
    ) -> Core | None:
        """The core with these freed objects, None if it has a play that leads to enough boxes on goals."""
        boxes = frozenset(place_of(name) for name in self.boxes if name not in freed)
        goals = frozenset(place_of(name) for name in self.goals if name not in freed)
        absent = sum(name in freed - placed - removed for name in (*self.goals, *self.boxes, *self.added))
        needed = len(self.goals) - absent
        if needed < 1:
            return None
        opened = {place_of(name) for name in self.walls if name in freed}
        floor = self.flood(self.level.start.player, set(self.level.floor) | opened)
        live, grows = set(goals & floor), True
        while grows:
            more = {
                cell
                for cell in floor - live
                for way in WAYS
                if beside(cell, way) in live and beside(cell, (-way[0], -way[1])) in floor
            }
            live, grows = live | more, bool(more)
        player = None if "player" in freed else self.level.start.player
        todo = []
        for some in combinations(sorted(floor - boxes), len(placed)):
            here = boxes | set(some)
            todo += [(here, cell) for cell in (floor if player is None else {player}) - here]
        seen = set()
        while todo:
            here, cell = todo.pop()
            region = self.flood(cell, floor - here)
            if len(here & live) < needed or (here, min(region)) in seen:
                continue
            if len(here & goals) >= needed:
                return None
            seen.add((here, min(region)))
            for where in region:
                for way in WAYS:
                    box = beside(where, way)
                    to = beside(box, way)
                    if box in here and to in floor - here:
                        todo.append((here - {box} | {to}, box))
        number = {cell: place for place, cell in enumerate(sorted(floor))}
        rows = sorted([number[cell], *sorted(number[box] for box in here)] for here, cell in seen)
        places = np.array(rows, np.uint16).reshape(len(rows), 1 + len(boxes) + len(placed))
        kept = tuple(name for name in self.objects if name not in freed)
        return Core(kept, tuple(sorted(freed)), needed, closed_positions(places), tuple(placed), tuple(removed))

    @staticmethod
    def flood(start: Cell, free: set[Cell] | frozenset[Cell]) -> set[Cell]:
        found, todo = {start}, [start]
        for cell in todo:
            for way in WAYS:
                if (near := beside(cell, way)) in free and near not in found:
                    found.add(near)
                    todo.append(near)
        return found

    def found(self, kinds: Sequence[str], size: int) -> list[Core] | None:
        """Cores that are about all changes of up to this size, each as large as it becomes by one object more.

        None if there are none: some change may repair the level.
        """
        cores: list[Core] = []
        for change in chain(*(self.changes(kinds, each) for each in range(size, -1, -1))):
            names = frozenset().union(*(names for _, names in change))
            dropped = frozenset().union(*(names for kind, names in change if kind == "drop"))
            if any(
                names <= set(core.freed) and not dropped & set(core.placed) and dropped >= set(core.removed)
                for core in cores
            ):
                continue
            placed = removed = frozenset[str]()
            core = self.core(names)
            if core is None:
                placed, removed = names & set(self.boxes) - dropped, names & set(self.boxes) & dropped
                core = self.core(names, placed, removed)
            if core is None:
                return None
            for name in self.objects:
                if name not in names and (larger := self.core(names | {name}, placed, removed)) is not None:
                    core, names = larger, names | {name}
            cores.append(core)
        return cores
