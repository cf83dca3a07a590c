"""The advisor of a game: solves positions in the background, without delay for the player and without guesses.

There are two worker processes. One makes the map of the level (see `answers`), which then answers for every
position at once. The other solves the level from the current position as long as there is no map. Results about a
position are kept. A solution gives results for all positions on its way; so a player who follows a hint needs no
search.

When the current position is lost, the advisor searches for the move that lost it by bisection: all positions after
a lost one are lost. Then the engine searches for the reason.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import LimitReached
from puzzlemc.mc.limits import Limits
from puzzlemc.mc.model.action import ANY
from puzzlemc.mc.rules.plain import Constraint
from puzzlemc.reports.play.answers import (
    LOST,
    Advice,
    drawn,
    look_up,
    reason_by_sums,
    reason_of_loss,
    solution,
    survey,
)
from puzzlemc.reports.play.background import Background
from puzzlemc.reports.workers.worker import Worker

SHORT_SECONDS = 5.0  # for a shortest solution, before the search for any solution
SHARE = 4  # the map may take one quarter of the memory


@dataclass(frozen=True)
class Look:
    """A position to solve, and the moves that lead to it."""

    moves: tuple[str, ...]
    position: Hashable


class Advisor(Background):
    """Results about the positions of a level. `states` is the size of its map, 0 without a map."""

    def __init__(
        self,
        entry: Entry,
        workers: tuple[Worker, Worker],
        limits: Limits,
        notify: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(workers, (self._with_map, self._with_engine), notify)
        self.states = 0
        self._entry = entry
        self._puzzle = entry.puzzle
        self._mapper, self._solver = workers
        self._limits = limits
        self._known: dict[Hashable, Advice] = {}
        self._settled: set[Hashable] = set()  # positions whose results are final
        self._reasons: dict[Hashable, str] = {}  # of lost positions, in words; empty if none was found
        self._moves: tuple[str, ...] = ()  # from the start to the current position
        self._positions: tuple[Hashable, ...] = ()  # the positions on the way, with the current one

    def look(self, moves: Sequence[str], positions: Sequence[Hashable]) -> Advice | None:
        """Make the last of the positions, to which the moves lead, the current one.

        Returns the results about it so far.
        """
        with self._changed:
            wanted = self._wanted(), self._unexplained()
            self._moves, self._positions = tuple(moves), tuple(positions)
            _, lost = self._loss(positions)
            for position in positions[lost:]:
                self._known[position] = LOST
                self._settled.add(position)
            if (self._wanted(), self._unexplained()) != wanted:
                self._want_another()
            return self._known.get(positions[-1])

    def lost_by(self, positions: Sequence[Hashable]) -> int:
        """The number of the move that lost the game with these positions; 0 if it is not known."""
        with self._changed:
            solvable, lost = self._loss(positions)
        return lost if 0 <= solvable == lost - 1 and lost < len(positions) else 0

    def known(self, position: Hashable) -> Advice | None:
        """The results about a position so far."""
        return self._known.get(position)

    def to_play(self, position: Hashable) -> str:
        """The next move of the hint at a position, with its outcome if that is drawn; empty without a hint."""
        advice = self._known.get(position)
        moves = () if advice is None else drawn(self._puzzle, self._entry.level, position, advice)
        return moves[0] if moves else ""

    def is_settled(self, position: Hashable) -> bool:
        """Are the results about it final?"""
        return position in self._settled

    def reason(self, positions: Sequence[Hashable]) -> str | None:
        """The reason why the first lost one of these positions is lost.

        Empty if no reason was found, None while the search goes on.
        """
        with self._changed:
            solvable, lost = self._loss(positions)
            return self._reasons.get(positions[lost]) if lost < len(positions) and solvable == lost - 1 else ""

    # Within the threads

    def _loss(self, positions: Sequence[Hashable]) -> tuple[int, int]:
        """The last known to be solvable, or -1, and the first known to be lost, or the number of positions."""
        known = [self._known.get(position) for position in positions]
        verdicts = [None if advice is None else advice.solvable for advice in known]
        solvable = max((at for at, each in enumerate(verdicts) if each), default=-1)
        return solvable, next((at for at, each in enumerate(verdicts) if each is False), len(verdicts))

    def _wanted(self) -> Look | None:
        """The position to solve next: the current one; if that is lost, one that helps to find the losing move."""
        positions = self._positions
        if not positions:
            return None
        if positions[-1] not in self._settled:
            return Look(self._moves, positions[-1])
        solvable, lost = self._loss(positions)
        if lost == len(positions):
            return None
        between = [at for at in range(solvable + 1, lost) if positions[at] not in self._settled]
        if not between:
            return None
        at = between[len(between) // 2]
        return Look(self._moves[:at], positions[at])

    def _unexplained(self) -> Hashable | None:
        """The first lost position on the way, unless the search for its reason has ended."""
        solvable, lost = self._loss(self._positions)
        if lost == len(self._positions) or solvable < lost - 1 or self._positions[lost] in self._reasons:
            return None
        return self._positions[lost]

    def _next(self, *, map: bool) -> tuple[Look | Hashable, int] | None:
        """Wait for the next position and the number of the question; None when the advisor is closed.

        The engine solves positions as long as there is no map, as a `Look`. It also explains lost positions, which
        come without moves.
        """
        with self._changed:
            while not self._closed:
                if (map or not self.states) and (wanted := self._wanted()) is not None:
                    return wanted, self._number
                if not map and (lost := self._unexplained()) is not None:
                    return lost, self._number
                self._changed.wait()
        return None

    def _is_wanted(self, look: Look, number: int) -> bool:
        """Is this still the position to solve, and the question of this number the current one?"""
        with self._changed:
            return self._number == number and self._wanted() == look

    def _learn(self, results: Iterable[tuple[Hashable, Advice]]) -> None:
        with self._changed:
            for position, advice in results:
                if position not in self._settled:
                    self._known[position] = advice
                    if advice.solvable is False or advice.optimal:
                        self._settled.add(position)
            self._changed.notify_all()
        self._notify()

    def _with_map(self) -> None:
        limits = replace(self._limits, memory=self._limits.memory // SHARE)
        try:
            states = self._mapper.run(survey, self._entry, limits, seconds=limits.seconds)
        except LimitReached:
            return
        if not states:
            return
        with self._changed:
            self.states = states
            self._settled -= {
                place
                for place, advice in self._known.items()
                if advice.solvable is not False and not advice.optimal
            }
            self._want_another()  # ends the search of the engine
        while (found := self._next(map=True)) is not None:
            look, _ = found
            assert isinstance(look, Look)
            self._learn([(look.position, self._mapper.run(look_up, look.moves, look.position))])

    def _with_engine(self) -> None:
        own = self._puzzle.metrics[0]
        start = self._puzzle.rules.start(self._entry.level)
        while (found := self._next(map=False)) is not None:
            look, number = found
            if not isinstance(look, Look):
                self._explain(look, number)
                continue
            if self._puzzle.starting_at is None and look.position != start:
                lost = bool(self._by_sums(look.position, number))
                self._learn(
                    [(look.position, LOST if lost else Advice(None, reason="it starts in one position only"))]
                )
            else:
                # A shortest solution; without one in time, any solution, and then a shortest one again.
                for metric, seconds in ((own, SHORT_SECONDS), (ANY, None), (own, None)):
                    if self._is_wanted(look, number):
                        self._ask(look, number, metric, seconds)
            with self._changed:
                if self._is_wanted(look, number) and not self.states:
                    self._settled.add(look.position)

    def _explain(self, position: Hashable, number: int) -> None:
        """Search for the reason why a position is lost."""
        words = ""
        if self._puzzle.starting_at is not None or position == self._puzzle.rules.start(self._entry.level):
            question = (position, self._limits, self._current.path, number)
            with suppress(LimitReached):
                words = self._solver.run(reason_of_loss, self._entry, *question, seconds=self._limits.seconds)
        words = words or self._by_sums(position, number)
        with self._changed:
            if words or number == self._number:  # else the search ended early
                self._reasons[position] = words
        self._notify()

    def _by_sums(self, position: Hashable, number: int) -> str:
        """Why a position of the game is lost, if sums of facts show that; the reason is kept."""
        with self._changed:
            positions = self._positions
        if position not in positions or isinstance(self._puzzle.question(self._entry.level), Constraint):
            return ""
        way, words = positions[: positions.index(position) + 1], ""
        with suppress(LimitReached):
            question = (way, self._limits, self._current.path, number)
            words = self._solver.run(reason_by_sums, self._entry, *question, seconds=self._limits.seconds)
        if words:
            with self._changed:
                self._reasons[position] = words
        return words

    def _ask(self, look: Look, number: int, metric: str, seconds: float | None) -> None:
        """Ask the engine for a solution, and keep its results for all positions on the way."""
        most = self._limits.seconds
        seconds = most if seconds is None else min(seconds, most or seconds)
        question = (look.position, len(look.moves), metric, replace(self._limits, seconds=seconds))
        try:
            results = self._solver.run(
                solution, self._entry, *question, self._current.path, number, seconds=seconds
            )
        except LimitReached as limit:
            results = [(look.position, Advice(None, reason=limit.reason))]
        _, advice = results[0]
        if advice.solvable is None and (self._number != number or self._known.get(look.position) is not None):
            return  # the question has changed, or a better result is known
        self._learn(results)
