"""The arguments of each tool: their JSON schemas are made from these types, and each call is checked by them.

The docstring of a type is the description of its tool. Assistants read it, so it says when to use the tool.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from puzzlemc.reports.suggest.request import MOST_EDITS

MOST_TEXT = 1 << 18  # characters of a text in a call
MOST_NAME = 1 << 12  # characters of a path
MOST_NUMBER = 100_000  # of a level in its file
MOST_SIDE = 100  # rows or columns of a level to generate
MOST_LEVELS = 20  # to generate, or to suggest, in one call
MOST_OPTION = 10_000

Text = Annotated[str, Meta(max_length=MOST_TEXT)]
Word = Annotated[str, Meta(max_length=200)]
Metric = Annotated[
    str,
    Meta(
        max_length=200,
        description="What a solution costs, such as pushes or moves; any: the first solution found. "
        "Without it, the first metric of the puzzle.",
    ),
]
PuzzleName = Annotated[
    str,
    Meta(max_length=200, description="The name of the puzzle. Without it, the level shows it."),
]


class Asked(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What each call may say."""

    timeout: (
        Annotated[
            float, Meta(gt=0, description="Seconds until the call ends. Without it, the server's usual limit.")
        ]
        | None
    ) = None


class OfLevel(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A call about one level: its text, or a file with it."""

    text: (
        Annotated[
            str,
            Meta(
                max_length=MOST_TEXT,
                description="The level as text, in the format of its puzzle (see the resources). "
                "Give either this or file.",
            ),
        ]
        | None
    ) = None
    file: (
        Annotated[
            str,
            Meta(
                max_length=MOST_NAME,
                description="A file of levels, by its path from a folder that the server may read.",
            ),
        ]
        | None
    ) = None
    number: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=MOST_NUMBER,
                description="Which level of the text or file, from 1; needed if it has several.",
            ),
        ]
        | None
    ) = None
    puzzle: PuzzleName | None = None


class ListLevels(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """List the files of levels that this server may read; or, with a file, the levels in it, with their texts."""

    file: (
        Annotated[
            str, Meta(max_length=MOST_NAME, description="A file of levels. Without it, the files are listed.")
        ]
        | None
    ) = None
    puzzle: PuzzleName | None = None


class Check(OfLevel, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Is a level solvable, and at what least cost? Without the solution itself.

    The verdict is solvable, unsolvable, or unknown if a limit came first. Solvable and unsolvable are proved,
    never guessed. Use this before you tell a person that a level can be solved.
    """

    metric: Metric | None = None
    chance: (
        Annotated[
            Literal["lucky", "surely", "almost", "probability"],
            Meta(description="Of a game with chance: lucky: some outcome wins; surely: a strategy always wins."),
        ]
        | None
    ) = None
    certify: Annotated[
        bool, Meta(description="Also write a proof of the verdict, and check it by code apart from the search.")
    ] = False


class Solve(Check, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Find a cheapest solution of a level, or prove that there is none.

    The solution was replayed by the plain rules. Where moves are letters, those in upper case are pushes.
    """


class Explain(OfLevel, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why is a level unsolvable? The smallest part of it that has no solution already: the core.

    For example, which boxes cannot all reach goals, whatever is done with the others. Everything outside of the
    core may stay; a repair must touch the core.
    """


class Suggest(OfLevel, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Find the smallest changes of a level that reach a wish; each changed level is solved and replayed.

    Use it to repair an unsolvable level, to make a level unique, harder, longer or shorter, or to close shortcuts.
    """

    want: Annotated[
        Text,
        Meta(
            description="solvable; unique; harder; longer or longer=N; shorter or shorter=N; lean; "
            "intended=MOVES: no solution is cheaper than these; only=MOVES: no other one is as cheap; "
            "through=ROW,COL: every solution passes there."
        ),
    ] = "solvable"
    edits: Annotated[
        list[Word],
        Meta(
            max_length=50, description="The kinds of edits that may be made, such as walls. None: the usual ones."
        ),
    ] = []
    keep: Annotated[
        list[tuple[Annotated[int, Meta(ge=1)], Annotated[int, Meta(ge=1)]]],
        Meta(max_length=10_000, description="Cells that must stay as they are: row and column, from 1."),
    ] = []
    most: Annotated[int, Meta(ge=1, le=MOST_EDITS, description="The most edits in one change.")] = 3
    by: Annotated[Literal["changes", "pushes", "lost"], Meta(description="What harder goes by.")] = "changes"
    count: Annotated[int, Meta(ge=1, le=MOST_LEVELS, description="The most suggestions.")] = 5


class Replay(OfLevel, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Judge a given solution: is each move legal, does it solve the level, how far is it from the best one?

    If the level is not solved at the end, it says which move lost it, with a proof that no solution exists after
    it.
    """

    solution: Annotated[
        str,
        Meta(
            max_length=MOST_TEXT,
            description="The moves, as solve writes them; 3r2U is allowed, too.",
        ),
    ]
    metric: Metric | None = None


class Count(OfLevel, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How many solutions does a level have?

    All solutions are counted where the puzzle can do that, otherwise the cheapest ones.
    """


class Generate(Asked, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Make new levels with a proved answer. The same seed gives the same levels."""

    puzzle: Annotated[
        str, Meta(max_length=200, description="The puzzle; its resource lists the options that it has.")
    ]
    rows: Annotated[int, Meta(ge=1, le=MOST_SIDE)] | None = None
    columns: Annotated[int, Meta(ge=1, le=MOST_SIDE)] | None = None
    count: Annotated[int, Meta(ge=1, le=MOST_LEVELS)] = 1
    seed: Annotated[int, Meta(ge=0, le=2**53)] = 0
    unique: Annotated[bool, Meta(description="Each level has exactly one solution, or one cheapest solution.")] = (
        False
    )
    unsolvable: Annotated[bool, Meta(description="Levels that look solvable, with a proof that they are not.")] = (
        False
    )
    want: Annotated[
        list[Word], Meta(max_length=4, description="Wishes: unique, harder, longer=N or shorter=N.")
    ] = []
    options: Annotated[
        dict[Word, Annotated[int, Meta(ge=0, le=MOST_OPTION)]],
        Meta(max_length=20, description="Numbers that this puzzle has, such as boxes or min_pushes."),
    ] = {}


class Render(OfLevel, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Draw a level as a picture, at its start or after some moves."""

    moves: Annotated[
        str, Meta(max_length=MOST_TEXT, description="Moves to play first, all of them legal; empty: the start.")
    ] = ""
