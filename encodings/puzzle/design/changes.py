"""The capability to change levels: single edits, and a search for the smallest sets of edits that repair a level.

An edit is the smallest change that a designer would count as one: a wall is taken away, a box stands elsewhere.
A repair is a set of edits after which an unsolvable level is solvable.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from puzzlemc.encodings.puzzle.design.measures import Number
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.proofs.closed import ClosedPositions

Cell: TypeAlias = tuple[int, int]  # row and column, from 0
LazyPositions: TypeAlias = Callable[[], ClosedPositions]


@dataclass(frozen=True)
class Edit:
    """An edit.

    kind   what is changed: a word of `Changes.kinds`
    words  what is done, for people: `the box in row 3, column 4 goes to row 3, column 6`
    cells  the places that look different afterwards
    moves  the objects of the level, as cores name them, that go elsewhere or change; None: cores say nothing of it
    takes  the objects that vanish
    border the number of its cells in the outermost rows and columns, which mostly keep things on the board
    """

    kind: str
    words: str
    cells: tuple[Cell, ...]
    moves: tuple[str, ...] | None = None
    takes: tuple[str, ...] = ()
    border: int = 0


@dataclass(frozen=True)
class Change:
    """A changed level, and the edits that lead to it."""

    level: Any
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Allowed:
    """Which edits may be made.

    kinds  the kinds of edits
    keep   cells that must look as they do
    most   the most edits in one change
    """

    kinds: frozenset[str]
    keep: frozenset[Cell] = frozenset()
    most: int = 3


@dataclass(frozen=True)
class Core:
    """A proof that many sets of edits do not repair a level: all those that touch only freed objects.

    kept     the objects that stay as they are, by name
    freed    the objects that may be anything; no object is in both
    needed   what the objects would have to do, as a number: how many of them, say, are where they must be
    proof    that they cannot; or a function, of a module so that it can be pickled, that makes the proof when it
             is written
    placed   freed objects that may stand anywhere, but stay: the core is about sets of edits that remove none
    removed  freed objects that are gone: the core is about sets of edits that remove all of them
    """

    kept: tuple[str, ...]
    freed: tuple[str, ...]
    needed: int
    proof: ClosedPositions | LazyPositions | None
    placed: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def covers(self, edit: Edit) -> bool:
        """Does the core show that this edit alone is no repair?"""
        if edit.moves is None:
            return False
        return (
            {*edit.moves, *edit.takes} <= set(self.freed)
            and not set(edit.takes) & set(self.placed)
            and set(self.removed) <= set(edit.takes)
        )


@dataclass(frozen=True)
class Repairs:
    """The smallest repairs of an unsolvable level.

    changes   repairs of the smallest number of edits that was found, which is 0 for a level that is solvable as it
              is; empty if none was found
    least     every repair has at least this number of edits
    complete  are these all repairs with this number of edits?
    tried     the number of searches that it took
    cores     proofs that no repair has fewer than `least` edits; empty if the edits were tried one by one
    reason    the limit that came first; None if none did
    """

    changes: tuple[Change, ...]
    least: int
    complete: bool
    tried: int
    cores: tuple[Core, ...] = ()
    reason: str | None = None


Numbers: TypeAlias = Callable[[Any, Budget, Collection[str]], Mapping[str, Number] | None]


@dataclass(frozen=True)
class Closing:
    """Cells of a level that can be closed, so that nothing comes to them.

    A level with closed cells has exactly the solutions of the level that use none of the cells.

    cells     the cells that can be closed, each by itself
    walls     the closed cells that can be opened, in any number
    change    the level with these cells closed, and these walls opened; None if something would be cut off
    avoiding  a level whose solutions are those that use none of these cells; None if there is none
    used      the cells that a solution uses
    idle      of a level and a solution: for each object that the solution leaves where it is, and that may as well
              be a closed cell, the level in which it is one. No solution becomes cheaper
    another   of a level and a solution of the least cost: a solution of that cost with other steps, not with the
              same ones in another order; None if there is none. Steps that cost nothing do not count. It raises
              LimitReached
    objects   what `idle` is about, in the plural
    """

    cells: Callable[[Any], Sequence[Cell]]
    walls: Callable[[Any], Sequence[Cell]]
    change: Callable[[Any, frozenset[Cell], frozenset[Cell]], Change | None]
    avoiding: Callable[[Any, frozenset[Cell]], Any | None]
    used: Callable[[Any, Sequence[str]], frozenset[Cell]]
    idle: Callable[[Any, Sequence[str]], Iterator[Change]]
    another: Callable[[Any, Sequence[str], Budget], Sequence[str] | None]
    objects: str


@dataclass(frozen=True)
class Changes:
    """How levels of a puzzle can be changed.

    kinds    the kinds of edits, the usual ones first
    edits    all single edits of a level that are allowed, each with the level that it leads to. Every level is one
             that the reader of the puzzle accepts
    usual    the kinds of edits that are made if nobody chooses; empty: all
    repairs  the smallest repairs, by searches that many edits share. None: levels are solved edit by edit
    decider  of a level: a function that says of levels which edits make of it whether they are solvable; it
             returns None if an engine has to decide, and raises LimitReached. None: an engine decides each
    closing  cells can be closed. None: not in this puzzle
    numbers  of a level: a function that gives numbers, by their names, of levels which edits make of it: the cost
             under the first metric of the puzzle, by the name of that metric, measures, and `placed`: how many
             objects begin where they must be. It returns None for an unsolvable level, and raises LimitReached if
             a number is not known. None: other code computes them
    hides    does the start of a level, as text, leave out parts that can be changed? None: of no level
    """

    kinds: tuple[str, ...]
    edits: Callable[[Any, Allowed], Iterator[Change]]
    usual: tuple[str, ...] = ()
    repairs: Callable[[Any, Allowed, Budget], Repairs] | None = None
    decider: Callable[[Any], Callable[[Any, Budget], bool | None]] | None = None
    closing: Closing | None = None
    numbers: Callable[[Any], Numbers] | None = None
    hides: Callable[[Any], bool] | None = None
