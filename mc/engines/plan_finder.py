"""The plan finder of an encoding: a search that knows the puzzle and finds plans without a claim of optimality.

A *plan* is a sequence of actions that leads from the initial state to a goal. Every plan is replayed on the model;
a wrong plan, or none, changes no answer.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from puzzlemc.mc.errors import LIMITS, Unsuitable, reason_of
from puzzlemc.mc.lexicographic import COMMA
from puzzlemc.mc.limits import Budget
from puzzlemc.mc.model.action import ANY, Action
from puzzlemc.mc.model.formula import holds
from puzzlemc.mc.model.model import Model
from puzzlemc.mc.model.plain_actions import PlainActions
from puzzlemc.mc.model.trace import run_of
from puzzlemc.mc.verdict import Reachable, Statistics, Unknown, Verdict, cheapest

WORK = 1 << 23  # units of work of the first call beside another search: less than a tenth of its time
GROWTH = 4  # each further call comes at GROWTH times the states, and gets GROWTH times the work
MEMORY_SHARE = 8  # beside another search, the plan finder gets one MEMORY_SHARE-th of the memory


def find_plan(model: Model, metric: str, budget: Budget, *, work: int | None = None) -> Verdict:
    """The cheapest plan that the model's plan finder yields, not claimed to be optimal; else *unknown*.

    The plan finder stops after `work` units of work, which it counts itself; the reason of *unknown* is then
    `bound`. Raises Unsuitable if the model has no plan finder.
    """
    search = model.hints.plan_finder
    if search is None:
        raise Unsuitable("it has no plan finder")

    best: Reachable | None = None
    try:
        for actions in search(metric, budget, work):
            found = _replayed(model, actions, metric)
            best = cheapest(best, found)
            if found is not None and found is best:
                budget.find(found.cost, partial(_itself, found))
    except LIMITS as limit:
        return best or Unknown(reason_of(limit), budget.bound)
    return best or Unknown("bound", budget.bound)


def _replayed(model: Model, actions: Sequence[Action], metric: str) -> Reachable | None:
    """The plan with its states; None if an action is not the model's own, or the plan does not reach a goal."""
    # The plan finder may know a model from which others have removed actions.
    own = set(map(id, model.actions.made() if isinstance(model.actions, PlainActions) else model.actions))
    if not all(id(action) in own for action in actions):
        return None
    trace = run_of(model, actions)
    states = trace.states
    if not all(action.enabled(state) for state, action in zip(states, actions, strict=False)):
        return None
    if not holds(model.goal, states[-1]):
        return None
    return Reachable(trace, trace.cost(metric), False, Statistics())


def _itself(plan: Reachable) -> Reachable:
    return plan


class PlanFinder:
    """Calls the model's plan finder from within another search, again and again as that search grows.

    best  the cheapest plan so far, None before there is one
    """

    def __init__(self, model: Model, metric: str, budget: Budget) -> None:
        self._model = model
        self._metric = metric
        self._budget = budget
        # Under `any`, the plan finder is a stage by itself. Of two metrics in order, the first search called it.
        self._is_off = metric == ANY or COMMA in metric or model.hints.plan_finder is None
        self._factor = 1
        self.best: Reachable | None = None

    def search_if_due(self, size: int, first: int) -> None:
        """Call the plan finder if a call is due for a search of `size` states; the first call is due at `first`.

        Raises LimitReached.
        """
        if self._is_off or size < self._factor * first:
            return
        work = WORK * self._factor
        self._factor *= GROWTH
        limits, budget = self._budget.limits, self._budget
        part = budget.part(replace(limits, seconds=budget.left, memory=limits.memory // MEMORY_SHARE))
        verdict = find_plan(self._model, self._metric, part, work=work)
        if isinstance(verdict, Reachable) and (self.best is None or verdict.cost < self.best.cost):
            self.best = verdict
            budget.find(verdict.cost, partial(_itself, verdict))
        budget.check()
