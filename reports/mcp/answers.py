"""The structured results of the tools: their JSON schemas are made from these types.

Costs are by metric. A field is null where nothing is known, or where the puzzle has no such thing.
"""

from typing import Annotated, Any

from msgspec import Meta, Struct

Moves = Annotated[str | list[str], Meta(description="The moves: one text where each is a letter, or a list.")]


class LevelFile(Struct, frozen=True):
    """A file of levels."""

    file: str


class ListedLevel(Struct, frozen=True):
    """A level of a file; `fault` says why it cannot be read."""

    number: int
    title: str
    puzzle: str | None
    text: str | None
    fault: str | None


class Levels(Struct, frozen=True):
    """The files of levels, or the levels of one file; `more`: the list was cut."""

    files: list[LevelFile]
    levels: list[ListedLevel]
    more: bool


class Verdict(Struct, frozen=True, kw_only=True):
    """What was proved of a level.

    `bound`: no solution costs less. `reason`: the limit that came first, or why there is no solution. `checked`:
    the plain rules replayed the solution; with a certificate, code apart from the search has checked the proof.
    """

    id: str
    title: str
    puzzle: str
    verdict: Annotated[str, Meta(pattern="^(solvable|unsolvable|unknown)$")]
    metric: str | None
    cost: int | None
    costs: dict[str, int | None]
    optimal: bool | None
    bound: int | None
    reason: str | None
    note: str | None
    checked: bool
    engine: str | None
    seconds: float
    certificate: (
        Annotated[int, Meta(description="Bytes of the certificate that was written and checked.")] | None
    ) = None


class Solution(Verdict, frozen=True, kw_only=True):
    """A verdict with the solution; of a game of two sides `game`, of a level with chance `strategy` says more."""

    trace: Moves | None
    game: dict[str, Any] | None = None
    strategy: Any = None


class Core(Struct, frozen=True, kw_only=True):
    """The part of a level that already has no solution.

    `smallest`: every part with fewer objects is feasible. `minimal`: no object can be left out. `checked`: its
    proof was checked. `drawing`: the part as text.
    """

    kind: str
    objects: list[str]
    of: int
    words: str
    scope: str
    smallest: bool
    minimal: bool
    checked: bool
    reason: str | None
    drawing: str


class Explanation(Verdict, frozen=True, kw_only=True):
    """A verdict with its core; null if the level is not unsolvable, or if no core was found within the limits."""

    core: Core | None


class Edit(Struct, frozen=True):
    """A change of a level; cells are row and column, from 1."""

    kind: str
    words: str
    cells: list[tuple[int, int]]


class Suggestion(Struct, frozen=True, kw_only=True):
    """A changed level, with its verdict.

    `best`: no change with as many edits does better, or no smaller one helps.
    """

    edits: list[Edit]
    level: str
    best: bool
    before: dict[str, Any]
    after: dict[str, Any]
    verdict: str
    metric: str | None
    cost: int | None
    optimal: bool | None
    trace: Moves | None
    checked: bool


class Suggestions(Struct, frozen=True, kw_only=True):
    """The answer to a wish. `reached`: the level does it already. `least`: every change that reaches it has at
    least this number of edits. `words`: what was proved, and what is not known.
    """

    want: str
    verdict: str
    cost: int | None
    reached: bool
    least: int
    total: int | None
    reason: str | None
    words: list[str]
    suggestions: list[Suggestion]


class LostBy(Struct, frozen=True, kw_only=True):
    """Which move lost a level: its number, from 1; 0: lost from the start. Null: not lost, or not known."""

    move: int | None
    name: str | None
    proved: bool
    reason: str | None


class Replayed(Struct, frozen=True, kw_only=True):
    """What a given solution does. `status` is solves, unsolved, lost or invalid; `words` say it in a sentence.

    `best`: the least cost of any solution. `above`: how much more this one costs. `fault`: the illegal move.
    """

    status: str
    words: str
    fault: str | None
    length: int
    costs: dict[str, int]
    metric: str | None
    best: int | None
    bound: int | None
    above: int | None
    lost: LostBy | None
    drawing: str | None


class Counted(Struct, frozen=True, kw_only=True):
    """The number of solutions; `what` says which are counted and when two are one. Null: a limit came first."""

    puzzle: str
    what: str
    solutions: int | None
    numbers: dict[str, float]
    reason: str | None


class Generated(Struct, frozen=True):
    """A generated level: its title says what was proved of it."""

    title: str
    text: str


class GeneratedLevels(Struct, frozen=True):
    """The generated levels; `reason`: why they are fewer than was asked."""

    puzzle: str
    levels: list[Generated]
    reason: str | None


class Rendered(Struct, frozen=True, kw_only=True):
    """The position as text; the picture itself is an image beside this result."""

    puzzle: str
    title: str
    drawing: str
    moves: int
    solved: bool
    width: Annotated[int, Meta(description="Of the picture, in pixels.")]
    height: int
