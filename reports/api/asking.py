"""`query`: does a formula of CTL hold?"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event
from typing import Any, Unpack

from puzzlemc.mc.errors import LimitReached, ModelError, words_of
from puzzlemc.mc.nearest import nearest
from puzzlemc.mc.temporal.check import ENGINES
from puzzlemc.reports.api.arguments import CallOptions, limits_of, public
from puzzlemc.reports.api.levels import LevelLike, entry_of, one
from puzzlemc.reports.ask.query import answered_anew, unanswered
from puzzlemc.reports.workers.worker import Worker


@dataclass(frozen=True)
class Answer:
    """The answer to a formula. `str` gives it in words, with its evidence.

    holds   None: unknown, for a `reason`
    trace   the witness or counterexample, as in `Result.trace`; None if no single run shows the answer
    """

    formula: str
    holds: bool | None
    reason: str | None
    trace: str | list[str] | None
    _data: dict[str, Any] = field(repr=False)
    _words: str = field(repr=False)

    @property
    def moves(self) -> list[str] | None:
        """The former name of `trace`, always as a list."""
        warnings.warn("Answer.moves is called trace now", DeprecationWarning, stacklevel=2)
        return None if self.trace is None else list(self.trace)

    def to_dict(self) -> dict[str, Any]:
        """All fields; those of `puzzlemc query --json`."""
        return self._data

    def __str__(self) -> str:
        return self._words


@public()
def query(
    level: LevelLike,
    formula: str,
    *,
    engine: str = "auto",
    **given: Unpack[CallOptions],
) -> Answer:
    """Check a formula of CTL on all states of a level, as `AG EF solved`.

    engine  `auto`, `explicit` or `symbolic`

    The other parameters are those of `solve`. Raises FormulaError, LevelError, ModelError, Refuted.
    """
    if engine not in ("auto", *ENGINES):
        known = ("auto", *ENGINES)
        raise ModelError(f"unknown engine {engine!r}, expected one of {', '.join(known)}{nearest(engine, known)}")
    if formula.strip() == "invariants":
        raise ModelError("found 'invariants', expected a formula")
    entry = entry_of(one(level, given.get("puzzle")))
    limits = limits_of(given)
    with Worker(limits.memory, ("puzzlemc.reports.ask.query",)) as worker:
        try:
            asked = (answered_anew, entry, formula, limits, engine)
            data, words, _ = worker.run(*asked, seconds=limits.seconds, look=watch(given.get("cancel")))
        except LimitReached as limit:
            found = unanswered(entry, formula, words_of(limit), worker.seconds)
            data, words = found.as_json(), found.as_text()
    evidence = data["evidence"]
    trace = None if evidence is None else evidence["trace"]
    return Answer(formula, data["holds"], data["reason"], trace, data, words)


def watch(cancel: Event | None) -> Callable[[float], None]:
    """For `Worker.run`: raise LimitReached when the event is set."""

    def look(_: float) -> None:
        if cancel is not None and cancel.is_set():
            raise LimitReached("cancelled")

    return look
