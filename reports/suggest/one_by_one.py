"""The smallest repairs of a level, found edit by edit: for puzzles without searches that many edits share.

Edits are done one after the other, and each level on the way is one that the reader of the puzzle accepts. All
levels that one edit makes are decided first; if none is solvable, those that two edits make, and so on. A level
that a limit leaves undecided gets more time as long as no repair with as many edits is known; once one is, all of
them together get as long as the others took, or some seconds.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from puzzlemc.encodings.puzzle.design.changes import Allowed, Change, Core, Repairs
from puzzlemc.encodings.puzzle.symmetry import least
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LIMITS, LimitReached, ModelError, reason_of
from puzzlemc.mc.limits import TIME, Budget
from puzzlemc.mc.model.action import ANY
from puzzlemc.reports.solve.options import Options, choices
from puzzlemc.reports.solve.question import Question
from puzzlemc.reports.solve.solve import answer, strategy

FIRST_SECONDS = 0.5  # for each level; then MORE times as long, and so on
MORE = 8
SHARE = 2  # levels with one edit take this part of the time at most before those with two are decided, and so on
BYTES = 200  # of memory for each known level


def repairs(entry: Entry, allowed: Allowed, budget: Budget, cores: Sequence[Core] = ()) -> Repairs:
    """The smallest repairs of an unsolvable level of a puzzle that has `changes`. Raises Refuted.

    cores  proofs of the level: single edits that they cover are known to be no repairs
    """
    return _Repairing(entry, allowed, budget, cores).run()


class _Repairing:
    """The search for repairs of one level.

    least     every repair has at least this number of edits
    tried     number of levels that were decided, or that a limit left undecided
    reason    the limit that came first
    """

    def __init__(self, entry: Entry, allowed: Allowed, budget: Budget, cores: Sequence[Core]) -> None:
        """Begin with the level as it is: it is taken for unsolvable."""
        puzzle, level = entry.puzzle, entry.level
        assert puzzle.changes is not None
        self._changes = puzzle.changes()
        self._entry, self._level, self._allowed, self._budget = entry, level, allowed, budget
        self._cores = cores
        self._by_engine = by_engine(entry)
        self._decide: Callable[[Any, Budget], bool | None] = (
            self._by_engine if self._changes.decider is None else self._changes.decider(level)
        )
        self._sizes = {self._text(level): 0}  # digest of a level -> least number of edits that make it
        self._verdicts: dict[bytes, bool] = {}  # of levels up to symmetry
        self._least, self._tried = 1, 0
        self._reason: str | None = None

    def run(self) -> Repairs:
        """Look for repairs with one edit, then with two, and so on."""
        found: list[Change] = []
        complete = False
        try:
            for size in range(1, self._allowed.most + 1):
                complete = self._repair(size, found)
                if found:
                    break
                if complete and self._least == size:
                    self._least = size + 1
        except LIMITS as limit:
            self._reason = self._reason or reason_of(limit)
            complete = False
        return Repairs(tuple(found), self._least, complete and bool(found), self._tried, reason=self._reason)

    def _repair(self, size: int, found: list[Change]) -> bool:
        """Find the repairs with this number of edits; return whether all levels that these make are decided."""
        seconds, left = FIRST_SECONDS, self._budget.left
        end = 0.0 if left is None else left / SHARE
        pending: Iterable[Change] = self._made(size)
        is_complete, is_last, stop = True, False, float("inf")
        while True:
            began = time.monotonic()
            late = []
            for change in pending:
                if size == 1 and any(core.covers(change.edits[0]) for core in self._cores):
                    continue
                if time.monotonic() > stop:
                    late.append(change)
                    continue
                verdict = self._verdict(change.level, seconds)
                if verdict is True:
                    found.append(change)
                elif verdict in TIME:
                    late.append(change)
                elif verdict is not False:
                    is_complete = False
            left = self._budget.left
            if not late or is_last or (left is not None and left < end):
                return is_complete and not late
            if found:
                now = time.monotonic()
                is_last, stop = True, now + max(MORE * FIRST_SECONDS, now - began)
            pending = late
            seconds *= MORE

    def _made(self, size: int) -> Iterator[Change]:
        """Each level that this number of edits makes and no smaller one does, once."""
        passed = set[bytes]()

        def extended(change: Change) -> Iterator[Change]:
            for each in self._changes.edits(change.level, self._allowed):
                self._budget.check()
                longer = Change(each.level, change.edits + each.edits)
                edits, text = len(longer.edits), self._text(longer.level)
                if self._sizes.setdefault(text, edits) < edits or text in passed:
                    continue
                passed.add(text)
                if len(self._sizes) * BYTES > self._budget.limits.memory:
                    raise LimitReached("memory")
                if edits == size:
                    yield longer
                else:
                    yield from extended(longer)

        return extended(Change(self._level, ()))

    def _verdict(self, level: Any, seconds: float) -> bool | str:
        """Is a level solvable? The limit if one came first."""
        key = self._key(level)
        if key in self._verdicts:
            return self._verdicts[key]
        left = self._budget.left
        limits = replace(self._budget.limits, seconds=seconds if left is None else min(seconds, left))
        self._tried += 1
        try:
            budget = self._budget.part(limits)
            decided = self._decide(level, budget)
            self._verdicts[key] = self._by_engine(level, budget) if decided is None else decided
        except LIMITS as limit:
            self._budget.check()
            self._reason = self._reason or reason_of(limit)
            return reason_of(limit)
        return self._verdicts[key]

    def _text(self, level: Any) -> bytes:
        """A digest of a level as text."""
        return _digest(self._entry.puzzle.screen.draw(level))

    def _key(self, level: Any) -> bytes:
        """A digest that only levels with one verdict share: a level and its rotated and mirrored images."""
        symmetry = self._entry.puzzle.symmetry
        return self._text(level) if symmetry is None else _digest(repr(least(symmetry.grid(level))[0]))


def _digest(text: str) -> bytes:
    return blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()


def by_engine(entry: Entry) -> Callable[[Any, Budget], bool]:
    """The function that decides changed levels as `solve` does. It raises LimitReached without a verdict."""
    puzzle = entry.puzzle
    options = Options(metric=None if puzzle.game is not None else ANY, many=True)
    choice = choices(puzzle, options)

    def decide(level: Any, budget: Budget) -> bool:
        question = Question(Entry(entry.id, entry.title, puzzle, level), options, choice, budget)
        try:
            outcome = strategy(question)(question)
            answer(question, outcome)
        except ModelError as error:  # nothing is known of a level that has no model
            raise LimitReached("bound", str(error)) from None
        if outcome.verdict == "unknown":
            raise LimitReached(outcome.reason or "bound")
        return outcome.verdict == "solvable"

    return decide
