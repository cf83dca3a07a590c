"""A Tetravex level as a constraint in the language MiniZinc: a model, and the tiles as data.

`res` is the list of the tiles' numbers in reading order. It includes `alldifferent.mzn`, since the whole of
`globals.mzn` does not work in all distributions.
"""

from puzzlemc.mc.errors import ModelError
from puzzlemc.screens.tetravex import EMPTY, SWAP, Level, data

MODEL = """% Tetravex: put each tile on a cell so that edges that touch have one colour.
include "alldifferent.mzn";

int: N;
array[1..N*N, 1..4] of int: puzzle;  % north, south, east, west
array[1..N*N] of var 1..N*N: res;  % the tiles in reading order

constraint alldifferent(res);
constraint forall(row in 1..N, column in 1..N-1)(
  puzzle[res[(row-1)*N + column], 3] = puzzle[res[(row-1)*N + column + 1], 4]);
constraint forall(row in 1..N-1, column in 1..N)(
  puzzle[res[(row-1)*N + column], 2] = puzzle[res[row*N + column], 1]);
"""

END = """
solve satisfy;
output [show(res)];
"""


def write(level: Level) -> dict[str, str]:
    """The files by suffix: the model and its data.

    Raises ModelError for the game `swap`, because the model has no moves.
    """
    if level.rules == SWAP:
        raise ModelError("the model for MiniZinc is the constraint; it has no moves for the game swap")
    placed = "".join(
        f"constraint res[{cell}] = {tile};\n" for cell, tile in enumerate(level.start, 1) if tile != EMPTY
    )
    return {".mzn": MODEL + placed + END, ".dzn": data(level)}
