"""A request about one level while it is answered: what may be changed, the limits, and the levels solved."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Event
from typing import Any

from puzzlemc.encodings.puzzle.design.changes import Allowed, Change, Changes, Numbers
from puzzlemc.encodings.puzzle.design.measures import Number
from puzzlemc.encodings.puzzle.text import nameless
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LimitReached, ModelError, Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.rules.plain import Constraint
from puzzlemc.reports.measures.measure import measured, measures
from puzzlemc.reports.solve.options import Options
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.solve.solve import solve_entry
from puzzlemc.reports.suggest.request import HARDER, Request, Wish
from puzzlemc.reports.suggest.suggestion import PLACED, Suggestion, Suggestions

AS_IT_IS = 1 / 3  # of the time, for the verdict on the level as it is
SEARCH = 3 / 4  # of the time that is left, for the search; the rest is for solving what it finds
SOLUTIONS = "solutions"  # their number, as the puzzle counts them
LEAST_SECONDS = 0.001  # of a search that begins when the time is up: it ends at once


@dataclass
class Asked:
    """A request about one level.

    allowed    the edits that may be made
    budget     the time and the memory of the whole answer
    tried      the number of searches so far
    cancelled  ends the answer when it is set: also an engine that is solving a level
    """

    entry: Entry
    wish: Wish
    request: Request
    changes: Changes
    allowed: Allowed
    options: Options
    budget: Budget
    tried: int = 0
    cancelled: Event | None = None
    _known: dict[str, Result] = field(default_factory=dict)  # by the text of the level

    @property
    def level(self) -> Any:
        """The level as it is."""
        return self.entry.level

    def text(self, level: Any) -> str:
        """A level as text."""
        return self.entry.puzzle.screen.draw(level)

    def drawing(self, level: Any) -> str:
        """The start of a level as text, for people."""
        puzzle = self.entry.puzzle
        hides = self.changes.hides is not None and self.changes.hides(level)
        if hides or isinstance(puzzle.question(level), Constraint):
            return puzzle.screen.draw(nameless(level))  # its start does not show all of what is to be done
        return puzzle.screen.draw(level, puzzle.rules.start(level))

    def singles(self) -> Iterator[Change]:
        """All single edits that are allowed."""
        return self.changes.edits(self.level, self.allowed)

    def solved(self, level: Any, seconds: float | None = None) -> Result:
        """The verdict on a level, by an engine; the plain rules replay a solution. Raises Refuted.

        seconds  the most time it may take; None: all that is left
        """
        text = self.text(level)
        if text in self._known:
            return self._known[text]
        left = self.budget.left
        seconds = left if seconds is None else seconds if left is None else min(left, seconds)
        timeout = 0.0 if seconds is None else max(LEAST_SECONDS, seconds)
        entry = Entry(self.entry.id, self.entry.title, self.entry.puzzle, level)
        self.tried += 1
        result = solve_entry(entry, replace(self.options, timeout=timeout), cancelled=self.cancelled).light
        if result.verdict == "error":
            raise Refuted(result.reason or "")
        if result.verdict != "unknown":
            self._known[text] = result
        return result

    def suggestion(
        self,
        change: Change,
        result: Result,
        before: Mapping[str, Number] | None = None,
        after: Mapping[str, Number] | None = None,
        *,
        best: bool = False,
        top: bool = False,
    ) -> Suggestion:
        """A change with the verdict on its level."""
        text, drawing = self.text(change.level), self.drawing(change.level)
        return Suggestion(change.edits, text, result, before or {}, after or {}, best, top, drawing)

    @property
    def metric(self) -> str:
        """The metric of costs: the first one of the puzzle."""
        return self.entry.puzzle.metrics[0]

    def known(self, *names: str) -> tuple[str, ...]:
        """Those of the names that are measures of the puzzle."""
        able = {measure.name for measure in measures(self.entry.puzzle)}
        return tuple(name for name in names if name in able)

    def need(self, *names: str) -> str:
        """The metric of costs. Raises ModelError if the puzzle has none, or lacks a measure of these names."""
        puzzle = self.entry.puzzle
        puzzle.need_steps()
        if isinstance(puzzle.question(self.level), Constraint) or puzzle.optimisation is not None:
            raise ModelError(
                f"{self.wish.name}: the solutions of {puzzle.name} have no costs that could be compared"
            )
        if missing := [name for name in names if name not in self.known(*names)]:
            message = f"{self.wish.name}: levels of {puzzle.name} have no measure {missing[0]}"
            raise ModelError(
                message + (", expected by pushes: the least cost" if self.wish.name == HARDER else "")
            )
        return self.metric

    @cached_property
    def numbers(self) -> Numbers:
        """The function that gives numbers of levels which edits make of the level."""
        return self._measured if self.changes.numbers is None else self.changes.numbers(self.level)

    def _measured(self, level: Any, budget: Budget, names: Collection[str]) -> Mapping[str, Number] | None:
        """The numbers of a level by an engine, and by the measures of the puzzle. Raises LimitReached."""
        if SOLUTIONS in names:
            return self._counted(level, budget)
        result = self.solved(level)
        if result.verdict == "unsolvable":
            return None
        if result.verdict == "unknown" or not result.optimal:
            raise LimitReached(result.limit or "bound")
        entry = Entry(self.entry.id, self.entry.title, self.entry.puzzle, level)
        wanted = self.known(*names)
        found: dict[str, Number] = {PLACED: 0, self.metric: result.costs[self.metric]}
        found |= measured(entry, budget, wanted) if wanted else {}
        if any(name not in found for name in names):
            raise LimitReached("bound")
        return found

    def _counted(self, level: Any, budget: Budget) -> Mapping[str, Number] | None:
        """The number of solutions of a level. Raises LimitReached."""
        counting = self.entry.puzzle.counting
        assert counting is not None
        count = counting.count(level, budget.rest())
        return {SOLUTIONS: count, PLACED: 0} if count else None

    @property
    def search_budget(self) -> Budget:
        """The budget of the search for changes: some time is left for solving them."""
        left = self.budget.left
        limits = self.budget.limits
        return self.budget.part(limits if left is None else replace(limits, seconds=SEARCH * left))

    def answer(self, result: Result, **known: Any) -> Suggestions:
        """The answer, with what is known."""
        fields: dict[str, Any] = {"found": (), "least": 0, "total": None, "tried": self.tried} | known
        fields |= {"most": self.allowed.most, "drawing": self.drawing(self.level)}
        return Suggestions(self.request.want, self.text(self.level), result, **fields)


def kind_of(change: Change) -> str:
    """The kinds of the edits of a change, as `Suggestion.kind`."""
    return " and ".join(sorted(edit.kind for edit in change.edits))


def by_kind(changes: Iterable[Change], key: Callable[[Change], Any]) -> list[Change]:
    """Changes in the order of suggestions: the best of each kind, then the second of each kind, and so on."""
    kinds: dict[str, list[Change]] = {}
    for change in sorted(changes, key=key):
        kinds.setdefault(kind_of(change), []).append(change)
    ranked = [(rank, key(each), each) for same in kinds.values() for rank, each in enumerate(same)]
    return [each for _, _, each in sorted(ranked, key=lambda item: item[:2])]


def smallness(change: Change) -> tuple[int, int, int, int]:
    """The order of changes that do equally well: fewest edits, fewest cells of the border, fewest cells, shortest
    distance between them."""
    border = sum(edit.border for edit in change.edits)
    cells = {cell for edit in change.edits for cell in edit.cells}
    return len(change.edits), border, len(cells), sum(_length(edit.cells) for edit in change.edits)


def _length(cells: Sequence[tuple[int, int]]) -> int:
    """The distance between the first and the last cell, in steps."""
    return abs(cells[0][0] - cells[-1][0]) + abs(cells[0][1] - cells[-1][1]) if cells else 0


def limits_of(left: float | None, memory: float) -> Limits:
    """Limits of time, in seconds, and of memory, in GiB."""
    return Limits.of(0.0, memory) if left is None else replace(Limits.of(0.0, memory), seconds=left)
