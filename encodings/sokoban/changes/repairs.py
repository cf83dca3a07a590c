"""The smallest repairs of an unsolvable level, by implicit hitting sets over relaxations.

For 1, 2, .. edits: a set of edits inside a known core repairs nothing. The relaxation of the objects that
another set touches either answers no, and grows to a new core, or the set is open. The open sets are answered
together, by look-up.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from puzzlemc.encodings.puzzle.design.changes import Allowed, Change, Core, Repairs
from puzzlemc.encodings.sokoban.changes.edits import edits_of
from puzzlemc.encodings.sokoban.changes.grid import Arrangement, Grid
from puzzlemc.encodings.sokoban.changes.lookup import Group, Lookup
from puzzlemc.encodings.sokoban.changes.relaxation import Relaxations
from puzzlemc.mc.errors import LIMITS, LimitReached, reason_of
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.sat.hitting import hitting_sets
from puzzlemc.screens.sokoban import Cell, Level

MOST_POSITIONS = 1 << 20  # of a search
BYTES = 64  # of memory for a position, about
GROWING = 1 << 14  # positions of a search by which a core grows
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
        self._relaxations = Relaxations(self._grid, allowed.most if adds else 0, limit, budget)
        self._lookup = Lookup(self._grid, allowed.keep, limit, budget)
        self._cores: list[int] = []
        self._found: dict[Arrangement, Change] = {}
        self._least = 0
        self._are_covered = True  # does a core contain each set with fewer edits?
        self._complete = False
        self.reason: str | None = None

    def run(self) -> None:
        """Search until repairs are found, or all allowed numbers of edits are exhausted. Raises LimitReached."""
        proved = True
        for size in range(self._allowed.most + 1):
            decided, are_open = self._decide(size)
            if proved and self._found:
                self._least, self._complete = size, decided
            proved = proved and decided and not self._found
            if proved:
                self._least = size + 1
            if self._found:
                return
            self._are_covered = self._are_covered and not are_open
        self._complete = proved

    def result(self) -> Repairs:
        """What is known."""
        fewest = min((len(change.edits) for change in self._found.values()), default=0)
        return Repairs(
            tuple(change for change in self._found.values() if len(change.edits) == fewest),
            self._least,
            self._complete,
            self._relaxations.asked + self._lookup.asked,
            tuple(map(self._core, self._cores)) if self._are_covered else (),
            self.reason,
        )

    def _core(self, freed: int) -> Core:
        names = self._relaxations.names
        return Core(
            tuple(name for number, name in enumerate(names) if not freed >> number & 1),
            tuple(name for number, name in enumerate(names) if freed >> number & 1),
            self._relaxations.needed(freed),
            None,
        )

    def _decide(self, size: int) -> tuple[bool, bool]:
        """Find the repairs with this number of edits. Are these all, and did cores leave sets of choices open?"""
        groups: dict[Group, None] = {}
        for chosen in self._open_sets(size):
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
        return decided, bool(groups)

    def _add(self, arrangement: Arrangement) -> None:
        edits = edits_of(self._grid.start, arrangement, self._allowed.kinds)
        if arrangement in self._found or not all(self._allowed.keep.isdisjoint(edit.cells) for edit in edits):
            return
        level = self._grid.level_of(arrangement)
        if level is not None:
            self._found[arrangement] = Change(level, edits)
            if len(self._found) >= MOST_REPAIRS:
                raise LimitReached("memory", f"more than {MOST_REPAIRS} repairs")

    def _open_sets(self, size: int) -> Iterator[tuple[Choice, ...]]:
        """The sets of choices that no relaxation refutes. Raises LimitReached."""
        choices = self._choices()
        added = sum(self._relaxations.added)
        for numbers in hitting_sets([choice.objects for choice in choices], self._cores, size):
            self._budget.check()
            chosen = tuple(choices[number] for number in numbers)
            touched = sum(choice.objects for choice in chosen)
            boxes = touched & added
            drops = sum(choice.kind == "drop" for choice in chosen)
            # The added boxes are alike: the first ones are used. The last goal stays.
            if boxes & (boxes + (added & -added)) or drops >= len(self._grid.start.goals):
                continue
            if self._relaxations.solvable(touched) is False:
                self._cores.append(self._grown(touched))
            else:
                yield chosen

    def _choices(self) -> list[Choice]:
        """The choices that are allowed, by kind."""
        it, start, keep, kinds = self._relaxations, self._grid.start, self._allowed.keep, self._allowed.kinds
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
                Choice("drop", it.box[box] | it.goal[goal], box=box, goal=goal)
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

    def _grown(self, freed: int) -> int:
        """A set of objects that contains `freed`, whose relaxation answers no; most others have another answer."""
        it = self._relaxations
        for objects in (*it.box.values(), *it.added):
            freed = self._with(freed, [objects])
        freed = self._with(freed, list(it.wall.values()))
        for objects in (it.player, *it.goal.values()):
            freed = self._with(freed, [objects])
        return freed

    def _with(self, freed: int, objects: Sequence[int]) -> int:
        """The freed objects and, of these objects, those that can be added while the relaxation answers no."""
        more = freed | sum(each for each in objects if not each & freed)
        if more == freed or self._relaxations.solvable(more, GROWING) is False:
            return more
        if len(objects) == 1:
            return freed
        half = len(objects) // 2
        return self._with(self._with(freed, objects[:half]), objects[half:])
