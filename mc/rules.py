"""The plain rules of a puzzle, as functions over its levels: what traces are replayed by.

They are written apart from the encodings, so that code which knows nothing of an encoding confirms what was found
in it. There are two kinds of question. A `Transition` has positions and steps between them: is a solved one
reachable? A `Constraint` has no steps: is there a position that passes its check?
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

from puzzlemc.mc.errors import Refuted


class Step(NamedTuple):
    """A step by the plain rules: the name of the move, the position after it, its costs by metric."""

    name: str
    position: Hashable
    costs: Mapping[str, int]


@dataclass(frozen=True)
class Transition:
    """Positions and steps: where a level starts, all legal steps from a position, and whether one is solved."""

    start: Callable[[Any], Hashable]
    steps: Callable[[Any, Any], Iterator[Step]]
    solved: Callable[[Any, Any], bool]


@dataclass(frozen=True)
class Constraint:
    """A position to be found: `read` makes it of what a trace says, and `check` raises Refuted unless it is right.

    Both raise Refuted, with what is wrong where.
    """

    read: Callable[[Any, Sequence[str]], Hashable]
    check: Callable[[Any, Any], None]


Question: TypeAlias = Transition | Constraint


@dataclass(frozen=True)
class Replay:
    """What the plain rules make of a trace: its positions, one more than moves, and its costs by metric.

    Of a constraint there is one position.
    """

    positions: tuple[Hashable, ...]
    costs: Mapping[str, int]


def play(rules: Transition, level: object, moves: Sequence[str], metrics: Sequence[str]) -> Replay:
    """Play the moves from the start of a level, wherever that leads. Raises Refuted for an illegal one."""
    positions = [rules.start(level)]
    costs = dict.fromkeys(metrics, 0)
    for number, name in enumerate(moves, start=1):
        named = [step for step in rules.steps(level, positions[-1]) if step.name == name]
        if len(named) != 1:
            raise Refuted(f"step {number}: {name} is not a legal move")
        positions.append(named[0].position)
        for metric in costs:
            costs[metric] += named[0].costs[metric]
    return Replay(tuple(positions), costs)


def replay(question: Question, level: object, moves: Sequence[str], metrics: Sequence[str]) -> Replay:
    """Confirm a solution by the plain rules; a constraint costs nothing.

    Raises Refuted for an illegal move, an end that is not solved, or a position that does not pass its check.
    """
    if isinstance(question, Constraint):
        position = question.read(level, moves)
        question.check(level, position)
        return Replay((position,), dict.fromkeys(metrics, 0))
    played = play(question, level, moves, metrics)
    if not question.solved(level, played.positions[-1]):
        raise Refuted("the position after the last move is not solved")
    return played
