"""What a page may ask. Every field has a limit; a message that exceeds one is refused before anything reads it."""

from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta

from puzzlemc.reports.documents.edits import MOST_CHARACTERS
from puzzlemc.reports.documents.files import Form

MOST_BYTES = 1 << 18  # of a message
MOST_TEXT = 100_000  # characters of a level
MOST_MOVES = 20_000
MOST_KNOWN = 2000  # verdicts and pictures that a page says it has

Number: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 50)]
Small: TypeAlias = Annotated[int, Meta(ge=0, le=1000)]
Name: TypeAlias = Annotated[str, Meta(max_length=64)]
Text: TypeAlias = Annotated[str, Meta(max_length=MOST_TEXT)]
Coordinate: TypeAlias = Annotated[int, Meta(ge=-1, le=10_000)]
Moves: TypeAlias = Annotated[list[Annotated[str, Meta(max_length=200)]], Meta(max_length=MOST_MOVES)]


class _Question(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="ask"):
    """A question; the page numbers its questions, and drops answers to old ones."""

    n: Number


class Judge(_Question, frozen=True, tag="judge"):
    """Is a level of a text solvable, why not, and how hard is it?"""

    puzzle: Name
    text: Text
    metric: Name | None = None
    level: Number = 0


class Open(_Question, frozen=True, tag="open"):
    """A text that was pasted or dropped, as a level to draw on; `puzzle` is empty if it is not known."""

    puzzle: Name
    text: Text


class Play(_Question, frozen=True, tag="play"):
    """The position of a level after moves; then the effect of a key, or of a pointer.

    pointer  row and column where it was pressed, row and column where it was released
    moves    from the start
    keys     since the last move
    advice   is the position solvable, and what is the next move?
    board    the page needs the board of the picture
    explore  each legal move, with the distance to the goal behind it
    graph    the graph of all positions as a drawing, too
    node     play to this node of the drawing instead
    choices  what the steps of the line were chosen from: the line is the moves, and those of `line` after them
    bot      plays the next move of a game of two sides
    prove    who wins the game from here?
    record   the page does not know the record of the level yet
    own      moves that solve the level are the player's own: the record counts them
    """

    puzzle: Name
    text: Text
    moves: Moves
    level: Number = 0
    keys: Moves = []
    pointer: tuple[Coordinate, Coordinate, Coordinate, Coordinate] | None = None
    advice: bool = True
    board: bool = False
    explore: bool = False
    graph: bool = False
    node: Number | None = None
    choices: bool = False
    line: Moves = []
    bot: Name = ""
    prove: bool = False
    record: bool = False
    own: bool = False


class Solution(_Question, frozen=True, tag="solution"):
    """Is a solution as text right? Without a text: how are moves written as text?"""

    puzzle: Name
    text: Text
    solution: Text = ""
    moves: Moves = []
    level: Number = 0


class Glance(_Question, frozen=True, tag="glance"):
    """The picture of a level, and a verdict that takes little time; for the lists of levels.

    solve  a verdict is wanted, not the picture alone
    keep   send the result and the identity of the level, too, for a store
    """

    puzzle: Name
    text: Text
    level: Number = 0
    solve: bool = True
    keep: bool = False


class Review(_Question, frozen=True, tag="review"):
    """The pictures and verdicts of all levels of a text, such as that of a game whose rules have changed.

    known  the keys of verdicts, and the digests of pictures, that the page has
    first  the number of the level to begin with: those in sight
    """

    puzzle: Name
    text: Text
    known: Annotated[list[Name], Meta(max_length=MOST_KNOWN)] = []
    first: Number = 0


class Make(_Question, frozen=True, tag="make"):
    """A file about a level: its certificate, its report, its best layout for the game it is of, an export, or a
    page that plays.

    `to` is the format of an export, and `bound` is a number of steps, which DIMACS needs.
    """

    puzzle: Name
    text: Text
    what: Literal["certificate", "report", "blueprint", "export", "page"]
    level: Number = 0
    to: Annotated[str, Meta(max_length=40)] = ""
    bound: Annotated[int, Meta(ge=0, le=1000)] = 0


class Another(_Question, frozen=True, tag="another"):
    """Levels like this one, to choose from.

    cost           the wanted one
    unique         they have exactly one cheapest solution
    changes        how often a solution turns to another object, at least; for a generator that counts this
    objects, rows, columns   for the generator of the puzzle; 0: as many as this level has
    """

    puzzle: Name
    text: Text
    level: Number = 0
    cost: Number | None = None
    seed: Number = 0
    unique: bool = False
    objects: Small = 0
    rows: Small = 0
    columns: Small = 0
    changes: Small = 0


class Suggest(_Question, frozen=True, tag="suggest"):
    """Which changes of a level reach a wish?

    want   the wish, as `puzzlemc suggest --want` takes it
    quick  only what takes a moment is wanted
    edit   the kind of edits that may be made; empty: those that are usual
    """

    puzzle: Name
    text: Text
    want: Annotated[str, Meta(max_length=MOST_MOVES)]
    level: Number = 0
    quick: bool = False
    edit: Name = ""


class Verify(_Question, frozen=True, tag="verify"):
    """Is the certificate in this file valid? Only the server asks it, for a certificate that was uploaded."""

    path: str


class Ask(_Question, frozen=True, tag="ask"):
    """Does a formula hold?"""

    puzzle: Name
    text: Text
    formula: Annotated[str, Meta(max_length=2000)]
    level: Number = 0


class Save(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Write a document with the form of its file; `was` tells whether the file is as the page knows it."""

    text: Annotated[str, Meta(max_length=MOST_CHARACTERS)]
    form: Form = Form()
    was: Name = ""


class Stop(_Question, frozen=True, tag="stop"):
    """End the question with this number; what has been answered so far stays on the page."""


class Compare(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is different in two documents?"""

    one: Annotated[str, Meta(max_length=MOST_CHARACTERS)]
    other: Annotated[str, Meta(max_length=MOST_CHARACTERS)]


Asked: TypeAlias = Judge | Open | Play | Solution | Review | Make | Another | Ask | Suggest
Question: TypeAlias = Asked | Glance | Verify
_decoder: msgspec.json.Decoder[Asked | Stop] = msgspec.json.Decoder(Asked | Stop)


def read(message: str | bytes) -> Asked | Stop:
    """The question in a message, or the end of one. Raises msgspec.MsgspecError or ValueError."""
    return _decoder.decode(message)
