"""Movement on a board of literals: an object with a movement goes to the next cell if its layer is free there.

A pass goes column by column, in a cell by layers, and sees the moves made before it. Passes are unrolled until SAT
proves that no further one can move anything.
"""

from collections.abc import Sequence

from puzzlemc.encodings.puzzlescript.circuit.application import MOST_PASSES
from puzzlemc.encodings.puzzlescript.circuit.board import Board
from puzzlemc.encodings.puzzlescript.circuit.graph import Prover
from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.proofs.circuit import FALSE
from puzzlemc.screens.puzzlescript.game import DIRECTIONS


def move(board: Board, layers: Sequence[Sequence[str]], prover: Prover) -> int:
    """Move until nothing moves; return the number of passes. The board has no movements then.

    Raises Unsuitable if more than MOST_PASSES may be needed.
    """
    for passes in range(MOST_PASSES + 1):
        before = board.copy()
        moved = _move_once(board, layers)
        if not prover.is_possible(moved):
            for here, old in zip(board.cells, before.cells, strict=True):
                here.clear()  # the objects are those before this pass
                here.update((plane, literal) for plane, literal in old.items() if isinstance(plane, str))
            return passes
    raise Unsuitable(f"objects may move in more than {MOST_PASSES} passes")


def _move_once(board: Board, layers: Sequence[Sequence[str]]) -> int:
    """One pass; return the literal: a movement was used up."""
    graph, used = board.graph, []
    for cell in board.lines.by_columns:
        here = board.cells[cell]
        for layer, objects in enumerate(layers):
            for direction in DIRECTIONS:
                movement = here.get((layer, direction), FALSE)
                line = board.lines.ahead[direction][cell]
                if movement == FALSE or len(line) == 1:
                    continue
                there = board.cells[line[1]]
                # A movement without an object counts as well: it is used up if the next cell is free.
                goes = graph.conj([movement, *(there.get(name, FALSE) ^ 1 for name in objects)])
                if goes == FALSE:
                    continue
                for name in objects:
                    held = here.get(name, FALSE)
                    if held != FALSE:
                        there[name] = graph.disj([there.get(name, FALSE), graph.both(goes, held)])
                        here[name] = graph.both(held, goes ^ 1)
                here[layer, direction] = graph.both(movement, goes ^ 1)
                used.append(goes)
    return graph.disj(used)
