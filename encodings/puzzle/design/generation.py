"""The capability to generate levels: one random level for each seed, or a series of levels with known cost."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from puzzlemc.mc.limits import Budget


@dataclass(frozen=True)
class NumberOption:
    """An option of `generate` that takes a whole number, and that only some puzzles have.

    name          without the dashes: `boxes`
    help          a sentence for people
    default       the number if the option is absent; None if it is computed
    default_text  how the help describes a computed default
    """

    name: str
    help: str
    default: int | None = None
    default_text: str = ""


@dataclass(frozen=True)
class GenerationRequest:
    """Which levels a series has.

    width, height  of the board, with its walls
    objects        number of objects on the board
    least          the least cost of a solution; for unsolvable levels, the least cost of the farthest position
    seed           number from which all random choices derive
    unique         True for levels with exactly one cheapest solution, as the puzzle counts solutions
    unsolvable     True for levels without a solution
    measured       True if each candidate needs all its measures
    most           the greatest least cost of a solution; None for any
    changes        the least number of times that a cheapest solution turns to another object
    one_set        True for levels whose cheapest solutions have the same steps, at most in another order
    harder         True if such changes count more than the cost, of several levels to choose from
    """

    width: int
    height: int
    objects: int
    least: int = 1
    seed: int = 0
    unique: bool = False
    unsolvable: bool = False
    measured: bool = False
    most: int | None = None
    changes: int = 0
    harder: bool = False
    one_set: bool = False

    @property
    def is_plain(self) -> bool:
        """Is nothing asked of the solution but its least cost, and that there is no other?"""
        return self.most is None and not self.changes and not self.harder and not self.one_set


@dataclass(frozen=True)
class Candidate:
    """A generated level.

    key       a text that equivalent levels share; a series contains one level for each key
    cost      the least cost of a solution under the puzzle's first metric; None for an unsolvable level
    measures  its properties, for programs: fields of a JSON object
    """

    level: Any
    key: str
    cost: int | None
    measures: Mapping[str, object]


@dataclass(frozen=True)
class Generator:
    """Generates a series of levels whose cost an engine can confirm.

    size     default rows and columns
    check    raises ModelError if no level can satisfy a request
    draw     the level with a number in the series, None if the random draw failed. It depends only on the request
             and the number. Raises LimitReached
    titled   a level with a title, as text
    """

    size: tuple[int, int]
    check: Callable[[GenerationRequest], None]
    draw: Callable[[GenerationRequest, int, Budget], Candidate | None]
    titled: Callable[[Any, str], str]


@dataclass(frozen=True)
class SeriesGeneration:
    """Levels are generated in a series.

    load              imports the generator, which may load compiled code
    objects           the option for the number of objects
    least             the option for the least cost
    least_per_object  the default of the least cost is this times the number of objects
    changes           the option for how often a solution turns to another object; None: it is not counted
    """

    load: Callable[[], Generator]
    objects: NumberOption
    least: NumberOption
    least_per_object: int
    changes: NumberOption | None = None

    @property
    def options(self) -> tuple[NumberOption, ...]:
        """The options that the puzzle adds to the command."""
        return (self.objects, self.least, *([] if self.changes is None else [self.changes]))


@dataclass(frozen=True)
class SingleGeneration:
    """A level is generated for each seed.

    draw     of rows, columns, number of objects, seed and budget: a level, and the number of its solutions or a
             description of its best solution; None if a limit ended the count. `unique=True` asks for exactly one
             solution; `drawn` receives each level before its solutions are counted. Raises ModelError and
             LimitReached
    objects  the option for the number of objects
    """

    draw: Callable[..., tuple[Any, int | str | None]]
    objects: NumberOption

    @property
    def options(self) -> tuple[NumberOption, ...]:
        """The options that the puzzle adds to the command."""
        return (self.objects,)


Generation: TypeAlias = SeriesGeneration | SingleGeneration
