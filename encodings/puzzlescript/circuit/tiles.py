"""A level as a model with formulas: `tiles`, for the engines and formats that need them.

A move is an action. Its guard and the new values of bits are literals of one graph of gates, which all actions
share. As by the plain rules, a turn is a step if it wins or changes the position, and does not restart the level.
Bit `won` says that the last turn has won; then there is no further step.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from puzzlemc.encodings.puzzle.encoded import Encoded, Place, placed
from puzzlemc.encodings.puzzlescript.circuit.encoding import turn
from puzzlemc.encodings.puzzlescript.circuit.graph import MOST_GATES, compacted
from puzzlemc.encodings.puzzlescript.circuit.turns import WON, Turns, turns_of
from puzzlemc.encodings.puzzlescript.domain.position import METRICS, Cells, Position, movement, moves
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.formula import Bit, Formula, Gates, Signal, State
from puzzlemc.mc.model.hints import Hints
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import boolean
from puzzlemc.screens.puzzlescript.game import Level

NAME = re.compile(r"[a-z_][a-z0-9_]*\Z")  # names that formulas can hold
RESERVED = {WON, "solved"}


class Step(NamedTuple):
    """The literals of a turn as an action: its guard, and the new values of the bits that it can change."""

    guard: int
    after: Mapping[Bit, int]


class Vocabulary(NamedTuple):
    """The places of objects, atoms and counts of a model."""

    places: dict[str, dict[Place, str]]
    atoms: dict[str, Formula]
    counts: dict[str, list[Formula]]


def tiles(level: Level, most_gates: int = MOST_GATES) -> Encoded:
    """The level as a model with a bit for each object that can change in a cell, and the bit *won*.

    Raises Unsuitable, with the reason, for a level that has no circuit, or only a larger one.
    """
    turns = turns_of(level)
    turns.graph.most = most_gates
    try:
        return _of_turns(level, turns)
    finally:
        turns.graph.most = MOST_GATES


def _of_turns(level: Level, turns: Turns) -> Encoded:
    variables = tuple(map(boolean, turns.graph.inputs))
    bits = tuple(variable.bits[0] for variable in variables)
    steps = {name: _step(turns, movement(name), bits) for name in moves(level.game)}
    gates, number = compacted(
        turns.graph, [v for step in steps.values() for v in (step.guard, *step.after.values())]
    )
    graph = Gates(bits, gates)

    def signal(literal: int) -> Signal:
        return Signal(graph, 2 * number[literal >> 1] | literal & 1)

    def new(literal: int) -> bool | Formula:
        return bool(literal) if literal <= 1 else signal(literal)

    start = level.cells
    if level.game.run_rules_on_level_start and not level.begun:
        start = turn(level, start, "", begins=True).cells  # it has one round, which does not win
    places, atoms, counts = _vocabulary(level, turns, bits)
    return Encoded(
        model=Model(
            variables=variables,
            init={b: name in start[cell] for b, (name, cell) in zip(bits, turns.bits, strict=False)}
            | {bits[-1]: level.won},
            actions=tuple(
                Action(
                    name,
                    signal(step.guard),
                    {b: new(literal) for b, literal in step.after.items()},
                    dict.fromkeys(METRICS, 1),
                )
                for name, step in steps.items()
            ),
            goal={bits[-1]: True},
            atoms=atoms,
            counts=counts,
            hints=Hints(exclusive=tuple(_exclusive(turns, bits, steps.values(), start))),
        ),
        decode=lambda state: _position(level, turns, bits, state),
        moves=lambda trace: [action.name for action in trace.actions],
        places=places,
    )


def _step(turns: Turns, given: str, bits: Sequence[Bit]) -> Step:
    """The turn in which the players get a movement, or none (""), as an action."""
    graph, made = turns.graph, turns.turn(given)
    before = [graph.input(b) for b in bits]
    after = {b: new for b, old, new in zip(bits, before, made.after, strict=False) if old != new}
    changed = graph.disj(
        graph.choice(old, new ^ 1, new) for old, new in zip(before, made.after, strict=False) if old != new
    )
    goes_on = graph.conj([made.cancelled ^ 1, made.restarted ^ 1, changed])
    guard = graph.both(before[-1] ^ 1, graph.disj([made.won, goes_on]))
    return Step(guard, after | {bits[-1]: made.won})


def _exclusive(
    turns: Turns, bits: Sequence[Bit], steps: Collection[Step], start: Cells
) -> Iterator[tuple[Bit, ...]]:
    """Yield groups of bits of which at most one holds: objects of a layer in a cell, and the cells of an object.

    The latter if there is at most one such object at the start, and SAT proves that each turn keeps this.
    """
    yield from (tuple(bits[number] for number in group) for group in turns.exclusive if len(group) > 1)
    cells: dict[str, list[Bit]] = {}
    for b, (name, _) in zip(bits, turns.bits, strict=False):
        cells.setdefault(name, []).append(b)
    for name, group in cells.items():
        if sum(name in here for here in start) <= 1 < len(group) and _stays_single(turns, group, steps):
            yield tuple(group)


def _stays_single(turns: Turns, group: Sequence[Bit], steps: Iterable[Step]) -> bool:
    """Does SAT prove that no turn leads from a position with at most one of these bits to one with several?"""
    graph = turns.graph
    single = graph.at_most_one(graph.input(b) for b in group)
    for step in steps:
        after = graph.at_most_one(step.after.get(b, graph.input(b)) for b in group)
        if turns.prover.is_possible(graph.conj([single, step.guard, after ^ 1])):
            return False
    return True


def _vocabulary(level: Level, turns: Turns, bits: Sequence[Bit]) -> Vocabulary:
    """The names of formulas: where each object is, how many there are, and that the last turn has won."""
    bit_of: dict[str, dict[Place, Bit]] = {}
    for b, (name, cell) in zip(bits, turns.bits, strict=False):
        if NAME.match(name) and name not in RESERVED:
            bit_of.setdefault(name, {})[divmod(cell, level.width)] = b
    places = {name: placed(name, at) for name, at in bit_of.items()}
    atoms: dict[str, Formula] = {WON: {bits[-1]: True}}
    for name, at in bit_of.items():
        atoms |= {places[name][place]: {b: True} for place, b in at.items()}
    counts: dict[str, list[Formula]] = {name: [{b: True} for b in at.values()] for name, at in bit_of.items()}
    return Vocabulary(places, atoms, counts)


def _position(level: Level, turns: Turns, bits: Sequence[Bit], state: State) -> Position:
    cells = [set(here) for here in level.cells]
    for b, (name, cell) in zip(bits, turns.bits, strict=False):
        (cells[cell].add if b in state else cells[cell].discard)(name)
    return Position(tuple(map(frozenset, cells)), won=bits[-1] in state)
