"""The wish for a leaner level: what can go while the least cost stays.

Cells are closed, and walls opened, one after the other, each together with those before it: of cells that can be
closed alone, some cannot be closed together. So no further one can be added to the set that is found, but another
set may have more.
"""

from collections.abc import Callable

from puzzlemc.encodings.puzzle.design.changes import Cell, Change
from puzzlemc.mc.errors import LIMITS, ModelError, reason_of
from puzzlemc.reports.output.words import counted, singular
from puzzlemc.reports.solve.result import Result
from puzzlemc.reports.suggest.asked import Asked
from puzzlemc.reports.suggest.closed import closing_of, moves_of
from puzzlemc.reports.suggest.suggestion import Suggestion, Suggestions

NOTHING: frozenset[Cell] = frozenset()


def lean(asked: Asked) -> Suggestions:
    """The floor that can be wall, the walls that can be floor, and the idle objects.

    Raises ModelError for an unsolvable level, and for a puzzle without walls.
    """
    closing = closing_of(asked)
    result = asked.solved(asked.level)
    if result.verdict == "unsolvable":
        raise ModelError(f"{asked.entry.id} is unsolvable, expected a solvable level; --want solvable changes it")
    if result.verdict == "unknown" or not result.optimal:
        return asked.answer(result, reason=result.limit, words=("the least cost is not known",))
    search = _Dispensable(asked, result)
    changes: list[Change] = []
    words = []
    for find, what, becomes in ((search.closed, "floor cells", "wall"), (search.opened, "walls", "floor")):
        change = find()
        count = 0 if change is None else len(change.edits)
        changes += [] if change is None else [change]
        many = counted(count, what) if count else f"no {singular(what)}"
        words.append(f"{many} can be {becomes}{' together' if count > 1 else ''}")
    idle = closing.idle(asked.level, moves_of(asked, result))
    kept = [change for change in idle if asked.allowed.keep.isdisjoint(change.edits[0].cells)]
    words.append(
        f"{counted(len(kept), closing.objects) if kept else f'no {singular(closing.objects)}'} can be wall"
    )
    text = "; ".join(words) + ": the least cost stays"
    if search.reason is not None:
        text += f"; not all were tried: {search.reason}"
    found = _suggestions(asked, result, [*changes, *kept])
    none = not changes and not kept and search.reason is None
    least = asked.allowed.most + 1 if none else 1
    return asked.answer(result, found=found, least=least, words=(text,), reason=search.reason)


def _suggestions(asked: Asked, result: Result, changes: list[Change]) -> tuple[Suggestion, ...]:
    """The suggestions, each solved by an engine."""
    before = {asked.metric: result.costs[asked.metric]}
    found = []
    for change in changes[: asked.request.count]:
        solved = asked.solved(change.level)
        if solved.verdict == "solvable":
            found.append(asked.suggestion(change, solved, before, {asked.metric: solved.costs[asked.metric]}))
    return tuple(found)


class _Dispensable:
    """Finds the cells of a level that can be closed, and the walls that can be opened.

    reason  the limit that came first
    """

    def __init__(self, asked: Asked, result: Result) -> None:
        """Begin with a best solution of the level."""
        self._asked, self._closing, self._cost = asked, closing_of(asked), result.costs[asked.metric]
        self._used = self._closing.used(asked.level, moves_of(asked, result))
        self.reason: str | None = None

    def closed(self) -> Change | None:
        """The level with cells closed, after which a solution of the least cost remains; None if there is none.

        As long as a known one uses none of them, it remains.
        """
        closing, level = self._closing, self._asked.level
        cells = [cell for cell in closing.cells(level) if cell not in self._asked.allowed.keep]
        used = self._used

        def stays(change: Change, cell: Cell) -> bool:
            nonlocal used
            if cell in used:
                found = self._solved(change)
                if found.costs.get(self._asked.metric) != self._cost:
                    self._note(found)
                    return False
                used = closing.used(change.level, moves_of(self._asked, found))
            return True

        cells.sort(key=lambda cell: cell in used)
        return self._added(cells, lambda chosen: closing.change(level, chosen, NOTHING), stays)

    def opened(self) -> Change | None:
        """The level with walls opened, after which no solution is cheaper; None if there is no such wall."""
        closing, level = self._closing, self._asked.level
        walls = [cell for cell in closing.walls(level) if cell not in self._asked.allowed.keep]

        def stays(change: Change, _: Cell) -> bool:
            found = self._solved(change)
            self._note(found)
            return bool(found.optimal) and found.costs[self._asked.metric] == self._cost

        return self._added(walls, lambda chosen: closing.change(level, NOTHING, chosen), stays)

    def _added(
        self,
        cells: list[Cell],
        make: Callable[[frozenset[Cell]], Change | None],
        stays: Callable[[Change, Cell], bool],
    ) -> Change | None:
        """The change of the cells that are added one after the other as long as the least cost stays."""
        best: Change | None = None
        chosen = NOTHING
        try:
            for cell in cells:
                self._asked.budget.check()
                change = make(chosen | {cell})
                if change is not None and stays(change, cell):
                    best, chosen = change, chosen | {cell}
        except LIMITS as limit:
            self.reason = self.reason or reason_of(limit)
        return best

    def _solved(self, change: Change) -> Result:
        return self._asked.solved(change.level)

    def _note(self, found: Result) -> None:
        """Remember the limit that left a level open."""
        self.reason = self.reason or found.limit or None
