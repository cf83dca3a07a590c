"""Single turns of a level by its circuit, from given cells."""

from functools import lru_cache

from puzzlemc.encodings.puzzlescript.circuit.graph import compacted
from puzzlemc.encodings.puzzlescript.circuit.turns import Turns, turns_of
from puzzlemc.encodings.puzzlescript.domain.position import Cells
from puzzlemc.encodings.puzzlescript.domain.turn import Ending, Outcome
from puzzlemc.screens.puzzlescript.game import Level


def turn(level: Level, cells: Cells, movement: str, *, begins: bool = False) -> Outcome:
    """The turn from these cells, as the plain rules return it.

    The cells must be reachable by turns from those of the level. Raises Unsuitable for a level without a circuit.
    """
    return _evaluator(turns_of(level), movement, begins).outcome(cells)


class Evaluator:
    """The gates of the turn with one movement, or of the one at the start of the level, for evaluating them."""

    def __init__(self, turns: Turns, movement: str, begins: bool) -> None:
        self._turns = turns
        self._turn = turn = turns.turn(movement, begins=begins)
        wanted = [*turn.after, turn.cancelled, turn.restarted, turn.won, turn.checkpoint]
        self._gates, number = compacted(turns.graph, wanted)
        self._wanted = [2 * number[literal >> 1] | literal & 1 for literal in wanted]

    def outcome(self, cells: Cells) -> Outcome:
        """The outcome of the turn from these cells."""
        bits = self._turns.bits
        values = [False, True]  # by literal
        for name, cell in bits:
            held = name in cells[cell]
            values += (held, not held)
        values += (False, True)  # `won`
        for one, other in self._gates:
            held = values[one] and values[other]
            values += (held, not held)
        *after, cancelled, restarted, won, checkpoint = (values[literal] for literal in self._wanted)
        if cancelled and not won:
            return Outcome(Ending.SETTLED, cells, None)
        new = [set(here) for here in cells]
        for (name, cell), held in zip(bits, after, strict=True):
            (new[cell].add if held else new[cell].discard)(name)
        result = tuple(map(frozenset, new))
        if won:
            return Outcome(Ending.WON, result, None)
        if restarted:
            return Outcome(Ending.RESTARTED, result, None)
        return Outcome(Ending.SETTLED, result, result if checkpoint else None)


@lru_cache(maxsize=64)
def _evaluator(turns: Turns, movement: str, begins: bool) -> Evaluator:
    return Evaluator(turns, movement, begins)
