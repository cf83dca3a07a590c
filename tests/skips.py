"""A game in which sides do not alternate, as a puzzle.

FIRST wins by three turns of its own; or by two of its own, with three turns of SECOND between them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from puzzlemc.encodings.puzzle import Puzzle
from puzzlemc.encodings.puzzle.questions import GameOutcome, TwoSides
from puzzlemc.encodings.puzzle.vocabulary import Vocabulary
from puzzlemc.mc.games.strategy import Node, Strategy
from puzzlemc.mc.rules.plain import FIRST, SECOND, Game, Step, Transition
from puzzlemc.screens.base.part import Part, build_all

WAYS = {
    "start": {"a1": "A1", "b1": "S1"},
    "A1": {"a2": "A2"},
    "A2": {"a3": "won"},
    "S1": {"s1": "S2"},
    "S2": {"s2": "S3"},
    "S3": {"s3": "B"},
    "B": {"b2": "won"},
    "won": {},
}
# Three turns, all own ones; and five, of which two are own turns.
FAST = Strategy(FIRST, True, (Node(3, "a1", (1,)), Node(2, "a2", (2,)), Node(1, "a3", (3,)), Node(0, None, ())))
SLOW = Strategy(
    FIRST,
    True,
    (
        Node(5, "b1", (1,)),
        Node(4, None, (2,)),
        Node(3, None, (3,)),
        Node(2, None, (4,)),
        Node(1, "b2", (5,)),
        Node(0, None, ()),
    ),
)
# FIRST has not won after two turns of both sides; and after one own turn, however many turns SECOND takes.
TWO_TURNS = Strategy(
    SECOND,
    False,
    (Node(2, None, (1, 2)), Node(1, None, (3,)), Node(1, "s1", (4,)), Node(0, None, ()), Node(0, None, ())),
)
ONE_OWN_TURN = Strategy(
    SECOND,
    False,
    (
        Node(1, None, (1, 2)),
        Node(0, None, ()),
        Node(3, "s1", (3,)),
        Node(2, "s2", (4,)),
        Node(1, "s3", (5,)),
        Node(0, None, ()),
    ),
)


@dataclass(frozen=True)
class Level:
    title: str = ""


class Screen:
    SUFFIXES = (".skips",)

    def looks_like(self, text: str) -> float:
        return 0.0

    def cut(self, text: str, source: str) -> Iterator[Part]:
        yield Part(source, 1, text, "", "")

    def build(self, part: Part) -> Level:
        return Level()

    def parse(self, text: str, source: str) -> list[Level]:
        return build_all(self.cut(text, source), self.build)

    def draw(self, level: Level, position: str | None = None) -> str:
        return position or "skips"


def _turn(_: Level, position: str) -> int:
    return SECOND if position.startswith("S") else FIRST


def _steps(level: Level, position: str) -> Iterator[Step]:
    for name, after in WAYS[position].items():
        yield Step(name, after, {"turns": int(_turn(level, position) == FIRST)})


def puzzle(strategy: Strategy) -> Puzzle:
    """Return the puzzle, of which `decide` finds this strategy."""
    start: Callable[[Level], str] = lambda _: "start"  # noqa: E731
    rules = Game(start, _turn, _steps, lambda _, position: FIRST if position == "won" else None)
    outcome = GameOutcome(FIRST, strategy.own_turns, strategy, "by hand")
    return Puzzle(
        name="skips",
        screen=Screen(),
        metrics=("turns",),
        encodings={},
        rules=Transition(start, _steps, lambda _, position: position == "won"),
        vocabulary=Vocabulary(),
        game=TwoSides(
            rules=rules,
            sides=("one", "two"),
            decide=lambda *_: outcome,
            openings=lambda *_: iter(()),
            bots={},
            initial_level=Level(),
        ),
    )
