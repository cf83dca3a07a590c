"""The potential with the greatest lower bound for the initial state, by linear programming.

It is the dual of the state equation (Pommerening, Helmert, Röger and Seipp 2015): each fact ends as often as it
begins, but for the initial state and the goal. Where operators use something up, as jumps in peg solitaire do, no
small pattern sees how many of them it takes; a potential counts them. The weights are rounded, and count only if
they satisfy each inequality in whole numbers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.invariants.cases import Question
from puzzlemc.mc.invariants.linear import Inequality, least
from puzzlemc.mc.patterns.database import Abstracted
from puzzlemc.mc.patterns.potential import Potential
from puzzlemc.mc.tasks.task import Fact, Task

MOST_ROWS, MOST_WEIGHTS = 20_000, 4_000
ITERATIONS = 10_000
LARGEST = 1 << 14  # of a weight
SCALES = (1, 2, 6, 60)

Row = Mapping[Fact, int]


def potential(abstracted: Abstracted, divisor: int) -> Potential | None:
    """A potential for the task whose costs are divided by a number; None if none is found."""
    task = replace(abstracted.task, mutexes=tuple(map(tuple, abstracted.inductive)))
    rows: dict[frozenset[tuple[Fact, int]], int] = {}  # how an operator changes the sum -> its cost
    question = Question(task, range(len(task.variables)), [task.goal])
    try:
        for operator in task.operators:
            for case in question.cases(operator)[1]:
                old, new = (
                    {(v, held[v]): sign for v in case.old} for held, sign in ((case.old, 1), (case.new, -1))
                )
                row = frozenset({**old, **new}.items())
                rows[row] = min(rows.get(row, operator.cost), operator.cost)
            if len(rows) > MOST_ROWS:
                return None
    except Unsuitable:
        return None
    falls = [(dict(row), cost // divisor) for row, cost in rows.items()]
    facts = sorted({fact for row, _ in falls for fact in row})
    goal = {v: values for v, values in question.left[0].items() if v not in task.derived}
    if not facts or len(facts) > MOST_WEIGHTS or not all(goal.values()):
        return None
    found = _greatest(facts, falls, goal, task)
    if found is None:
        return None
    made = [_rounded(found, scale, falls, goal, task) for scale in SCALES]
    return max(
        (each for each in made if each is not None), key=lambda each: each.bound(task.initial), default=None
    )


def _greatest(
    facts: Sequence[Fact], falls: Sequence[tuple[Row, int]], goal: Mapping[int, Sequence[int]], task: Task
) -> dict[Fact, float] | None:
    """The weights with the greatest value of the initial state, if those of goal states are at most 0."""
    column = {fact: number for number, fact in enumerate(facts)}
    most = {v: len(facts) + number for number, v in enumerate(goal)}  # the greatest weight of a value in the goal
    inequalities: list[Inequality] = [({column[f]: n for f, n in row.items()}, cost) for row, cost in falls]
    for v, values in goal.items():
        for value in values:
            weight = {column[v, value]: 1} if (v, value) in column else {}
            inequalities.append(({most[v]: -1, **weight}, 0))
    costs = [0.0] * (len(facts) + len(goal))
    for v in goal:
        costs[most[v]] = 1.0
        if (start := column.get((v, task.initial[v]))) is not None:
            costs[start] = -1.0
    solution = least(costs, inequalities, [-float(LARGEST)] * len(costs), LARGEST, ITERATIONS)
    return None if solution is None else dict(zip(facts, solution, strict=False))


def _rounded(
    weights: Mapping[Fact, float],
    scale: int,
    falls: Sequence[tuple[Row, int]],
    goal: Mapping[int, Sequence[int]],
    task: Task,
) -> Potential | None:
    """The weights as whole numbers, if no operator lets their sum fall by more than it costs."""
    whole = {fact: round(scale * weight) for fact, weight in weights.items()}
    if any(sum(whole[fact] * number for fact, number in row.items()) > scale * cost for row, cost in falls):
        return None
    table = [[whole.get((v, value), 0) for value in range(size)] for v, size in enumerate(task.domains)]
    for v, values in goal.items():
        most = max(table[v][value] for value in values)
        table[v] = [weight - most for weight in table[v]]
    return Potential(table, scale)
