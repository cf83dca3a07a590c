"""The capabilities of a puzzle to answer other questions than for a solution with the least cost.

Solutions are counted; those whose quality is not a sum of the costs of moves are optimised; a game has two sides.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from puzzlemc.mc.games.match import Bot
from puzzlemc.mc.games.strategy import GameProof, Strategy
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.rules.chance import Chance
from puzzlemc.mc.rules.decisions import DecisionProcess
from puzzlemc.mc.rules.plain import Game


@dataclass(frozen=True)
class Counting:
    """How the solutions of a level are counted.

    what   names the objects that are counted, and when two of them are equal, for people
    count  the number of solutions. Raises LimitReached
    each   yields the solutions as lists of moves; None if the puzzle only counts. Raises LimitReached
    can    are the solutions of a level counted? `count` and `each` raise ModelError for other levels
    """

    what: str
    count: Callable[[Any, Budget], int]
    each: Callable[[Any, Budget], Iterator[list[str]]] | None = None
    can: Callable[[Any], bool] = lambda level: True


@dataclass(frozen=True)
class WithChance:
    """What is known of a level in which something may be drawn.

    rules      the plain rules, with all outcomes of each input
    search     the same turns, computed fast
    process    the plain rules as a decision process
    reachable  its nodes, computed fast; each of those that follow has the weight 1
    weighted   its nodes with their probabilities, computed fast
    decides    may a draw decide whether or when the level is won? Otherwise its model leaves all draws out
    words      what else is drawn, for people; empty if `decides`
    """

    rules: Chance
    search: Chance
    process: DecisionProcess
    reachable: DecisionProcess
    weighted: DecisionProcess
    decides: bool = True
    words: str = ""


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


@dataclass(frozen=True)
class GameOutcome:
    """Which side can force a win from the start of a level.

    winner    that side; None if it is unknown, or for a draw
    turns     the least number of its own turns in which it can force the win
    strategy  a winning strategy; for a draw, one with which the side that is not to move never loses
    defence   a strategy of the other side, which shows that no win takes fewer own turns; None if there is none at
              hand. For a draw, one with which the side to move never loses
    engine    name of the algorithm that decided it
    refuted   the side to move cannot force a win within this number of its own turns
    reason    the limit that ended the search; None if the winner is known
    is_draw   neither side can force a win
    """

    winner: int | None = None
    turns: int | None = None
    strategy: Strategy | None = None
    engine: str = ""
    refuted: int = 0
    reason: str | None = None
    defence: Strategy | None = None
    is_draw: bool = False

    @property
    def proof(self) -> GameProof | None:
        """The strategies as a proof; None without any."""
        if self.strategy is None:
            return None
        return GameProof((self.strategy,) if self.defence is None else (self.strategy, self.defence))


@dataclass(frozen=True)
class TwoSides:
    """A game of two sides, which need not alternate.

    rules            the plain rules. By the first metric of the puzzle, a step costs 1 if it is a turn of the side
                     to move at the start of the level, and 0 if it is one of the other side
    sides            the names of FIRST and SECOND
    decide           which side can force a win, within a number of its own turns or (None) any number. A limit is
                     part of the outcome
    openings         all first moves with which the side to move forces a win within a number of its own turns, if
                     it cannot do so in fewer turns. Raises LimitReached
    bots             name -> program that chooses moves
    initial_level    the level with which games start by default
    symmetric_rules  the plain rules on positions up to symmetry; None if there are no symmetries
    reason_of_end    why the game is over in a position, for people; empty if it goes on, or if there is no text
    """

    rules: Game
    sides: tuple[str, str]
    decide: Callable[[Any, int | None, Budget], GameOutcome]
    openings: Callable[[Any, int, Budget], Iterator[str]]
    bots: Mapping[str, Bot]
    initial_level: Any
    symmetric_rules: Game | None = None
    reason_of_end: Callable[[Any, Any], str] = lambda *_: ""

    def over(self, level: Any, position: Any) -> str:
        """A sentence about the end of the game: why, and who has won. Empty if the game goes on."""
        if not self.rules.over(level, position):
            return ""
        winner = self.rules.result(level, position)
        result = "it is a draw" if winner is None else f"{self.sides[winner]} has won"
        why = self.reason_of_end(level, position)
        return f"the game is over: {why + ', so ' if why else ''}{result}"
