"""What never changes in a level: a basis of the sums of facts that no action changes, with their values.

The sums are about the puzzle's faithful encoding. They are found whether or not the level can be solved.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.engines.invariants import unchanging
from puzzlemc.mc.engines.parities import named_parities
from puzzlemc.mc.errors import LIMITS, Unsuitable, reason_of
from puzzlemc.mc.invariants.basis import value_in
from puzzlemc.mc.invariants.pairs import pair_kinds, total
from puzzlemc.mc.invariants.words import always_in_words, named_weights
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.system.memory import peak_mb, reset_peak
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.output.words import counted

INVARIANTS = "invariants"  # in place of a formula
FOUND, UNKNOWN = 0, 3


@dataclass(frozen=True)
class NeverChanges:
    """A sum of facts that no action changes.

    modulo   2 or 3; None for a whole number
    weights  the facts by their names, with their weights; all others have weight 0
    pairs    of a sum over pairs of facts, which has no such weights: each kind of pairs in words, the number of
             pairs that count, and how many of them hold at the start
    start    its value in every reachable state; of a step system, in every one before it is solved
    goal     its value in all goal states; None if it differs between them
    words    the same as a sentence, with the first of many facts
    """

    modulo: int | None
    weights: Sequence[tuple[str, int]]
    start: int
    goal: int | None
    words: str
    pairs: Sequence[tuple[str, int, int]] = ()

    @property
    def excludes_goal(self) -> bool:
        """Does it show that the level cannot be solved?"""
        return self.goal is not None and self.goal != self.start

    def as_json(self) -> dict[str, object]:
        """The answer as JSON values."""
        return {
            "modulo": self.modulo,
            "weights": [{"fact": fact, "weight": weight} for fact, weight in self.weights],
            "value": self.start,
            "goal": self.goal,
            "words": self.words,
            "pairs": [{"kind": kind, "counting": number, "start": held} for kind, number, held in self.pairs],
        }


@dataclass(frozen=True)
class InvariantsResult:
    """The sums of a level in an encoding; None, with a `reason`, if they are not known."""

    entry: Entry
    sums: Sequence[NeverChanges] | None
    encoding: str | None
    reason: str | None
    seconds: float
    peak_mb: float | None

    @property
    def exit_code(self) -> int:
        """What the program ends with."""
        return UNKNOWN if self.sums is None else FOUND

    def as_json(self) -> dict[str, object]:
        """The sums for programs, with the keys of an answer to a formula."""
        rules = self.entry.puzzle
        return {
            "id": self.entry.id,
            "title": self.entry.title,
            "puzzle": rules.name,
            "formula": INVARIANTS,
            "holds": None,
            "states": None,
            "satisfying": None,
            "evidence": None,
            "engine": None,
            "encoding": self.encoding,
            "reason": self.reason,
            "invariants": None if self.sums is None else [found.as_json() for found in self.sums],
            "seconds": round(self.seconds, 4),
            "peak_mb": self.peak_mb,
        }

    def as_text(self) -> str:
        """The sums for people."""
        lines = [plain(f"{self.entry.id}: what never changes")]
        if self.sums is None:
            return f"{lines[0]}\nunknown: {self.reason}"
        lines.append(f"{counted(len(self.sums), 'sums')} of facts ({self.seconds:.2f} s)")
        for found in self.sums:
            end = f"; in the goal {found.goal}, so there is no solution" if found.excludes_goal else ""
            lines.append(plain(f"{found.words}{end}"))
        return "\n".join(lines)


def never_changing(entry: Entry, limits: Limits) -> InvariantsResult:
    """What never changes in a level. Raises ModelError for a puzzle without a model."""
    started = time.process_time()
    reset_peak()
    entry.puzzle.need_model(INVARIANTS)
    sums: list[NeverChanges] | None = None
    reason, encoding = None, entry.puzzle.vocabulary.encoding
    try:
        model = entry.puzzle.encode_faithfully(entry.level).model
        if model.has_formulas:
            sums = _of_task(model, Budget(limits))
        else:  # the encoding that is solved may have a circuit
            encoding, encode = next(iter(entry.puzzle.encodings.items()))
            sums = _of_steps(encode(entry.level).model, Budget(limits))
    except Unsuitable as unsuitable:
        reason = str(unsuitable)
    except LIMITS as limit:
        reason = reason_of(limit)
    return InvariantsResult(entry, sums, encoding, reason, time.process_time() - started, peak_mb())


def _of_task(model: Model, budget: Budget) -> list[NeverChanges]:
    """The sums of facts of a model."""
    found = unchanging(model, budget)
    task = found.task
    sums = []
    for each in (*found.sums, *found.pairs):
        values = {value_in(task, each, goal) for goal in found.goals}
        of_pairs = each.degree == 2
        sums.append(
            NeverChanges(
                each.prime or None,
                [] if of_pairs else named_weights(task, each),
                each.value(task.initial),
                values.pop() if len(values) == 1 else None,
                always_in_words(task, each),
                [(kind.words, kind.terms, total(each, task.initial, kind)) for kind in pair_kinds(task, each)]
                if of_pairs
                else (),
            )
        )
    return sums


def _of_steps(system: Model, budget: Budget) -> list[NeverChanges]:
    """The parities of a step system, which hold before it is solved; what they are in the goal is not known."""
    return [
        NeverChanges(2, [(fact, 1) for fact in each.facts], each.value, None, each.words)
        for each in named_parities(system, budget)
    ]
