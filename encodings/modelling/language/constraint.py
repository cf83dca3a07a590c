"""The plain rules of constraints, which ask for values that make the goal true.

Its author says that a system is one: another system may have no actions because nothing can move. A solution is
a value for each variable. The steps that construct it give values to the variables in their order; a
condition of the goal that is false as soon as its variables have values makes such a step illegal. The values that
variables of other systems have at the start play no role.
"""

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import suppress
from enum import Enum
from functools import lru_cache
from typing import Any

from puzzlemc.encodings.modelling.language.evaluation import Evaluation, Position
from puzzlemc.encodings.modelling.language.expressions import Expression, Junction, Variable
from puzzlemc.encodings.modelling.language.system import System, is_place
from puzzlemc.encodings.puzzle.text import END
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.rules.alone import MOVE
from puzzlemc.mc.rules.plain import Constraint, Step, Transition


class Unset(Enum):
    """The value of a variable that has none yet."""

    UNSET = "?"

    def __str__(self) -> str:
        return self.value

    __repr__ = __str__


UNSET = Unset.UNSET
Built = Callable[[Any], Evaluation]


def blank(evaluation: Evaluation) -> Evaluation:
    """A constraint whose variables have no values yet."""
    return evaluation.starting_at((UNSET,) * len(evaluation.system.variables))


def constraint(built: Built) -> Callable[[Any], Constraint | None]:
    """The constraint that a level is; None for a level of moves."""

    def read(level: Any, moves: Sequence[str]) -> Position:
        evaluation = built(level)
        found, open_ = list(evaluation.start), _open(evaluation)
        if len(moves) != len(open_):
            raise Refuted(f"found {len(moves)} values, expected {len(open_)}")
        for variable, move in zip(open_, moves, strict=True):
            if move not in (named := moves_of(variable)):
                raise Refuted(f"found {move[:80]!r}, expected a value of {variable.name}, as {next(iter(named))}")
            found[variable.number] = named[move]
        return tuple(found)

    def check(level: Any, position: Position) -> None:
        evaluation = built(level)
        for condition in conditions(evaluation.system):
            if not evaluation.holds(condition, position):
                raise Refuted(f"this condition does not hold: {condition!r}")

    return lambda level: Constraint(read, check) if built(level).system.is_constraint else None


def assigning(built: Built, metrics: Sequence[str]) -> Transition:
    """The plain rules that give values to the variables of a constraint, one after the other."""
    costs = dict.fromkeys(metrics, 0)

    def steps(level: Any, position: Position) -> Iterator[Step]:
        evaluation = built(level)
        if UNSET not in position:
            return
        number = position.index(UNSET)
        for name, value in moves_of(evaluation.system.variables[number]).items():
            after = (*position[:number], value, *position[number + 1 :])
            if all(_may_hold(evaluation, each, after) for each in checked_after(evaluation, number)):
                yield Step(name, after, costs)

    def solved(level: Any, position: Position) -> bool:
        evaluation = built(level)
        return UNSET not in position and evaluation.holds(evaluation.system.goal, position)

    return Transition(lambda level: built(level).start, steps, solved)


def conditions(system: System) -> Sequence[Expression]:
    """The conditions of a goal, all of which must hold."""
    goal = system.goal
    return goal.parts if isinstance(goal, Junction) and goal.is_conjunction else (goal,)


def checked_after(evaluation: Evaluation, number: int) -> list[Expression]:
    """The conditions of which the last variable that gets a value is the one of that number."""
    start = evaluation.start
    return [
        each
        for each in conditions(evaluation.system)
        if number in each.reads and all(n <= number or start[n] is not UNSET for n in each.reads)
    ]


@lru_cache(maxsize=1 << 14)
def moves_of(variable: Variable) -> dict[str, Hashable]:
    """The moves that give a value to a variable: `name=value`, with rows and columns from 1."""
    words = [_word(value) for value in variable.domain]
    if len(set(words)) < len(words) or not all(MOVE.fullmatch(f"{variable.name}={word}") for word in words):
        named = enumerate(variable.domain, start=1)
        words = [f"{value!r}:{number}".replace(END, ",") for number, value in named]
    return {f"{variable.name}={word}": value for word, value in zip(words, variable.domain, strict=True)}


def _word(value: Hashable) -> str:
    return f"({value[0] + 1},{value[1] + 1})" if is_place(value) else str(value)


def _open(evaluation: Evaluation) -> list[Variable]:
    """The variables without a value, in order."""
    pairs = zip(evaluation.system.variables, evaluation.start, strict=True)
    return [variable for variable, value in pairs if value is UNSET]


def _may_hold(evaluation: Evaluation, condition: Expression, position: Position) -> bool:
    """Is a condition true, or without a truth value, which an earlier condition may keep from being asked for?"""
    with suppress(ModelError):
        return evaluation.holds(condition, position)
    return True
