"""A puzzle: six required values, and optional capabilities, each a value from a file of this folder.

The plain rules are written apart from the encodings. So a trace that was found in an encoding is replayed by code
that does not use the encoding.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from puzzlemc.encodings.puzzle.display import Display
from puzzlemc.encodings.puzzle.encoded import Encoded
from puzzlemc.encodings.puzzle.explanation import Explanation
from puzzlemc.encodings.puzzle.proofs import Proofs
from puzzlemc.encodings.puzzle.text import Format, Text, drawn
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary
from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.lexicographic import pairs
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.plain import Constraint, Question, Replay, Transition, play, replay
from puzzlemc.mc.rules.textbook import METHODS, Method
from puzzlemc.screens.base.entry import Screen
from puzzlemc.screens.base.picture import Picture, lines

if TYPE_CHECKING:  # each puzzle has few of them, and a command that solves a small level loads no others
    from puzzlemc.encodings.puzzle.alone import Alone
    from puzzlemc.encodings.puzzle.by_hand import ByHand
    from puzzlemc.encodings.puzzle.design.changes import Changes
    from puzzlemc.encodings.puzzle.design.generation import Generation
    from puzzlemc.encodings.puzzle.design.measures import Measuring
    from puzzlemc.encodings.puzzle.drawing import Brush, Drawing, Tiling
    from puzzlemc.encodings.puzzle.keys import Keys
    from puzzlemc.encodings.puzzle.pointing import Pointing
    from puzzlemc.encodings.puzzle.questions import Counting, Optimisation, TwoSides, WithChance
    from puzzlemc.encodings.puzzle.shared import Shared
    from puzzlemc.encodings.puzzle.symmetry import Symmetry


@dataclass(frozen=True, eq=False)
class Puzzle:
    """A puzzle. The first six values are required; everything else is optional.

    name          the word that names the puzzle on the command line
    screen        reads, writes and draws levels: a module or another object
    metrics       what a solution may cost, by name; the first is the default
    encodings     name -> function from a level to a model; the first is the default
    rules         the plain rules: start, steps and goal test
    vocabulary    the atoms and counts that formulas may use, and which encoding they belong to

    starting_at   the same level with another reachable position as its start
    constraint    the constraint that a level is; None for a level that asks for moves. `rules` then construct a
                  solution step by step
    chance        what is known of a level whose turns may have several outcomes; None for one without chance
    game          the puzzle is a game of two sides; it has no encodings, and `rules` are the moves of both sides
    methods       textbook searches over the plain rules, by name
    improve       an equally good or better solution from a known one, under a metric, with an amount of work; if
                  the known one `is_optimal`, other metrics are improved
    improvements  better and better solutions from a known one, under a metric; LimitReached at a limit
    counting      solutions can be counted
    optimisation  the quality of solutions is not a cost, and has its own search
    proofs        proofs of optimality that are specific to the puzzle
    explanation   reasons why a level has no solution
    generation    levels can be generated
    symmetry      levels can be rotated and mirrored
    text          formats of moves, games and levels
    display       details of positions for pictures, terminals and reports
    by_hand       keys and drawing for playing on a terminal. None: the player chooses from a list of moves
    drawing       loads how levels are drawn by hand on a page. None: they are written as text
    tiling        loads how levels of square tiles are drawn by hand on a page. None: they have no such tiles
    pointing      loads what a pointer means on a page. None: nothing
    signs         loads the cells that are painted into the rows of a level that is written as text. None: none
    how_to_play   the rules in one or two sentences, for players; may be empty
    referee       other plain rules, written apart; every solution is replayed by them, too
    alone         the puzzle has rules alone: it has no encodings, and an explicit search calls these rules
    origin        the Python file that defines the puzzle; empty for an installed package. The registry sets it
    levels        the text of the levels in that file, at the lines of the file. The registry sets it
    shared        loads the rules in JavaScript, by which a page plays levels by itself. None: there are none
    changes       loads how levels can be changed, for suggestions. None: they cannot
    measuring     loads the measures of difficulty that the puzzle computes itself. None: none
    keys          loads how positions are written for games that ask about them. None: the keys of `shared`, or
                  else the drawing
    """

    name: str
    screen: Screen
    metrics: tuple[str, ...]
    encodings: Mapping[str, Callable[[Any], Encoded]]
    rules: Transition
    vocabulary: Vocabulary
    starting_at: Callable[[Any, Any], Any] | None = None
    constraint: Callable[[Any], Constraint | None] | None = None
    chance: "Callable[[Any], WithChance | None]" = lambda level: None
    game: "TwoSides | None" = None
    methods: Mapping[str, Method] = field(default_factory=lambda: METHODS)
    improve: Callable[..., list[str]] | None = None  # (level, moves, metric, work, *, is_optimal)
    improvements: Callable[[Any, Sequence[str], str, Budget], Iterator[list[str]]] | None = None
    counting: "Counting | None" = None
    optimisation: "Optimisation | None" = None
    proofs: Proofs = field(default_factory=Proofs)
    explanation: Explanation = field(default_factory=Explanation)
    generation: "Generation | None" = None
    symmetry: "Symmetry | None" = None
    text: Text = field(default_factory=Text)
    display: Display = field(default_factory=Display)
    by_hand: "ByHand | None" = None
    drawing: "Callable[[], Drawing] | None" = None
    tiling: "Callable[[], Tiling] | None" = None
    pointing: "Callable[[], Pointing] | None" = None
    signs: "Callable[[], Callable[[Any], Sequence[Brush]]] | None" = None
    how_to_play: str = ""
    # Authors may give values by their places: new fields stand here.
    referee: Transition | None = None
    alone: "Alone | None" = None
    origin: str = ""
    levels: str = ""
    shared: "Callable[[], Shared] | None" = None
    changes: "Callable[[], Changes] | None" = None
    measuring: "Callable[[], Measuring] | None" = None
    keys: "Callable[[], Keys] | None" = None

    def __repr__(self) -> str:
        return f"<puzzle {self.name}>"

    @property
    def orders(self) -> tuple[str, ...]:
        """The lexicographic orders of two metrics, by name; none for a game of two sides."""
        return () if self.game is not None else pairs(self.metrics)

    @property
    def level_formats(self) -> Mapping[str, Format]:
        """Suffix of a file -> format of levels."""
        return self.text.formats or {self.screen.SUFFIXES[0]: drawn(self.screen)}

    def question(self, level: object) -> Question:
        """The question that a level asks: a game, a constraint, or the reachability of a solved position."""
        if self.game is not None:
            return self.game.rules
        return (self.constraint(level) if self.constraint is not None else None) or self.rules

    def picture(self, level: object, position: object) -> Picture:
        """A position as shapes: what the screen draws, or else the lines of its text."""
        draw = getattr(self.screen, "picture", None)
        found: Picture = lines(self.screen.draw(level, position)) if draw is None else draw(level, position)
        return found

    def encode_faithfully(self, level: object) -> Encoded:
        """The level in the encoding whose states and steps are exactly those of the plain rules."""
        return self.alone.listed(level) if self.alone else self.encodings[self.vocabulary.encoding](level)

    def need_steps(self) -> None:
        """Raise ModelError for a game of two sides: its levels are no transition systems."""
        if self.game is not None:
            raise ModelError(f"{self.name} is a game of two sides, and its levels are no models")

    def need_model(self, what: str) -> None:
        """Raise ModelError for a game of two sides, and for rules alone: there is no model, which `what` needs."""
        self.need_steps()
        if self.alone is not None:
            raise ModelError(f"{self.name} has rules alone; {what} needs a model")

    def replay(self, level: object, moves: Sequence[str]) -> Replay:
        """Confirm a solution of a level by the plain rules. Raises Refuted."""
        found = replay(self.question(level), level, moves, self.metrics)
        if self.referee is not None:
            try:
                costs = replay(self.referee, level, moves, self.metrics).costs
            except Refuted as error:
                raise Refuted(f"by the rules beside the system: {error}") from None
            if costs != found.costs:
                raise Refuted(f"the solution costs {dict(found.costs)}, and by the rules {dict(costs)}")
        return found

    def play(self, level: object, moves: Sequence[str]) -> Replay:
        """Play moves from the start of a level, solved or not. Raises Refuted for an illegal move."""
        return play(self.rules, level, moves, self.metrics)
