"""Solutions that stand in files of levels: the plain rules replay them up to the first illegal move."""

import json
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.text import Move
from puzzlemc.encodings.puzzles import Entry
from puzzlemc.mc.errors import Refuted
from puzzlemc.mc.rules.plain import Constraint, Game, Step
from puzzlemc.reports.output.words import cost_in_words, counted, none_better
from puzzlemc.screens.base.errors import LevelError
from puzzlemc.screens.base.part import PLAIN, Part, Solution

BUT_FOR_CASE = "but for the case of its letters"


class NoSolution(LevelError):
    """A text that has no solution of the level."""


@dataclass(frozen=True)
class Followed:
    """A replay of moves by the plain rules.

    moves      the moves before the first illegal one
    positions  before the first and after each of these moves; for a constraint, the one that meets it
    costs      of these moves by metric
    solved     whether the level is solved after all of them
    fault      why the next move is illegal, or why the moves meet no constraint
    note       that the moves are right but for their spelling
    """

    moves: Sequence[Move]
    positions: Sequence[Hashable]
    costs: Mapping[str, int]
    solved: bool
    fault: LevelError | None = None
    note: str = ""


@dataclass(frozen=True)
class Given:
    """The check of a solution that stands with a level in its file.

    title   of the solution; may be empty
    line    in the file
    length  the number of legal moves
    costs   of these moves by metric
    solved  whether they solve the level
    fault   why the solution is wrong; empty if it can be read and all moves are legal
    note    what else there is to say: moves that are right but for their spelling
    saved   whether its name does not call it a solution, so that it is a saved game if it ends too early
    """

    title: str
    line: int
    length: int
    costs: Mapping[str, int]
    solved: bool
    fault: str = ""
    note: str = ""
    saved: bool = False

    @property
    def right(self) -> bool:
        """Does it solve the level?"""
        return self.solved and not self.fault

    @property
    def wrong(self) -> bool:
        """Is it meant to solve the level, and does not?"""
        return not self.right and not self.is_saved_game

    @property
    def is_saved_game(self) -> bool:
        """Is it a game that was saved before its end?"""
        return self.saved and not self.solved and not self.fault

    def as_json(self, metric: str, least: int | None) -> dict[str, object]:
        """The fields for programs; `least` is the least cost of a solution under the metric, if known."""
        status = "invalid" if self.fault else "solves" if self.solved else "unsolved"
        if self.is_saved_game:
            status = "saved game"
        more = self.costs[metric] - least if self.right and least is not None else None
        fields = {"title": self.title, "line": self.line, "status": status, "length": self.length}
        return (
            fields | dict(sorted(self.costs.items())) | {"above": more, "reason": self.fault or self.note or None}
        )

    def as_text(self, metric: str, least: int | None, bound: int | None) -> str:
        """A row for people; `least` is the least cost of a solution, if known, and `bound` a lower bound on it."""
        name = self.title or "solution"
        if self.fault:
            return f"{name}: wrong: {self.fault}"
        if not self.solved:
            costs = ", ".join(counted(cost, each) for each, cost in self.costs.items())
            if self.is_saved_game:
                return f"{name}: a saved game: the level is not solved yet ({costs})"
            return f"{name}: wrong: after all {self.length} moves the level is not solved ({costs})"
        return f"{name}: right{self.note and f', {self.note}'}: {costs_of(self.costs, metric, least, bound)}"


def costs_of(costs: Mapping[str, int], metric: str, least: int | None, bound: int | None) -> str:
    """The costs of a solution in words, and the difference to the least cost under the metric, or the bound."""
    if metric not in costs:  # `any`: the bound is by the first metric of the puzzle
        metric = next(iter(costs), "")
    words = [
        cost_in_words(cost, each, least=each != metric or least is not None, bound=bound)
        for each, cost in costs.items()
    ]
    return ", ".join(words) + _above(costs.get(metric), metric, least, bound)


def _above(cost: int | None, metric: str, least: int | None, bound: int | None) -> str:
    if cost is None:
        return ""
    if least is not None:
        return f"; {none_better(metric)}" if cost <= least else f"; {counted(cost - least, metric)} too many"
    return f"; every solution has at least {counted(bound, metric)}" if bound else ""


def solutions_of(entry: Entry) -> list[Given]:
    """The check of each solution that stands with a level in its file."""
    assert entry.part is not None
    return [_given(entry, solution, entry.part.source) for solution in entry.part.solutions]


def _given(entry: Entry, solution: Solution, source: str) -> Given:
    text, title, line = solution
    try:
        moves = entry.puzzle.text.read_moves(text, source, line)
    except LevelError as error:
        return Given(title, line, 0, {}, solved=False, fault=str(error))
    done = follow(entry.puzzle, entry.level, moves, source)
    if done.fault is not None:
        done = respelled(entry.puzzle, entry.level, moves, source) or done
    fault = "" if done.fault is None else str(done.fault)
    saved = solution.may_be_saved_game
    return Given(title, line, len(done.moves), dict(done.costs), done.solved, fault, done.note, saved)


def respelled(rules: Puzzle, level: Any, moves: Sequence[Move], source: str) -> Followed | None:
    """The replay of moves that solve the level if some of them have another spelling; None if they do not."""
    question = rules.question(level)
    if isinstance(question, Constraint):
        return None
    position, meant = question.start(level), []
    for move in moves:
        for name in (move.name, *rules.text.spellings(move.name)):
            step = question.reply(level, position, name)
            if step is not None:
                meant.append(move._replace(name=name))
                position = step.position
                break
        else:
            return None
    done = follow(rules, level, meant, source)
    return replace(done, note=BUT_FOR_CASE) if done.solved else None


def follow(rules: Puzzle, level: Any, moves: Sequence[Move], source: str) -> Followed:
    """Replay moves by the plain rules up to the first illegal one, and then the steps that close the level."""
    question = rules.question(level)
    costs = dict.fromkeys(rules.metrics, 0)
    if isinstance(question, Constraint):
        try:
            played = rules.replay(level, [move.name for move in moves])
        except Refuted as error:
            return Followed(moves, (), costs, solved=False, fault=LevelError(str(error), source=source))
        return Followed(moves, played.positions, played.costs, solved=True)
    positions = [question.start(level)]
    inputs = None if rules.text.play is None else rules.text.play(level, [move.name for move in moves])
    for number, move in enumerate(moves):
        step = question.reply(level, positions[-1], move.name) if inputs is None else next(inputs)
        if step is None:
            fault = _fault(rules, level, positions[-1], number, move, source)
            return Followed(moves[:number], positions, costs, solved=False, fault=fault)
        positions.append(step.position)
        costs = {metric: cost + step.costs[metric] for metric, cost in costs.items()}
    moves = list(moves)
    for step in _closing(rules, level, positions[-1]):
        moves.append(Move(step.name, *((moves[-1].line, moves[-1].column) if moves else (1, 1))))
        positions.append(step.position)
        costs = {metric: cost + step.costs[metric] for metric, cost in costs.items()}
    return Followed(moves, positions, costs, _is_solved(question, level, positions))


def _closing(rules: Puzzle, level: Any, position: Hashable) -> Iterator[Step]:
    """Yield the steps that close a level, which solutions by other programs are without."""
    while rules.text.closing is not None and (step := rules.text.closing(level, position)) is not None:
        yield step
        position = step.position


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


def read(entry: Entry, text: str, source: str, *, by_id: bool = False) -> list[Move]:
    """The moves of a text: a trace of `solve`, JSON, a saved game, or a file of levels with a solution.

    The only object in JSON may have another id, unless it is `by_id`.

    Raises NoSolution if the text has results or solutions, but none of this level, and LevelError.
    """
    rules = entry.puzzle
    if text.lstrip().startswith(("{", "[")) and (trace := _from_json(entry, text, source, by_id)) is not None:
        if isinstance(trace, str):
            return rules.text.read_moves(trace, source, 1)
        return [Move(name, 1, number) for number, name in enumerate(trace, 1)]
    if rules.screen.looks_like(text) >= PLAIN:
        return _from_levels(entry, text, source)
    return rules.text.read_moves(text, source, 1)


def _from_json(entry: Entry, text: str, source: str, by_id: bool) -> str | list[str] | None:
    """The trace in JSON: a list of moves, an object, or one object on each line. None if there is no trace.

    Raises LevelError if not exactly one of several objects is about the level, or if its trace is null.
    """
    try:
        rows = [json.loads(text)]
    except (ValueError, RecursionError):
        try:
            rows = [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            return None
    if len(rows) > 1 or (by_id and isinstance(rows[0], dict)):
        rows = [row for row in rows if isinstance(row, dict) and row.get("id") == entry.id]
        if len(rows) != 1:
            message = f"found {len(rows)} objects about {entry.id}, expected one"
            raise (LevelError if rows else NoSolution)(message, source=source)
    (row,) = rows
    if isinstance(row, dict):
        keys = [
            key for key in ("steps", "trace", "moves") if key in row and not isinstance(row[key], int)
        ]  # no cost
        if not keys:
            return None
        row = row[keys[0]]
        if row is None:
            raise NoSolution("found a level without a trace, expected one", source=source)
    if isinstance(row, str) or (isinstance(row, list) and all(isinstance(name, str) for name in row)):
        return row
    return None


def _from_levels(entry: Entry, text: str, source: str) -> list[Move]:
    """The moves of the first solution of the same level in a text of levels. Raises LevelError without one."""
    rules, record = entry.puzzle, entry.puzzle.text.game_record
    for part in rules.screen.cut(text, source):
        if record is not None and isinstance(part, Part) and not part.solutions:
            with suppress(LevelError):
                level, played = record.split(rules.screen.build(part))
                if played and rules.screen.draw(level) == rules.screen.draw(entry.level):
                    return [Move(name, part.line, number) for number, name in enumerate(played, 1)]
        if isinstance(part, Part) and part.solutions:
            try:
                level = rules.screen.build(part)
            except LevelError:
                continue
            if rules.screen.draw(level) == rules.screen.draw(entry.level):
                called = [each for each in part.solutions if not each.may_be_saved_game]
                first = (called or part.solutions)[0]
                return rules.text.read_moves(first.text, source, first.line)
    raise NoSolution(f"found levels, but no solution of {entry.id} among them", source=source)
