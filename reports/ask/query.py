"""A CTL formula on one level: the answer, and its evidence, replayed by the plain rules and drawn.

The formula is checked on the puzzle's faithful encoding, whose states and steps are those of the plain rules.
"""

import time
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.text import joined
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.limits import Budget, Limits
from puzzlemc.mc.model.expressions import One, Zero
from puzzlemc.mc.model.formula import holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.system.memory import peak_mb, reset_peak
from puzzlemc.mc.temporal.check import Answer, Evidence, Graphs, query
from puzzlemc.mc.temporal.parser import check_atoms, parse
from puzzlemc.mc.temporal.property import NAMED
from puzzlemc.reports.ask.invariants import INVARIANTS, InvariantsResult, never_changing
from puzzlemc.reports.output.plain import plain
from puzzlemc.reports.workers.worker import next_stage

HOLDS, FAILS, UNKNOWN = 0, 1, 3
MOST_DRAWN = 20  # moves of a run whose positions are all drawn


@dataclass(frozen=True)
class QueryResult:
    """The answer to a formula on a level.

    moves      the moves of the evidence, by name
    positions  the positions of the evidence by the plain rules: one more than the moves
    drawn      drawings of some positions, by their numbers
    """

    id: str
    title: str
    puzzle: str
    formula: str
    encoding: str
    answer: Answer
    moves: Sequence[str]
    trace: str | list[str] | None
    positions: Sequence[Hashable]
    drawn: dict[int, str]
    seconds: float
    peak_mb: float | None

    @property
    def exit_code(self) -> int:
        """What the program ends with."""
        return UNKNOWN if self.answer.holds is None else HOLDS if self.answer.holds else FAILS

    def as_json(self) -> dict[str, object]:
        """The answer for programs."""
        answer, evidence = self.answer, None
        if answer.evidence is not None:
            evidence = {
                "kind": "witness" if answer.holds else "counterexample",
                "trace": self.trace,
                "moves": len(self.moves),
                "loop": answer.evidence.loop,
                "stays": answer.evidence.stays,
                "claim": str(answer.evidence.claim),
                "checked": True,
            }
        return {
            "id": self.id,
            "title": self.title,
            "puzzle": self.puzzle,
            "formula": self.formula,
            "holds": answer.holds,
            "states": answer.states,
            "satisfying": answer.satisfying,
            "evidence": evidence,
            "engine": answer.engine,
            "encoding": self.encoding,
            "reason": answer.reason,
            "seconds": round(self.seconds, 4),
            "peak_mb": self.peak_mb,
        }

    def as_text(self) -> str:
        """The answer for people."""
        answer, evidence = self.answer, self.answer.evidence
        verdict = {True: "holds", False: "does not hold", None: f"unknown: {answer.reason}"}[answer.holds]
        lines = [plain(f"{self.id}: {self.formula}"), verdict]
        if answer.states is not None:
            share = f"in {answer.satisfying:,} of {answer.states:,} reachable states"
            lines[1] += f"; true {share} ({answer.engine}, {self.seconds:.2f} s)"
        if evidence is not None:
            trace = joined(self.trace or ())
            kind = "witness" if answer.holds else "counterexample"
            count = f"{len(self.moves)} move" + "s" * (len(self.moves) != 1)
            lines.append(f"{kind}, {count}{': ' if trace else ''}{trace}")
            lines.append(f"{_end(evidence)}: {evidence.claim}")
            for number, drawn in self.drawn.items():
                name = f"after move {number}: {self.moves[number - 1]}" if number else "start"
                mark = ", from here again and again" if number == evidence.loop and not evidence.stays else ""
                lines += ["", name + mark, drawn]
        elif answer.holds is not None:
            lines.append("no single run can show that")
        return "\n".join(lines)


def _end(evidence: Evidence) -> str:
    """The state or states that satisfy the claim, in words."""
    if evidence.loop is None:
        return "then" if evidence.trace.actions else "at the start"
    if evidence.stays:
        return "no action is enabled then, so the run stays there; all along"
    return f"then again from move {evidence.loop + 1} on, for ever; all along"


def ask(entry: Entry, text: str, limits: Limits, engine: str = "auto") -> QueryResult:
    """Check whether a formula holds for a level.

    Raises FormulaError for a bad formula, ModelError for a model without formulas, and Refuted if the plain
    rules do not confirm the evidence.
    """
    started = time.process_time()
    reset_peak()
    rules = entry.puzzle
    rules.need_steps()
    p = parse(text)
    if rules.optimisation is not None:
        raise ModelError(
            f"a level of {rules.name} is a layout to be found, and has no moves to ask about; "
            "`puzzlemc check LEVEL --layout FILE` finds out how items move along a layout"
        )
    asked = _asked(entry)
    encoded, model = asked.encoded, asked.model
    check_atoms(p, [*encoded.model.atoms, *NAMED, *(model.atoms.keys() - encoded.model.atoms)], model.counts)
    answer = query(model, p, Budget(limits), engine, graphs=asked.graphs)
    moves: list[str] = []
    positions: list[Hashable] = []
    trace: str | list[str] | None = None
    drawn: dict[int, str] = {}
    if answer.evidence is not None:
        moves = encoded.moves(answer.evidence.trace)
        positions = replay_evidence(rules, entry.level, encoded, answer.evidence, moves)
        trace = rules.text.write_moves(moves)
        drawn = {number: _draw(entry, positions[number]) for number in _shown(answer.evidence, len(moves))}
    return QueryResult(
        entry.id,
        entry.title,
        entry.puzzle.name,
        str(p),
        rules.vocabulary.encoding,
        answer,
        moves,
        trace,
        positions,
        drawn,
        time.process_time() - started,
        peak_mb(),
    )


@dataclass(frozen=True)
class _Asked:
    """A level prepared for formulas: a model with atoms for all places, and its state graph once explored."""

    entry: Entry
    encoded: Encoded
    model: Model
    graphs: Graphs


_last: _Asked | None = None  # of several formulas about a level, its states are explored once


def _is_same(entry: Entry, other: Entry) -> bool:
    """Are these the same level, possibly sent to this process twice?"""
    if entry is other:
        return True
    return entry.part is not None and (entry.part, entry.puzzle_name) == (other.part, other.puzzle_name)


def _asked(entry: Entry) -> _Asked:
    global _last
    if _last is None or not _is_same(_last.entry, entry):
        rules = entry.puzzle
        encoded = rules.encode_faithfully(entry.level)
        constants = {name: One if held else Zero for name, held in rules.vocabulary.constants(entry.level).items()}
        _last = _Asked(entry, encoded, replace(encoded.model, atoms={**encoded.model.atoms, **constants}), [])
    return _last


def answered(entry: Entry, text: str, limits: Limits, engine: str) -> tuple[dict[str, object], str, int]:
    """The answer to a formula for programs, for people, and as exit code; or what never changes, if the text is
    `invariants`.

    Raises what `ask` raises.
    """
    result: QueryResult | InvariantsResult
    try:
        result = never_changing(entry, limits) if text.strip() == INVARIANTS else ask(entry, text, limits, engine)
    except ModelError as error:
        raise ModelError(f"{entry.id}: {error}") from None
    except Refuted as error:
        raise Refuted(f"{entry.id}: {error}") from None
    return result.as_json(), result.as_text(), result.exit_code


def answered_anew(entry: Entry, text: str, limits: Limits, engine: str) -> tuple[dict[str, object], str, int]:
    """Run `answered` in a worker, whose time starts when the level is read. Raises LevelError, too."""
    if entry.error is not None:
        raise entry.error
    next_stage()
    return answered(entry, text, limits, engine)


def unanswered(entry: Entry, text: str, reason: str, seconds: float = 0.0) -> QueryResult:
    """The result if a formula or a level cannot be read, or if a limit, the `reason`, ended the query."""
    name = entry.puzzle_name
    encoding = "" if name is None else entry.puzzle.vocabulary.encoding
    answer = Answer(None, reason=reason)
    return QueryResult(entry.id, entry.title, name or "", text, encoding, answer, [], None, [], {}, seconds, None)


def replay_evidence(
    rules: Puzzle, level: Any, encoded: Encoded, evidence: Evidence, moves: Sequence[str]
) -> list[Hashable]:
    """Replay the run by the plain rules, and return its positions.

    Raises Refuted if a move is illegal or leads to a position other than the run's; if position and state
    differ in being solved, or at the end in being stuck; or if the loop does not close.
    """
    states = evidence.trace.states
    if len(moves) != len(evidence.trace.actions):
        raise Refuted(f"{len(moves)} moves do not fit {len(evidence.trace.actions)} actions")
    positions = [rules.rules.start(level)]
    for number, name in enumerate(moves, start=1):
        step = rules.rules.reply(level, positions[-1], name)
        if step is None:
            raise Refuted(f"step {number}: {name} is not a legal move")
        positions.append(step.position)
    for number, (position, state) in enumerate(zip(positions, states, strict=True)):
        if encoded.decode(state) != position:
            raise Refuted(f"state {number} of the run is not the position after {number} moves")
        if rules.rules.solved(level, position) != holds(encoded.model.goal, state):
            raise Refuted(f"state {number} of the run: the plain rules disagree about whether it is solved")
    stuck = not encoded.model.successors(states[-1])
    if stuck != (next(iter(rules.rules.steps(level, positions[-1])), None) is None):
        raise Refuted("the plain rules disagree about whether the last state is stuck")
    if evidence.loop is not None and positions[evidence.loop] != positions[-1]:
        raise Refuted("the loop of the run does not close")
    if evidence.stays and not stuck:
        raise Refuted("the run stays in a position that has moves")
    return positions


def _draw(entry: Entry, position: Hashable) -> str:
    return entry.puzzle.screen.draw(entry.level, position)


def _shown(evidence: Evidence, moves: int) -> list[int]:
    """The numbers of the positions to draw: all of a short run; else the start, the loop's start, and the end."""
    if moves <= MOST_DRAWN:
        return list(range(moves + 1))
    return sorted({0, evidence.loop or 0, moves})
