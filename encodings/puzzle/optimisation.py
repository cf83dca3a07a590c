"""The capability to optimise solutions whose quality is not a sum of the costs of moves."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from puzzlemc.mc.limits import Budget


@dataclass(frozen=True)
class BestSolution:
    """The best solution of a level that was found.

    moves     of the solution; None if none was found
    complete  True if it is proved that no solution is better, or that there is no solution
    engine    name of the algorithm that found it
    words     its quality, for people
    measures  its quality, for programs: fields of a JSON object
    reason    why the search is not complete, for example the limit that ended it
    """

    moves: Sequence[str] | None
    complete: bool
    engine: str
    words: str = ""
    measures: Mapping[str, object] = field(default_factory=dict)
    reason: str | None = None


@dataclass(frozen=True)
class Assessment:
    """The result of checking a finished position that a user gives as text. Without `faults` it is valid.

    faults    violations of the plain rules, for people
    words     its quality, for people
    measures  its quality, for programs: fields of a JSON object
    drawing   the position as text
    reason    the limit that ended the check early; None if the check is complete
    """

    faults: tuple[str, ...]
    words: str
    measures: Mapping[str, object]
    drawing: str = ""
    reason: str | None = None


@dataclass(frozen=True)
class Optimisation:
    """How solutions are optimised and assessed.

    search    the best solution of a level. The callback receives each solution that is better than those before
    assess    checks the position in a text, which has a source name, by the plain rules. Raises LevelError
    simulate  checks the same text over time, which may take long
    """

    search: Callable[[Any, Budget, Callable[[BestSolution], None]], BestSolution]
    assess: Callable[[Any, str, str], Assessment] | None = None
    simulate: Callable[[Any, str, str, Budget], Assessment] | None = None
