"""Models whose actions only toggle bits, as in lights out: a solution is a solution of linear equations modulo 2.

Such actions commute, and each undoes itself: what counts is the set of those that are done an odd number of times.
The bits of the goal are equations over these sets. A cheapest solution is the cheapest sum of one solution and of
solutions of the homogeneous system, which are listed if they are few (Anderson and Feil, Turning Lights Out With
Linear Algebra, 1998).
"""

from collections.abc import Sequence

from puzzlemc.mc.errors import Unsuitable
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY, Action, cost_of
from puzzlemc.mc.model.formula import Bit, Formula, literals
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.trace import initial_state, run_of
from puzzlemc.mc.verdict import Reachable, Statistics, Unknown, Verdict

MOST_FREE = 18  # dimensions of the homogeneous system: 262,144 solutions are listed
LOOK = 4096  # solutions between two checks of the limits


def toggles(model: Model, metric: str, budget: Budget) -> Verdict:
    """Reachable by a cheapest trace; unknown if the equations have no solution, or too many.

    Raises Unsuitable for a model with another action, or with a goal that is no cube.
    """
    goal = literals(model.goal)
    if goal is None:
        raise Unsuitable("its goal is no conjunction of literals")
    if not model.actions or not all(map(_toggles, model.actions)):
        raise Unsuitable("it has actions that do more than toggle bits")
    start = initial_state(model)
    wanted = {b: (b in start) != held for b, held in goal.items()}
    chosen, free = _solutions(model.actions, wanted)
    if chosen is None:
        return Unknown("bound", budget.bound, note="the goal is no sum of toggles")
    if len(free) > MOST_FREE and metric != ANY:
        return Unknown("bound", budget.bound, note=f"2^{len(free)} sets of toggles reach the goal")
    costs = [cost_of(action, metric) for action in model.actions]
    best = chosen if metric == ANY else _cheapest(chosen, free, costs, budget)
    actions = [action for number, action in enumerate(model.actions) if best >> number & 1]
    words = f"toggles of {len(wanted)} bits: 2^{len(free)} sets of actions reach the goal"
    return Reachable(
        run_of(model, actions),
        sum(costs[number] for number in range(len(costs)) if best >> number & 1),
        metric != ANY,
        Statistics(found=(words,)),
    )


def _toggles(action: Action) -> bool:
    """Is an action always enabled, and does it negate each bit that it sets?"""
    return action.cube == {} and all(_negates(b, new) for b, new in action.update.items())


def _negates(b: Bit, new: bool | Formula) -> bool:
    return not isinstance(new, bool) and literals(new) == {b: False}


def _solutions(actions: Sequence[Action], wanted: dict[Bit, bool]) -> tuple[int | None, list[int]]:
    """A set of actions that toggles the wanted bits, None without one, and a basis of those that toggle none.

    Sets are bit masks over the numbers of the actions. Gaussian elimination of actions as columns: `pivots` has
    for a bit the sum of some columns whose lowest bit it is, and the set of these columns.
    """
    number = {b: place for place, b in enumerate(wanted)}
    pivots: dict[int, tuple[int, int]] = {}
    free = list[int]()
    for at, action in enumerate(actions):
        column, members = sum(1 << number[b] for b in action.update if b in number), 1 << at
        while column:
            lowest = (column & -column).bit_length() - 1
            if lowest not in pivots:
                pivots[lowest] = column, members
                break
            other, others = pivots[lowest]
            column, members = column ^ other, members ^ others
        else:
            free.append(members)
    left, chosen = sum(1 << number[b] for b, held in wanted.items() if held), 0
    while left:
        lowest = (left & -left).bit_length() - 1
        if lowest not in pivots:
            return None, free
        column, members = pivots[lowest]
        left, chosen = left ^ column, chosen ^ members
    return chosen, free


def _cheapest(chosen: int, free: Sequence[int], costs: Sequence[int], budget: Budget) -> int:
    """The cheapest sum of a set and of some of others, in the order of the Gray code. Raises LimitReached."""
    same = costs[0] if len(set(costs)) == 1 else None

    def cost(members: int) -> int:
        if same is not None:
            return same * members.bit_count()
        return sum(each for number, each in enumerate(costs) if members >> number & 1)

    best, least = chosen, cost(chosen)
    for step in range(1, 1 << len(free)):
        if step % LOOK == 0:
            budget.check()
        chosen ^= free[(step & -step).bit_length() - 1]
        if (found := cost(chosen)) < least:
            best, least = chosen, found
    return best
