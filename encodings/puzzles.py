"""What every puzzle offers: plain rules, encodings, metrics; and the registry of puzzles.

The plain rules are written apart from the encodings, so that a trace found in an encoding can be replayed by
code that knows nothing of it.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, NamedTuple

from puzzlemc.mc.errors import ModelError, Refuted
from puzzlemc.mc.formula import State
from puzzlemc.mc.limits import Watch
from puzzlemc.mc.model import Model
from puzzlemc.mc.verdict import Trace


class Step(NamedTuple):
    """A step by the plain rules: the name of the move, the position after it, its costs by metric."""

    name: str
    position: Hashable
    costs: Mapping[str, int]


@dataclass(frozen=True)
class Encoded:
    """A level as a model, and the way back: from its states to positions, from its traces to moves by name."""

    model: Model
    decode: Callable[[State], Hashable]
    moves: Callable[[Trace], list[str]]


@dataclass(frozen=True)
class Puzzle:
    """A puzzle: its metrics (the first is its own), its encodings, and its plain rules over levels.

    hopeless   why a look at a level shows that it has no solution; empty where that takes a search
    faithful   the encoding whose reachable states and steps are just those of the plain rules
    atoms      what the atoms of that encoding say; in their names, `r`, `c` and `N` stand for numbers
    constants  atoms of a level that its model does not have, since they are always or never so
    """

    name: str
    metrics: tuple[str, ...]
    encodings: Mapping[str, Callable[[Any], Encoded]]
    start: Callable[[Any], Hashable]
    steps: Callable[[Any, Any], Iterator[Step]]
    solved: Callable[[Any, Any], bool]
    write_trace: Callable[[Sequence[str]], str | list[str]]
    faithful: str = "compact"
    hopeless: Callable[[Any], str] = lambda _: ""
    atoms: Mapping[str, str] = field(default_factory=dict)
    constants: Callable[[Any], Mapping[str, bool]] = lambda level: {}


@dataclass(frozen=True)
class Solutions:
    """How the solutions of a level are counted, and where that is of use, listed, as moves by name.

    Both raise LimitReached. What counts as one solution, the puzzle says.
    """

    count: Callable[[Any, Watch], int]
    each: Callable[[Any, Watch], Iterator[list[str]]] | None = None


@dataclass(frozen=True)
class Replay:
    """A trace played by the plain rules: the positions, one more than moves, and the costs by metric."""

    positions: tuple[Hashable, ...]
    costs: Mapping[str, int]


_MODULES = {
    "sokoban": "puzzlemc.encodings.sokoban",
    "folding": "puzzlemc.encodings.folding",
    "tetravex": "puzzlemc.encodings.tetravex",
}
_SOLUTIONS = {
    "folding": "puzzlemc.encodings.folding_count",
    "tetravex": "puzzlemc.encodings.tetravex_count",
}
_GENERATORS = {
    "folding": "puzzlemc.encodings.folding_generate",
    "tetravex": "puzzlemc.encodings.tetravex_generate",
}

PUZZLES: tuple[str, ...] = tuple(_MODULES)
GENERATED: tuple[str, ...] = tuple(_GENERATORS)


def puzzle(name: str) -> Puzzle:
    """The puzzle of that name, imported on demand. Raises ModelError for an unknown name."""
    try:
        module = _MODULES[name]
    except KeyError:
        raise ModelError(f"unknown puzzle {name!r}, expected one of {', '.join(PUZZLES)}") from None
    found: Puzzle = import_module(module).PUZZLE
    return found


def solutions(name: str) -> Solutions:
    """How the solutions of that puzzle are counted. Raises ModelError where they are not."""
    if name not in _SOLUTIONS:
        raise ModelError(f"the solutions of {name} are not counted, only those of {', '.join(_SOLUTIONS)}")
    found: Solutions = import_module(_SOLUTIONS[name]).SOLUTIONS
    return found


def generator(name: str) -> Callable[..., tuple[Any, int | None]]:
    """What makes random levels of that puzzle, with the number of their solutions. Raises KeyError for none."""
    found: Callable[..., tuple[Any, int | None]] = import_module(_GENERATORS[name]).generate
    return found


def play(rules: Puzzle, level: object, moves: Sequence[str]) -> Replay:
    """Play the moves from the start of a level, wherever that leads. Raises Refuted for an illegal one."""
    positions = [rules.start(level)]
    costs = dict.fromkeys(rules.metrics, 0)
    for number, name in enumerate(moves, start=1):
        found = [step for step in rules.steps(level, positions[-1]) if step.name == name]
        if len(found) != 1:
            raise Refuted(f"step {number}: {name} is not a legal move")
        positions.append(found[0].position)
        for metric in costs:
            costs[metric] += found[0].costs[metric]
    return Replay(tuple(positions), costs)


def replay(rules: Puzzle, level: object, moves: Sequence[str]) -> Replay:
    """Play a solution from the start of a level. Raises Refuted for an illegal move or an unsolved end."""
    played = play(rules, level, moves)
    if not rules.solved(level, played.positions[-1]):
        raise Refuted("the position after the last move is not solved")
    return played
