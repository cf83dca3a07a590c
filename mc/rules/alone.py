"""Plain rules as an author writes them: three functions, whose moves are pairs of a name and a position.

Searches call the functions themselves, which is fast, and do not look at all that these return. `checked_steps`
does: a mistake of the author is a ModelError that names the function, its file and the position.
"""

import re
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Integral
from typing import Any

from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.rules.plain import Step

SOLVED, LOST = "solved", "lost"
MOST_COST = 1 << 30  # of a move
EXPECTED = "(name, position) or (name, position, cost)"
MOVE = re.compile(r"[^;\s]([^;\n\r]*[^;\s])?")  # the name of a move, which semicolons and line breaks separate
NAMED = "a text without semicolons, line breaks, and blanks at its ends"
MOST_SHOWN = 200  # characters of a value in a message


@dataclass(frozen=True)
class Rules:
    """The rules of a puzzle, as functions of a level and of a position, which is any hashable value.

    start   the first position of a level
    moves   the moves from a position: pairs of a name and the position after the move; a third item is the cost,
            a number or a number for each metric, and 1 if there is none
    solved  is a position solved?
    lost    does it hold only in positions from which no solved one can be reached? A promise of the author, which
            is the atom `lost`, and changes no answer
    facts   name of an atom -> does it hold in a position?
    """

    start: Callable[[Any], Hashable]
    moves: Callable[[Any, Any], Iterable[Sequence[Any]]]
    solved: Callable[[Any, Any], bool]
    lost: Callable[[Any, Any], bool] | None = None
    facts: Mapping[str, Callable[[Any, Any], bool]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Raise ModelError for what is no function of these values."""
        if not isinstance(self.facts, Mapping):
            raise ModelError(f"facts: found {shown(self.facts)}, expected a mapping, as {{'empty': function}}")
        if wrong := {SOLVED, LOST} & self.facts.keys():
            raise ModelError(f"facts: found {wrong.pop()!r}, expected another name: formulas know this one")
        _check_function("start", self.start, "level")
        functions = {"moves": self.moves, "solved": self.solved, **self.atoms}
        for name, function in functions.items():
            _check_function(name, function, "level", "position")

    @property
    def atoms(self) -> Mapping[str, Callable[[Any, Any], bool]]:
        """The atoms but *solved*: those of `facts`, and `lost` if the author says so."""
        return self.facts if self.lost is None else {LOST: self.lost, **self.facts}


def _check_function(name: str, function: object, *given: str) -> None:
    """Raise ModelError for what cannot be called with these values."""
    from inspect import signature

    expected = f"expected a function of {' and '.join(given)}"
    if not callable(function):
        raise ModelError(f"{name}: found {shown(function)}, {expected}")
    try:
        found = signature(function)
        found.bind(*given)
    except ValueError:  # nothing is known of its parameters
        return
    except TypeError:
        raise ModelError(f"{place_of(function)}: found parameters {found}, {expected}") from None


def checked_start(rules: Rules, level: Any) -> Hashable:
    """The first position. Raises ModelError if it is not hashable."""
    found = rules.start(level)
    _check_hashable(rules.start, found)
    return found


def checked_truth(function: Callable[[Any, Any], bool], level: Any, position: Any) -> bool:
    """What `solved` or a fact says of a position. Raises ModelError if that is no truth value."""
    found: object = function(level, position)
    if found is True or found is False:
        return found
    if isinstance(found, Integral) or type(found).__name__ in ("bool", "bool_"):  # 0 and 1, and those of numpy
        return bool(found)
    raise _fault(function, f"found {shown(found)}, expected True or False", position)


def checked_steps(rules: Rules, metrics: Sequence[str], level: Any, position: Any) -> list[Step]:
    """The steps from a position. Raises ModelError for what is no move, and for two moves of one name."""
    found: object = rules.moves(level, position)
    if isinstance(found, str | Mapping) or not isinstance(found, Iterable):
        raise _fault(rules.moves, f"found {shown(found)}, expected moves, each {EXPECTED}", position)
    steps: dict[str, Step] = {}
    for move in found:
        if not isinstance(move, tuple | list) or len(move) not in (2, 3):
            raise _fault(rules.moves, f"found the move {shown(move)}, expected {EXPECTED}", position)
        name, after = move[:2]
        if not isinstance(name, str) or not MOVE.fullmatch(name):
            raise _fault(rules.moves, f"found {shown(name)} as the name of a move, expected {NAMED}", position)
        if name in steps:
            raise _fault(rules.moves, f"found two moves called {name!r}, expected a name for each", position)
        costs = costs_of(move[2] if len(move) > 2 else 1, metrics)
        if costs is None:
            message = f"{name}: found the cost {shown(move[2])}, expected {_costs(metrics)}"
            raise _fault(rules.moves, message, position)
        _check_hashable(rules.moves, after, position)
        steps[name] = Step(name, after, costs)
    return list(steps.values())


def costs_of(given: object, metrics: Sequence[str]) -> Mapping[str, int] | None:
    """The cost of a move by metric; None if it is neither a number nor a number for each metric."""
    if type(given) is int and 0 <= given <= MOST_COST:
        return dict.fromkeys(metrics, given)
    each = given if isinstance(given, Mapping) else dict.fromkeys(metrics, given)
    if each.keys() != set(metrics):
        return None
    costs = {metric: int(cost) for metric in metrics if isinstance(cost := each[metric], Integral)}
    return costs if len(costs) == len(metrics) and all(0 <= cost <= MOST_COST for cost in costs.values()) else None


def shown(value: object) -> str:
    """A value for a message: long ones are cut."""
    text = repr(value)
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def place_of(function: Callable[..., Any]) -> str:
    """The file, line and name of a function of the author, as in `jugs.py:12: moves`."""
    code = getattr(function, "__code__", None)
    name = str(getattr(function, "__name__", function))
    return name if code is None else f"{code.co_filename}:{code.co_firstlineno}: {name}"


def _costs(metrics: Sequence[str]) -> str:
    each = ", ".join(f"{metric!r}: number" for metric in metrics)
    return f"a whole number from 0 on, or {{{each}}}"


def _check_hashable(function: Callable[..., Any], found: object, position: object = None) -> None:
    try:
        hash(found)
    except TypeError as error:
        message = f"found a position of {error}, expected tuples and frozensets"
        raise _fault(function, message, position) from None


def _fault(function: Callable[..., Any], message: str, position: object) -> ModelError:
    """The error of a function in a position; None: in no position yet."""
    where = "" if position is None else f" in position {shown(position)}"
    return ModelError(f"{place_of(function)}: {message}{where}")
