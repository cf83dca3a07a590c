"""Knights change places on a small board, as a model: a knight jumps to a free cell. Only two must be exchanged.

python examples/knights.py
"""

from puzzlemc.mc.engines.portfolio import auto
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import Action
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.variables import one_hot

JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def model(start: tuple[str, ...], goal: tuple[str, ...]) -> Model:
    """From rows of knights, letters, and free cells, `.`, to other rows."""
    cells = [(r, c) for r, row in enumerate(start) for c in range(len(row))]
    signs = sorted({sign for row in start for sign in row})
    on = {(r, c): one_hot(f"cell{r}{c}", signs) for r, c in cells}
    actions = []
    for r, c in cells:
        for down, right in JUMPS:
            to = (r + down, c + right)
            for knight in signs if to in on else ():
                if knight != ".":
                    guard = on[r, c].literals(knight) | on[to].literals(".")
                    update = on[r, c].literals(".") | on[to].literals(knight)
                    actions.append(
                        Action(f"{knight} {r + 1},{c + 1} to {to[0] + 1},{to[1] + 1}", guard, update, {"jumps": 1})
                    )
    first, last = (
        {b: v for r, c in cells for b, v in on[r, c].literals(rows[r][c]).items()} for rows in (start, goal)
    )
    return Model(tuple(on.values()), first, tuple(actions), last)


if __name__ == "__main__":
    print(auto(model(("abcd", "efgh", "ijk."), ("bacd", "efgh", "ijk.")), "any", Budget()).verdict.note)
