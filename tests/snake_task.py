"""A snake as a planning task: it grows when it eats, and an eaten apple lets the next one appear."""

from collections.abc import Sequence
from itertools import pairwise

from puzzlemc.mc.tasks.task import Effect, Operator, Task, TaskVariable


def snake_task(height: int, width: int, body: Sequence[int], apples: Sequence[int], visible: int) -> Task:
    """A room of cells that are numbered row by row. `body` goes from the front to the rear."""
    count = height * width
    sides = [
        (cell, other)
        for cell in range(count)
        for other in (cell - width, cell + width, cell - 1, cell + 1)
        if 0 <= other < count and (abs(cell - other) == width or cell // width == other // width)
    ]
    hidden = [*apples[visible:], count]
    cells = tuple(map(str, range(count + 1)))
    front, rear, coming = range(3)
    taken, apple = range(3, 3 + count), range(3 + count, 3 + 2 * count)
    ahead = range(
        3 + 2 * count, 3 + 3 * count
    )  # for each cell of the snake, the cell before it on the way to the front
    flags = [TaskVariable(f"{name}{cell}", ("no", "yes")) for name in ("taken", "apple") for cell in range(count)]
    names = [TaskVariable(name, cells) for name in ("front", "rear", "coming")]
    initial = [0] * (3 + 2 * count) + [count] * count
    initial[:3] = body[0], body[-1], hidden[0]
    for cell in body:
        initial[taken[cell]] = 1
    for cell in apples[:visible]:
        initial[apple[cell]] = 1
    for here, behind in pairwise(body):
        initial[ahead[behind]] = here

    def operator(name: str, before: dict[int, int], after: dict[int, int]) -> Operator:
        return Operator(name, before, tuple(Effect(variable, value) for variable, value in after.items()))

    operators = []
    for cell, to in sides:
        here = {front: cell, taken[to]: 0}
        there = {front: to, taken[to]: 1, ahead[cell]: to}
        for last, then in sides:
            before = {**here, apple[to]: 0, rear: last, ahead[last]: then}
            after = {**there, rear: then, taken[last]: 0, ahead[last]: count}
            if last not in (cell, to):
                operators.append(operator(f"crawl {cell} {to} {last}", before, after))
        for new, later in pairwise(hidden):
            before = {**here, apple[to]: 1, coming: new}
            after = {**there, apple[to]: 0, apple[new]: 1, coming: later}
            operators.append(operator(f"eat {cell} {to}", before, after))
        before = {**here, apple[to]: 1, coming: count}
        operators.append(operator(f"eat {cell} {to}", before, {**there, apple[to]: 0}))
    goal = {coming: count, **dict.fromkeys(apple, 0)}
    variables = (*names, *flags, *(TaskVariable(f"ahead of {cell}", cells) for cell in range(count)))
    return Task(variables, tuple(initial), goal, tuple(operators))
