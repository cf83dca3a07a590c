"""Solutions that are given: followed by the plain rules as far as they are legal."""

import json
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.moves import Move
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.rules.plain import Constraint, Game
from puzzlemc.reports.output.words import cost_in_words, counted
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import PLAIN, Part


@dataclass(frozen=True)
class Followed:
    """What the plain rules make of moves.

    moves      that are legal, from the first one on
    positions  one more than these; of a constraint, the one that was found
    costs      of these moves by metric
    solved     whether the level is solved after all of them
    fault      what is wrong with the next move, or with the whole
    """

    moves: Sequence[Move]
    positions: Sequence[Hashable]
    costs: Mapping[str, int]
    solved: bool
    fault: LevelError | None = None


@dataclass(frozen=True)
class Given:
    """What came of a solution that stands with a level in its file."""

    title: str
    line: int
    length: int
    costs: Mapping[str, int]
    solved: bool
    fault: str = ""

    @property
    def right(self) -> bool:
        """Does it solve the level?"""
        return self.solved and not self.fault

    def as_json(self, metric: str, least: int | None) -> dict[str, object]:
        """For programs; `least` is what a solution costs at least, where that is known."""
        status = "invalid" if self.fault else "solves" if self.solved else "unsolved"
        more = self.costs[metric] - least if self.right and least is not None else None
        told = {"title": self.title, "line": self.line, "status": status, "length": self.length}
        return told | dict(sorted(self.costs.items())) | {"above": more, "reason": self.fault or None}

    def as_text(self, metric: str, least: int | None, bound: int | None) -> str:
        """For people; `least` is what a solution costs at least, or `bound` what is proved of that."""
        name = self.title or "solution"
        if self.fault:
            return f"{name}: wrong: {self.fault}"
        if not self.solved:
            costs = ", ".join(counted(cost, each) for each, cost in self.costs.items())
            return f"{name}: wrong: after all {self.length} moves the level is not solved ({costs})"
        return f"{name}: right: {costs_of(self.costs, metric, least, bound)}"


def costs_of(costs: Mapping[str, int], metric: str, least: int | None, bound: int | None) -> str:
    """What a solution costs, and how far that is from the least cost under the metric, in words."""
    if metric not in costs:  # `any`: nothing is known of the puzzle's own metric but the bound
        metric = next(iter(costs), "")
    told = [
        cost_in_words(cost, each, least=each != metric or least is not None, bound=bound)
        for each, cost in costs.items()
    ]
    return ", ".join(told) + _above(costs.get(metric), metric, least, bound)


def _above(cost: int | None, metric: str, least: int | None, bound: int | None) -> str:
    if cost is None:
        return ""
    if least is not None:
        return (
            f"; no solution has fewer {metric}" if cost <= least else f"; {counted(cost - least, metric)} too many"
        )
    return f"; every solution has at least {counted(bound, metric)}" if bound else ""


def solutions_of(entry: Entry) -> list[Given]:
    """What came of each solution that stands with a level."""
    assert entry.part is not None
    return [
        _given(entry, solution.text, solution.title, solution.line, entry.part.source)
        for solution in entry.part.solutions
    ]


def _given(entry: Entry, text: str, title: str, line: int, source: str) -> Given:
    try:
        moves = entry.puzzle.text.read_moves(text, source, line)
    except LevelError as error:
        return Given(title, line, 0, {}, solved=False, fault=str(error))
    done = follow(entry.puzzle, entry.level, moves, source)
    fault = "" if done.fault is None else str(done.fault)
    return Given(title, line, len(done.moves), dict(done.costs), done.solved, fault)


def follow(rules: Puzzle, level: Any, moves: Sequence[Move], source: str) -> Followed:
    """Follow moves by the plain rules, up to one that is not legal."""
    question = rules.question(level)
    costs = dict.fromkeys(rules.metrics, 0)
    if isinstance(question, Constraint):
        try:
            played = rules.replay(level, [move.name for move in moves])
        except Refuted as error:
            return Followed(moves, (), costs, solved=False, fault=LevelError(str(error), source=source))
        return Followed(moves, played.positions, played.costs, solved=True)
    positions = [question.start(level)]
    for number, move in enumerate(moves):
        steps = question.replies if isinstance(question, Game) else question.steps
        step = next((step for step in steps(level, positions[-1]) if step.name == move.name), None)
        if step is None:
            fault = _fault(rules, level, positions[-1], number, move, source)
            return Followed(moves[:number], positions, costs, solved=False, fault=fault)
        positions.append(step.position)
        costs = {metric: cost + step.costs[metric] for metric, cost in costs.items()}
    return Followed(moves, positions, costs, _is_solved(question, level, positions))


def _is_solved(question: Any, level: Any, positions: Sequence[Hashable]) -> bool:
    if not isinstance(question, Game):
        return bool(question.solved(level, positions[-1]))
    side = question.turn(level, positions[0])
    return question.over(level, positions[-1]) and question.result(level, positions[-1]) == side


def _fault(rules: Puzzle, level: Any, position: Hashable, number: int, move: Move, source: str) -> LevelError:
    why = rules.game.over(level, position) if rules.game is not None else ""
    why = why or (rules.text.refusal(level, position, move.name) if rules.text.refusal is not None else "")
    message = f"move {number + 1}, {move.name[:40]}, is not legal{f': {why}' if why else ''}"
    return LevelError(message, source=source, line=move.line, column=move.column)


def read(entry: Entry, text: str, source: str) -> list[Move]:
    """The moves of a text: as `solve` writes them, JSON, or a solution in a file of levels. Raises LevelError."""
    rules = entry.puzzle
    if text.lstrip().startswith(("{", "[")) and (told := _from_json(entry, text, source)) is not None:
        if isinstance(told, str):
            return rules.text.read_moves(told, source, 1)
        return [Move(name, 1, number) for number, name in enumerate(told, 1)]
    if rules.screen.looks_like(text) >= PLAIN:
        return _from_levels(entry, text, source)
    return rules.text.read_moves(text, source, 1)


def _from_json(entry: Entry, text: str, source: str) -> str | list[str] | None:
    """The trace of JSON, None where that has none: of a list of moves, an object, or an object a line."""
    try:
        rows = [json.loads(text)]
    except (ValueError, RecursionError):
        try:
            rows = [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            return None
    if len(rows) > 1:
        rows = [row for row in rows if isinstance(row, dict) and row.get("id") == entry.id]
        if len(rows) != 1:
            message = f"found {len(rows)} objects about {entry.id}, expected one"
            raise LevelError(message, source=source)
    (row,) = rows
    if isinstance(row, dict):
        keys = [key for key in ("steps", "trace") if key in row]
        if not keys:
            return None
        row = row[keys[0]]
        if row is None:
            raise LevelError("found a level without a trace, expected one", source=source)
    if isinstance(row, str) or (isinstance(row, list) and all(isinstance(name, str) for name in row)):
        return row
    return None


def _from_levels(entry: Entry, text: str, source: str) -> list[Move]:
    """The first solution that stands with the same level in a text of levels. Raises LevelError."""
    rules = entry.puzzle
    for part in rules.screen.cut(text, source):
        if isinstance(part, Part) and part.solutions:
            try:
                level = rules.screen.build(part)
            except LevelError:
                continue
            if rules.screen.draw(level) == rules.screen.draw(entry.level):
                return rules.text.read_moves(part.solutions[0].text, source, part.solutions[0].line)
    raise LevelError(f"found levels, but no solution of {entry.id} among them", source=source)
