"""The plain rules of a puzzle, as functions over its levels. Traces are replayed by them.

They are independent of the encodings, so that they confirm the results of an encoding. There are three kinds of
question. A `Transition` has positions and steps between them: is a solved position reachable? A `Constraint` has
no steps: is there a position that passes its check? In a `Game` two sides take steps: which side can force a win?
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from puzzlemc.mc.errors import Refuted


class Step(NamedTuple):
    """A step under the plain rules: the name of the move, the position after it, its costs by metric."""

    name: str
    position: Hashable
    costs: Mapping[str, int]


@dataclass(frozen=True)
class Transition:
    """Positions and steps: the start of a level, the legal steps from a position, whether a position is solved.

    step    the step with a given name, None if it is illegal; optional, for steps that take long to compute
    lost    does an author promise that no solved position can be reached from here? None: nothing is promised
    """

    start: Callable[[Any], Hashable]
    steps: Callable[[Any, Any], Iterator[Step]]
    solved: Callable[[Any, Any], bool]
    step: Callable[[Any, Any, str], Step | None] | None = None
    lost: Callable[[Any, Any], bool] | None = None

    def reply(self, level: object, position: Hashable, name: str) -> Step | None:
        """The legal step of that name from a position, None if there is none. Raises Refuted for equal names."""
        if self.step is not None:
            return self.step(level, position, name)
        named = [step for step in self.steps(level, position) if step.name == name]
        if len(named) > 1:
            raise Refuted(f"two legal moves have the name {name}")
        return named[0] if named else None


@dataclass(frozen=True)
class Constraint:
    """The search for a position: `read` makes it from the moves of a trace, `check` checks it.

    Both raise Refuted, with the error and its place, if the position is wrong.
    """

    read: Callable[[Any, Sequence[str]], Hashable]
    check: Callable[[Any, Any], None]


FIRST, SECOND = SIDES = (0, 1)


class Stuck(Enum):
    """The result for a side that is to move and has no step."""

    LOSES = "loses"
    WINS = "wins"
    DRAWS = "draws"

    def winner(self, turn: int) -> int | None:
        """The winner if side `turn` has no step, None for a draw."""
        return None if self is Stuck.DRAWS else turn if self is Stuck.WINS else 1 - turn


@dataclass(frozen=True)
class Game:
    """Positions and steps between them; each position has a side to move.

    turn    the side to move, FIRST or SECOND
    winner  the side that has won, None if no side has. A position with a winner has no steps, whatever `steps`
            yields
    stuck   the result of a position without a winner and without steps
    step    the step with a given name, None if it is illegal; optional, for games with too many steps to list
    """

    start: Callable[[Any], Hashable]
    turn: Callable[[Any, Any], int]
    steps: Callable[[Any, Any], Iterator[Step]]
    winner: Callable[[Any, Any], int | None]
    stuck: Stuck = Stuck.LOSES
    step: Callable[[Any, Any, str], Step | None] | None = None

    def reply(self, level: object, position: Hashable, name: str) -> Step | None:
        """The legal step of that name from a position, None if there is none. Raises Refuted for equal names."""
        if self.step is None:
            return next((step for step in self.replies(level, position) if step.name == name), None)
        return None if self.winner(level, position) is not None else self.step(level, position, name)

    def over(self, level: object, position: Hashable) -> bool:
        """Has the game ended: are there no replies?"""
        return self.winner(level, position) is not None or next(self.steps(level, position), None) is None

    def replies(self, level: object, position: Hashable) -> list[Step]:
        """All legal steps from a position, by name; none if a side has won. Raises Refuted for equal names."""
        if self.winner(level, position) is not None:
            return []
        steps = sorted(self.steps(level, position), key=lambda step: step.name)
        for one, other in pairwise(steps):
            if one.name == other.name:
                raise Refuted(f"two legal moves have the name {one.name}")
        return steps

    def result(self, level: object, position: Hashable) -> int | None:
        """The winner of a position without replies, None for a draw."""
        won = self.winner(level, position)
        return self.stuck.winner(self.turn(level, position)) if won is None else won


Question: TypeAlias = Transition | Constraint | Game


@dataclass(frozen=True)
class Replay:
    """A trace replayed by the plain rules: its positions, one more than moves, and its costs by metric.

    For a constraint there is one position.
    """

    positions: tuple[Hashable, ...]
    costs: Mapping[str, int]


def play(rules: Transition | Game, level: object, moves: Sequence[str], metrics: Sequence[str]) -> Replay:
    """Play the moves from the start of a level, to any last position. Raises Refuted for an illegal move."""
    positions = [rules.start(level)]
    costs = dict.fromkeys(metrics, 0)
    for number, name in enumerate(moves, start=1):
        step = rules.reply(level, positions[-1], name)
        if step is None:
            raise Refuted(f"step {number}: {name} is not a legal move")
        positions.append(step.position)
        for metric in costs:
            costs[metric] += step.costs[metric]
    return Replay(tuple(positions), costs)


def replay(question: Question, level: object, moves: Sequence[str], metrics: Sequence[str]) -> Replay:
    """Replay a solution by the plain rules. A solution of a constraint costs nothing.

    A solution of a game is a play that the side with the first turn wins. Raises Refuted for an illegal move, a
    last position that is not solved, or a position that fails its check.
    """

    if isinstance(question, Constraint):
        position = question.read(level, moves)
        question.check(level, position)
        return Replay((position,), dict.fromkeys(metrics, 0))
    played = play(question, level, moves, metrics)
    end = played.positions[-1]
    if isinstance(question, Game):
        side = question.turn(level, played.positions[0])
        if not question.over(level, end) or question.result(level, end) != side:
            raise Refuted("after the last move the side that begins has not won")
    elif not question.solved(level, end):
        raise Refuted("the position after the last move is not solved")
    elif question.lost is not None:
        for number, position in enumerate(played.positions):
            if question.lost(level, position):
                where = f"after step {number}" if number else "at the start"
                raise Refuted(f"the position {where} is said to be lost, and a solution leads through it")
    return played
