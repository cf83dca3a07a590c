"""The smallest repairs of an unsolvable level, by implicit hitting sets over relaxations.

For 1, 2, .. edits: a set of edits inside a known core repairs nothing. The relaxation of the objects that
another set touches either answers no, and grows to a new core, or the set is open. The open sets are answered
together, by look-up.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from puzzlemc.encodings.puzzle.design.changes import Allowed, Change, Repairs
from puzzlemc.encodings.sokoban.changes.cores import GROWING, Cores
from puzzlemc.encodings.sokoban.changes.edits import edits_of
from puzzlemc.encodings.sokoban.changes.grid import Arrangement, Grid
from puzzlemc.encodings.sokoban.changes.lookup import Group, Lookup
from puzzlemc.encodings.sokoban.changes.objects import Objects, Relaxation
from puzzlemc.encodings.sokoban.changes.relaxation import Relaxations
from puzzlemc.mc.errors import LIMITS, LimitReached, reason_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.sat.hitting import hitting_sets
from puzzlemc.screens.sokoban import Cell, Level

MOST_POSITIONS = 1 << 20  # of a search
BYTES = 64  # of memory for a position, about
FILTER = 1 << 16  # positions of a search that may spare others, for one set of edits
MOST_REPAIRS = 5_000


class Choice(NamedTuple):
    """An edit without the cells to which things go.

    kind     of the edit
    objects  what it touches
    box      that goes elsewhere or vanishes
    goal     that goes elsewhere or vanishes
    wall     that is taken away
    """

    kind: str
    objects: int
    box: Cell | None = None
    goal: Cell | None = None
    wall: Cell | None = None


def repairs(level: Level, allowed: Allowed, budget: Budget) -> Repairs:
    """The smallest repairs of a level; of a solvable level, the level as it is. Raises no LimitReached."""
    search = _RepairSearch(level, allowed, budget)
    try:
        search.run()
    except LIMITS as limit:
        search.reason = reason_of(limit)
    return search.result()


class _RepairSearch:
    def __init__(self, level: Level, allowed: Allowed, budget: Budget) -> None:
        limit = min(MOST_POSITIONS, budget.limits.memory // BYTES)
        self._grid, self._allowed, self._budget = Grid(level), allowed, budget
        self._missing = max(0, len(level.goals) - len(level.start.boxes))
        adds = "add" in allowed.kinds or ("boxes" in allowed.kinds and self._missing)
        self._objects, self._limit = Objects(self._grid, allowed.most if adds else 0), limit
        self._relaxations = Relaxations(self._grid, self._objects, limit, budget)
        self._lookup = Lookup(self._grid, allowed.keep, limit, budget)
        self._cores = Cores(self._objects, self._relaxations)
        self._found: dict[Arrangement, Change] = {}
        self._least = 0
        self._are_covered = True  # does a core contain each set with fewer edits?
        self._complete = False
        self._filter = FILTER
        self.reason: str | None = None

    def run(self) -> None:
        """Search until repairs are found, or all allowed numbers of edits are exhausted. Raises LimitReached."""
        if self._relaxations.solvable(Relaxation(0), GROWING) is None:
            self._cores.find_small(spare=len(self._objects.box) - len(self._objects.goal))
        proved = True
        for size in range(self._allowed.most + 1):
            decided = self._decide(size)
            if proved and self._found:
                self._least, self._complete = size, decided
            proved = proved and decided and not self._found
            if proved:
                self._least = size + 1
            if self._found:
                return
            if not decided and self._lookup.is_too_large:
                return  # larger sets of edits would need more
        self._complete = proved

    def result(self) -> Repairs:
        """What is known."""
        fewest = min((len(change.edits) for change in self._found.values()), default=0)
        return Repairs(
            tuple(change for change in self._found.values() if len(change.edits) == fewest),
            self._least,
            self._complete,
            self._relaxations.asked + self._lookup.asked,
            self._cores.listed(self._grid.level, self._limit) if self._are_covered else (),
            self.reason,
        )

    def _decide(self, size: int) -> bool:
        """Find the repairs with this number of edits; are these all?"""
        groups: dict[Group, None] = {}
        still_open = list(self._open_sets(size))
        for chosen in still_open:
            groups.update(dict.fromkeys(self._groups(chosen)))
        decided = True
        for group in groups:
            try:
                for arrangement in self._lookup.repairs(group):
                    self._add(arrangement)
            except LimitReached as limit:
                if limit.reason != "memory":
                    raise
                self.reason, decided = limit.reason, False
        if decided and not self._found:
            self._are_covered = self._are_covered and self._cover(still_open)
        return decided

    def _cover(self, refuted: Sequence[tuple[Choice, ...]]) -> bool:
        """Find cores for sets of choices that are no repairs; do all have one? Raises LimitReached."""
        for chosen in refuted:
            touched = sum(choice.objects for choice in chosen)
            if not self._cores.covers(touched):
                it = self._objects
                placed = sum(it.box[choice.box] for choice in chosen if choice.box and choice.kind == "boxes")
                dropped = sum(it.box[choice.box] for choice in chosen if choice.box and choice.kind == "drop")
                named = touched & ((1 << len(it.names)) - 1)
                relaxed = Relaxation(named | placed | dropped, placed, dropped)
                if self._relaxations.solvable(relaxed) is not False:
                    return False
                self._cores.add(relaxed)
        return True

    def _add(self, arrangement: Arrangement) -> None:
        kinds, keep = self._allowed.kinds, self._allowed.keep
        edits = edits_of(self._grid.start, arrangement, kinds, keep)
        if arrangement in self._found or not all(
            edit.kind in kinds and keep.isdisjoint(edit.cells) for edit in edits
        ):
            return
        level = self._grid.level_of(arrangement)
        if level is not None:
            self._found[arrangement] = Change(level, edits)
            if len(self._found) >= MOST_REPAIRS:
                raise LimitReached("memory", f"more than {MOST_REPAIRS} repairs")

    def _open_sets(self, size: int) -> Iterator[tuple[Choice, ...]]:
        """The sets of choices that no relaxation refutes. Raises LimitReached."""
        it, choices = self._objects, self._choices()
        added = sum(it.added)
        for numbers in hitting_sets([choice.objects for choice in choices], self._cores.covering, size):
            self._budget.check()
            chosen = tuple(choices[number] for number in numbers)
            touched = sum(choice.objects for choice in chosen)
            boxes = touched & added
            dropped = [choice.box for choice in chosen if choice.kind == "drop"]
            moved = {choice.box for choice in chosen if choice.kind == "boxes"}
            # The added boxes are alike: the first ones are used. The last goal stays.
            if boxes & (boxes + (added & -added)) or len(dropped) >= len(it.goal) or moved.intersection(dropped):
                continue
            vanished = sum(it.box[box] for box in dropped if box)
            relaxed = Relaxation(touched & ((1 << len(it.names)) - 1) | vanished)
            limit = self._limit if size == 0 else self._filter
            answer = self._relaxations.solvable(relaxed, limit)
            if answer is False:
                self._cores.add(relaxed)
                continue
            if answer is None:
                self._filter = GROWING  # others would take as long
            yield chosen

    def _choices(self) -> list[Choice]:
        """The choices that are allowed, by kind."""
        it, start, keep, kinds = self._objects, self._grid.start, self._allowed.keep, self._allowed.kinds
        boxes, goals = sorted(start.boxes - keep), sorted(start.goals - keep)
        choices = []
        if "boxes" in kinds:
            choices += [Choice("boxes", it.box[box], box=box) for box in boxes]
            choices += [Choice("boxes", bit) for bit in it.added[: self._missing]]
        if "goals" in kinds:
            choices += [Choice("goals", it.goal[goal], goal=goal) for goal in goals]
        if "walls" in kinds:
            choices += [
                Choice("walls", it.wall[wall], wall=wall) for wall in self._grid.inner_walls if wall not in keep
            ]
        if "player" in kinds and start.player not in keep:
            choices.append(Choice("player", it.player))
        if "drop" in kinds:
            choices += [
                Choice("drop", it.vanished[box] | it.goal[goal], box=box, goal=goal)
                for box, goal in product(boxes, goals)
            ]
        if "add" in kinds:
            choices += [Choice("add", bit) for bit in it.added]
        return choices

    def _groups(self, chosen: Sequence[Choice]) -> Iterator[Group]:
        """The groups of a set of choices: a goal goes elsewhere, or vanishes if boxes are missing."""
        dropped = frozenset(choice.box for choice in chosen if choice.kind == "drop" and choice.box)
        goals = sum(choice.kind == "goals" for choice in chosen)
        moved = sum(choice.kind == "boxes" and choice.box is not None for choice in chosen)
        alone = sum(choice.kind == "boxes" and choice.box is None for choice in chosen)
        added = sum(choice.kind == "add" for choice in chosen)
        for vanish in range(min(goals, self._missing - alone) + 1):
            yield Group(
                opened=frozenset(choice.wall for choice in chosen if choice.wall),
                player=any(choice.kind == "player" for choice in chosen),
                dropped=dropped,
                moved=moved,
                added=alone + added,
                without=frozenset(choice.goal for choice in chosen if choice.goal),
                gained=goals - vanish + added,
            )
