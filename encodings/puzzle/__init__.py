"""What every puzzle offers: a screen, plain rules, encodings, metrics, and what it may have besides.

The plain rules are written apart from the encodings, so that a trace found in an encoding can be replayed by
code that knows nothing of it.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from importlib import import_module
from typing import Any, TypeAlias

from puzzlemc.encodings.puzzle.by_hand import ByHand, Record
from puzzlemc.encodings.puzzle.making import Maker
from puzzlemc.encodings.puzzle.moves import Move, words
from puzzlemc.encodings.puzzle.parts import Parts, name_of
from puzzlemc.encodings.puzzle.turns import Symmetry
from puzzlemc.mc.errors import ModelError
from puzzlemc.mc.games.match import Bot
from puzzlemc.mc.games.strategy import Strategy
from puzzlemc.mc.lexicographic import pairs
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.formula import State
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import Trace
from puzzlemc.mc.proofs.bidirectional import BidirectionalProof
from puzzlemc.mc.rules.plain import Constraint, Game, Question, Replay, Transition, play, replay
from puzzlemc.mc.rules.textbook import METHODS, Method
from puzzlemc.screens.base.part import About, Part
from puzzlemc.screens.base.picture import Moved
from puzzlemc.screens.base.source import Screen

Place: TypeAlias = tuple[int, int]  # row and column, from 0; names of atoms and moves count from 1


@dataclass(frozen=True)
class Encoded:
    """A level as a model, and the way back: from its states to positions, from its traces to moves by name.

    places  the names of the atoms that speak of places, by what they say of a place, and the place
    lost    by what atoms say of a place: places where that loses the level, as the puzzle knows without a search
    start   of a model whose traces have no actions: the state that the moves of its trace tell
    """

    model: Model
    decode: Callable[[State], Hashable]
    moves: Callable[[Trace], list[str]]
    places: Mapping[str, Mapping[Place, str]] = field(default_factory=dict)
    start: Callable[[Sequence[str]], State] | None = None
    lost: Mapping[str, frozenset[Place]] = field(default_factory=dict)


def placed(what: str, places: Iterable[Place]) -> dict[Place, str]:
    """By place, the name of the atom that says that of it: `what@(row,column)`, both from 1."""
    return {place: f"{what}@({name_of(place)})" for place in places}


@dataclass(frozen=True)
class Solutions:
    """How the solutions of a level are counted, and where that is of use, listed, as moves by name.

    Both raise LimitReached. `what` says in words what is counted: when two solutions are one.
    """

    what: str
    count: Callable[[Any, Budget], int]
    each: Callable[[Any, Budget], Iterator[list[str]]] | None = None


@dataclass(frozen=True)
class Best:
    """The best solution of a level that is optimised, as far as it was found.

    moves     of the solution; None where there is none, or none was found
    complete  whether that is proved: that none is better, or that there is none
    engine    what found it
    words     how good it is, for people
    told      the same for programs
    reason    why it is not complete
    """

    moves: Sequence[str] | None
    complete: bool
    engine: str
    words: str = ""
    told: Mapping[str, object] = field(default_factory=dict)
    reason: str | None = None


@dataclass(frozen=True)
class Judged:
    """What was found about a finished position that came as a text: none of the `faults`, and it is valid.

    words    how good it is, for people
    told     the same for programs
    drawing  the position
    reason   the limit that came before all was known
    """

    faults: tuple[str, ...]
    words: str
    told: Mapping[str, object]
    drawing: str = ""
    reason: str | None = None


@dataclass(frozen=True)
class Outcome:
    """What was found of who wins a level that is a game of two sides.

    winner    the side that can force a win; None where that is not known
    turns     of its own that this takes, the least number
    strategy  how it wins
    engine    what found that
    refuted   the side that is to move cannot win within so many own turns
    reason    why nothing is known: which limit ended the search
    """

    winner: int | None = None
    turns: int | None = None
    strategy: Strategy | None = None
    engine: str = ""
    refuted: int = 0
    reason: str | None = None


@dataclass(frozen=True)
class TwoSides:
    """What a puzzle has that is a game of two sides.

    rules    the plain ones
    sides    what the sides are called, FIRST and SECOND
    decide   who wins a level, within so many own turns; None: as many as it takes. Limits end up in the outcome
    openings of a level that the side to move wins within so many own turns and not within fewer: all the moves by
             which it does. Raises LimitReached
    bots     programs that play it, by name
    usual    the level with which games usually begin
    like     the same rules where a position stands for all that symmetries make of it; None: there are none
    ended    why the game is over in a position, in words; empty where it is not over, or the puzzle does not say
    """

    rules: Game
    sides: tuple[str, str]
    decide: Callable[[Any, int | None, Budget], Outcome]
    openings: Callable[[Any, int, Budget], Iterator[str]]
    bots: Mapping[str, Bot]
    usual: Any
    like: Game | None = None
    ended: Callable[[Any, Any], str] = lambda *_: ""

    def over(self, level: Any, position: Any) -> str:
        """That the game is over in a position, why, and who has won, in words; empty where it goes on."""
        if not self.rules.over(level, position):
            return ""
        winner = self.rules.result(level, position)
        result = "it is a draw" if winner is None else f"{self.sides[winner]} has won"
        why = self.ended(level, position)
        return f"the game is over: {why + ', so ' if why else ''}{result}"


@dataclass(frozen=True)
class Format:
    """How levels are written to files of a kind.

    write  of what is said of all levels, and of each level with its text: the text of the file
    many   a file may hold more than one level
    """

    write: Callable[[About, Sequence[tuple[Any, Part]]], str]
    many: bool = True


def drawn(screen: Screen) -> Format:
    """Levels as a screen draws them, which say their names themselves, with blank lines between."""
    return Format(lambda _, levels: "\n".join(f"{screen.draw(level)}\n" for level, _ in levels))


NAMES = ("title", "author")  # of a level, which make no difference


def nameless(level: Any) -> Any:
    """The level without title and author."""
    if not is_dataclass(level) or isinstance(level, type):
        return level
    known = {field.name for field in fields(level)}
    return replace(level, **{name: "" for name in NAMES if name in known})


@dataclass(frozen=True)
class Words:
    """How people speak of a puzzle.

    trace   what stands before the moves of a constraint's solution
    apart   of a constraint, what makes two of its solutions differ
    number  what a number stands for that an atom says of a place
    kinds   what random levels have a number of: the option of `generate`
    """

    trace: str = "In order"
    apart: str = "each counts once"
    number: str = ""
    kinds: str = "colours"


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A puzzle: its screen, metrics (the first is its own), encodings, plain rules, and what it may have besides.

    screen      the module, or another object, that reads, writes and draws its levels
    faithful    the encoding whose reachable states and steps are just those of the plain rules
    at          the level that is the same but starts in another of its positions, so that every encoding does
    hopeless    why a look at a level shows that it has no solution; empty where that takes a search
    constants   atoms of a level that its model does not have, since they are always or never so
    atoms       what the atoms of that encoding say; in their names, `r`, `c` and `N` stand for numbers
    counts      the same of the numbers of that encoding
    constraint  of a level that is one, its check; `rules` are then a way to construct a solution
    game        of a game of two sides, all of that. It has no encodings, and `rules` are the moves of both
    methods     textbook searches over the plain rules, by name
    solutions   how solutions are counted
    generate    makes random levels, with the number of their solutions, or words for how good the best is
    maker       loads what makes levels in numbers
    best        searches for the best solution of a level, where what is better is no matter of cost, and hands on
                each that is better than those before
    surpass     the model of what is better than the solution of a trace, where that is no matter of cost.
                Raises Refuted where the trace is none of a solution, and LimitReached
    judge       says what the plain rules find wrong with a position in a text of that name. Raises LevelError
    judge_flow  says the same of how things move along such a position, which may take long
    why         why a level has no solution, in words, where it has no parts. Raises LimitReached
    parts       what may be left out of a level, to see what already cannot be done: those of the kinds that count
    moved       what a step from one position to another has moved, to be shown in a picture
    tints       by character of a drawn position, the name of the colour that it has on a terminal, or nothing
    read_trace  the moves of a text, which stands in a source from some line on. Raises LevelError
    refusal     why a move is not legal in a position of a level
    formats     of levels, by the suffixes of their files, where it is not what its screen draws
    exports     formats for other tools that only this puzzle has: by name, the files of a level by suffix
    check_ends  checks a proof from both ends, by the plain rules. Raises Refuted, LimitReached
    improve     a solution no worse than one that is known, under a metric, by so much counted work
    by_hand     how it is played on a terminal, where that is more than choosing from a list of moves
    record      how games are kept as text, where that is not the JSON of all puzzles
    symmetry    how its levels are rotated and mirrored
    words       how people speak of it
    origin      the file that defines it, where that is no module of a package
    """

    name: str
    screen: Screen
    metrics: tuple[str, ...]
    encodings: Mapping[str, Callable[[Any], Encoded]]
    rules: Transition
    write_trace: Callable[[Sequence[str]], str | list[str]]
    at: Callable[[Any, Any], Any] | None = None
    faithful: str = "compact"
    hopeless: Callable[[Any], str] = lambda _: ""
    constants: Callable[[Any], Mapping[str, bool]] = lambda _: {}
    atoms: Mapping[str, str] = field(default_factory=dict)
    counts: Mapping[str, str] = field(default_factory=dict)
    constraint: Callable[[Any], Constraint | None] | None = None
    game: TwoSides | None = None
    methods: Mapping[str, Method] = field(default_factory=lambda: METHODS)
    solutions: Solutions | None = None
    generate: Callable[..., tuple[Any, int | str | None]] | None = None
    maker: Callable[[], Maker] | None = None
    best: Callable[[Any, Budget, Callable[[Best], None]], Best] | None = None
    surpass: Callable[[Any, Sequence[str], Budget], Encoded] | None = None
    judge: Callable[[Any, str, str], Judged] | None = None
    judge_flow: Callable[[Any, str, str, Budget], Judged] | None = None
    why: Callable[[Any, Budget], str] | None = None
    parts: Callable[[], tuple[Parts, ...]] | None = None
    moved: Callable[[Any, Any, Any], Moved] = lambda *_: Moved((), ())
    tints: Callable[[Any, Any], Sequence[Sequence[str]]] | None = None
    read_trace: Callable[[str, str, int], list[Move]] = words
    refusal: Callable[[Any, Any, str], str] | None = None
    formats: Mapping[str, Format] = field(default_factory=dict)
    exports: Mapping[str, Callable[[Any], Mapping[str, str]]] = field(default_factory=dict)
    check_ends: Callable[[Any, BidirectionalProof, Budget], None] | None = None
    improve: Callable[[Any, Sequence[str], str, int], list[str]] | None = None
    by_hand: ByHand | None = None
    record: Record | None = None
    symmetry: Symmetry | None = None
    words: Words = Words()
    origin: str = ""

    def __repr__(self) -> str:
        return f"<puzzle {self.name}>"

    @property
    def orders(self) -> tuple[str, ...]:
        """Two of its metrics, each before each other; of a game of two sides there are none."""
        return () if self.game is not None else pairs(self.metrics)

    def question(self, level: object) -> Question:
        """What a level asks: who wins a game, a constraint where it is one, else to reach a solved position."""
        if self.game is not None:
            return self.game.rules
        return (self.constraint(level) if self.constraint is not None else None) or self.rules

    @property
    def written(self) -> Mapping[str, Format]:
        """How its levels are written, by the suffixes of files."""
        return self.formats or {self.screen.SUFFIXES[0]: drawn(self.screen)}

    def need_model(self) -> None:
        """Raise ModelError for a game of two sides, whose levels are no models."""
        if self.game is not None:
            raise ModelError(f"{self.name} is a game of two sides, and its levels are no models")

    def replay(self, level: object, moves: Sequence[str]) -> Replay:
        """Confirm a solution of a level by the plain rules. Raises Refuted."""
        return replay(self.question(level), level, moves, self.metrics)

    def play(self, level: object, moves: Sequence[str]) -> Replay:
        """Play moves from the start of a level, wherever that leads. Raises Refuted for an illegal one."""
        return play(self.rules, level, moves, self.metrics)


def later(module: str, name: str) -> Callable[..., Any]:
    """The function of a module that is imported when it is called: what replays solutions needs no search."""

    def call(*arguments: Any, **named: Any) -> Any:
        return getattr(import_module(module), name)(*arguments, **named)

    return call
